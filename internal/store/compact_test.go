//go:build unix

package store_test

import (
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
)

// said is a session of n messages, and the seqs of its prompts.
func said(t *testing.T, n int) (*turns, []int64) {
	t.Helper()
	w := newTurns(t)
	for range n {
		w.prompt("p")
	}
	var seqs []int64
	for _, turn := range w.all() {
		seqs = append(seqs, turn.Seq)
	}
	return w, seqs
}

func view(t *testing.T, w *turns) store.View {
	t.Helper()
	p, err := w.Load()
	must(t, err)
	return p.View
}

func TestTheNewestSummaryStands(t *testing.T) {
	w, _ := said(t, 6)
	if v := view(t, w); v != (store.View{}) {
		t.Errorf("at first the view is %+v", v)
	}
	must(t, w.Clear(3, 100, 80))
	must(t, w.Compact("one", "f1", 4, 80, 50))
	if v := view(t, w); v != (store.View{Summary: "one", Facts: "f1", Covers: 2, Cleared: 3, At: 6, Before: 80, After: 50}) {
		t.Errorf("%+v", v)
	}
	w.prompt("more")
	must(t, w.Compact("two", "f2", 1, 90, 40))
	must(t, w.Clear(2, 40, 30))
	if v := view(t, w); v != (store.View{Summary: "two", Facts: "f2", Covers: 6, Cleared: 5, At: 7, Before: 40, After: 30}) {
		t.Errorf("%+v", v)
	}
	p, err := w.Load()
	must(t, err)
	if len(p.Messages) != 7 {
		t.Errorf("%d messages are stored", len(p.Messages))
	}
}

// A summary tells of the messages that it stands for. When one of them is taken
// back it stands no more, and comes back with them.
func TestARewindIntoASummaryTakesItBack(t *testing.T) {
	w, seqs := said(t, 6)
	must(t, w.Compact("one", "", 4, 0, 0)) // the first two
	w.prompt("more")
	must(t, w.Compact("two", "", 2, 0, 0)) // the first five
	must(t, w.Rewind(seqs[5]))             // behind both
	if v := view(t, w); v.Summary != "two" || v.Covers != 5 || v.At != 5 {
		t.Errorf("after a rewind behind it the view is %+v", v)
	}
	must(t, w.Unrewind())
	must(t, w.Rewind(seqs[3])) // into the second
	if v := view(t, w); v.Summary != "one" || v.Covers != 2 {
		t.Errorf("after a rewind into the second the view is %+v", v)
	}
	must(t, w.Unrewind())
	if v := view(t, w); v.Summary != "two" || v.Covers != 5 {
		t.Errorf("brought back, the view is %+v", v)
	}
	must(t, w.Rewind(seqs[0]))
	if v := view(t, w); v != (store.View{}) {
		t.Errorf("after a rewind to the start the view is %+v", v)
	}
}

// What was taken back before is not part of what a summary tells.
func TestASummaryAfterARewindStands(t *testing.T) {
	w, seqs := said(t, 6)
	must(t, w.Rewind(seqs[3]))
	must(t, w.Compact("the first two", "", 1, 0, 0))
	if v := view(t, w); v.Covers != 2 {
		t.Errorf("%+v", v)
	}
	must(t, w.Unrewind())
	if v := view(t, w); v.Covers != 2 || v.Summary == "" {
		t.Errorf("brought back, the view is %+v", v)
	}
	must(t, w.Rewind(seqs[3]))
	must(t, w.Append(llm.UserText("another way")))
	must(t, w.Compact("the first three", "", 1, 0, 0))
	if v := view(t, w); v.Covers != 3 || v.At != 4 {
		t.Errorf("%+v", v)
	}
}

func TestASummaryNeedsWordsAndMessages(t *testing.T) {
	w, _ := said(t, 2)
	for name, err := range map[string]error{
		"no words":      w.Compact("", "facts", 1, 0, 0),
		"no messages":   w.Compact("all", "", 2, 0, 0),
		"none to clear": w.Clear(2, 0, 0),
	} {
		if err == nil {
			t.Errorf("%s: it was recorded", name)
		}
	}
	if v := view(t, w); v != (store.View{}) {
		t.Errorf("%+v", v)
	}
}
