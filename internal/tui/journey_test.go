//go:build unix

package tui

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// A journey is the whole UI on a terminal: a pseudo-terminal, and an emulator
// behind it.
type journey struct {
	t        *testing.T
	ui       *UI
	pty, tty *os.File
	was      *term.State
	cancel   context.CancelFunc
	done     chan error

	mu      sync.Mutex // guards what follows
	emu     *vt.Emulator
	raw     bytes.Buffer
	changed chan struct{} // closed and replaced when something was written
}

func travel(t *testing.T, change func(*Options)) *journey {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(slave, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	j := &journey{t: t, pty: master, tty: slave, done: make(chan error, 1), emu: vt.NewEmulator(80, 24), changed: make(chan struct{})}
	if j.was, err = term.GetState(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		j.read()
	}()
	o := Options{
		In: slave, Out: slave, Env: []string{"TERM=xterm-256color"}, Version: "0.1.0", Policy: approval.LowRisk,
		Boot: func(_ context.Context, a approval.Asker) (Ready, error) { return ready(a, approval.LowRisk), nil },
	}
	if change != nil {
		change(&o)
	}
	j.ui = New(o)
	ctx, cancel := context.WithCancel(context.Background())
	j.cancel = cancel
	go func() { j.done <- j.ui.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if j.done != nil {
			<-j.done
		}
		slave.Close()
		master.Close()
		<-read
	})
	return j
}

func (j *journey) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := j.pty.Read(buf)
		if err != nil {
			return
		}
		j.mu.Lock()
		j.raw.Write(buf[:n])
		_, _ = j.emu.Write(buf[:n])
		close(j.changed)
		j.changed = make(chan struct{})
		j.mu.Unlock()
	}
}

