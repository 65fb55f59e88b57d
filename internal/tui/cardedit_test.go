package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// editorOf makes the screen's editor a function, and counts its uses.
func (r *rig) editorOf(f func(string) (string, error)) *[]string {
	var given []string
	r.opts.Editor = func(text string) (string, error) {
		given = append(given, text)
		return f(text)
	}
	return &given
}

func edited(args string) approval.Answer { return approval.Answer{Verb: approval.Edit, Args: args} }

func TestAShortCommandIsEditedOnTheCard(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.typed("half a thought")
	a := r.ask(commandRequest("go test ./..."))
	r.pass(time.Second)
	r.keys("e")
	r.shows("› go test ./...")
	r.shows("show what it is then")
	r.pass(time.Second)
	r.keys("enter")
	a.open(t)
	r.shows("nothing was changed")
	r.keys("ctrl+w", "x")
	r.shows("› go test x")
	r.keys("esc")
	a.open(t)
	r.shows("Run once")
	r.keys("e")
	r.shows("› go test ./...")
	r.pass(time.Second)
	r.keys(" ", "-", "v", "enter")
	if got := a.answered(t); got != edited(`{"command":"go test ./... -v"}`) {
		t.Errorf("answered %+v", got)
	}
	r.shows("half a thought")
	// What it is now is a card of its own, with a guard of its own.
	b := r.ask(editedRequest())
	r.send(keyOf("y"))
	r.pass(time.Second)
	b.open(t)
	r.shows("you changed it")
	r.keys("y")
	if got := b.answered(t); got.Verb != approval.Once {
		t.Errorf("answered %+v", got)
	}
}

// While a line is typed on a card, n is a letter of it: what Ctrl+C says does not
// offer it as a no. A narrow card names whole keys only, and how to stop.
func TestTheFootOfACardIsTrue(t *testing.T) {
	r := newRig(t, 40, 24).boot(approval.LowRisk)
	begun(r, "go")
	r.ask(commandRequest("go test ./..."))
	r.pass(time.Second)
	r.shows("Enter answer · Esc Esc stop")
	r.hides("· …")
	r.hides("e…")
	r.keys("e", "ctrl+c")
	r.shows("Esc again stops the turn")
	r.hides("says no")
	r.pass(2 * time.Second)
	r.keys("n")
	r.shows("› go test ./...n")
}

func TestWhatIsLongIsEditedInTheEditor(t *testing.T) {
	long := "cat > x <<'EOF'\n" + strings.Repeat("a line\n", 40) + "EOF\n"
	for _, c := range []struct {
		name string
		edit func(string) (string, error)
		want string
		note string
	}{
		{"changed", func(s string) (string, error) {
			return strings.TrimRight(strings.Replace(s, "a line", "b line", 1), "\n"), nil
		}, "b line", ""},
		{"as it was", func(s string) (string, error) { return strings.TrimRight(s, "\n"), nil }, "", "nothing was changed"},
		{"the editor failed", func(string) (string, error) { return "", errors.New("vi ended with exit status 1") }, "", "vi ended with exit status 1"},
	} {
		r := newRig(t, 80, 30).boot(approval.LowRisk)
		given := r.editorOf(c.edit)
		a := r.ask(commandRequest(long))
		r.pass(time.Second)
		r.keys("e")
		if len(*given) != 1 || (*given)[0] != long {
			t.Fatalf("%s: the editor got %q", c.name, *given)
		}
		if c.want == "" {
			a.open(t)
			r.shows(c.note)
			continue
		}
		got := a.answered(t)
		if got.Verb != approval.Edit || !strings.Contains(got.Args, c.want) || !strings.HasSuffix(got.Args, `EOF\n"}`) {
			t.Errorf("%s: answered %+v", c.name, got)
		}
	}
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	a := r.ask(commandRequest(long))
	r.pass(time.Second)
	r.keys("e")
	a.open(t)
	r.shows("set VISUAL or EDITOR")
}

