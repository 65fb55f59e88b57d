package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop/journaltest"
	"github.com/zuno-dev/zuno/internal/tools"
)

// modelFunc answers the nth request.
type modelFunc func(n int, req llm.Request) (llm.Message, error)

type model struct {
	answer   modelFunc
	requests []llm.Request
}

func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	m.requests = append(m.requests, req)
	msg, err := m.answer(len(m.requests)-1, req)
	delta(llm.Delta{Text: msg.Text()})
	if err == nil {
		err = ctx.Err()
	}
	return msg, err
}

func says(text string) llm.Message {
	return llm.Message{Role: llm.Assistant, Stop: llm.StopEnd, Parts: []llm.Part{{Kind: llm.Text, Text: text}}}
}

func calls(names ...string) llm.Message {
	m := llm.Message{Role: llm.Assistant, Stop: llm.StopCalls}
	for i, n := range names {
		name, args, _ := strings.Cut(n, " ")
		if args == "" {
			args = "{}"
		}
		m.Parts = append(m.Parts, llm.Part{Kind: llm.CallPart, Call: &llm.Call{ID: fmt.Sprint("c", i), Name: name, Args: json.RawMessage(args)}})
	}
	return m
}

// script answers with the given messages, one a request.
func script(msgs ...llm.Message) *model {
	return &model{answer: func(n int, _ llm.Request) (llm.Message, error) { return msgs[n], nil }}
}

type nothing struct{}

// tool makes a tool whose effect is do.
func tool(spec tools.Spec, do func(ctx context.Context) tools.Outcome) tools.Tool {
	return tools.New(spec, func(context.Context, tools.Spec, nothing) (*tools.Proposal, error) {
		return &tools.Proposal{Summary: spec.Name, Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome { return do(ctx) }}, nil
	})
}

func ok(text string) func(context.Context) tools.Outcome {
	return func(context.Context) tools.Outcome { return tools.Outcome{Kind: tools.OK, Text: text} }
}

var (
	readSpec  = tools.Spec{Name: "read", Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk}
	writeSpec = tools.Spec{Name: "write", Risk: tools.High}
)

// bench is one session under test.
type bench struct {
	*Session
	journal *journaltest.Memory
	model   *model
	events  []Event
}

func newBench(m *model, policy approval.Policy, change func(*Config), ts ...tools.Tool) *bench {
	j := journaltest.New()
	conf := Config{Model: m, Tools: ts, Journal: j, ToolCalls: 8, Gate: approval.New(approval.Config{Policy: policy})}
	if change != nil {
		change(&conf)
	}
	return &bench{Session: New(conf), journal: j, model: m}
}

func (b *bench) run(ctx context.Context, text string) error {
	return b.Prompt(ctx, text, func(e Event) { b.events = append(b.events, e) })
}

func (b *bench) settled() []tools.Record {
	var rs []tools.Record
	for _, e := range b.events {
		if s, ok := e.(Settled); ok {
			rs = append(rs, s.Record)
		}
	}
	return rs
}

// whole fails the test unless every call of the conversation has exactly one
// result, in order, before anything else is said.
func (b *bench) whole(t *testing.T) {
	t.Helper()
	for i, m := range b.messages {
		cs := m.Calls()
		if len(cs) == 0 {
			continue
		}
		if i+1 == len(b.messages) || b.messages[i+1].Role != llm.Tool {
			t.Fatalf("message %d has calls and no results", i)
		}
		var got []string
		for _, p := range b.messages[i+1].Parts {
			if p.Kind == llm.Result {
				got = append(got, p.For)
				if strings.TrimSpace(p.Text) == "" {
					t.Errorf("the result of %s is blank", p.For)
				}
			}
		}
		var want []string
		for _, c := range cs {
			want = append(want, c.ID)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("results %v for calls %v", got, want)
		}
	}
	for id, r := range b.journal.Records {
		if r.State != tools.Settled {
			t.Errorf("call %s is left %s", id, r.State)
		}
	}
}

