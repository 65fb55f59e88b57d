package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A receipt is what stays of a settled call: who did what to what, how it
// ended, what changed and who allowed it.
type receipt struct {
	th  *theme
	w   int
	rec tools.Record
	// preview is what was proposed: the diff of a change that says no more.
	preview []tools.Section
	brief   bool // one row
}

// How much a receipt shows of what a call printed and changed.
const (
	receiptOutput = 5
	receiptText   = 4
	receiptDiff   = 10
)

// uncertainAdvice stands below every call of which nobody knows.
const uncertainAdvice = "It may have happened. Look at the real state before anything like it is run again; " + notAgain

// notAgain is what is left to say where the call itself says the rest.
const notAgain = "zuno does not run it again by itself."

// adviceBelow is the advice below an uncertain call whose outcome says text.
func adviceBelow(text string) string {
	if strings.Contains(text, "may have happened") {
		return notAgain
	}
	return uncertainAdvice
}

// rows renders the receipt.
func (r receipt) rows() []string {
	rows := wrap(r.head(), r.w, r.glyph()+" ", "  ")
	if r.brief {
		return rows
	}
	if len(r.rec.Outcome.Changes) > 1 {
		rows = append(rows, r.changes()...)
	}
	return append(rows, r.body()...)
}

func (r receipt) glyph() string {
	g, st := r.th.glyph.fail, r.th.fail
	switch r.rec.Outcome.Kind {
	case tools.OK:
		g, st = r.th.glyph.ok, r.th.ok
		if c := r.rec.Outcome.ExitCode; c != nil && *c != 0 {
			st = r.th.warn
		}
	case tools.Blocked:
		g, st = r.th.glyph.blocked, r.th.warn
	case tools.Cancelled:
		g, st = r.th.glyph.cancelled, r.th.muted
	case tools.Uncertain:
		g, st = r.th.glyph.uncertain, r.th.uncertain
	}
	return st.render(g)
}

// word returns the outcome as shown.
func (r receipt) word() string {
	switch r.rec.Outcome.Kind {
	case tools.OK:
		return "ok"
	case tools.Blocked:
		return "blocked"
	case tools.Cancelled:
		if r.rec.Outcome.Started {
			return "cancelled while running"
		}
		return "cancelled before it started"
	case tools.Uncertain:
		return "uncertain"
	}
	return "failed"
}

func (r receipt) head() []span {
	o := r.rec.Outcome
	spans := []span{{pad(plainLine(r.rec.Call.Tool), toolWidth) + " ", r.th.strong}}
	if s := plainLine(r.rec.Summary); s != "" {
		spans = append(spans, span{clipMiddle(s, max(20, 2*r.w)), style{}})
	} else if s := r.asked(); s != "" {
		spans = append(spans, span{clip(s, mostAsked), r.th.muted})
	}
	if len(o.Changes) == 1 {
		c := o.Changes[0]
		if !strings.Contains(r.rec.Summary, c.Path) {
			spans = append(spans, span{" " + plainLine(c.Path), style{}})
		}
		if counts := r.counts(c); len(counts) > 0 && !strings.Contains(r.rec.Summary, counts[0].text) {
			spans = append(spans, counts...)
		}
	}
	st := r.th.muted
	switch o.Kind {
	case tools.Uncertain:
		st = r.th.uncertain
	case tools.Error:
		st = r.th.fail
	case tools.Blocked:
		st = r.th.warn
	}
	spans = append(spans, span{"  ", style{}}, span{r.word(), st})
	for _, m := range r.meta() {
		spans = append(spans, span{r.th.glyph.dot + m, r.th.muted})
	}
	return spans
}

// mostAsked is how many columns of its arguments stand for a call that never got
// as far as to say what it is about.
const mostAsked = 56

// asked is what the model asked for, in its own words; "" for nothing.
func (r receipt) asked() string {
	if args := strings.TrimSpace(string(r.rec.Call.Args)); args != "{}" && args != "null" {
		return plainLine(args)
	}
	return ""
}

// meta is what is said behind the outcome.
func (r receipt) meta() []string {
	o, d := r.rec.Outcome, r.rec.Decision
	var m []string
	if o.Kind == tools.Blocked && o.Block != tools.NotBlocked {
		m = append(m, strings.ReplaceAll(o.Block.String(), "_", " "))
	}
	if o.ExitCode != nil {
		m = append(m, fmt.Sprintf("exit %d", *o.ExitCode))
	}
	if r.rec.Took >= time.Millisecond {
		m = append(m, duration(r.rec.Took))
	}
	if o.Truncated {
		m = append(m, "output cut")
	}
	if d.Verdict != tools.Unknown && d.By != tools.ByClassifier {
		m = append(m, "classified "+d.Verdict.String())
	}
	by := r.by()
	if r.rec.Was != nil && !strings.HasPrefix(by, changedByYou) {
		m = append(m, changedByYou)
	}
	if by != "" {
		m = append(m, by)
	}
	return m
}

// changedByYou is how the reason of what the person rewrote and then allowed begins.
const changedByYou = "changed by you"

