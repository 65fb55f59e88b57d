package approval

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

type askerFunc func(context.Context, Request) (Answer, error)

func (f askerFunc) Ask(ctx context.Context, r Request) (Answer, error) { return f(ctx, r) }

type classifierFunc func(Evidence) tools.Risk

func (f classifierFunc) Classify(_ context.Context, e Evidence) tools.Risk { return f(e) }

type memoryList map[string]string

func (m memoryList) Allowed(key string) (bool, error) { _, ok := m[key]; return ok, nil }
func (m memoryList) Allow(key, command string) error  { m[key] = command; return nil }

func shell(command, key string) *tools.Proposal {
	return &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Command: command, Key: key, Subjects: []string{command}}
}

func TestAPolicyChangeWithdrawsAnOpenCard(t *testing.T) {
	var g *Gate
	asked := 0
	g = New(Config{Policy: LowRisk, Asker: askerFunc(func(ctx context.Context, r Request) (Answer, error) {
		asked++
		g.SetPolicy(HighRisk) // as Shift+Tab does while the card is open
		<-ctx.Done()
		return Answer{}, ctx.Err()
	})})
	d, err := g.Decide(context.Background(), shell("make", ""), nil)
	if err != nil || !d.Allowed || d.By != tools.ByPolicy || asked != 1 {
		t.Errorf("decision %+v, err %v after %d cards", d, err, asked)
	}
}

func TestQueuedCallsAreDecidedAgainWhenTheirTurnComes(t *testing.T) {
	opened, answer := make(chan struct{}, 2), make(chan Answer)
	g := New(Config{Policy: LowRisk, Asker: askerFunc(func(ctx context.Context, r Request) (Answer, error) {
		opened <- struct{}{}
		return <-answer, nil
	})})
	decide := func(out chan tools.Decision) {
		d, err := g.Decide(context.Background(), shell("make", ""), nil)
		if err != nil {
			t.Error(err)
		}
		out <- d
	}
	first, second := make(chan tools.Decision, 1), make(chan tools.Decision, 1)
	go decide(first)
	<-opened
	go decide(second)
	answer <- Answer{Verb: AlwaysTool}
	if d := <-first; !d.Allowed || d.By != tools.ByPerson {
		t.Errorf("first: %+v", d)
	}
	if d := <-second; !d.Allowed || d.By != tools.ByTool {
		t.Errorf("second: %+v, want allowed by the tool list without a card", d)
	}
	if len(opened) != 0 {
		t.Error("a second card was shown")
	}
}

func TestAlwaysAllowThisCommandIsRemembered(t *testing.T) {
	list := memoryList{}
	var offered Request
	g := New(Config{Policy: LowRisk, Commands: list, Asker: askerFunc(func(_ context.Context, r Request) (Answer, error) {
		offered = r
		return Answer{Verb: AlwaysCommand}, nil
	})})
	ctx := context.Background()
	if d, _ := g.Decide(ctx, shell("make test", "make test"), nil); !d.Allowed {
		t.Fatalf("first: %+v", d)
	}
	if offered.Key != "make test" || list["make test"] != "make test" {
		t.Errorf("offered %q, stored %v", offered.Key, list)
	}
	if d, _ := g.Decide(ctx, shell("make test", "make test"), nil); d.By != tools.ByCommand {
		t.Errorf("second: %+v", d)
	}
	g.SetPolicy(Strict)
	if _, _ = g.Decide(ctx, shell("make test", "make test"), nil); offered.Key != "" || offered.Tool {
		t.Errorf("strict offered to remember: %+v", offered)
	}
}

// keysFunc checks an edited key.
type keysFunc func(key string, p *tools.Proposal) (Coverage, error)

func (f keysFunc) Check(key string, p *tools.Proposal) (Coverage, error) { return f(key, p) }

