package shell

import (
	"strconv"
	"strings"
)

// privilegeRules are the ways to become another user.
func privilegeRules() []Rule {
	p := func(id, program, reason string, m func(*call) string, programs []string, examples, passes []string) Rule {
		return Rule{ID: id, Category: "privilege", Reason: reason, Instead: "do it without " + program + ", or ask the user to run that one step", Fixed: true, programs: programs, match: m, Examples: examples, Passes: passes}
	}
	const root = "it runs with another user's rights"
	return []Rule{
		p("privilege.sudo", "sudo", root, always, []string{"sudo", "sudoedit"},
			[]string{"sudo id", "sudo -n id", "/usr/bin/sudo id", `"sudo" id`, `s"u"do id`, `s\udo id`, "env X=1 sudo id", "ls | xargs sudo rm", "echo $(sudo id)", "$'\\x73udo' id"},
			[]string{`echo "use sudo"`, `grep -rn "sudo" docs`, "ls sudoku/", "git commit -m 'docs: explain rm -rf / and sudo'"}),
		p("privilege.su", "su", root, always, []string{"su", "runuser"}, []string{"su -", "su root -c id"}, []string{"ls su"}),
		p("privilege.doas", "doas", root, always, []string{"doas"}, []string{"doas id"}, nil),
		p("privilege.pkexec", "pkexec", root, always, []string{"pkexec", "run0"}, []string{"pkexec id"}, nil),
	}
}