// TestResultsComeInCallOrderWhateverFinishesFirst is C101: six reads that finish
// in the reverse order, of which the third is denied and the fifth runs out of
// time.
func TestResultsComeInCallOrderWhateverFinishesFirst(t *testing.T) {
	const n, denied, slow = 6, 2, 4
	var gates [n]chan struct{}
	for i := range gates {
		gates[i] = make(chan struct{})
	}
	close(gates[denied])
	var ts []tools.Tool
	var names []string
	for i := range n {
		spec := readSpec
		spec.Name = fmt.Sprint("read", i)
		if i == slow {
			spec.Timeout = time.Millisecond
		}
		names = append(names, spec.Name)
		ts = append(ts, tool(spec, func(ctx context.Context) tools.Outcome {
			if i+1 < n {
				<-gates[i+1] // the last one finishes first
			}
			defer close(gates[i])
			if i == slow {
				<-ctx.Done()
				return tools.Outcome{Kind: tools.Error, Text: "stopped"}
			}
			return tools.Outcome{Kind: tools.OK, Text: spec.Name}
		}))
	}
	b := newBench(script(calls(names...), says("done")), approval.LowRisk, func(c *Config) {
		c.Forbids = func(p *tools.Proposal) string {
			if p.Call.Tool == names[denied] {
				return "not this one"
			}
			return ""
		}
	}, ts...)
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	b.whole(t)
	results := b.messages[len(b.messages)-2].Parts
	for i, r := range b.settled() {
		kind, text := tools.OK, names[i]
		switch i {
		case denied:
			kind, text = tools.Blocked, "not this one"
		case slow:
			kind, text = tools.Error, "timed out after 1ms"
		}
		if r.Call.Tool != names[i] || r.Outcome.Kind != kind || !strings.Contains(results[i].Text, text) {
			t.Errorf("settled %d: %s, %s; the model reads %q", i, r.Call.Tool, r.Outcome.Kind, results[i].Text)
		}
	}
}

// TestConcurrencyIsBoundedAndOneIsSerial is of C101, and so is the next.
func TestConcurrencyIsBoundedAndOneIsSerial(t *testing.T) {
	for _, bound := range []int{1, 3} {
		var now, most atomic.Int32
		full := make(chan struct{})
		var once sync.Once
		reading := tool(readSpec, func(ctx context.Context) tools.Outcome {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			if int(n) == bound {
				once.Do(func() { close(full) })
			}
			<-full
			now.Add(-1)
			return tools.Outcome{Kind: tools.OK, Text: "x"}
		})
		var names []string
		for range 10 {
			names = append(names, "read")
		}
		b := newBench(script(calls(names...), says("done")), approval.LowRisk, func(c *Config) { c.ToolCalls = bound }, reading)
		if err := b.run(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		if int(most.Load()) != bound {
			t.Errorf("bound %d: %d ran together", bound, most.Load())
		}
	}
}

func TestAnExclusiveCallIsABarrierOnBothSides(t *testing.T) {
	var mu sync.Mutex
	var log []string
	note := func(s string) { mu.Lock(); defer mu.Unlock(); log = append(log, s) }
	b := newBench(script(calls("read", "write", "read"), says("done")), approval.Yolo, nil,
		tool(readSpec, func(context.Context) tools.Outcome { note("read"); return tools.Outcome{Kind: tools.OK} }),
		tools.New(writeSpec, func(context.Context, tools.Spec, nothing) (*tools.Proposal, error) {
			note("propose write")
			return &tools.Proposal{Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
				note("write")
				return tools.Outcome{Kind: tools.OK}
			}}, nil
		}))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(log, ", "); got != "read, propose write, write, read" {
		t.Errorf("order: %s", got)
	}
}

