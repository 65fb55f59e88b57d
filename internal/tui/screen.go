package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// A host is what the screen can have done outside of it. Its methods are called
// on the screen's goroutine and must not block.
type host interface {
	start(s Session, p prompt) (cancel func())
	choose(o *Offer, id string)
	wakeAt(d time.Duration)
	suspend()
	resume() error
}

// A prompt is one line the person submitted.
type prompt struct {
	text     string
	operator bool
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

	ready    *Ready // nil while the session is being opened
	policy   approval.Policy
	repolicy bool // the person changed the policy before the gate was there

	script   transcript
	composer composer
	queue    []prompt
	paused   bool // the queue waits for the person
	cards    []*card
	asks     map[*ask]*card
	esc      escape
	hint     string
	sheet    bool // the table of keys is shown

	busy      bool
	began     time.Time
	stop      func() // cancels the turn
	stopping  bool
	ended     bool // the turn's Ended event was seen
	quitting  bool
	err       error
	said      said
	suspended bool
	born      time.Time
	placed    bool // the terminal said where the first frame was drawn

	drawn  time.Time // when the last frame was made
	dirty  bool
	urgent bool
}

// resizing is a change of size that waits for the next.
type resizing struct {
	w, h   int
	at     time.Time // zero when there is none
	redraw bool      // the screen is drawn again, whatever the size
}

type (
	wakeMsg struct{}
	sizeMsg struct{ w, h int }
	// interruptMsg is the signal that a terminal in its own line mode makes of
	// ctrl+c.
	interruptMsg struct{}
)

func newScreen(th *theme, w, h int, o Options, now func() time.Time) *screen {
	s := &screen{th: th, w: w, h: h, opts: o, now: now, keys: newKeymap(), policy: o.Policy, asks: map[*ask]*card{}, born: now()}
	s.script.th = th
	s.composer.th = th
	s.script.answer.md = newMarkdown(th)
	s.sized(w, h)
	if strings.TrimSpace(o.Prompt) != "" {
		s.queue = append(s.queue, promptOf(o.Prompt))
	}
	return s
}

// Init does nothing: the UI starts what there is to start.
func (s *screen) Init() tea.Cmd { return nil }

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
	case tea.KeyPressMsg:
		cmd = s.key(msg, now)
	case tea.PasteMsg:
		s.paste(msg.Content)
	case tea.ResumeMsg:
		s.resumed()
	case interruptMsg:
		s.dirty, s.urgent = true, true
		s.press(cmdCtrlC, now)
	case sizeMsg:
		s.resize = resizing{w: max(1, msg.w), h: max(1, msg.h), at: now}
	case eventsMsg:
		s.fold(msg, now)
	case turnDoneMsg:
		s.turnDone(msg.err, now)
	case openedMsg:
		s.print(s.header(msg.ready))
	case readyMsg:
		s.booted(msg, now)
	case askMsg:
		s.ask(msg.ask, now)
	case withdrawMsg:
		s.withdraw(msg.ask, now)
	case wakeMsg:
		s.tick(now)
	case tea.CursorPositionMsg:
		if !s.placed { // the answer to the first question: later ones are not ours
			s.placed = true
			free := max(0, s.h-msg.Y)
			s.canvas.post(job{free: &free})
		}
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
	return s, cmd
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
		if _, ok := ev.(loop.Ended); ok {
			s.ended = true
		}
		s.print(s.script.apply(ev, now))
	}
	if m.replay {
		for _, t := range s.script.history {
			s.composer.remember(t)
		}
	}
	s.script.history = nil
}

// booted takes the session that is ready now, or what there is instead.
func (s *screen) booted(m readyMsg, now time.Time) {
	s.dirty = true
	if m.err != nil {
		if m.err != ErrLeave {
			s.err = m.err
		}
		s.quitting = true
		return
	}
	r := m.ready
	if r.Offer != nil {
		s.cards = append(s.cards, newOffer(s.th, r.Offer, now, func(id string) {
			s.cards = s.cards[1:]
			s.hint = "starting" + s.th.glyph.more
			s.host.choose(r.Offer, id)
		}))
		return
	}
	s.hint = ""
	s.ready = &r
	if r.Gate != nil {
		if s.repolicy {
			r.Gate.SetPolicy(s.policy)
		}
		s.policy = r.Gate.Policy()
	}
	for _, n := range r.Notices {
		s.print(s.script.note(n))
	}
	s.next(now)
}

// submit takes what the person sent: a command for the UI, or a prompt for the
// queue. What cannot be taken stays in the composer.
func (s *screen) submit(now time.Time) {
	text := strings.TrimSpace(s.composer.buf.text())
	switch {
	case text == "":
		if len(s.queue) > 0 {
			s.paused = false
			s.next(now)
		}
		return
	case text == "!":
		s.hint = "! command runs a command yourself, at once: write a space after the exclamation mark"
		return
	}
	if c, arg, is, problem := slash(text); is {
		if problem == "" {
			problem = c.run(s, arg)
		}
		if s.hint = problem; problem == "" {
			s.composer.take()
		}
		return
	}
	s.composer.take()
	s.queue = append(s.queue, promptOf(text))
	s.paused = s.paused && len(s.queue) > 1
	s.next(now)
}

func promptOf(text string) prompt {
	if isOperator(text) {
		return prompt{operatorCommand(text), true}
	}
	return prompt{text: strings.TrimSpace(text)}
}

// next starts the first queued prompt when nothing runs.
func (s *screen) next(now time.Time) {
	if s.busy || s.paused || s.ready == nil || len(s.queue) == 0 || s.quitting {
		return
	}
	p := s.queue[0]
	s.queue = s.queue[1:]
	s.busy, s.began, s.stopping, s.ended = true, now, false, false
	s.stop = s.host.start(s.ready.Session, p)
}

func (s *screen) turnDone(err error, now time.Time) {
	s.dirty, s.urgent = true, true
	if !s.ended {
		s.print(s.script.apply(loop.Ended{Err: err, Took: now.Sub(s.began)}, now))
	}
	s.paused = len(s.queue) > 0 && (err != nil || s.stopping)
	s.busy, s.stopping, s.stop, s.esc = false, false, nil, escape{}
	s.next(now)
}

func (s *screen) setPolicy(p approval.Policy) {
	s.policy = p
	if s.ready != nil && s.ready.Gate != nil {
		s.ready.Gate.SetPolicy(p)
	} else {
		s.repolicy = true
	}
}

// ask opens the card of a question; withdraw takes it away.
func (s *screen) ask(a *ask, now time.Time) {
	s.dirty, s.urgent = true, true
	dir := ""
	if s.ready != nil {
		dir = s.ready.Dir
	}
	c := newCard(s.th, a.request, dir, now, func(ans approval.Answer) {
		a.reply <- ans
		s.remove(a, s.now())
	})
	s.asks[a] = c
	s.cards = append(s.cards, c)
}

func (s *screen) withdraw(a *ask, now time.Time) {
	s.dirty, s.urgent = true, true
	s.remove(a, now)
}

func (s *screen) remove(a *ask, now time.Time) {
	c, ok := s.asks[a]
	if !ok {
		return
	}
	delete(s.asks, a)
	for i := range s.cards {
		if s.cards[i] == c {
			s.cards = append(s.cards[:i], s.cards[i+1:]...)
			break
		}
	}
	if len(s.cards) > 0 {
		s.cards[0].appeared = now
	}
}

// card returns the card in front, nil when there is none.
func (s *screen) card() *card {
	if len(s.cards) == 0 {
		return nil
	}
	return s.cards[0]
}
