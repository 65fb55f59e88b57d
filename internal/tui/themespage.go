package tui

import "strings"

// ThemesPage returns the page about themes as Markdown.
func ThemesPage() string {
	var b strings.Builder
	b.WriteString("# Themes\n\nGenerated from the table of roles by `make docs`.\n\nBuilt in: ")
	for i, p := range Builtin() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("`" + p.Name + "`")
	}
	b.WriteString(`. ` + "`ansi`" + ` is the default: the terminal's own sixteen colours, whatever its background. ` + "`plain`" + ` has no colours,
` + "`colorblind`" + ` has blue and orange for what is added and removed.

A theme of your own is a file ` + "`themes/NAME.json`" + ` beside your ` + "`zuno.json`" + ` (` + "`~/.config/zuno/themes/NAME.json`" + `), chosen with
` + "`{\"ui\": {\"theme\": \"NAME\"}}`" + ` or ` + "`/theme NAME`" + `. It has two halves, either of which may be left out:

` + "```json" + `
{"dark": {"ok": "#9ece6a", "loud": "white bold on #a3122f"}, "light": {"ok": "22", "muted": "brightblack"}}
` + "```" + `

A look is words: at most one colour, ` + "`on`" + ` and a colour for what is behind it, and any of bold, faint, italic, underline, strike
and reverse. Colours are black, red, green, yellow, blue, magenta, cyan and white, these with ` + "`bright`" + ` in front, a number up to
255, or #rrggbb; they become what the terminal has. A role that a half does not name looks as in ` + "`ansi`" + `. A role or a colour that
there is not is an error. With both halves the terminal is asked for its background; ` + "`ui.background`" + ` overrules it.

| role | in ansi | what it is for |
|---|---|---|
`)
	for _, r := range new(theme).roles() {
		b.WriteString("| `" + r.name + "` | " + r.look + " | " + r.what + " |\n")
	}
	return b.String()
}
