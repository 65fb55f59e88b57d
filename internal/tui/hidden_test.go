package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// What a terminal shows as nothing, or as a blank, is visible on a card; what
// languages and emoji are made of is not touched.
func TestNothingHidesInWhatRuns(t *testing.T) {
	for in, want := range map[string]string{
		"git\u00a0status":            `git\u{a0}status`,
		"rm a\u3000b":                `rm a\u{3000}b`,
		"rm so\u00adft":              `rm so\u{ad}ft`,
		"rm a\u200db":                `rm a\u{200d}b`,
		"rm \u3164 x":                `rm \u{3164} x`,
		"rm \u2800":                  `rm \u{2800}`,
		"echo a\ufe0f\U000e0101":     `echo a\u{fe0f}\u{e0101}`,
		"a+\u200d+b\ufe0f":           `a+\u{200d}+b\u{fe0f}`,
		"cat α\u200dβ 日\u200d本":      `cat α\u{200d}β 日\u{200d}本`,
		"echo 😀\U000e0101\U000e0102": "echo 😀\U000e0101" + `\u{e0102}`,
		"x\u034f\u2062y":             `x\u{34f}\u{2062}y`,
		"git commit -m '👨‍👩‍👧 ⚙️ 1️⃣ 🇪🇺'":    "git commit -m '👨‍👩‍👧 ⚙️ 1️⃣ 🇪🇺'",
		"echo می\u200cخواهم क्\u200dष é 日本語": "echo می\u200cخواهم क्\u200dष é 日本語",
		"plain --flag=\"a b\"": "plain --flag=\"a b\"",
	} {
		if got := revealed(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := shellRequest("git\u00a0status so\u00adft")
	a.Key = "git\u00a0status"
	r.ask(a)
	r.pass(time.Second)
	if got := r.frameText(); strings.Count(got, `git\u{a0}status`) != 2 || !strings.Contains(got, `so\u{ad}ft`) {
		t.Errorf("the card shows\n%s", got)
	}
	e := editRequest()
	e.Proposal.Preview = []tools.Section{{Kind: tools.Diff, Body: strings.Replace(sampleDiff, "never silent", "never\u2062 si\u00adlent\u00a0!", 1)}}
	r = newRig(t, 80, 40).boot(approval.LowRisk)
	r.ask(e)
	r.pass(time.Second)
	r.shows(`never\u{2062} si\u{ad}lent` + "\u00a0!")
}
