package command

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newConfig(t testing.TB) Config {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Workspace: base + "/ws", Temp: base + "/tmp", Spool: base + "/spool"}
	for _, dir := range []string{c.Workspace, c.Temp, base + "/home", base + "/other"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.Env, _ = shell.Environ([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + base + "/home"}, nil)
	c.Shell = shell.Lookup{Env: c.Env}.Shell()
	return c
}

func proposed(ctx context.Context, c Config, args map[string]any) (*tools.Proposal, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	return New(c)[0].Propose(ctx, tools.Call{ID: "1", Tool: "shell", Args: raw})
}

func mustPropose(t testing.TB, c Config, line string) *tools.Proposal {
	t.Helper()
	p, err := proposed(t.Context(), c, map[string]any{"command": line})
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return p
}

func execute(t testing.TB, ctx context.Context, p *tools.Proposal) tools.Outcome {
	t.Helper()
	out := p.Execute(ctx, tools.Decision{Allowed: true}, nil)
	for _, text := range append([]string{out.Text}, bodies(out.Show)...) {
		if !utf8.ValidString(text) || tools.Clean(text) != text {
			t.Errorf("not clean: %q", text)
		}
	}
	return out
}

func bodies(sections []tools.Section) (all []string) {
	for _, s := range sections {
		all = append(all, s.Title, s.Body)
	}
	return all
}

func TestTheToolDeclaresTheStrictest(t *testing.T) {
	s := New(newConfig(t))[0].Spec()
	if s.Name != "shell" || s.Effect != tools.SideEffecting || s.Replay != tools.Never || s.Concurrency != tools.Exclusive || s.Risk != tools.Unknown {
		t.Errorf("%+v", s)
	}
	for _, said := range []string{"pipefail is on", "workdir instead of cd", "standard input closed", "51200 bytes or 2000 lines", "is not killed", "Never start it a second time", "30 minutes"} {
		if !strings.Contains(s.Description, said) {
			t.Errorf("the description does not say: %s", said)
		}
	}
}

func TestAnOutcomeSaysHowTheCommandEnded(t *testing.T) {
	c := newConfig(t)
	exit := func(n int) *int { return &n }
	for _, x := range []struct {
		line      string
		kind      tools.Kind
		exit      *int
		text      string
		showTitle string
	}{
		{"echo hi", tools.OK, exit(0), "hi", "exit code 0"},
		{"true", tools.OK, exit(0), "(no output)", "exit code 0"},
		{"echo out; echo err >&2; exit 7", tools.OK, exit(7), "exit code 7\nout\nstderr:\nerr", "exit code 7"},
		{"false | cat", tools.OK, exit(1), "exit code 1\n(no output)", "exit code 1"},
		{"echo before; kill -TERM $$", tools.OK, exit(143), "killed by SIGTERM (exit code 143)\nbefore", "killed by SIGTERM (exit code 143)"},
		{`printf 'ok\xff\xfe\0end\n'`, tools.OK, exit(0), `ok\xff\xfe\0end`, "exit code 0"},
		{`for i in 1 2 3; do printf "\r$i%%"; done; echo`, tools.OK, exit(0), "3%", "exit code 0"},
		{`printf '\342\200\256evil\n'`, tools.OK, exit(0), `\u{202e}evil`, "exit code 0"},
		{"cat", tools.OK, exit(0), "(no output)", "exit code 0"},
	} {
		out := execute(t, t.Context(), mustPropose(t, c, x.line))
		if out.Kind != x.kind || !out.Started || out.ExitCode == nil || *out.ExitCode != *x.exit || out.Text != x.text || out.Truncated {
			t.Errorf("%s: %+v", x.line, out)
		}
		if len(out.Show) != 1 || out.Show[0].Title != x.showTitle {
			t.Errorf("%s: shown %+v", x.line, out.Show)
		}
	}
}

