package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// splits reports whether the frame has what goes and what comes in one row.
func (r *rig) splits() bool {
	for _, row := range strings.Split(r.frameText(), "\n") {
		if strings.Contains(row, "- ") && strings.Contains(row, "+ ") {
			return true
		}
	}
	return false
}

func TestAKeyLaysDiffsOutTheOtherWayForAllCards(t *testing.T) {
	for _, c := range []struct {
		w           int
		first, then bool
	}{{200, true, false}, {100, false, true}, {80, false, true}} {
		r := newRig(t, c.w, 40).boot(approval.LowRisk)
		r.ask(editRequest())
		second := r.ask(editRequest())
		r.pass(time.Second)
		for i, want := range []bool{c.first, c.then, c.first, c.then} {
			if got := r.splits(); got != want {
				t.Errorf("%d columns: after %d presses it is side by side: %t\n%s", c.w, i, got, r.frameText())
			}
			r.shows(map[bool]string{true: "s unified", false: "s split"}[want])
			if i < 3 {
				r.keys("s")
			}
		}
		r.keys("y")
		r.pass(time.Second)
		if got := r.splits(); got != c.then {
			t.Errorf("%d columns: the next card does not keep it\n%s", c.w, r.frameText())
		}
		second.open(t)
		r.send(withdrawMsg{second})
		r.ask(editRequest())
		r.pass(time.Second)
		if got := r.splits(); got != c.then {
			t.Errorf("%d columns: a later card does not keep it\n%s", c.w, r.frameText())
		}
	}
}

func TestWhatCannotStandSideBySideSaysWhy(t *testing.T) {
	added := editRequest()
	added.Proposal.Preview = []tools.Section{{Kind: tools.Diff, Body: "--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,2 @@\n+one\n+two\n"}}
	for _, c := range []struct {
		w       int
		request approval.Request
		says    string
	}{
		{70, editRequest(), "side by side needs a terminal of 80 columns"},
		{120, added, "nothing of this diff has anything to stand beside"},
		{120, shellRequest("go test"), "there is no diff on this card"},
	} {
		r := newRig(t, c.w, 40).boot(approval.LowRisk)
		a := r.ask(c.request)
		r.pass(time.Second)
		r.hides("s split")
		r.keys("s")
		r.shows(c.says)
		a.open(t)
		if r.layout != byWidth {
			t.Errorf("%s: it is remembered as %d", c.says, r.layout)
		}
	}
}

// The line at the top stays there, whichever way the diff is laid out.
func TestTheLineInSightStaysInSight(t *testing.T) {
	q := editRequest()
	q.Proposal.Preview[0].Body = hugeDiff(300)
	r := newRig(t, 120, 30).boot(approval.LowRisk)
	r.ask(q)
	r.pass(time.Second)
	for range 12 {
		r.keys("pgdown")
	}
	was := r.card().lineInSight()
	if was.doc == nil || r.splits() {
		t.Fatalf("nothing was scrolled: %+v", was)
	}
	for i := range 4 {
		r.keys("s")
		at := r.card().lineInSight()
		if at.line != was.line && at.doc.pair[was.line] != at.line && at.doc.pair[at.line] != was.line {
			t.Errorf("after %d presses line %d is at the top, it was %d", i+1, at.line, was.line)
		}
	}
}

// The key can be another one, and the card names that.
func TestTheCardNamesTheKeysThatThereAre(t *testing.T) {
	r := newRig(t, 120, 40).boot(approval.LowRisk)
	r.screen.keys = newKeymap(map[string][]string{"card.side_by_side": {"ctrl+k"}, "card.full_screen": {}})
	r.ask(editRequest())
	r.pass(time.Second)
	r.shows("Ctrl+K split")
	r.hides("full screen")
	r.keys("s")
	if r.splits() {
		t.Error("the old key works")
	}
	r.keys("ctrl+k")
	if !r.splits() {
		t.Errorf("the new key does nothing\n%s", r.frameText())
	}
}
