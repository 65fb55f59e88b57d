package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// polled is a card over two questions, the second with several answers.
func polled(t *testing.T) (*card, *approval.Answer) {
	t.Helper()
	var got approval.Answer
	r := approval.Request{Proposal: &tools.Proposal{
		Spec: tools.Spec{Name: "question", Effect: tools.UserMediated},
		Options: []tools.Option{
			{ID: "0.0", Label: "SQLite", Group: "Which database?"},
			{ID: "0.other", Label: "Type your own answer", Group: "Which database?", Write: true},
			{ID: "1.0", Label: "FTS", Group: "Which extras?", Many: true},
			{ID: "1.1", Label: "JSON", Group: "Which extras?", Many: true},
			{ID: "1.other", Label: "Type your own answer", Group: "Which extras?", Many: true, Write: true},
		},
	}}
	c := newCard(newTheme(nil), r, "", func(a approval.Answer) { got = a })
	return c, &got
}

func TestQuestionsAreAskedOneAfterTheOther(t *testing.T) {
	c, got := polled(t)
	if len(c.rows) != 3 || c.sections[0].Body != "Which database?" || c.choice != -1 {
		t.Fatalf("first question: %d rows, %q", len(c.rows), c.sections[0].Body)
	}
	c.take(0, time.Unix(9, 0))
	if c.sections[0].Body != "Which extras?" || len(c.rows) != 5 || got.Verb != approval.Deny {
		t.Fatalf("second question: %d rows, %q", len(c.rows), c.sections[0].Body)
	}
	c.take(3, time.Unix(9, 0)) // done, with nothing chosen
	if c.note == "" || got.Choice != "" {
		t.Error("an empty choice was taken for an answer")
	}
	c.take(0, time.Unix(9, 0))
	c.take(1, time.Unix(9, 0))
	c.take(0, time.Unix(9, 0)) // taken back
	c.take(2, time.Unix(9, 0))
	c.typed("CSV: with header", cmdNone, time.Unix(19, 0))
	c.typed("", cmdSubmit, time.Unix(19, 0))
	c.take(3, time.Unix(9, 0))
	if want := "0.0\n1.1\n1.other:CSV: with header"; got.Verb != approval.Once || got.Choice != want {
		t.Errorf("answer %q, want %q", got.Choice, want)
	}
}

func TestAQuestionIsNeverAnsweredForThePerson(t *testing.T) {
	c, got := polled(t)
	c.take(2, time.Unix(9, 0)) // none of these
	c.typed("ask later", cmdNone, time.Unix(19, 0))
	c.typed("", cmdSubmit, time.Unix(19, 0))
	if got.Verb != approval.Deny || got.Reason != "ask later" || got.Choice != "" {
		t.Errorf("answer %+v", got)
	}
}

func TestACommandIsNotAllowedBeforeAllOfItWasShown(t *testing.T) {
	var got approval.Answer
	r := approval.Request{Proposal: &tools.Proposal{
		Spec:    tools.Spec{Name: "shell"},
		Preview: []tools.Section{{Kind: tools.Command, Body: strings.Repeat("echo line\n", 40) + "touch OUT"}},
	}}
	c := newCard(newTheme(nil), r, "", func(a approval.Answer) { got = a })
	c.view(60, 12, false, time.Unix(1, 0))
	c.take(0, time.Unix(9, 0))
	if got.Verb != approval.Deny || c.note == "" {
		t.Fatalf("allowed unseen: %+v", got)
	}
	for c.scroll < c.end {
		c.scrolls(cmdPageDown)
		c.view(60, 12, false, time.Unix(1, 0))
	}
	c.take(0, time.Unix(9, 0))
	if got.Verb != approval.Once {
		t.Errorf("not allowed after all of it was shown: %+v, %q", got, c.note)
	}
}

// A server may ask when no turn runs: then two presses decline what it asks, as
// they stop a turn, and the screen is the person's again.
func TestAQuestionOutsideATurnCanBeDismissed(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		a := r.ask(pickRequest())
		r.keys(key)
		a.open(t)
		r.keys(key)
		if got := a.answered(t); got.Verb != approval.Deny || got.Choice != "" {
			t.Errorf("%s: answered %+v", key, got)
		}
		if r.card() != nil || r.quitting {
			t.Errorf("%s: the card is still there, or zuno leaves", key)
		}
	}
}
