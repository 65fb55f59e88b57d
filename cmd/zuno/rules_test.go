package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

func somewhere(t *testing.T) shell.Place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return shell.Place{Dir: dir, Workspace: dir, Home: "/home/u"}
}

func TestAStoredKeyLetsThroughWhatTheShellSaysItCovers(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	at := somewhere(t)
	stored := []string{"npm run", "git status", "ls", "= make test", "git", "= npm run x -- --watch"}
	for _, key := range stored {
		if err := db.Allowlist("/r").Allow(key, ""); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]bool{
		"npm run test": true, "npm run x": true, "npm run x -- --watch": true, "npm run x -- --all": false, "npm test": false, "npm run": false,
		"git status -s": true, "git statusx": false, "git log": false, "git stash list": false, "ls -la": true,
		"make test": true, "make test x": false, "make": false,
		"npm run test && x": false, "git push": false, "$X": false, "": false,
	} {
		a := shell.Analyze(line, at)
		got, err := commandList{db.Allowlist("/r")}.Allowed(a.Key)
		if got != want || err != nil {
			t.Errorf("%q with the key %q: %v, %v", line, a.Key, got, err)
		}
		if covered := slices.ContainsFunc(stored, a.CoveredBy); got != covered {
			t.Errorf("%q: the list says %v and the shell %v", line, got, covered)
		}
		if other, err := (commandList{db.Allowlist("/other")}).Allowed(a.Key); other || err != nil {
			t.Errorf("%q is allowed in another repository: %v", line, err)
		}
	}
}

// What a card offers can be typed as well, and the other way round.
func TestEveryKeyThatIsOfferedCanBeTyped(t *testing.T) {
	at := somewhere(t)
	for _, line := range []string{
		"git status --short", "LANG=C git log", "git stash list", "git stash", "ls src", "sed -n 5p f", "go test ./...", "go run .", "npm run x", "npm run x -- --w",
		"make", "make test", "env ls", "timeout 5 ls", "sh script.sh", "python3 s.py 'a b'", "awk '{print $1}' f", "mytool", "mytool --check", `awk '{print "it'\''s"}' f`,
	} {
		key := shell.Analyze(line, at).Key
		if key == "" {
			t.Errorf("%q has no key", line)
			continue
		}
		got, err := shell.CheckKey(key, at)
		if got != key || err != nil {
			t.Errorf("the key %q of %q, typed, is %q, %v", key, line, got, err)
		}
		if keys := covering(key); len(keys) == 0 || keys[0] != key {
			t.Errorf("%q is covered by %q", key, keys)
		}
		covered, not := samples(key, at)
		if len(covered) == 0 || len(not) < 2 {
			t.Errorf("samples of %q: %q, %q", key, covered, not)
		}
	}
	for key, why := range map[string]string{"git push": "publishes", "go run": `"= go run …"`, "docker rm": "removes", "npm publish": "publishes"} {
		key, err := shell.CheckKey(key, at)
		if err != nil {
			t.Error(err)
		}
		if covered, _ := samples(key, at); len(covered) > 0 || !strings.Contains(whyNothing(key, at), why) {
			t.Errorf("%q covers %q: %s", key, covered, whyNothing(key, at))
		}
	}
}

func TestArgumentsAreOneLineOrTheWordsOfOneCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"git status && rm x"}, "git status && rm x"},
		{[]string{"git", "commit", "-m", "a b; c"}, "git commit -m 'a b; c'"},
		{[]string{"echo", "", "$X", "&&"}, "echo '' '$X' '&&'"},
		{[]string{"échø", "größe"}, "échø größe"},
		{[]string{"\xff"}, ""},
		{[]string{"a", "\xff"}, ""},
		{[]string{" "}, ""},
		{nil, ""},
	} {
		if got, err := lineOf(c.args); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v", c.args, got, err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"git", "status"}, "git status"},
		{[]string{" git status "}, "git status"},
		{[]string{"= awk '{print $1}' f"}, "= awk '{print $1}' f"},
		{[]string{"=", "awk", "{print $1}", "f"}, "= awk '{print $1}' f"},
		{nil, ""},
	} {
		if got, err := keyOf(c.args); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v", c.args, got, err)
		}
	}
}