// by says who decided.
func (r receipt) by() string {
	d := r.rec.Decision
	switch {
	case d.By == "":
		return ""
	case d.By == tools.ByOperator:
		return "typed by you"
	case d.By == tools.ByPerson && d.Allowed && strings.HasPrefix(d.Reason, "always"):
		return "you: " + plainLine(d.Reason)
	case d.By == tools.ByPerson && d.Allowed && strings.HasPrefix(d.Reason, changedByYou):
		return plainLine(d.Reason)
	case !d.Allowed && (d.By == tools.ByArguments || d.By == tools.ByAvailable || d.By == tools.ByStale):
		return "" // the kind of the block has said so
	case !d.Allowed:
		return "by " + string(d.By)
	case d.By == tools.ByPerson:
		return "you"
	case d.Reason != "":
		return plainLine(d.Reason)
	}
	return string(d.By)
}

func (r receipt) counts(c tools.Change) []span {
	var spans []span
	if c.Added > 0 {
		spans = append(spans, span{fmt.Sprintf(" +%d", c.Added), r.th.add})
	}
	if c.Removed > 0 {
		spans = append(spans, span{fmt.Sprintf(" %s%d", r.th.glyph.minus, c.Removed), r.th.del})
	}
	return spans
}

func (r receipt) changes() []string {
	var rows []string
	for _, c := range r.rec.Outcome.Changes {
		path := plainLine(c.Path)
		if c.From != "" {
			path = plainLine(c.From) + " " + r.th.glyph.arrow + " " + path
		}
		spans := append([]span{{plainLine(c.Kind) + " ", r.th.muted}, {path, style{}}}, r.counts(c)...)
		rows = append(rows, wrap(spans, r.w, "  ", "    ")...)
	}
	return rows
}

// body shows why nothing happened, what to do about it, or what there is to
// see.
func (r receipt) body() []string {
	o := r.rec.Outcome
	switch o.Kind {
	case tools.Blocked:
		if d := r.rec.Decision; d.By == tools.ByPerson && !d.Allowed {
			return r.reason(d.Reason, -1) // the person's own words
		}
		return r.reason(firstOf(o.Text, r.rec.Decision.Reason), -1)
	case tools.Error:
		if len(o.Show) == 0 {
			return r.reason(o.Text, 2*receiptText)
		}
	case tools.Uncertain:
		return append(r.reason(o.Text, receiptText), r.reason(adviceBelow(o.Text), -1)...)
	case tools.Cancelled:
		switch {
		case !o.Started:
			return nil
		case len(o.Show) > 0:
			return r.sections(o.Show)
		}
		return r.output(o.Text)
	}
	switch {
	case len(o.Show) > 0:
		return r.sections(o.Show)
	case len(o.Changes) > 0:
		return r.sections(r.preview)
	case o.ExitCode != nil:
		return r.output(o.Text)
	}
	return nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (r receipt) sections(sections []tools.Section) []string {
	var rows []string
	for i, s := range sections {
		switch s.Kind {
		case tools.Diff:
			rows = append(rows, r.diff(s.Body)...)
		case tools.Table:
			for _, l := range tabbed(s.Body).plainRows(r.th, r.w-4) {
				rows = append(rows, "  "+l)
			}
		case tools.Command:
		default:
			ended := r.rec.Outcome.Kind != tools.OK || r.rec.Outcome.ExitCode != nil
			if s.Title != "" && (!ended || i > 0) {
				// How a command ended the head says. This is of what goes on in the background,
				// of the command or of what it started.
				rows = append(rows, wrap([]span{{plainLine(s.Title), r.th.muted}}, r.w, "  ", "    ")...)
			}
			rows = append(rows, r.output(s.Body)...)
		}
	}
	return rows
}

// output shows the last lines of what was printed.
func (r receipt) output(text string) []string {
	lines, more := outputLines(text, receiptOutput)
	var rows []string
	bar := "  " + r.th.glyph.bar + " "
	if more > 0 {
		rows = append(rows, r.th.muted.render(bar+fmt.Sprintf("%s +%s above", r.th.glyph.more, count(more, "line"))))
	}
	for _, l := range lines {
		rows = append(rows, r.th.muted.render(bar+clip(l, max(4, r.w-4))))
	}
	return rows
}

// reason shows a text in full, or its first rows when there is a limit.
func (r receipt) reason(text string, limit int) []string {
	text = strings.TrimSpace(plain(text))
	if text == "" {
		return nil
	}
	rows := wrapText(text, style{}, min(r.w, proseWidth), "  ", "  ")
	if limit >= 0 && len(rows) > limit {
		rows = append(rows[:limit], r.th.muted.render(fmt.Sprintf("  %s +%s", r.th.glyph.more, count(len(rows)-limit, "line"))))
	}
	return rows
}

func (r receipt) diff(body string) []string {
	lines := parseDiff(body)
	if len(lines) > 0 && lines[0].kind == 'f' && len(r.rec.Outcome.Changes) <= 1 {
		lines = lines[1:] // the receipt names the file
	}
	if len(lines) > 0 && lines[0].kind == '@' {
		lines = lines[1:] // and the lines have numbers
	}
	rows, more := diffView{r.th, r.w - 2}.rows(lines, receiptDiff)
	for i := range rows {
		rows[i] = "  " + rows[i]
	}
	if more > 0 {
		rows = append(rows, r.th.muted.render(fmt.Sprintf("  %s +%s", r.th.glyph.more, count(more, "line"))))
	}
	return rows
}
