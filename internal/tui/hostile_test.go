package tui

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// hostile switches the screen, clears it, sets the title and the clipboard,
// asks for reports and draws, in the seven and the eight bit forms.
const hostile = "\x1b[?1049hX\x1b[2J\x1b[3J\x1b]0;T\x07\x1b]52;c;Y2FuYXJ5\x07\x1b[?1000h\x1bP+q\x1b\\\u009b2J\u009d0;T\u009c\x9b2J\x1bc\x07\b\x0e\r\v\u202e\u2066\u200e\U000e0041Z"

// allowed checks that raw holds no control but ours.
func allowed(t *testing.T, raw string) {
	t.Helper()
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\r' || c == '\n' || c >= 0x20 && c < 0x7f:
		case c == 0x1b:
			n, _ := escapeLen(raw[i:])
			if n == 0 || !ours(raw[i:i+n]) {
				t.Fatalf("a sequence that is not ours: %q", raw[i:min(len(raw), i+40)])
			}
			i += n - 1
		case c < 0x20 || c == 0x7f:
			t.Fatalf("a control byte: %q", raw[max(0, i-20):min(len(raw), i+20)])
		}
	}
	if tools.Clean(strings.NewReplacer("\x1b", "", "\r\n", "\n", "\r", "").Replace(raw)) != strings.NewReplacer("\x1b", "", "\r\n", "\n", "\r", "").Replace(raw) {
		t.Fatal("a character that is not clean reaches the terminal")
	}
}

// ours reports the sequences that the painter and the styles use.
func ours(seq string) bool {
	switch seq {
	case syncBegin, syncEnd, wrapOn, wrapOff, hide, show, eraseRow, eraseDown, eraseTail:
		return true
	}
	last := seq[len(seq)-1]
	return strings.HasPrefix(seq, "\x1b[") && strings.ContainsRune("ABCm", rune(last)) && strings.Trim(seq[2:len(seq)-1], "0123456789;") == ""
}

