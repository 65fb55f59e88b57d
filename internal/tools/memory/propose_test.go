package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

// args of a proposal, with what every one has.
func args(more string) string { return `{"reason":"r","confidence":0.9,` + more + `}` }

func TestAProposalIsShownInFullAndIsAPicker(t *testing.T) {
	f := newFake()
	c := Config{Store: f, Show: func(s string) string { return strings.ReplaceAll(s, "</memory>", `\u003c/memory>`) }}
	p, o := accepts(t, c, "memory_propose", args(`"target":"project","action":"add","content":" tests need make db\r\nfirst "`))
	if o.Kind != tools.OK || !strings.Contains(o.Text, "revision 1") || len(p.Options) != 1 || p.Spec.Risk != tools.Low || p.Spec.Effect != tools.SideEffecting {
		t.Fatalf("%+v %+v", p, o)
	}
	e := f.books[Project].Entries[0]
	if e.Text != "tests need make db\nfirst" || e.Reason != "r" || e.By != "you" {
		t.Errorf("kept: %+v", e)
	}
	if s := p.Preview[0]; s.Title != "Every later session of this project would be told" || s.Body != "tests need make db\nfirst" {
		t.Errorf("the preview begins with %+v", s)
	}
	if s := p.Preview[1]; s.Kind != tools.Diff || !strings.Contains(s.Body, "+- tests need make db\n+  first\n") || s.Title != "The project memory, 24 of 3000 characters" {
		t.Errorf("the diff is %+v", s)
	}
	p, o = accepts(t, c, "memory_propose", args(`"target":"global","action":"add","content":"a</memory> b"`))
	if o.Kind != tools.OK || p.Spec.Risk != tools.High || f.books[Global].Entries[0].Text != `a\u003c/memory> b` || !strings.Contains(p.Preview[0].Body, "tags") || p.Preview[1].Body != `a\u003c/memory> b` {
		t.Errorf("%+v %+v", p, o)
	}
	for _, d := range []tools.Decision{{}, {Allowed: true}, {Allowed: true, Choice: "yes"}, {By: tools.ByPerson, Reason: "no"}} {
		if o := p.Execute(t.Context(), d, nil); o.Kind != tools.Blocked || f.books[Global].Revision != 1 {
			t.Errorf("%+v: %v", d, o.Kind)
		}
	}
}

func TestEntriesAreReplacedAndRemovedByTheirText(t *testing.T) {
	f := newFake()
	c := Config{Store: f}
	for _, x := range []struct {
		args  string
		block tools.Block
		says  string
	}{
		{`"target":"project","action":"add","content":"use tabs in Go"`, ok, "revision 1"},
		{`"target":"project","action":"add","content":"use tabs in Make"`, ok, "revision 2"},
		{`"target":"project","action":"add","content":"use tabs in Go"`, bad, "has this already, as entry 1"},
		{`"target":"project","action":"replace","old_text":"use tabs","content":"x"`, bad, "ambiguous: 2 entries have it; give more of the one that you mean. The entries are:\n1. use tabs in Go\n2. use tabs in Make"},
		{`"target":"global","action":"replace","old_text":"use tabs","content":"x"`, bad, "no entry has"},
		{`"target":"project","action":"replace","old_text":"in Make","content":"Make: tabs","expected_revision":1`, tools.Stale, "at revision 2, not 1"},
		{`"target":"project","action":"replace","old_text":"in Make","content":"Make: tabs","expected_revision":2`, ok, "revision 3"},
		{`"target":"project","action":"remove","old_text":"use tabs"`, ok, "forgotten. The project memory is at revision 4"},
		{`"target":"project","action":"remove","old_text":"use tabs"`, bad, "no entry has"},
		{`"target":"project","action":"remove"`, bad, "old_text is needed"},
		{`"target":"project","action":"remove","old_text":"Make","content":"x"`, bad, "content is for"},
		{`"target":"project","action":"add","content":" "`, bad, "content is needed"},
		{`"target":"project","action":"add","content":"x","old_text":"y"`, bad, "old_text is for"},
		{`"target":"project","action":"add","content":"x","expected_revision":-1`, bad, "expected_revision"},
		{`"target":"here","action":"add","content":"x"`, bad, "must be one of global, project"},
	} {
		_, o := accepts(t, c, "memory_propose", args(x.args))
		want := tools.Blocked
		if x.block == ok {
			want = tools.OK
		}
		if o.Kind != want || o.Block != x.block || !strings.Contains(o.Text, x.says) {
			t.Errorf("%s: %v %v %q", x.args, o.Kind, o.Block, o.Text)
		}
	}
	if b := f.books[Project]; len(b.Entries) != 1 || b.Entries[0].N != 2 || b.Entries[0].Text != "Make: tabs" {
		t.Errorf("left: %+v", b)
	}
	for _, x := range []string{`{"target":"global","action":"add","content":"x","reason":"","confidence":1}`, `{"target":"global","action":"add","content":"x","reason":"r","confidence":1.1}`, `{"target":"global","action":"add","content":"x","reason":"r","confidence":-1}`} {
		if _, o := accepts(t, c, "memory_propose", x); o.Block != bad {
			t.Errorf("%s: %+v", x, o)
		}
	}
}

const (
	ok  = tools.NotBlocked
	bad = tools.InvalidArguments
)

func TestTheBudgetHolds(t *testing.T) {
	for target, budget := range map[Target]int{Global: 2200, Project: 3000} {
		c := Config{Store: newFake()}
		add := func(n int) tools.Outcome {
			_, o := accepts(t, c, "memory_propose", args(fmt.Sprintf(`"target":%q,"action":"add","content":%q`, target, strings.Repeat("é ", n/2-1)+"éé")))
			return o
		}
		if o := add(budget + 2); o.Block != bad {
			t.Errorf("%s: %+v", target, o)
		}
		if o := add(budget); o.Kind != tools.OK {
			t.Errorf("%s: %+v", target, o)
		}
		if o := add(2); o.Block != bad || !strings.Contains(o.Text, fmt.Sprintf("would have %d characters, and may have %d", budget+2, budget)) {
			t.Errorf("%s: %+v", target, o)
		}
	}
}

func TestTheProposingToolKeepsThePromises(t *testing.T) {
	f := newFake()
	toolstest.Run(t, toolstest.Case{
		New:    func(string) tools.Tool { *f = *newFake(); return New(Config{Store: f})[0] },
		Args:   args(`"target":"project","action":"add","content":"x"`),
		Mutate: func(string) { f.books[Project] = Book{Revision: 1} },
	})
}

func TestWithoutAStoreNothingIsProposed(t *testing.T) {
	for _, x := range New(Config{Attended: true}) {
		a := `{"command":"create","path":"x"}`
		if x.Spec().Name == "memory_propose" {
			a = args(`"target":"global","action":"add","content":"x"`)
		} else if x.Spec().Name == "view_memory" {
			a = `{}`
		}
		_, err := x.Propose(t.Context(), tools.Call{Args: json.RawMessage(a)})
		if o := tools.OutcomeOf(err); o.Block != tools.Unavailable {
			t.Errorf("%s: %+v", x.Spec().Name, o)
		}
	}
}