// machineRules concern devices, power, mounts and the firewall.
func machineRules() []Rule {
	r := func(id, category, reason, instead string, fixed bool, programs []string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: category, Reason: reason, Instead: instead, Fixed: fixed, programs: programs, match: m, Examples: examples, Passes: passes}
	}
	const disks, power, admin = "leave disks to the user", "leave the machine's power to the user", "leave the machine's set-up to the user"
	out := []Rule{
		r("device.mkfs", "destruction", "it makes a new file system over what is there", disks, true, []string{"mkfs", "mke2fs", "mkswap"}, always,
			[]string{"mkfs /dev/sdb", "mkfs.ext4 /dev/sdb1"}, nil),
		r("device.dd-write", "destruction", "it writes to a raw device", disks, true, []string{"dd"}, func(c *call) string {
			for _, a := range c.args {
				if v, ok := strings.CutPrefix(a.text, "of=/dev/"); ok && !oneOf(v, "null", "stdout", "stderr") {
					return c.shown()
				}
			}
			return ""
		}, []string{"dd if=x of=/dev/sda"}, []string{"dd if=x of=/dev/null"}),
		r("device.dd-source", "destruction", "it fills a file from an endless device", "write the file with the write tool", true, []string{"dd"}, func(c *call) string {
			for _, a := range c.args {
				if a.is("if=/dev/zero", "if=/dev/random", "if=/dev/urandom") {
					return c.shown()
				}
			}
			return ""
		}, []string{"dd if=/dev/zero of=f", "dd of=f if=/dev/urandom"}, nil),
	}
	for _, p := range []string{"shutdown", "reboot", "halt", "poweroff"} {
		out = append(out, r("power."+p, "power", "it stops the machine", power, true, []string{p}, always, []string{p, "/sbin/" + p + " now"},
			[]string{"echo '" + p + " at 5'", `git commit -m "` + p + ` on error"`}))
	}
	return append(out,
		r("power.init", "power", "it changes the run level", power, true, []string{"init", "telinit"}, func(c *call) string {
			return when(c, len(c.args) > 0 && len(c.args[0].text) == 1 && strings.Contains("0123456sS", c.args[0].text))
		}, []string{"init 0", "init 6"}, []string{"git init", "npm init"}),
		r("power.systemctl", "power", "it stops the machine", power, true, []string{"systemctl", "loginctl"}, func(c *call) string {
			ops := c.operands()
			return when(c, len(ops) > 0 && (ops[0].is("poweroff", "reboot", "halt", "kexec", "suspend", "hibernate", "hybrid-sleep", "suspend-then-hibernate", "soft-reboot", "rescue", "emergency", "exit", "switch-root") ||
				len(ops) > 1 && ops[0].is("start", "isolate", "restart") && stopsMachine(ops[1].text)))
		}, []string{"systemctl reboot", "systemctl soft-reboot", "systemctl isolate rescue", "systemctl --no-block start poweroff.target"}, []string{"systemctl status x"}),
		r("mount.mount", "mounts", "it changes what is mounted", admin, false, []string{"mount"}, withArgs, []string{"mount /dev/sdb1 /mnt"}, []string{"mount", `grep -n "mount " x.go`}),
		r("mount.umount", "mounts", "it changes what is mounted", admin, false, []string{"umount"}, always, []string{"umount /mnt"}, nil),
		r("firewall.iptables", "firewall", "it changes the firewall", admin, false, []string{"iptables", "ip6tables", "iptables-restore", "ip6tables-restore", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy", "arptables", "ebtables"}, always, []string{"iptables -F"}, nil),
		r("firewall.nftables", "firewall", "it changes the firewall", admin, false, []string{"nft", "nftables"}, always, []string{"nft flush ruleset", "nftables -f x"}, nil),
		r("firewall.ufw", "firewall", "it changes the firewall", admin, false, []string{"ufw"}, always, []string{"ufw disable"}, nil),
	)
}

// stopsMachine reports a unit that ends what runs.
func stopsMachine(unit string) bool {
	return oneOf(strings.TrimSuffix(unit, ".target"), "poweroff", "reboot", "halt", "shutdown", "kexec", "suspend", "hibernate", "hybrid-sleep", "rescue", "emergency", "exit", "final", "umount", "runlevel0", "runlevel1", "runlevel6", "ctrl-alt-del")
}

// processRules concern other processes and loops without an end.
func processRules() []Rule {
	r := func(id, category, reason, instead string, programs []string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: category, Reason: reason, Instead: instead, programs: programs, match: m, Examples: examples, Passes: passes}
	}
	const byID = "end one process by its id with plain kill, or bg cancel for what zuno started"
	return []Rule{
		r("process.kill-9", "processes", "it kills without letting the process clean up", byID, []string{"kill"}, killsHard,
			[]string{"kill -9 1234", "kill -KILL 1", "kill -SIGKILL 1", "kill -s KILL 1", "kill -s 9 1", "kill --signal=9 1"}, []string{"kill 1234", "kill -TERM 1234", "kill -l"}),
		r("process.kill-everything", "processes", "it ends zuno itself, or every process of the account", byID, []string{"kill"}, killsEverything,
			[]string{"kill -TERM -1", "kill -15 -1", "kill -- -1", "kill -s TERM -1", "kill $PPID", `kill -STOP "$PPID"`, "kill -TERM 1 $PPID"}, []string{"kill -1 1234", "kill -TERM -1234", "kill 1", "kill %1"}),
		r("process.pkill", "processes", "it ends every process whose name matches", byID, []string{"pkill"}, always, []string{"pkill node"}, []string{"pgrep node"}),
		r("process.killall", "processes", "it ends every process with a name", byID, []string{"killall", "killall5", "skill"}, always, []string{"killall node", "skill -9 node"}, nil),
		{
			ID: "loop.fork-bomb", Category: "destruction", Reason: "it starts itself until the machine stops", Instead: "nothing: there is no use for it", Fixed: true,
			Examples: []string{":(){ :|:& };:", "f() { f | f & }; f"}, Passes: []string{"f() { ls; }; f"},
		},
		{
			ID: "loop.endless", Category: "processes", Reason: "it loops without an end", Instead: "loop a fixed number of times, or start the program with background",
			Examples: []string{"while true; do date; done", "while :; do sleep 1; done", "until false; do ls; done", "for ((;;)); do ls; done"}, Passes: []string{"for i in 1 2 3; do echo x; done"},
		},
	}
}

func killsHard(c *call) string {
	if w, ok := c.value("s", "signal"); ok && isKill(w.text) {
		return c.shown()
	}
	if w, ok := c.value("n"); ok && isKill(w.text) {
		return c.shown()
	}
	for _, a := range c.args {
		if a.flag() && isKill(a.text[1:]) {
			return c.shown()
		}
	}
	return ""
}

// killsEverything reports a kill of the process that waits for the command, or
// of -1, which stands for all.
func killsEverything(c *call) string {
	for i, a := range c.args {
		all := a.text == "-1" && i > 0 && !c.args[i-1].is("-n")
		if all || strings.Trim(a.src, `"${}`) == "PPID" {
			return c.shown()
		}
	}
	return ""
}

func isKill(sig string) bool {
	return oneOf(strings.TrimPrefix(strings.ToUpper(sig), "SIG"), "9", "KILL")
}