func TestEveryRefusalIsBlockedInTheRecordBeforeTheModelReadsIt(t *testing.T) {
	m := calls("read", "nosuch", `write {"x":1}`, "write", "", "panics")
	m.Parts[0].Call.Broken = "the arguments were cut off"
	b := newBench(script(m, says("done")), approval.LowRisk, nil,
		tool(readSpec, ok("x")), tool(writeSpec, ok("wrote")),
		tools.New(tools.Spec{Name: "panics"}, func(context.Context, tools.Spec, nothing) (*tools.Proposal, error) { panic("boom") }))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	b.whole(t)
	want := []tools.Outcome{
		{Kind: tools.Blocked, Block: tools.InvalidArguments},
		{Kind: tools.Blocked, Block: tools.Unavailable},
		{Kind: tools.Blocked, Block: tools.InvalidArguments},
		{Kind: tools.Blocked, Block: tools.Denied},
		{Kind: tools.Blocked, Block: tools.Unavailable},
		{Kind: tools.Error},
	}
	for i, r := range b.settled() {
		if r.Outcome.Kind != want[i].Kind || r.Outcome.Block != want[i].Block {
			t.Errorf("call %d: %v %v %q", i, r.Outcome.Kind, r.Outcome.Block, r.Outcome.Text)
		}
	}
	if strings.Contains(strings.Join(b.journal.Log, "\n"), "start") {
		t.Errorf("something started: %v", b.journal.Log)
	}
	results := b.model.requests[1].Messages
	if text := results[len(results)-1].Parts[3].Text; !strings.Contains(text, "nothing happened") || !strings.Contains(text, "--allow-tool write") {
		t.Errorf("the model reads %q", text)
	}
}

func TestACallStartsInTheRecordBeforeItsEffect(t *testing.T) {
	var b *bench
	b = newBench(script(calls("write"), says("done")), approval.Yolo, nil, tool(writeSpec, func(context.Context) tools.Outcome {
		if got := b.journal.Log[len(b.journal.Log)-1]; got != "start c0" {
			t.Errorf("the effect began after %q", got)
		}
		return tools.Outcome{Kind: tools.OK}
	}))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(b.journal.Log, ", "); got != "append user, used conversation, append assistant, propose c0, decide c0, start c0, settle c0, used conversation, append assistant" {
		t.Errorf("log: %s", got)
	}
}

func TestWhatCannotBeRecordedDoesNotRun(t *testing.T) {
	for _, at := range []string{"append", "propose", "decide", "start", "settle"} {
		ran := 0
		b := newBench(script(calls("write", "write"), says("done")), approval.Yolo, nil,
			tool(writeSpec, func(context.Context) tools.Outcome { ran++; return tools.Outcome{Kind: tools.OK} }))
		full := errors.New("the disk is full")
		b.journal.Fail = func(transition, id string) error {
			if transition == at && id != "user" {
				return full
			}
			return nil
		}
		err := b.run(t.Context(), "go")
		if !errors.Is(err, full) {
			t.Errorf("%s: err = %v", at, err)
		}
		if want := map[string]int{"settle": 1}[at]; ran != want {
			t.Errorf("failure at %s: %d effects, want %d", at, ran, want)
		}
		for i, m := range b.messages {
			if len(m.Calls()) > 0 && (i+1 == len(b.messages) || len(b.messages[i+1].Parts) != len(m.Calls())) {
				t.Errorf("failure at %s leaves calls without results", at)
			}
		}
	}
}

// TestAnInterruptLeavesNoHole is C089: an interrupt among calls of every kind.
func TestAnInterruptLeavesNoHole(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var ran []string
	slow, panics, denied := readSpec, readSpec, readSpec
	slow.Name, slow.Timeout, panics.Name, denied.Name = "slow", time.Millisecond, "panics", "denied"
	b := newBench(script(calls("read", "slow", "panics", "denied", "nosuch", "sleep", "write"), says("went on")), approval.Yolo, func(c *Config) {
		c.Forbids = func(p *tools.Proposal) string { return map[string]string{"denied": "not this one"}[p.Call.Tool] }
	},
		tool(readSpec, ok("x")), tool(denied, ok("never")),
		tool(slow, func(ctx context.Context) tools.Outcome {
			<-ctx.Done()
			return tools.Outcome{Kind: tools.Error, Text: "stopped"}
		}),
		tool(panics, func(context.Context) tools.Outcome { panic("boom") }),
		tool(tools.Spec{Name: "sleep"}, func(ctx context.Context) tools.Outcome {
			cancel()
			<-ctx.Done()
			return tools.Outcome{Kind: tools.Error, Text: "killed"}
		}),
		tool(writeSpec, func(context.Context) tools.Outcome { ran = append(ran, "write"); return tools.Outcome{} }))
	if err := b.run(ctx, "go"); !errors.Is(err, context.Canceled) {
		t.Fatalf("err = %v", err)
	}
	b.whole(t)
	var got []string
	for _, r := range b.settled() {
		got = append(got, fmt.Sprint(r.Outcome.Kind, " started=", r.Outcome.Started))
	}
	if want := "ok started=false, error started=false, error started=true, blocked started=false, blocked started=false, cancelled started=true, cancelled started=false"; strings.Join(got, ", ") != want || len(ran) > 0 {
		t.Errorf("outcomes %v, ran %v", got, ran)
	}
	if err := b.run(t.Context(), "go on"); err != nil {
		t.Fatal(err)
	}
}

