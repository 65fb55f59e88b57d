package shell

import (
	"fmt"
	"os"
	"sync"
)

// ringSize is how much of the end of a job's output is kept in memory.
const ringSize = 256 << 10

// A tape keeps the output of a command, both streams in the order of their
// arrival: all of it, up to the limit of the disk, in the spool, and the end of
// it in a ring.
type tape struct {
	size int // bytes that the ring may have, 0 for no ring

	mu    sync.Mutex // guards the fields below
	spool spool
	ring  []byte // the byte at offset n is at n%size; it grows until it has size bytes
	total int64  // bytes written
}

func newTape(c Cmd, ring int) *tape {
	return &tape{
		size:  ring,
		spool: spool{dir: c.Spool, from: c.Limits.SpoolFrom, lines: c.Limits.SpoolLines, disk: c.Limits.Disk},
	}
}

func (t *tape) write(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spool.write(p)
	at := t.total
	t.total += int64(len(p))
	if t.size == 0 {
		return
	}
	if need := int(min(t.total, int64(t.size))); need > len(t.ring) {
		grown := make([]byte, min(t.size, max(4<<10, 2*need)))
		copy(grown, t.ring)
		t.ring = grown
	}
	if skip := len(p) - t.size; skip > 0 {
		p, at = p[skip:], at+int64(skip)
	}
	n := copy(t.ring[at%int64(t.size):], p)
	copy(t.ring, p[n:])
}

// first returns the offset of the first byte in the ring.
func (t *tape) first() int64 { return max(0, t.total-int64(t.size)) }

// remembered copies up to n bytes from the ring, from an offset that is in it.
func (t *tape) remembered(from int64, n int64) []byte {
	if n = min(n, t.total-from); n <= 0 {
		return nil
	}
	b := make([]byte, n)
	m := copy(b, t.ring[from%int64(t.size):])
	copy(b[m:], t.ring)
	return b
}

// keep makes the spool file now, so that a command that runs on has one.
func (t *tape) keep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spool.open()
}

func (t *tape) close() (path string, size int64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.spool.close()
}

// file returns the spool file, "" when there is none, and what keeps it from
// being complete.
func (t *tape) file() (path string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err = t.spool.err; err == nil && t.spool.file != nil && t.spool.size < t.total {
		err = fmt.Errorf("only the first %d bytes are kept", t.spool.size)
	}
	return t.spool.path(), err
}

// window returns up to n bytes from the offset from on, the last n when from is
// negative. What is no longer in memory is read from the spool; what is not
// there either is left out.
func (t *tape) window(from, n int64) Window {
	t.mu.Lock()
	if from < 0 {
		from = max(0, t.total-n)
	}
	w := Window{From: min(from, t.total), Total: t.total}
	first, spooled, path := t.first(), t.spool.size, t.spool.path()
	if w.From >= first {
		w.Data = t.remembered(w.From, n)
	}
	t.mu.Unlock()
	if w.From >= first {
		return w
	}
	if w.From < spooled {
		w.Data = readAt(path, w.From, min(n, spooled-w.From))
	}
	if len(w.Data) > 0 {
		return w
	}
	next := t.window(max(first, w.From), n) // the ring may have moved on by now
	next.Lost = next.From - w.From
	return next
}

// readAt reads what there is of n bytes of a file; nothing when it is gone.
func readAt(path string, from, n int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, n)
	m, _ := f.ReadAt(b, from)
	return b[:m]
}
