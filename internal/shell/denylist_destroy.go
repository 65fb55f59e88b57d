package shell

import "strings"

const useRm = "delete named files with apply_patch (*** Delete File: path), or with plain rm, without -r or -f"

// destroyRules are what cannot be survived: the system's own places, whole
// disks, and history that others share.
func destroyRules() []Rule {
	fixed := func(id, reason, instead string, programs []string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: "destruction", Reason: reason, Instead: instead, Fixed: true, programs: programs, match: m, Examples: examples, Passes: passes}
	}
	return []Rule{
		fixed("destroy.system-path", "it removes or replaces a place that the system or the account needs",
			"name the exact files inside the workspace", []string{"rm", "rmdir", "unlink", "shred", "srm", "truncate", "mv", "find", "chmod", "chown", "chgrp", "dd"}, destroysSystem,
			[]string{"rm /etc/hosts", "rmdir /usr", "unlink ~/.ssh/config", "mv /etc /tmp/x", "find / -delete", "chmod -R 755 /", "rm \"$HOME\""},
			[]string{"rmdir build", "find . -name '*.o'", "mv a b", "chmod -R 755 bin"}),
		fixed("destroy.unknown-directory", "it removes files in a directory that is only known when it runs",
			"name the directory literally", []string{"rm", "rmdir", "unlink", "shred", "srm"}, destroysUnknown,
			[]string{`cd "$X" && rm old.txt`, "cd ~someone; rm -r cache"}, []string{"cd sub && rm old.txt"}),
		fixed("destroy.redirect", "it writes over a file of the system, a credential or a device",
			"write inside the workspace", nil, nil,
			[]string{"echo x > /etc/hosts", "cat image > /dev/sda", "echo x >> ~/.ssh/config"}, []string{"echo x > /dev/null", "ls 2>/dev/null"}),
		fixed("destroy.partition", "it changes a disk's partitions", "leave disks to the user",
			[]string{"fdisk", "parted", "sfdisk", "gdisk", "sgdisk", "cfdisk"}, func(c *call) string { return when(c, !c.has("l", "list", "version", "help")) },
			[]string{"fdisk /dev/sda", "parted /dev/sda rm 1"}, []string{"fdisk -l"}),
		fixed("destroy.secure-remove", "it erases files so that nothing can bring them back", useRm, []string{"srm"}, always,
			[]string{"srm notes.txt"}, nil),
		fixed("git.force-push", "it overwrites history that others share, without a lease",
			"push with --force-with-lease, which asks first", nil, nil,
			[]string{
				"git push --force", "git push -f origin main", "git push origin +main", "git -C sub push -uf origin x", "git push --force-with-lease --force",
				"git push --force-with-lease=",
			}, []string{"git push --force-with-lease origin x", "git push origin main", "git fetch --force"}),
	}
}

// destroyed lists the operands that a call takes away or replaces.
func (c *call) destroyed() []word {
	switch c.name {
	case "mv":
		ops := c.operands("-t", "--target-directory", "-S", "--suffix")
		if _, ok := c.value("t", "target-directory"); ok || len(ops) == 0 {
			return ops
		}
		return ops[:len(ops)-1]
	case "chmod", "chown", "chgrp":
		if ops := c.operands(); c.has("R", "recursive") && len(ops) > 1 {
			return ops[1:]
		}
		return nil
	case "find":
		if c.deletes() {
			return c.roots()
		}
		return nil
	case "dd":
		for _, a := range c.args {
			if v, ok := strings.CutPrefix(a.text, "of="); ok && !harmlessDevice(v) {
				return []word{{text: v, dyn: a.dyn, glob: a.glob, src: v}}
			}
		}
		return nil
	case "truncate":
		return c.operands("-s", "--size", "-r", "--reference")
	case "shred":
		return c.operands("-n", "-s", "--iterations", "--size")
	}
	return c.operands()
}

// acts reports a find that removes what it finds or hands it to a command.
func (c *call) acts() bool {
	for _, a := range c.args {
		if a.is("-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprintf") {
			return true
		}
	}
	return false
}

// deletes reports a find that removes what it finds.
func (c *call) deletes() bool {
	for i, a := range c.args {
		if a.is("-delete") || a.is("-exec", "-execdir", "-ok", "-okdir") && i+1 < len(c.args) && oneOf(base(c.args[i+1].text), "rm", "rmdir", "unlink", "shred") {
			return true
		}
	}
	return false
}

