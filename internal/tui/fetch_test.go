package tui

import (
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
)

func TestTabCompletesAPathOnlyBehindTheExclamationMark(t *testing.T) {
	for _, c := range []struct {
		text  string
		found []string
		want  string
		hint  string
	}{
		{"! cat al", []string{"alpha.txt"}, "! cat alpha.txt ", ""},
		{"! cat al", []string{"alps/"}, "! cat alps/", ""},
		{"! cat a", []string{"alpha", "alps/"}, "! cat alp", ""},
		{"! cat alp", []string{"alpha", "alps/"}, "! cat alp", "alpha  alps/"},
		{"! cat x", nil, "! cat x", "no path begins like that"},
		{"! cat é", []string{"éa", "éb"}, "! cat é", "éa  éb"},
		{"cat al", []string{"alpha.txt"}, "cat al", ""},
		{`! cat two\ w`, []string{`two\ words`}, `! cat two\ words `, ""},
	} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.ready.Complete = func(word string) []string {
			if !strings.HasSuffix(c.text, word) {
				t.Errorf("%q: completes %q", c.text, word)
			}
			return c.found
		}
		r.composer.buf.set(c.text)
		r.keys("tab")
		if got := r.composer.buf.text(); got != c.want || r.hint != c.hint {
			t.Errorf("%q: %q, hint %q; want %q, %q", c.text, got, r.hint, c.want, c.hint)
		}
	}
}

func TestWhatIsAskedBeforeTheSessionIsReadyIsAnsweredWhenItIs(t *testing.T) {
	ready := Ready{
		Session: &fake{}, Gate: approval.New(approval.Config{Policy: approval.LowRisk}),
		Permissions: func() ([]string, error) { return []string{"policy low-risk: the rest asks"}, nil },
		Complete:    func(string) []string { return []string{"alpha.txt"} },
	}
	r := newRig(t, 80, 24)
	r.typed("/permissions")
	r.keys("enter")
	r.typed("! cat al")
	r.keys("tab")
	if r.hint != "" || strings.Contains(strings.Join(r.lines, "\n"), "policy") {
		t.Fatalf("answered without a session: hint %q, lines %q", r.hint, r.lines)
	}
	r.send(readyMsg{ready: ready})
	if !strings.Contains(strings.Join(r.lines, "\n"), "policy low-risk: the rest asks") {
		t.Errorf("the permissions were not shown: %q", r.lines)
	}
	if got := r.composer.buf.text(); got != "! cat alpha.txt " {
		t.Errorf("composer: %q", got)
	}
}

func TestTheStateOfTheSessionIsLookedUp(t *testing.T) {
	var asked []string
	ready := Ready{
		Session: &fake{}, Gate: approval.New(approval.Config{Policy: approval.LowRisk}),
		Memory: func(arg string) ([]string, error) {
			if arg == "forget 9" {
				return nil, errors.New("there is no entry 9")
			}
			return []string{"1  use tabs"}, nil
		},
		Work: func(part, arg string) ([]string, error) {
			asked = append(asked, part+" "+arg)
			return []string{"the " + part}, nil
		},
	}
	r := newRig(t, 80, 24)
	r.send(readyMsg{ready: ready})
	for _, line := range []string{"/memory", "/plan", "/todos", "/goal ship  it"} {
		r.typed(line)
		r.keys("enter")
	}
	for _, want := range []string{"1  use tabs", "the plan", "the todo", "the goal"} {
		if !strings.Contains(strings.Join(r.lines, "\n"), want) {
			t.Errorf("%q was not shown: %q", want, r.lines)
		}
	}
	r.typed("/memory forget 9")
	r.keys("enter")
	if got := strings.Join(asked, ", "); got != "plan , todo , goal ship  it" || r.hint != "there is no entry 9" {
		t.Errorf("asked for %q, hint %q", got, r.hint)
	}
	r = newRig(t, 80, 24)
	r.send(readyMsg{ready: Ready{Session: &fake{}, Gate: ready.Gate}})
	for line, want := range map[string]string{"/memory": "this session has no memory", "/todo": "this session keeps no todo"} {
		r.composer.buf.set("")
		r.typed(line)
		r.keys("enter")
		if r.hint != want {
			t.Errorf("%s: hint %q", line, r.hint)
		}
	}
}

func TestTheCommandsOfASessionAreSentAsPrompts(t *testing.T) {
	r := newRig(t, 100, 40)
	r.typed("/deploy now")
	r.keys("enter")
	if !strings.Contains(r.hint, "still starting") {
		t.Errorf("before the session is there: %q", r.hint)
	}
	r.composer.buf.set("")
	r.send(readyMsg{ready: Ready{
		Session: &fake{}, Gate: approval.New(approval.Config{Policy: approval.LowRisk}),
		Commands: []Command{{Name: "deploy", Arg: "WHERE", Help: "bring it\x1b[2J out"}, {Name: "skill:notes", Help: "keep notes"}},
		Skills:   func() ([]string, error) { return []string{"notes (here): keep notes"}, nil },
	}})
	r.typed("/depl")
	r.shows("bring it")
	r.keys("tab")
	if got := r.composer.buf.text(); got != "/deploy " {
		t.Errorf("completed to %q", got)
	}
	r.typed("now")
	r.keys("enter")
	if !r.busy || r.composer.buf.text() != "" {
		t.Errorf("it was not sent: hint %q, composer %q", r.hint, r.composer.buf.text())
	}
	for _, line := range []string{"/skills", "/help"} {
		r.typed(line)
		r.keys("enter")
	}
	all := strings.Join(r.lines, "\n")
	for _, want := range []string{"notes (here): keep notes", "/deploy", "WHERE", "/skill:notes", `bring it`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %s", want, all)
		}
	}
	if strings.Contains(all, "\x1b[2J") {
		t.Error("a description drives the terminal")
	}
	r.typed("/nosuch")
	r.keys("enter")
	if !strings.Contains(r.hint, "there is no command /nosuch") {
		t.Errorf("hint %q", r.hint)
	}
}
