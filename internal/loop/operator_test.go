package loop

import (
	"context"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

func reporting(c *Config) {
	c.Report = func(p *tools.Proposal, o tools.Outcome) string { return "<" + p.Call.Tool + ">" + o.Text }
}

func TestWhatThePersonDoesByHandIsACallOfItsOwn(t *testing.T) {
	b := newBench(script(says("I see")), approval.Strict, reporting)
	o, err := b.Operate(context.Background(), tools.Call{ID: "rewind", Tool: "rewind"}, "asked for with /rewind",
		func(_ context.Context, c tools.Call) (*tools.Proposal, error) {
			return &tools.Proposal{Call: c, Summary: "restore a", Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
				return tools.Outcome{Kind: tools.OK, Text: "restored a"}
			}}, nil
		}, func(e Event) { b.events = append(b.events, e) })
	if err != nil || o.Kind != tools.OK {
		t.Fatalf("%v, %v", o, err)
	}
	if r := b.settled(); len(r) != 1 || !r[0].Operator || r[0].Decision.By != tools.ByOperator {
		t.Errorf("settled: %+v", r)
	}
	if log := strings.Join(b.journal.Log, ", "); log != "propose rewind, decide rewind, start rewind, settle rewind, append user" {
		t.Errorf("journal: %s", log)
	}
	if err := b.run(context.Background(), "go on"); err != nil {
		t.Fatal(err)
	}
	if m := b.model.requests[0].Messages; m[0].Text() != "<rewind>restored a" {
		t.Errorf("the model was told %q", m[0].Text())
	}
	var again []Event
	if err := b.Replay(func(e Event) { again = append(again, e) }); err != nil {
		t.Fatal(err)
	}
	if _, ok := again[0].(Settled); !ok {
		t.Errorf("it is replayed as %#v, as if it had been typed", again[0])
	}
}

func TestARestartedSessionHoldsTheOtherPast(t *testing.T) {
	b := newBench(script(says("one"), says("two"), says("three")), approval.LowRisk, reporting)
	for _, p := range []string{"first", "second"} {
		if err := b.run(context.Background(), p); err != nil {
			t.Fatal(err)
		}
	}
	b.Restart(b.messages[:2], nil, "<recovery_notice>\nb.txt stays changed\n</recovery_notice>", View{})
	if err := b.run(context.Background(), "another second"); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range b.model.requests[2].Messages {
		said = append(said, m.Text())
	}
	if got := strings.Join(said, "|"); got != "first|one|<recovery_notice>\nb.txt stays changed\n</recovery_notice>another second" {
		t.Errorf("the model was sent %q", got)
	}
	var notices []string
	if err := b.Replay(func(e Event) {
		if n, ok := e.(Noticed); ok {
			notices = append(notices, n.Text)
		}
	}); err != nil || len(notices) != 1 || notices[0] != "b.txt stays changed" {
		t.Errorf("replayed notices: %q, %v", notices, err)
	}
	if b.messages[0].Role != llm.User {
		t.Error("the conversation does not begin with the user")
	}
}

