package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
)

func runner(t *testing.T, hooks ...Hook) *Runner {
	return &Runner{Hooks: hooks, Dir: t.TempDir(), Env: os.Environ(), Common: map[string]any{"session_id": "s1"}}
}

func TestWhatAHookSaysTightensOrDoesNothing(t *testing.T) {
	for _, c := range []struct{ event, command, want string }{
		{"PreToolUse", "exit 0", "go"},
		{"PreToolUse", "echo no way >&2; exit 2", "block: no way"},
		{"PreToolUse", "exit 2", "block: a hook blocks it: exit 2"},
		{"PreToolUse", "echo oops >&2; exit 1", "go, trouble: hook PreToolUse `echo oops >&2; exit 1`: it ended with exit status 1: oops"},
		{"PreToolUse", `echo '{"decision":"block","reason":"r"}'`, "block: r"},
		{"PreToolUse", `echo '{"decision":"allow"}'`, "go"},
		{"PreToolUse", `echo '{"decision":"approve","hookSpecificOutput":{"permissionDecision":"allow"}}'`, "go"},
		{"PreToolUse", `echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}'`, "block: r"},
		{"PreToolUse", `echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`, "ask: a hook says so"},
		{"PreToolUse", `echo '{"decision":"ask","reason":"a","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"b"}}'`, "block: b"},
		{"PermissionRequest", `echo '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m"}}}'`, "block: m"},
		{"PermissionRequest", `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`, "go"},
		{"Stop", `echo '{"continue":false,"stopReason":"s"}'`, "block: s"},
		{"PreToolUse", `echo '{"decision":'`, "go, trouble: hook PreToolUse `echo '{\"decision\":'`: its answer is no JSON"},
		{"PreToolUse", `echo '{"decision":{"a":1}}'`, "go, trouble:"},
		{"PreToolUse", "echo hello", "go"},
		{"UserPromptSubmit", "echo hello", "go, context: hello"},
		{"PostToolUse", `echo '{"systemMessage":"m","hookSpecificOutput":{"additionalContext":"c"}}'`, "go, context: c, say: m"},
		{"PreToolUse", "no-such-program-here", "go, trouble: hook PreToolUse `no-such-program-here`: it ended with exit status 127"},
	} {
		a := runner(t, Hook{Event: c.event, Command: c.command}).Run(t.Context(), c.event, []string{"shell"}, nil)
		got := "go"
		switch {
		case a.Block && a.Ask:
			got = "both"
		case a.Block:
			got = "block: " + a.Reason
		case a.Ask:
			got = "ask: " + a.Reason
		}
		for _, x := range []struct{ name, text string }{{"context", a.Context}, {"say", strings.Join(a.Say, ";")}, {"trouble", strings.Join(a.Troubles, ";")}} {
			if x.text != "" {
				got += ", " + x.name + ": " + x.text
			}
		}
		if !strings.HasPrefix(got, c.want) || c.want == "go" && got != "go" {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}

func TestAHookIsToldInJSONAndRunsOnlyWhereItMatches(t *testing.T) {
	r := runner(t,
		Hook{Event: "PreToolUse", Matcher: "write|edit", Command: "cat > told"}, Hook{Event: "PreToolUse", Matcher: "ed", Command: "echo ed >> ran"},
		Hook{Event: "Stop", Command: "echo stop >> ran"}, Hook{Event: "PreToolUse", Matcher: "*", Command: "echo all >> ran"},
	)
	r.Run(t.Context(), "PreToolUse", []string{"edit", "Edit"}, map[string]any{"tool_name": "edit"})
	told, err := os.ReadFile(filepath.Join(r.Dir, "told"))
	if want := `{"hook_event_name":"PreToolUse","session_id":"s1","tool_name":"edit"}` + "\n"; err != nil || string(told) != want {
		t.Errorf("told %q, %v", told, err)
	}
	if ran, _ := os.ReadFile(filepath.Join(r.Dir, "ran")); string(ran) != "all\n" {
		t.Errorf("ran %q", ran)
	}
	if CheckMatcher("a(") == "" || CheckMatcher("Edit|Write") != "" || CheckMatcher("*") != "" {
		t.Error("the check of matchers is wrong")
	}
	if a := (*Runner)(nil).Run(t.Context(), "Stop", []string{""}, nil); a.Block {
		t.Error("no hooks block")
	}
}

func TestAHookThatTakesTooLongChangesNothingAndTheFirstBlockEnds(t *testing.T) {
	r := runner(t, Hook{Event: "Stop", Command: "sleep 60", Timeout: 50 * time.Millisecond}, Hook{Event: "Stop", Command: "echo no >&2; exit 2"}, Hook{Event: "Stop", Command: "touch after"})
	a := r.Run(t.Context(), "Stop", []string{""}, nil)
	if !a.Block || a.Reason != "no" || len(a.Troubles) != 1 || !strings.Contains(a.Troubles[0], "longer than 50ms") {
		t.Errorf("%+v", a)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "after")); err == nil {
		t.Error("a hook ran after the block")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := r.Run(ctx, "Stop", []string{""}, nil); a.Block || len(a.Troubles) > 0 {
		t.Errorf("interrupted: %+v", a)
	}
}

func TestWhatAProjectsHookSaysNamesIt(t *testing.T) {
	r := runner(t, Hook{Event: "PreToolUse", Command: "echo no >&2; exit 2", Source: "zuno.json"})
	if a := r.Run(t.Context(), "PreToolUse", []string{"shell"}, nil); !a.Block || a.Reason != "no [hook PreToolUse `echo no >&2; exit 2` of zuno.json]" {
		t.Errorf("%+v", a)
	}
}

// A hook that cannot run as it has to lets nothing through: it might have said no.
func TestAHookThatCannotBeConfinedHasAPersonDecide(t *testing.T) {
	r := runner(t, Hook{Event: "PreToolUse", Command: "touch ran", Confined: true})
	r.Confine = func() (*shell.Confinement, error) { return nil, errors.New("no sandbox here") }
	a := r.Run(t.Context(), "PreToolUse", []string{"shell"}, nil)
	if !a.Ask || a.Block || !strings.Contains(a.Reason, "no sandbox here") || len(a.Troubles) != 1 {
		t.Errorf("%+v", a)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "ran")); !os.IsNotExist(err) {
		t.Errorf("it ran (%v)", err)
	}
}

// What a project's hook blocks names it and its file; who is told how it came out
// knows that already.
func TestAHookOfAProjectIsNamed(t *testing.T) {
	for _, source := range []string{"zuno.json", ""} {
		said := ""
		r := runner(t, Hook{Event: "PreToolUse", Command: "echo no >&2; exit 2", Source: source})
		r.Ran = func(_ int, a Answer, _ time.Duration) { said = a.Reason }
		a := r.Run(context.Background(), "PreToolUse", []string{"write"}, nil)
		want := "no"
		if source != "" {
			want = "no [hook PreToolUse `echo no >&2; exit 2` of zuno.json]"
		}
		if a.Reason != want || a.Source != source || said != "no" {
			t.Errorf("from %q: reason %q, source %q, and it said %q", source, a.Reason, a.Source, said)
		}
	}
}
