package tui

import (
	"fmt"
	"io"
	"math/rand"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
)

// A reflowing terminal does with a change of size what tmux does: it wraps what
// stands on it anew, of a lower screen it takes rows away below the cursor first,
// and a higher one it fills from its history. It knows ASCII and the sequences
// that the painter writes.
type reflowing struct {
	w, h   int
	rows   []wrapped // the history and the screen
	cx, cy int       // cy counts from the first row there is
	nowrap bool
}

// A wrapped row goes on in the next when it was wrapped.
type wrapped struct {
	text string
	on   bool
}

func newReflowing(w, h int) *reflowing { return &reflowing{w: w, h: h, rows: make([]wrapped, h)} }

func (t *reflowing) top() int { return len(t.rows) - t.h }

func (t *reflowing) resize(w, h int) {
	if n := t.h - h; n > 0 { // lower: from below the cursor, then into the history
		t.rows = t.rows[:len(t.rows)-min(n, len(t.rows)-1-t.cy)]
	} else {
		for len(t.rows) < h {
			t.rows = append(t.rows, wrapped{})
		}
	}
	if t.h = h; w == t.w {
		return
	}
	var rows []wrapped
	cx, cy := 0, 0
	for i := 0; i < len(t.rows); i++ {
		line, at := "", -1
		for {
			if i == t.cy {
				at = len(line) + t.cx
			}
			line += t.rows[i].text
			if !t.rows[i].on || i+1 == len(t.rows) {
				break
			}
			i++
		}
		from := len(rows)
		for len(line) > w {
			rows = append(rows, wrapped{line[:w], true})
			line = line[w:]
		}
		rows = append(rows, wrapped{line, false})
		if at >= 0 {
			cx, cy = at%w, min(from+at/w, len(rows)-1)
		}
	}
	for len(rows) < h {
		rows = append(rows, wrapped{})
	}
	t.w, t.rows, t.cx, t.cy = w, rows, cx, cy
	if t.cy < t.top() {
		t.cx, t.cy = 0, t.top()
	}
}

func (t *reflowing) Write(b []byte) (int, error) {
	for s := string(b); s != ""; {
		switch c := s[0]; {
		case strings.HasPrefix(s, "\x1b["):
			end := strings.IndexFunc(s[2:], func(r rune) bool { return r >= 0x40 }) + 2
			t.control(s[2:end], s[end])
			s = s[end+1:]
			continue
		case c == '\r':
			t.cx = 0
		case c == '\n':
			t.down()
		default:
			t.put(c)
		}
		s = s[1:]
	}
	return len(b), nil
}

func (t *reflowing) down() {
	if t.cy++; t.cy == len(t.rows) {
		t.rows = append(t.rows, wrapped{})
	}
}

func (t *reflowing) put(c byte) {
	if t.cx >= t.w && t.nowrap {
		t.cx = t.w - 1
	}
	if t.cx >= t.w {
		t.rows[t.cy].on = true
		t.down()
		t.cx = 0
	}
	row := &t.rows[t.cy]
	for len(row.text) <= t.cx {
		row.text += " "
	}
	row.text = row.text[:t.cx] + string(c) + row.text[t.cx+1:]
	t.cx++
}

func (t *reflowing) control(params string, final byte) {
	n, _ := strconv.Atoi(params)
	row := &t.rows[t.cy]
	switch final {
	case 'A':
		t.cy = max(t.top(), t.cy-n)
	case 'C':
		t.cx = min(t.w-1, t.cx+max(1, n))
	case 'J':
		row.text, row.on = row.text[:min(t.cx, len(row.text))], false
		for i := t.cy + 1; i < len(t.rows); i++ {
			t.rows[i] = wrapped{}
		}
	case 'K':
		if params == "2" {
			row.text = ""
		}
		row.text, row.on = row.text[:min(t.cx, len(row.text))], false
	case 'h', 'l':
		if params == "?7" {
			t.nowrap = final == 'l'
		}
	}
}

// text is everything, with wrapped rows joined.
func (t *reflowing) text() string {
	var b strings.Builder
	for _, r := range t.rows {
		b.WriteString(r.text)
		if !r.on {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// A laggard tells of a size as tmux does: at once, and for a while after that
// only at the end of that while.
type laggard struct {
	*reflowing
	lag  time.Duration
	told [2]int
	last time.Time
}

func (l *laggard) size(now time.Time) (w, h int) {
	if l.told != [2]int{l.w, l.h} && now.Sub(l.last) >= l.lag {
		l.told, l.last = [2]int{l.w, l.h}, now
	}
	return l.told[0], l.told[1]
}

// Whatever the size does between two writes, no line is lost and none is there
// twice, also when the terminal tells of it only some time later. Where it tells
// at once, nothing is left behind of a live zone either, unless the screen became
// too small for it, and it went into the history.
func TestNoLineIsLostWhenTheSizeChangesBetweenAnyTwoWrites(t *testing.T) {
	for _, lag := range []time.Duration{0, 250 * time.Millisecond} {
		for seed := range 60 {
			t.Run(fmt.Sprint(lag, " ", seed), func(t *testing.T) { resizeAnyTime(t, lag, int64(seed)) })
		}
	}
}

func resizeAnyTime(t *testing.T, lag time.Duration, seed int64) {
	roomy := seed%2 == 0
	random := rand.New(rand.NewSource(seed))
	term := &laggard{newReflowing(80, 24), lag, [2]int{80, 24}, time.Time{}}
	r := newRig(t, 80, 24, "TMUX=x", "LC_ALL=en_US.ISO-8859-1") // in ASCII
	r.on = &canvas{p: &painter{out: term}, size: func() (int, int) { return term.size(r.clock) }, seen: func(a asks) { r.sighted(sightMsg{a, r.clock}) }}
	missed := false
	r.on.moved = func() { missed = true }
	r.boot(approval.LowRisk)
	begun(r, "go")
	told := term.told
	const lines = 120
	for i := range lines + 1 {
		if random.Intn(4) == 0 {
			if roomy {
				term.resize(40+random.Intn(70), 20+random.Intn(30))
			} else {
				term.resize(10+random.Intn(100), 4+random.Intn(40))
			}
			term.size(r.clock) // the signal
		}
		if i < lines {
			r.print([]string{fmt.Sprintf("L%04d %s", i, strings.Repeat("word ", random.Intn(30)))})
			r.send(wakeMsg{})
		}
		if now := term.told; now != told && random.Intn(3) > 0 || missed || i == lines {
			told, missed = now, false
			r.send(sizeMsg{now[0], now[1]})
		}
		r.pass(time.Duration(random.Intn(400)) * time.Millisecond)
	}
	for range 2 {
		r.pass(time.Second)
		w, h := term.size(r.clock)
		r.send(sizeMsg{w, h})
	}
	r.pass(time.Second)
	all := term.text()
	for i := range lines {
		if n := strings.Count(all, fmt.Sprintf("L%04d", i)); n != 1 {
			t.Fatalf("L%04d is there %d times\n%s", i, n, all)
		}
	}
	if len(r.on.held) > 0 {
		t.Errorf("%d lines still wait", len(r.on.held))
	}
	if n := strings.Count(all, "ask zuno"); lag == 0 && roomy && n > 1 {
		t.Errorf("%d live zones\n%s", n, all)
	}
}

var _ io.Writer = (*reflowing)(nil)