// TestAnInterruptedAnswerKeepsItsTextAndNothingElse is C090.
func TestAnInterruptedAnswerKeepsItsTextAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		partial llm.Message
		kept    string
	}{
		{says("half an ans"), "half an ans\n[the answer broke off here]"},
		{says(" \n"), ""},
		{llm.Message{Parts: []llm.Part{{Kind: llm.Thinking, Text: "hm"}}}, ""},
		{llm.Message{Parts: append(says("I will write").Parts, calls("write").Parts...)}, "I will write\n[the answer broke off here]"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		b := newBench(&model{answer: func(n int, _ llm.Request) (llm.Message, error) {
			if n == 0 {
				cancel()
				return c.partial, ctx.Err()
			}
			return says("fine"), nil
		}}, approval.Yolo, nil, tool(writeSpec, ok("wrote")))
		if err := b.run(ctx, "go"); !errors.Is(err, context.Canceled) {
			t.Fatalf("err = %v", err)
		}
		kept := ""
		if m := b.messages[len(b.messages)-1]; m.Role == llm.Assistant {
			kept = m.Text()
			if len(m.Parts) != 1 {
				t.Errorf("kept %d parts", len(m.Parts))
			}
		}
		if kept != c.kept {
			t.Errorf("kept %q, want %q", kept, c.kept)
		}
		if err := b.run(t.Context(), "go on"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestATimeoutEndsTheCallAndNotTheTurn(t *testing.T) {
	wait := func(ctx context.Context) tools.Outcome {
		<-ctx.Done()
		return tools.Outcome{Kind: tools.Error, Text: "stopped"}
	}
	slowRead, slowWrite := readSpec, writeSpec
	slowRead.Timeout, slowWrite.Timeout = time.Millisecond, time.Millisecond
	b := newBench(script(calls("read", "write"), says("done")), approval.Yolo, nil, tool(slowRead, wait), tool(slowWrite, wait))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	got := b.settled()
	if got[0].Outcome.Kind != tools.Error || got[1].Outcome.Kind != tools.Uncertain {
		t.Errorf("a read: %v, a write: %v", got[0].Outcome.Kind, got[1].Outcome.Kind)
	}
	for _, r := range got {
		if !strings.Contains(r.Outcome.Text, "timed out after 1ms") {
			t.Errorf("text %q", r.Outcome.Text)
		}
	}
}

func TestAPanicAroundASideEffectIsUncertain(t *testing.T) {
	boom := func(context.Context) tools.Outcome { panic("boom") }
	b := newBench(script(calls("read", "write"), says("done")), approval.Yolo, nil, tool(readSpec, boom), tool(writeSpec, boom))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got := b.settled(); got[0].Outcome.Kind != tools.Error || got[1].Outcome.Kind != tools.Uncertain {
		t.Errorf("%v", got)
	}
}

func TestTheStepLimitEndsInOneAnswerWithoutTools(t *testing.T) {
	b := newBench(&model{answer: func(n int, req llm.Request) (llm.Message, error) {
		if req.NoTools {
			return says("this far"), nil
		}
		return calls(fmt.Sprintf("read {\"n\":%d}", n)), nil
	}}, approval.LowRisk, func(c *Config) { c.MaxSteps = 3 },
		tools.New(readSpec, func(_ context.Context, _ tools.Spec, a struct {
			N int `json:"n"`
		},
		) (*tools.Proposal, error) {
			return &tools.Proposal{Do: func(context.Context, string, func(tools.Progress)) tools.Outcome { return ok("x")(nil) }}, nil
		}))
	if err := b.run(t.Context(), "go"); !errors.Is(err, ErrStepLimit) {
		t.Fatalf("err = %v", err)
	}
	if n := len(b.model.requests); n != 4 {
		t.Errorf("%d requests, want 3 steps and a last word", n)
	}
	if last := b.messages[len(b.messages)-1]; last.Text() != "this far" {
		t.Errorf("the last message is %q", last.Text())
	}
}

// TestAnEmptyReplyIsAskedAgainOnceAndNeverStored is C098.
func TestAnEmptyReplyIsAskedAgainOnceAndNeverStored(t *testing.T) {
	empty := llm.Message{Parts: []llm.Part{{Kind: llm.Thinking, Text: "hm"}, {Kind: llm.Text, Text: "\n"}}}
	b := newBench(script(empty, says("here")), approval.LowRisk, nil)
	if err := b.run(t.Context(), "go"); err != nil || len(b.messages) != 2 {
		t.Errorf("err %v, %d messages", err, len(b.messages))
	}
	b = newBench(script(empty, empty, says("later")), approval.LowRisk, nil)
	if err := b.run(t.Context(), "go"); !errors.Is(err, ErrEmpty) {
		t.Errorf("err = %v", err)
	}
	if err := b.run(t.Context(), "again"); err != nil {
		t.Errorf("the session does not go on: %v", err)
	}
}

func TestAnAnswerCutOffByTheModelIsNotAnAnswer(t *testing.T) {
	m := says("the first half")
	m.Stop = llm.StopLength
	if err := newBench(script(m), approval.LowRisk, nil).run(t.Context(), "go"); !errors.Is(err, ErrCutOff) {
		t.Errorf("err = %v", err)
	}
}

// TestTheSameFailureOverAndOverEndsTheTurn is C100.
func TestTheSameFailureOverAndOverEndsTheTurn(t *testing.T) {
	fails := tool(readSpec, func(context.Context) tools.Outcome { return tools.Outcome{Kind: tools.Error, Text: "no such file"} })
	b := newBench(&model{answer: func(int, llm.Request) (llm.Message, error) { return calls("read"), nil }}, approval.LowRisk, nil, fails)
	if err := b.run(t.Context(), "go"); !errors.Is(err, ErrRepeating) {
		t.Fatalf("err = %v", err)
	}
	if n := len(b.model.requests); n != repeatStop {
		t.Errorf("%d requests", n)
	}
	b.whole(t)
}

func TestCallIDsAreUniqueInTheSession(t *testing.T) {
	one := calls("read", "read")
	one.Parts[1].Call.ID = one.Parts[0].Call.ID
	two := calls("read")
	two.Parts[0].Call.ID = "functions.read:0 ✓"
	b := newBench(script(one, calls("read"), two, says("done")), approval.LowRisk, nil, tool(readSpec, ok("x")))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	b.whole(t)
	if len(b.journal.Records) != 4 {
		t.Errorf("%d records for 4 calls", len(b.journal.Records))
	}
}

func TestAnAliasIsRecordedWithBothNames(t *testing.T) {
	b := newBench(script(calls("read_file"), says("done")), approval.LowRisk, func(c *Config) {
		c.Resolve = func(name string, args json.RawMessage) (string, json.RawMessage) {
			return strings.TrimSuffix(name, "_file"), args
		}
	}, tool(readSpec, ok("x")))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if c := b.settled()[0].Call; c.Tool != "read" || c.Requested != "read_file" {
		t.Errorf("recorded %q, requested %q", c.Tool, c.Requested)
	}
}

func TestAnOperatorCommandTakesTheSameRoad(t *testing.T) {
	for _, denied := range []string{"", "privilege: sudo"} {
		ran := false
		b := newBench(script(says("I saw it")), approval.Strict, func(c *Config) {
			c.Operator = func(_ context.Context, call tools.Call) (*tools.Proposal, error) {
				return &tools.Proposal{Call: call, Summary: "ls", Denied: denied, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
					ran = true
					return tools.Outcome{Kind: tools.OK, Text: "a.txt"}
				}}, nil
			}
			c.Report = func(_ *tools.Proposal, o tools.Outcome) string { return "<operator>" + o.Text + "</operator>" }
		})
		if err := b.Shell(t.Context(), "ls", func(e Event) { b.events = append(b.events, e) }); err != nil {
			t.Fatal(err)
		}
		b.whole(t)
		r := b.settled()[0]
		if ran != (denied == "") || !r.Operator || (r.Outcome.Kind == tools.Blocked) != (denied != "") {
			t.Errorf("denied %q: ran %v, %+v", denied, ran, r)
		}
		if err := b.run(t.Context(), "what is there?"); err != nil {
			t.Fatal(err)
		}
		if got := b.model.requests[0].Messages[0].Text(); !strings.Contains(got, r.Outcome.Text) {
			t.Errorf("the model reads %q", got)
		}
	}
}

func TestAResumedSessionIsValidAndReplays(t *testing.T) {
	history := []*llm.Message{llm.UserText("go"), ptr(calls("read", "write")), llm.UserText("and?")}
	done := tools.Record{Call: tools.Call{ID: "c0", Tool: "read"}, State: tools.Settled, Summary: "a.txt", Outcome: tools.Outcome{Kind: tools.OK, Text: "alpha"}}
	b := newBench(script(says("done")), approval.LowRisk, func(c *Config) {
		c.History, c.Records = history, map[string]tools.Record{"c0": done}
		c.Notice = "<recovery_notice>look first</recovery_notice>"
	})
	var got []string
	if err := b.Replay(func(e Event) { got = append(got, strings.TrimPrefix(fmt.Sprintf("%T", e), "loop.")) }); err != nil {
		t.Fatal(err)
	}
	if want := "Prompted Stepped Settled Settled Ended Prompted Ended"; strings.Join(got, " ") != want {
		t.Errorf("replayed %v", got)
	}
	if err := b.run(t.Context(), "go on"); err != nil {
		t.Fatal(err)
	}
	sent := b.model.requests[0].Messages
	if len(sent) != 5 || len(sent[2].Parts) != 2 || !strings.Contains(sent[2].Parts[1].Text, "cancelled") {
		t.Errorf("sent %d messages", len(sent))
	}
	if last := sent[4]; len(last.Parts) != 2 || !strings.Contains(last.Parts[0].Text, "look first") {
		t.Errorf("the notice is not told: %+v", last)
	}
}

func TestMessagesWithoutPartsAreReplayedAndLeftOut(t *testing.T) {
	b := newBench(script(says("done")), approval.LowRisk, func(c *Config) {
		c.History = []*llm.Message{{Role: llm.User}, {Role: llm.Assistant}, llm.UserText("and?")}
	})
	if err := b.Replay(func(Event) {}); err != nil {
		t.Fatal(err)
	}
	if err := b.run(t.Context(), "go on"); err != nil {
		t.Fatal(err)
	}
}

func ptr(m llm.Message) *llm.Message { return &m }

func TestTheMemoryJournalIsStrict(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journaltest.Journal { return journaltest.New() })
}

type askerFunc func(context.Context, approval.Request) (approval.Answer, error)

func (f askerFunc) Ask(ctx context.Context, r approval.Request) (approval.Answer, error) {
	return f(ctx, r)
}

func TestAnOfferIsACallOfItsOwnThatOnlyAPersonAllows(t *testing.T) {
	for _, c := range []struct {
		attended bool
		choice   string
		ran      int
		settled  string
	}{
		{true, "outside", 1, "ok, ok"},
		{true, "", 0, "ok, blocked"},
		{false, "outside", 0, "ok"},
	} {
		ran := 0
		again := &tools.Proposal{
			Spec: tools.Spec{Name: "shell"}, Summary: "make", Options: []tools.Option{{ID: "outside"}},
			Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
				ran++
				return tools.Outcome{Kind: tools.OK, Text: "built outside"}
			},
		}
		confined := tool(tools.Spec{Name: "shell"}, func(context.Context) tools.Outcome {
			code := 1
			return tools.Outcome{Kind: tools.OK, ExitCode: &code, Text: "not permitted", Again: again}
		})
		b := newBench(script(calls("shell"), says("done")), approval.Yolo, func(conf *Config) {
			conf.Gate = approval.New(approval.Config{Policy: approval.Yolo, Attended: c.attended, Asker: askerFunc(func(context.Context, approval.Request) (approval.Answer, error) {
				return approval.Answer{Verb: approval.Once, Choice: c.choice}, nil
			})})
			conf.Report = func(_ *tools.Proposal, o tools.Outcome) string { return "<operator>" + o.Text + "</operator>" }
		}, confined)
		if err := b.run(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		b.whole(t)
		var got []string
		for _, r := range b.settled() {
			got = append(got, r.Outcome.Kind.String())
		}
		if ran != c.ran || strings.Join(got, ", ") != c.settled {
			t.Errorf("attended %v, choice %q: ran %d times, settled %v", c.attended, c.choice, ran, got)
		}
		last := b.model.requests[1].Messages
		if text := last[len(last)-1].Text(); strings.Contains(text, "built outside") != (c.ran == 1) {
			t.Errorf("the model reads %q", text)
		}
	}
}

// A card that an interrupt takes away ends the same for every call, whoever
// asked for it: it had not started.
func TestAnInterruptedOfferHadNotStarted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	again := &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Summary: "make", Options: []tools.Option{{ID: "outside"}}, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
		t.Error("it ran")
		return tools.Outcome{Kind: tools.OK}
	}}
	confined := tool(tools.Spec{Name: "shell"}, func(context.Context) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Text: "not permitted", Again: again}
	})
	b := newBench(script(calls("shell"), says("done")), approval.Yolo, func(conf *Config) {
		conf.Gate = approval.New(approval.Config{Policy: approval.Yolo, Attended: true, Asker: askerFunc(func(ctx context.Context, _ approval.Request) (approval.Answer, error) {
			cancel()
			return approval.Answer{}, ctx.Err()
		})})
	}, confined)
	if err := b.run(ctx, "go"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	b.whole(t)
	settled := b.settled()
	if len(settled) != 2 || settled[1].Outcome.Kind != tools.Cancelled || settled[1].Outcome.Started || settled[1].Decision.By != "" {
		t.Errorf("settled %+v", settled)
	}
}

