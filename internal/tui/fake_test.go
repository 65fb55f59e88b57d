package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// TestMain runs the UI over a scripted session when it is told to: the journeys
// start the test binary so, in a terminal of their own.
func TestMain(m *testing.M) {
	if os.Getenv("ZUNO_TUI_SCRIPTED") != "" {
		os.Exit(scripted())
	}
	// Both end by themselves: the clock of the regular expressions a while after the
	// last, and half a second later Bubble Tea's wait for a reader that it does not
	// have (see letGo), which is longer than goleak looks on.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"),
		goleak.IgnoreAnyFunction("charm.land/bubbletea/v2.(*Program).waitForReadLoop"))
}

func scripted() int {
	policy, err := approval.ParsePolicy(os.Getenv("ZUNO_POLICY"))
	if err != nil {
		panic(err)
	}
	u := New(Options{
		In: os.Stdin, Out: os.Stdout, Env: os.Environ(), Version: "0.1.0", Policy: policy,
		Prompt: os.Getenv("ZUNO_PROMPT"),
		Boot: func(ctx context.Context, a approval.Asker) (Ready, error) {
			if os.Getenv("ZUNO_BOOT") == "fails" {
				return Ready{}, errors.New("read config zuno.json: it is broken")
			}
			if os.Getenv("ZUNO_BOOT") == "offers" {
				return offered(a, policy), nil
			}
			return ready(a, policy), nil
		},
	})
	if err := u.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "zuno:", err)
		return 1
	}
	fmt.Println("left")
	return 0
}

func ready(a approval.Asker, p approval.Policy) Ready {
	gate := approval.New(approval.Config{Policy: p, Asker: a, Attended: true, Commands: &allowlist{}})
	return Ready{
		Session: &fake{gate: gate}, Gate: gate, Model: "scripted/tour", Branch: "main", Dir: "/home/dev/src/zuno",
		Close: func() error { return nil },
	}
}

func offered(a approval.Asker, p approval.Policy) Ready {
	return Ready{Offer: &Offer{
		Title: "no model is configured", Text: "Set ANTHROPIC_API_KEY, or take the tour first.",
		Choices: []tools.Option{{ID: "tour", Label: "Take the tour", Detail: "offline, scripted"}, {ID: "leave", Label: "Leave"}},
		Choose: func(_ context.Context, id string) (Ready, error) {
			if id == "leave" {
				return Ready{}, ErrLeave
			}
			return ready(a, p), nil
		},
	}}
}

type allowlist struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (l *allowlist) Allowed(key string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keys[key], nil
}

func (l *allowlist) Allow(key, _ string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil {
		l.keys = map[string]bool{}
	}
	l.keys[key] = true
	return nil
}

// A fake is a session that does what the words of a prompt say.
type fake struct {
	gate  *approval.Gate
	calls int
	past  []loop.Event
}

type fakeTurn struct {
	*fake
	ctx  context.Context
	emit func(loop.Event)
}

func (f *fake) Replay(emit func(loop.Event)) error {
	for _, ev := range f.past {
		emit(ev)
	}
	return nil
}

func (f *fake) Admit(...int64) {}

func (f *fake) Shell(ctx context.Context, command string, emit func(loop.Event)) error {
	t := fakeTurn{f, ctx, emit}
	emit(loop.Prompted{Text: command, Operator: true})
	zero := 0
	c := t.call("shell", command)
	emit(loop.Settled{Record: tools.Record{
		Call: c, Summary: command, Operator: true, Took: 12 * time.Millisecond,
		Decision: tools.Decision{Allowed: true, By: tools.ByOperator},
		Outcome:  tools.Outcome{Kind: tools.OK, ExitCode: &zero, Text: "ran " + command + "\n"},
	}})
	emit(loop.Ended{Took: 12 * time.Millisecond})
	return nil
}