// roots are the places where find starts.
func (c *call) roots() []word {
	var out []word
	for _, a := range c.args {
		if a.is("-H", "-L", "-P") || strings.HasPrefix(a.text, "-O") || a.is("-D") {
			continue
		}
		if a.flag() || a.is("(", "!", ")", ",") {
			break
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		out = append(out, lit("."))
	}
	return out
}

func destroysSystem(c *call) string {
	if c.raw || c.remote {
		for _, w := range c.destroyed() {
			if low := strings.ToLower(w.text); w.known() && (oneOf(low, systemDirs...) || oneOf(low, "/*", "~", "~/", "$home")) {
				return c.shown()
			}
		}
		return ""
	}
	s := c.s
	for _, w := range c.destroyed() {
		if w.temp || w.dyn != "" {
			continue
		}
		if w.glob && s.catastrophicGlob(w) {
			return c.shown()
		}
		ts, _ := s.targets(w)
		for _, t := range ts {
			if s.catastrophic(t) {
				return c.shown()
			}
		}
	}
	return ""
}

func destroysUnknown(c *call) string {
	s := c.s
	if c.raw || c.remote || len(s.env.dirs) > 0 || s.env.temp {
		return ""
	}
	for _, w := range c.destroyed() {
		if w.known() && !strings.HasPrefix(w.text, "/") {
			return c.shown()
		}
	}
	return ""
}

// rmRules are the forms of rm that take away more than one named file.
func rmRules() []Rule {
	rm := func(id, reason string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: "destruction", Reason: reason, Instead: useRm, Fixed: true, programs: []string{"rm"}, match: m, Examples: examples, Passes: passes}
	}
	return []Rule{
		rm("rm.recursive-force", "it removes without asking, or whole directories", func(c *call) string {
			return when(c, !c.tempOnly() && c.has("rRfF", "recursive", "force"))
		}, []string{
			"rm -rf build", "rm -f x", "rm -Rv x", "rm -v -rf x", "rm x -rf", "rm --recursive --force build", "rm --rec x", `rm -rf "$tmp" /`, `rm -rf "$HOME"`,
			"d=/tmp/x; rm -rf $d", "rm -rf /tmp/foo", "rm -rf /tmp", `tmp=$(mktemp -d); rm -rf "$tmp" src`, `tmp=$(mktemp -d); tmp=/; rm -rf "$tmp"`,
		},
			[]string{"rm file", "rm ./build.log", "rm -i x", "rm file.txt~", `tmp="$(mktemp -d)"; ls "$tmp"; rm -rf "$tmp"`, `rm -rf "$(mktemp -d)"`, "rm -rf $TMPDIR/x"}),
		rm("rm.split-flags", "it removes whole directories without asking", func(c *call) string {
			return when(c, !c.tempOnly() && c.has("rR", "recursive") && c.has("fF", "force"))
		}, []string{"rm -r -f build", "rm -f -v -R build", "rm -r x --force"}, nil),
		rm("rm.root", "it removes the root of the file system", func(c *call) string {
			ops := c.operands()
			return when(c, len(ops) > 0 && isRoot(ops[len(ops)-1]))
		}, []string{"rm -r /", "rm / ", "rm x //", "rm /."}, nil),
		rm("rm.root-among", "it removes the root of the file system among other things", func(c *call) string {
			ops := c.operands()
			for i := range max(0, len(ops)-1) {
				if isRoot(ops[i]) {
					return c.shown()
				}
			}
			return ""
		}, []string{"rm / x", "rm -r / tmp"}, nil),
		rm("rm.home", "it removes from a home directory", func(c *call) string {
			for _, w := range c.operands() {
				if w.home || strings.HasPrefix(w.text, "~") && c.raw {
					return c.shown()
				}
			}
			return ""
		}, []string{"rm ~/notes.txt", "rm -r ~", "rm ~root/x"}, []string{"rm file~"}),
		rm("rm.glob", "it removes whatever a pattern matches", func(c *call) string {
			for _, w := range c.operands() {
				if (w.glob || c.raw) && strings.Contains(w.text, "*") && !c.tempOnly() {
					return c.shown()
				}
			}
			return ""
		}, []string{"rm *", "rm *.o", "rm -r build/*"}, []string{`rm 'a*b'`, `tmp=$(mktemp -d); rm -rf "$tmp"/*`}),
		rm("rm.no-preserve-root", "it switches off the last guard of the root directory", withOption("", "no-preserve-root"),
			[]string{"rm -r --no-preserve-root x", "rm --no-p x"}, nil),
	}
}

func isRoot(w word) bool {
	return w.known() && strings.Trim(w.text, "/.") == "" && strings.HasPrefix(w.text, "/")
}

// tempOnly reports that everything a call names was made by mktemp in this
// very script, or is in TMPDIR: the one carve-out of the list.
func (c *call) tempOnly() bool {
	ops := c.operands()
	if c.raw {
		return false
	}
	for _, w := range ops {
		if !w.temp || strings.Contains(w.text, "..") {
			return false
		}
	}
	return len(ops) > 0
}

// wipeRules are tools made to destroy data.
func wipeRules() []Rule {
	wipe := func(id, reason string, programs []string, m func(*call) string, examples, passes []string) Rule {
		return Rule{ID: id, Category: "destruction", Reason: reason, Instead: "write the new content with the write tool, or leave it to the user", Fixed: true, programs: programs, match: m, Examples: examples, Passes: passes}
	}
	return []Rule{
		wipe("wipe.shred", "it erases files so that nothing can bring them back", []string{"shred"}, always, []string{"shred -u key.pem"}, nil),
		wipe("wipe.truncate", "it cuts files without a copy", []string{"truncate"}, always, []string{"truncate -s 0 app.log"}, []string{"git log --grep truncate"}),
		wipe("wipe.signatures", "it erases a file system's signatures", []string{"wipefs"}, always, []string{"wipefs -a /dev/sdb"}, nil),
		wipe("wipe.discard", "it discards the blocks of a device", []string{"blkdiscard"}, always, []string{"blkdiscard /dev/sdb"}, nil),
		wipe("wipe.secure-erase", "it erases a whole drive", []string{"hdparm"}, withOption("", "security-erase", "security-erase-enhanced"),
			[]string{"hdparm --security-erase p /dev/sda"}, nil),
	}
}
