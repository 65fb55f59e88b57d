package tui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// C070: at the size of a small pane every answer of a card can still be given.
func TestCardsAreAnsweredWhereThereIsHardlyRoom(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {20, 6}} {
		for key, want := range map[string]approval.Verb{"y": approval.Once, "n": approval.Deny} {
			r := newRig(t, size[0], size[1]).boot(approval.LowRisk)
			a := r.ask(shellRequest("git status"))
			r.pass(time.Second)
			r.keys("down", "down", "down", "down", "down", "down", key)
			if want == approval.Deny {
				r.keys("enter")
			}
			if got := a.answered(t); got.Verb != want {
				t.Errorf("%v: %s answers %v", size, key, got.Verb)
			}
		}
	}
}

// C075: a megabyte is taken at once, and what looks like the end of a paste
// within one never becomes keys that send it.
func TestAHugePasteIsTakenAtOnce(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	big := strings.Repeat("日本語 x ", 1<<20/14)
	linear(t, func(n int) { r.send(tea.PasteMsg{Content: big[:n]}) }, len(big))
	r.composer.take()
	r.send(tea.PasteMsg{Content: big})
	r.send(tea.PasteMsg{Content: "before\x1b[201~\rafter"})
	if len(r.started) != 0 {
		t.Error("the paste was sent")
	}
	r.keys("enter")
	if got := r.started[0].text; !strings.HasPrefix(got, big[:100]) || !strings.HasSuffix(got, "before[201~\nafter") {
		t.Errorf("sent %d bytes that end with %q", len(got), got[len(got)-30:])
	}
}

// C078: whatever a character takes, no row is too wide and a press moves by one
// character, wherever it is shown.
func TestWideAndJoinedCharacters(t *testing.T) {
	words := []string{"日本語", "한국어", "👨‍👩‍👧", "🇪🇺", "⚙️", "é", "﷽", "שלום", "العربية", "a\tb", "so\u00adft"}
	all := strings.Join(words, " ")
	for _, w := range []int{20, 37, 60} {
		r := newRig(t, w, 24).boot(approval.LowRisk)
		r.ready.Branch = all
		r.composer.paste(all)
		r.events(loop.Prompted{Text: all}, loop.Delta{Text: "| " + strings.Join(words, " | ") + " |\n|" + strings.Repeat("---|", len(words)) + "\n\n- " + all + "\n\n"},
			loop.Stepped{Calls: 1}, loop.Proposed{Call: callOf("1", all), Proposal: &tools.Proposal{Call: callOf("1", all), Summary: all}}, loop.Started{Call: callOf("1", all)},
			loop.Progress{Call: callOf("1", all), Progress: tools.Progress{Text: all}})
		check := func(where string, rows []string) {
			t.Helper()
			for _, row := range rows {
				if width(row) > w-1 {
					t.Errorf("%d columns, %s: %q takes %d", w, where, row, width(row))
				}
			}
		}
		check("live", r.shown.rows)
		check("printed", r.lines)
		r.ask(shellRequest(all))
		r.pass(time.Second)
		check("card", r.shown.rows)
		r.cards = nil
		r.events(settledCall("1", "shell", all, all+"\n", tools.OK))
		r.transcript("")
		check("pager", r.pager.view(all))
		r.leavePager(r.clock)
		n := len(r.composer.buf.cells)
		for range n {
			r.send(keyOf("left"))
		}
		if r.composer.buf.at != 0 {
			t.Errorf("%d presses to the left end at %d", n, r.composer.buf.at)
		}
	}
}

// C079: replies of the terminal answer no card and reach neither the composer
// nor the line of a search.
func TestLateRepliesAnswerNothing(t *testing.T) {
	replies := []tea.Msg{tea.BackgroundColorMsg{Color: mustColour("#1e1e2e")}, tea.CursorPositionMsg{X: 1, Y: 2}, tea.FocusMsg{}, tea.BlurMsg{}, tea.KeyboardEnhancementsMsg{}, tea.ModeReportMsg{}}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("rm x"))
	r.pass(time.Second)
	for _, m := range replies {
		r.send(m)
	}
	a.open(t)
	r.send(withdrawMsg{a})
	r.events(loop.Prompted{Text: "x"})
	r.keys("ctrl+t", "/")
	for _, m := range replies {
		r.send(m)
	}
	if got := r.pager.line.text(); got != "" || !r.composer.buf.empty() {
		t.Errorf("a reply became %q and %q", got, r.composer.buf.text())
	}
}

