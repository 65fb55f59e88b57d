package tui

import (
	"fmt"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// doubtsOf is a record of calls in doubt.
type doubtsOf struct {
	list    []Doubt
	settled []string
}

func (d *doubtsOf) Uncertain() ([]Doubt, error) { return d.list, nil }

func (d *doubtsOf) Settle(id string, f tools.Finding, note string) error {
	d.settled = append(d.settled, fmt.Sprint(id, " ", f, " ", note))
	d.list = nil
	return nil
}

func TestAnUncertainCallIsSettledByThePersonAndShownUntilThen(t *testing.T) {
	d := &doubtsOf{list: []Doubt{{ID: "c1", Tool: "shell", Summary: "git push", Detail: "it was running when zuno ended"}}}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ready.Doubts = d
	r.hides("uncertain")
	r.events(loop.Settled{Record: tools.Record{Call: tools.Call{ID: "c1", Tool: "shell"}, State: tools.Settled, Outcome: tools.Outcome{Kind: tools.Uncertain}}})
	r.shows("1 uncertain (/uncertain)")
	r.typed("/uncertain")
	r.keys("enter")
	r.pass(guard)
	r.shows("shell: git push")
	r.keys("1")
	r.pass(guard)
	r.shows("it was running when zuno ended")
	r.keys("2")
	r.pass(guard)
	r.typed("the remote has not moved")
	r.keys("enter")
	if len(d.settled) != 1 || d.settled[0] != "c1 did-not-happen the remote has not moved" {
		t.Fatalf("settled %q", d.settled)
	}
	r.hides("uncertain (")
	r.typed("/uncertain")
	r.keys("enter")
	r.pass(guard)
	if len(r.cards) != 0 {
		t.Error("there is a card for nothing")
	}
}

func TestWhatTheModelFoundOutIsCountedAtTheEndOfItsTurn(t *testing.T) {
	d := &doubtsOf{}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ready.Doubts, r.doubts = d, 1
	r.send(turnDoneMsg{})
	r.hides("uncertain (")
}
