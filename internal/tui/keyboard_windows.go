package tui

import (
	"io"
	"sync/atomic"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// cancellable returns in as what can be kept from reading on. A console tells a
// press of Esc from a sequence by itself.
func cancellable(in io.Reader, _ *atomic.Int64) (interface {
	io.Reader
	Cancel() bool
}, error,
) {
	return uv.NewCancelReader(in)
}

// typedBefore is not needed: a console keeps keys, and not lines.
func typedBefore(io.Reader) []byte { return nil }

// source returns what the decoder reads: the console itself, whose records are
// not bytes. When they were read nobody knows.
func source(_ *feed, in io.Reader, _ func() time.Time) io.Reader { return in }

// readable is not asked here: it never says that there is something to read.
func readable(time.Duration, ...uintptr) (int, error) { return -1, nil }