// permissionRules concern modes and owners that open a file to everyone.
func permissionRules() []Rule {
	r := func(id, reason, instead string, program string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: "permissions", Reason: reason, Instead: instead, programs: []string{program}, match: m, Examples: examples, Passes: passes}
	}
	const narrow = "give the narrowest mode that works, such as 755 or u+x"
	return []Rule{
		r("permissions.world", "it lets everyone change the file", narrow, "chmod", func(c *call) string { return c.mode(worldMode) },
			[]string{"chmod 777 x", "chmod 0777 x", "chmod -R 777 .", "chmod a+rwx x", "chmod a=rwx x", "chmod ugo+rwx x"}, []string{"chmod +x x", "chmod 644 x", "chmod 755 x", "chmod u+rwx x"}),
		r("permissions.setid-symbolic", "it lets everyone run the file with its owner's rights", narrow, "chmod", func(c *call) string {
			return c.mode(func(m string) bool { return !isNumber(m) && setsID(m) })
		}, []string{"chmod u+s x", "chmod g+s x", "chmod u=rws x"}, nil),
		r("permissions.setid-numeric", "it lets everyone run the file with its owner's rights", narrow, "chmod", func(c *call) string {
			return c.mode(func(m string) bool { n, err := strconv.ParseUint(m, 8, 32); return err == nil && n&0o6000 != 0 })
		}, []string{"chmod 4755 x", "chmod 2755 x", "chmod 6755 x", "chmod 04755 x"}, nil),
		r("permissions.chown-root", "it gives the file to root", "keep the owner", "chown", func(c *call) string {
			ops := c.operands()
			if len(ops) == 0 {
				return ""
			}
			owner, _, _ := strings.Cut(ops[0].text, ":")
			owner, _, _ = strings.Cut(owner, ".")
			return when(c, oneOf(owner, "root", "0"))
		}, []string{"chown root x", "chown root:root x", "chown -R 0:0 x"}, []string{"chown me x"}),
	}
}

func (c *call) mode(bad func(string) bool) string {
	if ops := c.operands(); len(ops) > 0 && bad(ops[0].text) {
		return c.shown()
	}
	return ""
}

func worldMode(m string) bool {
	if n, err := strconv.ParseUint(m, 8, 32); err == nil {
		return n&0o777 == 0o777
	}
	for _, clause := range strings.Split(m, ",") {
		i := strings.IndexAny(clause, "+=")
		if i <= 0 {
			continue
		}
		who, perms := clause[:i], clause[i+1:]
		all := strings.Contains(who, "a") || strings.Contains(who, "u") && strings.Contains(who, "g") && strings.Contains(who, "o")
		if all && strings.Contains(perms, "r") && strings.Contains(perms, "w") && strings.Contains(perms, "x") {
			return true
		}
	}
	return false
}

func setsID(m string) bool {
	for _, clause := range strings.Split(m, ",") {
		if i := strings.IndexAny(clause, "+="); i >= 0 && strings.Contains(clause[i:], "s") {
			return true
		}
	}
	return false
}

// accountRules concern users, schedules and the shell's memory.
func accountRules() []Rule {
	r := func(id, category, reason string, programs []string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: category, Reason: reason, Instead: "ask the user to do it", Fixed: category == "privilege", programs: programs, match: m, Examples: examples, Passes: passes}
	}
	return []Rule{
		r("cron.edit", "schedules", "it changes or removes the user's schedule", []string{"crontab"}, withOption("er"), []string{"crontab -e", "crontab -r"}, []string{"crontab -l"}),
		r("history.erase", "history", "it changes the shell's history", []string{"history"}, withOption("cwda"), []string{"history -c", "history -d 5"}, []string{"history"}),
		r("accounts.modify", "privilege", "it changes the machine's accounts", []string{"useradd", "userdel", "usermod", "groupadd", "groupdel", "groupmod", "adduser", "deluser", "addgroup", "delgroup", "chpasswd", "chsh", "gpasswd"}, always,
			[]string{"useradd x", "userdel x", "usermod -aG docker me", "groupadd x", "groupdel x", "groupmod x"}, nil),
		r("accounts.passwd", "privilege", "it changes a password", []string{"passwd"}, withArgs, []string{"passwd root"}, nil),
		r("accounts.visudo", "privilege", "it changes who may become root", []string{"visudo"}, always, []string{"visudo"}, nil),
	}
}
