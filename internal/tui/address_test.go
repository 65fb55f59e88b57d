package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAnAddressIsShownWholeAndItsHostStandsOut(t *testing.T) {
	th := newTheme([]string{"TERM=xterm-256color", "LANG=C.UTF-8"})
	for body, host := range map[string]string{
		"https://accounts.example:8443/a?next=https://evil.example/#" + strings.Repeat("x", 200): "accounts.example:8443",
		"https://accounts.example":    "accounts.example",
		"https://a.example?b=c":       "a.example",
		"https://a.example/\x1b[2J b": "a.example",
		"no address":                  "",
	} {
		rows := addressRows(th, body, 40)
		var all strings.Builder
		for _, r := range rows {
			if w := ansi.StringWidth(r); w > 40 {
				t.Errorf("a row of %d columns: %q", w, r)
			}
			all.WriteString(strings.TrimPrefix(ansi.Strip(r), "  "))
		}
		if got := all.String(); got != verbatimLine(body) || strings.Contains(got, "\x1b") {
			t.Errorf("shown %q", got)
		}
		if raw := strings.Join(rows, ""); host != "" && !strings.Contains(raw, th.strong.render(host)) {
			t.Errorf("the host does not stand out in %q", raw)
		}
	}
}
