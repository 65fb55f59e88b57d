package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// The keys of readline: what is typed, pressed and left, with the cursor as a
// bar.
func TestReadlineKeys(t *testing.T) {
	for _, c := range []struct{ text, keys, want string }{
		{"one two", "ctrl+a X", "X|one two"},
		{"one two", "ctrl+a ctrl+f ctrl+f ctrl+b X", "oX|ne two"},
		{"one two", "ctrl+w", "one |"},
		{"one two", "ctrl+w ctrl+w ctrl+y", "one two|"},
		{"one two", "alt+b ctrl+k ctrl+a ctrl+y", "two|one "},
		{"one two", "alt+b alt+d ctrl+u ctrl+y ctrl+y", "one twoone two|"},
		{"one two", "ctrl+w ctrl+e ctrl+u ctrl+y alt+y", "two|"},
		{"one two", "ctrl+w ctrl+e ctrl+u ctrl+y alt+y alt+y", "one |"},
		{"one", "alt+y", "one|"},
		{"one", "alt+t", "oen|"},
		{"one", "ctrl+a ctrl+f alt+t", "no|e"},
		{"one", "ctrl+a alt+t", "|one"},
		{"one two", "ctrl+_", "one|"},
		{"one two", "ctrl+_ ctrl+_ ctrl+_", "|"},
		{"one two", "ctrl+w ctrl+_", "one two|"},
		{"one two", "ctrl+w ctrl+_ alt+_", "one |"},
		{"one two", "backspace backspace ctrl+_", "one two|"},
		{"one\ntwo", "ctrl+p ctrl+k", "one|two"},
		{"one\ntwo", "ctrl+p ctrl+k ctrl+k ctrl+y", "one\ntwo|"},
		{"one\ntwo", "ctrl+p ctrl+a ctrl+n X", "one\nX|two"},
		{"one", "alt+b X ctrl+e Y", "XoneY|"},
		{"é🧑‍🌾", "backspace backspace", "|"},
		{"one", "ctrl+s X ctrl+s ctrl+s", "X|"},
		{"one", "ctrl+s ctrl+s", "one|"},
	} {
		r := newRig(t, 60, 20).boot(approval.LowRisk)
		for _, g := range cellsOf(c.text) {
			if g.text == "\n" {
				r.keys("ctrl+j")
			} else {
				r.send(tea.KeyPressMsg{Code: []rune(g.text)[0], Text: g.text})
				r.pass(100 * time.Millisecond)
			}
		}
		r.keys(strings.Fields(c.keys)...)
		b := &r.composer.buf
		if got := textOf(b.cells[:b.at]) + "|" + textOf(b.cells[b.at:]); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.text, c.keys, got, c.want)
		}
	}
}

func TestWhatWasCutOutlivesASubmit(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	r.typed("half a thought")
	r.keys("ctrl+u")
	r.typed("/help")
	r.keys("enter", "ctrl+y")
	if got := r.composer.buf.text(); got != "half a thought" {
		t.Errorf("it is %q", got)
	}
}

func TestAPasteIsOneCharacterUntilItIsExpanded(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	long := strings.Repeat("line\n", 10)
	r.send(tea.PasteMsg{Content: long})
	r.keys("alt+o")
	r.hides("[paste")
	if got := r.composer.buf.text(); got != long {
		t.Errorf("it is %q", got)
	}
	r.keys("ctrl+_")
	r.shows("[paste #1 · 10 lines]")
	r.keys("ctrl+w", "alt+o")
	r.shows("there is no paste beside the cursor")
}

func TestAPastedCommandIsText(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	r.send(tea.PasteMsg{Content: "/quit" + strings.Repeat("\nx", 10)})
	r.keys("enter")
	if r.quit || len(r.started) != 1 {
		t.Errorf("quit %t, started %v", r.quit, r.started)
	}
}

func TestSearchShowsAndRestores(t *testing.T) {
	r := newRig(t, 100, 20)
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), History: []string{"fix the lexer", "write a test", "fix the parser", "thanks"}}
	var kept []string
	ready.Remember = func(s string) { kept = append(kept, s) }
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	is := func(want string) {
		t.Helper()
		if got := r.composer.buf.text(); got != want {
			t.Errorf("the composer shows %q, want %q", got, want)
		}
	}
	r.typed("a draft")
	r.keys("ctrl+r")
	r.typed("fix")
	is("fix the parser")
	r.shows("search older prompts: fix")
	r.keys("ctrl+r")
	is("fix the lexer")
	r.keys("ctrl+r")
	r.shows("nothing older")
	r.keys("ctrl+s")
	is("fix the parser")
	r.keys("esc")
	is("a draft")
	r.hides("search older")
	r.keys("ctrl+r")
	r.typed("LEX")
	r.keys("enter")
	is("fix the lexer")
	if len(r.started) > 0 {
		t.Fatal("Enter in a search sends")
	}
	r.keys("ctrl+_")
	is("a draft")
	r.keys("ctrl+r")
	r.typed("wrx")
	r.shows("nothing older")
	r.keys("backspace")
	is("write a test")
	r.keys("ctrl+e")
	r.typed("!")
	is("write a test!")
	r.keys("enter")
	r.typed(" secret")
	r.keys("enter")
	if !slices.Equal(kept, []string{"write a test!"}) {
		t.Errorf("kept %q", kept)
	}
	if got := r.composer.history.back(1); got != "secret" {
		t.Errorf("the newest of this run is %q", got)
	}
}

