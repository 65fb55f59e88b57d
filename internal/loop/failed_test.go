package loop

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
)

func refusal(m llm.Message) llm.Message {
	m.Stop = llm.StopRefusal
	for _, p := range m.Parts {
		if p.Call != nil {
			p.Call.Broken = "taken back"
		}
	}
	return m
}

// TestTheModelIsToldOfATurnThatFailed: once, with why and what came of it, in this
// process and in the next.
func TestTheModelIsToldOfATurnThatFailed(t *testing.T) {
	down := &llm.Error{Kind: llm.Rejected, Provider: "p", Message: "no </turn_failed> today."}
	for name, c := range map[string]struct {
		answer modelFunc
		want   []string
	}{
		"before the answer": {
			func(int, llm.Request) (llm.Message, error) { return llm.Message{}, down },
			[]string{"p: no &lt;/turn_failed> today.\nYou had not answered, and made no call: nothing was done."},
		},
		"in the answer": {
			func(int, llm.Request) (llm.Message, error) { return says("half"), down },
			[]string{"What you had said stands above; you made no call, and nothing was done."},
		},
		"after a call": {
			func(n int, _ llm.Request) (llm.Message, error) {
				if n == 0 {
					return calls("read"), nil
				}
				return llm.Message{}, down
			},
			[]string{"what your calls came to stands above; whatever else was asked for was not done."},
		},
		"an interrupt": {
			func(int, llm.Request) (llm.Message, error) { return llm.Message{}, context.Canceled },
			[]string{"end: the user interrupted it."},
		},
		"a refusal": {
			func(int, llm.Request) (llm.Message, error) { return refusal(says("I can")), nil },
			[]string{"end: the provider stopped the answer: it was refused or filtered."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := &model{answer: c.answer}
			b := newBench(m, approval.LowRisk, nil, tool(readSpec, ok("x")))
			if err := b.run(t.Context(), "first"); err == nil {
				t.Fatal("the turn did not fail")
			}
			m.answer = func(int, llm.Request) (llm.Message, error) { return says("done"), nil }
			told := func(ms []*llm.Message) string {
				var list []string
				for _, m := range ms {
					for _, p := range m.Parts {
						if p.For == failedFor {
							list = append(list, p.Text)
						}
					}
				}
				return strings.Join(list, "|")
			}
			next := New(Config{Model: m, Journal: b.journal, Gate: b.conf.Gate, Tools: b.conf.Tools, History: b.said(), Records: b.records, Failed: b.journal.Failure})
			var replayed string
			for name, s := range map[string]*Session{"this process": b.Session, "the next": next} {
				before := len(b.journal.Messages)
				for _, text := range []string{"second", "third"} {
					if err := s.Prompt(t.Context(), text, func(Event) {}); err != nil {
						t.Fatal(err)
					}
				}
				got := told(m.requests[len(m.requests)-1].Messages)
				for _, want := range c.want {
					if !strings.Contains(got, want) || strings.Count(got, "<turn_failed>") != 1 || strings.Count(got, "</turn_failed>") != 1 {
						t.Errorf("in %s the model was told %q, want %q", name, got, want)
					}
				}
				b.journal.Messages = b.journal.Messages[:before]
				_ = s.Replay(func(e Event) {
					switch e := e.(type) {
					case Prompted:
						replayed += e.Text
					case Noticed:
						replayed += e.Text
					}
				})
			}
			if strings.Contains(replayed, "turn_failed") || !strings.Contains(replayed, "firstsecondthird") {
				t.Errorf("replayed as %q", replayed)
			}
		})
	}
}

// said is the history as a store would return it.
func (b *bench) said() []*llm.Message {
	var list []*llm.Message
	for _, m := range b.messages {
		if m.Role != llm.Tool {
			list = append(list, m)
		}
	}
	return list
}

func TestATurnThatWasKilledIsToldOf(t *testing.T) {
	m := script(says("done"))
	b := newBench(m, approval.LowRisk, func(c *Config) {
		c.History, c.Cut = []*llm.Message{llm.UserText("one"), {Role: llm.Assistant, Parts: says("yes").Parts}, llm.UserText("two")}, true
	})
	if err := b.run(t.Context(), "three"); err != nil {
		t.Fatal(err)
	}
	text := m.requests[0].Messages[3].Text()
	if !strings.Contains(text, unexplained) || !strings.Contains(text, "made no call: nothing was done") || !strings.HasSuffix(text, "three") {
		t.Errorf("the model reads %q", text)
	}
}

