package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
)

func withFiles(t *testing.T, w int, files ...string) *rig {
	r := newRig(t, w, 30)
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), Files: func() ([]string, error) { return files, nil }}
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	return r
}

func TestEnterIsNeverTakenBySurprise(t *testing.T) {
	for _, c := range []struct {
		text, keys, want string
		sent, quit       bool
	}{
		{text: "/po", keys: "enter", want: "/policy "}, // it can be nothing else
		{text: "/p", keys: "enter", want: "/p"},        // it can be several: the hint says so
		{text: "/p", keys: "down enter", want: "/permissions"},
		{text: "/p", keys: "down down up tab", want: "/permissions"},
		{text: "/p", keys: "down esc enter", want: "/p"},
		{text: "/quit", keys: "enter", quit: true},
		{text: "/qui", keys: "enter enter", quit: true},
		{text: "/exit", keys: "enter", quit: true},
		{text: "see @ma", keys: "enter", sent: true}, // a mention is text until it is chosen
		{text: "see @ma", keys: "down enter", want: "see @cmd/main.go "},
		{text: "see @ma", keys: "tab", want: "see @cmd/main.go "},
		{text: "see @ma", keys: "tab enter", sent: true},
		{text: "see @cm", keys: "tab tab", want: "see @cmd/main.go "}, // a folder goes on
		{text: "see @bla", keys: "tab", want: `see @a\ blank.txt `},
		{text: "see @main.go:1", keys: "tab", want: "see @main.go:1"},
		{text: "mail me@ma", keys: "tab", want: "mail me@ma"},
		{text: "! cat @ma", keys: "tab", want: "! cat @ma"},
	} {
		r := withFiles(t, 80, "cmd/main.go", "cmd/", "a blank.txt", "README.md")
		r.typed(c.text)
		r.keys(strings.Fields(c.keys)...)
		if got := r.composer.buf.text(); got != c.want || len(r.started) > 0 != c.sent || r.quit != c.quit {
			t.Errorf("%q, %s: the composer holds %q, started %v, quit %t", c.text, c.keys, got, r.started, r.quit)
		}
	}
}

// A mention may be begun before the session is there.
func TestFilesAreOfferedOnceTheSessionIsThere(t *testing.T) {
	r := newRig(t, 80, 24)
	r.typed("see @ma")
	r.hides("main.go")
	r.send(readyMsg{ready: Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), Files: func() ([]string, error) { return []string{"main.go"}, nil }}})
	r.shows("main.go")
}

// What was chosen stays chosen when a newer list comes: Enter is for it.
func TestAChoiceOutlivesANewList(t *testing.T) {
	r := withFiles(t, 80, "main.go", "main_test.go")
	r.typed("@mai")
	r.slow = true
	r.typed("n")
	r.keys("down", "down")
	r.slow = false
	r.answer()
	r.keys("enter")
	if got := r.composer.buf.text(); got != "@main_test.go " || len(r.started) > 0 {
		t.Errorf("the composer holds %q, started %v", got, r.started)
	}
}

func TestEscClosesThePopupAndNothingElse(t *testing.T) {
	r := withFiles(t, 80, "main.go")
	begun(r, "go")
	r.typed("see @ma")
	r.shows("main.go")
	r.keys("esc")
	r.hides("main.go")
	r.hides("Esc again stops")
	if r.composer.buf.text() != "see @ma" {
		t.Error("the draft is gone")
	}
	r.typed("i")
	r.hides("main.go")
	r.typed(" @")
	r.shows("main.go")
	r.keys("alt+esc")
	if r.stopped != 1 {
		t.Error("Esc Esc does not stop the turn")
	}
}

func TestACommandThatCannotBeRunSaysWhy(t *testing.T) {
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	begun(r, "go")
	r.typed("/rew")
	r.shows("this session keeps nothing that could be taken back")
	r.keys("down", "enter")
	if got := r.composer.buf.text(); got != "/rew" {
		t.Errorf("it was completed to %q", got)
	}
}

