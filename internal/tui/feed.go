package tui

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A feed stands between the terminal and the decoder of its bytes. It notes when
// each read happened, so that a screen that was held up still knows how fast
// keys followed each other: what comes faster than a person types is a paste.
// The terminal is read without waiting for whoever handles the keys.
type feed struct {
	mu     sync.Mutex // guards what follows
	more   *sync.Cond
	chunks []chunk
	size   int // bytes in chunks
	err    error

	// Of the decoder's goroutine.
	state feedState
	rest  []byte // of the chunk that it was given

	marks chan mark       // to whoever forwards what is decoded
	gone  <-chan struct{} // closed when nobody does any more
	ahead atomic.Int64    // chunks that were read and not yet handed on
	paste pasteMarks      // of fill
}

// A chunk is what one read of the terminal gave.
type chunk struct {
	bytes []byte
	at    time.Time
}

// A mark says when the bytes were read whose keys follow, or that there are no
// more of them.
type mark struct {
	at   time.Time
	over bool
}

// A feedState is how far the decoder is with a chunk.
type feedState int

const (
	feedIdle  feedState = iota
	feedGiven           // it was given one
	feedTaken           // it has taken all of it
)

// feedLimit is how many bytes may wait; then the terminal does.
const feedLimit = 16 << 20

// readSize is how much is read at once, which is what the decoder takes.
const readSize = 4096

func newFeed(gone <-chan struct{}) *feed {
	f := &feed{marks: make(chan mark), gone: gone}
	f.more = sync.NewCond(&f.mu)
	return f
}

// take keeps what was read at a time for the decoder.
func (f *feed) take(b []byte, at time.Time) {
	b = f.paste.note(slices.Clone(b))
	f.ahead.Add(1)
	f.chunks, f.size = append(f.chunks, chunk{b, at}), f.size+len(b)
}

// fill reads the terminal until it ends.
func (f *feed) fill(in io.Reader, now func() time.Time) {
	buf := make([]byte, readSize)
	for {
		n, err := in.Read(buf)
		f.mu.Lock()
		if n > 0 {
			f.take(buf[:n], now())
		}
		f.err = err
		f.more.Broadcast()
		for f.size > feedLimit && err == nil {
			f.more.Wait()
		}
		f.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Read gives the decoder the next chunk, and nothing once after each: nothing is
// taken when the chunk is decoded, and so the call after that knows that all of
// its keys are on their way.
func (f *feed) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if f.state == feedGiven {
			f.state = feedTaken
			return 0, nil
		}
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// next waits for a chunk.
func (f *feed) next() error {
	if f.state == feedTaken {
		f.tell(mark{over: true})
		f.state = feedIdle
	}
	c, err := f.pop()
	if err != nil {
		return err
	}
	f.tell(mark{at: c.at})
	f.rest, f.state = c.bytes, feedGiven
	return nil
}

func (f *feed) pop() (chunk, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.chunks) == 0 && f.err == nil {
		f.more.Wait()
	}
	if len(f.chunks) == 0 {
		return chunk{}, f.err
	}
	c := f.chunks[0]
	f.chunks[0] = chunk{}
	f.chunks, f.size = f.chunks[1:], f.size-len(c.bytes)
	f.more.Broadcast()
	return c, nil
}

func (f *feed) tell(m mark) {
	select {
	case f.marks <- m:
	case <-f.gone:
	}
}

// What begins and ends a paste that the terminal marks, and what Ctrl+C is, as
// terminals spell it.
var (
	pasteBegin = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
	ctrlCs     = []string{"\x03", "\x1b[99;5u", "\x1b[27;5;99~"}
)

// pasteMarks follows whether a paste is open. One whose end was lost would take
// all that is typed from then on, for good: Ctrl+C by itself ends it.
type pasteMarks struct {
	open bool
	tail []byte // the last bytes, where a mark may have begun
}

// note returns b as the decoder is to see it.
func (p *pasteMarks) note(b []byte) []byte {
	if p.open && slices.Contains(ctrlCs, string(b)) {
		*p = pasteMarks{}
		return append(slices.Clone(pasteEnd), b...)
	}
	s := append(p.tail, b...)
	begin, end := bytes.LastIndex(s, pasteBegin), bytes.LastIndex(s, pasteEnd)
	if begin >= 0 || end >= 0 {
		p.open = begin > end
	}
	p.tail = slices.Clone(s[max(0, len(s)-len(pasteEnd)+1):])
	return b
}
