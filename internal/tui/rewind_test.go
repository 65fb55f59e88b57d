package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A pastOf is a Past of given rows.
type pastOf struct {
	turns   []PastTurn
	asked   []string
	did     []string
	refuses error
}

func (p *pastOf) Turns() ([]PastTurn, error) { return p.turns, p.refuses }

func (p *pastOf) Plan(id string) (*Rewind, error) {
	p.asked = append(p.asked, id)
	return &Rewind{
		Title:    "back to before “fix it”",
		Sections: []tools.Section{{Kind: tools.Text, Body: "a.txt is put back\nb.txt stays: it changed since"}},
		Choices:  []tools.Option{{ID: "both", Label: "Files and conversation"}, {ID: "files", Label: "Files only"}},
		Walk: func(_ context.Context, choice string, emit func(loop.Event)) (string, error) {
			p.did = append(p.did, choice)
			emit(loop.Ended{})
			return "fix it", nil
		},
	}, nil
}

func rewindRig(t *testing.T, p *pastOf) *rig {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ready.Past = p
	return r
}

func TestEscEscWhenIdleGoesBackToWhatThePersonChoosesAndNoFurther(t *testing.T) {
	p := &pastOf{turns: []PastTurn{{"2", "fix it", "a.txt +1 −1"}, {"1", "look around", "no file changed"}}}
	r := rewindRig(t, p)
	r.keys("esc")
	r.shows("Esc again: go back to an earlier prompt")
	r.keys("esc")
	r.shows("fix it")
	r.shows("look around")
	r.pass(guard)
	r.keys("1")
	r.pass(time.Second)
	r.shows("b.txt stays: it changed since")
	if len(p.asked) != 1 || p.asked[0] != "2" || len(p.did) != 0 || len(r.started) != 0 {
		t.Fatalf("planned %q, did %q, started %d", p.asked, p.did, len(r.started))
	}
	r.pass(guard)
	r.keys("2")
	r.pass(time.Second)
	if len(r.started) != 1 || r.started[0].work == nil || !r.busy {
		t.Fatalf("started %+v", r.started)
	}
	err := r.started[0].work(context.Background(), func(e loop.Event) { r.events(e) })
	r.send(turnDoneMsg{err: err})
	if len(p.did) != 1 || p.did[0] != "files" {
		t.Errorf("did %q", p.did)
	}
	if got := r.composer.buf.text(); got != "fix it" || r.busy {
		t.Errorf("the composer holds %q, busy %v", got, r.busy)
	}
}

func TestEscClosesTheCardOfARewindAndNothingHappens(t *testing.T) {
	p := &pastOf{turns: []PastTurn{{"1", "fix it", ""}}}
	for _, how := range []string{"esc", "alt+esc"} {
		r := rewindRig(t, p)
		r.typed("/rewind")
		r.keys("enter")
		r.pass(guard)
		r.send(wakeMsg{})
		r.shows("Esc close")
		r.keys(how)
		r.hides("fix it")
		if len(r.cards) != 0 || len(r.started) != 0 || r.quit {
			t.Errorf("%s: %d cards, started %v", how, len(r.cards), r.started)
		}
	}
	if len(p.asked) != 0 {
		t.Errorf("planned %q", p.asked)
	}
}

func TestARewindSaysWhyThereIsNone(t *testing.T) {
	say := func(p Past, want string, before func(r *rig)) {
		t.Helper()
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.ready.Past = p
		if before != nil {
			before(r)
		}
		r.typed("/rewind")
		r.keys("enter")
		if !strings.Contains(r.hint, want) || len(r.cards) != 0 {
			t.Errorf("hint %q, want %q; %d cards", r.hint, want, len(r.cards))
		}
	}
	say(nil, "keeps nothing", nil)
	say(&pastOf{}, "nothing to take back yet", nil)
	say(&pastOf{refuses: errors.New("read the record: it is damaged")}, "it is damaged", nil)
	say(&pastOf{turns: []PastTurn{{"1", "x", ""}}}, "a turn is running", func(r *rig) { r.busy = true })
}