func (f *fake) Prompt(ctx context.Context, text string, emit func(loop.Event)) error {
	t := fakeTurn{f, ctx, emit}
	began := time.Now()
	emit(loop.Prompted{Text: text})
	var err error
	for _, word := range strings.Fields(text) {
		if err = t.do(word); err != nil {
			break
		}
	}
	emit(loop.Used{Purpose: "conversation", Usage: llm.Usage{Input: 1200, Output: 345}, Cost: 0.0123})
	emit(loop.Ended{Err: err, Took: time.Since(began)})
	return err
}

func (t fakeTurn) do(word string) error {
	name, arg, _ := strings.Cut(word, ":")
	switch name {
	case "say":
		t.emit(loop.Delta{Text: arg + "\n\n"})
		t.emit(loop.Stepped{})
	case "stream":
		t.stream(prose)
	case "lines":
		var n int
		fmt.Sscan(arg, &n)
		for i := range n {
			t.emit(loop.Delta{Text: fmt.Sprintf("L%04d line\n\n", i)})
		}
		t.emit(loop.Stepped{})
	case "think":
		t.emit(loop.Thought{Text: "First look at the loop.\nThen see what it does with a call"})
		return t.wait(400 * time.Millisecond)
	case "explore":
		for _, x := range [][2]string{{"read", "internal/loop/run.go"}, {"read", "internal/loop/turn.go"}, {"grep", `"func Run"`}, {"glob", "**/*.go"}} {
			t.readOnly(x[0], x[1])
		}
	case "edit":
		return t.edit()
	case "shell":
		return t.shell(firstOf(strings.ReplaceAll(arg, "_", " "), "go test ./..."))
	case "pick":
		return t.pick()
	case "hang":
		c := t.call("shell", "sleep 1000")
		t.emit(loop.Proposed{Call: c, Proposal: &tools.Proposal{Call: c, Summary: "sleep 1000"}})
		t.emit(loop.Decided{Call: c, Decision: tools.Decision{Allowed: true}})
		t.emit(loop.Started{Call: c})
		t.emit(loop.Progress{Call: c, Progress: tools.Progress{Text: "still waiting"}})
		<-t.ctx.Done()
		t.emit(loop.Settled{Record: tools.Record{
			Call: c, Summary: "sleep 1000", Took: time.Second,
			Outcome: tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "still waiting"},
		}})
		return t.ctx.Err()
	case "wait":
		return t.wait(time.Second)
	case "panic":
		panic("scripted")
	case "fail":
		return errors.New("the provider answered 529: overloaded")
	}
	return nil
}

func (t fakeTurn) wait(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

func (t fakeTurn) stream(s string) {
	for s != "" && t.ctx.Err() == nil {
		n := min(7, len(s))
		t.emit(loop.Delta{Text: s[:n]})
		s = s[n:]
		_ = t.wait(2 * time.Millisecond)
	}
	t.emit(loop.Stepped{})
}

func (t fakeTurn) call(tool, arg string) tools.Call {
	t.calls++
	args, _ := json.Marshal(map[string]string{"arg": arg})
	return tools.Call{ID: fmt.Sprintf("c%d", t.calls), Tool: tool, Args: args}
}

func (t fakeTurn) readOnly(tool, subject string) {
	c := t.call(tool, subject)
	t.emit(loop.Proposed{Call: c, Proposal: &tools.Proposal{Call: c, Summary: subject}})
	t.emit(loop.Started{Call: c})
	t.emit(loop.Settled{Record: tools.Record{
		Call: c, Summary: subject, Effect: tools.ReadOnly, Risk: tools.ReadOnlyRisk,
		Decision: tools.Decision{Allowed: true, By: tools.ByEffect, Reason: "read-only"}, Took: 3 * time.Millisecond,
		Outcome: tools.Outcome{Kind: tools.OK, Text: "package loop"},
	}})
}

// gated puts p to the gate and settles it with what do says.
func (t fakeTurn) gated(p *tools.Proposal, do func(choice string) tools.Outcome) error {
	t.emit(loop.Stepped{Calls: 1})
	t.emit(loop.Proposed{Call: p.Call, Proposal: p})
	d, err := t.gate.Decide(t.ctx, p, func(s approval.Stage) error {
		if s.Asking != nil {
			t.emit(loop.Asked{Call: p.Call, Request: *s.Asking})
		}
		return nil
	})
	rec := tools.Record{Call: p.Call, Summary: p.Summary, Risk: p.Spec.Risk, Decision: d}
	switch {
	case err != nil:
		rec.Outcome = tools.Outcome{Kind: tools.Cancelled}
	case !d.Allowed:
		t.emit(loop.Decided{Call: p.Call, Decision: d})
		rec.Outcome = tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: d.Reason}
	default:
		t.emit(loop.Decided{Call: p.Call, Decision: d})
		t.emit(loop.Started{Call: p.Call})
		began := time.Now()
		rec.Outcome = do(d.Choice)
		rec.Took = time.Since(began)
	}
	t.emit(loop.Settled{Record: rec})
	return err
}

