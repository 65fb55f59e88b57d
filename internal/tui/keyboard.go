package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/sys/unix"
)

// A keyboard reads the terminal and hands on what it says, as Bubble Tea's own
// reader does. It exists so that Bubble Tea can be told to give up everything
// that has to do with the terminal: else it wakes up for a renderer that there
// is not.
type keyboard struct {
	reader interface{ Cancel() bool }
	done   chan struct{} // closed when nothing more is sent
}

// unplugTime bounds how long is waited for a read that cannot be cancelled.
const unplugTime = 500 * time.Millisecond

// plug begins to read in; send takes each message, and fail the error that ends
// the reading. Nothing is sent before after is closed, when it is not nil.
func plug(in io.Reader, term string, armedUntil *atomic.Int64, after <-chan struct{}, send func(tea.Msg), fail func(error)) (*keyboard, error) {
	reader, err := cancellable(in, armedUntil)
	if err != nil {
		return nil, fmt.Errorf("read the terminal: %w", err)
	}
	k := &keyboard{reader, make(chan struct{})}
	events := make(chan uv.Event)
	go func() {
		defer close(events)
		if err := uv.NewTerminalReader(reader, term).StreamEvents(context.Background(), events); err != nil {
			fail(fmt.Errorf("read the terminal: %w", err))
		}
	}()
	go func() {
		defer close(k.done)
		if after != nil {
			<-after
		}
		for e := range events {
			if m := message(e); m != nil {
				send(m)
			}
		}
	}()
	return k, nil
}

// mute ends the reading: what is typed from now on is somebody else's. What was
// typed before is still sent, which may be after mute returns.
func (k *keyboard) mute() { k.reader.Cancel() }

// unplug ends the reading and the sending.
func (k *keyboard) unplug() {
	k.mute()
	select {
	case <-k.done:
	case <-time.After(unplugTime): // a read hangs, which the end of the process ends
	}
}

// cancellable returns in as what can be kept from reading on. Only of a file is
// that certain.
func cancellable(in io.Reader, armedUntil *atomic.Int64) (interface {
	io.Reader
	Cancel() bool
}, error,
) {
	f, ok := in.(*os.File)
	if !ok {
		return uv.NewCancelReader(in)
	}
	quit, cancel, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &ttyReader{in: &escKeys{f, armedUntil}, quit: quit, cancel: cancel, turn: make(chan struct{}, 1)}, nil
}

// A ttyReader reads a terminal until it is cancelled, and then certainly not a
// byte more. (The usual library for it leaves its epoll instance open in every
// child, where anything can be put into it.)
type ttyReader struct {
	in           *escKeys
	quit, cancel *os.File      // a pipe whose end wakes up who waits
	turn         chan struct{} // held by who reads, and for good by who cancelled
	once         sync.Once
	ended        bool // by Cancel
}

// Read reads what the terminal has; after Cancel it returns io.EOF.
func (r *ttyReader) Read(p []byte) (int, error) {
	select {
	case r.turn <- struct{}{}:
	default:
		return 0, io.EOF // only Cancel can have it
	}
	defer func() { <-r.turn }()
	switch is, err := readable(-1, r.quit.Fd(), r.in.Fd()); {
	case err != nil:
		return 0, err
	case is == 0:
		return 0, io.EOF
	}
	return r.in.Read(p)
}

// Cancel returns when nothing reads any more, or after unplugTime with false:
// somebody else has taken what there was to read.
func (r *ttyReader) Cancel() bool {
	r.once.Do(func() {
		_ = r.cancel.Close() // a pipe of our own
		select {
		case r.turn <- struct{}{}:
			_ = r.quit.Close()
			r.ended = true
		case <-time.After(unplugTime):
		}
	})
	return r.ended
}

// readable waits until one of the files can be read, and returns its index; the
// first that can is it. After the time, which is endless when negative, it
// returns -1. It uses select(2), which macOS has for terminals too.
func readable(limit time.Duration, fds ...uintptr) (int, error) {
	var end time.Time
	if limit >= 0 {
		end = time.Now().Add(limit)
	}
	for {
		var set unix.FdSet
		top := 0
		for _, fd := range fds {
			if fd >= unix.FD_SETSIZE {
				return -1, fmt.Errorf("file %d: too many files are open", fd)
			}
			set.Set(int(fd))
			top = max(top, int(fd)+1)
		}
		var wait *unix.Timeval
		if limit >= 0 {
			t := unix.NsecToTimeval(max(0, time.Until(end)).Nanoseconds())
			wait = &t
		}
		n, err := unix.Select(top, &set, nil, nil, wait)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return -1, err
		case n == 0:
			return -1, nil
		default:
			return slices.IndexFunc(fds, func(fd uintptr) bool { return set.IsSet(int(fd)) }), nil
		}
	}
}

// message is an event as the screen knows it, nil for what it does not.
func message(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.PasteEvent:
		return tea.PasteMsg(e)
	case uv.FocusEvent:
		return tea.FocusMsg(e)
	case uv.BlurEvent:
		return tea.BlurMsg(e)
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.CursorPositionEvent:
		return tea.CursorPositionMsg(e)
	}
	return nil
}

// suspendProcess stops the process and all that belongs to it, as a shell's
// user expects of ctrl+z, and returns when it goes on.
func suspendProcess() tea.Msg {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	defer signal.Stop(c)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return tea.ResumeMsg{}
	}
	<-c
	return tea.ResumeMsg{}
}
