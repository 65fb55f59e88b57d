package patch

import (
	"fmt"
	"strings"
)

// indented returns lines with the added ones indented as the file is, given
// that the others matched at line index at but for their indentation.
func (m *matcher) indented(lines []Line, at int) ([]Line, error) {
	r := reindent{known: map[string]string{}}
	k := at
	for _, l := range lines {
		if l.Op == '+' {
			continue
		}
		if strings.TrimSpace(l.Text) != "" && !r.learn(indentOf(l.Text), indentOf(m.lines[k].text)) {
			return nil, fmt.Errorf("it fits at line %d but for its indentation, which does not follow that of the file", k+1)
		}
		k++
	}
	out := make([]Line, len(lines))
	for i, l := range lines {
		out[i] = l
		if l.Op != '+' || strings.TrimSpace(l.Text) == "" {
			continue
		}
		in := indentOf(l.Text)
		have, ok := r.of(in)
		if !ok {
			return nil, fmt.Errorf("it fits at line %d but for its indentation, and the file does not show how to indent %q: indent the patch as the file is", at+1, clip(l.Text))
		}
		out[i].Text = have + l.Text[len(in):]
	}
	return out, nil
}

// reindent is how indentation in a patch maps to indentation in a file: by
// example, and by a shift where all examples share one.
type reindent struct {
	known    map[string]string
	add, cut string
	mixed    bool // the examples do not share a shift
}

// learn notes that in stands for have, and reports whether that agrees with
// what was known.
func (r *reindent) learn(in, have string) bool {
	if is, ok := r.known[in]; ok {
		return is == have
	}
	add, isLonger := strings.CutSuffix(have, in)
	cut, isShorter := strings.CutSuffix(in, have)
	switch {
	case isLonger:
		cut = ""
	case isShorter:
		add = ""
	default:
		r.mixed = true
	}
	if len(r.known) > 0 && (add != r.add || cut != r.cut) {
		r.mixed = true
	}
	r.add, r.cut = add, cut
	r.known[in] = have
	return true
}

func (r *reindent) of(in string) (string, bool) {
	if have, ok := r.known[in]; ok {
		return have, true
	}
	rest, ok := strings.CutPrefix(in, r.cut)
	return r.add + rest, ok && !r.mixed
}

func indentOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }
