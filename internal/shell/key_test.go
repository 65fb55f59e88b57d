package shell

import (
	"strings"
	"testing"
)

func TestTheKeyOfALine(t *testing.T) {
	for _, c := range []struct{ line, key string }{
		{"git status", "git status"},
		{"git status --short", "git status"},
		{"git   status   -s", "git status"},
		{"git\tstatus", "git status"},
		{`"git" status`, "git status"},
		{"g''it status", "git status"},
		{`\git status`, "git status"},
		{`git "status"`, "git status"},
		{"LANG=C git status", "git status"},
		{"NO_COLOR=1 LC_ALL=C git log -p", "git log"},
		{"git log --oneline -5", "git log"},
		{"git diff --stat", "git diff"},
		{"git diff -- a.go", "git diff"},
		{"git stash list", "git stash list"},
		{"git statusfoo", "git statusfoo"},
		{"git stash", "= git stash"},
		{"ls -la", "ls"},
		{"ls src", "ls"},
		{"ls src/*.go", "ls"},
		{"rg -n foo src", "rg"},
		{"find . -name a", "find"},
		{"grep -r 'a b' .", "grep"},
		{"sort a", "sort"},
		{"go test ./...", "go test"},
		{"go test -run X ./...", "go test"},
		{"go build ./...", "go build"},
		{"go vet ./...", "go vet"},
		{"cargo build --release", "cargo build"},
		{"mytool check x", "mytool check"},
		{"mytool --check", "= mytool --check"},
		{"mytool", "= mytool"},
		{"npm run x", "npm run x"},
		{"npm run x -- --watch", "= npm run x -- --watch"},
		{"npm test", "npm test"},
		{"make", "= make"},
		{"make test", "= make test"},
		{"env ls", "= env ls"},
		{"timeout 5 ls", "= timeout 5 ls"},
		{"nice ls", "= nice ls"},
		{"sh script.sh", "= sh script.sh"},
		{"python3 s.py 'a b'", "= python3 s.py 'a b'"},
		{"npx foo", "= npx foo"},
		{"npm audit", "= npm audit"},
		{"npm audit fix --force", "npm audit fix"},
		{"pipx run x", "= pipx run x"},
		{"cross-env A=b jest", "= cross-env A=b jest"},
		{"doppler run -- ls", "= doppler run -- ls"},
		{"hyperfine ls", "= hyperfine ls"},
		{"prisma migrate dev", "prisma migrate dev"},
		{"kill 1234", "= kill 1234"},
		{"awk '{print $1}' f", "= awk '{print $1}' f"},
		{"go run ./cmd/x", "= go run ./cmd/x"},
		{"go run .", "= go run ."},
		{"docker ps", "docker ps"},
		{"sed -n 5p f", "sed"},
	} {
		a := Analyze(c.line, place())
		if a.Key != c.key {
			t.Errorf("key of %q is %q (%s), want %q", c.line, a.Key, a.KeyWhyNot, c.key)
		}
		if a.Key != "" && !Covers(a.Key, c.line, place()) {
			t.Errorf("%q does not cover the line it came from", a.Key)
		}
	}
}

