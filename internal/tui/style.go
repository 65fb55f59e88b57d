package tui

import (
	"runtime"
	"strings"

	"github.com/charmbracelet/colorprofile"
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

// A theme holds the styles by meaning; see [theme.roles]. Nothing is told by
// colour alone.
type theme struct {
	muted, strong, accent, user, operator style
	ok, fail, warn, uncertain             style
	heading, bold, italic, strike, code   style
	link, quote                           style
	add, del, addWord, delWord            style
	loud                                  style // yolo
	found                                 style // what was searched for
	glyph                                 glyphs
	dumb                                  bool // the terminal cannot move its cursor
	reader                                bool // the screen is read aloud
}

// glyphs are the marks beside words; each of them takes one column.
type glyphs struct {
	ok, fail, blocked, cancelled, uncertain, note       string
	user, steer, operator, bar, bullet, rule, more, dot string
	up, down, shiftTab, minus, arrow, sub               string
	spin                                                [4]string
}

func unicodeGlyphs() glyphs {
	return glyphs{
		ok: "✓", fail: "✗", blocked: "⊘", cancelled: "■", uncertain: "?", note: "▪",
		user: "›", steer: "»", operator: "!", bar: "│", bullet: "•", rule: "─", more: "…", dot: " · ",
		up: "↑", down: "↓", shiftTab: "⇧⇥", minus: "−", arrow: "→", sub: "▸",
		spin: [4]string{"·", "•", "●", "•"},
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		ok: "+", fail: "x", blocked: "#", cancelled: "-", uncertain: "?", note: "*",
		user: ">", steer: ">>", operator: "!", bar: "|", bullet: "*", rule: "-", more: "...", dot: " - ",
		up: "Up", down: "Down", shiftTab: "Shift+Tab", minus: "-", arrow: "->", sub: ">",
		spin: [4]string{".", "o", "O", "o"},
	}
}

// wordGlyphs are for ears. What takes a column elsewhere is a word here.
func wordGlyphs() glyphs {
	return glyphs{
		ok: "done:", fail: "failed:", blocked: "blocked:", cancelled: "cancelled:", uncertain: "uncertain:", note: "notice:",
		user: "you:", steer: "you, meanwhile:", operator: "you ran:", bar: "", bullet: "*", rule: "-", more: "...", dot: ", ",
		up: "Up", down: "Down", shiftTab: "Shift+Tab", minus: "minus ", arrow: "to", sub: "by an agent:",
		spin: [4]string{"", "", "", ""},
	}
}

// A look is what decides how a theme comes out.
type look struct {
	env     []string
	palette Palette
	light   bool
	reader  bool
}

// newTheme returns the default theme for an environment.
func newTheme(env []string) *theme { return look{env: env}.theme() }

// theme returns the theme: NO_COLOR (no-color.org) and CLICOLOR=0 take the
// colours away and leave bold and underline, TERM=dumb takes everything, as does
// no TERM where terminals have one, and a screen reader gets words for marks.
func (l look) theme() *theme {
	term, hasTerm := lookup(l.env, "TERM")
	t := &theme{glyph: unicodeGlyphs(), dumb: term == "dumb" || term == "" && (hasTerm || runtime.GOOS != "windows")}
	if t.dumb || legacyCharset(l.env) {
		t.glyph = asciiGlyphs()
	}
	if l.reader {
		t.glyph, t.dumb, t.reader = wordGlyphs(), true, true
	}
	if t.dumb {
		return t
	}
	none, _ := lookup(l.env, "NO_COLOR")
	off, _ := lookup(l.env, "CLICOLOR")
	colours := none == "" && off != "0" && l.palette.Name != "plain"
	have := colorprofile.Env(l.env)
	for _, r := range t.roles() {
		st, err := parseLook(firstOf(l.palette.look(r.name, l.light), r.look), have, colours)
		if err == nil { // a theme is checked when it is read
			*r.to = st
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
