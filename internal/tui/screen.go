package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/highlight"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A host is what the screen can have done outside of it. Its methods are called
// on the screen's goroutine and must not block.
type host interface {
	start(s Session, p prompt) (cancel func())
	choose(o *Offer, id string)
	// change opens another session and, when there is one, closes the old.
	change(old Ready, open func(context.Context) (Ready, error))
	// run has do use the terminal in the place of the UI, and delivers done.
	run(do func() error, done func(error) tea.Msg) tea.Cmd
	wakeAt(d time.Duration)
	// behind reports whether keys were read that the screen was not given yet.
	behind() bool
	fetch(f func() tea.Msg)
	// arm says until when a press of Esc would stop the turn.
	arm(until time.Time)
	suspend()
	resume() error
	// regain takes the terminal again where somebody else has changed its mode, and
	// reports whether that was so.
	regain() (bool, error)
}

// A screen is the whole model. It routes each message to the part that it
// concerns; parts decide, the screen does not.
type screen struct {
	host   host
	canvas interface{ post(job) }
	th     *theme
	now    func() time.Time
	opts   Options
	keys   keymap

	w, h    int
	resize  resizing
	out     []string // lines to be printed with the next frame
	printed scrolled

	ready    *Ready   // nil while the session is being opened
	left     *Ready   // the session that is being left for another one, else nil
	waiting  []func() // what the person asked for that needs the session
	confined string   // what commands are confined to, "" until that is known
	policy   approval.Policy
	repolicy bool // the person changed the policy before the gate was there

	script   transcript
	log      entries
	pager    *pager // nil while the screen is inline
	beacon   beacon
	unfolded int // calls that were printed whole since the last one settled
	composer composer
	popup    *popup  // nil when nothing can be completed
	mentions mention // what @ can name
	chord    string  // the first of two keys, "" when none was pressed
	queue    queue
	shelved  queue // of the session that is being left
	cards    []*card
	layout   diffLayout // of the diffs on cards
	asks     map[*ask]*card
	esc      escape
	hint     string
	calling  string // the / command that runs, as it was typed
	sheet    bool   // the table of keys is shown
	words    *highlight.Highlighter
	after    tea.Cmd           // what the message leads to, apart from a frame
	drafts   map[string]string // what the person last made of a call, by its ID

	busy      bool
	steers    bool // the turn takes messages up while it runs
	began     time.Time
	stop      func() // cancels the turn
	then      func() // done when the turn ends well
	ran, over []lane // what ran beside the turn at the last frame, and what has ended since
	doubts    int    // uncertain calls of which nobody found out
	stopping  bool
	ended     bool // the turn's Ended event was seen
	quitting  bool
	err       error
	said      said
	suspended bool

	drawn  time.Time // when the last frame was made
	dirty  bool      // something changed since
	urgent bool      // it is drawn now
	typing bool      // what changed is what was typed
}

// resizing is a change of size that waits for the next.
type resizing struct {
	w, h int
	low  int       // the lowest height seen, zero when it may be any
	at   time.Time // of the last change; zero when there is none
}

type (
	wakeMsg struct{}
	// sightMsg says when a question came into sight.
	sightMsg struct {
		asks
		at time.Time
	}
	sizeMsg struct{ w, h int }
	// goesOnMsg says that the process goes on, unstoppedMsg that it could not be
	// stopped.
	goesOnMsg    struct{}
	unstoppedMsg struct{}
	// interruptMsg is the signal that a terminal in its own line mode makes of
	// ctrl+c.
	interruptMsg struct{}
)

func newScreen(th *theme, w, h int, o Options, now func() time.Time) *screen {
	s := &screen{th: th, w: w, h: h, opts: o, now: now, keys: newKeymap(o.Keys), policy: o.Policy, asks: map[*ask]*card{}, words: highlight.New(), drafts: map[string]string{}}
	s.script.th = th
	s.composer.th = th
	s.composer.vim = vim{on: o.Vim, insert: true}
	s.script.answer.md = newMarkdown(th)
	s.beacon = newBeacon(o, th, now())
	s.script.brief = o.UI.Compact
	s.sized(w, h)
	if strings.TrimSpace(o.Prompt) != "" {
		s.queue.add(promptOf(o.Prompt))
	}
	return s
}

// Init has Bubble Tea let go of the terminal, with all that would wake it up
// while nothing happens. The UI starts what there is to start.
func (s *screen) Init() tea.Cmd {
	let, ok := s.host.(interface{ letGo() })
	if !ok {
		return nil
	}
	return func() tea.Msg {
		let.letGo()
		return nil
	}
}

// View is empty: the canvas draws.
func (s *screen) View() tea.View { return tea.View{} }

