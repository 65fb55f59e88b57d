package tui

import (
	"testing"
	"time"
)

func TestTwoPressesStopOrLeave(t *testing.T) {
	type step struct {
		after time.Duration
		k     press
		want  action
	}
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		busy, draft bool
		steps       []step
	}{
		"one escape arms":                      {true, false, []step{{0, pressEsc, actArm}}},
		"two escapes within a second stop":     {true, false, []step{{0, pressEsc, actArm}, {900 * ms, pressEsc, actStop}}},
		"two escapes further apart arm twice":  {true, false, []step{{0, pressEsc, actArm}, {1100 * ms, pressEsc, actArm}, {500 * ms, pressEsc, actStop}}},
		"two escapes in one read stop":         {true, false, []step{{0, pressEscEsc, actStop}}},
		"escape and then two in one read stop": {true, false, []step{{0, pressEsc, actArm}, {100 * ms, pressEscEsc, actStop}}},
		"two ctrl+c stop":                      {true, true, []step{{0, pressCtrlC, actArm}, {100 * ms, pressCtrlC, actStop}}},
		"escape and ctrl+c stop":               {true, false, []step{{0, pressEsc, actArm}, {100 * ms, pressCtrlC, actStop}}},
		"a second stop during the cleanup":     {true, false, []step{{0, pressEscEsc, actStop}, {10 * ms, pressEscEsc, actStop}}},
		"ctrl+d does not stop a turn":          {true, false, []step{{0, pressCtrlD, actNone}, {10 * ms, pressCtrlD, actNone}}},
		"one escape keeps a draft":             {false, true, []step{{0, pressEsc, actNone}, {1100 * ms, pressEsc, actNone}}},
		"two escapes put a draft away":         {false, true, []step{{0, pressEsc, actNone}, {900 * ms, pressEsc, actClear}, {10 * ms, pressEsc, actNone}}},
		"two escapes when idle go back":        {false, false, []step{{0, pressEsc, actNone}, {900 * ms, pressEsc, actRewind}, {10 * ms, pressEsc, actNone}}},
		"two escapes in one read go back":      {false, false, []step{{0, pressEscEsc, actRewind}}},
		"slow escapes do nothing when idle":    {false, false, []step{{0, pressEsc, actNone}, {1100 * ms, pressEsc, actNone}}},
		"escape and ctrl+c do not leave":       {false, false, []step{{0, pressEsc, actNone}, {10 * ms, pressCtrlC, actLeave}, {10 * ms, pressEsc, actNone}}},
		"escapes on a draft only clear it":     {false, true, []step{{0, pressEscEsc, actClear}}},
		"ctrl+c twice leaves":                  {false, false, []step{{0, pressCtrlC, actLeave}, {900 * ms, pressCtrlC, actQuit}}},
		"ctrl+c slowly does not leave":         {false, false, []step{{0, pressCtrlC, actLeave}, {1100 * ms, pressCtrlC, actLeave}}},
		"ctrl+d twice leaves":                  {false, false, []step{{0, pressCtrlD, actLeave}, {900 * ms, pressCtrlD, actQuit}}},
		"ctrl+c and ctrl+d do not leave":       {false, false, []step{{0, pressCtrlC, actLeave}, {10 * ms, pressCtrlD, actLeave}}},
		"ctrl+d keeps a draft":                 {false, true, []step{{0, pressCtrlD, actNone}}},
		"ctrl+c clears a draft":                {false, true, []step{{0, pressCtrlC, actClear}}},
	} {
		now := time.Unix(1000, 0)
		var e escape
		for i, s := range c.steps {
			now = now.Add(s.after)
			var got action
			if e, got = e.press(s.k, c.busy, c.draft, now); got != s.want {
				t.Errorf("%s: press %d leads to %d, want %d", name, i, got, s.want)
			}
		}
	}
}

func TestAnArmedStopIsForgottenWhenTheTurnEnds(t *testing.T) {
	now := time.Unix(1000, 0)
	e, _ := escape{}.press(pressCtrlC, true, false, now)
	if _, act := e.press(pressCtrlC, false, false, now.Add(time.Millisecond)); act != actLeave {
		t.Errorf("the second ctrl+c came when the turn was over and led to %d, want the first of two", act)
	}
}
