package loop

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// answers is an asker that gives one answer after the other.
type answersOf struct {
	list []approval.Answer
	seen []approval.Request
}

func (a *answersOf) Ask(_ context.Context, r approval.Request) (approval.Answer, error) {
	a.seen = append(a.seen, r)
	ans := a.list[0]
	a.list = a.list[1:]
	return ans, nil
}

type lineArgs struct {
	Line string `json:"line"`
}

// sayTool says its line when it runs, and can be rewritten.
func sayTool(ran *[]string) tools.Tool {
	return tools.New(tools.Spec{Name: "say", Risk: tools.High}, func(_ context.Context, spec tools.Spec, a lineArgs) (*tools.Proposal, error) {
		if a.Line == "" {
			return nil, tools.Refuse(tools.InvalidArguments, "line is empty")
		}
		p := &tools.Proposal{Spec: spec, Summary: a.Line, Edit: &tools.Edit{Arg: "line", What: "the line"}}
		if a.Line == "ls" {
			p.Spec.Risk = tools.ReadOnlyRisk
		}
		if strings.HasPrefix(a.Line, "rm ") {
			p.Denied = "rm is denied"
		}
		p.Do = func(context.Context, string, func(tools.Progress)) tools.Outcome {
			*ran = append(*ran, a.Line)
			return tools.Outcome{Kind: tools.OK, Text: "said"}
		}
		return p, nil
	})
}

func edits(line string) approval.Answer {
	b, _ := json.Marshal(lineArgs{line})
	return approval.Answer{Verb: approval.Edit, Args: string(b)}
}

// What a person makes of a call takes the whole road again, and is shown before
// it runs, whatever the policy.
func TestARewrittenCallIsShownAgainBeforeItRuns(t *testing.T) {
	once, no := approval.Answer{Verb: approval.Once}, approval.Answer{Verb: approval.Deny, Reason: "no"}
	for _, c := range []struct {
		name    string
		answers []approval.Answer
		shown   string // the summaries on the cards
		ran     string
		kind    tools.Kind
		says    string // in the result
		was     string
	}{
		{"run as asked", []approval.Answer{once}, "make", "make", tools.OK, "said", ""},
		{"rewritten and run", []approval.Answer{edits("make test"), once}, "make|make test", "make test", tools.OK, "the user changed the line", `{"line":"make"}`},
		{"rewritten into what would run unasked", []approval.Answer{edits("ls"), once}, "make|ls", "ls", tools.OK, "the user changed the line", `{"line":"make"}`},
		{"rewritten and refused", []approval.Answer{edits("make test"), no}, "make|make test", "", tools.Blocked, "The user says: no", `{"line":"make"}`},
		{"rewritten twice", []approval.Answer{edits("a"), edits("b"), once}, "make|a|b", "b", tools.OK, "What was carried out:\nb\n", `{"line":"make"}`},
		{"rewritten into what is denied", []approval.Answer{edits("rm x")}, "make", "", tools.Blocked, "rm is denied", `{"line":"make"}`},
		{"rewritten into nothing, then run as it was", []approval.Answer{edits(""), once}, "make|make", "make", tools.OK, "said", ""},
		{"rewritten into nothing, then well", []approval.Answer{edits(""), edits("a"), once}, "make|make|a", "a", tools.OK, "What was carried out:\na\n", `{"line":"make"}`},
		{"rewritten with an unknown argument", []approval.Answer{{Verb: approval.Edit, Args: `{"line":"a","_execute":true}`}, no}, "make|make", "", tools.Blocked, "denied by the user", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ran []string
			a := &answersOf{list: c.answers}
			gate := approval.New(approval.Config{Policy: approval.LowRisk, Asker: a})
			b := newBench(script(calls(`say {"line":"make"}`), says("done")), approval.LowRisk, func(conf *Config) { conf.Gate = gate }, sayTool(&ran))
			if err := b.run(t.Context(), "go"); err != nil {
				t.Fatal(err)
			}
			b.whole(t)
			var shown []string
			for _, r := range a.seen {
				shown = append(shown, r.Proposal.Summary)
			}
			if got := strings.Join(shown, "|"); got != c.shown {
				t.Errorf("shown: %s, want %s", got, c.shown)
			}
			if got := strings.Join(ran, "|"); got != c.ran {
				t.Errorf("ran: %q, want %q", got, c.ran)
			}
			r := b.settled()[0]
			if r.Outcome.Kind != c.kind || !strings.Contains(r.Outcome.Told(), c.says) || string(r.Was) != c.was {
				t.Errorf("settled as %v %q, was %s", r.Outcome.Kind, r.Outcome.Told(), r.Was)
			}
			if c.was == "" && strings.Contains(r.Outcome.Text, "user changed") {
				t.Errorf("told of a change that there was not: %q", r.Outcome.Text)
			}
			kept := b.journal.Records["c0"]
			if string(kept.Call.Args) != string(r.Call.Args) || string(kept.Was) != c.was || kept.State != tools.Settled {
				t.Errorf("recorded: %+v", kept)
			}
		})
	}
}

