package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/highlight"
)

// A colouring is one side of a hunk whose words are told apart.
type colouring struct {
	doc   *diffDoc
	side  hunkSide
	found [][]highlight.Run
}

// colour has the words told apart of what the card shows of diffs. That takes
// its time, so it is shown without colours first.
func (s *screen) colour() {
	c := s.card()
	if c == nil {
		return
	}
	jobs := c.wanted()
	if len(jobs) == 0 {
		return
	}
	s.host.fetch(func() tea.Msg {
		for i := range jobs {
			j := &jobs[i]
			j.found = s.words.Lines(j.side.name, strings.Join(j.side.texts, "\n"))
		}
		return fetchedMsg{func(*screen) {
			for _, j := range jobs {
				j.doc.colour(j.side, j.found)
			}
			c.recoloured()
		}}
	})
}