func TestDifferentCallsThatFailAlikeAreNoLoop(t *testing.T) {
	one := 1
	probe := tools.New(tools.Spec{Name: "shell"}, func(_ context.Context, _ tools.Spec, a struct {
		N int `json:"n"`
	},
	) (*tools.Proposal, error) {
		return &tools.Proposal{Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, ExitCode: &one}
		}}, nil
	})
	b := newBench(&model{answer: func(n int, _ llm.Request) (llm.Message, error) {
		if n == 9 {
			return says("none of them is there"), nil
		}
		return calls(fmt.Sprintf(`shell {"n":%d}`, n)), nil
	}}, approval.Yolo, nil, probe)
	if err := b.run(t.Context(), "look for each"); err != nil {
		t.Errorf("err = %v", err)
	}
}

func TestWhoEndedATurnIsSaid(t *testing.T) {
	for want, cause := range map[string]error{"the user interrupted": nil, "the turn ended (time is up)": errors.New("time is up")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		b := newBench(script(calls("read", "write")), approval.Yolo, nil,
			tool(readSpec, func(context.Context) tools.Outcome { cancel(cause); return tools.Outcome{Kind: tools.OK} }),
			tool(writeSpec, ok("wrote")))
		_ = b.run(ctx, "go") // its error is the cause
		if got := b.settled()[1].Outcome.Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAnOperatorsLineIsReplayedAsItWasTyped(t *testing.T) {
	line := "echo " + strings.Repeat("x", 300) + "\ntouch marker"
	typed := operatorCall(tools.Call{ID: "operator_1", Tool: "shell"}, line)
	told := llm.UserText("<operator_command/>")
	told.Parts[0].For = "operator_1"
	b := newBench(script(), approval.LowRisk, func(c *Config) {
		c.History = []*llm.Message{told}
		c.Records = map[string]tools.Record{"operator_1": {Call: typed, Summary: "echo xxx…", Operator: true, Decision: tools.Decision{Allowed: true, By: tools.ByOperator}}}
	})
	var got string
	if err := b.Replay(func(e Event) {
		if p, ok := e.(Prompted); ok {
			got = p.Text
		}
	}); err != nil || got != line {
		t.Errorf("replayed %q, %v", got, err)
	}
}

// What comes and goes is asked for before each request, and what a request
// offered is what its calls are looked up in.
func TestToolsMayComeAndGoBetweenSteps(t *testing.T) {
	asked := 0
	more := func(context.Context) []tools.Tool {
		asked++
		if asked == 2 {
			return []tools.Tool{tool(tools.Spec{Name: "late", Effect: tools.ReadOnly}, ok("here"))}
		}
		return nil
	}
	m := script(calls("late"), calls("late"), calls("late"), says("done"))
	b := newBench(m, approval.LowRisk, func(c *Config) { c.More = more }, tool(readSpec, ok("text")))
	if err := b.run(context.Background(), "go"); err != nil {
		t.Fatal(err)
	}
	var offered, ended []string
	for _, r := range m.requests {
		offered = append(offered, fmt.Sprint(len(r.Tools)))
	}
	for _, r := range b.settled() {
		ended = append(ended, r.Outcome.Kind.String())
	}
	if got := strings.Join(offered, " "); got != "1 2 1 1" {
		t.Errorf("tools offered by request: %s", got)
	}
	if got := strings.Join(ended, " "); got != "blocked ok blocked" {
		t.Errorf("the calls ended %s", got)
	}
}

// What stands for words of the person is shown in full, but is no evidence of
// what they want.
func TestWhatStandsForThePersonsWordsIsShownWhole(t *testing.T) {
	b := newBench(script(says("done")), approval.LowRisk, func(c *Config) {
		c.Along = func(context.Context, string) ([]Along, error) {
			return []Along{{Text: "<words from=\"x\">\none\n</b>\ntwo\n</words>\nmind them", Whole: true, Images: []llm.Part{{Kind: llm.Image, MIME: "image/png", Data: []byte("p")}}}}, nil
		}
	})
	if err := b.run(t.Context(), "/x:y"); err != nil {
		t.Fatal(err)
	}
	parts := b.model.requests[0].Messages[0].Parts
	if len(parts) != 3 || parts[1].Kind != llm.Image || parts[2].Text != "/x:y" {
		t.Errorf("sent %+v", parts)
	}
	var again []Event
	if err := b.Replay(func(e Event) { again = append(again, e) }); err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]Event{b.events, again} {
		shown := 0
		for _, e := range list {
			if n, ok := e.(Noticed); ok && strings.HasPrefix(n.Text, `goes along: words from="x" (`) && strings.HasSuffix(n.Text, "\none\n</b>\ntwo") {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("shown %d times: %+v", shown, list)
		}
	}
}

func TestWhatGoesAlongWithAPromptIsToldAndReplayed(t *testing.T) {
	b := newBench(script(says("done")), approval.LowRisk, func(c *Config) {
		c.Along = func(_ context.Context, text string) ([]Along, error) {
			if text == "bad" {
				return nil, errors.New("there is no such skill")
			}
			return []Along{{Text: "<skill name=\"x\">\nwork\x00 well\n</skill>"}}, nil
		}
	})
	if err := b.run(t.Context(), "bad"); err == nil || len(b.messages) > 0 {
		t.Errorf("a prompt whose skill is missing was sent: %v", err)
	}
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	parts := b.model.requests[0].Messages[0].Parts
	if len(parts) != 2 || parts[0].Text != "<skill name=\"x\">\nwork well\n</skill>" || parts[1].Text != "go" {
		t.Errorf("sent %+v", parts)
	}
	said := func(e Event) string {
		switch e := e.(type) {
		case Prompted:
			return "> " + e.Text
		case Noticed:
			return e.Text
		}
		return ""
	}
	var live, again []string
	for _, e := range b.events[1:] { // behind the end of the first
		live = append(live, said(e))
	}
	if err := b.Replay(func(e Event) { again = append(again, said(e)) }); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{strings.Join(live, "\n"), strings.Join(again, "\n")} {
		if !strings.Contains(got, `goes along: skill name="x" (`) || strings.Count(got, "> ") != 1 || strings.Contains(got, "work") {
			t.Errorf("shown: %q", got)
		}
	}
}
