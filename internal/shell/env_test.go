package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnvironHidesWhatMayBeSecret(t *testing.T) {
	parent := []string{
		"PATH=/bin", "HOME=/home/x", "FOO_TOKEN=zz-canary", "my_api_url=zz-canary", "AWS_SECRET_ACCESS_KEY=zz-canary",
		"DB_Password=zz-canary", "GOOGLE_CREDENTIALS=zz-canary", "XAUTHORITY=zz-canary", "GH_TOKEN=kept", "gh_token=zz-canary",
		"SSH_AUTH_SOCK=zz-canary", "SSH_CONNECTION=zz-canary", "ssh_thing=zz-canary",
		"BASH_ENV=zz-canary", "ENV=zz-canary", "RIPGREP_CONFIG_PATH=zz-canary", "GIT_DIR=zz-canary", "GIT_CONFIG_COUNT=zz-canary",
		"BASH_FUNC_git%%=() { zz-canary; }", "LD_PRELOAD=zz-canary", "CDPATH=zz-canary", "GIT_COMMITTER_NAME=me",
		"TERM=xterm-zz-canary", "PAGER=zz-canary", "GIT_EDITOR=zz-canary", "EDITOR=zz-canary", "PWD=zz-canary", "ZUNO_COMMAND=zz-canary",
		"no equals sign", "=zz-canary", "LANG=old", "LANG=C.UTF-8", "EMPTY=", "WITH_EQUALS=a=b",
	}
	env, hidden := Environ(parent, []string{"GH_TOKEN", "SSH_AUTH_SOCK", "NOT_THERE_TOKEN", "PAGER", "foo_token"})
	if all := strings.Join(env, "\n"); strings.Contains(all, "zz-canary") || strings.Contains(all, "NOT_THERE") {
		t.Errorf("leaks: %s", all)
	}
	for _, want := range []string{
		"PATH=/bin", "HOME=/home/x", "GH_TOKEN=kept", "LANG=C.UTF-8", "EMPTY=", "WITH_EQUALS=a=b", "GIT_COMMITTER_NAME=me",
		"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "NPM_CONFIG_UPDATE_NOTIFIER=false", "AI_AGENT=zuno", "AGENT=zuno", "ZUNO=1",
	} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if slices.Contains(env, "LANG=old") {
		t.Error("a variable is there twice")
	}
	want := []string{
		"AWS_SECRET_ACCESS_KEY", "BASH_ENV", "BASH_FUNC_git%%", "CDPATH", "DB_Password", "ENV", "FOO_TOKEN", "GIT_CONFIG_COUNT", "GIT_DIR",
		"GOOGLE_CREDENTIALS", "LD_PRELOAD", "RIPGREP_CONFIG_PATH", "SSH_AUTH_SOCK", "SSH_CONNECTION", "XAUTHORITY", "gh_token", "my_api_url", "ssh_thing",
	}
	if !slices.Equal(hidden, want) {
		t.Errorf("hidden: %q", hidden)
	}
}

// repository makes a repository with two commits and a staged change.
func repository(t *testing.T) (dir string, run func(line string) Result) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir = t.TempDir()
	parent := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	env, _ := Environ(parent, []string{"GIT_CONFIG_NOSYSTEM"})
	run = func(line string) Result {
		return Run(t.Context(), Cmd{Line: line, Shell: Lookup{Env: env}.Shell(), Dir: dir, Env: env})
	}
	res := run(`git init -q . && git config user.name x && git config user.email x@example.com || exit 1
		for i in 1 2 3; do echo $i >a; git add a; [ $i = 3 ] || git commit -q -m $i || exit; done`)
	if res.Exit != 0 {
		t.Fatalf("%s %s", res.Stdout.Head, res.Stderr.Head)
	}
	return dir, run
}

func TestGitAsksNobodyAndRewritesNothing(t *testing.T) {
	dir, run := repository(t)
	head := func() string { return string(run("git rev-parse HEAD").Stdout.Head) }
	before := head()
	for line, fails := range map[string]bool{
		"git commit":                               true,
		"git commit --amend":                       true,
		"git stash -q && git rebase -i HEAD~1":     true,
		"git fetch https://127.0.0.1:1/x.git":      true,
		"git -c core.editor=true rebase -i HEAD~1": true,
		"git log":                            false,
		"git -c core.pager='touch OUT' log":  false,
		"git merge --no-ff --edit -m x HEAD": false,
		"git tag -a x":                       true,
	} {
		res := run(line)
		if (res.Exit != 0) != fails {
			t.Errorf("%s: %s: %s%s", line, res.Status(), res.Stdout.Head, res.Stderr.Head)
		}
		if head() != before {
			t.Fatalf("%s rewrote history", line)
		}
	}
	for _, f := range []string{"OUT", ".git/rebase-merge"} {
		if _, err := os.Stat(filepath.Join(dir, f)); err == nil {
			t.Errorf("%s is there", f)
		}
	}
	if res := run("git commit --amend"); !strings.Contains(string(res.Stderr.Head), "no editor here") {
		t.Errorf("%s", res.Stderr.Head)
	}
}