// In a narrow terminal a search still says where it looks and what came of it,
// the end of what was typed, and no half of a hint.
func TestSearchInANarrowTerminal(t *testing.T) {
	r := newRig(t, 40, 20)
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), History: []string{"fix the lexer and the parser"}}
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	r.keys("ctrl+r")
	r.typed("lexer")
	r.shows("search: lexer  1 back · this folder")
	r.keys("ctrl+t")
	r.shows("everywhere")
	r.keys("ctrl+t")
	r.shows("search: lexer  none · this session")
	r.keys("ctrl+t")
	r.typed(" and the p")
	r.shows("…nd the p  1 back · this folder")
	r.hides("older…")
}

// Ctrl+T goes on from this folder to everywhere and to this session; outside of
// a search it shows the transcript.
func TestSearchLooksElsewhere(t *testing.T) {
	r := newRig(t, 130, 20)
	asked := 0
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), History: []string{"fix the lexer"}, Elsewhere: func() ([]string, error) {
		asked++
		return []string{"fix the roof", "paint the wall"}, nil
	}}
	r.send(openedMsg{ready})
	r.send(eventsMsg{events: []loop.Event{loop.Prompted{Text: "fix this"}}, replay: true})
	r.send(readyMsg{ready: ready})
	shows := func(text, row string) {
		t.Helper()
		if got := r.composer.buf.text(); got != text {
			t.Errorf("the composer shows %q, want %q", got, text)
		}
		r.shows(row)
	}
	r.typed("a draft")
	r.keys("ctrl+r")
	shows("a draft", "in this folder (Ctrl+T)")
	r.typed("fix the")
	shows("fix the lexer", "2 back · in this folder")
	r.keys("ctrl+t")
	shows("fix the lexer", "everywhere")
	r.keys("ctrl+r")
	shows("fix the roof", "4 back · everywhere")
	if asked != 1 {
		t.Errorf("read %d times", asked)
	}
	r.keys("ctrl+t")
	shows("a draft", "nothing older · in this session")
	for range 4 {
		r.keys("backspace")
	}
	shows("fix this", "in this session")
	r.keys("ctrl+t", "ctrl+t")
	r.typed(" the r")
	shows("fix the roof", "everywhere")
	r.keys("esc")
	shows("a draft", "a draft")
	r.keys("ctrl+t")
	if r.pager == nil {
		t.Error("Ctrl+T shows no transcript")
	}
	r.keys("q", "ctrl+r", "ctrl+t")
	r.typed("roof")
	r.keys("enter")
	shows("fix the roof", "fix the roof")
	if asked != 2 || len(r.started) > 0 {
		t.Errorf("read %d times, sent %v", asked, r.started)
	}
}

// What is read late is looked in then, and an error is told of.
func TestSearchElsewhereMayComeLate(t *testing.T) {
	r := newRig(t, 100, 20)
	fails := false
	ready := Ready{Session: &fake{}, Elsewhere: func() ([]string, error) {
		if fails {
			return nil, errors.New("the disk is gone")
		}
		return []string{"fix the roof"}, nil
	}}
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	r.slow = true
	r.keys("ctrl+r", "ctrl+t")
	r.typed("roof")
	r.shows("there are none")
	r.slow = false
	r.answer()
	if got := r.composer.buf.text(); got != "fix the roof" {
		t.Errorf("it shows %q", got)
	}
	fails, r.slow = true, true
	r.keys("esc", "ctrl+r", "ctrl+t", "esc", "ctrl+r")
	r.slow = false
	r.answer() // for a search that is over
	r.hides("the disk is gone")
	r.keys("ctrl+t")
	r.shows("read the history: the disk is gone")
}

func TestOneCanSearchBeforeTheHistoryIsThere(t *testing.T) {
	r := newRig(t, 80, 20)
	r.keys("ctrl+r")
	r.typed("lex")
	ready := Ready{Session: &fake{}, History: []string{"fix the lexer"}}
	r.send(openedMsg{ready})
	if got := r.composer.buf.text(); got != "fix the lexer" {
		t.Errorf("it shows %q", got)
	}
}

