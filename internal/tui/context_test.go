package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// A roomOf is a Room that notes what it was asked for.
type roomOf struct{ focus []string }

func (r *roomOf) Context() []string { return []string{"context: 43k of 100k tokens", "  tools  5k"} }

func (r *roomOf) Compact(_ context.Context, focus string, emit func(loop.Event)) error {
	r.focus = append(r.focus, focus)
	emit(loop.Compacting{})
	emit(loop.Noticed{Text: "context compacted: 43k → 9k tokens"})
	emit(loop.Measured{Used: 9000, Window: 100000})
	emit(loop.Ended{})
	return nil
}

func TestTheStatusSaysHowFullTheContextIsWhenItIsKnown(t *testing.T) {
	r := newRig(t, 100, 24).boot(approval.LowRisk)
	r.events(loop.Measured{Used: 43500, Window: 100000})
	r.shows("context 43 %")
	r.events(loop.Compacting{})
	r.shows("summarizing the older part of the conversation")
	r.events(loop.Measured{Used: 9000, Window: 0})
	if s := r.frameText(); strings.Contains(s, "context ") || strings.Contains(s, "summarizing") {
		t.Errorf("with an unknown window the live zone is\n%s", s)
	}
}

func TestCompactRunsAsATurnAndContextIsPrinted(t *testing.T) {
	room := &roomOf{}
	r := newRig(t, 100, 24).boot(approval.LowRisk)
	r.typed("/compact")
	r.keys("enter")
	r.shows("cannot be compacted")
	r.keys("ctrl+u")
	r.ready.Room = room
	r.typed("/compact the failing test")
	r.keys("enter")
	if len(r.started) != 1 || !r.busy {
		t.Fatalf("%d turns were started", len(r.started))
	}
	r.typed("/summarize")
	r.keys("enter")
	r.shows("a turn is running")
	r.keys("ctrl+u")
	r.typed("/context")
	r.keys("enter")
	if err := r.started[0].work(t.Context(), func(e loop.Event) { r.events(e) }); err != nil {
		t.Fatal(err)
	}
	r.send(turnDoneMsg{})
	r.pass(time.Second)
	r.shows("context 9 %")
	if room.focus[0] != "the failing test" || r.busy {
		t.Errorf("focus %q, busy is %v", room.focus, r.busy)
	}
	if got := r.printedText(); !strings.Contains(got, "context compacted: 43k → 9k tokens") || !strings.Contains(got, "context: 43k of 100k tokens\n") {
		t.Errorf("printed\n%s", got)
	}
}
