package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestCardsLookAsExpected(t *testing.T) {
	long := shellRequest("cat <<'EOF' > notes.txt\n" + strings.Repeat("a line of the here document\n", 40) + "EOF\ntouch OUT")
	manual := shellRequest("git push --force-with-lease")
	manual.Proposal.Manual, manual.Why, manual.Key, manual.Tool = "it rewrites what others may have", "it rewrites what others may have", "", false
	manual.Waiting = 2
	for _, w := range widths() {
		var rows []string
		for _, q := range []approval.Request{shellRequest("go test ./... && git push"), editRequest(), manual, long, pickRequest()} {
			c := newCard(colours(), q, "/home/dev/src/zuno", nil)
			c.appeared = time.Unix(1, 0)
			rows = append(rows, c.view(w, 20, false, time.Unix(9, 0)).rows...)
			rows = append(rows, strings.Repeat("=", 10))
		}
		golden(t, fmt.Sprintf("cards-%d", w), rows)
	}
}

func TestEveryRowOfACardAnswers(t *testing.T) {
	for keys, want := range map[string]approval.Answer{
		"y": {Verb: approval.Once}, "Y": {Verb: approval.Once}, "1": {Verb: approval.Once},
		"a": {Verb: approval.AlwaysCommand}, "2": {Verb: approval.AlwaysCommand},
		"t": {Verb: approval.AlwaysTool}, "3": {Verb: approval.AlwaysTool},
		"n enter": {Verb: approval.Deny}, "4 n o t space n o w enter": {Verb: approval.Deny, Reason: "not now"},
		"down down enter": {Verb: approval.AlwaysCommand}, "tab tab tab enter": {Verb: approval.AlwaysTool},
		"down up enter": {Verb: approval.Once}, "n x esc y": {Verb: approval.Once},
		"n a b ctrl+u c enter": {Verb: approval.Deny, Reason: "c"},
	} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		a := r.ask(shellRequest("go test ./..."))
		r.pass(time.Second)
		for _, k := range strings.Fields(keys) {
			if k == "space" {
				k = " "
			}
			r.keys(k)
		}
		if got := a.answered(t); got != want {
			t.Errorf("%s answers %+v, want %+v", keys, got, want)
		}
		r.hides("approve")
	}
}

func TestNothingIsChosenBeforehandWhenTheRiskIsHigh(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("rm -rf build"))
	r.pass(time.Second)
	r.keys("enter", "enter")
	a.open(t)
	r.shows("choose a row first")
	b := newRig(t, 80, 24).boot(approval.ReadOnly)
	low := b.ask(editRequest())
	b.pass(time.Second)
	for i := 0; b.card() != nil && b.card().scroll < b.card().end && i < 50; i++ {
		b.keys("down")
	}
	b.keys("enter")
	if got := low.answered(t); got.Verb != approval.Once {
		t.Errorf("enter on a low-risk card answers %+v", got)
	}
}

func TestKeysTypedBeforeTheCardAppearedAreNotTaken(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("go test"))
	r.pass(200 * time.Millisecond)
	r.send(keyOf("y"))
	r.pass(50 * time.Millisecond)
	a.open(t)
	r.shows("too early")
	r.pass(time.Second)
	a.open(t)
	r.keys("y")
	a.answered(t)
}

func TestTextIsNotAnAnswer(t *testing.T) {
	for _, text := range []string{"yes\r", "aa\rbb\r", "12", "very", "no\r"} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		a := r.ask(shellRequest("go test"))
		r.pass(time.Second)
		var keys []string
		for _, c := range strings.Split(text, "") {
			keys = append(keys, strings.Replace(c, "\r", "enter", 1))
		}
		r.burst(keys...)
		r.pass(time.Second)
		a.open(t)
		r.shows("ignored")
	}
}

func TestAProgramMayAnswerWithARowAndEnter(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("go test"))
	r.pass(time.Second)
	r.burst("1", "enter")
	a.open(t) // more may follow
	r.pass(burstEnd)
	if got := a.answered(t); got.Verb != approval.Once {
		t.Errorf("got %+v", got)
	}
}

func TestAPickerReturnsTheRowOrTheText(t *testing.T) {
	for keys, want := range map[string]approval.Answer{
		"2":                 {Verb: approval.Once, Choice: "pg"},
		"down enter":        {Verb: approval.Once, Choice: "sqlite"},
		"3 d u c k enter":   {Verb: approval.Once, Choice: "other:duck"},
		"n w h y enter":     {Verb: approval.Deny, Reason: "why"},
		"enter 2":           {Verb: approval.Once, Choice: "pg"},
		"3 x esc down down": {},
	} {
		r := newRig(t, 80, 24).boot(approval.Yolo)
		a := r.ask(pickRequest())
		r.pass(time.Second)
		r.keys(strings.Fields(keys)...)
		if want == (approval.Answer{}) {
			a.open(t)
		} else if got := a.answered(t); got != want {
			t.Errorf("%s answers %+v, want %+v", keys, got, want)
		}
	}
}