func TestNothingFromOutsideDrivesTheTerminal(t *testing.T) {
	h := hostile
	call := tools.Call{ID: "h1", Tool: "tool" + h, Requested: h, Args: json.RawMessage(`"` + h + `"`)}
	spec := tools.Spec{Name: "tool" + h}
	sections := []tools.Section{
		{Kind: tools.Text, Title: h, Body: h + "\n" + h},
		{Kind: tools.Command, Title: h, Body: h},
		{Kind: tools.Table, Title: h, Body: h + "\t" + h},
		{Kind: tools.Diff, Title: h, Body: "--- a/" + h + "\n+++ b/" + h + "\n@@ -1,2 +1,2 @@ " + h + "\n-" + h + "\n+x" + h + "\n " + h + "\n"},
	}
	p := &tools.Proposal{Call: call, Spec: spec, Summary: h, Preview: sections, Key: h, Manual: h}
	for _, size := range [][2]int{{80, 24}, {30, 12}} {
		r := newRig(t, size[0], size[1])
		r.opts.Version = h
		r.send(sandboxMsg{h})
		ready := Ready{Session: &fake{}, Gate: approval.New(approval.Config{}), Model: h, Branch: h, Dir: h, Agent: h, Sandbox: func() string { return h }, Notices: []string{h}}
		r.send(openedMsg{ready})
		r.send(readyMsg{ready: ready})
		r.composer.paste(h)
		r.hint = h
		r.queue = queue{list: []prompt{{text: h}}, paused: true}
		r.events(loop.Prompted{Text: h}, loop.Thought{Text: h}, loop.Thought{Text: h[:3]}, loop.Thought{Text: h[3:]})
		for i := range h { // the answer, split at every place
			r.events(loop.Delta{Text: h[:i]}, loop.Delta{Text: h[i:] + "\n\n"})
		}
		r.events(loop.Delta{Text: "# " + h + "\n\n- " + h + "\n\n| a | " + h + " |\n|---|---|\n| " + h + " | b |\n\n[" + h + "](http://x/" + h + ")\n\n`" + h + "`\n\n```" + h + "\n" + h + "\n```\n" + h})
		r.events(loop.Stepped{Calls: 2}, loop.Proposed{Call: call, Proposal: p}, loop.Started{Call: call}, loop.Progress{Call: call, Progress: tools.Progress{Text: h}})
		r.pass(time.Second)
		a := r.ask(approval.Request{Proposal: p, Why: h, Key: h, Tool: true})
		r.pass(time.Second)
		for range 60 {
			r.keys("down")
		}
		r.send(withdrawMsg{a})
		options := *p
		options.Options = []tools.Option{{ID: h, Label: h, Detail: h}}
		r.ask(approval.Request{Proposal: &options, Why: h})
		r.pass(time.Second)
		r.keys("1")
		r.send(readyMsg{ready: Ready{Offer: &Offer{Title: h, Text: h, Choices: options.Options}}})
		r.pass(time.Second)
		r.cards = nil
		code := 1
		for _, o := range []tools.Outcome{
			{Kind: tools.OK, Text: h, ExitCode: &code, Show: sections, Changes: []tools.Change{{Path: h, Kind: h, From: h}, {Path: h}}},
			{Kind: tools.OK, Text: h, ExitCode: &code},
			{Kind: tools.OK, Changes: []tools.Change{{Path: h}}},
			{Kind: tools.Error, Text: h},
			{Kind: tools.Blocked, Block: tools.Denied, Text: h},
			{Kind: tools.Uncertain, Text: h},
			{Kind: tools.Cancelled, Started: true, Text: h},
		} {
			r.events(loop.Settled{Record: tools.Record{Call: call, Summary: h, Decision: tools.Decision{Allowed: true, By: tools.Source(h), Reason: h}, Outcome: o}})
		}
		for range 3 {
			r.events(loop.Settled{Record: tools.Record{Call: call, Summary: h, Effect: tools.ReadOnly, Outcome: tools.Outcome{Kind: tools.OK}}})
		}
		r.events(loop.Noticed{Text: h}, loop.Ended{Err: errors.New(h)})
		r.ready.Jobs = func() []Job {
			return []Job{{ID: h, Command: h, Status: h, Last: h, Running: true, Output: func(int) ([]string, error) { return []string{h}, nil }}}
		}
		r.ready.Models = &catalogue{now: InUse{Model: h, Effort: h, Efforts: []string{h}}}
		r.ready.Pages = func(string, string) ([]string, error) { return []string{h}, nil }
		for _, c := range []string{"/jobs", "/model " + h, "/effort", "/config", "/expand", "/theme " + h} {
			r.composer.buf.set(c)
			r.submit(r.clock)
			r.pass(time.Second)
			r.cards = nil
		}
		r.send(turnDoneMsg{err: errors.New(h)})
		r.emu.Resize(size[0]+10, size[1]+3)
		r.send(sizeMsg{size[0] + 10, size[1] + 3})
		r.pass(time.Second)
		allowed(t, r.raw.String())
		r.inThePager(h)
		if strings.Contains(r.raw.String(), "\x1b[3J") || r.emu.IsAltScreen() {
			t.Error("the scrollback or the screen was touched")
		}
	}
}

// inThePager looks at every page of a hostile session, and at what is copied of
// it (C076).
func (r *rig) inThePager(h string) {
	r.t.Helper()
	r.cards = nil
	r.transcript("")
	r.pager.start()
	for last := ""; ; {
		page := strings.Join(r.pager.view(""), "\n")
		if page == last {
			break
		}
		last = page
		allowed(r.t, strings.ReplaceAll(page, "\n", "\r\n"))
		r.pager.scroll(r.pager.room())
	}
	r.pager.query = "z"
	r.pager.note = h
	r.pager.search(1)
	allowed(r.t, strings.ReplaceAll(strings.Join(r.pager.view(""), "\n"), "\n", "\r\n"))
	for i := range r.log.list {
		if got := r.log.copied(i); tools.Clean(got) != got || strings.ContainsRune(got, 0x1b) {
			r.t.Errorf("entry %d is copied as %q", i, got)
		}
	}
	r.leavePager(r.clock)
}
