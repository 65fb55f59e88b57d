package shell

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// C033 and its kind: a secret that is in no file of the workspace is reached
// through the process that holds it, or through the program that keeps it.
func TestWhatOthersHoldIsAskedAboutByName(t *testing.T) {
	for _, line := range []string{
		"cat /proc/self/environ", `tr '\0' '\n' </proc/$PPID/environ`, "cat /proc/*/cmdline", "cat /proc/self/task/1/environ", "cat /proc/thread-self/environ", "cat /proc/self/root/proc/1/environ", "cd /proc/1 && cat environ",
		"xargs -0 -a /proc/1/environ", "cat /proc/$PPID/fd/3", "cat /proc/1/fd/0", "cat /proc/1/stack", "cat /proc/1/smaps", "cat /proc/kcore", "cat /proc/keys", "cat /dev/mem", "grep -r KEY /proc", "ps eww", "ps auxwwwwwwe", "ps -p 1 e",
		"gcore 1", "gdb -p 1", "gdb --pid=1", "strace -p 1", "ltrace -p 1", "pargs -e 1",
		"git credential fill", "git credential-store get", "git-credential-cache get", "docker-credential-desktop get", "gh auth token", "gh auth status -t", "gh auth status --show-token", "gcloud auth print-access-token",
		"az account get-access-token", "aws configure get aws_secret_access_key", "aws ecr get-login-password", "aws --region x secretsmanager get-secret-value --secret-id y", "kubectl get secret x -o yaml", "kubectl -n y get secrets", "kubectl config view --raw",
		"keyctl print 1", "xclip -o", "wl-paste", "tmux capture-pane -p", "tmux show-environment", "env gh auth token", "timeout 5 pbpaste", "bash -c 'gcore 1'",
	} {
		a := Analyze(line, place())
		if tier, _ := a.Tier(); len(a.Manual) == 0 || tier != StaticHigh || a.Mild || a.Key != "" {
			t.Errorf("%q: %v, mild %v, key %q, asked about %v", line, tier, a.Mild, a.Key, a.Manual)
		}
	}
	for _, line := range []string{"cat /proc/cpuinfo", "cat /proc/meminfo", "cat /proc/self/status", "cat /proc/1/status", "cat /proc/sys/kernel/osrelease", "cat /dev/stdin", "ps aux", "ps -C node", "ps -ef", "kubectl get pods", "gh auth status", "aws s3 ls", "tmux ls", "git config --get user.name"} {
		if a := Analyze(line, place()); len(a.Manual) > 0 {
			t.Errorf("%q is asked about: %v", line, a.Manual)
		}
	}
}

