package tui

import (
	"fmt"
	"strings"
	"time"
)

// between is what stands right above the composer: what is running or armed,
// what is queued, and what the last key led to.
func (s *screen) between(w int, now time.Time) []string {
	var rows []string
	switch {
	case s.stopping:
		rows = append(rows, s.th.warn.render(s.spinner(now)+" stopping"+s.th.glyph.more))
	case s.esc.armed(now):
		rows = append(rows, s.th.warn.render(s.spinner(now)+" esc again stops the turn"))
	case s.busy:
		rows = append(rows, s.th.accent.render(s.spinner(now))+s.th.muted.render(" working"+elapsed(now.Sub(s.began))+s.th.glyph.dot+"esc esc stops"))
	case s.esc.leaves(now):
		rows = append(rows, s.th.warn.render("again to leave"))
	case s.esc.rewinds(now):
		rows = append(rows, s.th.muted.render("esc again: go back to an earlier prompt"))
	}
	rows = append(rows, s.queued(w)...)
	rows = append(rows, s.searching(w)...)
	if n := len(s.composer.stash); n > 0 && s.composer.buf.empty() {
		rows = append(rows, s.th.muted.render(clip(fmt.Sprintf("%s put aside: %s brings it back", count(n, "draft"), s.keyOf(cmdStash)), w)))
	}
	if s.chord != "" {
		rows = append(rows, s.th.muted.render(keyNames([]string{s.chord})+" "+s.th.glyph.more))
	}
	if s.hint != "" {
		rows = append(rows, wrapText(plain(s.hint), s.th.warn, w, "", "")...)
	}
	return rows
}

// elapsed is whole seconds, nothing for the first.
func elapsed(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " " + strings.Replace(duration(d.Truncate(time.Second)), ".0s", "s", 1)
}

// maxQueued is how many queued prompts are shown.
const maxQueued = 3

func (s *screen) queued(w int) []string {
	var rows []string
	q := &s.queue
	for i, p := range q.list {
		if i == maxQueued {
			rows = append(rows, s.th.muted.render(fmt.Sprintf("  %s +%d more (/queue)", s.th.glyph.more, len(q.list)-i)))
			break
		}
		rows = append(rows, s.th.muted.render(clip(s.waits(i, p), w)))
	}
	switch {
	case q.paused && len(q.list) > 0:
		rows = append(rows, s.th.warn.render("queue paused"+s.th.glyph.dot+"Enter to resume"))
	case s.ready == nil && len(q.list) > 0:
		rows = append(rows, s.th.muted.render("starts when the session is ready"))
	}
	return rows
}

// waits is how a message that waits is shown.
func (s *screen) waits(i int, p prompt) string {
	line, _, _ := strings.Cut(p.text, "\n")
	glyph, kind := s.th.glyph.user, "queued"
	switch {
	case p.operator:
		glyph = s.th.glyph.operator
	case p.steers && s.busy:
		glyph, kind = s.th.glyph.steer, "steer"
	}
	text := fmt.Sprintf("%s %s %d: %s", glyph, kind, i+1, verbatimLine(line))
	if p.lost {
		text = fmt.Sprintf("%s %s %d (not stored): %s", glyph, kind, i+1, verbatimLine(line))
	}
	return text
}

func (s *screen) placeholder() string {
	if s.ready == nil && s.card() == nil {
		return "starting" + s.th.glyph.more
	}
	return "ask zuno anything" + s.th.glyph.dot + "? keys" + s.th.glyph.dot + "! run a command"
}