func TestEverythingOnACardCanBeReached(t *testing.T) {
	var body strings.Builder
	for i := range 300 {
		fmt.Fprintf(&body, "step%03d --flag && ", i)
	}
	body.WriteString("touch OUT")
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 6}, {200, 50}} {
		r := newRig(t, size[0], size[1]).boot(approval.LowRisk)
		a := r.ask(shellRequest(body.String()))
		r.pass(time.Second)
		seen := map[string]bool{}
		look := func() {
			for _, row := range strings.Split(r.frameText(), "\n") {
				seen[strings.TrimSpace(strings.Trim(row, "│ $"))] = true
			}
		}
		look()
		if r.card().end > 0 {
			r.shows("more line")
		}
		for i := 0; r.card().scroll < r.card().end && i < 3000; i++ {
			r.keys("down")
			look()
		}
		all := strings.Builder{}
		for s := range seen {
			all.WriteString(s + "\n")
		}
		for _, row := range r.card().body.rows(0, r.card().body.total) {
			if plain := strings.TrimSpace(strings.Trim(ansi.Strip(row), "│ $")); !seen[plain] {
				t.Fatalf("at %v the row %q was never in sight", size, plain)
			}
		}
		r.keys("1")
		a.answered(t)
	}
}

func TestTheDraftSurvivesACard(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.typed("half a thought")
	a := r.ask(shellRequest("go test"))
	r.pass(time.Second)
	r.keys("y")
	a.answered(t)
	r.shows("half a thought")
	b := r.ask(shellRequest("go vet"))
	r.pass(time.Second)
	r.keys("n", "n", "o", "enter")
	if got := b.answered(t); got.Reason != "no" {
		t.Errorf("got %+v", got)
	}
	r.shows("half a thought")
}

func TestAWithdrawnCardGoesAndTheNextIsGuarded(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("first"))
	b := r.ask(shellRequest("second"))
	r.pass(time.Second)
	r.shows("$ first")
	r.send(withdrawMsg{a})
	r.shows("$ second")
	r.send(keyOf("y"))
	r.pass(100 * time.Millisecond)
	b.open(t)
	r.send(withdrawMsg{a})
	r.pass(time.Second)
	r.keys("y")
	b.answered(t)
}

func TestShiftTabChangesThePolicyWithACardOpen(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ask(shellRequest("go test"))
	r.keys("shift+tab")
	if got := r.ready.Gate.Policy(); got != approval.HighRisk {
		t.Errorf("the gate's policy is %s", got)
	}
	r.shows("high-risk ⇧⇥")
}

func TestAnEmptyCardIsImpossible(t *testing.T) {
	q := approval.Request{Proposal: &tools.Proposal{Call: callOf("x", "mcp_tool"), Spec: tools.Spec{Name: "mcp_tool"}}}
	q.Proposal.Call.Args = []byte(`{"path":"/etc"}`)
	rows := newCard(colours(), q, "", nil).view(80, 20, false, time.Unix(9, 0)).rows
	if s := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(s, `{"path":"/etc"}`) || !strings.Contains(s, "unknown risk") {
		t.Errorf("got\n%s", s)
	}
}

// C074: whatever a paste that the terminal did not mark begins with, no line of
// it answers a card, and no key in it changes the policy.
func TestNoLineOfABurstAnswersACard(t *testing.T) {
	for _, text := range []string{"y\ry\r", "y\rrest", "1\r2\r3", "1\r\r", "y\x1b", "y\x14", "\ry\r", "\x1b[By\rz", "xx\x1b[Z", "y\x1b[Z", "y\r\x1b[Z"} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		a := r.ask(shellRequest("rm -rf build"))
		r.pass(time.Second)
		var keys []string
		for _, c := range strings.NewReplacer("\x1b[Z", "⇤", "\x1b[B", "↓").Replace(text) {
			switch c {
			case '\r':
				keys = append(keys, "enter")
			case '\x1b':
				keys = append(keys, "esc")
			case '\x14':
				keys = append(keys, "ctrl+t")
			case '⇤':
				keys = append(keys, "shift+tab")
			case '↓':
				keys = append(keys, "down")
			default:
				keys = append(keys, string(c))
			}
		}
		r.burst(keys...)
		r.pass(time.Second)
		a.open(t)
		if r.policy != approval.LowRisk {
			t.Errorf("%q makes the policy %v", text, r.policy)
		}
		r.leavePager(r.clock)
		r.pass(time.Second)
		r.keys("y")
		if got := a.answered(t); got.Verb != approval.Once {
			t.Errorf("%q: y by itself answers %+v", text, got)
		}
	}
}

// A card says whose hook asks, where the tool's own table does not.
func TestACardNamesTheHookThatAsks(t *testing.T) {
	for _, c := range []struct{ manual, want string }{
		{"it deletes", "why      only a person may allow this"},
		{"it deletes; a hook of the project asks for a person: look", "why      it deletes; a hook of the project asks"},
		{"a hook asks for a person: look", "why      a hook asks for a person: look"},
	} {
		r := newRig(t, 100, 30).boot(approval.LowRisk)
		q := commandRequest("rm x")
		q.Proposal.Preview = append(q.Proposal.Preview, tools.Section{Kind: tools.Table, Body: "asks\tit deletes"})
		q.Proposal.Manual, q.Why, q.By = c.manual, c.manual, tools.ByManual
		r.ask(q)
		r.shows(c.want)
	}
}
