package tui

import (
	"context"
	"errors"
	"io"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Session is the conversation behind the screen. One of its methods runs at a
// time, on a goroutine of the UI.
type Session interface {
	Prompt(ctx context.Context, text string, emit func(loop.Event)) error
	Shell(ctx context.Context, command string, emit func(loop.Event)) error
	Replay(emit func(loop.Event)) error
	// Admit says which messages of the Queue the next Prompt or Shell takes up.
	Admit(ids ...int64)
}

// Ready is what the start of a session leads to.
type Ready struct {
	Session Session
	Gate    *approval.Gate
	// Model, Branch, Dir and Agent are shown; empty ones are not.
	Model, Branch, Dir, Agent string
	// Sandbox says what commands are confined to. It is called once, on a goroutine
	// of its own: to find out takes longer than to open a session. Nil for nothing.
	Sandbox func() string
	// Effort is how hard the model was asked to think, "" when it was not.
	Effort string
	// Models are those that the session can go on with; nil when it cannot change.
	Models Models
	// Root is the workspace, which a card names as where things happen.
	Root    string
	Notices []string
	// Prompt, when not "", is submitted at once.
	Prompt string
	// Permissions says, a line each, what runs without asking, Trust what
	// the folder brings along and whether it acts, Skills the skills there are,
	// Memory what sessions are told, Agents who there is and what they do, and Work
	// the plan, the todo list or the goal; the last three take what was typed behind
	// the command, which may change something.
	// Complete returns the paths that begin with the word of a command line. All
	// of them may read files and are called from goroutines of the UI's; nil means
	// that there is no such thing.
	Permissions func() ([]string, error)
	Trust       func() ([]string, error)
	Skills      func() ([]string, error)
	Memory      func(arg string) ([]string, error)
	Agents      func(arg string) ([]string, error)
	Work        func(part, arg string) ([]string, error)
	Complete    func(word string) []string
	// Difference compares the files with the last commit, for /diff; it is called from
	// goroutines of the UI's. Nil means that there is no such thing.
	Difference func() (Difference, error)
	// Pages prints what /tools, /config, /mcp and /doctor show; it may read files and is
	// called from goroutines of the UI's. Jobs returns the commands of the
	// background, then the agents that work there, each the oldest first, at once
	// and whenever the screen is drawn. Nil means that there is no such thing.
	Pages func(name, arg string) ([]string, error)
	Jobs  func() []Job
	// Commands are the / commands that the session knows beside those of the
	// screen. More are those that come and go: it is asked whenever they are
	// needed, and answers at once; nil means that there are none.
	Commands []Command
	More     func() []Command
	// Init says why /init, which the session knows as a prompt, cannot be used now,
	// "" when it can, from memory. Nil where it never can.
	Init func() string
	// Active names the agent and the model of the next prompt, from memory; nil
	// where they stay as they were.
	Active func() (agent, model string)
	// Queue keeps messages that wait, and Waiting are those of before; nil when
	// they are only in memory.
	Queue   Queue
	Waiting []Waiting
	// History is what was sent in this workspace, oldest first, and Remember adds
	// to it. Files lists the paths that @ offers, relative to Root. Picture says
	// how a picture that was dropped is mentioned and shown, or why it cannot be
	// sent. All but History may read files and are called from goroutines of the
	// UI's; nil means that there is no such thing.
	History  []string
	Remember func(text string)
	Files    func() ([]string, error)
	Picture  func(path string) (mention, label string, err error)
	// Elsewhere returns what was sent in other workspaces, oldest first. It reads
	// files and is called from goroutines of the UI's; nil when nobody knows.
	Elsewhere func() ([]string, error)
	// Past is what can be taken back; nil when nothing can.
	Past Past
	// Doubts are the calls that may have happened, and InDoubt how many there are
	// at the start. Nil when there is no record.
	Doubts  Doubts
	InDoubt int
	// Sessions is what can be done with this session and others; nil when it is
	// not kept. Title is this one's, "" when it has none.
	Sessions Sessions
	Title    string
	// Room is what the conversation takes of the model's context; nil when nobody
	// knows.
	Room Room
	// Close ends the session; it is called once, after the last turn. Nil when
	// there is nothing to close.
	Close func() error
	// Offer, when not nil, stands in the place of a session: there is none yet,
	// and the person is asked what to do.
	Offer *Offer
}

// An Offer is a question put at the start, such as what to do without a
// configured model.
type Offer struct {
	Title, Text string
	// Exact is what the question is about, shown below the text to the last
	// character, whatever its kinds.
	Exact []tools.Section
	// Choices are the rows. One with Write asks for a line that is a secret, such
	// as a key: it is not shown, and Choose gets it behind the ID and a colon.
	Choices []tools.Option
	// Whole is the ID of the choice that is taken only once all of Exact was in
	// sight; "" for none.
	Whole string
	// Choose carries the choice out; it runs where Boot does. Its result may be
	// another offer. ErrLeave ends the UI without an error.
	Choose func(ctx context.Context, id string) (Ready, error)
}

// ErrLeave is the error of an Offer's choice to leave.
var ErrLeave = errors.New("leave")

// Options is what a UI is made of.
type Options struct {
	In  io.Reader // a terminal
	Out io.Writer // a terminal
	Env []string  // as of os.Environ
	// Version is shown in the header.
	Version string
	// Boot opens the session. It runs after the first frame was drawn, while the
	// person can type already. Its error ends Run.
	Boot func(ctx context.Context, asker approval.Asker) (Ready, error)
	// Advise adds to the error that ended a turn what the person can do about it;
	// nil adds nothing.
	Advise func(error) error
	// Policy is shown until the session's gate is there; a change that the person
	// makes before goes to the gate.
	Policy approval.Policy
	// Prompt, when not "", is submitted as soon as the session is ready.
	Prompt string
	// Theme is how it looks, the zero value as ansi does. Themes returns all that
	// there are, by reading their files; nil means that only those built in are.
	Theme  Palette
	Themes func() ([]Palette, error)
	UI     Appearance
	Notify Notify
	// Keys are the keys of commands, by name, in the place of the usual ones; see
	// [CheckKeys].
	Keys map[string][]string
	// Vim has the composer understand the commands of vi.
	Vim bool
	// Editor lets the person edit a text with a program of their choice, which has
	// the terminal meanwhile, and returns what became of it. Nil when there is
	// none.
	Editor func(text string) (string, error)
}

// An Appearance is what of the screen can be chosen.
type Appearance struct {
	Background string // dark or light; otherwise the terminal is asked
	// Title lets the terminal's title say where zuno works and what it does.
	Title bool
	// Compact leaves out what receipts show of calls that went well, and empty
	// rows.
	Compact bool
	// Still keeps marks from moving.
	Still bool
	// Reader is for a screen that is read aloud: lines, one an event, and no
	// movement of the cursor.
	Reader bool
}
