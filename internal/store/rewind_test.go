//go:build unix

package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func content(s string) tools.FileState { return tools.StateOf(tools.Regular, 0o644, []byte(s)) }

func touch(path string, before, after tools.FileState) tools.Touch {
	after.Data = nil // nobody has to know it
	return tools.Touch{Path: path, Name: filepath.Base(path), Before: before, After: after}
}

// turns is a session whose turns change files, each with a call of its own.
type turns struct {
	t *testing.T
	*store.Session
	store *store.Store
	calls int
}

func (w *turns) prompt(text string) {
	w.t.Helper()
	must(w.t, w.Append(llm.UserText(text)))
}

func (w *turns) call(tool, args string, requested bool, o tools.Outcome, spec tools.Spec, touches ...tools.Touch) tools.Call {
	w.t.Helper()
	w.calls++
	c := tools.Call{ID: fmt.Sprintf("c%d", w.calls), Tool: tool, Args: json.RawMessage(args)}
	if requested {
		must(w.t, w.Append(asks(c)))
	}
	for _, t := range touches {
		o.Changes = append(o.Changes, tools.Change{Path: t.Name, Kind: "M", Added: 1})
	}
	must(w.t, w.Propose(&tools.Proposal{Call: c, Spec: spec, Summary: tool, Touches: touches}))
	must(w.t, w.Decide(c, allowed()))
	must(w.t, w.Start(c))
	must(w.t, w.Settle(c, o, time.Second))
	return c
}

func (w *turns) writes(touches ...tools.Touch) tools.Call {
	w.t.Helper()
	return w.call("write", `{}`, true, tools.Outcome{Kind: tools.OK}, tools.Spec{}, touches...)
}

// undoes records a restoration as the front end makes one.
func (w *turns) undoes(r store.Restore, touches ...tools.Touch) tools.Call {
	w.t.Helper()
	args, err := json.Marshal(r)
	must(w.t, err)
	return w.call(store.Restoring, string(args), false, tools.Outcome{Kind: tools.OK}, tools.Spec{}, touches...)
}

func (w *turns) all() []store.Turn {
	w.t.Helper()
	list, err := w.Turns()
	must(w.t, err)
	return list
}

func (w *turns) since(seq int64) store.Restoration {
	w.t.Helper()
	r, err := w.Since(seq)
	must(w.t, err)
	return r
}

func newTurns(t *testing.T) *turns {
	s := openNew(t)
	return &turns{t: t, Session: newSession(t, s, store.Meta{Dir: "/w"}), store: s}
}

func TestATurnIsTakenBackToWhatStoodBeforeIt(t *testing.T) {
	w := newTurns(t)
	v0, v1, v2, fresh := content("v0"), content("v1"), content("v2"), content("fresh")
	w.prompt("first")
	w.writes(touch("/w/a", v0, v1))
	w.prompt("second")
	w.writes(touch("/w/d", tools.FileState{}, tools.FileState{Kind: tools.Folder}), touch("/w/d/b", tools.FileState{}, fresh))
	w.writes(touch("/w/a", v1, v2))
	list := w.all()
	if len(list) != 2 || list[0].Prompt != "first" || list[1].Calls != 2 || len(list[1].Changes) != 3 {
		t.Fatalf("turns: %+v", list)
	}

	one := w.since(list[1].Seq).Points
	if len(one) != 3 {
		t.Fatalf("points: %+v", one)
	}
	// The file of the new folder goes before the folder.
	if one[1].Path != "/w/d/b" || one[2].Path != "/w/d" || one[1].Want.Kind != tools.Absent || !one[1].Held[0].Holds(fresh) {
		t.Errorf("points: %+v", one)
	}
	if a := one[0]; string(a.Want.Data) != "v1" || len(a.Held) != 1 || !a.Held[0].Holds(v2) || a.Mixed {
		t.Errorf("a of the second turn: %+v", a)
	}
	both := w.since(list[0].Seq).Points
	if a := both[len(both)-1]; string(a.Want.Data) != "v0" || a.Want.Mode != 0o644 || !a.Held[0].Holds(v2) {
		t.Errorf("a of both turns: %+v", a)
	}
}

func TestWhatSomebodyElseChangedInBetweenIsSaid(t *testing.T) {
	w := newTurns(t)
	w.prompt("p")
	w.writes(touch("/w/a", content("v0"), content("v1")))
	w.writes(touch("/w/a", content("v1 and theirs"), content("v2")))
	if p := w.since(w.all()[0].Seq).Points; len(p) != 1 || !p[0].Mixed || string(p[0].Want.Data) != "v0" {
		t.Errorf("points: %+v", p)
	}
}

