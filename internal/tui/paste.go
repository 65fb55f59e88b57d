package tui

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A paste of more than so many lines or characters is shown as a token.
const (
	tokenLines = 5
	tokenChars = 800
)

// normalise makes pasted text ours: CR and CR LF become LF, and control bytes
// other than tabs are dropped, which no one meant to paste.
func normalise(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return r
	}, s)
}

// pasteToken returns how a paste is shown, "" for as it is.
func pasteToken(n int, s string) string {
	lines := strings.Count(strings.TrimRight(s, "\n"), "\n") + 1
	switch {
	case lines > tokenLines:
		return fmt.Sprintf("[paste #%d · %d lines]", n, lines)
	case utf8.RuneCountInString(s) > tokenChars:
		return fmt.Sprintf("[paste #%d · %d characters]", n, utf8.RuneCountInString(s))
	}
	return ""
}

// Keys that follow each other faster than a person types come from a paste that
// the terminal did not mark, or from a program. An Enter among them is held
// until it is known whether more follows.
const (
	burstGap = 8 * time.Millisecond
	burstEnd = 40 * time.Millisecond
)

// A burst watches the times of keys.
type burst struct {
	last  time.Time
	fast  int       // keys that came in this burst, without the first
	text  bool      // characters came in it before this key
	typed bool      // or with it
	lines int       // Enters that became newlines in it
	held  time.Time // when an Enter was held; zero when none is
}

// key notes a key at now, which may be a character, and reports whether it
// belongs to a burst.
func (b *burst) key(char bool, now time.Time) bool {
	gap := now.Sub(b.last)
	b.last = now
	if gap >= burstGap && (b.held.IsZero() || gap >= burstEnd) {
		b.fast, b.lines = 0, 0
		b.text, b.typed = false, char
		return false
	}
	b.fast++
	b.text = b.typed
	b.typed = b.typed || char
	return true
}

// pasted notes text that came marked as pasted, and reports whether an Enter was
// held: that was a newline then.
func (b *burst) pasted(now time.Time) bool {
	b.last, b.typed = now, true
	return b.more()
}

// hold keeps an Enter back.
func (b *burst) hold(now time.Time) { b.held = now }

// due returns when a held Enter is to be let go, zero when none is.
func (b *burst) due() time.Time {
	if b.held.IsZero() {
		return time.Time{}
	}
	return b.held.Add(burstEnd)
}

// more says that a key followed a held Enter: it was a newline.
func (b *burst) more() bool {
	if b.held.IsZero() {
		return false
	}
	b.held = time.Time{}
	b.lines++
	return true
}

// release lets a held Enter go and reports whether it submits: it does when the
// burst was one line, as a program types it, and not when it was a paste.
func (b *burst) release() (submits bool) {
	b.held = time.Time{}
	submits = b.lines == 0
	b.fast, b.lines = 0, 0
	return submits
}
