package tui

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// settledCall is a call that said something.
func settledCall(id, tool, summary, text string, kind tools.Kind) loop.Settled {
	code := 0
	o := tools.Outcome{Kind: kind, Text: text}
	if kind == tools.OK {
		o.ExitCode = &code
	}
	return loop.Settled{Record: tools.Record{Call: callOf(id, tool), Summary: summary, Outcome: o, Decision: tools.Decision{Allowed: true, By: tools.ByPerson}}}
}

func plainText(rows []string) string { return ansi.Strip(strings.Join(rows, "\n")) }

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "result row %d\n", i)
	}
	return b.String()
}

// session is a rig with a few turns behind it.
func session(t *testing.T, w, h int) *rig {
	t.Helper()
	r := newRig(t, w, h).boot(approval.LowRisk)
	r.events(loop.Prompted{Text: "first prompt"}, loop.Delta{Text: "An **answer** with `code`.\n\n```go\nfunc main() {}\n```\n"}, loop.Stepped{Calls: 2},
		settledCall("a", "shell", "go test ./...", lines(100), tools.OK),
		settledCall("b", "shell", "make deploy", "the result was lost", tools.Uncertain),
		loop.Ended{})
	r.events(loop.Prompted{Text: "second prompt"}, loop.Delta{Text: "Another answer: needle.\n"}, loop.Stepped{Calls: 1},
		settledCall("c", "shell", "ls", "x\n", tools.OK), loop.Ended{})
	return r
}

// pages is what the pager shows.
func (r *rig) pages() string {
	r.t.Helper()
	if r.pager == nil {
		r.t.Fatal("the pager is not open")
	}
	return plainText(r.pager.view(""))
}

func (r *rig) sees(want string) {
	r.t.Helper()
	if !strings.Contains(r.pages(), want) {
		r.t.Errorf("the pager does not show %q:\n%s", want, r.pages())
	}
}

func TestThePagerLeavesTheInlineScreenAsItWas(t *testing.T) {
	for _, size := range [][2]int{{20, 6}, {80, 24}, {200, 50}} {
		r := session(t, size[0], size[1])
		before, at := r.emu.String(), r.emu.CursorPosition()
		r.keys("ctrl+t")
		if !r.emu.IsAltScreen() {
			t.Fatalf("%v: not on the alternate screen", size)
		}
		for _, k := range []string{"g", "G", "k", "space", "b", "[", "]", "u", "/", "r", "o", "w", "enter", "n", "N", "ctrl+o", "ctrl+o", "ctrl+d", "ctrl+u"} {
			r.keys(k)
			for i, row := range r.pager.view("") {
				if width(row) > size[0]-1 {
					t.Fatalf("%v: row %d is %d wide: %q", size, i, width(row), row)
				}
			}
			if n := len(r.pager.view("")); n != size[1] {
				t.Fatalf("%v: %d rows after %s", size, n, k)
			}
		}
		r.keys("q")
		if r.emu.IsAltScreen() || r.emu.String() != before || r.emu.CursorPosition() != at {
			t.Errorf("%v: the screen differs afterwards:\n%s\nbefore:\n%s", size, r.emu.String(), before)
		}
	}
}

func TestThePagerLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		r := session(t, w, 16)
		r.keys("ctrl+t", "g")
		rows := r.pager.view("")
		r.keys("u", "/")
		r.typed("deploy")
		rows = append(append(rows, strings.Repeat("=", 10)), r.pager.view("a card waits")...)
		r.keys("enter", "ctrl+o")
		golden(t, fmt.Sprintf("pager-%d", w), append(append(rows, strings.Repeat("=", 10)), r.pager.view("")...))
	}
}

// TestCompactAndStill: what went well is one row, and only the seconds move.
func TestCompactAndStill(t *testing.T) {
	r := newRig(t, 80, 30)
	r.opts.UI.Compact, r.opts.UI.Still, r.script.brief = true, true, true
	r.boot(approval.LowRisk)
	r.events(everyReceipt()...)
	got := r.printedText()
	if !strings.Contains(got, "It may have happened") {
		t.Errorf("what did not go well is cut short too:\n%s", got)
	}
	whole := newRig(t, 80, 30).boot(approval.LowRisk)
	whole.events(everyReceipt()...)
	if len(r.lines) >= len(whole.lines) {
		t.Errorf("%d lines, and %d when it is not compact", len(r.lines), len(whole.lines))
	}
	begun(r, "go")
	mark := r.spinner(r.clock)
	r.pass(300 * time.Millisecond)
	if r.spinner(r.clock) != mark || r.spinGap() != time.Second {
		t.Error("marks move")
	}
}

