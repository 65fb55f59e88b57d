package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A search looks for an older prompt. The composer shows what was found.
type search struct {
	query string
	back  int // steps back in the history of what is shown, zero for the draft
	draft buffer
	none  bool // nothing more was found
	scope scope
	all   *history // of all folders; nil until it is there
}

// A scope is where a search looks.
type scope int

const (
	scopeFolder scope = iota
	scopeEverywhere
	scopeSession
	scopes // how many there are
)

func (s scope) String() string {
	return [scopes]string{"in this folder", "everywhere", "in this session"}[s]
}

// searchOn begins a search, or goes on to the next older prompt.
func (c *composer) searchOn() {
	if c.search == nil {
		c.search = &search{draft: c.buf}
		return
	}
	c.look(c.search.back+1, 1)
}

// remember takes the history of earlier runs, which may come when one looks for
// something in it already.
func (c *composer) remember(list []string) {
	c.history.load(list)
	if f := c.search; f != nil && f.back == 0 && f.query != "" {
		c.look(1, 1)
	}
}

// sought is where the search looks, the newest last.
func (c *composer) sought() *history {
	switch f := c.search; {
	case f.scope == scopeSession:
		return &c.session
	case f.scope == scopeEverywhere && f.all != nil:
		return f.all
	}
	return &c.history
}

// anew looks for the same from the newest on, and shows the draft when there is
// nothing.
func (c *composer) anew() {
	f := c.search
	c.buf, f.back, f.none = f.draft, 0, false
	if f.query != "" {
		c.look(1, 1)
	}
}

// widen has the search look elsewhere. What was sent in other folders is read
// the first time that it is asked for.
func (s *screen) widen() {
	c, f := &s.composer, s.composer.search
	f.scope = (f.scope + 1) % scopes
	s.hint = ""
	if c.anew(); f.scope != scopeEverywhere || f.all != nil || s.ready == nil || s.ready.Elsewhere == nil {
		return
	}
	elsewhere := s.ready.Elsewhere
	s.host.fetch(func() tea.Msg {
		list, err := elsewhere()
		return fetchedMsg{func(s *screen) { s.widened(f, list, err) }}
	})
}

// widened takes what was sent in other folders; what was sent here is newer.
func (s *screen) widened(f *search, list []string, err error) {
	c := &s.composer
	if c.search != f {
		return
	}
	if err != nil {
		s.hint = "read the history: " + plainLine(err.Error())
	}
	f.all = &history{}
	f.all.load(append(list, c.history.list...))
	if f.scope == scopeEverywhere && (f.none || f.back == 0) {
		c.anew()
	}
}

// look shows the first prompt from so many steps back on, going by by, that
// holds what is looked for.
func (c *composer) look(from, by int) {
	f := c.search
	want := strings.ToLower(f.query)
	h := c.sought()
	for n := from; n >= 1 && n <= len(h.list); n += by {
		if strings.Contains(strings.ToLower(h.back(n)), want) {
			f.back, f.none = n, false
			c.buf = f.draft
			c.buf.set(h.back(n))
			return
		}
	}
	f.none = true
}

// searchKey gives a key to the search, and reports whether it was for it. Other
// keys end the search and edit what was found.
func (c *composer) searchKey(cmd command, text string, now time.Time) bool {
	f := c.search
	switch {
	case cmd == cmdSearch:
		c.searchOn()
	case cmd == cmdStash:
		c.look(f.back-1, -1)
	case cmd == cmdErase && f.query != "":
		f.query = f.query[:len(f.query)-len(lastCluster(f.query))]
		c.look(1, 1)
	case cmd == cmdErase:
		c.searchOff(false)
	case cmd == cmdSubmit && c.burst.fast > 0:
		c.burst.hold(now)
	case cmd == cmdSubmit || cmd == cmdComplete:
		c.searchOff(true)
	case text != "" && (cmd == cmdNone || cmd == cmdHelp):
		f.query += normalise(text)
		c.look(max(1, f.back), 1)
	default:
		c.searchOff(true)
		return false
	}
	return true
}

// searchOff ends the search with what was found, or with the draft as it was.
func (c *composer) searchOff(found bool) {
	if !found {
		c.buf = c.search.draft
	}
	c.search, c.back = nil, 0
}

func lastCluster(s string) string {
	cells := cellsOf(s)
	return cells[len(cells)-1].text
}

// searching is the row above the composer while one searches. Where one looks
// and what came of it are always in it; of what was typed its end, and of the
// keys those that there is room for.
func (s *screen) searching(w int) []string {
	f := s.composer.search
	if f == nil {
		return nil
	}
	query, where := verbatimLine(f.query), f.scope.String()
	lead, came := "search older prompts: ", s.came("there are none", "nothing older", where)
	if width(lead)+width(query)+width(came) > w {
		lead, came = "search: ", s.came("none", "none", strings.TrimPrefix(where, "in "))
	}
	query = clipLeft(query, max(4, w-width(lead)-width(came)))
	row := s.th.accent.render(lead) + s.th.strong.render(query) + came
	dot := s.th.glyph.dot
	more := asFits(w-width(row), " ("+s.keyOf(cmdScope)+")", dot+s.keyOf(cmdSearch)+" older", dot+s.keyOf(cmdSubmit)+" takes it", dot+s.keys.esc(s.th)+" leaves")
	return []string{clip(row+s.th.muted.render(more), w)}
}

// came says what came of a search, and where.
func (s *screen) came(empty, older, where string) string {
	f, says := s.composer.search, ""
	switch {
	case len(s.composer.sought().list) == 0:
		says = s.th.warn.render("  " + empty)
	case f.none:
		says = s.th.warn.render("  " + older)
	case f.back > 0:
		says = s.th.muted.render(fmt.Sprintf("  %d back", f.back))
	}
	return says + s.th.muted.render(s.th.glyph.dot+where)
}
