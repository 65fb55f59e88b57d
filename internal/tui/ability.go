package tui

import "strings"

// Ability says in words what the screen uses of a terminal, as far as its
// environment, as of os.Environ, tells.
func Ability(env []string) string {
	th := newTheme(env)
	term, _ := lookup(env, "TERM")
	words := []string{"TERM=" + firstOf(term, "(not set)")}
	switch {
	case th.dumb:
		words = append(words, "no cursor: the screen is lines only")
	case th.accent.on == "":
		words = append(words, "no colours, as NO_COLOR says")
	default:
		words = append(words, "16 colours")
	}
	if th.glyph.rule == asciiGlyphs().rule {
		return strings.Join(append(words, "ASCII only"), ", ")
	}
	return strings.Join(append(words, "Unicode"), ", ")
}
