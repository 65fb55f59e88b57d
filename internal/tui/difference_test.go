package tui

import (
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
)

// What is shown of a diff is safe and bounded, and what is not shown is said.
func TestADifferenceIsShownWithWhatItLeavesOut(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ready.Difference = func() (Difference, error) {
		text := "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1,700 @@\n-old\n" + strings.Repeat("+new \x1b]0;title\x07\n", 700)
		return Difference{Told: "compared: 1 file", Text: text, Notes: []string{"not tracked by git: b\x1b[2J.go"}}, nil
	}
	r.typed("/diff")
	r.keys("enter")
	all := r.printedText()
	for _, want := range []string{"compared: 1 file", "a.go", "old", `new \x1b]0;title`, "more of the diff; git diff HEAD shows all", "not tracked by git: b"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, all)
		}
	}
	if n := len(r.lines); n > mostDifference+50 || strings.Contains(all, "\x1b]0;") || strings.Contains(all, "\x1b[2J") {
		t.Errorf("%d lines are printed", n)
	}
	r.ready.Difference = func() (Difference, error) { return Difference{}, errors.New("no repository here") }
	r.typed("/diff")
	r.keys("enter")
	r.shows("no repository here")
}

// A command that takes nothing leaves nothing behind that could be sent with
// what is typed next, whatever came of it; what can be mended stays.
func TestADraftStaysOnlyWhereItCanBeMended(t *testing.T) {
	for text, stays := range map[string]bool{
		"/queue": false, "/jobs": false, "/rewind": false, "/hooks": false, "/diff": false, "/expand": false,
		"/nosuch": true, "/policy": true, "/policy nosuch": true, "/jobs x": true,
	} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.typed(text)
		r.keys("enter")
		want := ""
		if stays {
			want = text
		}
		if got := r.composer.buf.text(); got != want {
			t.Errorf("%s: %q stays, want %q", text, got, want)
		}
	}
}