func TestOnlyWhatMayHaveHappenedIsTakenBack(t *testing.T) {
	w := newTurns(t)
	w.prompt("p")
	seq := w.all()[0].Seq
	w.call("write", `{}`, true, tools.Outcome{Kind: tools.Error}, tools.Spec{}, touch("/w/failed", content("x"), content("y")))
	w.call("write", `{}`, true, tools.Outcome{Kind: tools.Cancelled}, tools.Spec{}, touch("/w/cancelled", content("x"), content("y")))
	w.call("write", `{}`, true, tools.Outcome{Kind: tools.Uncertain}, tools.Spec{}, touch("/w/maybe", content("x"), content("y")))
	w.call("shell", `{}`, true, tools.Outcome{Kind: tools.OK}, tools.Spec{Risk: tools.Low})
	w.call("shell", `{}`, true, tools.Outcome{Kind: tools.OK}, tools.Spec{Risk: tools.ReadOnlyRisk})
	w.call("read", `{}`, true, tools.Outcome{Kind: tools.OK}, tools.Spec{Effect: tools.ReadOnly})
	w.call("formatter", `{}`, false, tools.Outcome{Kind: tools.OK, Touches: []tools.Touch{touch("/w/f", content("1"), content("2"))}}, tools.Spec{})
	r := w.since(seq)
	if len(r.Points) != 2 || r.Points[0].Path != "/w/f" || string(r.Points[0].Want.Data) != "1" {
		t.Fatalf("points: %+v", r.Points)
	}
	if p := r.Points[1]; p.Path != "/w/maybe" || len(p.Held) != 2 {
		t.Errorf("the uncertain one: %+v", p)
	}
	if len(r.Effects) != 1 || r.Effects[0].Call.ID != "c4" {
		t.Errorf("effects: %+v", r.Effects)
	}
}

func TestAContentIsKeptThroughACrashBeforeTheOutcome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{Dir: "/w"})
	c := call("c1")
	must(t, j.Append(llm.UserText("p")))
	must(t, j.Append(asks(c)))
	must(t, j.Propose(&tools.Proposal{Call: c, Touches: []tools.Touch{touch("/w/a\xff", content("old"), content("new"))}}))
	must(t, j.Decide(c, allowed()))
	if n := rawInt(t, path, `SELECT count(*) FROM content`); n != 0 {
		t.Errorf("%d contents were kept for a call that did not start", n)
	}
	must(t, j.Start(c))
	must(t, j.Close())
	again, err := s.OpenSession(j.ID())
	must(t, err)
	list, err := again.Turns()
	must(t, err)
	r, err := again.Since(list[0].Seq)
	must(t, err)
	if len(r.Points) != 1 || r.Points[0].Path != "/w/a\xff" || string(r.Points[0].Want.Data) != "old" || len(r.Points[0].Held) != 2 {
		t.Errorf("points: %+v", r.Points)
	}
}

func TestUndoGoesBackATurnAtATimeAndRedoComesForward(t *testing.T) {
	w := newTurns(t)
	undoable := func(want string) store.Turn {
		t.Helper()
		turn, ok, err := w.Undoable()
		must(t, err)
		if got := turn.Prompt; ok != (want != "") || got != want {
			t.Fatalf("undoable: %q, %v; want %q", got, ok, want)
		}
		return turn
	}
	redoable := func(want string) string {
		t.Helper()
		id, ok, err := w.Redoable()
		must(t, err)
		if ok != (want != "") || ok && id != want {
			t.Fatalf("redoable: %q, %v; want %q", id, ok, want)
		}
		return id
	}
	undoable("")
	redoable("")
	w.prompt("one")
	w.writes(touch("/w/a", content("0"), content("1")))
	w.prompt("two")
	w.writes(touch("/w/a", content("1"), content("2")))
	w.prompt("three changes nothing")

	two := undoable("two")
	u1 := w.undoes(store.Restore{Turn: two.Seq}, touch("/w/a", content("2"), content("1")))
	one := undoable("one")
	redoable(u1.ID)
	u2 := w.undoes(store.Restore{Turn: one.Seq}, touch("/w/a", content("1"), content("0")))
	undoable("")

	redoable(u2.ID)
	r, err := w.Before(u2.ID)
	must(t, err)
	if len(r.Points) != 1 || string(r.Points[0].Want.Data) != "1" || !r.Points[0].Held[0].Holds(content("0")) {
		t.Fatalf("redo: %+v", r.Points)
	}
	w.undoes(store.Restore{Redo: u2.ID}, touch("/w/a", content("0"), content("1")))
	undoable("one")
	redoable(u1.ID)

	w.prompt("four")
	w.writes(touch("/w/b", content("x"), content("y")))
	undoable("four")
	redoable("") // what was changed since would be lost
}

