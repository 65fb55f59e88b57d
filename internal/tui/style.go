package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A style is what is written before and after text of a kind. The zero style
// is plain text.
type style struct{ on, off string }

func (s style) render(text string) string {
	if text == "" || s.on == "" {
		return text
	}
	return s.on + text + s.off
}

// A theme holds the styles by meaning. Only the terminal's own sixteen colours
// are used, so that it follows a light or a dark background by itself; nothing
// is told by colour alone.
type theme struct {
	muted, strong, accent, user, operator style
	ok, fail, warn, uncertain             style
	heading, bold, italic, strike, code   style
	link, quote                           style
	add, del, addWord, delWord            style
	loud                                  style // yolo
	glyph                                 glyphs
	dumb                                  bool // the terminal cannot move its cursor
}

// glyphs are the marks beside words; each of them takes one column.
type glyphs struct {
	ok, fail, blocked, cancelled, uncertain, note       string
	user, steer, operator, bar, bullet, rule, more, dot string
	up, down, shiftTab, enter, minus, arrow, sub        string
	spin                                                [4]string
}

func unicodeGlyphs() glyphs {
	return glyphs{
		ok: "✓", fail: "✗", blocked: "⊘", cancelled: "■", uncertain: "?", note: "▪",
		user: "›", steer: "»", operator: "!", bar: "│", bullet: "•", rule: "─", more: "…", dot: " · ",
		up: "↑", down: "↓", shiftTab: "⇧⇥", enter: "⏎", minus: "−", arrow: "→", sub: "▸",
		spin: [4]string{"·", "•", "●", "•"},
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		ok: "+", fail: "x", blocked: "#", cancelled: "-", uncertain: "?", note: "*",
		user: ">", steer: ">>", operator: "!", bar: "|", bullet: "*", rule: "-", more: "...", dot: " - ",
		up: "Up", down: "Down", shiftTab: "shift+tab", enter: "Enter", minus: "-", arrow: "->", sub: ">",
		spin: [4]string{".", "o", "O", "o"},
	}
}

// newTheme returns the theme for an environment: NO_COLOR (no-color.org) takes
// the colours away and leaves bold and underline, TERM=dumb takes everything.
func newTheme(env []string) *theme {
	term, hasTerm := lookup(env, "TERM")
	t := &theme{glyph: unicodeGlyphs(), dumb: hasTerm && (term == "dumb" || term == "")}
	if t.dumb || legacyCharset(env) {
		t.glyph = asciiGlyphs()
	}
	if t.dumb {
		return t
	}
	none, _ := lookup(env, "NO_COLOR")
	no := ansi.NewStyle()
	fg := func(c ansi.BasicColor) ansi.Style {
		if none != "" {
			return no
		}
		return no.ForegroundColor(c)
	}
	for _, s := range []struct {
		to *style
		st ansi.Style
	}{
		{&t.muted, no.Faint()},
		{&t.strong, no.Bold()},
		{&t.accent, fg(ansi.Cyan)},
		{&t.user, fg(ansi.Cyan).Bold()},
		{&t.operator, fg(ansi.Yellow).Bold()},
		{&t.ok, fg(ansi.Green)},
		{&t.fail, fg(ansi.Red)},
		{&t.warn, fg(ansi.Yellow)},
		{&t.uncertain, fg(ansi.Magenta).Bold()},
		{&t.heading, no.Bold().Underline(true)},
		{&t.bold, no.Bold()},
		{&t.italic, no.Italic(true)},
		{&t.strike, no.Strikethrough(true)},
		{&t.code, fg(ansi.Cyan)},
		{&t.link, no.Underline(true)},
		{&t.quote, no.Faint()},
		{&t.add, fg(ansi.Green)},
		{&t.del, fg(ansi.Red)},
		{&t.addWord, fg(ansi.Green).Bold().Underline(true)},
		{&t.delWord, fg(ansi.Red).Bold().Underline(true)},
		{&t.loud, fg(ansi.Red).Bold().Reverse(true)},
	} {
		if len(s.st) > 0 {
			*s.to = style{s.st.String(), ansi.ResetStyle}
		}
	}
	return t
}

// lookup returns the last value of an environment variable, as exec does.
func lookup(env []string, name string) (string, bool) {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v, true
		}
	}
	return "", false
}

// legacyCharset reports whether the locale names a character set that is not
// UTF-8. C and POSIX are what a bare container has; its terminal is modern.
func legacyCharset(env []string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v, _ := lookup(env, name)
		if v == "" {
			continue
		}
		v = strings.ToLower(v)
		return v != "c" && v != "posix" && strings.Contains(v, ".") &&
			!strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
	}
	return false
}
