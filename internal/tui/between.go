package tui

import (
	"fmt"
	"strings"
	"time"
)

// between is what stands right above the composer: what is running or armed,
// what is queued, and what the last key led to.
func (s *screen) between(w int, now time.Time) []string {
	rows := laneRows(s.th, append(s.lanes(now), s.over...), w)
	switch {
	case s.stopping:
		rows = append(rows, s.th.warn.render(s.spinner(now)+" stopping"+s.th.glyph.more))
	case s.esc.armed(now):
		rows = append(rows, s.th.warn.render(s.spinner(now)+" "+s.keys.esc(s.th)+" again stops the turn"))
	case s.busy:
		rows = append(rows, s.th.accent.render(s.spinner(now))+s.th.muted.render(" "+s.th.hints(w-2, "working"+elapsed(now.Sub(s.began)), s.keys.escEsc(s.th)+" stops")))
	case s.esc.leaves(now):
		rows = append(rows, s.th.warn.render(s.leaveKey()+" again to leave"))
	case s.esc.again(now) && !s.composer.buf.empty():
		rows = append(rows, s.th.muted.render(s.keys.esc(s.th)+" again puts the draft away"))
	case s.esc.again(now):
		rows = append(rows, s.th.muted.render(longest(w, s.keys.esc(s.th)+" again: go back to an earlier prompt", s.keys.esc(s.th)+" again: go back")))
	}
	rows = append(rows, s.queued(w)...)
	rows = append(rows, s.searching(w)...)
	if n := len(s.composer.stash); n > 0 && s.composer.buf.empty() {
		rows = append(rows, s.th.muted.render(longest(w, fmt.Sprintf("%s put aside: %s brings it back", count(n, "draft"), s.keyOf(cmdStash)), fmt.Sprintf("%s put aside (%s)", count(n, "draft"), s.keyOf(cmdStash)))))
	}
	if s.chord != "" {
		rows = append(rows, s.th.muted.render(keyNames([]string{s.chord})+" "+s.th.glyph.more))
	}
	if s.hint != "" {
		rows = append(rows, wrapText(plain(s.hint), s.th.warn, w, "", "")...)
	}
	return rows
}

// leaveKey names the key that leaves when it is pressed again.
func (s *screen) leaveKey() string {
	if s.esc.leaving == pressCtrlD {
		return s.keys.hint(s.th, cmdCtrlD, anywhere)
	}
	return s.keys.hint(s.th, cmdCtrlC, anywhere)
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
		rows = append(rows, s.th.warn.render(s.th.hints(w, "queue paused", s.keyOf(cmdSubmit)+" to resume")))
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
	return s.th.hints(s.composer.inner(), "ask zuno anything", keyed(s.keys.hint(s.th, cmdHelp, inComposer), "keys"), "! run a command")
}
