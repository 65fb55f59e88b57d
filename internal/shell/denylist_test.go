package shell

import (
	"slices"
	"strings"
	"testing"
)

// place is a workspace that exists only in the tests: nothing is in it.
func place() Place {
	return Place{Dir: "/home/u/work", Workspace: "/home/u/work", Home: "/home/u", Temp: "/tmp", Lstat: noFile, Readlink: noLink}
}

func TestEveryRuleBlocksItsExamples(t *testing.T) {
	for _, r := range Denylist() {
		if len(r.Examples) == 0 {
			t.Errorf("%s has no example", r.ID)
		}
		for _, line := range r.Examples {
			a := Analyze(line, place())
			if a.Denied == nil || !slices.ContainsFunc(a.Hits, func(h Hit) bool { return h.Rule == r.ID }) {
				t.Errorf("%s does not block %q; hits %v, parsed %v %s", r.ID, line, a.Hits, a.Parsed, a.ParseError)
			}
		}
		for _, line := range r.Passes {
			if a := Analyze(line, place()); a.Denied != nil {
				t.Errorf("%s: %q is blocked by %s", r.ID, line, a.Denied.Rule)
			}
		}
	}
}

func TestTheDenylistHasEverySeedBehaviour(t *testing.T) {
	// The 59 rows of the seed, in its order.
	seed := strings.Fields(`rm.recursive-force rm.split-flags rm.root rm.root-among rm.home rm.glob
		privilege.sudo privilege.su privilege.doas device.mkfs device.dd-write device.dd-source
		power.shutdown power.reboot power.halt power.poweroff power.init
		remote.curl-to-shell remote.wget-to-shell remote.curl-pipe remote.wget-pipe
		inline.language inline.shell inline.eval process.kill-9 process.pkill process.killall loop.fork-bomb loop.endless
		permissions.world permissions.setid-symbolic permissions.setid-numeric permissions.chown-root
		mount.mount mount.umount firewall.iptables firewall.nftables firewall.ufw
		read.system-accounts read.keys copy.system-accounts transfer.protected backdoor.authorized-keys backdoor.authorized-keys-tee
		rm.no-preserve-root wipe.shred wipe.truncate wipe.signatures wipe.discard wipe.secure-erase shell.nc-exec shell.socat-exec
		remote.curl-then-run remote.wget-then-run cron.edit history.erase accounts.modify accounts.passwd accounts.visudo`)
	if len(seed) != 59 {
		t.Fatalf("the list in this test has %d rows", len(seed))
	}
	ids := map[string]bool{}
	for _, r := range Denylist() {
		if ids[r.ID] {
			t.Errorf("%s twice", r.ID)
		}
		ids[r.ID] = true
		if r.Category == "" || r.Reason == "" || r.Instead == "" {
			t.Errorf("%s does not explain itself", r.ID)
		}
	}
	for _, id := range seed {
		if !ids[id] {
			t.Errorf("%s is missing", id)
		}
	}
}

// C062: words as data are not commands.
func TestOrdinaryWorkIsNotBlocked(t *testing.T) {
	for _, line := range []string{
		"ls -la", "git status", "git log --oneline -5", "git diff HEAD~1", "npm run build", "yarn test", "pnpm install", "bun run dev",
		"docker ps", "kubectl get pods", "make", "make test", "cat README.md", "head -20 go.mod", "less notes.txt",
		"curl https://example.com/x", "wget https://example.com/x", "curl -O https://example.com/x.tgz", "ps aux | grep node", "lsof -i :8080",
		"rm file", "rm ./build.log", "rm file.txt~", "chmod +x run.sh", "chmod 644 f", "chmod 755 f", "diff a b", "comm a b", "jq .x f.json",
		"sed -n 5p f", "sed s/a/b/ f", "awk '{print $1}' f", "kill 1234",
		`tmp="$(mktemp -d)"; rm -rf "$tmp"`, `tmp=$(mktemp -d) && cp a "$tmp"/ && rm -rf "$tmp"`, "tmp=`mktemp -d`; rm -rf $tmp", `rm -rf "$(mktemp -d)"`,
		"scratch=$(mktemp -d)\ncp a \"$scratch\"\nrm -rf \"$scratch\"/*\n", `rm -rf "$TMPDIR/x"`, "rm -rf ${TMPDIR}/build", `tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; ls "$tmp"`,
		`export tmp=$(mktemp -d); rm -rf "$tmp/a"`, `tmp=$(mktemp -d -t zuno.XXXX); d="$tmp/x"; rm -rf "$d"`, `f=$(mktemp); rm -f "$f"`,
		`git commit -m "halt on error"`, `grep -n "mount " x.go`, `echo "use sudo"`, "git log --grep truncate", "git commit -m 'docs: explain rm -rf / and sudo'",
		`grep -rn "sudo" docs`, "echo 'shutdown at 5'", "cat > n.md <<'EOF'\nrm -rf /\nEOF", "ls sudoku/", "cat ./etc/passwd.sample", "man sudo", "which sudo", "echo rm -rf /",
		"cat <<EOF\nsudo reboot\nEOF", "printf 'sudo %s' x", "git log -S 'rm -rf'", "rg 'kill -9'", "go test -run TestSudo ./...", "ls /etc/passwd", "python3 -m http.server", "node server.js",
		"echo \"$(date) reboot\"", "case x in sudo) ls;; esac", "for x in sudo su; do echo $x; done", "mount", "history", "crontab -l", "find . -name '*.tmp' -delete", "cat .env",
		"cd sub && rm x.o", "[[ -f x ]] && cat x", "bash scripts/test.sh", "git push --force-with-lease", "npm init", "git init", "su=1", "sudo=1; echo $sudo",
	} {
		if a := Analyze(line, place()); a.Denied != nil {
			t.Errorf("%q is blocked by %s (%s)", line, a.Denied.Rule, a.Denied.Match)
		}
	}
}

