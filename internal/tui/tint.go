package tui

import (
	"strings"

	"github.com/zuno-dev/zuno/internal/highlight"
	"github.com/zuno-dev/zuno/internal/patch"
)

// tint is the style of a word of source text on a line of a diff. On a changed
// line the colour says that it is one, and the kind of a word only shows in how
// heavy it is; the sign in front says it without any colour.
func (th *theme) tint(line byte, k highlight.Kind, marked bool) style {
	base := style{}
	switch line {
	case '+':
		if base = th.add; marked {
			return th.addWord
		}
	case '-':
		if base = th.del; marked {
			return th.delWord
		}
	default:
		return th.word(k)
	}
	switch k {
	case highlight.Keyword:
		return base.with(th.bold)
	case highlight.Comment:
		return base.with(th.muted)
	}
	return base
}

// word is the style of a word of source text that stands for itself.
func (th *theme) word(k highlight.Kind) style {
	switch k {
	case highlight.Keyword:
		return th.bold
	case highlight.Type, highlight.Function:
		return th.accent
	case highlight.String:
		return th.warn
	case highlight.Number:
		return th.code
	case highlight.Comment:
		return th.muted
	case highlight.Added:
		return th.add
	case highlight.Removed:
		return th.del
	}
	return style{}
}

// source is a line of code, with its words told apart where they are known and
// else in one style.
func (th *theme) source(text string, runs []highlight.Run) string {
	if len(runs) == 0 {
		return th.code.render(text)
	}
	var row strings.Builder
	at := 0
	for _, r := range runs {
		row.WriteString(th.word(r.Kind).render(text[at:r.End]))
		at = r.End
	}
	return row.String()
}

// with is s with what t says besides.
func (s style) with(t style) style {
	if s.on == "" {
		return t
	}
	return style{s.on + t.on, s.off}
}

// A stretch is the text up to a byte, in one style.
type stretch struct {
	end int
	st  style
}

// stretches lays the kinds of the words and the marks over a line of a diff.
func (d *diffDoc) stretches(th *theme, i int32, size int) []stretch {
	kind, kinds, marks := d.lines[i].kind, d.kinds[i], d.marked(i)
	var out []stretch
	for at := 0; at < size; {
		end, k, on := size, highlight.Plain, false
		for len(kinds) > 0 && kinds[0].End <= at {
			kinds = kinds[1:]
		}
		if len(kinds) > 0 {
			end, k = min(end, kinds[0].End), kinds[0].Kind
		}
		for len(marks) > 0 && marks[0].To <= at {
			marks = marks[1:]
		}
		end, on = upTo(marks, at, end)
		out = append(out, stretch{end, th.tint(kind, k, on)})
		at = end
	}
	return out
}

// upTo returns where the stretch that begins at a byte ends at the latest, and
// whether it is marked.
func upTo(marks []patch.Span, at, end int) (int, bool) {
	switch {
	case len(marks) == 0:
		return end, false
	case at < marks[0].From:
		return min(end, marks[0].From), false
	}
	return min(end, marks[0].To), true
}