func TestARewriteThatCannotBeRecordedDoesNotRun(t *testing.T) {
	var ran []string
	a := &answersOf{list: []approval.Answer{edits("x"), {Verb: approval.Once}}}
	gate := approval.New(approval.Config{Policy: approval.LowRisk, Asker: a})
	b := newBench(script(calls(`say {"line":"make"}`), says("done")), approval.LowRisk, func(conf *Config) { conf.Gate = gate }, sayTool(&ran))
	full := errors.New("the disk is full")
	b.journal.Fail = func(transition, _ string) error {
		if transition == "revise" {
			return full
		}
		return nil
	}
	if err := b.run(t.Context(), "go"); !errors.Is(err, full) || len(ran) > 0 {
		t.Errorf("err %v, ran %q", err, ran)
	}
}

func TestWhyARewriteCannotRunIsOnTheCard(t *testing.T) {
	var ran []string
	a := &answersOf{list: []approval.Answer{edits(""), {Verb: approval.Deny}}}
	gate := approval.New(approval.Config{Policy: approval.LowRisk, Asker: a})
	b := newBench(script(calls(`say {"line":"make"}`), says("done")), approval.LowRisk, func(conf *Config) { conf.Gate = gate }, sayTool(&ran))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if r := a.seen[1]; r.Note != "line is empty" || r.By != tools.ByEdit || r.Edit == nil {
		t.Errorf("asked %+v", r)
	}
}

// C066: the answers to several cards of one message go to the calls that they
// were given for, and what is allowed for good counts for those behind.
func TestC066AnswersGoToTheirCalls(t *testing.T) {
	var ran []string
	a := &answersOf{list: []approval.Answer{{Verb: approval.Deny, Reason: "not a"}, {Verb: approval.Once}, edits("c2"), {Verb: approval.AlwaysTool}}}
	gate := approval.New(approval.Config{Policy: approval.LowRisk, Asker: a})
	b := newBench(script(calls(`say {"line":"a"}`, `say {"line":"b"}`, `say {"line":"c"}`, `say {"line":"d"}`), says("done")), approval.LowRisk,
		func(conf *Config) { conf.Gate = gate }, sayTool(&ran))
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	b.whole(t)
	if got := strings.Join(ran, "|"); got != "b|c2|d" || len(a.seen) != 4 {
		t.Errorf("ran %s, asked %d times", got, len(a.seen))
	}
	for i, want := range []struct {
		kind tools.Kind
		by   tools.Source
	}{{tools.Blocked, tools.ByPerson}, {tools.OK, tools.ByPerson}, {tools.OK, tools.ByPerson}, {tools.OK, tools.ByTool}} {
		if r := b.settled()[i]; r.Outcome.Kind != want.kind || r.Decision.By != want.by || r.Call.ID != "c"+string(rune('0'+i)) {
			t.Errorf("call %d: %+v", i, r)
		}
	}
}