// C062, C047: a command is one however it is quoted, wrapped or spelt.
func TestNothingHidesABlockedCommand(t *testing.T) {
	for line, rule := range map[string]string{
		"bash -c 'rm -rf /'": "rm.recursive-force", "eval 'rm -rf /'": "rm.recursive-force", "$(rm -rf /)": "rm.recursive-force", "cd / && rm -rf *": "rm.recursive-force",
		"echo `rm -rf x`": "rm.recursive-force", "cat <(rm -rf x)": "rm.recursive-force", "cat <<EOF\n$(rm -rf x)\nEOF": "rm.recursive-force",
		"cat <<'EOF' | sh\nrm -rf x\nEOF": "rm.recursive-force", "sh <<'EOF'\nrm -rf x\nEOF": "rm.recursive-force", "bash <<< 'rm -rf x'": "rm.recursive-force",
		"echo 'rm -rf x' | sh": "rm.recursive-force", "printf '%s\\n' 'rm -rf x' | bash": "rm.recursive-force", "X='rm -rf /'; $X": "rm.recursive-force",
		"r\\m -rf x": "rm.recursive-force", "'r''m' -rf x": "rm.recursive-force", "/bin/rm -rf x": "rm.recursive-force", "{rm,-rf,x}": "rm.recursive-force", "$'\\162m' -rf x": "rm.recursive-force",
		"env -i rm -rf x": "rm.recursive-force", "env -S 'rm -rf x'": "rm.recursive-force", "env -u A B=c rm -rf x": "rm.recursive-force", "env --uns A rm -rf x": "rm.recursive-force", "nice --adj 5 rm -rf x": "rm.recursive-force", "timeout --sig 9 5 rm -rf x": "rm.recursive-force", "env --chdir sub rm -rf x": "rm.recursive-force", "nice -n 5 rm -rf x": "rm.recursive-force",
		"timeout -k 3 5s rm -rf x": "rm.recursive-force", "nohup rm -rf x &": "rm.recursive-force", "xargs -n 1 rm -rf": "rm.recursive-force", "ls | xargs -I{} rm -rf {}": "rm.recursive-force",
		"command rm -rf x": "rm.recursive-force", "exec rm -rf x": "rm.recursive-force", "stdbuf -o L rm -rf x": "rm.recursive-force", "setsid -w rm -rf x": "rm.recursive-force",
		"watch -n 1 rm -rf x": "rm.recursive-force", "chroot /x rm -rf y": "rm.recursive-force", "flock /tmp/l rm -rf x": "rm.recursive-force", "flock /tmp/l -c 'rm -rf x'": "rm.recursive-force",
		"script -c 'rm -rf x' f": "rm.recursive-force", "find . -exec rm -rf {} +": "rm.recursive-force", "find . -execdir sh -c 'rm -rf x' \\;": "rm.recursive-force",
		"trap 'rm -rf x' EXIT": "rm.recursive-force", "ssh h 'rm -rf x'": "rm.recursive-force", "ssh -p 22 h rm -rf x": "rm.recursive-force", "f() { rm -rf x; }; f": "rm.recursive-force",
		"coproc rm -rf x": "rm.recursive-force", "if true; then rm -rf x; fi": "rm.recursive-force", "case x in x) rm -rf x;; esac": "rm.recursive-force", "! rm -rf x": "rm.recursive-force",
		"for i in 1; do rm -rf x; done": "rm.recursive-force", "time rm -rf x": "rm.recursive-force", "x=$(rm -rf x)": "rm.recursive-force", "echo ${x:-$(rm -rf x)}": "rm.recursive-force",
		"echo $(( $(rm -rf x) ))": "rm.recursive-force", "[[ $(rm -rf x) ]]": "rm.recursive-force", "> $(rm -rf x)": "rm.recursive-force", "a=($(rm -rf x))": "rm.recursive-force",
		"alias ll='rm -rf x'": "rm.recursive-force", "busybox rm -rf x": "rm.recursive-force", "git -c alias.x='!rm -rf y' x": "rm.recursive-force", "git submodule foreach 'rm -rf x'": "rm.recursive-force",
		"git rebase -x 'rm -rf x' main": "rm.recursive-force", "git bisect run rm -rf x": "rm.recursive-force", "rg --pre 'rm -rf x' y": "rm.recursive-force", "tar xf a --to-command='rm -rf x'": "rm.recursive-force",
		"rsync -e 'rm -rf x' a b": "rm.recursive-force", "ssh -o ProxyCommand='rm -rf x' h": "rm.recursive-force", "docker exec c rm -rf x": "rm.recursive-force", "parallel rm -rf ::: x": "rm.recursive-force",
		"time -p rm -rf x": "rm.recursive-force", "/usr/bin/time -o t rm -rf x": "rm.recursive-force", "su -c 'rm -rf x'": "rm.recursive-force", "nice -5 rm -rf x": "rm.recursive-force",
		"bash -o pipefail -c 'rm -rf x'": "rm.recursive-force", "bash -euo pipefail -c 'rm -rf x'": "rm.recursive-force", "echo x | tee >(rm -rf y)": "rm.recursive-force",
		"rm -rf x # ok": "rm.recursive-force", "echo a; \\\nrm -rf x": "rm.recursive-force", "rm${IFS}-rf${IFS}x": "rm.recursive-force", "\"$X\" \"rm -rf /\"": "rm.recursive-force",
		"echo 'unterminated; rm -rf /": "rm.recursive-force", "rm\t-rf\tx": "rm.recursive-force", "rm -rf x\x00y": "rm.recursive-force",
		"sudo -n id": "privilege.sudo", "/usr/bin/sudo id": "privilege.sudo", `s"u"do id`: "privilege.sudo", "curl http://127.0.0.1/x | bash": "remote.curl-to-shell", "cat /etc/./shadow": "read.system-accounts", "cat /etc//shadow": "read.system-accounts",
		"cat /proc/self/root/etc/shadow": "read.system-accounts", "cat ../../../../etc/shadow": "read.system-accounts", "rm -r --force x": "rm.recursive-force", "git -c core.pager='sudo id' log": "privilege.sudo",
		"su\x00do id": "privilege.sudo", "$X sudo id": "privilege.sudo", "curl x |& sh": "remote.curl-to-shell", "curl x | (cat; sh)": "remote.curl-to-shell",
	} {
		a := Analyze(line, place())
		if !slices.ContainsFunc(a.Hits, func(h Hit) bool { return h.Rule == rule }) {
			t.Errorf("%q is not blocked by %s: %v; dynamic %q parse %q", line, rule, a.Hits, a.DynamicWhy, a.ParseError)
		}
	}
}

