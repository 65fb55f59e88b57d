package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Sessions is what can be done with the session on the screen and with others.
// Its methods may read and write files; they are called from goroutines of the
// UI's, and never while a turn runs.
type Sessions interface {
	// List returns the other sessions whose title has all of words in it, the
	// newest first.
	List(words []string) ([]SessionRow, error)
	// Open opens one, or a new one when id is "". The session on the screen stays
	// as it is; it is closed by the UI when there is another one.
	Open(ctx context.Context, id string) (Ready, error)
	// Running says, a line each, what ends with the session on the screen.
	Running() []string
	// Fork copies the session on the screen and returns the ID of the copy.
	Fork() (id string, err error)
	Rename(title string) error
	// Export writes the session to file, or to one of its choice when that is "",
	// and says where it is.
	Export(file string) (string, error)
	// Cost says, a line each, what was spent on what.
	Cost() ([]string, error)
}

// A SessionRow is one row of the sessions that can be gone to.
type SessionRow struct{ ID, Title, Detail string }

// withSessions calls do with what can be done with sessions; later, when the
// session is still being opened. It returns why it cannot be.
func (s *screen) withSessions(do func(Sessions)) string {
	switch {
	case s.ready == nil:
		s.waiting = append(s.waiting, func() { s.hint = s.withSessions(do) })
		return ""
	case s.ready.Sessions == nil:
		return "this session is not kept: it cannot be left for another, renamed, exported or billed"
	case s.busy:
		return "a turn is running: stop it first (" + s.keys.escEsc(s.th) + ")"
	}
	s.hint = ""
	do(s.ready.Sessions)
	return ""
}

// look has f do something outside of the screen and shows what came of it.
func (s *screen) look(f func() (show func(*screen), err error)) {
	s.host.fetch(func() tea.Msg {
		show, err := f()
		return fetchedMsg{func(s *screen) {
			if err != nil {
				s.hint = plainLine(err.Error())
				return
			}
			show(s)
		}}
	})
}

func (s *screen) resumeSession(words string) string {
	return s.withSessions(func(l Sessions) {
		s.look(func() (func(*screen), error) {
			rows, err := l.List(strings.Fields(words))
			return func(s *screen) { s.chooseSession(l, rows) }, err
		})
	})
}

func (s *screen) chooseSession(l Sessions, rows []SessionRow) {
	switch {
	case len(rows) == 0:
		s.hint = "there is no other session like that in this folder"
		return
	case !s.free():
		return
	}
	options := make([]tools.Option, len(rows))
	for i, r := range rows {
		options[i] = tools.Option{ID: r.ID, Label: r.Title, Detail: r.Detail}
	}
	text := []tools.Section{{Kind: tools.Text, Body: "Continue which session? The files stay as they are now."}}
	s.choose("resume", text, options, func(id string) { s.goTo(l, id) })
}

func (s *screen) newSession(string) string {
	return s.withSessions(func(l Sessions) { s.goTo(l, "") })
}

func (s *screen) forkSession(string) string {
	return s.withSessions(func(l Sessions) {
		s.look(func() (func(*screen), error) {
			id, err := l.Fork()
			return func(s *screen) { s.goTo(l, id) }, err
		})
	})
}

// goTo changes to another session, once the person knows what ends with this
// one.
func (s *screen) goTo(l Sessions, id string) {
	s.look(func() (func(*screen), error) {
		ends := l.Running()
		return func(s *screen) {
			switch {
			case !s.free():
			case len(ends) == 0:
				s.change(l, id)
			default:
				s.confirmChange(l, id, ends)
			}
		}, nil
	})
}

func (s *screen) confirmChange(l Sessions, id string, ends []string) {
	text := []tools.Section{{Kind: tools.Text, Body: "These run in the background and end with this session:\n" + strings.Join(ends, "\n")}}
	options := []tools.Option{{ID: "stay", Label: "Stay here"}, {ID: "go", Label: "End them and go on"}}
	s.choose("leave the session", text, options, func(choice string) {
		if choice == "go" {
			s.change(l, id)
		}
	})
}

// change opens another session in the place of this one. Until it is there,
// nothing starts; when it cannot be opened, this one goes on.
func (s *screen) change(l Sessions, id string) {
	old := s.ready
	s.left, s.ready = old, nil
	s.shelved, s.queue = s.queue, queue{}
	s.repolicy = true // the policy is the person's, not the session's
	s.hint = "opening" + s.th.glyph.more
	s.host.change(*old, func(ctx context.Context) (Ready, error) { return l.Open(ctx, id) })
}

// stayed goes on with the session that was to be left.
func (s *screen) stayed(err error) {
	s.ready, s.left, s.repolicy = s.left, nil, false
	meanwhile := s.queue.list
	s.queue, s.shelved = s.shelved, queue{}
	for _, p := range meanwhile {
		s.queue.add(p)
	}
	s.hint = plainLine(err.Error())
	for _, do := range s.waiting {
		do()
	}
	s.waiting = nil
	s.next(s.now())
}

// changed draws a line under the session that was left.
func (s *screen) changed(r Ready) {
	s.left = nil
	s.composer.session = history{}
	s.shelved = queue{} // what waits in the session that was left waits there
	t := &s.script
	t.usage, t.judging, t.cost = llm.Usage{}, llm.Usage{}, 0
	title := "a new session"
	if r.Title != "" {
		title = "session: " + plainLine(r.Title)
	}
	dash := s.th.glyph.rule
	s.log.add(&entry{kind: entryNote, text: title})
	s.unfolded = 0
	rule := clip(dash+dash+" "+title+" ", max(2, t.w))
	if n := t.w - width(rule); n > 0 {
		rule += strings.Repeat(dash, n)
	}
	s.print([]string{"", s.th.muted.render(rule)})
}

func (s *screen) renameSession(title string) string {
	if title == "" {
		return "rename it to what? /rename TITLE"
	}
	return s.withSessions(func(l Sessions) {
		s.look(func() (func(*screen), error) {
			err := l.Rename(title)
			return func(s *screen) { s.print(s.script.note("the session is called " + plainLine(title) + " now")) }, err
		})
	})
}

func (s *screen) exportSession(file string) string {
	return s.withSessions(func(l Sessions) {
		s.look(func() (func(*screen), error) {
			to, err := l.Export(file)
			return func(s *screen) { s.print(s.script.note("exported to " + plainLine(to))) }, err
		})
	})
}

func (s *screen) costs(string) string {
	return s.withSessions(func(l Sessions) {
		s.look(func() (func(*screen), error) {
			lines, err := l.Cost()
			return func(s *screen) { s.paged("/cost", s.columns(lines)) }, err
		})
	})
}
