package tui

import (
	"os"
	"sync/atomic"
	"time"
)

// A lone Esc is the beginning of many sequences, so the decoder waits 50 ms
// for the rest of one. When a second press would stop the turn, that is too
// long: then a byte that nothing follows for escWait is the key.
const escWait = 8 * time.Millisecond

// kittyEsc is the Esc key as the kitty keyboard protocol spells it, which the
// decoder takes at once.
const kittyEsc = "\x1b[27u"

// escKeys is a terminal's input in which presses of Esc that are certain are
// spelt so that nobody has to wait for more.
type escKeys struct {
	*os.File
	// armedUntil is the time, in Unix nanoseconds, up to which a press of Esc
	// would stop the turn.
	armedUntil *atomic.Int64
}

// Read reads as the file does, and respells what it read when that was nothing
// but presses of Esc.
func (k *escKeys) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if err != nil || n == 0 || n > 2 || len(p) < 2*len(kittyEsc) || p[0] != '\x1b' {
		return n, err
	}
	switch {
	case n == 2 && p[1] == '\x1b':
		return copy(p, kittyEsc+kittyEsc), nil
	case n == 1 && time.Now().UnixNano() < k.armedUntil.Load() && k.silent():
		return copy(p, kittyEsc), nil
	}
	return n, nil
}

// silent reports whether nothing more comes within escWait.
func (k *escKeys) silent() bool {
	is, err := readable(escWait, k.Fd())
	return err == nil && is < 0
}
