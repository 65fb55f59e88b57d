//go:build unix

package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/sys/unix"
)

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

// maxTyped bounds what is taken over that was typed before.
const maxTyped = 64 << 10

// typedBefore reads what was typed while the terminal still edited its own lines:
// there Enter had become a line feed.
func typedBefore(in io.Reader) []byte {
	f, ok := in.(*os.File)
	if !ok {
		return nil
	}
	var typed []byte
	buf := make([]byte, readSize)
	for len(typed) < maxTyped {
		if is, err := readable(0, f.Fd()); err != nil || is < 0 {
			break
		}
		n, err := f.Read(buf)
		if err != nil || n == 0 {
			break // who reads on is told
		}
		typed = append(typed, buf[:n]...)
	}
	return bytes.ReplaceAll(typed, []byte{'\n'}, []byte{'\r'})
}

// source returns what the decoder reads: the feed, which reads on whatever the
// decoder does.
func source(f *feed, in io.Reader, now func() time.Time) io.Reader {
	go f.fill(in, now) // until the reader is cancelled
	return f
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