func TestThePagerShowsWholeResults(t *testing.T) {
	r := session(t, 80, 24)
	if strings.Contains(r.printedText(), "result row 3\n") {
		t.Fatal("the receipt is not clipped: the test shows nothing")
	}
	r.keys("ctrl+t", "g")
	r.sees("first prompt")
	r.sees("func main() {}")
	r.keys("]")
	r.sees("go test ./...")
	r.sees("result row 3")
	for range 6 {
		r.keys("space")
	}
	r.sees("It may have happened")
	r.keys("ctrl+o") // calls in one row
	r.keys("g")
	if strings.Contains(r.pages(), "result row") {
		t.Errorf("folded, a result is shown:\n%s", r.pages())
	}
	r.sees("make deploy")
}

func TestThePagerShowsWhatWasAskedForAndWhatBecameOfIt(t *testing.T) {
	rec := tools.Record{Call: callOf("c", "shell"), Summary: "make lint", Was: []byte(`{"command":"make lnt"}`), Outcome: tools.Outcome{Kind: tools.OK}, Decision: tools.Decision{By: tools.ByPerson}}
	for _, changed := range []bool{true, false} {
		if !changed {
			rec.Was, rec.Decision.Allowed = nil, true
		}
		v := entryView{th: colours(), md: newMarkdown(colours()), w: 80}
		got := ansi.Strip(strings.Join(v.rows(&entry{kind: entryCall, rec: rec}, ""), "\n"))
		for _, want := range []string{"changed by you · by you", "the model had asked for", `"make lnt"`} {
			if strings.Contains(got, want) != changed {
				t.Errorf("changed is %t, and %q is:\n%s", changed, want, got)
			}
		}
	}
}

func TestSearchingAndJumping(t *testing.T) {
	r := session(t, 80, 12)
	r.keys("ctrl+t", "/")
	r.typed("ROW 77")
	r.keys("enter")
	r.sees("result row 77")
	if !strings.Contains(strings.Join(r.pager.view(""), "\n"), r.th.found.render("row 77")) {
		t.Error("what was found is not marked")
	}
	r.keys("n")
	r.sees("found nowhere else")
	r.keys("/")
	r.typed("zebra")
	r.keys("enter")
	r.sees("not found: zebra")
}

func TestSearchGoesRound(t *testing.T) {
	r := session(t, 80, 12)
	r.keys("ctrl+t", "/")
	r.typed("answer")
	r.keys("enter")
	first := r.pager.chosen
	r.keys("n")
	if r.pager.chosen == first {
		t.Errorf("n stays at entry %d:\n%s", first, r.pages())
	}
	r.keys("n")
	if r.pager.chosen != first {
		t.Errorf("n does not come back to entry %d but to %d", first, r.pager.chosen)
	}
	r.keys("N")
	if r.pager.chosen == first {
		t.Error("N stays")
	}
	r.keys("g", "u")
	r.sees("make deploy")
	if !isUncertain(r.log.list[r.pager.chosen]) {
		t.Error("u did not go to the uncertain call")
	}
	r.keys("]")
	r.sees("ls")
	r.keys("]")
	r.sees("no call after this one")
	r.keys("[", "[")
	if got := r.log.list[r.pager.chosen].rec.Summary; got != "go test ./..." {
		t.Errorf("[ [ goes to %q", got)
	}
}

func TestCopyingAnEntry(t *testing.T) {
	r := session(t, 80, 24)
	r.keys("ctrl+t", "g", "]")
	r.raw.Reset()
	r.keys("y")
	if want := osc52(strings.TrimRight(lines(100), "\n")); !strings.Contains(r.raw.String(), want) {
		t.Errorf("not copied: %q", r.raw.String())
	}
	r.sees("100 lines sent")
	r.keys("q")
	for what, want := range map[string]string{"": "Another answer: needle.", "result": "x"} {
		r.raw.Reset()
		r.typed(strings.TrimSpace("/copy " + what))
		r.keys("enter")
		if !strings.Contains(r.raw.String(), osc52(want)) {
			t.Errorf("/copy %s wrote %q", what, r.raw.String())
		}
	}
	r.events(loop.Delta{Text: "```\nin\x1b[31m code\n```\n"}, loop.Stepped{})
	r.raw.Reset()
	r.typed("/copy code")
	r.keys("enter")
	if !strings.Contains(r.raw.String(), osc52("in code")) {
		t.Errorf("/copy code wrote %q", r.raw.String())
	}
	r.events(loop.Delta{Text: strings.Repeat("long ", maxCopy)}, loop.Stepped{})
	r.typed("/copy")
	r.keys("enter")
	if !strings.Contains(r.printedText(), "not copied") {
		t.Error("too much was copied without a word")
	}
}

func osc52(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\"
}