// TestARefusedAnswerEndsTheTurn: neither is it asked for again, nor are its calls
// carried out.
func TestARefusedAnswerEndsTheTurn(t *testing.T) {
	for name, m := range map[string]llm.Message{"nothing": {}, "text": says("I can"), "a call": calls("write")} {
		b := newBench(script(refusal(m)), approval.Yolo, nil, tool(writeSpec, ok("written")))
		if err := b.run(t.Context(), "go"); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
		for _, r := range b.settled() {
			if r.State == "started" || r.Outcome.Text == "written" {
				t.Errorf("%s: %+v", name, r)
			}
		}
		b.whole(t)
	}
	full := says("half")
	full.Stop, full.Usage = llm.StopFull, llm.Usage{Input: 20_000, Output: 4000}
	f := newBench(script(full), approval.Yolo, func(c *Config) { c.Info.Context = 90_000 })
	if err := f.run(t.Context(), "go"); !errors.Is(err, ErrFull) || f.Context().Window != 20_000 {
		t.Errorf("an answer without room for the rest: %v; reckoned with %+v", err, f.Context())
	}
	cut := llm.Message{Stop: llm.StopLength}
	b := newBench(script(cut), approval.Yolo, nil)
	if err := b.run(t.Context(), "go"); !errors.Is(err, ErrCutOff) {
		t.Errorf("an answer of thoughts alone that reached the limit: %v", err)
	}
}

