package tui

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
)

// An ask is a question on its way to the person and back.
type ask struct {
	request approval.Request
	reply   chan approval.Answer // holds one
}

type (
	askMsg      struct{ ask *ask }
	withdrawMsg struct{ ask *ask }
)

// Ask shows a card, after everything that the turn said before, and returns the
// person's answer. It is called within a turn, from any goroutine of it; a
// context that ends takes the card away.
func (u *UI) Ask(ctx context.Context, r approval.Request) (approval.Answer, error) {
	if p := u.pump.Load(); p != nil {
		p.drain()
	}
	a := &ask{r, make(chan approval.Answer, 1)}
	u.prog.Send(askMsg{a})
	select {
	case ans := <-a.reply:
		return ans, nil
	case <-ctx.Done():
		u.prog.Send(withdrawMsg{a})
		return approval.Answer{}, ctx.Err()
	case <-u.gone:
		return approval.Answer{}, approval.ErrNobody
	}
}

// What follows is the screen's way to the outside; it is called on the screen's
// goroutine and does not block, but to suspend the process.

func (u *UI) start(s Session, p prompt) (cancel func()) {
	ctx, cancel := context.WithCancel(u.base)
	u.work.Add(1)
	go func() {
		defer u.work.Done()
		defer cancel()
		u.carry(ctx, s, p)
	}()
	return cancel
}

func (u *UI) choose(o *Offer, id string) {
	u.boot(func(ctx context.Context) (Ready, error) { return o.Choose(ctx, id) })
}

func (u *UI) change(old Ready, open func(context.Context) (Ready, error)) {
	u.boot(func(ctx context.Context) (Ready, error) {
		r, err := open(ctx)
		if err != nil {
			return r, err
		}
		u.ready = u.ready[:len(u.ready)-1] // nobody else opens or closes one now
		if old.Close == nil {
			return r, nil
		}
		if err := old.Close(); err != nil {
			r.Notices = append(r.Notices, "the session that was left: "+err.Error())
		}
		return r, nil
	})
}

// run goes through Bubble Tea, which reads the keys and must stop to.
func (u *UI) run(do func() error, done func(error) tea.Msg) tea.Cmd {
	return tea.Exec(&handover{do: func() error {
		u.term.leave()
		return do()
	}}, done)
}

// fetch has f look something up outside of the screen and delivers what it
// found.
func (u *UI) fetch(f func() tea.Msg) {
	u.work.Add(1)
	go func() {
		defer u.work.Done()
		m, err := fetched(f)
		if err != nil {
			u.stop(err)
			return
		}
		u.prog.Send(m)
	}()
}

func fetched(f func() tea.Msg) (m tea.Msg, err error) {
	defer recovered("a look-up", &err)
	return f(), nil
}

func (u *UI) arm(until time.Time) { u.armedUntil.Store(until.UnixNano()) }

func (u *UI) behind() bool { return u.keys != nil && u.keys.behind() }

func (u *UI) wakeAt(d time.Duration) { u.timer.Reset(d) }

// signalLag is how long after the end of an editor the signal that ended it may
// take to get here. In raw mode no key makes one.
const signalLag = time.Second

func (u *UI) suspend() {
	u.awayUntil.Store(math.MaxInt64)
	u.draw.settle()
	u.keys.mute()
	u.term.leave()
}

func (u *UI) resume() error {
	u.awayUntil.Store(time.Now().Add(signalLag).UnixNano())
	if err := u.term.enter(); err != nil {
		return err
	}
	return u.listen()
}

func (u *UI) regain() (bool, error) {
	if !u.term.lost() {
		return false, nil
	}
	u.term.leave()
	return true, u.term.enter()
}

// letGo has the program give up the terminal, which is ours.
func (u *UI) letGo() { _ = u.prog.ReleaseTerminal() } // it has none: there is nothing that could fail