// C080: what a key costs does not depend on how long the session is, inline and
// in the pager.
func TestAKeyCostsTheSameInALongSession(t *testing.T) {
	cost := func(turns int) (inline, paged float64) {
		r := newRig(t, 100, 30).boot(approval.LowRisk)
		for i := range turns {
			r.send(eventsMsg{events: []loop.Event{
				loop.Prompted{Text: fmt.Sprint("prompt ", i)}, loop.Delta{Text: "a line\n\nanother\n\n"}, settledCall(fmt.Sprint(i), "shell", "ls", lines(20), tools.OK), loop.Ended{},
			}})
		}
		r.pass(time.Second)
		inline = testing.AllocsPerRun(20, func() { r.keys("x", "backspace") })
		r.keys("ctrl+t")
		return inline, testing.AllocsPerRun(20, func() { r.keys("b", "k", "space", "[", "]") })
	}
	shortInline, shortPaged := cost(20)
	longInline, longPaged := cost(1500) // about 30,000 lines with their results
	if longInline > 2*shortInline || longPaged > 3*shortPaged {
		t.Errorf("allocations a key: inline %v, then %v; in the pager %v, then %v", shortInline, longInline, shortPaged, longPaged)
	}
}

// C080: a result of megabytes slows no key.
func TestAHugeResultSlowsNoKey(t *testing.T) {
	cost := func(lines int) float64 {
		r := newRig(t, 100, 30).boot(approval.LowRisk)
		r.events(loop.Prompted{Text: "x"}, settledCall("a", "shell", "cat big", strings.Repeat(strings.Repeat("y", 99)+"\n", lines), tools.OK), loop.Ended{})
		r.keys("ctrl+t")
		return testing.AllocsPerRun(20, func() { r.keys("b", "k", "space") })
	}
	if short, long := cost(200), cost(50_000); long > 2*short {
		t.Errorf("allocations a key: %v, then %v", short, long)
	}
}

// linear checks that what do costs for n grows like n, whatever the machine does
// besides: by what is allocated.
func linear(t *testing.T, do func(n int), n int) {
	t.Helper()
	cost := func(n int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do(n)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	cost(n / 8)
	if part, whole := cost(n/4), cost(n); whole > 8*part {
		t.Errorf("%d bytes are allocated for %d, and %d for a quarter of it", int(whole), n, int(part))
	}
}

// C070: the words of an option are not cut to nothing where there is hardly
// room, and what is typed for one can be read back.
func TestPickersWhereThereIsHardlyRoom(t *testing.T) {
	q := pickRequest()
	q.Proposal.Options = []tools.Option{{ID: "a", Label: "Delete all that is old"}, {ID: "b", Label: "Delete all that is old, but the tags"}, {ID: "o", Label: "Something else", Write: true}}
	for _, size := range [][2]int{{40, 12}, {40, 10}, {40, 6}} {
		r := newRig(t, size[0], size[1]).boot(approval.LowRisk)
		a := r.ask(q)
		r.pass(time.Second)
		for range 20 { // past all that it says
			r.keys("down")
			if strings.Contains(r.frameText(), "› 2") {
				break
			}
		}
		r.shows("Delete all that is old, but")
		r.keys("enter")
		if got := a.answered(t); got.Choice != "b" {
			t.Errorf("%v: got %+v", size, got)
		}
	}
	r := newRig(t, 40, 14).boot(approval.LowRisk)
	r.ask(shellRequest("ls"))
	r.pass(time.Second)
	r.keys("n")
	r.typed("because it is not what I asked for at all")
	r.shows("because it is not")
	r.shows("at all")
}
