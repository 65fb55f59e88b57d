package tui

import (
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