// C036 to C048: lines that no saved approval may ever let through, whatever was saved.
func TestLinesWithoutAKey(t *testing.T) {
	saved := []string{"git status", "git diff", "git log", "git show", "git grep", "git ls-remote", "git", "sort", "find", "sed", "awk", "ls", "cat", "echo", "rg", "npm", "npm run", "go test", "tar", "env", "xargs", "man"}
	for _, line := range []string{
		"git status && touch OUT", "git status; touch OUT", "git status || touch OUT", "git status | tee OUT", "git status |& tee OUT", "git status & touch OUT", "git status\ntouch OUT",
		"git status \\\n ; touch OUT", "{ git status; touch OUT; }", "(git status; touch OUT)", "! git status; touch OUT", "if git status; then touch OUT; fi", "for i in 1; do touch OUT; done # git status",
		"git status &", "! git status", "(git status)", "{ git status; }", "time git status", "git status;", "git status # x", "git status; #",
		"git log > ~/.profile", "git log >> f", "git log >| f", "git log &> f", "git log 2> f", "git log <> f", "git log >f\n", "git log >/dev/tcp/127.0.0.1/9", "exec 3>f", "git log 2>&1", "git log 2>/dev/null",
		`echo "$(touch OUT)"`, "echo `touch OUT`", "cat <(touch OUT)", `echo hi > "$(touch OUT; echo /dev/null)"`, "cat <<EOF\n$(touch OUT)\nEOF", "cat <<'EOF' | sh\ntouch OUT\nEOF", "cat <<< x",
		"git diff --output=OUT", "git show --output OUT", "git diff --outpu=OUT", "git log --ext-diff", "git log --textconv", "sort -o OUT a", "sort -oOUT a", "sort -uo OUT a", "sort --outp=OUT a", "sort --compress-program=./p a",
		"find . -exec touch OUT ';'", "find . -name x -delete", "find . -fprintf OUT x", "find . -okdir x ';'", "sed -i s/a/b/ f", "sed -n 'w OUT' f", "sed s/a/b/w/f f", "sed 's/a/b/e' f", "sed -f x f", "sed '1e touch OUT' f",
		"awk 'BEGIN{system(\"touch OUT\")}'", "xargs touch <<<OUT", "tee OUT </dev/null", "rg --pre ./p x", "rg --pre=./p x", "rg --hostname-bin ./p x",
		"git -c core.fsmonitor=./p.sh status", "git -c diff.external=./p.sh diff", "git -C . -c core.pager=./p.sh -p log", "git --exec-path=. status", "git --git-dir=evil status", "git grep -O./p.sh x", "git grep --open-files-in-pager=./p x",
		"git ls-remote --upload-pack=./p.sh .", "PAY=./p.sh git --config-env=core.fsmonitor=PAY status", "git -C /elsewhere status", "git -p log", "git -C elsewhere status", "git status --no-index",
		"LD_PRELOAD=./e.so git status", "GIT_EXTERNAL_DIFF=./p.sh git diff", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=a GIT_CONFIG_VALUE_0=b git status", "NODE_OPTIONS=--require=./e.js npm --version", "PATH=.:$PATH git status",
		"BASH_ENV=./e.sh git status", "FOO=1 git status", "LANG=$(x) git status", "./git status", "sub/git status", "/tmp/x/git status", "/usr/bin/git status", "git $X", "$X status", "git {status,log}", "git st*", "git *", "ls *.go", "ls -- *.go", "ls [a]",
		"git status $HOME", "git status ~", "git log $(x)", "git log `x`", "git status\u00a0--short", "git status é", "git\u00a0status", "git status \x01", "git $'status'", "git $\"status\"",
		"", "   ", "# touch OUT", ":", "()", "echo 'x", "-", "-- touch OUT", "echo x \\\n", "cd sub", "cd sub && git status", "export A=b", "git(){ touch OUT; }; git status", "alias git=x", "set -x",
		"ls /etc", "cat ../x", "ls ~", "git push", "git commit --amend", "git checkout -- f", "cat .env", "go test -exec ./p ./...", "go test -o x ./...", "go build -toolexec ./p", "npm run x --script-shell=./p", "npm --prefix elsewhere run x",
		"tar xf a --checkpoint-action=exec=./p", "man -P ./p ls", "make SHELL=./p | cat", "go env -w A=b", "git commit -F /etc/hosts", "date -s x", "yq -i .x f", "uniq a b", "shuf -o f", "tree -o f",
	} {
		a := Analyze(line, place())
		for _, k := range saved {
			if a.CoveredBy(k) {
				t.Errorf("%q is covered by %q", line, k)
			}
		}
		if a.Key != "" && !strings.HasPrefix(a.Key, "= ") {
			t.Errorf("%q has the key %q", line, a.Key)
		}
		if a.Key == "" && a.KeyWhyNot == "" {
			t.Errorf("%q has no key and no reason", line)
		}
	}
}