func TestWhatFollowsAChangeIsACallOfItsOwn(t *testing.T) {
	write := tool(writeSpec, func(context.Context) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Text: "written", Changes: []tools.Change{{Path: "a.go", Kind: "A"}}}
	})
	ran := 0
	follow := func(c *Config) {
		reporting(c)
		c.Follow = func(changed []tools.Change) []Follower {
			propose := func(_ context.Context, call tools.Call) (*tools.Proposal, error) {
				return &tools.Proposal{Call: call, Spec: tools.Spec{Name: "formatter", Risk: tools.High}, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
					ran++
					return tools.Outcome{Kind: tools.OK, Text: "formatted " + changed[0].Path, Changes: changed}
				}}, nil
			}
			return []Follower{{tools.Call{ID: "formatter", Tool: "formatter"}, propose}}
		}
	}
	b := newBench(script(calls("write"), says("done")), approval.HighRisk, follow, write)
	if err := b.run(context.Background(), "write it"); err != nil {
		t.Fatal(err)
	}
	r := b.settled()
	if ran != 1 || len(r) != 2 || r[1].Call.Tool != "formatter" || r[1].Outcome.Kind != tools.OK || !r[1].Operator {
		t.Fatalf("ran %d times, settled %+v", ran, r)
	}
	m := b.model.requests[1].Messages
	if got := m[len(m)-1].Text(); got != "<formatter>formatted a.go" {
		t.Errorf("the model was told %q", got)
	}
	// A gate that nobody answers blocks it, and the model is told that too.
	ran = 0
	deny := func(c *Config) {
		follow(c)
		c.Gate = approval.New(approval.Config{Policy: approval.Yolo, Rules: approval.Rules{{Tool: "formatter", Pattern: "*", Action: approval.RuleDeny}}})
	}
	b = newBench(script(calls("write"), says("done")), approval.Yolo, deny, write)
	if err := b.run(context.Background(), "write it"); err != nil {
		t.Fatal(err)
	}
	if r := b.settled(); ran != 0 || r[1].Outcome.Kind != tools.Blocked {
		t.Errorf("ran %d times, settled %+v", ran, r[1])
	}
}

func TestACallThatIsHeldBackIsBlockedUnderEveryPolicy(t *testing.T) {
	ran := 0
	write := tool(writeSpec, func(context.Context) tools.Outcome {
		ran++
		return tools.Outcome{Kind: tools.OK, Text: "written"}
	})
	b := newBench(script(calls("write"), says("I see")), approval.Yolo, func(c *Config) {
		c.Held = func(p *tools.Proposal) (string, error) {
			return "an earlier " + p.Spec.Name + " may have happened", nil
		}
	}, write)
	if err := b.run(context.Background(), "write it"); err != nil {
		t.Fatal(err)
	}
	r := b.settled()[0]
	if ran != 0 || r.Outcome.Kind != tools.Blocked || r.Decision.By != tools.ByUncertain || r.Outcome.Text != "an earlier write may have happened" {
		t.Errorf("ran %d times; %+v", ran, r)
	}
}

// A mailbox gives its messages out one request at a time.
type mailbox struct {
	list     [][]Queued
	admitted []int64 // in all
	latest   []int64 // what leaves with what is recorded next
}

func (m *mailbox) Steering() ([]Queued, error) {
	if len(m.list) == 0 {
		return nil, nil
	}
	now := m.list[0]
	m.list = m.list[1:]
	return now, nil
}

func (m *mailbox) Admit(ids ...int64) { m.admitted, m.latest = append(m.admitted, ids...), ids }

func TestWhatIsWrittenMeanwhileGoesInAtTheNextStep(t *testing.T) {
	read := tool(readSpec, ok("content"))
	box := &mailbox{list: [][]Queued{{{7, "use tabs"}}, {{8, "and test it"}}}}
	b := newBench(script(calls("read"), says("done"), says("tested")), approval.LowRisk, func(c *Config) { c.Inbox = box }, read)
	if err := b.run(context.Background(), "look"); err != nil {
		t.Fatal(err)
	}
	if len(box.admitted) != 2 || box.admitted[0] != 7 || box.admitted[1] != 8 {
		t.Errorf("admitted %v", box.admitted)
	}
	last := func(n int) string {
		m := b.model.requests[n].Messages
		return m[len(m)-1].Text()
	}
	if last(0) != "look" || last(1) != "use tabs" || last(2) != "and test it" || len(b.model.requests) != 3 {
		t.Errorf("the requests end with %q, %q, %q", last(0), last(1), last(2))
	}
	if p, is := b.events[len(b.events)-1].(Ended); !is || p.Err != nil {
		t.Errorf("the turn ended with %+v", b.events[len(b.events)-1])
	}
	b.whole(t)
}
