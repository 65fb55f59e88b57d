package tui

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// pictureOf returns the path when a paste is nothing but that of a picture, as
// terminals write a file that is dropped on them: quoted, with backslashes, or
// as an address.
func pictureOf(pasted string) (path string, is bool) {
	s := strings.TrimSpace(pasted)
	if strings.ContainsAny(s, "\n\t") || len(s) > 4096 {
		return "", false
	}
	switch n := len(s); {
	case n > 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0]:
		s = s[1 : n-1]
	case strings.HasPrefix(s, "file://"):
		u, err := url.Parse(s)
		if err != nil {
			return "", false
		}
		s = u.Path
	case strings.Contains(s, " ") && !strings.Contains(s, `\ `):
		return "", false // words
	default:
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '\\' && i+1 < len(s) {
				i++
			}
			b.WriteByte(s[i])
		}
		s = b.String()
	}
	at := strings.LastIndexByte(s, '.')
	if at < 0 || !strings.Contains(s, "/") || !slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, strings.ToLower(s[at:])) {
		return "", false
	}
	return s, true
}

// drop takes the path of a picture: as an attachment when it can be one, as text
// otherwise.
func (s *screen) drop(path, pasted string) bool {
	if s.ready == nil || s.ready.Picture == nil {
		return false
	}
	look := s.ready.Picture
	s.host.fetch(func() tea.Msg {
		mention, label, err := look(path)
		return fetchedMsg{func(s *screen) {
			if err != nil {
				s.composer.paste(pasted)
				s.hint = plainLine(err.Error())
				return
			}
			s.composer.pictures++
			s.composer.buf.insertToken("@"+escaped(mention)+" ", fmt.Sprintf("[image #%d · %s]", s.composer.pictures, plainLine(label)))
		}}
	})
	return true
}