// Update routes one message and draws what it changed. A panic ends the program
// in the ordinary way, so that the terminal is restored.
func (s *screen) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if s.err != nil {
			m, cmd = s, tea.Quit
		}
	}()
	defer recovered("the screen", &s.err)
	now := s.now()
	s.urgent = false
	switch msg := msg.(type) {
	case keyMsg:
		cmd = s.key(msg.KeyPressMsg, msg.at)
	case pasteMsg:
		s.paste(msg.text, msg.at)
	case tea.ResumeMsg:
		s.resumed()
	case unstoppedMsg:
		s.resumed()
		s.hint = "nothing here could continue a stopped zuno: there is no shell with job control around it"
	case goesOnMsg:
		s.goesOn()
	case interruptMsg:
		if s.suspended {
			return s, nil // it was for whoever has the terminal
		}
		s.dirty, s.urgent = true, true
		s.press(cmdCtrlC, now)
	case sizeMsg:
		s.resized(max(1, msg.w), max(1, msg.h), now)
	case eventsMsg:
		s.fold(msg, now)
	case turnDoneMsg:
		s.turnDone(msg.err, now)
		s.giveBack(msg)
	case openedMsg:
		if s.left != nil {
			s.changed(msg.ready)
		}
		s.composer.remember(msg.ready.History)
		s.print(s.header(msg.ready))
	case sandboxMsg:
		s.dirty, s.confined = true, msg.word
	case editedMsg:
		s.edited(msg)
	case copyMsg:
		s.dirty, s.urgent = true, true
		s.print(s.script.note(s.copyText(msg.text)))
	case fetchedMsg:
		s.dirty, s.urgent = true, true
		msg.show(s)
	case readyMsg:
		s.booted(msg, now)
	case askMsg:
		s.ask(msg.ask, now)
	case withdrawMsg:
		s.withdraw(msg.ask)
	case wakeMsg:
		s.tick(now)
	case sightMsg:
		s.sighted(msg)
	case tea.FocusMsg:
		s.beacon.focus(true, now)
		return s, nil
	case tea.BlurMsg:
		s.beacon.focus(false, now)
		return s, nil
	case tea.BackgroundColorMsg:
		s.onBackground(!msg.IsDark())
	default:
		return s, nil // replies of the terminal, focus and the like
	}
	if s.quitting {
		if s.stop != nil {
			s.stop()
		}
		return s, tea.Quit
	}
	s.show(now)
	s.colour()
	if s.after != nil {
		cmd, s.after = tea.Batch(cmd, s.after), nil
	}
	return s, cmd
}

// resized notes a change of size. A signal without a change tells of one that
// was missed.
func (s *screen) resized(w, h int, now time.Time) {
	if s.pager != nil {
		s.pager.resize(w, h)
		s.dirty, s.urgent = true, true
	}
	low := h
	switch {
	case !s.resize.at.IsZero():
		low = min(low, s.resize.low)
	case w == s.w && h == s.h:
		low = 0
	}
	s.resize = resizing{w: w, h: h, low: low, at: now}
}

// print takes lines for the scrollback.
func (s *screen) print(lines []string) {
	if len(lines) > 0 {
		s.out = append(s.out, lines...)
		s.dirty = true
	}
}

func (s *screen) fold(m eventsMsg, now time.Time) {
	s.dirty = true
	for _, ev := range m.events {
		if e, is := ev.(loop.Ended); is {
			e.Err = s.advised(e.Err)
			ev = e
		}
		switch ev := ev.(type) {
		case loop.Revised:
			s.script.calls.revise(ev)
		case loop.Ended:
			s.ended = true
		case loop.Prompted:
			s.queue.takenUp(ev.Queued)
			s.over = nil
		case loop.Noticed:
			s.toldOf(ev.Text)
		case loop.Settled:
			if ev.Record.Outcome.Kind == tools.Uncertain && !m.replay {
				s.doubts++
				s.beckon("uncertain: "+ev.Record.Call.Tool+" "+ev.Record.Summary, now)
			}
		}
		s.logged(ev)
		s.print(s.script.apply(ev, now))
		s.tell(ev, m.replay)
	}
	if m.replay {
		for _, t := range s.script.history {
			s.composer.sent(t)
		}
	}
	s.script.history = nil
}

// advised is err with what the person can do about it.
func (s *screen) advised(err error) error {
	if err == nil || s.opts.Advise == nil {
		return err
	}
	return s.opts.Advise(err)
}

func (s *screen) setPolicy(p approval.Policy) {
	s.policy = p
	if s.th.reader {
		s.print([]string{"policy " + p.String()})
	}
	if s.ready != nil && s.ready.Gate != nil {
		s.ready.Gate.SetPolicy(p)
	} else {
		s.repolicy = true
	}
}
