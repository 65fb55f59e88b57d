package memory

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A fake keeps everything in memory.
type fake struct {
	books map[Target]Book
	notes map[Target][]Note
	last  int64
}

func newFake() *fake { return &fake{books: map[Target]Book{}, notes: map[Target][]Note{}} }

func (f *fake) Book(t Target) (Book, error) {
	b := f.books[t]
	b.Entries = slices.Clone(b.Entries)
	return b, nil
}

func (f *fake) change(t Target, at int, change func(*Book)) (Book, error) {
	b, err := f.Book(t)
	if err == nil && b.Revision != at {
		err = ErrStale
	}
	if err != nil {
		return Book{}, err
	}
	change(&b)
	b.Revision++
	f.books[t] = b
	return b, nil
}

func (f *fake) Put(t Target, at int, e Entry) (Book, error) {
	return f.change(t, at, func(b *Book) {
		if i := slices.IndexFunc(b.Entries, func(x Entry) bool { return x.N == e.N }); i >= 0 {
			b.Entries[i] = e
			return
		}
		f.last++
		e.N = f.last
		b.Entries = append(b.Entries, e)
	})
}

func (f *fake) Drop(t Target, at int, n int64) (Book, error) {
	return f.change(t, at, func(b *Book) {
		b.Entries = slices.DeleteFunc(b.Entries, func(x Entry) bool { return x.N == n })
	})
}

func (f *fake) Notes(t Target) ([]Note, error) { return slices.Clone(f.notes[t]), nil }

// note runs change on the note at path, nil when there is none, if it was
// written writes times.
func (f *fake) note(t Target, path string, writes int, change func(i int)) error {
	i := slices.IndexFunc(f.notes[t], func(n Note) bool { return n.Path == path })
	if i < 0 != (writes == 0) || i >= 0 && f.notes[t][i].Writes != writes {
		return ErrStale
	}
	change(i)
	return nil
}

func (f *fake) PutNote(t Target, path, text string, writes int) error {
	return f.note(t, path, writes, func(i int) {
		if i < 0 {
			f.notes[t] = append(f.notes[t], Note{Path: path})
			i = len(f.notes[t]) - 1
		}
		f.notes[t][i].Text = text
		f.notes[t][i].Writes++
	})
}

func (f *fake) DropNote(t Target, path string, writes int) error {
	return f.note(t, path, writes, func(i int) { f.notes[t] = slices.Delete(f.notes[t], i, i+1) })
}

func (f *fake) MoveNote(t Target, from, to string, writes int) error {
	return f.note(t, from, writes, func(i int) { f.notes[t][i].Path = to })
}

// find returns the tool of that name over c.
func find(t *testing.T, c Config, name string) tools.Tool {
	t.Helper()
	for _, x := range New(c) {
		if x.Spec().Name == name {
			return x
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

// accepts proposes a call, and carries it out as a person who accepts it would.
func accepts(t *testing.T, c Config, name, args string) (*tools.Proposal, tools.Outcome) {
	t.Helper()
	p, err := find(t, c, name).Propose(t.Context(), tools.Call{ID: "1", Tool: name, Args: json.RawMessage(args)})
	if err != nil {
		return nil, tools.OutcomeOf(err)
	}
	d := tools.Decision{Allowed: true, By: tools.ByPerson}
	if len(p.Options) > 0 {
		d.Choice = p.Options[0].ID
	}
	return p, p.Execute(t.Context(), d, nil)
}