// C077: a name may be anything that a file system takes.
func TestHostileNamesInThePopup(t *testing.T) {
	r := withFiles(t, 60, "\x1b]0;T\x07evil.go", "new\nline.go", "bad\xff.go", "rtl\u202egod.go", strings.Repeat("長い", 60)+".go", "a\u200bb.go", "-rf.go", "", "\t.go")
	r.typed("@go")
	raw := r.raw.String()
	for _, bad := range []string{"T\x07", "\u202e", "\u200b"} {
		if strings.Contains(raw, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	for _, row := range r.shown.rows {
		if width(row) > 60 {
			t.Errorf("the row %q is too long", row)
		}
	}
	r.hides("evil")
	r.shows("-rf.go")
}

func TestManyFilesStaySmooth(t *testing.T) {
	files := make([]string, 50_000)
	for i := range files {
		files[i] = fmt.Sprintf("internal/package%d/some/deep/folder/file%d.go", i%97, i)
	}
	cost := func(files []string) (*rig, float64) {
		r := withFiles(t, 80, files...)
		r.slow = true
		return r, testing.AllocsPerRun(1, func() {
			r.composer.take()
			for _, k := range strings.Split("@file4999", "") {
				r.pass(20 * time.Millisecond)
				r.send(keyOf(k))
				if len(r.fetches) > 2 {
					t.Fatalf("%d questions are open at once", len(r.fetches))
				}
			}
		})
	}
	_, few := cost(files[:50])
	r, many := cost(files)
	if many > 2*few {
		t.Errorf("allocations for what is typed: %v, and %v with many files", few, many)
	}
	r.slow = false
	r.answer()
	r.shows("file4999.go")
	asked := 0
	if _, _, ok := rankFiles(files, "file", func() bool { asked++; return false }); ok || asked != 1 {
		t.Errorf("an old question goes on: it was asked about %d times", asked)
	}
}

func TestFilesAreListedAnewAfterAWhile(t *testing.T) {
	r, n := newRig(t, 80, 30), 0
	ready := Ready{Session: &fake{}, Files: func() ([]string, error) {
		n++
		return []string{fmt.Sprintf("a%d.go", n)}, nil
	}}
	r.send(readyMsg{ready: ready})
	r.typed("@a")
	r.shows("a1.go")
	if n != 1 {
		t.Errorf("listed %d times", n)
	}
	r.pass(time.Minute)
	r.typed(".")
	r.shows("a2.go")
}

func TestPopupsAreDrawn(t *testing.T) {
	for _, w := range widths() {
		r := withFiles(t, w, "cmd/zuno/main.go", "internal/tui/a very long folder name that goes on/and on/main_test.go", "docs/main.md", "!diff", "!staged")
		r.typed("/")
		r.keys("down")
		rows := r.popRows(w-1, 8)
		r.keys("ctrl+u")
		r.typed("/re")
		rows = append(append(rows, ""), r.popRows(w-1, 8)...)
		r.keys("ctrl+u")
		r.typed("see @main")
		r.keys("down", "down")
		rows = append(append(rows, ""), r.popRows(w-1, 8)...)
		r.keys("ctrl+u")
		r.typed("see @")
		rows = append(append(rows, ""), r.popRows(w-1, 8)...)
		r.typed("!s")
		rows = append(append(rows, ""), r.popRows(w-1, 8)...)
		r.typed("zzz")
		rows = append(append(rows, ""), r.popRows(w-1, 8)...)
		r.keys("ctrl+u", "ctrl+r")
		rows = append(append(rows, ""), r.between(w-1, r.clock)...)
		golden(t, fmt.Sprintf("popup-%d", w), rows)
	}
}

func TestAPopupLeavesRoomOnALowScreen(t *testing.T) {
	r := newRig(t, 30, 5).boot(approval.LowRisk)
	r.typed("/")
	if n := len(r.shown.rows); n > 3 {
		t.Errorf("%d rows on a screen of 5", n)
	}
	r.send(tea.PasteMsg{Content: "x"})
	r.shows("/x")
}
