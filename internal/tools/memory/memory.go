// Package memory holds the tools for what is known beyond a session. There are
// two kinds of it.
//
// Memory proper is a few short entries that every session is told of. The model
// proposes one with memory_propose, and nothing enters it that a person did not
// see, word by word, and accept: under every policy, and never when nobody is
// there. Likely secrets are refused, and what reads like an instruction in
// disguise is refused or shown with a warning.
//
// Notes are longer texts under names, which a session reads only when it looks
// them up with view_memory; manage_memory changes them.
//
// Nothing of either is written into a repository.
package memory

import (
	"errors"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Target says for whom something is remembered.
type Target string

// The targets.
const (
	Global  Target = "global"  // every project of the user
	Project Target = "project" // the repository that the session is in
)

// Budget returns how many characters all entries of a target may have together.
func (t Target) Budget() int {
	if t == Global {
		return 2200
	}
	return 3000
}

// An Entry is one thing that sessions are told.
type Entry struct {
	// N names the entry to people; no other entry ever has it.
	N    int64
	Text string
	// Revision is that of the memory when the entry got its text.
	Revision int
	// Reason is the model's, "" for what a person typed. Session is the ID of the
	// session in which it was accepted, "" outside of one, and By who accepted it.
	Reason, Session, By string
	At                  time.Time
}

// A Book is the entries of one target in the order in which they were accepted.
type Book struct {
	// Revision counts the changes; 0 means that there was none.
	Revision int
	Entries  []Entry
}

// A Note is a text that is kept under a name.
type Note struct {
	Path, Text string
	Writes     int    // how often it was written, which is its revision
	Session    string // ID of the session that wrote it last
	Created    time.Time
	Updated    time.Time
}

// ErrStale is the error of a change that was made for another state than there
// is now. Nothing was changed.
var ErrStale = errors.New("the memory was changed meanwhile")

// A Store keeps memory and notes. Every change is made whole or not at all. Its
// methods are called from goroutines of a turn and of a front end.
type Store interface {
	Book(t Target) (Book, error)
	// Put adds e, whose N is 0, or gives the entry e.N its new text. It fails
	// with ErrStale when the memory is not at revision at.
	Put(t Target, at int, e Entry) (Book, error)
	// Drop removes an entry, like Put.
	Drop(t Target, at int, n int64) (Book, error)

	// Notes returns the notes of a target by path.
	Notes(t Target) ([]Note, error)
	// PutNote writes a note that was written writes times before, 0 for a new
	// one; DropNote removes one, and MoveNote gives it a path that no note has.
	// They fail with ErrStale when that is not so.
	PutNote(t Target, path, text string, writes int) error
	DropNote(t Target, path string, writes int) error
	MoveNote(t Target, from, to string, writes int) error
}

// Config is what the tools need.
type Config struct {
	// Store keeps what is accepted; with none, calls are refused.
	Store Store
	// Show returns a text as it stands in a prompt: with tags that could be
	// mistaken for zuno's, and characters that cannot be seen, written out. It is
	// what is shown and what is kept. Nil changes nothing.
	Show func(string) string
	// Attended says that a person types the prompts. Notes are written only then.
	Attended bool
}

func (c Config) show(s string) string {
	if c.Show == nil {
		return s
	}
	return c.Show(s)
}

// New returns the tools of this family.
func New(c Config) []tools.Tool { return []tools.Tool{propose(c), view(c), manage(c)} }

func invalid(format string, args ...any) error {
	return tools.Refuse(tools.InvalidArguments, "invalid arguments: "+format, args...)
}

func errNoStore() error { return tools.Refuse(tools.Unavailable, "there is no memory here") }

// failed is the outcome of a change that err kept from being made.
func failed(err error) tools.Outcome {
	if errors.Is(err, ErrStale) {
		return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: "the memory was changed after this was shown; look at it again"}
	}
	return tools.Outcome{Kind: tools.Error, Text: err.Error()}
}