func TestMessagesTakenBackCountNoMoreUntilTheyAreBroughtBack(t *testing.T) {
	w := newTurns(t)
	texts := func() (list []string) {
		t.Helper()
		p, err := w.Load()
		must(t, err)
		for _, m := range p.Messages {
			list = append(list, m.Text())
		}
		return list
	}
	said := func(want ...string) {
		t.Helper()
		if got := texts(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("messages: %q, want %q", got, want)
		}
	}
	say := func(text string) {
		must(t, w.Append(&llm.Message{Role: llm.Assistant, Parts: []llm.Part{{Kind: llm.Text, Text: text}}}))
	}
	for _, n := range []string{"1", "2", "3"} {
		w.prompt("p" + n)
		say("a" + n)
	}
	must(t, w.Rewind(w.all()[1].Seq))
	said("p1", "a1")
	if n, err := w.Rewound(); n != 4 || err != nil {
		t.Errorf("%d messages could be brought back, %v", n, err)
	}
	if l := w.all(); len(l) != 1 {
		t.Errorf("turns: %+v", l)
	}
	must(t, w.Unrewind())
	said("p1", "a1", "p2", "a2", "p3", "a3")
	must(t, w.Rewind(w.all()[2].Seq))
	must(t, w.Rewind(w.all()[1].Seq))
	said("p1", "a1")
	if p, err := w.Load(); err != nil || p.Notice != "" {
		t.Errorf("nothing was done, and yet: %q, %v", p.Notice, err)
	}
	w.prompt("new")
	said("p1", "a1", "new")
	if n, err := w.Rewound(); n != 0 || err != nil {
		t.Errorf("%d messages could be brought back over a new one, %v", n, err)
	}
	if err := w.Unrewind(); !errors.Is(err, store.ErrNothing) {
		t.Errorf("brought back over a new message: %v", err)
	}
	if err := w.Rewind(99); !errors.Is(err, store.ErrNothing) {
		t.Errorf("rewound to nowhere: %v", err)
	}
}

func TestTheOldestContentsGoWhenThereAreTooManyBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	s.BoundContents(1000, 1)
	w := &turns{t: t, Session: newSession(t, s, store.Meta{Dir: "/w"})}
	w.prompt("p")
	for i := range 20 {
		w.writes(touch(fmt.Sprintf("/w/%d", i), tools.StateOf(tools.Regular, 0o600, bytes.Repeat([]byte{byte('a' + i)}, 300)), content("x")))
	}
	if n := rawInt(t, path, `SELECT sum(size) FROM content`); n > 1000 || n < 900 {
		t.Errorf("%d bytes are kept", n)
	}
	p := w.since(w.all()[0].Seq).Points
	if len(p) != 20 || !p[0].Want.Known() || p[19].Want.Known() {
		t.Errorf("the newest is known: %v, the oldest: %v", p[0].Want.Known(), p[19].Want.Known())
	}
}

func TestTheModelIsToldWhatStaysOfThePartThatIsGone(t *testing.T) {
	w := newTurns(t)
	w.prompt("one")
	w.prompt("two")
	w.writes(touch("/w/<kept>", content("0"), content("1")))
	w.writes(touch("/w/back", content("0"), content("1")))
	w.call("shell", `{}`, true, tools.Outcome{Kind: tools.OK}, tools.Spec{Risk: tools.High})
	seq := w.all()[1].Seq
	w.undoes(store.Restore{Turn: seq}, touch("/w/back", content("1"), content("0")))
	must(t, w.Rewind(seq))
	p, err := w.Load()
	must(t, err)
	n := p.Notice
	if !strings.HasPrefix(n, "<recovery_notice>\n") || strings.Count(n, "</recovery_notice>") != 1 {
		t.Errorf("notice: %s", n)
	}
	if !strings.Contains(n, "- file &lt;kept>\n") || strings.Contains(n, "back\n") || !strings.Contains(n, "- shell: shell (ok)") {
		t.Errorf("notice: %s", n)
	}
	m := llm.UserText(n)
	m.Parts = append(m.Parts, llm.Part{Kind: llm.Text, Text: "go on"})
	must(t, w.Append(m))
	if p, err := w.Load(); err != nil || p.Notice != "" {
		t.Errorf("told twice: %q, %v", p.Notice, err)
	}
}
