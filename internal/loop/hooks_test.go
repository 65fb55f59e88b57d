package loop

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// fixed are hooks that always say the same.
type fixed struct{ prompted, proposed, settled, stopping, compacting Ruling }

func (f fixed) Prompted(context.Context, string) Ruling          { return f.prompted }
func (f fixed) Proposed(context.Context, *tools.Proposal) Ruling { return f.proposed }
func (f fixed) Settled(context.Context, tools.Record) Ruling     { return f.settled }
func (f fixed) Stopping(context.Context, bool) Ruling            { return f.stopping }
func (f fixed) Compacting(context.Context) Ruling                { return f.compacting }

func TestHooksTightenAndNeverLoosen(t *testing.T) {
	block, ask := Ruling{Block: true, Reason: "no"}, Ruling{Ask: true, Reason: "hm"}
	for _, c := range []struct {
		name   string
		policy approval.Policy
		says   Ruling
		ran    int
		by     tools.Source
	}{
		{"nothing", approval.Yolo, Ruling{}, 1, tools.ByPolicy},
		{"nothing does not allow", approval.LowRisk, Ruling{}, 0, tools.ByNobody},
		{"a block under yolo", approval.Yolo, block, 0, tools.ByHook},
		{"an ask", approval.HighRisk, ask, 0, tools.ByNobody},
		{"an ask under yolo", approval.Yolo, ask, 0, tools.ByHook},
	} {
		ran := 0
		w := tool(writeSpec, func(context.Context) tools.Outcome { ran++; return tools.Outcome{Kind: tools.OK, Text: "done"} })
		b := newBench(script(calls("write"), says("ok")), c.policy, func(conf *Config) { conf.Hooks = fixed{proposed: c.says} }, w)
		if err := b.run(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		b.whole(t)
		if r := b.settled()[0]; ran != c.ran || r.Decision.By != c.by {
			t.Errorf("%s: ran %d times, decided by %s: %s", c.name, ran, r.Decision.By, r.Outcome.Text)
		}
	}
}

func TestWhatHooksSayIsRecordedForTheModelAndNobodysPrompt(t *testing.T) {
	read := tool(readSpec, ok("alpha"))
	b := newBench(script(calls("read"), says("1"), says("2"), says("3"), says("4"), says("5"), says("6")), approval.LowRisk, func(c *Config) {
		c.Hooks = fixed{settled: Ruling{Context: "tidy\x00 up", Notices: []string{"for you"}}, stopping: Ruling{Block: true, Reason: "test it"}}
	}, read)
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if n := len(b.model.requests); n != 2+maxSentOn {
		t.Errorf("the model was asked %d times", n)
	}
	var again []string
	if err := b.Replay(func(e Event) {
		switch e := e.(type) {
		case Prompted:
			again = append(again, "> "+e.Text)
		case Noticed:
			again = append(again, e.Text)
		case Ended:
			again = append(again, "end")
		}
	}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(again, "\n"); strings.Count(got, ">") != 1 || strings.Count(got, "end") != 1 || strings.Count(got, `goes along: hook event="Stop"`) != maxSentOn || !strings.Contains(got, `goes along: hook event="PostToolUse"`) {
		t.Errorf("replayed %s", got)
	}
	if last := b.model.requests[1].Messages; !strings.Contains(last[len(last)-1].Text(), "about the call of read (read): tidy up") {
		t.Errorf("the model reads %q", last[len(last)-1].Text())
	}
}

func TestAPromptThatAHookStopsLeavesNothing(t *testing.T) {
	b := newBench(script(says("ok")), approval.LowRisk, func(c *Config) { c.Hooks = fixed{prompted: Ruling{Block: true, Reason: "no"}} })
	var stopped *StoppedError
	if err := b.run(t.Context(), "go"); !errors.As(err, &stopped) || len(b.messages) > 0 || len(b.model.requests) > 0 {
		t.Errorf("%v, %d messages", err, len(b.messages))
	}
}

// choosy stops what is not polite.
type choosy struct{ fixed }

func (choosy) Prompted(_ context.Context, text string) Ruling {
	return Ruling{Block: strings.HasPrefix(text, "now!"), Reason: "be polite"}
}

// A message that a hook stops leaves with the next one that is recorded.
func TestWhatAHookStopsDoesNotWaitBehindWhatItLetsThrough(t *testing.T) {
	box := &mailbox{list: [][]Queued{{{7, "now! tabs"}, {8, "please test it"}}}}
	b := newBench(script(calls("read"), says("done")), approval.LowRisk, func(c *Config) {
		c.Inbox, c.Hooks = box, choosy{}
	}, tool(readSpec, ok("content")))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(box.latest, []int64{7, 8}) || !strings.Contains(b.notices(), "be polite") {
		t.Errorf("admitted %v: %s", box.latest, b.notices())
	}
}

func TestWhatIsWrittenMeanwhileIsJudgedLikeAPrompt(t *testing.T) {
	for _, block := range []bool{false, true} {
		box := &mailbox{list: [][]Queued{{{7, "use tabs"}}}}
		b := newBench(script(calls("read"), says("done")), approval.LowRisk, func(c *Config) {
			c.Inbox = box
			c.Hooks = later{block: block}
			c.Attach = func(context.Context, string) ([]llm.Part, []string) {
				return []llm.Part{{Kind: llm.Text, Text: "a file"}}, nil
			}
			c.Along = func(context.Context, string) ([]Along, error) {
				return []Along{{Text: "<skill>\nmind it\n</skill>"}}, nil
			}
		}, tool(readSpec, ok("content")))
		if err := b.run(t.Context(), "go"); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range b.messages {
			for _, p := range m.Parts {
				if m.Role == llm.User {
					texts = append(texts, p.Text)
				}
			}
		}
		got, want := strings.Join(texts, "|"), "a file|<skill>\nmind it\n</skill>|go"
		if !block {
			want += "|a file|<hook event=\"UserPromptSubmit\">\nmild\n</hook>|<skill>\nmind it\n</skill>|use tabs"
		}
		if got != want || len(box.admitted) != 1 {
			t.Errorf("recorded %q, admitted %v", got, box.admitted)
		}
		var again []string
		if err := b.Replay(func(e Event) {
			if p, is := e.(Prompted); is {
				again = append(again, p.Text)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(again, "|"); got != "go" && (block || got != "go|use tabs") {
			t.Errorf("replayed %q", got)
		}
	}
}

// later says nothing about the first prompt, and something about the others.
type later struct {
	fixed
	block bool
}

func (l later) Prompted(_ context.Context, text string) Ruling {
	if text == "go" {
		return Ruling{}
	}
	return Ruling{Block: l.block, Reason: "no", Context: "mild"}
}
