package store_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
)

func TestModelsUsedLastAreFirst(t *testing.T) {
	db := openNew(t)
	for _, models := range [][]string{{"p/a", "p/b"}, {"p/c", "p/a"}} {
		s, err := db.NewSession(store.Meta{Dir: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			for _, msg := range []*llm.Message{llm.UserText("hello"), {Role: llm.Assistant, Model: m, Parts: []llm.Part{{Kind: llm.Text, Text: "hi"}}}} {
				if err := s.Append(msg); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := s.Models()
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(models)
		if !slices.Equal(got[:2], models) {
			t.Errorf("got %v, want %v first", got, models)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What a session is gone on with is what was chosen last, in it and in its
// copies, whatever model answered.
func TestASessionIsGoneOnWithWhatWasChosen(t *testing.T) {
	db := openNew(t)
	chosen := func(id, wantModel, wantEffort string) {
		t.Helper()
		if model, effort, err := db.Chosen(id); err != nil || model != wantModel || effort != wantEffort {
			t.Errorf("session %s: %q %q, %v", id, model, effort, err)
		}
	}
	s := newSession(t, db, store.Meta{ID: "one", Dir: "/w", Model: "p/a", Chosen: "p/a"})
	chosen("one", "", "") // nothing is stored of it yet
	must(t, s.Choose("p/b", ""))
	must(t, s.Append(llm.UserText("hello")))
	must(t, s.Append(answer("hi"))) // by p/m
	chosen("one", "p/b", "")
	must(t, s.Choose("p/b", "low"))
	chosen("on", "p/b", "low")
	id, err := db.Fork("one", 0)
	must(t, err)
	chosen(id, "p/b", "low")
	must(t, s.Close())
	s, err = db.OpenSession("one")
	must(t, err)
	if m := s.Meta(); m.Chosen != "p/b" || m.Effort != "low" || m.Model != "p/m" {
		t.Errorf("opened again: %+v", m)
	}
	must(t, s.Choose("", ""))
	chosen("one", "", "")
	chosen("nosuch", "", "")
}

// What could not be noted is not taken for noted: the next attempt notes it.
func TestAChoiceThatCouldNotBeNotedIsMadeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	db := openAt(t, path)
	s := newSession(t, db, store.Meta{ID: "one", Chosen: "p/a"})
	must(t, s.Append(llm.UserText("hello")))
	rawExec(t, path, `CREATE TRIGGER no BEFORE UPDATE OF chosen ON session BEGIN SELECT RAISE(ABORT, 'no'); END`)
	if err := s.Choose("p/b", "low"); err == nil || s.Meta().Chosen != "p/a" {
		t.Errorf("it is %q, %v", s.Meta().Chosen, err)
	}
	rawExec(t, path, `DROP TRIGGER no`)
	must(t, s.Choose("p/b", "low"))
	if model, effort, err := db.Chosen("one"); err != nil || model != "p/b" || effort != "low" {
		t.Errorf("noted: %q %q, %v", model, effort, err)
	}
}