// C036, C046: neither another subcommand, nor a wrapper, nor a longer name.
func TestAKeyCoversItsProgramAndSubcommandOnly(t *testing.T) {
	for _, c := range []struct {
		key, line string
		want      bool
	}{
		{"git status", "git status --short", true},
		{"git status", "git statusfoo", false},
		{"git status", "git stash", false},
		{"git status", "GIT status", false},
		{"git status", "sudo git status", false},
		{"git status", "A=b git status", false},
		{"git status", "env git status", false},
		{"git log", "git push", false},
		{"npm run x", "npm run y", false},
		{"npm run x", "npm run x", true},
		{"npm run", "npm run x", true},
		{"= make deploy2", "make deploy2", true},
		{"= make deploy2", "make deploy2 x", false},
		{"= timeout 5 ls", "timeout 5 ls; touch OUT", false},
		{"= timeout 5 ls", "timeout 50 ls", false},
		{"= env A=1 ls", "env A=1 ls", true},
		{"find", "find . -exec touch OUT ';'", false},
		{"git", "git status", false},
		{"ls", "ls -la", true},
		{"ls src", "ls src", false},
		{"= ls", "ls", false},
		{"= sh script.sh", "sh  script.sh", true},
		{"= sh script.sh", "sh script.sh x", false},
		{"= make '*.x'", "make *.x", false},
		{"", "git status", false},
		{"git status", "", false},
	} {
		if got := Covers(c.key, c.line, place()); got != c.want {
			t.Errorf("Covers(%q, %q) = %v", c.key, c.line, got)
		}
	}
}

func TestAKeyDoesNotFollowOutOfTheWorkspace(t *testing.T) {
	at := place()
	at.Dir = "/tmp/evilrepo"
	if a := Analyze("git status", at); a.Key != "" || a.Mild || len(a.Outside) == 0 {
		t.Errorf("outside: %+v", a)
	}
	at.Dir = "/home/u/work/sub"
	if !Covers("git status", "git status", at) {
		t.Error("a directory inside the workspace is not covered")
	}
}

func TestTypedKeysAreCheckedBeforeTheyAreStored(t *testing.T) {
	for key, want := range map[string]string{"git status": "git status", "  git   log ": "git log", "ls": "ls", "npm run": "npm run", "npm run x": "npm run x", "= make x": "= make x", "=  make   x": "= make x"} {
		if got, err := CheckKey(key, place()); got != want || err != nil {
			t.Errorf("CheckKey(%q) = %q, %v", key, got, err)
		}
	}
	for _, key := range []string{"", "git", "git status && x", "git status --short", "ls src", "env", "env ls", "bash", "python3 x", "./git status", "make x", "= git push", "= ls; x", "git status short", "sudo apt", "git -C", "$X y"} {
		if got, err := CheckKey(key, place()); err == nil {
			t.Errorf("CheckKey(%q) = %q", key, got)
		}
	}
}

// A key covers what its words say and no more: not another script, not whatever
// a runner is told to run, and not a change that stands behind it.
func TestAKeyDoesNotCoverWhatStandsBehindIt(t *testing.T) {
	for key, lines := range map[string]string{
		"date":                "date 0101000024|date -s x|date --set=x",
		"mytool db":           "mytool db drop|mytool db --delete|mytool db delete x",
		"ruff check":          "ruff check --fix",
		"pip cache":           "pip cache purge",
		"stack exec":          "stack exec sh x|stack exec x",
		"dune exec":           "dune exec x",
		"nx run":              "nx run y",
		"turbo run":           "turbo run y",
		"docker stop":         "docker stop c; docker rm c|docker -H tcp://h stop c",
		"kubectl get":         "kubectl get secret x|kubectl get pods,secrets",
		"gsutil cp":           "gsutil cp list gs://x",
		"ip a":                "ip a add 1 dev x",
		"sort":                "sort -uo f g",
		"sed":                 "sed 's/a/b/;w o' f|sed -nI p f",
		"ls":                  "ls #\\\ntouch OUT|ls \"$\\\n(touch OUT)\"|ls <<E\nE\\\n\ntouch OUT\nE",
		"git log":             "git log --show-signature|git -C ../x log|git -c color.ui=always log",
		"git clean":           "git clean -fdx|git clean --dry-run --no-dry-run -f",
		"docker-compose exec": "docker-compose exec c rm -r x",
	} {
		for line := range strings.SplitSeq(lines, "|") {
			if Covers(key, line, place()) {
				t.Errorf("%q covers %q", key, line)
			}
		}
	}
	for key, line := range map[string]string{"date": "date +%F", "mytool db": "mytool db list --all", "ruff check": "ruff check src", "docker stop": "docker stop c", "npm run fix": "npm run fix", "cargo fmt": "cargo fmt --all", "go mod init": "go mod init x", "kubectl get": "kubectl get pods -A", "gh pr list": "gh pr list --limit 3"} {
		if !Covers(key, line, place()) {
			t.Errorf("%q does not cover %q, whose key is %q", key, line, Analyze(line, place()).Key)
		}
	}
}