// C038, C040, C046 and their kind: an option, whichever program's, that names a
// program, and words that a program or the shell itself runs.
func TestWhatRunsItsWordsIsNotTakenForReading(t *testing.T) {
	saved := []string{"ag x", "ack x", "bat", "less", "view f", "mytool check", "nc x", "aria2c x", "dig x", "fc", "compgen", "printf", "git ls-remote", "git fetch", "hostname", "npm config", "npm config set"}
	for _, line := range []string{
		"ag x --pager ./p", "ag --pag ./p x", "ack x --pager=./p", "bat --paging=always --pager ./p f", "less '+!touch OUT' f", "view -c '!touch OUT' f", "view f '+!touch OUT'", "vimdiff a b", "emacsclient -e '(x)'",
		"mytool check --exec ./p", "mytool check --pager-command=./p", "mytool check --on-exec ./p", "mytool check --editor './p x'", "mytool check --shell=/tmp/p", "mytool check -exec ./p",
		"nc x 1 -e ./p", "aria2c x --on-download-complete=./p", "mytool check https://example.invalid/?d=x", "mytool check --to=ftp://example.invalid/x", "logger -n example.invalid x",
		"compgen -C 'touch OUT' x", "compgen -W '$(touch OUT)' x", "compgen -F f x", "fc -s x", "fc -e ./p", "printf '%d' 'a[$(touch OUT)]'", "exit 'a[$(touch OUT)]'", "return 'a[`touch OUT`]'",
		"git ls-remote 'ext::sh -c touch% OUT'", "git fetch 'ext::./p'", "git remote add x helper::y", "hostname x", "npm config set script-shell ./p", "npm set x=y", "pip config set global.index-url http://x", "gh alias set x '!./p'", "kubectl config use-context x",
		"ip netns exec x ./p", "git maintenance start",
	} {
		a := Analyze(line, place())
		if tier, _ := a.Tier(); tier != StaticHigh || a.Mild {
			t.Errorf("%q: %v, mild %v", line, tier, a.Mild)
		}
		for _, key := range saved {
			if a.CoveredBy(key) {
				t.Errorf("%q is covered by %q", line, key)
			}
		}
	}
	for _, line := range []string{
		"ag x", "bat f", "bat --paging=never f", "less f", "mytool check", "mytool check --no-pager", "mytool check --execution-time 5", "mytool check --shell zsh", "npm config get x", "poetry config --list", "fc -l", "compgen -A function", "ip a", "ip link show",
		"echo https://example.invalid", "rg --exec f", "git commit -m 'see https://example.invalid'", "printf '%s' '`x`'", "hostname", "exit 1",
	} {
		if tier, why := Analyze(line, place()).Tier(); tier == StaticHigh {
			t.Errorf("%q: %s", line, why)
		}
	}
	for line, rule := range map[string]string{"compgen -C 'sudo id' x": "privilege.sudo", "ag --pager 'sudo id' x": "privilege.sudo"} {
		if a := Analyze(line, place()); a.Denied == nil || a.Denied.Rule != rule {
			t.Errorf("%q is not blocked by %s", line, rule)
		}
	}
}

// C042 and its kind: a directory of the workspace that git takes for a bare
// repository has settings that nobody looked at.
func TestGitInARepositoryAmongTheFilesAsks(t *testing.T) {
	at := place()
	at.Lstat = func(p string) (fs.FileInfo, error) {
		files := fstest.MapFS{
			"home/u/work/.git/HEAD": {}, "home/u/work/bare/HEAD": {}, "home/u/work/bare/objects/x": {}, "home/u/work/bare/deep/x": {}, "home/u/work/common/HEAD": {}, "home/u/work/common/commondir": {},
			"home/u/work/own/.git/HEAD": {}, "home/u/work/own/HEAD": {}, "home/u/work/own/objects/x": {}, "home/u/work/empty/.git/x": {}, "home/u/work/empty/HEAD": {}, "home/u/work/empty/objects/x": {},
			"home/u/work/tree/.git": {}, "home/u/work/tree/HEAD": {}, "home/u/work/tree/objects/x": {}, "home/u/work/src/HEAD": {},
		}
		return files.Stat(strings.TrimPrefix(p, "/"))
	}
	for line, asks := range map[string]bool{
		"git status": false, "cd src && git status": false, "cd own && git status": false, "cd tree && git log": false, "git -C own status": false,
		"cd bare && git status": true, "cd bare/deep && git log": true, "cd common; git diff": true, "cd empty && git status": true, "git -C bare status": true, "git -C src -C ../bare status": true, "cd bare && cd deep && git status": true,
		"(cd bare && git status)": true, "cd bare && git rev-parse HEAD": true, "pushd bare; git status": true, "cd nowhere || cd bare; git status": true, "bash -c 'cd bare; git status'": true, "env -C bare git status": true, "env -Cbare git status": true, "env -iC bare git status": true, "env --chdir=bare git status": true, "env --chd bare git log": true,
		"popd; git status": true, "env -C src git status": false, "env -C own git status": false,
	} {
		a := Analyze(line, at)
		if tier, why := a.Tier(); (tier == StaticHigh) != asks || asks && (a.Mild || a.Key != "" && !strings.HasPrefix(a.Key, "= ")) {
			t.Errorf("%q: %v (%s), mild %v, key %q", line, tier, why, a.Mild, a.Key)
		}
	}
	at.Dir = "/home/u/work/bare"
	if a := Analyze("git status", at); a.Mild || a.CoveredBy("git status") {
		t.Errorf("in the directory: %+v", a)
	}
}
