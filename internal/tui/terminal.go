package tui

import (
	"io"
	"os"
	"os/signal"
	"strconv"

	"github.com/charmbracelet/x/term"
)

// kittyOn asks for keys that can be told apart, and where they are on the usual
// keyboard: Ctrl+C is found on one of another alphabet too.
const kittyOn = "\x1b[>5u"

// What the terminal is told at the start and at the end: bracketed paste, whether
// it has the focus, and keys that can be told apart (xterm's modifyOtherKeys and the kitty protocol;
// terminals ignore what they do not know).
const (
	modesOn  = "\x1b[?2004h\x1b[?1004h\x1b[>4;2m" + kittyOn
	modesOff = "\x1b[<u\x1b[>4m\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m"
)

// The terminal is asked to keep its title, and to bring it back.
const (
	titleKeep = "\x1b[22;2t"
	titleBack = "\x1b[23;2t"
)

// whichBackground asks for the colour behind the text; the answer, or none, may
// come at any time.
const whichBackground = "\x1b]11;?\x1b\\"

// A terminal is the two ends the program talks to, and the mode it found.
type terminal struct {
	in   io.Reader
	out  io.Writer
	env  []string
	dumb bool
	was  *term.State
	raw  *term.State // the mode that enter switched to
	back func()      // gives the output back the mode it had; nil for nothing
	// reader says that a screen reader follows, title that the title is ours
	// while we have the terminal, and asks that its background matters.
	reader, title, asks bool
	on                  bool // entered, and not left since
}

func (t *terminal) inFd() (uintptr, bool) {
	f, ok := t.in.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return 0, false
	}
	return f.Fd(), true
}

// enter switches to raw mode. A terminal that cannot move its cursor keeps its
// own line editing.
func (t *terminal) enter() error {
	if t.dumb {
		return nil
	}
	if fd, ok := t.inFd(); ok {
		was, err := term.MakeRaw(fd)
		if err != nil {
			return err
		}
		t.was = was
		if t.raw, err = term.GetState(fd); err != nil {
			return err
		}
	}
	if f, ok := t.out.(*os.File); ok {
		back, err := draws(f)
		if err != nil {
			return err
		}
		t.back = back
	}
	on := modesOn
	if t.title {
		on += titleKeep
	}
	if t.asks {
		on += whichBackground
	}
	t.on = true
	_, err := io.WriteString(t.out, on)
	return err
}

// onSignals has a goroutine of its own attend to signals, until stop is called;
// stop closes quit and waits.
func onSignals(attend func(c <-chan os.Signal, quit <-chan struct{}), which ...os.Signal) (stop func()) {
	c := make(chan os.Signal, 8)
	quit, done := make(chan struct{}), make(chan struct{})
	signal.Notify(c, which...)
	go func() {
		defer close(done)
		attend(c, quit)
	}()
	return func() {
		signal.Stop(c)
		close(quit)
		<-done
	}
}

// inTmux reports whether the terminal is tmux, whose way with a change of size
// is known.
func inTmux(env []string) bool {
	v, _ := lookup(env, "TMUX")
	return v != ""
}

// lost reports whether somebody changed the mode that enter switched to, as a
// shell does when its job is stopped.
func (t *terminal) lost() bool {
	fd, ok := t.inFd()
	if !ok || !t.on || t.raw == nil {
		return false
	}
	now, err := term.GetState(fd)
	return err == nil && *now != *t.raw
}

// leave gives the terminal back as enter found it. It may be called again.
func (t *terminal) leave() {
	if t.dumb {
		return
	}
	off := modesOff
	if t.title && t.on {
		off += titleBack
	}
	t.on = false
	_, _ = io.WriteString(t.out, off) // a terminal that is gone needs no restoring
	if fd, ok := t.inFd(); ok && t.was != nil {
		_ = term.Restore(fd, t.was)
		t.was = nil
	}
	if t.back != nil {
		t.back()
		t.back = nil
	}
}

// size returns the terminal's columns and rows: what it says, else what the
// environment says, else 80 by 24.
func (t *terminal) size() (w, h int) {
	if f, ok := t.out.(*os.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return positive(t.env, "COLUMNS", 80), positive(t.env, "LINES", 24)
}

func positive(env []string, name string, otherwise int) int {
	v, _ := lookup(env, name)
	if n, err := strconv.Atoi(v); err == nil && n > 0 {
		return n
	}
	return otherwise
}