// TestEveryAttemptIsAccountedFor: what is not known is not nothing.
func TestEveryAttemptIsAccountedFor(t *testing.T) {
	usage := llm.Usage{Input: 10, Output: 2}
	n := 0
	flaky := llm.Retrying(&model{answer: func(int, llm.Request) (llm.Message, error) {
		n++
		m := says("done")
		switch n {
		case 1:
			return llm.Message{Model: "p/m"}, &llm.Error{Kind: llm.Incomplete, Provider: "p", Message: "it broke off"}
		case 2:
			return llm.Message{Model: "p/m", Usage: llm.Usage{Input: 7}}, &llm.Error{Kind: llm.Stalled, Provider: "p"}
		case 3:
			return llm.Message{}, &llm.Error{Kind: llm.Transport, Provider: "p"}
		case 4:
			return llm.Message{}, &llm.Error{Kind: llm.RateLimit, Status: 429, Provider: "p"}
		case 5:
			m.Usage = usage
		}
		return m, nil
	}}, llm.RetryPolicy{Attempts: 5, Sleep: func(context.Context, time.Duration) error { return nil }})
	b := newBench(nil, approval.LowRisk, func(c *Config) { c.Model, c.Info.Price = flaky, llm.Price{Input: 1e6} })
	for range 2 {
		if err := b.run(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
	}
	var got []llm.Expense
	for _, e := range b.events {
		if u, ok := e.(Used); ok {
			u.Took = 0
			got = append(got, llm.Expense(u))
		}
	}
	want := []llm.Expense{
		{Purpose: "conversation", Model: "p/m", Unreported: true, Failure: "incomplete: p: it broke off"},
		{Purpose: "conversation", Model: "p/m", Usage: llm.Usage{Input: 7}, Cost: 7, Unreported: true, Failure: "stalled: p: failed"},
		{Purpose: "conversation", Usage: usage, Cost: 10},
		{Purpose: "conversation", Unreported: true},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("attempt %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestAPauseThatIsInterruptedIsNoAttempt(t *testing.T) {
	for pause, want := range map[bool]string{
		true:  "incomplete: p: it broke off",
		false: "incomplete: p: it broke off|interrupted",
	} {
		ctx, stop := context.WithCancel(t.Context())
		flaky := llm.Retrying(&model{answer: func(n int, _ llm.Request) (llm.Message, error) {
			if n > 0 {
				stop()
				return llm.Message{Model: "p/m"}, ctx.Err()
			}
			return llm.Message{Model: "p/m"}, &llm.Error{Kind: llm.Incomplete, Provider: "p", Message: "it broke off"}
		}}, llm.RetryPolicy{Sleep: func(context.Context, time.Duration) error {
			if pause {
				stop()
			}
			return ctx.Err()
		}})
		b := newBench(nil, approval.LowRisk, func(c *Config) { c.Model = flaky })
		if err := b.run(ctx, "go"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		var got []string
		for _, e := range b.events {
			if u, ok := e.(Used); ok {
				got = append(got, u.Failure)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("attempts %q, want %q", got, want)
		}
	}
}

func TestAPartOfAnEndlessAnswerIsKept(t *testing.T) {
	b := newBench(&model{answer: func(int, llm.Request) (llm.Message, error) {
		return says(strings.Repeat("spam ", 1<<20)), &llm.Error{Kind: llm.Rejected, Message: "no end"}
	}}, approval.LowRisk, nil)
	_ = b.run(t.Context(), "go")
	kept := b.messages[len(b.messages)-1].Text()
	if len(kept) > 70<<10 || !strings.Contains(kept, "it was longer") || !strings.Contains(kept, "the answer broke off here") {
		t.Errorf("%d bytes are kept", len(kept))
	}
}

// TestReasoningThatIsRefusedIsLeftOut: another key, or another server, cannot read
// what it signed. The record keeps it.
func TestReasoningThatIsRefusedIsLeftOut(t *testing.T) {
	signed := func(m *llm.Message) bool { return unreasoned(m) != m }
	bad := &llm.Error{Kind: llm.BadThought, Status: 400, Message: "invalid signature"}
	m := &model{}
	m.answer = func(n int, req llm.Request) (llm.Message, error) {
		if slices.ContainsFunc(req.Messages, signed) {
			return llm.Message{}, bad
		}
		if n > 0 {
			return says("done"), nil
		}
		a := calls("read")
		a.Parts[0].Call.Opaque = json.RawMessage(`"sig"`)
		a.Parts = append([]llm.Part{{Kind: llm.Thinking, Text: "hm", Opaque: json.RawMessage(`"sig"`)}}, a.Parts...)
		return a, nil
	}
	b := newBench(m, approval.LowRisk, nil, tool(readSpec, ok("x")))
	if err := b.run(t.Context(), "go"); err != nil || len(m.requests) != 3 || !strings.Contains(b.notices(), "left out from here on") {
		t.Fatalf("%v after %d requests: %s", err, len(m.requests), b.notices())
	}
	if !signed(b.journal.Messages[1]) || b.messages[1].Parts[0].Text != "hm" {
		t.Error("the record lost what was signed")
	}
	// When there is none to leave out, it is an error like another.
	m.answer = func(int, llm.Request) (llm.Message, error) { return llm.Message{}, bad }
	if err := b.run(t.Context(), "more"); !errors.Is(err, bad) || len(m.requests) != 4 {
		t.Errorf("%v after %d requests", err, len(m.requests))
	}
}

func TestACallThatIsWrittenOutIsSaidToBeNone(t *testing.T) {
	specs := []llm.ToolSpec{{Name: "read"}}
	for text, want := range map[string]bool{
		"<tool_call>\n{\"name\": \"read\"}\n</tool_call>":                      true,
		"I look.\n<function=read>\n<parameter=path>a</parameter>\n</function>": true,
		`{"type":"function","name":"read","parameters":{"path":"a"}}`:          true,
		`{"name":"functions.read","arguments":{}}`:                             true,
		`[TOOL_CALLS][{"name":"read","arguments":{}}]`:                         true,
		"<｜tool▁calls▁begin｜>read":                                             true,
		"<|channel|>commentary to=functions.read <|message|>{}":                true,
		`{"name":"zuno","parameters":{}}`:                                      false,
		`{"name":"read"}`:                                                      false,
		"Models write\n```\n<tool_call>\n```\nas a call.":                      false,
		"A call begins with <tool_call>, says the template.":                   false,
		"done": false,
		"":     false,
	} {
		if got := writtenOut(text, specs); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	b := newBench(script(says("<tool_call>\n{}\n</tool_call>")), approval.LowRisk, nil, tool(readSpec, ok("x")))
	if err := b.run(t.Context(), "go"); err != nil || !strings.Contains(b.notices(), "nothing was run") || len(b.settled()) != 0 {
		t.Errorf("%v; %s", err, b.notices())
	}
}

// TestAPromptThatCannotBeRecordedIsNotSent: the person is told so, and the model
// not at all.
func TestAPromptThatCannotBeRecordedIsNotSent(t *testing.T) {
	full := errors.New("the disk is full")
	b := newBench(script(says("done")), approval.Yolo, nil)
	b.journal.Fail = func(string, string) error { return full }
	err := b.run(t.Context(), "go")
	var unsaid *UnsaidError
	if !errors.As(err, &unsaid) || !errors.Is(err, full) || len(b.model.requests) != 0 || len(b.messages) != 0 {
		t.Errorf("%v; %d requests, %d messages", err, len(b.model.requests), len(b.messages))
	}
	b.journal.Fail = nil
	if err := b.run(t.Context(), "go"); err != nil || strings.Contains(b.model.requests[0].Messages[0].Text(), "turn_failed") {
		t.Errorf("%v; the model reads %q", err, b.model.requests[0].Messages[0].Text())
	}
}
