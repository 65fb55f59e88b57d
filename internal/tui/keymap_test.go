package tui

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
)

func TestEveryBindingHasANameAndNoTwoClash(t *testing.T) {
	for _, b := range bindings() {
		if b.name() == "" || b.help == "" {
			t.Errorf("%v has no name or no help", b.keys)
		}
		for _, k := range b.keys {
			if got, problem := keyName(k); problem != "" || got != k {
				t.Errorf("%q is spelt %q: %s", k, got, problem)
			}
		}
	}
	if name, problem := CheckKeys(nil); problem != "" {
		t.Errorf("%s: %s", name, problem)
	}
}

func TestKeysOfOnesOwn(t *testing.T) {
	for _, c := range []struct {
		keys          map[string][]string
		name, problem string
	}{
		{map[string][]string{"editor": {"f2", "Ctrl+X e"}}, "", ""},
		{map[string][]string{"card.page_up": {}}, "", ""},
		{map[string][]string{"edtior": {"f2"}}, "edtior", `there is no command "edtior" (did you mean "editor"?)`},
		{map[string][]string{"editor": {"crtl+g"}}, "editor", `"crtl+g" is no key`},
		{map[string][]string{"editor": {"ctrl+x ctrl+y ctrl+z"}}, "editor", "is no key"},
		{map[string][]string{"editor": {"pagup"}}, "editor", `did you mean "pgup"?`},
		{map[string][]string{"submit": {}}, "submit", "needs a key"},
		{map[string][]string{"editor": {"ctrl+r"}}, "editor", `Ctrl+R is a key of "search" as well`},
		{map[string][]string{"policy": {"ctrl+a"}}, "policy", `Ctrl+A is a key of "line_start" as well`},
		{map[string][]string{"stash": {"ctrl+x"}}, "stash", `is a key of "editor" as well`},
		{map[string][]string{"search_scope": {"alt+s", "ctrl+o", "left"}}, "", ""},
		{map[string][]string{"search_scope": {"ctrl+r"}}, "search_scope", `Ctrl+R is a key of "search" as well`},
		{map[string][]string{"interrupt": {"ctrl+t"}, "transcript": {}}, "interrupt", `Ctrl+T is a key of "search_scope" as well`},
		{map[string][]string{"search": {"ctrl+s"}, "stash": {"ctrl+r"}}, "", ""},
		{map[string][]string{"transcript.end": {"G", "e"}, "transcript.beginning": {"g"}, "transcript.down": {"ctrl+l"}}, "", ""},
		{map[string][]string{"transcript.end": {"g"}}, "transcript.end", `g is a key of "transcript.beginning" as well`},
		{map[string][]string{"transcript.back": {}}, "transcript.back", "needs a key"},
		{map[string][]string{"card.down": {"enter"}}, "card.down", `Enter is a key of "card.submit" as well`},
	} {
		name, problem := CheckKeys(c.keys)
		if name != c.name || !strings.Contains(problem, c.problem) || (problem == "") != (c.problem == "") {
			t.Errorf("%v: %s: %s", c.keys, name, problem)
		}
	}
	r := newRig(t, 80, 60)
	r.screen.keys = newKeymap(map[string][]string{"submit": {"alt+s"}, "newline": {"enter"}})
	r.boot(approval.LowRisk)
	r.typed("a")
	r.keys("enter")
	r.typed("b")
	r.keys("alt+s")
	if len(r.started) != 1 || r.started[0].text != "a\nb" {
		t.Errorf("started %v", r.started)
	}
	r.send(turnDoneMsg{})
	r.typed("?")
	r.shows("Alt+S")
	r.hides("Shift+Enter")
	r.screen.keys = newKeymap(map[string][]string{"search_scope": {"alt+w"}})
	r.keys("esc", "ctrl+r")
	r.shows("in this folder (Alt+W)")
	r.keys("alt+w")
	r.shows("everywhere")
}