func (j *journey) text() string {
	var b strings.Builder
	for y := range j.emu.ScrollbackLen() {
		for x := range j.emu.Width() {
			if c := j.emu.ScrollbackCellAt(x, y); c != nil {
				b.WriteString(c.Content)
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + ansi.Strip(j.emu.String())
}

// until waits for the terminal to meet a condition, which is looked at under
// the lock.
func (j *journey) until(what string, met func(text string) bool) {
	j.t.Helper()
	timeout := time.After(patience)
	for {
		j.mu.Lock()
		text, changed := j.text(), j.changed
		ok := met(text)
		j.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-timeout:
			j.t.Fatalf("never: %s\n%s", what, text)
		}
	}
}

func (j *journey) sees(s string) {
	j.t.Helper()
	j.until("see "+s, func(text string) bool { return strings.Contains(text, s) })
}

func (j *journey) loses(s string) {
	j.t.Helper()
	j.until("lose "+s, func(text string) bool { return !strings.Contains(text, s) })
}

func (j *journey) types(s string) {
	j.t.Helper()
	if _, err := j.pty.WriteString(s); err != nil {
		j.t.Fatal(err)
	}
}

// pastGuard waits until a card takes answers.
func (j *journey) pastGuard() {
	j.t.Helper()
	j.sees("Esc Esc stop")
	j.loses("keys typed before")
}

func (j *journey) ends() error {
	j.t.Helper()
	select {
	case err := <-j.done:
		j.done = nil
		return err
	case <-time.After(patience):
		j.t.Fatal("it does not end")
		return nil
	}
}

// restored checks that the terminal is as it was found.
func (j *journey) restored() {
	j.t.Helper()
	now, err := term.GetState(j.tty.Fd())
	if err != nil {
		j.t.Fatal(err)
	}
	if *now != *j.was {
		j.t.Error("the terminal's mode is not as it was")
	}
	j.until("the modes' end", func(string) bool { return strings.HasSuffix(j.raw.String(), modesOff) })
	j.mu.Lock()
	defer j.mu.Unlock()
	if strings.Contains(j.raw.String(), "\x1b[3J") || j.emu.IsAltScreen() || strings.Count(j.raw.String(), fullOn) != strings.Count(j.raw.String(), fullOff) || strings.Count(j.raw.String(), "?1049") != 2*strings.Count(j.raw.String(), fullOn) {
		j.t.Error("the scrollback or the other screen was touched")
	}
}

func (j *journey) leaves() {
	j.t.Helper()
	j.loses("Esc Esc stop") // a turn that goes on would be stopped
	j.types("\x03")
	j.sees("again to leave")
	j.types("\x03")
	if err := j.ends(); err != nil {
		j.t.Errorf("it ends with %v", err)
	}
	j.restored()
}

func TestApproveDenyAndPick(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("explore edit shell pick\r")
	j.sees("approve · shell")
	j.pastGuard()
	j.types("y")
	j.sees("ok · exit 1")
	j.sees("choose · question")
	j.pastGuard()
	j.types("2")
	j.sees("answered: pg")
	j.types("shell:make_deploy\r")
	j.sees("$ make deploy")
	j.pastGuard()
	j.types("n")
	j.sees("why not?")
	j.types("not now\r")
	j.sees("not now")
	j.leaves()
}

func TestAlwaysAnswersHold(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("shell\r")
	j.sees("approve · shell")
	j.pastGuard()
	j.types("a")
	j.sees("you: always allow go test")
	j.types("shell say:done\r")
	j.sees("\ndone")
	j.leaves()
}

func TestShiftTabDecidesAnOpenCardAgain(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("shell\r")
	j.sees("approve · shell")
	j.types("\x1b[Z")
	j.sees("high-risk ⇧⇥")
	j.sees("ok · exit 1")
	j.sees("policy high-risk")
	j.leaves()
}

func TestTwoEscapesStopATool(t *testing.T) {
	t.Parallel()
	for _, escapes := range []string{"\x1b\x1b", "\x1b[27u\x1b[27u", "\x03\x03"} {
		j := travel(t, nil)
		j.types("hang\r")
		j.sees("still waiting")
		j.types("next\r")
		j.sees("queued 1")
		j.types(escapes)
		j.sees("cancelled while running")
		j.sees("queue paused")
		j.types("\r")
		j.sees("› next")
		j.loses("working")
		j.leaves()
	}
}

func TestAnInterruptAtACardStopsTheTurn(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("shell\r")
	j.sees("approve · shell")
	j.types("\x1b")
	j.sees("Esc again stops the turn")
	j.types("\x1b")
	j.sees("cancelled before it started")
	j.sees("interrupted")
	j.leaves()
}

func TestAnOperatorCommand(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("! git status\r")
	j.sees("typed by you")
	j.types("!!! wow say:hello\r")
	j.sees("\nhello")
	j.leaves()
}

// C079: what a terminal answers is no text, whatever is open.
func TestRepliesDoNotBecomeText(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.sees("ask zuno")
	const replies = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[24;80R\x1b[?62;22c\x1b[?2026;2$y\x1b[I\x1b[O"
	j.types(replies)
	j.types("x")
	j.sees("› x")
	j.types("\x7f/po")
	j.sees("/policy NAME")
	j.types(replies)
	j.types("l")
	j.sees("› /pol")
	j.types("\x15")
	j.sees("ask zuno")
	time.Sleep(2 * burstEnd) // or it would be taken for a paste
	j.types("\x12")
	j.sees("search older prompts:")
	j.types(replies)
	j.types("q")
	j.sees("search older prompts: q ")
	j.types("\x03")
	j.loses("search older")
	j.types("x")
	j.sees("› x")
	j.types("\x7f")
	j.sees("ask zuno")
	j.leaves()
}

func TestABracketedPaste(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.sees("ask zuno")
	j.types("\x1b[200~p1\r\np2\rp3\x1b[201~")
	j.sees("p3")
	j.types("\r")
	j.sees("› p1")
	j.types("\x1b[200~" + strings.Repeat("long ", 10_000) + "\x1b[201~")
	j.sees("[paste #1 · 50000 characters]")
	j.leavesWithDraft("[paste")
}

// leavesWithDraft is leaves with a draft in the composer that begins so.
func (j *journey) leavesWithDraft(draft string) {
	j.t.Helper()
	j.types("\x03")
	j.loses(draft)
	j.types("\x03")
	if err := j.ends(); err != nil {
		j.t.Errorf("it ends with %v", err)
	}
	j.restored()
}

func TestKeysTypedBeforeTheStartAreKept(t *testing.T) {
	t.Parallel()
	wait := make(chan struct{})
	j := travel(t, func(o *Options) {
		boot := o.Boot
		o.Boot = func(ctx context.Context, a approval.Asker) (Ready, error) {
			<-wait
			return boot(ctx, a)
		}
	})
	j.types("say:early\r")
	j.sees("queued 1")
	close(wait)
	j.sees("scripted/tour")
	j.sees("\nearly")
	j.leaves()
}

func TestABootErrorIsReturned(t *testing.T) {
	t.Parallel()
	j := travel(t, func(o *Options) {
		o.Boot = func(context.Context, approval.Asker) (Ready, error) {
			return Ready{}, errors.New("read config: broken")
		}
	})
	if err := j.ends(); err == nil || err.Error() != "read config: broken" {
		t.Errorf("got %v", err)
	}
	j.restored()
}

// A process that is stopped and continued by others finds the terminal as a
// shell wants it.
func TestWhatIsContinuedTakesTheTerminalAgain(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.sees("scripted/tour")
	j.types("half")
	j.sees("› half")
	raw, err := term.GetState(j.tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if err := term.Restore(j.tty.Fd(), j.was); err != nil {
		t.Fatal(err)
	}
	if _, err := j.tty.WriteString("\r\n[1]+ Stopped\r\n$ fg\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	j.until("the frame again", func(text string) bool { return strings.Count(text, "› half") == 2 })
	if now, err := term.GetState(j.tty.Fd()); err != nil || *now != *raw {
		t.Errorf("the terminal is not in its raw mode again: %v", err)
	}
	j.types(" more")
	j.sees("› half more")
	j.leavesWithDraft("half more")
}

func TestAPanicOfTheTurnIsAnError(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("panic\r")
	j.sees("the turn broke off: scripted")
	j.types("say:alive\r")
	j.sees("\nalive")
	j.leaves()
}

func TestAPanicOfTheScreenRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.sees("scripted/tour")
	j.ui.prog.Send(openedMsg{Ready{Model: "x"}})
	j.ui.prog.Send(askMsg{&ask{request: approval.Request{}}}) // a request without a proposal
	err := j.ends()
	if err == nil || !strings.Contains(err.Error(), "the screen broke off") {
		t.Errorf("got %v", err)
	}
	j.restored()
}

// C071: a panic outside of the screen gives the terminal back too.
func TestAPanicOnAnotherGoroutineRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.sees("scripted/tour")
	j.ui.fetch(func() tea.Msg { panic("scripted") })
	if err := j.ends(); err == nil || !strings.Contains(err.Error(), "a look-up broke off: scripted") {
		t.Errorf("got %v", err)
	}
	j.restored()
}

// C071: so do one in what draws, which has a goroutine of its own, and one in
// what reads the keys.
func TestPanicsOfDrawingAndReadingAreErrors(t *testing.T) {
	failed := make(chan error, 1)
	c := newCanvas(&painter{out: broken{}}, func(err error) { failed <- err }, nil, nil, nil)
	c.post(job{lines: []string{"x"}})
	if err := <-failed; !strings.Contains(err.Error(), "drawing broke off: scripted") {
		t.Errorf("drawing: %v", err)
	}
	c.close()
	events := make(chan uv.Event)
	close(events) // a send panics
	if err := decode(strings.NewReader("x"), "xterm", events); err == nil || !strings.Contains(err.Error(), "the decoder broke off") {
		t.Errorf("reading: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { panic("scripted") }

// C071: a signal that ends the program gives the terminal back.
func TestASignalRestoresTheTerminalAndStopsTheTurn(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGUSR1} {
		closed := false
		var kept []string
		j := travel(t, func(o *Options) {
			boot := o.Boot
			o.Boot = func(ctx context.Context, a approval.Asker) (Ready, error) {
				r, err := boot(ctx, a)
				r.Remember = func(s string) { kept = append(kept, s) }
				r.Close = func() error { closed = true; return nil }
				return r, err
			}
		})
		j.types("hang\r")
		j.sees("still waiting")
		j.types("another")
		j.sees("another")
		time.Sleep(2 * burstEnd) // or the key would be taken for a part of a paste
		j.types("\x13")
		j.loses("another")
		j.types("a draft")
		j.sees("a draft")
		if sig == syscall.SIGHUP { // also from the alternate screen
			j.types("\x14")
			j.sees("q back")
		}
		if err := syscall.Kill(os.Getpid(), sig); err != nil {
			t.Fatal(err)
		}
		var s *SignalError
		if err := j.ends(); !errors.As(err, &s) || s.Signal != sig {
			t.Errorf("got %v", err)
		}
		if !closed {
			t.Error("the session was not closed")
		}
		if strings.Join(kept, ", ") != "hang, a draft, another" {
			t.Errorf("of the drafts are kept %q", kept)
		}
		j.restored()
	}
}

func TestTheCallersContextEndsTheUI(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("shell\r")
	j.sees("approve · shell")
	j.cancel()
	if err := j.ends(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	j.restored()
}

func TestASessionIsShownAgain(t *testing.T) {
	t.Parallel()
	past := append(everyReceipt(), loop.Prompted{Text: "and again"}, loop.Delta{Text: "Again."}, loop.Stepped{}, loop.Ended{})
	j := travel(t, func(o *Options) {
		o.Boot = func(_ context.Context, a approval.Asker) (Ready, error) {
			r := ready(a, approval.LowRisk)
			r.Session.(*fake).past = past
			return r, nil
		}
	})
	j.sees("Again.")
	j.until("the header first", func(text string) bool {
		h, p := strings.Index(text, "scripted/tour"), strings.Index(text, "do it all")
		return h >= 0 && p > h
	})
	j.types("\x1b[A")
	j.sees("› and again\n")
	j.types("\x1b[A")
	j.sees("› do it all")
	j.types("\x15")
	j.leaves()
}

func TestManyLinesArriveInOrder(t *testing.T) {
	t.Parallel()
	j := travel(t, nil)
	j.types("lines:3000\r")
	j.sees("L2999")
	j.loses("working")
	j.mu.Lock()
	raw := j.raw.String()
	j.mu.Unlock()
	at := 0
	for i := range 3000 {
		want := "L" + string([]byte{byte('0' + i/1000), byte('0' + i/100%10), byte('0' + i/10%10), byte('0' + i%10)}) + " line\r\n"
		n := strings.Index(raw[at:], want)
		if n < 0 {
			t.Fatalf("%q does not follow", want)
		}
		at += n
	}
	j.leaves()
}

// An Enter that was typed while the terminal edited its own lines is an Enter,
// however long the start took.
func TestWhatWasTypedBeforeTheStart(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer master.Close()
	defer slave.Close()
	if _, err := master.WriteString("one\rtwo"); err != nil {
		t.Fatal(err)
	}
	if _, err := term.MakeRaw(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	if got := string(typedBefore(slave)); got != "one\rtwo" {
		t.Errorf("typed before: %q", got)
	}
	if got := typedBefore(slave); got != nil {
		t.Errorf("read again: %q", got)
	}
}