func TestATimeoutIsUncertainAndKeepsTheOutput(t *testing.T) {
	c := newConfig(t)
	var out tools.Outcome
	for ms := 50; !strings.Contains(out.Text, "before") && ms < 60_000; ms *= 2 { // a busy machine may not come to it
		p, err := proposed(t.Context(), c, map[string]any{"command": "echo before; sleep 60", "timeout": ms})
		if err != nil {
			t.Fatal(err)
		}
		out = execute(t, t.Context(), p)
	}
	if out.Kind != tools.Uncertain || !out.Started || out.ExitCode != nil ||
		!strings.HasPrefix(out.Text, "timed out after ") || !strings.Contains(out.Text, "was killed") || !strings.HasSuffix(out.Text, "\nbefore") {
		t.Errorf("%+v", out)
	}
}

func TestACancelSaysWhetherItHadStarted(t *testing.T) {
	c := newConfig(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := mustPropose(t, c, "echo before; sleep 60")
	out := p.Execute(ctx, tools.Decision{Allowed: true}, func(pr tools.Progress) {
		if pr.Text == "before" && pr.Bytes == 7 {
			cancel()
		}
	})
	if out.Kind != tools.Cancelled || !out.Started || out.ExitCode != nil || !strings.HasPrefix(out.Text, "was stopped after ") || !strings.HasSuffix(out.Text, "\nbefore") {
		t.Errorf("%+v", out)
	}
	if out := execute(t, ctx, mustPropose(t, c, "touch OUT")); out.Kind != tools.Cancelled || out.Started {
		t.Errorf("%+v", out)
	}
	if _, err := os.Stat(c.Workspace + "/OUT"); err == nil {
		t.Error("it ran")
	}
}

func TestWhatDoesNotStartIsAnError(t *testing.T) {
	c := newConfig(t)
	c.Shell = "/no/such/shell"
	out := execute(t, t.Context(), mustPropose(t, c, "echo hi"))
	if out.Kind != tools.Error || out.Started || out.ExitCode != nil || !strings.HasPrefix(out.Text, "did not start: ") || strings.Contains(out.Text, "no output") {
		t.Errorf("%+v", out)
	}
}

func TestABackgroundJobIsSaidToRunOn(t *testing.T) {
	c := newConfig(t)
	var ps shell.Processes
	c.Processes = &ps
	out := execute(t, t.Context(), mustPropose(t, c, "sleep 60 & echo done"))
	if out.Kind != tools.OK || *out.ExitCode != 0 || !strings.HasPrefix(out.Text, "done\n[something it started is still running") {
		t.Errorf("%+v", out)
	}
	if last := out.Show[len(out.Show)-1]; last.Title != left {
		t.Errorf("the person is not told: %+v", out.Show)
	}
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
}

func TestLongOutputIsCutAndKept(t *testing.T) {
	c := newConfig(t)
	c.Limit = tools.TextLimit{MaxBytes: 4096, MaxLines: 200}
	for _, line := range []string{"seq 5000", "yes '' | head -n 300; :", `head -c 1500 /dev/zero | tr '\0' '\377'`, "seq 400; seq 400 >&2"} {
		out := execute(t, t.Context(), mustPropose(t, c, line))
		if !out.Truncated || len(out.Text) > c.Limit.MaxBytes || strings.Count(out.Text, "\n") >= c.Limit.MaxLines {
			t.Errorf("%s: truncated %v, %d bytes, %d lines", line, out.Truncated, len(out.Text), strings.Count(out.Text, "\n"))
		}
		_, rest, _ := strings.Cut(out.Text, "all of it is in ")
		path, _, ok := strings.Cut(rest, ":")
		if b, err := os.ReadFile(path); !ok || err != nil || len(b) < 300 {
			t.Errorf("%s: %v in %q", line, err, out.Text)
		}
	}
	if left, _ := os.ReadDir(c.Spool); len(left) == 0 {
		t.Error("no spool")
	}
}

func TestArgumentsAreCheckedBeforeAnythingElse(t *testing.T) {
	c := newConfig(t)
	if err := os.WriteFile(c.Workspace+"/file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{}, "command is missing"},
		{map[string]any{"command": " \n"}, "empty"},
		{map[string]any{"command": "a\x00b"}, "NUL"},
		{map[string]any{"command": "true", "timeout": 0}, "at least 1"},
		{map[string]any{"command": "true", "timeout": -5}, "at least 1"},
		{map[string]any{"command": "true", "timeout": 1.5}, "whole number"},
		{map[string]any{"command": "true", "background": true, "timeout": 5}, "leave one of them out"},
		{map[string]any{"command": "true", "background": "yes"}, "true or false"},
		{map[string]any{"command": "true", "Workdir": "."}, "write workdir"},
		{map[string]any{"command": "true", "workdir": "missing"}, "does not exist"},
		{map[string]any{"command": "true", "workdir": "file"}, "not a directory"},
		{map[string]any{"command": "true", "workdir": "a\x00"}, "NUL"},
	} {
		_, err := proposed(t.Context(), c, x.args)
		out := tools.OutcomeOf(err)
		if err == nil || out.Block != tools.InvalidArguments || !strings.Contains(out.Text, x.want) {
			t.Errorf("%v: %+v", x.args, out)
		}
	}
}

func TestTheTimeLimitIsClampedAndSaid(t *testing.T) {
	c := newConfig(t)
	for _, x := range []struct {
		ms    any
		limit time.Duration
		row   string
	}{
		{nil, 2 * time.Minute, "time limit\t2m0s\n"},
		{5000, 5 * time.Second, "time limit\t5s\n"},
		{600_000, 10 * time.Minute, "time limit\t10m0s\n"},
		{900_000, 10 * time.Minute, "time limit\t10m0s (more was asked for; this is the most)\n"},
		{int64(1) << 62, 10 * time.Minute, "this is the most"},
	} {
		p, err := proposed(t.Context(), c, map[string]any{"command": "make", "timeout": x.ms})
		if err != nil || p.Spec.Limit() != x.limit+settleTime || !strings.Contains(p.Preview[1].Body+"\n", x.row) {
			t.Errorf("%v: %+v, %v", x.ms, p, err)
		}
	}
}

func TestAWorkdirOutsideIsAskedAboutAndHasNoKey(t *testing.T) {
	c := newConfig(t)
	base := filepath.Dir(c.Workspace)
	if err := os.MkdirAll(c.Workspace+"/sub", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base+"/other", c.Workspace+"/link"); err != nil {
		t.Fatal(err)
	}
	for dir, real := range map[string]string{
		"/": "/", base + "/other": base + "/other", "../other": base + "/other", "..": base, "~": base + "/home", "link": base + "/other",
		c.Temp: c.Temp, c.Workspace + "x/../other": base + "/other",
	} {
		p, err := proposed(t.Context(), c, map[string]any{"command": "git status", "workdir": dir})
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		if p.Key != "" || !strings.Contains(p.Manual, "outside the workspace, in "+real) || p.Spec.Risk == tools.ReadOnlyRisk {
			t.Errorf("%s: key %q, manual %q, risk %s", dir, p.Key, p.Manual, p.Spec.Risk)
		}
		if !strings.Contains(p.Preview[1].Body, "runs in\t"+real+" (outside the workspace)") {
			t.Errorf("%s: %q", dir, p.Preview[1].Body)
		}
	}
	for _, dir := range []string{"", ".", "sub", c.Workspace, "sub/../sub"} {
		p, err := proposed(t.Context(), c, map[string]any{"command": "git status", "workdir": dir})
		if err != nil || p.Key != "git status" || p.Manual != "" {
			t.Errorf("%s: %+v, %v", dir, p, err)
		}
	}
	p, err := proposed(t.Context(), c, map[string]any{"command": "pwd", "workdir": "sub"})
	if err != nil {
		t.Fatal(err)
	}
	if out := execute(t, t.Context(), p); out.Text != c.Workspace+"/sub" {
		t.Errorf("%+v", out)
	}
}

func TestADirectoryThatIsGoneIsNamed(t *testing.T) {
	c := newConfig(t)
	sub := c.Workspace + "/t/w"
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := proposed(t.Context(), c, map[string]any{"command": "pwd", "workdir": "t/w"})
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(c.Workspace + "/t")
	out := execute(t, t.Context(), p)
	if out.Block != tools.Stale || !strings.Contains(out.Text, sub+" does not exist") || !strings.Contains(out.Text, "nothing was run") {
		t.Errorf("%+v", out)
	}
	if out := execute(t, t.Context(), mustPropose(t, c, "pwd")); out.Text != c.Workspace {
		t.Errorf("the next call: %+v", out)
	}
	os.RemoveAll(c.Workspace)
	_, err = proposed(t.Context(), c, map[string]any{"command": "pwd"})
	if out := tools.OutcomeOf(err); out.Block != tools.Unavailable || !strings.Contains(out.Text, c.Workspace) {
		t.Errorf("%+v", out)
	}
}

func TestAWorkdirThatIsAnotherByNowIsRefused(t *testing.T) {
	c := newConfig(t)
	if err := os.MkdirAll(c.Workspace+"/sub/x", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("sub", c.Workspace+"/link"); err != nil {
		t.Fatal(err)
	}
	p, err := proposed(t.Context(), c, map[string]any{"command": "touch OUT", "workdir": "link"})
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(c.Workspace + "/link")
	if err := os.Symlink("sub/x", c.Workspace+"/link"); err != nil {
		t.Fatal(err)
	}
	if out := execute(t, t.Context(), p); out.Block != tools.Stale {
		t.Errorf("%+v", out)
	}
}

func TestWhatTheCommandWouldTouchIsCheckedAgain(t *testing.T) {
	c := newConfig(t)
	p := mustPropose(t, c, "echo new > file")
	if p.Manual != "" {
		t.Fatalf("a new file: %q", p.Manual)
	}
	if err := os.WriteFile(c.Workspace+"/file", []byte("precious\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := execute(t, t.Context(), p); out.Block != tools.Stale || !strings.Contains(out.Text, "file") {
		t.Errorf("%+v", out)
	}
	if b, _ := os.ReadFile(c.Workspace + "/file"); string(b) != "precious\n" {
		t.Errorf("%q", b)
	}
	p = mustPropose(t, c, "echo new > file")
	if !strings.Contains(p.Manual, "file") {
		t.Errorf("an existing file: %+v", p)
	}
	if out := execute(t, t.Context(), p); out.Kind != tools.OK {
		t.Errorf("%+v", out)
	}
}

func TestZunosFoldersAreKnownWhereverTheEnvironmentPutsThem(t *testing.T) {
	c := newConfig(t)
	base := filepath.Dir(c.Workspace)
	usual := c.Env
	for _, x := range []struct {
		env, line string
		want      bool
	}{
		{"ZUNO_HOME=" + base + "/z", "touch " + base + "/z/config/zuno.txt", true},
		{"ZUNO_HOME=" + base + "/z", "sometool ../z/data/zuno.db", true},
		{"ZUNO_HOME=" + base + "/z", "sometool ../z/cache/output", false},
		{"ZUNO_HOME=own", "touch own/state/x", true},
		{"XDG_CONFIG_HOME=" + base + "/c", "touch " + base + "/c/zuno/x", true},
		{"XDG_CONFIG_HOME=" + base + "/c", "touch " + base + "/c/other", false},
		{"XDG_CONFIG_HOME=c", "touch c/zuno/x", false}, // a relative one does not count
	} {
		c.Env = append(usual[:len(usual):len(usual)], x.env)
		if p := mustPropose(t, c, x.line); strings.Contains(p.Manual, "zuno's own files") != x.want {
			t.Errorf("%s: %q is manual-only for %q, want %v", x.env, x.line, p.Manual, x.want)
		}
	}
}

func TestTheDenylistIsAskedTwice(t *testing.T) {
	c := newConfig(t)
	p := mustPropose(t, c, "sudo touch OUT")
	if p.Denied == "" || !strings.Contains(p.Preview[1].Body, "denied\t") {
		t.Errorf("%+v", p)
	}
	if out := execute(t, t.Context(), p); out.Block != tools.Denied {
		t.Errorf("%+v", out)
	}
	asked := 0
	c.Analyze = func(line string, at shell.Place) shell.Analysis {
		a := shell.Analyze(line, at)
		if asked++; asked > 1 {
			a.Denied = &shell.Hit{Rule: "x", Reason: "second thoughts"}
		}
		return a
	}
	if out := execute(t, t.Context(), mustPropose(t, c, "touch OUT")); out.Block != tools.Denied || !strings.Contains(out.Text, "second thoughts") {
		t.Errorf("%+v", out)
	}
	if _, err := os.Stat(c.Workspace + "/OUT"); err == nil {
		t.Error("it ran")
	}
}

func TestTheProposalCarriesTheAnalysis(t *testing.T) {
	c := newConfig(t)
	p := mustPropose(t, c, "git status --short")
	if p.Key != "git status" || p.Command != "git status --short" || p.Dynamic || p.Denied != "" || !slices.Equal(p.Subjects, []string{"git status --short"}) {
		t.Errorf("%+v", p)
	}
	p = mustPropose(t, c, `g"i"t status && echo 'a b' | wc -l`)
	if p.Key != "" || p.Spec.Effect != tools.SideEffecting {
		t.Errorf("%+v", p)
	}
	for _, s := range []string{`g"i"t status`, "git status", "echo 'a b'", "echo a b", "wc -l"} {
		if !slices.Contains(p.Subjects, s) {
			t.Errorf("%q is not among %q", s, p.Subjects)
		}
	}
	if p := mustPropose(t, c, "$X"); !p.Dynamic || !strings.Contains(p.Preview[1].Body, "not known\t") {
		t.Errorf("%+v", p)
	}
	if p := mustPropose(t, c, "if then ("); !p.Dynamic || !slices.Equal(p.Subjects, []string{"if then ("}) {
		t.Errorf("%+v", p)
	}
	if p := mustPropose(t, c, "ls -la"); p.Spec.Risk != tools.ReadOnlyRisk || p.Spec.Effect != tools.SideEffecting {
		t.Errorf("%+v", p.Spec)
	}
	if p := mustPropose(t, c, "make"); p.Spec.Risk == tools.ReadOnlyRisk {
		t.Errorf("%+v", p.Spec)
	}
}

func TestTheCardShowsWhatCannotBeSeen(t *testing.T) {
	c := newConfig(t)
	line := "git\u00a0status \u202e\u200b\U000e0041 a\rb\r\nnext \x1b[31m\u3164 größe 😀"
	p, err := proposed(t.Context(), c, map[string]any{"command": line, "description": "two\nlines\x1b"})
	if err != nil {
		t.Fatal(err)
	}
	want := `git\u{a0}status \u{202e}\u{200b}\u{e0041} a\x0db\x0d` + "\n" + `next \x1b[31m\u{3164} größe 😀`
	if s := p.Preview[0]; s.Kind != tools.Command || s.Body != want || s.Title != "" {
		t.Errorf("%q", s)
	}
	// What the model says stands behind the command, in quotes.
	if s := p.Preview[1]; !strings.Contains(s.Body, "said to\t"+`"two\\nlines\\x1b"`) {
		t.Errorf("%q", s)
	}
	if strings.ContainsAny(p.Summary, "\n\x1b\r\u00a0") || p.Command != line {
		t.Errorf("%q %q", p.Summary, p.Command)
	}
}

// What could only wait or fail says so before anybody is asked.
func TestWhatNeedsATerminalDoesNotStart(t *testing.T) {
	c := newConfig(t)
	for line, want := range map[string]string{
		"vi f": "vi waits for a terminal", "vim +5 f": "vim waits for a terminal", "ls && nvim -R f": "nvim waits for a terminal", "view f; ls": "view waits for a terminal",
		"apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF": "apply_patch is a tool here",
	} {
		_, err := proposed(t.Context(), c, map[string]any{"command": line})
		var r *tools.Refusal
		if !errors.As(err, &r) || r.Block != tools.InvalidArguments || !strings.Contains(r.Reason, want) || r.Summary == "" {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, line := range []string{"vim --version", "vim -es -c wq f", "vim -c q f", "vim +q f", "echo :q | vi f", "vi f < keys", "./apply_patch x", "apply_patch() { ls; }; apply_patch", "man vi", "which vim", "timeout 1 vi f"} {
		mustPropose(t, c, line)
	}
}
