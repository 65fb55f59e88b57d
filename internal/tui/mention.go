package tui

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"
)

// A mention is what the screen knows of the files that @ can name.
type mention struct {
	list    []string
	at      time.Time // when they were listed; zero for never
	listing bool
	ranking bool
	// wanted counts what was asked for: an answer to an older question breaks
	// off.
	wanted atomic.Int64
}

const (
	// filesStale is how old a list may be before it is made anew.
	filesStale = 10 * time.Second
	// maxFound is how many files a popup can hold.
	maxFound = 50
	// rankStep is how many names are looked at between two looks at the time.
	rankStep = 2000
)

// lookForFiles finds the files that are called like query: all work is done
// outside of the screen, one question at a time, and only the newest counts.
func (s *screen) lookForFiles(query string) {
	m := &s.mentions
	m.wanted.Add(1)
	if s.ready == nil || s.ready.Files == nil || ranged(query) {
		s.popup = nil
		return
	}
	s.popup.busy = true
	if !m.listing && (m.at.IsZero() || s.now().Sub(m.at) > filesStale) {
		m.listing = true
		files := s.ready.Files
		s.host.fetch(func() tea.Msg {
			list, err := files()
			return fetchedMsg{func(s *screen) { s.listed(list, err) }}
		})
	}
	if !m.at.IsZero() {
		s.rank()
	}
}

func (s *screen) listed(list []string, err error) {
	m := &s.mentions
	m.listing, m.at = false, s.now()
	if err != nil {
		s.hint = "list the files: " + plainLine(err.Error())
	} else {
		m.list = slices.DeleteFunc(list, unspeakable)
	}
	m.wanted.Add(1)
	s.rank()
}

// rank looks for the query of the popup, unless that is being done: then it is
// done again afterwards.
func (s *screen) rank() {
	m, p := &s.mentions, s.popup
	if m.ranking || p == nil || p.kind != popFile {
		return
	}
	m.ranking = true
	list, query, ask := m.list, unescaped(p.query), m.wanted.Load()
	s.host.fetch(func() tea.Msg {
		found, more, ok := rankFiles(list, query, func() bool { return m.wanted.Load() == ask })
		return fetchedMsg{func(s *screen) { s.ranked(ask, found, more, ok) }}
	})
}

func (s *screen) ranked(ask int64, found []string, more int, ok bool) {
	p := s.popup
	s.mentions.ranking = false
	if p == nil || p.kind != popFile {
		return
	}
	if !ok || s.mentions.wanted.Load() != ask {
		s.rank()
		return
	}
	chosen := ""
	if p.choice >= 0 {
		chosen = p.items[p.choice].put
	}
	p.items, p.more, p.busy = nil, more, s.mentions.listing
	for _, f := range found {
		if strings.HasSuffix(f, "/") && f == unescaped(p.query) {
			continue // it is named already: what is in it comes next
		}
		end := " "
		if strings.HasSuffix(f, "/") {
			end = "" // what is in it comes next
		}
		p.items = append(p.items, popItem{label: verbatimLine(f), detail: changes()[f], put: "@" + escaped(f) + end})
	}
	p.keep(chosen)
}

// rankFiles returns the best matches of query, how many there are besides, and
// whether it came to its end.
func rankFiles(list []string, query string, goOn func() bool) (found []string, more int, ok bool) {
	type match struct {
		name  string
		score int
	}
	var all []match
	low, first := strings.ToLower(query), changes()
	for from := 0; from < len(list); from += rankStep {
		if !goOn() {
			return nil, 0, false
		}
		part := list[from:min(len(list), from+rankStep)]
		if query == "" {
			for _, f := range part {
				all = append(all, match{f, min(1, len(first[f]))}) // what is no file comes first
			}
			continue
		}
		for _, m := range fuzzy.FindNoSort(query, part) {
			all = append(all, match{m.Str, m.Score + nearness(m.Str, low)})
		}
	}
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(strings.Count(a.name, "/"), strings.Count(b.name, "/")),
			cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	for _, m := range all[:min(len(all), maxFound)] {
		found = append(found, m.name)
	}
	return found, len(all) - len(found), true
}

// changes are the mentions that are no files, with what they are.
func changes() map[string]string {
	return map[string]string{"!diff": "what differs from the last commit", "!staged": "what is staged for the next commit"}
}

// nearness prefers names that begin with what was typed, then those that hold
// it, to those that merely have its letters.
func nearness(name, low string) int {
	name = strings.ToLower(name)
	base := path.Base(name)
	switch {
	case base == low || name == low:
		return 4000
	case strings.HasPrefix(base, low), strings.HasPrefix(name, low):
		return 3000
	case strings.Contains(base, low):
		return 2000
	case strings.Contains(name, low):
		return 1000
	}
	return 0
}

// unspeakable reports names that cannot be written behind an @.
func unspeakable(name string) bool {
	return name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f })
}

// ranged reports whether a mention is followed by lines already, so that its
// name is complete.
func ranged(query string) bool {
	return regexp.MustCompile(`:[0-9]+(-[0-9]*)?$`).MatchString(query)
}

// escaped writes a path so that it ends where a blank comes that has no
// backslash before it.
func escaped(name string) string {
	return strings.NewReplacer(`\`, `\\`, " ", `\ `).Replace(name)
}

func unescaped(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\ `, " ").Replace(s)
}
