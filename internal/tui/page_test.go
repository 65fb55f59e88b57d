package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
)

// What commands print stands apart, each under what was typed for it, and what
// does not fit a row stays in its column.
func TestWhatCommandsPrintStandsUnderTheirNames(t *testing.T) {
	r := newRig(t, 40, 24).boot(approval.LowRisk)
	r.ready.Pages = func(name, _ string) ([]string, error) {
		if name == "config" {
			return []string{"one", "two"}, nil
		}
		return []string{"ok   record     a text that does not fit into the row", "a sentence which is longer than the row, plainly"}, nil
	}
	for _, c := range []string{"/config", "/doctor"} {
		r.composer.buf.set(c)
		r.submit(r.clock)
		r.answer()
	}
	want := strings.Join([]string{
		"", "/config", "one", "two", "", "/doctor",
		"ok   record     a text that does not", "                fit into the row", "a sentence which is longer than the", "  row, plainly",
	}, "\n")
	if got := r.printedText(); !strings.HasSuffix(got, want) {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

// A folder that is named already is not offered again: Tab goes into it.
func TestTabGoesIntoAFolder(t *testing.T) {
	r := withFiles(t, 80, "my docs/", "my docs/a b.txt", "my docs/sub/", "my docs/sub/c")
	r.typed("@my")
	r.keys("tab")
	if got := r.composer.buf.text(); got != `@my\ docs/` {
		t.Fatalf("completed to %q", got)
	}
	r.keys("tab")
	if got := r.composer.buf.text(); got == `@my\ docs/` {
		t.Errorf("Tab stays at %q", got)
	}
}

// A terminal whose lines are sent with Enter is told so.
func TestACardOfATerminalWithoutACursorSaysHowToAnswer(t *testing.T) {
	r := newRig(t, 80, 24, "TERM=dumb").boot(approval.LowRisk)
	r.ask(shellRequest("ls"))
	r.pass(time.Second)
	if got := r.printedText(); !strings.Contains(got, "type a number or a letter, then Enter") || strings.Contains(got, "keys typed before") {
		t.Errorf("printed\n%s", got)
	}
}
