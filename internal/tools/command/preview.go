package command

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// mostSaid is how many bytes of the model's description are shown.
const mostSaid = 160

// preview shows the command and what is known about it.
func (r run) preview(description string) []tools.Section {
	rows := [][2]string{{"runs in", r.dir.shown}, r.limits()}
	row := func(name, value string) { rows = append(rows, [2]string{name, value}) }
	if description != "" {
		// What the model says of its command is a claim, and is shown as one: it
		// stands behind the command and cannot look like a part of the card.
		row("said to", strconv.Quote(tools.Clip(tools.CleanLine(visible(description)), mostSaid)))
	}
	if r.bounds != "" {
		row("sandbox", r.bounds)
	}
	if r.seen.Denied != nil {
		row("denied", r.seen.Denied.Error())
	}
	for _, why := range r.manual() {
		row("asks", why)
	}
	for _, path := range r.seen.Outside {
		row("outside", path)
	}
	if r.seen.Network {
		may := "may talk to another machine"
		if r.confine != nil && r.confine.Mode != shell.Off && !r.confine.Network {
			may += ", which the sandbox keeps it from"
		}
		row("network", may)
	}
	switch {
	case !r.seen.Parsed:
		row("not known", "it cannot be read as a script: "+r.seen.ParseError)
	case r.seen.Dynamic:
		row("not known", r.seen.DynamicWhy)
	}
	if why := r.risky(); why != "" {
		row("high-risk", why)
	}
	var table strings.Builder
	for _, cells := range rows {
		fmt.Fprintf(&table, "%s\t%s\n", cells[0], tools.CleanLine(cells[1]))
	}
	return []tools.Section{
		{Kind: tools.Command, Body: visible(r.line)},
		{Kind: tools.Table, Body: strings.TrimSuffix(table.String(), "\n")},
	}
}

// risky says what holds the command for high-risk whatever a model says of it,
// where nothing else on the card does.
func (r run) risky() string {
	tier, why := r.seen.Tier()
	if tier != shell.StaticHigh || r.seen.Denied != nil || !r.seen.Parsed || r.seen.Dynamic || r.seen.Network || len(r.seen.Manual) > 0 {
		return ""
	}
	return why
}

// limits says how long the command is waited for, and how long it may run.
func (r run) limits() [2]string {
	if r.back {
		return [2]string{"background", "runs on as a job, for " + minutes(r.config.ceiling()) + " at most"}
	}
	limit := r.timeout.String()
	if r.clamped {
		limit += " (more was asked for; this is the most)"
	}
	if r.jobs {
		return [2]string{"waits", limit + ", then it runs on as a job, for " + minutes(r.config.ceiling()) + " in all"}
	}
	return [2]string{"time limit", limit}
}

// maxSummary is how many bytes of a line are its summary.
const maxSummary = 200

// summary is the beginning of the line as one line. What is shown of a
// character is no shorter than the character.
func summary(line string) string {
	return tools.Clip(tools.CleanLine(visible(tools.Clip(line, 2*maxSummary))), maxSummary)
}

// visible is the line with every character escaped that a person could not see
// or would take for another: what is shown must be what runs.
func visible(line string) string {
	if !strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII || r == '\r' }) {
		return tools.Clean(line)
	}
	var b strings.Builder
	for _, part := range strings.SplitAfter(line, "\r") { // Clean would drop one before a newline
		text, cr := strings.CutSuffix(part, "\r")
		for _, r := range text {
			if r > unicode.MaxASCII && (unicode.In(r, unicode.Z, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || isBlank(r)) {
				fmt.Fprintf(&b, `\u{%x}`, r)
			} else {
				b.WriteRune(r)
			}
		}
		if cr {
			b.WriteString(`\x0d`)
		}
	}
	return tools.Clean(b.String())
}

// isBlank reports letters that have no shape: Hangul fillers and the blank
// Braille pattern.
func isBlank(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800:
		return true
	}
	return false
}
