package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// C058: what is long is on the card in full, in reach of the keyboard before it
// is answered, says how much is out of sight, and never pushes the answers off.
func TestC058LongThingsOnTheCard(t *testing.T) {
	third := patchRequest()
	third.Proposal.Preview[len(third.Proposal.Preview)-1].Body = "--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-the bad one\n"
	guarded := bigRequest()
	guarded.Proposal.Manual = "AGENTS.md steers agents"
	written := editRequest()
	written.Proposal.Preview = []tools.Section{{Kind: tools.Diff, Title: "A w.txt", Body: "--- /dev/null\n+++ b/w.txt\n@@ -0,0 +1,20001 @@\n" + strings.Repeat("+"+strings.Repeat("x", 100)+"\n", 20_000) + "+the last line of 2 MB\n"}}
	for _, c := range []struct {
		name, last string
		q          approval.Request
		whole      bool // it has to be seen to the end before it is allowed
	}{
		{"a command of 3000 characters", "; touch OUT", shellRequest(strings.Repeat("echo a; ", 374) + "; touch OUT"), true},
		{"a here document of 60 lines", "EOF", shellRequest("cat <<'EOF'\n" + strings.Repeat("line\n", 60) + "EOF"), true},
		{"50,000 changed lines", "value24999 := compute(second, 24999)", bigRequest(), false},
		{"50,000 changed lines that only a person may allow", "value24999 := compute(second, 24999)", guarded, true},
		{"a write of 2 MB", "the last line of 2 MB", written, false},
		{"three files, the third is the bad one", "the bad one", third, false},
	} {
		for _, size := range [][2]int{{80, 24}, {40, 10}, {150, 18}} {
			r := newRig(t, size[0], size[1]).boot(approval.LowRisk)
			a := r.ask(c.q)
			r.pass(time.Second)
			if n := r.card().linesDrawn(); n > 3*size[1] {
				t.Errorf("%s at %v: %d lines of a diff are drawn to open the card", c.name, size, n)
			}
			if r.card().end > 0 {
				r.shows("more line")
			}
			r.shows("y")
			if c.whole && r.card().end > 0 {
				r.keys("1")
				a.open(t)
				r.shows("not all of it was shown yet")
			}
			for i := 0; c.whole && c.q.Proposal.Manual == "" && r.card().scroll < r.card().end && i < 500; i++ {
				r.keys("pgdown")
			}
			r.keys("end")
			if flat := strings.NewReplacer("\n", "", "│", "", " ", "").Replace(r.frameText()); !strings.Contains(flat, strings.ReplaceAll(c.last, " ", "")) && size[1] > 10 {
				t.Errorf("%s at %v: its end is out of reach:\n%s", c.name, size, r.frameText())
			}
			a.open(t)
			r.keys("1")
			if got := a.answered(t); got.Verb != approval.Once {
				t.Errorf("%s at %v: answered %+v", c.name, size, got)
			}
		}
	}
}

// A diff of any length is drawn as far as it is in sight, and no further.
func TestOnlyWhatIsInSightOfADiffIsDrawn(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ask(bigRequest())
	r.pass(time.Second)
	for i := range 50 {
		r.keys([]string{"pgdown", "end", "home", "down"}[i%4])
	}
	d := r.card().docs[0]
	if n := len(d.words); n == 0 || n > 2000 {
		t.Errorf("the words of %d lines were compared", n)
	}
	if len(d.lines) < 50_000 || len(d.hunks) != 1 {
		t.Errorf("%d lines, %d hunks", len(d.lines), len(d.hunks))
	}
}

// C066: each card shows its own call, an answer goes to the call that is shown
// and to no other, and taking one away leaves the rest.
func TestC066SeveralCardsAtOnce(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	var asks []*ask
	for i := range 4 {
		q := shellRequest(fmt.Sprintf("touch file%d", i))
		q.Proposal.Call.ID, q.Waiting = fmt.Sprint("c", i), 3-i
		asks = append(asks, r.ask(q))
	}
	r.pass(time.Second)
	r.shows("touch file0")
	r.shows("3 more waiting")
	r.hides("touch file1")
	r.keys("n", "n", "o", "enter")
	if got := asks[0].answered(t); got.Verb != approval.Deny || got.Reason != "no" {
		t.Errorf("first: %+v", got)
	}
	// The next has a guard of its own: what is still being typed is not for it.
	r.send(keyOf("y"))
	asks[1].open(t)
	r.pass(time.Second)
	asks[1].open(t)
	r.shows("touch file1")
	r.send(withdrawMsg{asks[2]}) // a policy change decided it
	r.shows("touch file1")
	r.keys("esc")
	r.shows("touch file1")
	asks[1].open(t)
	r.pass(2 * time.Second)
	r.keys("y")
	if got := asks[1].answered(t); got.Verb != approval.Once {
		t.Errorf("second: %+v", got)
	}
	r.shows("touch file3")
	asks[3].open(t)
	r.pass(time.Second)
	r.keys("t")
	if got := asks[3].answered(t); got.Verb != approval.AlwaysTool {
		t.Errorf("fourth: %+v", got)
	}
	asks[2].open(t)
	if len(r.cards) != 0 {
		t.Errorf("%d cards are left", len(r.cards))
	}
}

// C070: the answers can be reached at 40 by 10, and nothing breaks at any size.
func TestC070CardsOfEveryKindAtEverySize(t *testing.T) {
	for _, k := range kinds() {
		for _, size := range [][2]int{{1, 1}, {2, 2}, {10, 1}, {1, 50}, {40, 10}, {500, 200}} {
			c := k.make()
			c.view(size[0], size[1], false, time.Unix(9, 0))
			for _, cmd := range []command{cmdFull, cmdNextHunk, cmdBottom, cmdFull, cmdDown, cmdPrevFile, cmdTop, cmdNextRow} {
				c.key("", "", cmd, time.Unix(9, 0))
				c.view(size[0], size[1], false, time.Unix(9, 0))
			}
			if size[0] == 40 && len(c.rows) > 0 {
				rows := strings.Join(c.view(40, 10, false, time.Unix(9, 0)).rows, "\n")
				if !strings.Contains(rows, firstOf(c.rows[0].letter, "1")) {
					t.Errorf("%s: no answers in\n%s", k.name, rows)
				}
			}
		}
	}
}

// linesDrawn counts the lines of diffs that were coloured so far.
func (c *card) linesDrawn() int {
	n := 0
	for _, x := range c.body.slabs {
		if d, is := x.(*diffBody); is {
			n += len(d.styled)
		}
	}
	return n
}
