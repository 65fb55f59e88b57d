package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A lane is one row of work that goes on beside the turn: a background job, and
// whatever else runs by itself.
type lane struct {
	id         string
	kind, name string
	subject    string
	state      string // with the time it took so far
	line       string // its latest output; "" for none
}

// maxLanes is how many lanes are shown.
const maxLanes = 4

// lanes returns what runs beside the turn.
func (s *screen) lanes(now time.Time) []lane {
	var all []lane
	for _, j := range s.jobs() {
		if j.Running {
			l := lane{j.ID, bgJob, j.ID, j.Command, stateRunning + elapsed(now.Sub(j.Began)), j.Last}
			if j.Kind != "" && j.Kind != bgJob { // an agent's ID is long, and /jobs has it
				l.kind, l.name = j.Kind, j.Kind
			}
			all = append(all, l)
		}
	}
	return all
}

// mostOver is how many lanes are kept that have ended.
const mostOver = 3

// follow notes what has ended since the last frame. It stays in sight until the
// person or the model was told: work that is simply gone may have been lost.
func (s *screen) follow(now time.Time) {
	runs := s.lanes(now)
	for _, was := range s.ran {
		if slices.ContainsFunc(runs, func(l lane) bool { return l.id == was.id }) {
			continue
		}
		was.state, was.line = "ended", ""
		for _, j := range s.jobs() {
			if j.ID == was.id {
				was.state = j.Status
			}
		}
		s.over = append(s.over, was)
		s.over = s.over[max(0, len(s.over)-mostOver):]
	}
	s.ran = runs
}

// toldOf takes what text tells of out of the lanes that have ended.
func (s *screen) toldOf(text string) {
	over := func(l lane) bool { return strings.Contains(text, l.id) }
	s.over, s.ran = slices.DeleteFunc(s.over, over), slices.DeleteFunc(s.ran, over)
}

// laneRows draws the lanes, a row each.
func laneRows(th *theme, lanes []lane, w int) []string {
	var rows []string
	for i, l := range lanes {
		if i == maxLanes-1 && len(lanes) > maxLanes {
			rows = append(rows, th.muted.render(fmt.Sprintf("  %s +%d more", th.glyph.more, len(lanes)-i)))
			break
		}
		name := plainLine(l.name)
		if !strings.HasPrefix(name, l.kind) {
			name = plainLine(l.kind) + " " + name
		}
		state := plainLine(l.state)
		name, room := nameRoom(name, state, w-5)
		row := th.accent.render(th.glyph.bar) + " " + th.strong.render(name) + " "
		if room > 6 {
			subject := clipMiddle(plainLine(l.subject), room)
			row += subject + "  "
			room -= width(subject)
		}
		row += th.muted.render(state)
		if last := plainLine(expandTabs(l.line)); last != "" && room > 12 {
			row += th.muted.render(clip(th.glyph.dot+last, room))
		}
		rows = append(rows, clip(row, w))
	}
	return rows
}
