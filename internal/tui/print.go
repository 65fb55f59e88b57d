package tui

import "sync"

// A canvas carries lines and frames to the painter, in order, from one
// goroutine of its own: a slow terminal holds up neither the keys nor the turn.
// Frames that were not drawn yet are replaced by newer ones, lines never.
type canvas struct {
	p    *painter
	fail func(error) // told once, from the canvas's goroutine
	// size says how large the terminal is, and moved is told when that is not what
	// a frame was made for. Nil where the size is what it is.
	size  func() (w, h int)
	moved func()
	// seen is told of a question that has come into sight: the terminal has taken
	// it. Nil when nobody wants to know. Neither may wait for the screen, which may
	// be waiting for the canvas.
	seen  func(asks)
	sight asks     // the question that is in sight
	held  []string // lines that wait for a frame of the right size

	mu      sync.Mutex // guards what follows
	pending []job
	closed  bool

	wake chan struct{}
	done chan struct{}
}

// A job is one thing to draw.
type job struct {
	lines  []string
	frame  frame
	w, h   int           // the size that the frame was made for
	resize *resize       // a new size, with which lines are not printed
	drawn  chan struct{} // closed when all is drawn; nil when nobody waits
	// full is drawn on the alternate screen, and inline goes back from it; raw is
	// a sequence that moves nothing. Of these and anew, a job has one and nothing else.
	full   []string
	inline bool
	raw    string
	anew   bool // nothing of what was drawn is there any more
}

// joins reports whether j can be drawn together with the job before it.
func (j job) joins(before job) bool {
	return j.plain() && before.plain() || j.full != nil && before.full != nil
}

func (j job) plain() bool {
	return j.resize == nil && j.drawn == nil && j.full == nil && !j.inline && j.raw == "" && !j.anew
}

func newCanvas(p *painter, fail func(error), size func() (w, h int), moved func(), seen func(asks)) *canvas {
	c := &canvas{p: p, fail: fail, size: size, moved: moved, seen: seen, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go c.run()
	return c
}

// post hands j over; it never blocks.
func (c *canvas) post(j job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if n := len(c.pending); n > 0 && j.joins(c.pending[n-1]) {
		last := &c.pending[n-1]
		last.lines, last.frame, last.full = append(last.lines, j.lines...), j.frame, j.full
		last.w, last.h = j.w, j.h
	} else {
		c.pending = append(c.pending, j)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// settle takes the frame away and waits until the terminal has it.
func (c *canvas) settle() {
	drawn := make(chan struct{})
	c.post(job{frame: frame{hidden: true}, drawn: drawn})
	select {
	case <-drawn:
	case <-c.done:
	}
}

// close draws what is pending, takes the frame away and waits for the end.
func (c *canvas) close() {
	c.mu.Lock()
	c.closed = true
	close(c.wake)
	c.mu.Unlock()
	<-c.done
}

// try is do, and its panic an error: the terminal has to be given back.
func (c *canvas) try(j job) (err error) {
	defer recovered("drawing", &err)
	return c.do(j)
}

func (c *canvas) run() {
	defer close(c.done)
	var failed error
	for open := true; open; {
		_, open = <-c.wake
		c.mu.Lock()
		jobs := c.pending
		c.pending = nil
		c.mu.Unlock()
		for _, j := range jobs {
			if failed == nil {
				if failed = c.try(j); failed != nil {
					c.fail(failed)
				}
			}
			if j.drawn != nil {
				close(j.drawn)
			}
		}
	}
	if failed == nil && len(c.held) > 0 {
		failed = c.p.paint(c.held, c.p.shown)
	}
	if failed == nil {
		_ = c.p.clear() // the program ends: nobody is left to be told
		return
	}
	var none error
	defer recovered("giving the screen back", &none) // what failed may do so again
	_ = c.p.leaveFull()
}

func (c *canvas) do(j job) error {
	switch {
	case j.raw != "":
		return c.p.raw(j.raw)
	case j.anew:
		c.sight = asks{}
		return c.p.anew()
	case j.full != nil:
		c.sight = asks{}
		return c.p.full(j.full)
	case j.inline:
		c.sight = asks{} // a full screen that was never drawn hid it as well
		return c.p.leaveFull()
	}
	if !c.fits(j) {
		// The signal that tells of the size is on its way: what the frame took is not
		// known now.
		c.held = append(c.held, j.lines...)
		c.moved()
		return nil
	}
	held := c.held
	c.held = nil
	if err := c.paint(held, j); err != nil {
		return err
	}
	if was := c.sight; was != j.frame.asks {
		if c.sight = j.frame.asks; c.sight.card != nil && c.seen != nil {
			c.seen(c.sight)
		}
	}
	return nil
}

// paint draws a frame, with the lines that waited for it and its own.
func (c *canvas) paint(held []string, j job) error {
	if j.resize == nil {
		return c.p.paint(append(held, j.lines...), j.frame)
	}
	if err := c.p.repaint(j.resize.without(len(held)), j.frame); err != nil || len(held) == 0 {
		return err
	}
	return c.p.paint(held, j.frame)
}

// fits reports whether the terminal has the size that a frame was made for. It is
// asked right before the frame is written, as it may change at any time.
func (c *canvas) fits(j job) bool {
	if c.size == nil || j.w == 0 || j.drawn != nil {
		return true
	}
	w, h := c.size()
	return w == j.w && h == j.h
}

// scrolled remembers the lines that were printed last, for the repaint after a
// resize.
type scrolled struct{ lines []string }

// keepLines is more rows than any screen has.
const keepLines = 1000

func (s *scrolled) add(lines []string) {
	s.lines = append(s.lines, lines...)
	if n := len(s.lines) - keepLines; n > keepLines {
		s.lines = append([]string(nil), s.lines[n:]...)
	}
}

// rows returns how many rows the remembered lines take at width w.
func (s *scrolled) rows(w int) int {
	n := 0
	for _, l := range s.lines {
		n += rowsOf(l, w)
	}
	return n
}

// fitting returns the last of lines that take at most n rows at width w.
func fitting(lines []string, n, w int) []string {
	i := len(lines)
	for i > 0 {
		r := rowsOf(lines[i-1], w)
		if r > n {
			break
		}
		n -= r
		i--
	}
	return lines[i:]
}

// rowsOf returns how many rows a terminal of w columns gives a line.
func rowsOf(line string, w int) int {
	if w <= 0 {
		return 1
	}
	return max(1, (width(line)+w-1)/w)
}
