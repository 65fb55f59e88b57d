package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// costly is m with a usage, so that there is something to pay.
func costly(m llm.Message) llm.Message {
	m.Usage = llm.Usage{Input: 10, Output: 5}
	return m
}

func TestAStepThatAsksNobodyIsThreeCommits(t *testing.T) {
	for _, n := range []int{1, 8} {
		b := newBench(script(costly(calls(slices.Repeat([]string{"read"}, n)...)), costly(says("done"))), approval.LowRisk, nil, tool(readSpec, ok("text")))
		if err := b.run(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		b.whole(t)
		// The prompt; the answer with its cost, the start with what led to it, the
		// outcomes; the last answer.
		if want := 1 + 3 + 1; b.journal.Commits != want {
			t.Errorf("%d reads took %d commits, not %d: %v", n, b.journal.Commits, want, b.journal.Log)
		}
	}
}

// asking is an asker that looks around before it allows what it is asked about.
type asking func(r approval.Request)

func (f asking) Ask(_ context.Context, r approval.Request) (approval.Answer, error) {
	f(r)
	return approval.Answer{Verb: approval.Once}, nil
}

func TestWhatAPersonIsAskedAboutAndAnswersIsOnRecord(t *testing.T) {
	var b *bench
	var found []string
	ask := asking(func(r approval.Request) {
		for i := range 3 {
			found = append(found, string(b.journal.Records[fmt.Sprint("c", i)].State))
		}
	})
	spec := tools.Spec{Name: "look", Effect: tools.SideEffecting, Concurrency: tools.ParallelSafe, Risk: tools.High}
	b = newBench(script(calls("read", "look", "look"), says("done")), approval.LowRisk, func(c *Config) {
		c.Gate = approval.New(approval.Config{Policy: approval.LowRisk, Asker: ask, Attended: true})
	}, tool(readSpec, ok("text")), tool(spec, ok("seen")))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(found, " "), "decided proposed requested decided decided proposed"; got != want {
		t.Errorf("while the cards were open the record said %s, not %s", got, want)
	}
}

// The answer to an offer is on record before what it allows begins, also where
// that cannot begin.
func TestTheAnswerToAnOfferIsNotLostWithItsStart(t *testing.T) {
	broken := errors.New("the disk is full")
	again := &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Summary: "make", Options: []tools.Option{{ID: "outside"}}, Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
		t.Error("it ran")
		return tools.Outcome{Kind: tools.OK}
	}}
	b := newBench(script(calls("shell"), says("done")), approval.Yolo, func(c *Config) {
		c.Gate = approval.New(approval.Config{Policy: approval.Yolo, Attended: true, Asker: askerFunc(func(context.Context, approval.Request) (approval.Answer, error) {
			return approval.Answer{Verb: approval.Once, Choice: "outside"}, nil
		})})
	}, tool(tools.Spec{Name: "shell"}, func(context.Context) tools.Outcome {
		return tools.Outcome{Kind: tools.OK, Text: "not permitted", Again: again}
	}))
	b.journal.Fail = failing("start", "c0_again", broken)
	if err := b.run(t.Context(), "go"); !errors.Is(err, broken) {
		t.Fatalf("the turn ended with %v", err)
	}
	if r := b.journal.Records["c0_again"]; r == nil || r.Decision.By != tools.ByPerson || r.Outcome.Kind != tools.Blocked {
		t.Errorf("on record is %+v", r)
	}
}

func TestNobodyIsAskedAboutWhatCannotBeRecorded(t *testing.T) {
	broken := errors.New("the disk is full")
	b := newBench(script(calls("write"), says("done")), approval.LowRisk, func(c *Config) {
		c.Gate = approval.New(approval.Config{Policy: approval.LowRisk, Attended: true, Asker: asking(func(approval.Request) { t.Error("it was asked about") })})
	}, tool(writeSpec, ok("written")))
	b.journal.Fail = failing("propose", "", broken)
	if err := b.run(t.Context(), "go"); !errors.Is(err, broken) {
		t.Fatalf("the turn ended with %v", err)
	}
	for _, e := range b.events {
		if _, shown := e.(Proposed); shown {
			t.Error("a proposal was shown that is not on record")
		}
	}
}

func TestWhatCannotBeRecordedDoesNotRunAndIsNotShownToHave(t *testing.T) {
	broken := errors.New("the disk is full")
	for _, transition := range []string{"propose", "decide", "start"} {
		ran := false
		b := newBench(script(calls("read", "read"), says("done")), approval.LowRisk, nil, tool(readSpec, func(context.Context) tools.Outcome {
			ran = true
			return tools.Outcome{Kind: tools.OK, Text: "text"}
		}))
		b.journal.Fail = failing(transition, "c1", broken)
		if err := b.run(t.Context(), "go"); !errors.Is(err, broken) {
			t.Fatalf("%s: the turn ended with %v", transition, err)
		}
		if ran {
			t.Errorf("%s: it ran", transition)
		}
		for _, e := range b.events {
			switch e.(type) {
			case Proposed, Decided, Started:
				t.Errorf("%s: %T was shown", transition, e)
			}
		}
		if last := b.messages[len(b.messages)-1]; last.Role != llm.Tool || len(last.Parts) != 2 {
			t.Errorf("%s: the calls have no results", transition)
		}
	}
}

func TestOutcomesThatCanBeRecordedAreWhereOneCannot(t *testing.T) {
	broken := errors.New("it is too long")
	b := newBench(script(calls("read", "read", "read"), says("done")), approval.LowRisk, nil, tool(readSpec, ok("text")))
	b.journal.Fail = failing("settle", "c1", broken)
	if err := b.run(t.Context(), "go"); !errors.Is(err, broken) {
		t.Fatalf("the turn ended with %v", err)
	}
	for id, want := range map[string]tools.State{"c0": tools.Settled, "c1": tools.Started, "c2": tools.Settled} {
		if got := b.journal.Records[id].State; got != want {
			t.Errorf("%s is %s, not %s", id, got, want)
		}
	}
	if got := len(b.settled()); got != 2 {
		t.Errorf("%d outcomes were shown", got)
	}
}

// locked is the error of a record that another program has.
type locked struct{}

func (locked) Error() string { return "it is locked" }
func (locked) Timeout() bool { return true }

// To wait as long for each of many outcomes would hold the person up for minutes.
func TestALockedRecordIsWaitedForTwiceForAllOutcomes(t *testing.T) {
	for _, opens := range []int{2, 9} { // the attempt at which it is free again
		b := newBench(script(calls("read", "read", "read"), says("done")), approval.LowRisk, nil, tool(readSpec, ok("text")))
		tried := 0
		b.journal.Fail = func(transition, id string) error {
			if transition != "settle" || id != "c0" {
				return nil
			}
			if tried++; tried < opens {
				return locked{}
			}
			return nil
		}
		if err := b.run(t.Context(), "go"); (err == nil) != (opens == 2) || err != nil && !errors.Is(err, locked{}) {
			t.Errorf("the turn ended with %v", err)
		}
		if tried != 2 {
			t.Errorf("the record was tried %d times", tried)
		}
		if got, want := len(b.settled()), map[int]int{2: 3, 9: 0}[opens]; got != want {
			t.Errorf("%d outcomes were shown, not %d", got, want)
		}
	}
}

// failing fails one transition of a call, or of all of them when id is "".
func failing(transition, id string, err error) func(string, string) error {
	return func(tr, of string) error {
		if tr == transition && (id == "" || of == id) {
			return err
		}
		return nil
	}
}
