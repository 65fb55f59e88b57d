package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// trustOffer asks about items, each of n lines.
func trustOffer(n int) *Offer {
	var long strings.Builder
	for i := range n {
		fmt.Fprintf(&long, "line%03d: %s\n", i, strings.Repeat("x", i%9))
	}
	return &Offer{
		Title: "Trust what this folder brings along?", Text: "Files of this project say more than what makes zuno stricter.",
		Exact: []tools.Section{
			{Title: "config zuno.json", Body: "{\n\t\"approval\": {\"policy\": \"high-risk\"}, // \x1b[2Khidden\u202e and a  line that is longer than the card is wide, to its end\n}\n\n\n"},
			{Title: "mcp server x", Body: long.String()},
		},
		Choices: []tools.Option{
			{ID: "trust", Label: "Trust these and go on", Detail: "until a text changes"},
			{ID: "without", Label: "Go on without them", Detail: "asks again at the next start"},
			{ID: "leave", Label: "Leave"},
		},
		Whole:  "trust",
		Choose: func(context.Context, string) (Ready, error) { return Ready{}, ErrLeave },
	}
}

func TestAQuestionAboutTrustLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		var rows []string
		for _, h := range []int{30, 12} {
			c := newOffer(colours(), trustOffer(40), nil)
			c.appeared = time.Unix(1, 0)
			rows = append(rows, c.view(w, h, false, time.Unix(9, 0)).rows...)
			rows = append(rows, strings.Repeat("=", 10))
		}
		golden(t, fmt.Sprintf("trust-%d", w), rows)
	}
}

func TestTrustIsGivenOnlyToWhatWasInSight(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 6}} {
		r := newRig(t, size[0], size[1])
		r.send(readyMsg{ready: Ready{Offer: trustOffer(60)}})
		r.pass(time.Second)
		r.keys("enter")
		r.keys("1")
		if len(r.chosen) != 0 || r.card() == nil {
			t.Fatalf("at %v trusted unseen: %v", size, r.chosen)
		}
		shown := map[string]bool{}
		look := func() {
			for _, row := range strings.Split(r.frameText(), "\n") {
				shown[strings.TrimSpace(strings.Trim(row, "│"))] = true
			}
		}
		look()
		for i := 0; r.card().scroll < r.card().end && i < 2000; i++ {
			r.keys("down")
			look()
		}
		for _, row := range r.card().body.rows(0, r.card().body.total) {
			if plain := strings.TrimSpace(strings.Trim(ansi.Strip(row), "│")); !shown[plain] {
				t.Fatalf("at %v the row %q was never in sight", size, plain)
			}
		}
		r.keys("1")
		if len(r.chosen) != 1 || r.chosen[0] != "trust" {
			t.Errorf("at %v chosen %v", size, r.chosen)
		}
	}
}

func TestToGoOnWithoutTrustNeedsNoReading(t *testing.T) {
	for key, want := range map[string]string{"2": "without", "3": "leave"} {
		r := newRig(t, 80, 24)
		r.send(readyMsg{ready: Ready{Offer: trustOffer(60)}})
		r.pass(time.Second)
		r.keys(key)
		if len(r.chosen) != 1 || r.chosen[0] != want {
			t.Errorf("%s chose %v", key, r.chosen)
		}
	}
}

func TestKeysTypedBeforeTheQuestionDoNotTrust(t *testing.T) {
	r := newRig(t, 80, 40)
	r.send(readyMsg{ready: Ready{Offer: trustOffer(1)}})
	r.pass(50 * time.Millisecond)
	r.send(tea.KeyPressMsg{Code: tea.KeyF3}) // a report of the cursor may be read so
	r.hides("too early")
	r.send(keyOf("1"))
	r.pass(50 * time.Millisecond)
	r.shows("too early")
	r.pass(time.Second)
	r.burst("1", "2", "enter")
	r.pass(time.Second)
	if len(r.chosen) != 0 {
		t.Errorf("chosen %v", r.chosen)
	}
}

// The text changed between the question and the answer: the question comes
// again, with a guard of its own.
func TestAnOfferMayLeadToAnother(t *testing.T) {
	r := newRig(t, 80, 40)
	for range 2 {
		r.send(readyMsg{ready: Ready{Offer: trustOffer(1)}})
		r.send(keyOf("1"))
		r.pass(time.Second)
		r.keys("1")
		r.hides("Trust these")
	}
	if len(r.chosen) != 2 {
		t.Errorf("chosen %v", r.chosen)
	}
	r.boot(approval.LowRisk)
	r.hides("starting")
}

func TestTrustIsLookedUp(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.typed("/trust")
	r.keys("enter")
	r.shows("this session has no list of what the folder brings along")
	r.ready.Trust = func() ([]string, error) { return []string{"config zuno.json: trusted"}, nil }
	r.typed("/trust")
	r.keys("enter")
	if !strings.Contains(r.printedText(), "config zuno.json: trusted") {
		t.Errorf("printed:\n%s", r.printedText())
	}
}

// A key that is pasted is on no screen, whatever is done to the line.
func TestASecretIsNeverShown(t *testing.T) {
	offer := func() *Offer {
		return &Offer{
			Title: "No model is configured", Text: "Paste a key.",
			Choices: []tools.Option{{ID: "key", Label: "Paste a key", Write: true}, {ID: "leave", Label: "Leave"}},
			Choose:  func(context.Context, string) (Ready, error) { return Ready{}, ErrLeave },
		}
	}
	for _, size := range [][2]int{{80, 24}, {24, 8}} {
		r := newRig(t, size[0], size[1])
		r.send(readyMsg{ready: Ready{Offer: offer()}})
		r.pass(time.Second)
		r.keys("1")
		r.send(tea.PasteMsg{Content: "sk-canary-1"})
		r.keys("left", "x", "backspace", "ctrl+a", "ctrl+k", "ctrl+y", "esc", "1", "enter", "1", "a", "b", "c")
		r.send(tea.PasteMsg{Content: "sk-canary-2\n"})
		r.pass(time.Second)
		if shown := r.raw.String(); strings.Contains(shown, "canary") || strings.Contains(shown, "abc") || !strings.Contains(shown, "•••") {
			t.Errorf("at %v the screen got:\n%q", size, shown)
		}
		r.keys("enter")
		if len(r.chosen) != 1 || r.chosen[0] != "key:abcsk-canary-2" {
			t.Errorf("at %v chosen %q", size, r.chosen)
		}
		if strings.Contains(r.raw.String()+r.printedText(), "canary") {
			t.Errorf("at %v the key was shown after all", size)
		}
	}
}
