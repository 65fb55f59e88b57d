package store_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools/memory"
)

func TestMemoryCountsWhereItBelongs(t *testing.T) {
	clock := time.Unix(1_700_000_000, 7)
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	a, b := s.Memory("/a"), s.Memory("/b")
	a.Session = "s1"
	put := func(m *store.Memory, target memory.Target, at int, e memory.Entry) memory.Book {
		t.Helper()
		book, err := m.Put(target, at, e)
		must(t, err)
		return book
	}
	put(a, memory.Project, 0, memory.Entry{Text: "one", Reason: "r", By: "you"})
	book := put(a, memory.Project, 1, memory.Entry{Text: "two", By: "you"})
	put(b, memory.Global, 0, memory.Entry{Text: "all", By: "you"})
	want := memory.Entry{N: 1, Text: "one", Revision: 1, Reason: "r", Session: "s1", By: "you", At: clock}
	if book.Revision != 2 || len(book.Entries) != 2 || book.Entries[0] != want {
		t.Errorf("%+v", book)
	}
	for _, m := range []*store.Memory{a, b} {
		if g, err := m.Book(memory.Global); err != nil || len(g.Entries) != 1 || g.Entries[0].Text != "all" {
			t.Errorf("%+v, %v", g, err)
		}
	}
	if p, err := b.Book(memory.Project); err != nil || p.Revision != 0 || p.Entries != nil {
		t.Errorf("%+v, %v", p, err)
	}
	// What was made for another revision, or for an entry that is gone, changes
	// nothing.
	other := openAt(t, path).Memory("/a") // as another process would
	if _, err := other.Put(memory.Project, 1, memory.Entry{Text: "late"}); !errors.Is(err, memory.ErrStale) {
		t.Errorf("the error is %v", err)
	}
	if _, err := other.Drop(memory.Project, 2, 3); !errors.Is(err, memory.ErrStale) { // of another target
		t.Errorf("the error is %v", err)
	}
	book = put(other, memory.Project, 2, memory.Entry{N: 1, Text: "uno", By: "you"})
	if book.Revision != 3 || book.Entries[0].Text != "uno" || book.Entries[0].Revision != 3 || book.Entries[0].Session != "" {
		t.Errorf("%+v", book)
	}
	for n := range int64(2) {
		book, err = a.Drop(memory.Project, 3+int(n), n+1)
		must(t, err)
	}
	if book.Revision != 5 || len(book.Entries) != 0 {
		t.Errorf("all forgotten: %+v", book)
	}
	if book = put(a, memory.Project, 5, memory.Entry{Text: "new"}); book.Entries[0].N != 4 {
		t.Errorf("a number was given twice: %+v", book)
	}
	list, err := s.Remembered()
	if err != nil || len(list) != 2 || list[0].Repo != "" || list[1].Repo != "/a" || list[1].Text != "new" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, want := range []bool{true, false} {
		if found, err := s.Forget(4); found != want || err != nil {
			t.Errorf("forget: %v, %v", found, err)
		}
	}
	if book, err := a.Book(memory.Project); err != nil || book.Revision != 7 {
		t.Errorf("%+v, %v", book, err)
	}
	if n := rawInt(t, path, `SELECT count(*) FROM memory WHERE text IN ('one', 'uno', 'two', 'new')`); n != 0 {
		t.Errorf("%d texts are left of what was forgotten", n)
	}
}

func TestNotesAreWrittenByWhoKnowsThem(t *testing.T) {
	s := openNew(t)
	a, b := s.Memory("/a"), s.Memory("/b")
	must(t, a.PutNote(memory.Project, "x", "1", 0))
	must(t, a.PutNote(memory.Project, "x", "2", 1))
	must(t, a.PutNote(memory.Project, "y", "1", 0))
	must(t, a.PutNote(memory.Global, "global/x", "1", 0))
	for name, err := range map[string]error{
		"new, and there":       a.PutNote(memory.Project, "x", "3", 0),
		"old":                  a.PutNote(memory.Project, "x", "3", 1),
		"of another project":   b.PutNote(memory.Project, "x", "3", 2),
		"remove an old one":    a.DropNote(memory.Project, "x", 1),
		"rename to one of two": a.MoveNote(memory.Project, "x", "y", 2),
		"rename what is gone":  a.MoveNote(memory.Project, "z", "w", 1),
	} {
		if !errors.Is(err, memory.ErrStale) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, a.MoveNote(memory.Project, "x", "w", 2))
	must(t, a.DropNote(memory.Project, "y", 1))
	list, err := a.Notes(memory.Project)
	if err != nil || len(list) != 1 || list[0].Path != "w" || list[0].Text != "2" || list[0].Writes != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := b.Notes(memory.Global); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestMemoryOutlivesItsSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, nil)
	must(t, err)
	j := newSession(t, s, store.Meta{})
	must(t, j.Append(llm.UserText("x")))
	m := s.Memory("/a")
	m.Session = j.ID()
	_, err = m.Put(memory.Project, 0, memory.Entry{Text: "kept", By: "you"})
	must(t, errors.Join(err, j.Close(), s.Close()))
	book, err := openAt(t, path).Memory("/a").Book(memory.Project)
	if err != nil || len(book.Entries) != 1 || book.Entries[0].Session != j.ID() {
		t.Errorf("%+v, %v", book, err)
	}
}