func TestTheEditorGetsTheDraftAndAFailureLeavesIt(t *testing.T) {
	r := newRig(t, 80, 20).boot(approval.LowRisk)
	fails := false
	r.opts.Editor = func(s string) (string, error) {
		if fails {
			return "nothing of this", errors.New("vi: there is no such program")
		}
		return s + "\r\nmore\x1b", nil
	}
	r.typed("draft")
	r.keys("ctrl+g")
	if got := r.composer.buf.text(); got != "draft\nmore" {
		t.Errorf("it is %q", got)
	}
	fails = true
	r.keys("ctrl+x")
	r.shows("Ctrl+X …")
	r.keys("ctrl+e")
	if got := r.composer.buf.text(); got != "draft\nmore" {
		t.Errorf("it is %q", got)
	}
	r.shows("there is no such program")
	r.suspended = true
	r.send(interruptMsg{})
	r.suspended = false
	if got := r.composer.buf.text(); got != "draft\nmore" {
		t.Errorf("after Ctrl+C in the editor it is %q", got)
	}
	r.keys("ctrl+x", "q")
	r.shows("Ctrl+X q means nothing")
	r.keys("ctrl+_")
	if got := r.composer.buf.text(); got != "draft" {
		t.Errorf("undone, it is %q", got)
	}
	if r.suspended {
		t.Error("the screen stays suspended")
	}
}

func TestDroppedPictures(t *testing.T) {
	for in, want := range map[string]string{
		"/tmp/a b.png":              "",
		`/tmp/a\ b.PNG `:            "/tmp/a b.PNG",
		"'/tmp/a b.png'":            "/tmp/a b.png",
		"file:///tmp/a%20b.jpeg":    "/tmp/a b.jpeg",
		"/tmp/a.txt":                "",
		"see /tmp/a.png":            "",
		"a.png":                     "",
		"/tmp/a.png\n/tmp/b.png":    "",
		"/tmp/\x1b[31m.webp":        "/tmp/\x1b[31m.webp",
		strings.Repeat("/x", 4_000): "",
	} {
		if got, is := pictureOf(in); got != want || is != (want != "") {
			t.Errorf("%.40q is %q", in, got)
		}
	}
	r := newRig(t, 80, 20)
	ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{})}
	ready.Picture = func(p string) (string, string, error) {
		if strings.Contains(p, "bad") {
			return "", "", errors.New("the model does not read images")
		}
		return "shots/one two.png", "one two.png 3×2", nil
	}
	r.send(openedMsg{ready})
	r.send(readyMsg{ready: ready})
	r.send(tea.PasteMsg{Content: `/tmp/one\ two.png`})
	r.shows("[image #1 · one two.png 3×2]")
	r.typed("what is it")
	r.send(tea.PasteMsg{Content: ` /tmp/bad.png`})
	r.shows("the model does not read images")
	r.keys("enter")
	if got, want := r.started[0].text, `@shots/one\ two.png what is it /tmp/bad.png`; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// Vi, where it is switched on: keys pressed after "one two three" and Esc.
func TestVi(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"0 x", "ne two three"},
		{"0 d w", "two three"},
		{"0 2 d w", "three"},
		{"0 c w X esc", "X two three"},
		{"0 w D", "one "},
		{"0 w d e", "one  three"},
		{"0 d d", ""},
		{"0 y w $ p", "one two threeone "},
		{"0 y y p", "one two three\none two three"},
		{"0 y y P", "one two three\none two three"},
		{"b i X esc", "one two Xthree"},
		{"0 f t r T", "one Two three"},
		{"0 d t w", "wo three"},
		{"0 x u", "one two three"},
		{"0 x u U", "ne two three"},
		{"o X esc", "one two three\nX"},
		{"O X esc", "X\none two three"},
		{"A ! esc I ! esc", "!one two three!"},
		{"0 d esc x", "ne two three"},
		{"q z &", "one two three"},
		{"d G", ""},
		{"g g d $", ""},
	} {
		r := newRig(t, 60, 20)
		r.composer.vim = vim{on: true, insert: true}
		r.boot(approval.LowRisk)
		r.typed("one two three")
		r.keys("esc")
		r.keys(strings.Fields(c.keys)...)
		if got := r.composer.buf.text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
		if r.quit || len(r.started) > 0 {
			t.Errorf("%s: quit or sent", c.keys)
		}
	}
	r := newRig(t, 60, 20)
	r.composer.vim = vim{on: true, insert: true}
	r.boot(approval.LowRisk)
	r.typed("go")
	r.keys("esc", "enter")
	if len(r.started) != 1 {
		t.Error("Enter does not send in normal mode")
	}
	r.keys("esc", "esc", "esc")
	if r.stopped != 1 {
		t.Error("Esc Esc does not stop in normal mode")
	}
	r.send(turnDoneMsg{})
	r.typed("idraft")
	r.keys("esc", "esc", "esc")
	if got := r.composer.buf.text(); got != "draft" {
		t.Errorf("Esc leaves %q of the draft", got)
	}
}
