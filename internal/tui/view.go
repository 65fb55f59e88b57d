package tui

import (
	"os"
	"strings"
	"time"
)

// How often the screen is drawn. A key is drawn at once; what a turn has to say
// is collected, and the spinner moves only while something runs.
const (
	frameGap    = time.Second / 30
	keyGap      = burstGap // between frames while keys come faster than one types
	spinGap     = time.Second / 8
	resizeQuiet = 60 * time.Millisecond
)

// show draws now or sets the timer for when it has to be.
func (s *screen) show(now time.Time) {
	if s.dirty && (s.resize.at.IsZero() || s.pager != nil) && !s.suspended && (s.urgent || now.Sub(s.drawn) >= s.gap()) {
		s.draw(now)
	}
	if at := s.due(now); !at.IsZero() {
		s.host.wakeAt(max(time.Millisecond, at.Sub(now)))
	}
}

// gap is how long after a frame the next is drawn.
func (s *screen) gap() time.Duration {
	if s.typing {
		return keyGap
	}
	return frameGap
}

// due returns when something changes by itself, zero for never.
func (s *screen) due(now time.Time) time.Time {
	var first time.Time
	at := func(t time.Time) {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if s.suspended {
		return first
	}
	if !s.resize.at.IsZero() && s.pager == nil {
		at(s.resize.at.Add(s.quiet()))
	} else if s.dirty {
		at(s.drawn.Add(s.gap()))
	}
	if s.spins() && s.pager == nil {
		at(s.drawn.Add(s.spinGap()))
	}
	if len(s.lanes(now)) > 0 && s.pager == nil {
		at(s.drawn.Add(laneGap))
	}
	if s.esc.armed(now) || s.esc.leaves(now) || s.esc.again(now) {
		at(s.esc.at.Add(armFor + time.Millisecond))
	}
	if c := s.card(); c != nil {
		at(c.due(now))
	}
	at(s.composer.burst.due())
	return first
}

// spinGap is how often time changes what is shown: the marks, or only the
// seconds.
func (s *screen) spinGap() time.Duration {
	if s.opts.UI.Still {
		return time.Second
	}
	return spinGap
}

// spins reports whether time alone changes what is shown.
func (s *screen) spins() bool { return s.busy && s.card() == nil }

// tick is the timer.
func (s *screen) tick(now time.Time) {
	if !s.resize.at.IsZero() && s.pager == nil && now.Sub(s.resize.at) >= s.quiet() {
		s.resizeNow(now)
	}
	if !s.host.behind() { // else the next key says what was held back
		s.overdue(now)
	}
	s.dirty, s.urgent = true, true
}

func (s *screen) sized(w, h int) {
	s.w, s.h = w, h
	s.script.w = max(2, w-1)
	s.composer.w = max(4, w-1)
}

// resizeNow draws everything at the new size.
func (s *screen) resizeNow(now time.Time) {
	z := s.resize
	s.resize = resizing{}
	was := s.h
	s.sized(z.w, z.h)
	s.canvas.post(job{frame: s.frame(now), w: s.w, h: s.h, resize: &resize{
		w: z.w, h: z.h, was: was, low: z.low, up: s.printed.rows(z.w), reflows: inTmux(s.opts.Env),
		lines: append([]string(nil), fitting(s.printed.lines, z.h, z.w)...),
	}})
}

// draw makes a frame and hands it over, with the lines before it.
func (s *screen) draw(now time.Time) {
	s.drawn, s.dirty, s.typing = now, false, false
	if c := s.card(); c != nil && c.follow != nil {
		c.follow()
	}
	s.follow(now)
	s.entitle()
	if s.pager != nil { // what is to be printed waits
		s.canvas.post(job{full: s.pager.view(s.awaits())})
		return
	}
	if s.th.dumb {
		s.out = append(s.out, s.spoken(now)...)
	}
	s.printed.add(s.out)
	s.canvas.post(job{lines: s.out, frame: s.frame(now), w: s.w, h: s.h})
	s.out = nil
}

// frame lays the live zone out, from the bottom up: the status line and the
// composer always, then what has to be answered, then what runs, and as much of
// the answer being written as there is room for.
func (s *screen) frame(now time.Time) frame {
	h, w := max(1, s.h-2), max(1, s.w-1)
	roomy := h >= 12 && !s.opts.UI.Compact
	var f frame
	below := []string{s.status(w)}
	input, cx, cy := s.composer.rows(max(1, min(10, h/3)), s.placeholder())
	c := s.card()
	if c != nil {
		f.asks = asks{c, c.question}
	}
	if c != nil && s.composer.buf.empty() {
		input = nil
	}
	if c != nil && c.full {
		input, roomy = nil, false
	}
	if h < 3 && c != nil {
		below, input = nil, nil
	}
	var middle []string
	room := h - len(below) - len(input)
	if c != nil {
		if roomy {
			room--
		}
		d := c.view(w, max(1, room), s.esc.armed(now), now)
		middle, f.hidden = d.rows, !d.cursor
		f.cx, f.cy = d.cx, d.cy
	} else {
		middle = last(append(s.between(w, now), s.popRows(w, h/3)...), max(0, room))
	}
	if roomy && len(middle) > 0 && (len(input) > 0 || c != nil) {
		middle = append(middle, "")
	}
	top := s.above(w, max(0, room-len(middle)-1), now)
	if c != nil && c.full {
		top = nil
	}
	if roomy && len(top) > 0 && len(middle) > 0 {
		top = append(top, "")
	}
	if (roomy || len(top) > 0) && !(s.script.answer.joined() && len(top) > 0 && !s.sheet) {
		top = append([]string{""}, top...)
	}
	f.rows = append(append(append(append(f.rows, top...), middle...), input...), below...)
	if c != nil {
		f.cy += len(top)
	} else {
		f.cx, f.cy = cx, len(top)+len(middle)+cy
	}
	return f.fit(s.w, s.h)
}

// above is what the turn is doing: the end of the answer, the thought, the
// calls.
func (s *screen) above(w, n int, now time.Time) []string {
	if s.sheet {
		rows := s.shortSheet(w)
		if len(rows) > n && n > 0 {
			rows = append(rows[:n-1], s.th.muted.render(s.th.glyph.more+" /help shows them all"))
		}
		return last(rows, n)
	}
	t := &s.script
	mark := s.spinner(now)
	var rows []string
	if ex := t.explored.rows(s.th, w); len(ex) > 0 {
		rows = append(rows, ex[0])
	}
	rows = append(rows, t.calls.rows(s.th, w, mark, now)...)
	if t.filling.compacting {
		rows = append(rows, s.th.accent.render(mark)+" "+clip("summarizing the older part of the conversation", max(2, w-2)))
	}
	if t.thought != "" {
		rows = append(rows, s.th.muted.render(clip("thinking  "+t.thought, w)))
	}
	rows = last(rows, n)
	answer := t.answer.tail(t.w, n-len(rows))
	if len(answer) > 0 && len(rows) > 0 && n > len(rows)+len(answer) {
		answer = append(answer, "")
	}
	return append(answer, rows...)
}

// leastTwice is how many columns there must be for the keys to stand in two.
const leastTwice = 140

// shortSheet is the keys of the composer, in two columns where there is room.
func (s *screen) shortSheet(w int) []string {
	half := (w - 2) / 2
	if w < leastTwice {
		half = w
	}
	rows := keySheet(s.th, s.keys.table, half, true, false, nil)
	if w < leastTwice {
		return rows
	}
	n := (len(rows) + 1) / 2
	for n < len(rows) && strings.HasPrefix(rows[n], " ") {
		n++ // it goes on with what the row above says
	}
	for i, r := range rows[n:] {
		rows[i] = pad(rows[i], half) + "  " + r
	}
	return rows[:n]
}

// spinner is the mark beside what runs.
func (s *screen) spinner(now time.Time) string {
	if !s.spins() || s.opts.UI.Still {
		return s.th.glyph.spin[0]
	}
	return s.th.glyph.spin[int(now.Sub(s.began)/spinGap)%len(s.th.glyph.spin)]
}

// header is printed once, when the session is there.
func (s *screen) header(r Ready) []string {
	name := s.th.strong.render("zuno")
	for _, v := range []string{s.opts.Version, r.Model, r.Agent} {
		if v != "" {
			name += s.th.muted.render(s.th.glyph.dot) + plainLine(v)
		}
	}
	lines := []string{clip(name, max(2, s.w-1))}
	where := tilde(s.opts.Env, plainLine(r.Dir))
	if r.Branch != "" {
		where += s.th.glyph.dot + plainLine(r.Branch)
	}
	if where != "" {
		lines = append(lines, s.th.muted.render(clip(where, max(2, s.w-1))))
	}
	if s.script.last == blockNone {
		return s.script.put(blockHeader, lines)
	}
	return append([]string{""}, lines...)
}

// tilde shortens the home directory.
func tilde(env []string, path string) string {
	home, _ := lookup(env, "HOME")
	if home == "" || home == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == os.PathSeparator) {
		return "~" + rest
	}
	return path
}
