package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// A bare rig is a screen that draws to nowhere.
func bare(b *testing.B) *screen {
	b.Helper()
	th := colours()
	s := newScreen(th, 120, 40, Options{Env: []string{"TERM=xterm-256color"}}, time.Now)
	r := &bareHost{p: &painter{out: io.Discard}}
	s.host, s.canvas = r, r
	s.Update(readyMsg{ready: Ready{Session: &fake{}, Gate: approval.New(approval.Config{})}})
	return s
}

type bareHost struct{ p *painter }

func (h *bareHost) post(j job)                                         { _ = (&canvas{p: h.p}).do(j) }
func (h *bareHost) start(Session, prompt) func()                       { return func() {} }
func (h *bareHost) choose(*Offer, string)                              {}
func (h *bareHost) change(Ready, func(context.Context) (Ready, error)) {}
func (h *bareHost) behind() bool                                       { return false }
func (h *bareHost) wakeAt(time.Duration)                               {}
func (h *bareHost) fetch(func() tea.Msg)                               {}
func (h *bareHost) arm(time.Time)                                      {}
func (h *bareHost) run(func() error, func(error) tea.Msg) tea.Cmd      { return nil }
func (h *bareHost) suspend()                                           {}
func (h *bareHost) resume() error                                      { return nil }
func (h *bareHost) regain() (bool, error)                              { return false, nil }
func (s *screen) folds(evs ...loop.Event)                              { s.Update(eventsMsg{events: evs}) }

func BenchmarkKeyAfterALongTranscript(b *testing.B) {
	s := bare(b)
	for i := range 30_000 {
		s.folds(loop.Delta{Text: fmt.Sprintf("line %d of the transcript\n\n", i)})
	}
	s.folds(loop.Ended{})
	now := time.Now()
	s.now = func() time.Time { return now }
	x, back := keyOf("x"), keyOf("backspace")
	for b.Loop() {
		now = now.Add(time.Second)
		s.Update(x)
		now = now.Add(time.Second)
		s.Update(back)
	}
}

func BenchmarkStreamedAnswer1MB(b *testing.B) {
	text := strings.Repeat(prose, 1<<20/len(prose)+1)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := bare(b)
		for rest := text; rest != ""; {
			n := min(64, len(rest))
			s.folds(loop.Delta{Text: rest[:n]})
			rest = rest[n:]
		}
		s.folds(loop.Stepped{}, loop.Ended{})
	}
}

func BenchmarkReplay1000Messages(b *testing.B) {
	var evs []loop.Event
	for i := range 500 {
		evs = append(evs, loop.Prompted{Text: fmt.Sprint("prompt ", i)}, loop.Delta{Text: prose}, loop.Stepped{}, loop.Ended{})
	}
	for b.Loop() {
		bare(b).Update(eventsMsg{events: evs, replay: true})
	}
}

// hugeDiff is a change of n lines, each removed and added.
func hugeDiff(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/big.go\n+++ b/big.go\n@@ -1,%d +1,%d @@\n", n, n)
	for i := range n {
		fmt.Fprintf(&b, "-\tvalue%d := compute(first, %d) // the old one\n+\tvalue%d := compute(second, %d) // the new one\n", i, i, i, i)
	}
	return b.String()
}

// BenchmarkCardOfAHugeDiff opens a card with 50,000 changed lines, goes to its
// end and back: the person must never wait for it.
func BenchmarkCardOfAHugeDiff(b *testing.B) {
	q := editRequest()
	q.Proposal.Preview[0].Body = hugeDiff(25_000)
	for _, w := range []int{80, 160} {
		b.Run(fmt.Sprint("open at ", w), func(b *testing.B) {
			for b.Loop() {
				newCard(colours(), q, "", nil).view(w, 40, false, time.Now())
			}
		})
		b.Run(fmt.Sprint("scroll at ", w), func(b *testing.B) {
			c := newCard(colours(), q, "", nil)
			c.view(w, 40, false, time.Now())
			for i := 0; b.Loop(); i++ {
				c.scroll = i * 997 % c.end
				c.view(w, 40, false, time.Now())
			}
		})
	}
}

func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		s := newScreen(colours(), 80, 24, Options{}, time.Now)
		r := &bareHost{p: &painter{out: &bytes.Buffer{}}}
		s.host, s.canvas = r, r
		s.draw(time.Now())
	}
}

// BenchmarkKeyEcho is the time from a key to the first byte that answers it, on
// a pseudo-terminal.
func BenchmarkKeyEcho(b *testing.B) {
	master, slave, err := pty.Open()
	if err != nil {
		b.Skip(err)
	}
	defer master.Close()
	defer slave.Close()
	u := New(Options{In: slave, Out: slave, Env: []string{"TERM=xterm-256color"}, Boot: func(_ context.Context, a approval.Asker) (Ready, error) {
		return ready(a, approval.LowRisk), nil
	}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- u.Run(ctx) }()
	drain(master, "scripted/tour")
	for b.Loop() {
		b.StopTimer()
		time.Sleep(2 * burstGap) // as a person types
		b.StartTimer()
		_, _ = master.WriteString("x")
		drain(master, "x")
		b.StopTimer()
		time.Sleep(2 * burstGap)
		_, _ = master.WriteString("\x7f")
		drain(master, "ask zuno")
		b.StartTimer()
	}
	b.StopTimer()
	go func() { _, _ = io.Copy(io.Discard, master) }()
	cancel()
	<-done
}

// drain reads until the output holds s and a frame's end.
func drain(f *os.File, s string) {
	var all strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(all.String(), s) || !strings.HasSuffix(all.String(), syncEnd) {
		n, err := f.Read(buf)
		if err != nil {
			return
		}
		all.Write(buf[:n])
	}
}

var _ tea.Model = (*screen)(nil)