func TestWhatComesWhileThePagerIsOpenIsPrintedAfterwards(t *testing.T) {
	r := session(t, 80, 24)
	r.keys("ctrl+t")
	printed := len(r.lines)
	r.events(loop.Prompted{Text: "third"}, loop.Delta{Text: "meanwhile\n\n"}, loop.Stepped{})
	r.pass(time.Second)
	r.sees("meanwhile") // it follows the end
	if len(r.lines) != printed {
		t.Errorf("printed on the alternate screen: %q", r.lines[printed:])
	}
	a := r.ask(shellRequest("rm x"))
	r.pass(time.Second)
	if !strings.Contains(r.emu.String(), "a card waits") {
		t.Errorf("the pager does not say that a card waits:\n%s", r.emu.String())
	}
	r.keys("y")
	a.open(t)
	r.emu.Resize(60, 20)
	r.send(sizeMsg{60, 20})
	r.pass(time.Second)
	r.keys("q")
	r.pass(time.Second)
	if !strings.Contains(plainText(r.lines), "meanwhile") || r.w != 60 {
		t.Errorf("afterwards, at %d columns: %q", r.w, r.lines[printed:])
	}
	r.shows("rm x")
}

func TestExpandPrintsWholeResults(t *testing.T) {
	r := session(t, 80, 24)
	r.keys("ctrl+o", "ctrl+o", "ctrl+o")
	if got := plainText(r.lines); !strings.Contains(got, "result row 3\n") || !strings.Contains(got, "result row 99") {
		t.Errorf("the third press does not show the first call:\n%s", got)
	}
	r.keys("ctrl+o")
	r.shows("no call before that one")
}

// TestALongAnswerIsKeptInParts: what grows is laid out anew at a bounded cost,
// and nothing of it is lost.
func TestALongAnswerIsKeptInParts(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	var want strings.Builder
	feed := func(s string) {
		want.WriteString(s)
		r.log.apply(loop.Delta{Text: s}, nil)
	}
	for i := range 2000 {
		feed(fmt.Sprintf("paragraph %d with ", i))
		feed("some words\n\n")
	}
	feed("```go\n")
	for i := range 3000 {
		feed(fmt.Sprintf("x%d := 1\n", i))
	}
	feed("```\n" + strings.Repeat("日", 3*entryHard) + "\nend")
	last := len(r.log.list) - 1
	for i := range r.log.list {
		if n := len(r.log.text(i)); n > 2*entryHard+100 {
			t.Errorf("entry %d has %d bytes", i, n)
		}
	}
	if r.log.whole(last) != want.String() {
		t.Error("the parts are not the whole")
	}
	r.log.apply(loop.Stepped{}, nil)
	if r.log.whole(0) != want.String() {
		t.Error("afterwards the parts are not the whole")
	}
	r.keys("ctrl+t", "/")
	r.typed("x2999")
	r.keys("enter")
	r.sees("x2999 := 1")
	r.sees("x2998 := 1")
}

func BenchmarkPagerKeysIn30000Lines(b *testing.B) {
	s := bare(b)
	for i := range 7_500 {
		s.folds(loop.Prompted{Text: fmt.Sprintf("prompt %d", i)}, loop.Delta{Text: "one line\n\nanother line\n\n"}, settledCall(fmt.Sprint(i), "shell", "ls", lines(20), tools.OK), loop.Ended{})
	}
	s.transcript("")
	keys := []string{"k", "b", "g", "space", "]", "G", "["}
	now := time.Now()
	s.now = func() time.Time { return now }
	for i := 0; b.Loop(); i++ {
		now = now.Add(time.Second)
		s.Update(keyOf(keys[i%len(keys)]))
	}
}

// Within GNU screen the sequence goes through in pieces that it takes, and what
// the terminal gets of them is the whole.
func TestCopyingWithinScreenGoesInPieces(t *testing.T) {
	text := strings.Repeat("some text ", 300)
	whole := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text))
	for _, c := range []struct {
		env    []string
		pieces bool
	}{{nil, false}, {[]string{"STY=1.pts"}, true}, {[]string{"STY=1.pts", "TMUX=x"}, false}} {
		r := newRig(t, 80, 24, c.env...).boot(approval.LowRisk)
		r.raw.Reset()
		r.copyText(text)
		got := r.raw.String()
		if !c.pieces {
			if !strings.Contains(got, whole+"\x1b\\") {
				t.Errorf("%v: %q", c.env, got)
			}
			continue
		}
		var passed strings.Builder
		for _, piece := range strings.SplitAfter(got, "\x1b\\") {
			if inner, is := strings.CutPrefix(strings.TrimSuffix(piece, "\x1b\\"), "\x1bP"); is {
				if len(piece) > 768 || strings.Contains(inner, "\x1b\\") {
					t.Errorf("a piece is cut short: %q", piece)
				}
				passed.WriteString(inner)
			}
		}
		if passed.String() != whole+"\x07" {
			t.Errorf("%v: the terminal gets %q", c.env, passed.String())
		}
	}
}
