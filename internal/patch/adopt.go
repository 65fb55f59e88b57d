package patch

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Adopt returns text, which is to replace old as a whole, with what old has
// and a model that read old cannot see: the byte order mark, line endings other
// than LF, and bytes that are not UTF-8, which it sees as U+FFFD. Lines that
// stayed are kept byte for byte, and new ones end like their neighbours. A text
// with CR of its own is explicit about endings and keeps them; the final
// newline is always text's. It is an error if U+FFFD in text stands for bytes
// that cannot be told.
func Adopt(old []byte, text string) ([]byte, error) {
	was, bom := cutMark(string(old))
	text = strings.TrimPrefix(text, mark)
	explicit := !strings.Contains(was, "\r") || strings.Contains(text, "\r")
	if explicit && utf8.ValidString(was) {
		return []byte(bom + text), nil
	}
	p := adopter{old: split(was), new: split(text), explicit: explicit, raw: map[string]string{}, alike: map[string]bool{}}
	p.survey()
	i, j := 0, 0
	for _, e := range append(edits(shown(p.old), shown(p.new)), edit{old: len(p.old), new: len(p.new)}) {
		for ; j < e.new; i, j = i+1, j+1 {
			p.new[j].text = p.old[i].text
			p.end(j, i)
		}
		if err := p.replace(e); err != nil {
			return nil, err
		}
		i, j = e.old+e.removed, e.new+e.added
	}
	return []byte(bom + join(p.new)), nil
}

type adopter struct {
	old, new []line
	explicit bool
	unclean  bool              // some old line has bytes that are not UTF-8
	raw      map[string]string // old lines that show U+FFFD, by how they look
	alike    map[string]bool   // looks that several different old lines have
}

func (p *adopter) survey() {
	for _, l := range p.old {
		p.unclean = p.unclean || !utf8.ValidString(l.text)
		k := look(l.text)
		if !strings.Contains(k, "\ufffd") {
			continue
		}
		if was, ok := p.raw[k]; ok && was != l.text {
			p.alike[k] = true
		}
		p.raw[k] = l.text
	}
}

// end gives line j of the new text the ending of line i of the old one, or of
// a line near it. A last line without an ending stays without.
func (p *adopter) end(j, i int) {
	if !p.explicit && p.new[j].end != "" {
		p.new[j].end = style(p.old, i)
	}
}

func (p *adopter) replace(e edit) error {
	for k := range e.added {
		l := &p.new[e.new+k]
		if strings.Contains(l.text, "\ufffd") && p.unclean {
			return fmt.Errorf("line %d, %q, has the character that stands for bytes which are not UTF-8, and is not a line of the file as it was: change such lines with a command", e.new+k+1, clip(l.text))
		}
		p.end(e.new+k, e.old+min(k, e.removed-1))
	}
	for _, gone := range p.old[e.old : e.old+e.removed] {
		if p.alike[look(gone.text)] {
			return fmt.Errorf("a line %q goes, and there is another that differs only in bytes which are not UTF-8: change such lines with a command", clip(gone.text))
		}
	}
	return nil
}

// look returns s as a model sees it.
func look(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func shown(lines []line) []string {
	s := make([]string, len(lines))
	for i, l := range lines {
		s[i] = look(l.text)
	}
	return s
}
