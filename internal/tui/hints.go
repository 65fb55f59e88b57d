package tui

import "strings"

// spelt is how a key is named in a hint: as in the table of keys, but that the
// theme has marks for some.
func (th *theme) spelt(key string) string {
	switch key {
	case "up":
		return th.glyph.up
	case "down":
		return th.glyph.down
	case "shift+tab":
		return th.glyph.shiftTab
	}
	return keyNames([]string{key})
}

// hint names the first key of a command in a place, "" when it has none.
func (m keymap) hint(th *theme, do command, where place) string {
	for _, b := range m.table {
		if b.do == do && b.where == where && len(b.keys) > 0 {
			return th.spelt(b.keys[0])
		}
	}
	return ""
}

// esc names the key that goes back; there always is one.
func (m keymap) esc(th *theme) string { return m.hint(th, cmdEsc, anywhere) }

// escEsc is that key twice, which stops the turn.
func (m keymap) escEsc(th *theme) string { return m.esc(th) + " " + m.esc(th) }

// keyed says what a key does, "" when there is no key.
func keyed(key, does string) string {
	if key == "" {
		return ""
	}
	return key + " " + does
}

// hints joins what keys do, the most important first, up to the first that does
// not fit into w columns. Empty ones are left out.
func (th *theme) hints(w int, parts ...string) string {
	s := ""
	for _, p := range parts {
		if p == "" {
			continue
		}
		if s != "" {
			p = th.glyph.dot + p
		}
		if width(s)+width(p) > w {
			break
		}
		s += p
	}
	return s
}

// longest returns the first of forms that fits into w columns, and the last one
// where none does.
func longest(w int, forms ...string) string {
	for _, f := range forms {
		if width(f) <= w {
			return f
		}
	}
	return forms[len(forms)-1]
}

// clipWords cuts a plain line to w columns, between two words where there are
// two.
func clipWords(s string, w int) string {
	if width(s) <= w {
		return s
	}
	cut := strings.TrimSuffix(clip(s, w), "…")
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		return cut[:i] + "…"
	}
	return cut + "…"
}
