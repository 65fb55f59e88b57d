package tui

import (
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// An entryView lays out one entry whole.
type entryView struct {
	th *theme
	md *markdown
	w  int
	// brief leaves of calls only their first rows.
	brief bool
}

// rows returns the rows of an entry with the text that it has now.
func (v entryView) rows(e *entry, text string) []string {
	prose := min(v.w, proseWidth)
	switch e.kind {
	case entryPrompt:
		return wrapText(strings.TrimRight(verbatim(text), "\n"), v.th.strong, prose, v.th.user.render(v.th.glyph.user)+" ", "  ")
	case entryCommand:
		return wrapText(strings.TrimRight(verbatim(text), "\n"), v.th.strong, prose, v.th.operator.render(v.th.glyph.operator)+" ", "  ")
	case entryThought:
		return wrapText(strings.TrimSpace(plain(text)), v.th.muted, prose, "  ", "  ")
	case entryAnswer:
		return v.answer(e, plain(text))
	case entryNote:
		return wrapText(strings.TrimSpace(plain(text)), style{}, prose, v.th.warn.render(v.th.glyph.note)+" ", "  ")
	}
	return v.call(e)
}

func (v entryView) answer(e *entry, text string) []string {
	if e.fence == "" {
		return v.md.render(text, v.w)
	}
	// It goes on within a fence, whose opening line the entry before shows.
	rows := v.md.render(e.fence+"\n"+text, v.w)
	return rows
}

// call shows a call: what it was, how it ended, what it changed, and all that
// it said.
func (v entryView) call(e *entry) []string {
	r := receipt{th: v.th, w: v.w, rec: e.rec, preview: e.preview}
	rows := wrap(r.head(), v.w, r.glyph()+" ", "  ")
	if v.brief {
		return rows
	}
	rows = append(rows, r.changes()...)
	if e.rec.Was != nil {
		rows = append(rows, v.th.muted.render(clip("  you changed it; the model had asked for", v.w)))
		rows = append(rows, v.output(string(e.rec.Was))...)
	}
	o := e.rec.Outcome
	if o.Kind == tools.Uncertain {
		rows = append(rows, r.reason(adviceBelow(r.rec.Outcome.Text), -1)...)
	}
	if d := e.rec.Decision; !d.Allowed && d.Reason != "" && d.Reason != o.Text {
		rows = append(rows, r.reason(d.Reason, -1)...)
	}
	shown := o.Show
	if len(shown) == 0 {
		shown = e.preview
	}
	rows = append(rows, v.sections(shown)...)
	said := slices.ContainsFunc(o.Show, func(s tools.Section) bool { return strings.TrimSpace(s.Body) == strings.TrimSpace(o.Text) })
	switch {
	case said:
	case o.Kind == tools.Blocked || o.Kind == tools.Error && !strings.Contains(o.Text, "\n"):
		rows = append(rows, r.reason(o.Text, -1)...)
	default:
		rows = append(rows, v.output(o.Text)...)
	}
	return rows
}

func (v entryView) sections(sections []tools.Section) []string {
	var rows []string
	for _, s := range sections {
		if s.Title != "" {
			rows = append(rows, v.th.muted.render("  "+clip(plainLine(s.Title), v.w-2)))
		}
		switch s.Kind {
		case tools.Diff:
			body, _ := diffView{v.th, v.w - 2}.rows(parseDiff(s.Body), -1)
			for _, l := range body {
				rows = append(rows, "  "+l)
			}
		case tools.Table:
			for _, l := range tabbed(s.Body).plainRows(v.th, v.w-4) {
				rows = append(rows, "  "+l)
			}
		default:
			rows = append(rows, v.output(s.Body)...)
		}
	}
	return rows
}

// output shows all of what was printed, broken only where the screen ends.
func (v entryView) output(text string) []string {
	lines, _ := outputLines(text, 1<<30)
	var rows []string
	bar := v.th.muted.render("  "+v.th.glyph.bar) + " "
	for _, l := range lines {
		for _, part := range hard(l, max(4, v.w-4)) {
			rows = append(rows, bar+part)
		}
	}
	return rows
}
