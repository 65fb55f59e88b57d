package patch

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Adopt returns text, which is to replace old as a whole, with what old has
// and a model that read old cannot see: the byte order mark, line endings other
// than LF, and what is not shown as it is, see [Seen]. Lines that stayed are kept
// byte for byte, and new ones end like their neighbours. A text with CR of its own
// is explicit about endings and keeps them; the final newline is always text's. It
// is an error if U+FFFD in text stands for bytes that cannot be told.
func Adopt(old []byte, text string) ([]byte, error) {
	was, bom := cutMark(string(old))
	text = strings.TrimPrefix(text, mark)
	explicit := !strings.Contains(was, "\r") || strings.Contains(text, "\r")
	p := adopter{old: split(was), new: split(text), explicit: explicit, raw: map[string]string{}, alike: map[string]bool{}}
	if p.survey(); explicit && !p.hidden {
		return []byte(bom + text), nil
	}
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
	hidden   bool              // some old line is not shown as it is
	unclean  bool              // some old line has bytes that are not UTF-8
	raw      map[string]string // old lines by how they look
	alike    map[string]bool   // looks that several different old lines have
}

func (p *adopter) survey() {
	for _, l := range p.old {
		if isPlain(l.text) {
			continue
		}
		k := Seen(l.text)
		p.unclean = p.unclean || !utf8.ValidString(l.text)
		p.hidden = p.hidden || k != l.text
		if was, ok := p.raw[k]; ok && was != l.text {
			p.alike[k] = true
		}
		p.raw[k] = l.text
	}
	if !p.hidden {
		return
	}
	for _, l := range p.old { // one that looks so because it is so
		if was, ok := p.raw[l.text]; ok && was != l.text {
			p.alike[l.text] = true
		}
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
	if err := p.mend(e); err != nil {
		return err
	}
	for k := range e.added {
		p.end(e.new+k, e.old+min(k, e.removed-1))
	}
	for _, gone := range p.old[e.old : e.old+e.removed] {
		if p.alike[Seen(gone.text)] {
			return fmt.Errorf("a line %q goes, and there is another that differs only in what is not shown as it is: change such lines with a command", clip(Seen(gone.text)))
		}
	}
	return nil
}

// mend gives the new lines what they keep of the old ones that they replace.
func (p *adopter) mend(e edit) error {
	if !p.hidden || e.added == 0 {
		return nil
	}
	have, next := make([]string, e.removed), make([]string, e.added)
	for k := range have {
		have[k] = p.old[e.old+k].text
	}
	for k := range next {
		next[k] = p.new[e.new+k].text
	}
	mended, ok := mend(shown(p.old[e.old:e.old+e.removed]), have, next, seen())
	for k, l := range next {
		if !ok || p.unclean && strings.Contains(mended[k], "\ufffd") {
			return fmt.Errorf("line %d, %q, has characters that stand for what is not shown as it is, such as bytes that are not UTF-8, and it cannot be told which: change such lines with a command", e.new+k+1, clip(l))
		}
		p.new[e.new+k].text = mended[k]
	}
	return nil
}

func shown(lines []line) []string {
	s := make([]string, len(lines))
	for i, l := range lines {
		s[i] = Seen(l.text)
	}
	return s
}