// A key that was meant for the editor, and came too late for it, is no answer.
func TestKeysBehindTheEditorAreNotTaken(t *testing.T) {
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	r.editorOf(func(s string) (string, error) { return s, nil })
	a := r.ask(commandRequest("a\nb"))
	r.pass(time.Second)
	r.keys("e")
	r.pass(-50 * time.Millisecond)
	r.send(keyOf("y"))
	r.pass(50 * time.Millisecond)
	a.open(t)
	r.pass(time.Second)
	a.open(t)
}

func TestWhatCannotRunIsThereToBeMended(t *testing.T) {
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	a := r.ask(commandRequest("make"))
	r.pass(time.Second)
	r.keys("e")
	r.pass(time.Second)
	r.keys("ctrl+u", "r", "m", "enter")
	a.answered(t)
	q := rejectedRequest()
	b := r.ask(q)
	r.pass(time.Second)
	r.shows("command is empty")
	r.keys("e")
	r.shows("› rm")
	r.keys("esc")
	r.keys("y")
	b.answered(t)
}

func TestARevisedCallIsShownAsItIsNow(t *testing.T) {
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	begun(r, "go")
	p := &tools.Proposal{Call: callOf("c1", "shell"), Summary: "make"}
	r.events(loop.Stepped{Calls: 1}, loop.Proposed{Call: p.Call, Proposal: p})
	r.shows("make")
	now := *p
	now.Summary = "make test"
	r.events(loop.Revised{Call: p.Call, Proposal: &now})
	r.shows("make test")
	if n := len(r.script.calls.calls); n != 1 {
		t.Errorf("%d calls in flight", n)
	}
}

func TestTheKeyIsEditedWithWhatItCoversInSight(t *testing.T) {
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	q := commandRequest("go test ./...")
	q.CheckKey = func(key string) (approval.Coverage, error) {
		switch key {
		case "go test":
			return approval.Coverage{Key: key, Commands: []string{"go test ./a"}, Of: 7}, nil
		case "go  ":
			return approval.Coverage{Key: "go", Of: 7}, nil
		}
		return approval.Coverage{}, fmt.Errorf("%q does not cover this command", key)
	}
	a := r.ask(q)
	r.pass(time.Second)
	r.keys("a")
	a.open(t)
	r.shows("› go test")
	r.shows("1 of 7 other commands")
	r.shows("go test ./a")
	r.pass(time.Second)
	r.keys("x")
	r.shows(`"go testx" does not cover this command`)
	r.keys("enter")
	a.open(t)
	r.shows("this key cannot be remembered")
	r.keys("ctrl+u", "g", "o", " ", " ")
	r.shows("0 of 7 other commands")
	r.keys("enter")
	if got := a.answered(t); got != (approval.Answer{Verb: approval.AlwaysCommand, Key: "go"}) {
		t.Errorf("answered %+v", got)
	}
}

// Nothing that comes as text, in a burst or by paste, allows, remembers or
// opens anything, with whatever letters it begins and ends.
func TestNoTextIsAnAnswerWhateverItsLetters(t *testing.T) {
	texts := []string{
		"always\r", "edit it\r", "a\r\r", "e\r\r", "f\r\r", "fy", "[y", "]}y", " y", "y ", "y]", "yf", "1 ", "a[", "take it\r", "next\r\r", "\r\r", "e\rls\r", "a\rgo\r",
		"yes, please run this\r", "n\rno\ry\r", "1\r2\r", "y\rn\r",
	}
	for _, text := range texts {
		r := newRig(t, 80, 30).boot(approval.LowRisk)
		given := r.editorOf(func(s string) (string, error) { return s + "x", nil })
		a := r.ask(commandRequest("go test ./..."))
		r.pass(time.Second)
		r.burst(strings.Split(strings.ReplaceAll(text, "\r", "⏎"), "")...)
		r.pass(time.Second)
		select {
		case ans := <-a.reply:
			// A row with Enter at once is how a program answers; to refuse is safe.
			if first := text[:min(2, len(text))]; ans.Verb != approval.Deny && first != "y\r" && first != "1\r" {
				t.Errorf("%q answered %+v", text, ans)
			}
		default:
		}
		if len(*given) > 0 {
			t.Errorf("%q opened the editor", text)
		}
		b := newRig(t, 80, 30).boot(approval.LowRisk)
		open := b.ask(commandRequest("go test ./..."))
		b.pass(time.Second)
		b.paste(text, b.clock)
		b.pass(time.Second)
		open.open(t)
	}
}