func TestRulesAreHeldToTheirExamples(t *testing.T) {
	at := somewhere(t)
	ws, err := file.NewWorkspace(at.Dir)
	if err != nil {
		t.Fatal(err)
	}
	all := builtin.New(builtin.Config{Workspace: ws, Files: file.New(ws), Command: command.Config{Workspace: at.Dir}})
	rule := func(tool, pattern, action string, match, not []string) config.Rule {
		return config.Rule{Tool: tool, Pattern: pattern, Action: action, Match: match, NotMatch: not, Place: config.Place{File: "z", Line: 3, Column: 5}}
	}
	list := func(s ...string) []string { return s }
	for _, c := range []struct {
		rule config.Rule
		want string // of the error
	}{
		{rule("shell", "git log*", "allow", list("git log -3", `g"i"t log`, "git log | git log -p"), list("git push", "git log; rm x", "git log > f && touch x")), "match: the pattern \"git log*\" does not match the example \"g\\\"i\\\"t log\""},
		{rule("shell", "git log*", "allow", list("git log -3", "git log | git log -p"), list("git push", "git log; rm x")), ""},
		{rule("shell", "git log*", "allow", list("git log | head"), nil), `match: the pattern "git log*" does not match the example "git log | head"`},
		{rule("shell", "git push*", "ask", list("git push", "make && git push -f"), list("git log")), ""},
		{rule("shell", "git push*", "ask", nil, list("make && git push")), `not_match: the pattern "git push*" matches the example "make && git push"`},
		{rule("shell", "rm *", "deny", list(`r"m" x`, "sh -c 'rm x'", "ls && rm x"), list("ls rm")), ""},
		{rule("sh*", "rm *", "deny", list("ls && rm x"), nil), ""},
		{rule("edit", "src/*", "allow", list("src/a.go", "src/b/c.go"), list("docs/a.md", "asrc/x")), ""},
		{rule("edit", "src/*", "allow", list("a/src/b"), nil), `match: the pattern "src/*" does not match the example "a/src/b"`},
		{rule("*", "git *", "ask", list("git log"), list("x && git log")), ""}, // no command line: of any tool
		{rule("mcp_x_*", "a*", "ask", list("ab"), list("b")), ""},
		{rule("write", "*", "ask", nil, nil), `the key "edit" covers write`},
		{rule("shell", "*", "ask", list("a\x00b"), nil), `match: read the example "a\x00b": command contains a NUL byte`},
	} {
		rules, err := permissionRules(t.Context(), &config.Config{Rules: []config.Rule{c.rule}}, all)
		if c.want == "" {
			if err != nil || len(rules) != 1 {
				t.Errorf("%+v: %v", c.rule, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "z:3:5: permission.rules: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.rule, err)
		}
		if code, _ := exitCode(err); code != exitConfig {
			t.Errorf("%+v: exit code %d", c.rule, code)
		}
	}
}

func TestTheExampleOfTheReferenceHolds(t *testing.T) {
	at := somewhere(t)
	_, rest, _ := strings.Cut(config.Reference(), "```jsonc\n")
	text, _, _ := strings.Cut(rest, "```")
	path := filepath.Join(at.Dir, "my.jsonc")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := config.Load(config.Input{Env: func(string) string { return "" }, Home: at.Dir, Dir: at.Dir, File: path})
	if err != nil {
		t.Fatal(err)
	}
	ws, err := file.NewWorkspace(at.Dir)
	if err != nil {
		t.Fatal(err)
	}
	all := builtin.New(builtin.Config{Workspace: ws, Files: file.New(ws), Command: command.Config{Workspace: at.Dir}})
	if rules, err := permissionRules(t.Context(), c, all); err != nil || len(rules) != 4 {
		t.Errorf("%+v, %v", rules, err)
	}
}

func TestACheckIsOneLineAFactWhateverTheCommandHolds(t *testing.T) {
	line := "printf '\x1b]0;x\x07\u202e' \\\n | cat"
	c := &check{Command: line, Policy: "low-risk"}
	c.analysed(shell.Analyze(line, somewhere(t)), &tools.Proposal{})
	var b strings.Builder
	if err := c.print(&b); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\u202e") || !strings.Contains(b.String(), `\x1b]0;x\x07\u{202e}`) {
		t.Errorf("%q", b.String())
	}
}

// What the card says of an edited key is what the gate would go by.
func TestAnEditedKeyIsHeldAgainstTheRecord(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	root := somewhere(t).Workspace
	j, err := db.NewSession(store.Meta{Repo: root})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"npm run a", "npm run b -- --x", "npm test", "git status", "npm run a && git push", "npm run a"} {
		a := shell.Analyze(line, shell.Place{Dir: root, Workspace: root})
		c := tools.Call{ID: fmt.Sprint(len(line), line), Tool: "shell"}
		if err := j.Propose(&tools.Proposal{Call: c, Command: line, Key: a.Key}); err != nil && line != "npm run a" {
			t.Fatal(err)
		}
	}
	keys := commandKeys{db.Allowlist(root), root}
	p := &tools.Proposal{Command: "npm run c", Key: "npm run c"}
	for key, want := range map[string]string{
		"npm run c": "npm run c: 0 of 5", " npm  run ": "npm run: 1 of 5 npm run a", "npm": "error", "git status": "error", "npm run a": "error",
		"": "error", "= npm run c": "error", "npm run; rm": "error", "npm *": "error",
	} {
		c, err := keys.Check(key, p)
		got := fmt.Sprintf("%s: %d of %d %s", c.Key, len(c.Commands), c.Of, strings.Join(c.Commands, "|"))
		if err != nil {
			got = "error"
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%q: %s (%v), want %s", key, got, err, want)
		}
	}
	if c, err := (commandKeys{db.Allowlist("/other"), "/other"}).Check("npm run", p); err != nil || c.Of != 0 {
		t.Errorf("another repository: %+v, %v", c, err)
	}
}