// A key that the person edited is looked at by the gate too, whatever the screen
// said of it: nothing is remembered that does not cover what is on the card.
func TestAnEditedKeyIsRememberedOnlyIfItCoversTheCommand(t *testing.T) {
	keys := keysFunc(func(key string, p *tools.Proposal) (Coverage, error) {
		if !strings.HasPrefix(p.Key, key) {
			return Coverage{}, errors.New("it does not cover this command")
		}
		return Coverage{Key: key}, nil
	})
	for _, c := range []struct {
		name    string
		keys    Keys
		key     string
		allowed bool
		stored  string
	}{
		{"as offered", keys, "", true, "make test"},
		{"the same", keys, "make test", true, "make test"},
		{"wider", keys, "make", true, "make"},
		{"another", keys, "git push", false, ""},
		{"nobody can check", nil, "make", false, ""},
	} {
		list := memoryList{}
		g := New(Config{Policy: LowRisk, Commands: list, Keys: c.keys, Asker: askerFunc(func(context.Context, Request) (Answer, error) {
			return Answer{Verb: AlwaysCommand, Key: c.key}, nil
		})})
		d, err := g.Decide(t.Context(), shell("make test", "make test"), nil)
		if err != nil || d.Allowed != c.allowed || d.By != tools.ByPerson {
			t.Errorf("%s: %+v, %v", c.name, d, err)
		}
		if _, ok := list[c.stored]; ok != (c.stored != "") || len(list) > 1 {
			t.Errorf("%s: stored %v", c.name, list)
		}
	}
}

func TestAnEditIsNoDecisionAndOnlyOfWhatCanBeRewritten(t *testing.T) {
	g := New(Config{Policy: LowRisk, Asker: askerFunc(func(context.Context, Request) (Answer, error) {
		return Answer{Verb: Edit, Args: `{"a":1}`}, nil
	})})
	p := shell("make", "make")
	if d, err := g.Decide(t.Context(), p, nil); err != nil || d.Allowed {
		t.Errorf("what cannot be rewritten: %+v, %v", d, err)
	}
	p.Edit = &tools.Edit{Arg: "command"}
	var r *Rewrite
	if d, err := g.Decide(t.Context(), p, nil); !errors.As(err, &r) || d.Allowed || string(r.Args) != `{"a":1}` {
		t.Errorf("what can: %+v, %v", d, err)
	}
	p.Edit, p.Options = &tools.Edit{Arg: "command"}, []tools.Option{{ID: "x"}}
	if d, err := g.Decide(t.Context(), p, nil); err != nil || d.Allowed {
		t.Errorf("a picker: %+v, %v", d, err)
	}
	// The card is free again after each of them.
	if err := g.await(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestNobodyToAskBlocksAndNamesWhatWouldAllow(t *testing.T) {
	g := New(Config{Policy: LowRisk})
	for want, p := range map[string]*tools.Proposal{
		"--approval-policy high-risk": shell("make", ""),
		"--approval-policy yolo":      {Spec: tools.Spec{Name: "shell"}, Manual: "it rewrites history"},
		"bind an analyze:image":       {Spec: tools.Spec{Name: "analyze_media"}, Options: []tools.Option{{ID: "a"}}, Unbound: "an analyze:image companion"},
	} {
		d, err := g.Decide(context.Background(), p, nil)
		if err != nil || d.Allowed || d.By != tools.ByNobody || !strings.Contains(d.Reason, want) {
			t.Errorf("%s: %+v, %v", want, d, err)
		}
	}
}

func TestTheClassifierIsAskedOnlyWhenItCouldChangeTheAnswer(t *testing.T) {
	calls := 0
	deny := askerFunc(func(context.Context, Request) (Answer, error) { return Answer{}, nil })
	for _, c := range []struct {
		policy Policy
		p      *tools.Proposal
		tool   bool
		want   int
	}{
		{LowRisk, shell("ls", ""), false, 1},
		{ReadOnly, shell("ls", ""), false, 1},
		{Strict, shell("ls", ""), false, 0},
		{HighRisk, shell("ls", ""), false, 0},
		{Yolo, shell("ls", ""), false, 0},
		{LowRisk, shell("ls", ""), true, 0},
		{LowRisk, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Command: "$X", Dynamic: true}, false, 0},
		{LowRisk, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Command: "git push", Manual: "it pushes"}, false, 0},
		{LowRisk, &tools.Proposal{Spec: tools.Spec{Name: "shell"}, Command: "sudo", Denied: "no"}, false, 0},
		{LowRisk, &tools.Proposal{Spec: tools.Spec{Name: "write", Risk: tools.High}, Command: "x"}, false, 0},
	} {
		calls = 0
		g := New(Config{Policy: c.policy, Asker: deny, Classifier: classifierFunc(func(Evidence) tools.Risk { calls++; return tools.High })})
		if c.tool {
			g.AllowTool("shell")
		}
		if _, err := g.Decide(context.Background(), c.p, nil); err != nil {
			t.Fatal(err)
		}
		if calls != c.want {
			t.Errorf("%s, %+v: %d classifier calls, want %d", c.policy, c.p, calls, c.want)
		}
	}
}