func TestATextPastedIntoTheLineOfACardOnlyGoesIntoIt(t *testing.T) {
	for _, key := range []string{"e", "a"} {
		r := newRig(t, 80, 30).boot(approval.LowRisk)
		a := r.ask(commandRequest("go test ./..."))
		r.pass(time.Second)
		r.keys(key)
		r.paste("x\ny\n\n", r.clock)
		r.pass(time.Second)
		a.open(t)
		if got := r.card().line.text(); !strings.Contains(got, "x y") || strings.Contains(got, "\n") {
			t.Errorf("the line is %q", got)
		}
		r.send(sizeMsg{40, 12})
		r.pass(time.Second)
		a.open(t)
		if got := r.card().line.text(); !strings.Contains(got, "x y") {
			t.Errorf("after a resize the line is %q", got)
		}
	}
}

func TestTheFullScreenReturnsToTheCardUnharmed(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.typed("half a thought")
	a := r.ask(patchRequest())
	r.pass(time.Second)
	r.keys("f")
	r.hides("Run once")
	r.hides("half a thought")
	r.shows("f or Esc: back to answer")
	for _, k := range []string{"y", "1", "n", "a", "e", "tab", "enter"} {
		r.keys(k)
		a.open(t)
	}
	r.keys("}", "}")
	r.shows("M b.py")
	r.send(sizeMsg{60, 20})
	r.pass(time.Second)
	r.keys("end", "home", "esc")
	r.shows("Run once")
	r.shows("half a thought")
	a.open(t)
	r.keys("y")
	if got := a.answered(t); got.Verb != approval.Once {
		t.Errorf("answered %+v", got)
	}
	b := r.ask(patchRequest())
	r.pass(time.Second)
	r.keys("f")
	r.send(withdrawMsg{b})
	r.shows("half a thought")
}

func TestHunksAndFilesAreGoneThroughInOrder(t *testing.T) {
	two := "--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n" + "@@ -40,2 +40,2 @@ func late()\n-d\n+e\n f\n"
	q := editRequest()
	filler := strings.Repeat("words of a note\n", 30)
	q.Proposal.Preview = []tools.Section{
		{Kind: tools.Diff, Title: "M x.go +2 −2", Body: two},
		{Kind: tools.Text, Body: filler},
		{Kind: tools.Diff, Title: "M y.go +1 −1", Body: strings.ReplaceAll(sampleDiff, "internal/loop/run.go", "y.go")},
		{Kind: tools.Text, Body: filler},
	}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ask(q)
	r.pass(time.Second)
	for _, s := range []struct{ key, top, note string }{
		{"]", "a", "hunk 1 of 3"},
		{"]", "func late()", "hunk 2 of 3"},
		{"]", "func Run", "hunk 3 of 3"},
		{"]", "func Run", "no more hunks"},
		{"[", "func late()", "hunk 2 of 3"},
		{"home", "M x.go", ""},
		{"[", "M x.go", "no more hunks"},
		{"}", "M y.go", "file 2 of 2"},
		{"{", "M x.go", "file 1 of 2"},
	} {
		r.keys(s.key)
		c := r.card()
		if top := ansi.Strip(c.body.rows(c.scroll, c.scroll+1)[0]); !strings.Contains(top, s.top) || !strings.Contains(c.note, s.note) {
			t.Errorf("%s: at %q, note %q", s.key, top, c.note)
		}
	}
}