func (t fakeTurn) shell(command string) error {
	c := t.call("shell", command)
	p := &tools.Proposal{
		Call: c, Spec: tools.Spec{Name: "shell", Risk: tools.High}, Summary: command, Key: "go test", Command: command,
		Preview: []tools.Section{{Kind: tools.Command, Body: command}},
	}
	return t.gated(p, func(string) tools.Outcome {
		for i := range 3 {
			t.emit(loop.Progress{Call: c, Progress: tools.Progress{Text: fmt.Sprintf("ok  \tzuno/internal/p%d\t0.1s", i)}})
			_ = t.wait(60 * time.Millisecond)
		}
		one := 1
		return tools.Outcome{Kind: tools.OK, ExitCode: &one, Text: "a\nb\nc\nd\ne\n--- FAIL: TestX\nFAIL\tzuno/internal/loop\nFAIL\n"}
	})
}

func (t fakeTurn) edit() error {
	c := t.call("apply_patch", "")
	p := &tools.Proposal{
		Call: c, Spec: tools.Spec{Name: "apply_patch", Risk: tools.Low}, Summary: "internal/loop/run.go",
		Preview: []tools.Section{{Kind: tools.Diff, Body: sampleDiff}},
	}
	return t.gated(p, func(string) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Changes: []tools.Change{{Path: "internal/loop/run.go", Kind: "M", Added: 3, Removed: 2}}}
	})
}

func (t fakeTurn) pick() error {
	c := t.call("question", "")
	p := &tools.Proposal{
		Call: c, Spec: tools.Spec{Name: "question", Effect: tools.UserMediated, Risk: tools.ReadOnlyRisk}, Summary: "Which database?",
		Preview: []tools.Section{{Kind: tools.Text, Body: "Which database should the service use?"}},
		Options: []tools.Option{{ID: "sqlite", Label: "SQLite", Detail: "one file"}, {ID: "pg", Label: "PostgreSQL"}, {ID: "other", Label: "Something else", Write: true}},
	}
	return t.gated(p, func(choice string) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Text: choice, Show: []tools.Section{{Kind: tools.Text, Body: "answered: " + choice}}}
	})
}

const sampleDiff = `--- a/internal/loop/run.go
+++ b/internal/loop/run.go
@@ -10,7 +10,8 @@ func Run(ctx context.Context) error {
 	for {
-		msg, err := model.Stream(ctx, url)
+		msg, err := model.Stream(ctx, req, opts)
 		if err != nil {
-			return err
+			return fmt.Errorf("stream: %w", err)
+			// never silent
 		}
 	}
`

const prose = "# What the loop does\n\nIt *streams* the answer, **proposes** the calls in it and records every step " +
	"before it shows it, so that a crash can neither invent nor lose an effect. See `internal/loop/run.go` and " +
	"[the contract](https://example.org/contract).\n\n- one turn runs at a time\n- a call is settled once\n  - whatever finished first\n\n" +
	"```go\nfunc (s *Session) Prompt(ctx context.Context, text string) error {\n\treturn s.turn(ctx, text)\n}\n```\n\n" +
	"| outcome | means |\n|---|---|\n| ok | it ran and succeeded |\n| blocked | **nothing happened** |\n| uncertain | it may have happened: a timeout, a lost response or a crash around a side effect |\n\nThat is all.\n"