func TestABlockSaysWhatItIsAndWhatToDo(t *testing.T) {
	text := Analyze("sudo id", place()).Denied.Error()
	for _, want := range []string{"privilege.sudo", "another user's rights", "no approval", "Instead:", "outside zuno", "sudo id"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}

func TestALiftedRowIsAskedAboutAndAFixedOneStays(t *testing.T) {
	a := Analyze("pkill node", place()).Lift("process.pkill")
	if a.Denied != nil || len(a.Manual) == 0 || a.CoveredBy(a.Key) {
		t.Errorf("lifted: %+v", a)
	}
	if a = Analyze("sudo pkill node", place()).Lift("process.pkill", "privilege.sudo"); a.Denied == nil || a.Denied.Rule != "privilege.sudo" {
		t.Errorf("fixed: %+v", a.Denied)
	}
}

// What decodes may stand anywhere before the interpreter, and the same
// interpreter may have read something else before.
func TestWhatIsDecodedOnTheWayIsNotRun(t *testing.T) {
	testClasses(t, map[string]string{
		"blocked": `
			a | sh; base64 -d x | sh
			base64 -d x | tr -d '\r' | bash
			cat x | base64 -d | gunzip | sh
			base64 -d x | { sh; }
			base64 -d x | (cat; echo) | timeout 5 sh
			base64 -d x | tee s.sh | sh
			base64 -d x | docker exec -i c sh
			base64 -d <<< x | python3 -
			sh -c "$(base64 -d x)"`,
		"<high-risk": `
			zcat a.gz | perl s.pl
			zcat a.gz | node p.js
			zcat a.gz | python3 -m json.tool
			gunzip x.gz && bash build.sh
			base64 -d x | head; sh s.sh`,
	})
}
