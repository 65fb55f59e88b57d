package tui

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
)

// The commands for prompts of servers come and go, are checked before they are
// sent, and their arguments are completed.
func TestCommandsThatComeAndGoAreCheckedAndCompleted(t *testing.T) {
	r := newRig(t, 100, 40)
	known := false
	r.send(readyMsg{ready: Ready{
		Session: &fake{}, Gate: approval.New(approval.Config{Policy: approval.LowRisk}), Commands: []Command{{Name: "deploy"}},
		More: func() []Command {
			if !known {
				return nil
			}
			return []Command{{
				Name: "docs:review", Arg: "file [depth]", Help: "Reviews\x1b[2J a file.",
				Check: func(arg string) string {
					if !strings.Contains(arg, "file=") {
						return "it needs file\x1b[2J"
					}
					return ""
				},
				Missing: func(arg string) []Argument {
					if strings.Contains(arg, "file=") {
						return []Argument{{Name: "depth"}}
					}
					return []Argument{{Name: "file", Help: "which\x1b[2J one", Required: true}, {Name: "depth"}, {Name: "a b"}}
				},
				Values: func(arg, name, begun string) []string {
					if arg != " " || name != "file" || begun != "" && begun != "m" {
						t.Errorf("asked for %q %q %q", arg, name, begun)
					}
					return []string{"main.go", "my own.go", "evil\x1b[2J", `qu"ote`, "m"}
				},
			}}
		},
	}})
	r.typed("/docs:review")
	r.keys("enter")
	if !strings.Contains(r.hint, "there is no command /docs:review") {
		t.Fatalf("hint %q", r.hint)
	}
	known = true
	r.composer.buf.set("")
	r.typed("/docs")
	r.shows("/docs:review file [depth]")
	r.keys("tab", "enter")
	if !strings.Contains(r.hint, "/docs:review: it needs file") || strings.Contains(r.hint, "\x1b") || r.busy || r.composer.buf.text() != "/docs:review " {
		t.Fatalf("hint %q, composer %q", r.hint, r.composer.buf.text())
	}
	r.shows("can be left out")
	r.hides("a b=")
	r.typed("fi")
	r.keys("tab")
	if got := r.composer.buf.text(); got != "/docs:review file=" {
		t.Fatalf("completed to %q", got)
	}
	r.composer.buf.set("/docs:review file=")
	r.typed("m")
	r.shows("main.go")
	r.hides("evil")
	r.hides("ote")
	r.keys("down", "down", "tab")
	if got := r.composer.buf.text(); got != `/docs:review file="my own.go" ` {
		t.Fatalf("completed to %q", got)
	}
	r.shows("depth=")
	r.keys("enter")
	if !r.busy || r.composer.buf.text() != "" {
		t.Errorf("it was not sent: hint %q, composer %q", r.hint, r.composer.buf.text())
	}
}