func TestEvidenceHoldsTheNewestRequestsWithinItsBound(t *testing.T) {
	var got Evidence
	judge := classifierFunc(func(e Evidence) tools.Risk { got = e; return tools.Low })
	g := New(Config{Policy: LowRisk, Classifier: judge, Attended: true})
	for _, s := range []string{"zero", "one", "two", "three", "four", strings.Repeat("é", 790)} {
		g.Heard(s)
	}
	if _, err := g.Decide(context.Background(), shell("ls", ""), nil); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(got.UserRequests, "")
	if n := len([]rune(all)); n > 800 || !strings.HasPrefix(all, "threefour") && !strings.Contains(all, "four") || strings.Contains(all, "zero") {
		t.Errorf("evidence of %d characters: %.40q", n, all)
	}
	g = New(Config{Policy: LowRisk, Classifier: judge})
	g.Heard("delete everything")
	if _, err := g.Decide(context.Background(), shell("ls", ""), nil); err != nil || len(got.UserRequests) != 0 {
		t.Errorf("unattended evidence: %q, %v", got.UserRequests, err)
	}
}

func TestAPickerNeedsOneOfItsRows(t *testing.T) {
	for choice, allowed := range map[string]bool{"a": true, "b": false, "": false} {
		g := New(Config{Policy: Yolo, Asker: askerFunc(func(context.Context, Request) (Answer, error) {
			return Answer{Verb: Once, Choice: choice}, nil
		})})
		d, err := g.Decide(context.Background(), &tools.Proposal{Options: []tools.Option{{ID: "a"}}}, nil)
		if err != nil || d.Allowed != allowed {
			t.Errorf("choice %q: %+v, %v", choice, d, err)
		}
	}
}

func TestAnInterruptLeavesTheCardAndTheQueue(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g := New(Config{Policy: LowRisk, Asker: askerFunc(func(ctx context.Context, _ Request) (Answer, error) {
		cancel()
		<-ctx.Done()
		return Answer{}, ctx.Err()
	})})
	if _, err := g.Decide(ctx, shell("make", ""), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if _, err := g.Decide(ctx, shell("make", ""), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("second: err = %v", err)
	}
}

func TestAToolIsAllowedInTheVersionThatWasShown(t *testing.T) {
	asked := 0
	g := New(Config{Policy: LowRisk, Asker: askerFunc(func(context.Context, Request) (Answer, error) {
		asked++
		return Answer{Verb: AlwaysTool}, nil
	})})
	for i, c := range []struct {
		version string
		asked   int
	}{{"a", 1}, {"a", 1}, {"b", 2}, {"a", 2}, {"b", 2}, {"c", 3}} {
		p := &tools.Proposal{Spec: tools.Spec{Name: "mcp_docs_search", Risk: tools.High}, Version: c.version}
		if d, err := g.Decide(context.Background(), p, nil); err != nil || !d.Allowed || asked != c.asked {
			t.Errorf("call %d: decision %+v, err %v, %d cards, want %d", i, d, err, asked, c.asked)
		}
	}
	g.AllowTool("mcp_docs_search") // by name: whatever the version
	p := &tools.Proposal{Spec: tools.Spec{Name: "mcp_docs_search", Risk: tools.High}, Version: "d"}
	if d, err := g.Decide(context.Background(), p, nil); err != nil || d.By != tools.ByTool || asked != 3 {
		t.Errorf("decision %+v, err %v, %d cards", d, err, asked)
	}
	if got := strings.Join(g.Tools(), " "); got != "mcp_docs_search" {
		t.Errorf("allowed tools: %s", got)
	}
}
