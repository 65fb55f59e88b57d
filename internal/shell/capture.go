package shell

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"time"
)

// An Output is what was kept of a stream: all of it in Head, or its beginning
// in Head and its end in Tail with something left out in between.
type Output struct {
	Head, Tail []byte
	Total      int64 // bytes written
}

// Cut returns how many bytes were left out.
func (o Output) Cut() int64 { return o.Total - int64(len(o.Head)+len(o.Tail)) }

// A stream keeps the head and the tail of what is read into it. Reading goes
// straight into its memory, so that a flood is copied only once.
type stream struct {
	half  int // the most that head and tail have each
	head  []byte
	ring  []byte // the last half bytes after head; nil until head is full
	at    int    // where the next byte goes in ring
	total int64
}

// room returns where to read to.
func (s *stream) room() []byte {
	if len(s.head) == cap(s.head) && len(s.head) < s.half {
		grown := make([]byte, len(s.head), min(s.half, max(8<<10, 4*cap(s.head))))
		copy(grown, s.head)
		s.head = grown
	}
	if len(s.head) < s.half {
		return s.head[len(s.head):cap(s.head)]
	}
	if s.ring == nil {
		s.ring = make([]byte, s.half)
	}
	return s.ring[s.at:]
}

// took says that n bytes were read to where room said.
func (s *stream) took(n int) {
	s.total += int64(n)
	if s.ring == nil {
		s.head = s.head[:len(s.head)+n]
		return
	}
	s.at = (s.at + n) % len(s.ring)
}

func (s *stream) output() Output {
	o := Output{Head: s.head, Total: s.total}
	switch after := s.total - int64(len(s.head)); {
	case after == 0:
	case after < int64(len(s.ring)):
		o.Tail = s.ring[:s.at]
	default:
		o.Tail = append(s.ring[s.at:len(s.ring):len(s.ring)], s.ring[:s.at]...)
	}
	return o
}

// A capture reads the two streams of a command, each on a goroutine of its own.
type capture struct {
	sink    func([]byte) bool
	out     stream
	err     stream
	files   [2]*os.File
	readers sync.WaitGroup
	held    [2]bool // a reader gave up while somebody still held the pipe

	news   chan struct{} // has one item when there is something to report
	enough chan struct{} // closed when sink wants no more
	once   sync.Once     // closes enough

	tape *tape

	mu    sync.Mutex // guards the fields below
	bytes int64
	last  []byte // the end of what the latest stream wrote
	lastS *stream
}

// lastSize is how much is kept to find the latest line in.
const lastSize = 1 << 10

// drainFor is how long after the end of a program its pipes are listened to,
// when another process holds them: long enough for the tail of a process
// substitution, too short to be felt.
const drainFor = 100 * time.Millisecond

// newCapture begins to read out and err, and writes both to tape.
func newCapture(c Cmd, tape *tape, out, err *os.File) *capture {
	k := &capture{
		sink:   c.Sink,
		out:    stream{half: c.Limits.Memory / 2},
		err:    stream{half: c.Limits.Memory / 2},
		files:  [2]*os.File{out, err},
		news:   make(chan struct{}, 1),
		enough: make(chan struct{}),
		tape:   tape,
	}
	k.readers.Add(2)
	go k.follow(0, &k.out)
	go k.follow(1, &k.err)
	return k
}

// follow reads one stream until its end, or until finish sets a deadline.
func (k *capture) follow(i int, s *stream) {
	defer k.readers.Done()
	f := k.files[i]
	take := func(p []byte) { k.take(s, p) }
	room, took := s.room, s.took
	if i == 0 && k.sink != nil {
		buf := make([]byte, 64<<10)
		room, took = func() []byte { return buf }, func(int) {}
		take = func(p []byte) { k.feed(p) }
	}
	for {
		buf := room()
		n, err := f.Read(buf)
		if n > 0 {
			take(buf[:n])
			took(n)
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			k.held[i] = k.drain(f, room, took, take)
			return
		default: // the end, or a pipe that broke: there is nothing more to read
			return
		}
	}
}

// take notes what one stream wrote.
func (k *capture) take(s *stream, p []byte) {
	k.tape.write(p)
	k.mu.Lock()
	k.bytes += int64(len(p))
	if k.lastS != s {
		k.last, k.lastS = k.last[:0], s
	}
	if len(p) >= lastSize {
		k.last = append(k.last[:0], p[len(p)-lastSize:]...)
	} else {
		k.last = append(k.last, p...)
		if over := len(k.last) - lastSize; over > 0 {
			k.last = k.last[:copy(k.last, k.last[over:])]
		}
	}
	k.mu.Unlock()
	select {
	case k.news <- struct{}{}:
	default:
	}
}

func (k *capture) feed(p []byte) {
	select {
	case <-k.enough:
		return
	default:
	}
	if !k.sink(p) {
		k.once.Do(func() { close(k.enough) })
	}
}

// latest returns the last line that is not blank and the bytes so far.
func (k *capture) latest() (string, int64) {
	k.mu.Lock()
	last, n := bytes.Clone(k.last), k.bytes
	k.mu.Unlock()
	lines := bytes.Split([]byte(plain(last)), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		if l := bytes.TrimSpace(lines[i]); len(l) > 0 {
			return clipLine(string(l), 200), n
		}
	}
	return "", n
}

// finish waits for the readers to have what the ended program wrote, and
// returns the pipes that others still hold. The rest are closed.
func (k *capture) finish() []*os.File {
	deadline := time.Now().Add(drainFor)
	for _, f := range k.files {
		_ = f.SetReadDeadline(deadline)
	}
	k.readers.Wait()
	var open []*os.File
	for i, f := range k.files {
		if k.held[i] {
			open = append(open, f)
		} else {
			f.Close()
		}
	}
	return open
}

func (k *capture) output() (out, err Output) { return k.out.output(), k.err.output() }
