package tui

import "fmt"

// A Difference is what the files of the workspace have that the last commit has
// not.
type Difference struct {
	// Told says in one line what was compared and how much differs.
	Told string
	// Text is a unified diff.
	Text string
	// Notes say what the text has not, a line each.
	Notes []string
}

// mostDifference is how many lines of a diff /diff prints: it stays in the
// scrollback.
const mostDifference = 500

// difference prints what changed since the last commit.
func (s *screen) difference(string) string {
	switch {
	case s.ready == nil:
		return "the session is still starting"
	case s.ready.Difference == nil:
		return "this session compares no files"
	}
	compare := s.ready.Difference
	s.look(func() (func(*screen), error) {
		d, err := compare()
		return func(s *screen) { s.paged("/diff", s.differenceRows(d)) }, err
	})
	return ""
}

func (s *screen) differenceRows(d Difference) []string {
	say := func(text string) []string {
		return wrap([]span{{plainLine(text), s.th.muted}}, s.script.w, "", "  ")
	}
	rows := say(d.Told)
	if d.Text != "" {
		shown, more := diffView{s.th, s.script.w}.rows(parseDiff(d.Text), mostDifference)
		rows = append(rows, shown...)
		if more > 0 {
			rows = append(rows, say(fmt.Sprintf("%s %s more of the diff; git diff HEAD shows all", s.th.glyph.more, count(more, "line")))...)
		}
	}
	for _, n := range d.Notes {
		rows = append(rows, say(n)...)
	}
	return rows
}
