package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
)

// A screenState is what the screen is in when nothing else has it: each is drawn at
// every width for a person to review.
type screenState struct {
	name string
	make func(r *rig)
	raw  bool // before the session is there
}

func screenStates() []screenState {
	busy := func(r *rig) { begun(r, "go") }
	return []screenState{
		{name: "starting, with what was typed already", raw: true, make: func(r *rig) {
			r.typed("hi")
			r.keys("enter")
		}},
		{name: "idle", make: func(*rig) {}},
		{name: "a draft of several rows", make: func(r *rig) {
			r.send(tea.PasteMsg{Content: "one\ntwo 日本語 👨‍👩‍👧\n" + strings.Repeat("a longer line ", 12)})
		}},
		{name: "a long paste", make: func(r *rig) { r.send(tea.PasteMsg{Content: strings.Repeat("line\n", 143)}) }},
		{name: "a command of the operator", make: func(r *rig) { r.typed("! ls -la") }},
		{name: "working", make: func(r *rig) {
			busy(r)
			r.clock = r.clock.Add(75 * time.Second)
			r.send(wakeMsg{})
		}},
		{name: "working, once Esc", make: func(r *rig) {
			busy(r)
			r.send(keyOf("esc"))
		}},
		{name: "stopping", make: func(r *rig) {
			busy(r)
			r.keys("esc", "esc")
		}},
		{name: "idle, once Ctrl+C", make: func(r *rig) { r.send(keyOf("ctrl+c")) }},
		{name: "idle, once Esc", make: func(r *rig) { r.send(keyOf("esc")) }},
		{name: "messages that steer and that wait", make: func(r *rig) {
			r.ready.Queue = &shelf{}
			busy(r)
			r.typed("use the existing retry helper")
			r.keys("enter")
			for _, s := range []string{"then write the change log", strings.Repeat("and a long one ", 9)} {
				r.send(tea.PasteMsg{Content: s})
				r.keys("tab")
			}
		}},
		{name: "a queue that waits for the person", make: func(r *rig) {
			busy(r)
			r.typed("next")
			r.keys("tab", "esc", "esc")
			r.send(turnDoneMsg{err: canceled()})
		}},
		{name: "a draft put aside", make: func(r *rig) {
			r.typed("draft")
			r.keys("ctrl+s")
		}},
		{name: "half a chord", make: func(r *rig) { r.keys("ctrl+x") }},
		{name: "a hint", make: func(r *rig) {
			r.typed("/frobnicate")
			r.keys("enter")
		}},
		{name: "the search of older prompts", make: func(r *rig) {
			r.composer.remember([]string{"fix the parser", "explain the parser"})
			r.keys("ctrl+r")
			r.typed("pars")
		}},
		{name: "the keys", make: func(r *rig) { r.typed("?") }},
		{name: "all that the status line can say", make: func(r *rig) {
			r.ready.Model, r.ready.Effort, r.confined, r.ready.Branch = "openrouter/qwen3-coder", "medium", "sandbox on", "feature/a-branch"
			r.ready.Active, r.ready.Agent, r.doubts = func() (string, string) { return "reviewer", "" }, "reviewer", 2
			r.events(loop.Used{Purpose: "conversation", Usage: llm.Usage{Input: 120_000, Output: 3456}, Cost: 1.234})
		}},
		{name: "yolo", make: func(r *rig) { r.setPolicy(approval.Yolo); r.draw(r.clock) }},
		{name: "a card over a draft", make: func(r *rig) {
			busy(r)
			r.typed("half a thought")
			r.ask(shellRequest("make deploy"))
			r.pass(time.Second)
		}},
		{name: "a card, once Esc", make: func(r *rig) {
			busy(r)
			r.ask(shellRequest("make deploy"))
			r.pass(time.Second)
			r.send(keyOf("esc"))
		}},
		{name: "a card that ignored text", make: func(r *rig) {
			busy(r)
			r.ask(shellRequest("make deploy"))
			r.pass(time.Second)
			r.burst("y", "e", "s")
			r.pass(time.Second)
		}},
		{name: "a card that was not read to its end", make: func(r *rig) {
			busy(r)
			r.ask(shellRequest(strings.Repeat("echo line\n", 40) + "touch OUT"))
			r.pass(time.Second)
			r.keys("y")
		}},
	}
}

func TestEveryStateLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		var rows []string
		for _, st := range screenStates() {
			r := newRig(t, w, 24)
			if !st.raw {
				r.boot(approval.LowRisk)
			}
			st.make(r)
			r.show(r.clock)
			rows = append(append(rows, "=== "+st.name, ""), r.shown.rows...)
			rows = append(rows, fmt.Sprintf("(cursor at column %d of row %d)", r.shown.cx, r.shown.cy), "")
		}
		golden(t, fmt.Sprintf("states-%d", w), rows)
	}
}

// At no width is half a hint shown: what there is no room for is left out.
func TestHintsAreNeverCut(t *testing.T) {
	cut := func(w int, where, row string) {
		t.Helper()
		row = ansi.Strip(row)
		if width(row) > w {
			t.Errorf("%d columns, %s: %q takes %d", w, where, row, width(row))
		}
		if strings.HasSuffix(row, "…") && !strings.HasSuffix(row, " …") {
			t.Errorf("%d columns, %s: %q is cut", w, where, row)
		}
	}
	r := session(t, 80, 24)
	r.keys("ctrl+t", "g")
	for w := 20; w <= 210; w += 1 + w/24 {
		r.pager.resize(w, 24)
		for _, note := range []string{"", "copied"} {
			for _, waits := range []string{"", "a card waits"} {
				r.pager.note = note
				cut(w-1, "pager", r.pager.bar(waits))
			}
		}
		for _, k := range kinds() {
			if k.name == "a big diff" {
				continue
			}
			c := k.make()
			for _, full := range []bool{false, true} {
				c.full = full
				c.view(w, 24, false, time.Unix(9, 0))
				for _, armed := range []bool{false, true} {
					for _, seen := range []time.Time{{}, time.Unix(1, 0)} {
						c.appeared = seen
						cut(w, k.name, c.foot(max(8, w-2), armed, time.Unix(9, 0)))
					}
				}
			}
		}
	}
}
