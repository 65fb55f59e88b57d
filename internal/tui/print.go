package tui

import "sync"

// A canvas carries lines and frames to the painter, in order, from one
// goroutine of its own: a slow terminal holds up neither the keys nor the turn.
// Frames that were not drawn yet are replaced by newer ones, lines never.
type canvas struct {
	p    *painter
	fail func(error) // told once, from the canvas's goroutine

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
	resize *resize       // a new size, with which lines are not printed
	free   *int          // rows there were for the first frame; nothing is drawn
	drawn  chan struct{} // closed when all is drawn; nil when nobody waits
	// full is drawn on the alternate screen, and inline goes back from it; raw is
	// a sequence that moves nothing. Of these, a job has one and nothing else.
	full   []string
	inline bool
	raw    string
}

// joins reports whether j can be drawn together with the job before it.
func (j job) joins(before job) bool {
	return j.plain() && before.plain() || j.full != nil && before.full != nil
}

func (j job) plain() bool {
	return j.resize == nil && j.free == nil && j.drawn == nil && j.full == nil && !j.inline && j.raw == ""
}

func newCanvas(p *painter, fail func(error)) *canvas {
	c := &canvas{p: p, fail: fail, wake: make(chan struct{}, 1), done: make(chan struct{})}
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
				if failed = c.do(j); failed != nil {
					c.fail(failed)
				}
			}
			if j.drawn != nil {
				close(j.drawn)
			}
		}
	}
	if failed == nil {
		_ = c.p.clear() // the program ends: nobody is left to be told
	}
}

func (c *canvas) do(j job) error {
	switch {
	case j.raw != "":
		return c.p.raw(j.raw)
	case j.full != nil:
		return c.p.full(j.full)
	case j.inline:
		return c.p.leaveFull()
	}
	if j.free != nil {
		c.p.begins(*j.free)
		return nil
	}
	if j.resize != nil {
		return c.p.repaint(*j.resize, j.frame)
	}
	return c.p.paint(j.lines, j.frame)
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
