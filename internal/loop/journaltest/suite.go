package journaltest

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Journal is loop.Journal, repeated so that both the loop and the store can
// be tested without importing each other.
type Journal interface {
	Together(f func() error) error
	Append(m *llm.Message) error
	Request(by, c tools.Call) error
	Propose(p *tools.Proposal) error
	Revise(p *tools.Proposal) error
	Decide(c tools.Call, d tools.Decision) error
	Start(c tools.Call) error
	Settle(c tools.Call, o tools.Outcome, took time.Duration) error
	Used(x llm.Expense) error
	Failed(text string) error
	Clear(keep, before, after int) error
	Compact(summary, facts string, keep, before, after int) error
}

// Run checks that a journal allows each transition of a call once, in order,
// and refuses every other one.
func Run(t *testing.T, open func(t *testing.T) Journal) {
	call := tools.Call{ID: "c1", Tool: "write", Args: json.RawMessage(`{}`)}
	proposal := &tools.Proposal{Call: call, Spec: tools.Spec{Name: "write"}, Summary: "a.txt"}
	steps := map[string]func(Journal) error{
		"request": func(j Journal) error {
			return j.Append(&llm.Message{Role: llm.Assistant, Parts: []llm.Part{{Kind: llm.CallPart, Call: &llm.Call{ID: "c1", Name: "write", Args: call.Args}}}})
		},
		"make": func(j Journal) error {
			return j.Request(call, tools.Call{ID: "c2", Tool: "read", Args: json.RawMessage(`{}`)})
		},
		"propose it": func(j Journal) error {
			return j.Propose(&tools.Proposal{Call: tools.Call{ID: "c2", Tool: "read", Args: json.RawMessage(`{}`)}, Spec: tools.Spec{Name: "read"}, Summary: "a.txt"})
		},
		"refuse it":  func(j Journal) error { return j.Decide(tools.Call{ID: "c2"}, tools.Decision{By: tools.ByArguments}) },
		"settle it":  func(j Journal) error { return j.Settle(tools.Call{ID: "c2"}, tools.Outcome{Kind: tools.OK}, 0) },
		"propose":    func(j Journal) error { return j.Propose(proposal) },
		"revise":     func(j Journal) error { return j.Revise(proposal) },
		"allow":      func(j Journal) error { return j.Decide(call, tools.Decision{Allowed: true, By: tools.ByPolicy}) },
		"refuse":     func(j Journal) error { return j.Decide(call, tools.Decision{By: tools.ByPerson}) },
		"start":      func(j Journal) error { return j.Start(call) },
		"clear":      func(j Journal) error { return j.Clear(1, 900, 500) },
		"clear all":  func(j Journal) error { return j.Clear(9, 900, 500) },
		"compact":    func(j Journal) error { return j.Compact("what happened", "facts", 1, 900, 300) },
		"say":        func(j Journal) error { return j.Append(llm.UserText("more")) },
		"blank":      func(j Journal) error { return j.Compact("", "facts", 1, 900, 300) },
		"compact it": func(j Journal) error { return j.Compact("what happened", "", 9, 900, 300) },
		"settle":     func(j Journal) error { return j.Settle(call, tools.Outcome{Kind: tools.OK, Text: "ok"}, time.Second) },
	}
	for _, c := range []struct {
		name string
		do   []string // all but the last must succeed
		ok   bool
	}{
		{"a call that runs", []string{"request", "propose", "allow", "start", "settle"}, true},
		{"a call that is denied", []string{"request", "propose", "refuse", "settle"}, true},
		{"a call that cannot be proposed", []string{"request", "refuse", "settle"}, true},
		{"a call that an interrupt overtook", []string{"request", "settle"}, true},
		{"a call that was never begun", []string{"request", "propose", "allow", "settle"}, true},
		{"an operator's call", []string{"propose", "allow", "start", "settle"}, true},
		{"a call that a person rewrote twice", []string{"request", "propose", "revise", "revise", "allow", "start", "settle"}, true},
		{"a rewritten call that is denied", []string{"request", "propose", "revise", "refuse", "settle"}, true},
		{"a rewritten call that an interrupt overtook", []string{"request", "propose", "revise", "settle"}, true},
		{"a call that makes one", []string{"request", "propose", "allow", "start", "make", "propose it", "settle it", "settle"}, true},
		{"a call that makes one that cannot be proposed", []string{"request", "propose", "allow", "start", "make", "refuse it", "settle it", "settle"}, true},
		{"making a call before it has started", []string{"request", "propose", "allow", "make"}, false},
		{"making a call after it has settled", []string{"request", "propose", "allow", "start", "settle", "make"}, false},
		{"making a call twice", []string{"request", "propose", "allow", "start", "make", "make"}, false},
		{"rewriting what was not proposed", []string{"request", "revise"}, false},
		{"rewriting what was decided", []string{"request", "propose", "allow", "revise"}, false},
		{"rewriting what was refused", []string{"request", "propose", "refuse", "revise"}, false},
		{"rewriting what has started", []string{"request", "propose", "allow", "start", "revise"}, false},
		{"rewriting what has settled", []string{"request", "propose", "settle", "revise"}, false},
		{"rewriting what nobody asked for", []string{"revise"}, false},
		{"starting what was rewritten and not decided", []string{"request", "propose", "revise", "start"}, false},
		{"requesting twice", []string{"request", "request"}, false},
		{"proposing twice", []string{"request", "propose", "propose"}, false},
		{"allowing what was not proposed", []string{"request", "allow"}, false},
		{"deciding twice", []string{"request", "propose", "allow", "refuse"}, false},
		{"starting what was not decided", []string{"request", "propose", "start"}, false},
		{"starting what was refused", []string{"request", "propose", "refuse", "start"}, false},
		{"starting twice", []string{"request", "propose", "allow", "start", "start"}, false},
		{"starting what has settled", []string{"request", "propose", "allow", "start", "settle", "start"}, false},
		{"settling twice", []string{"request", "propose", "allow", "start", "settle", "settle"}, false},
		{"settling what nobody asked for", []string{"settle"}, false},
		{"leaving out old results", []string{"say", "clear"}, true},
		{"a summary in the place of old messages", []string{"say", "compact"}, true},
		{"a summary after a summary", []string{"say", "compact", "say", "clear", "compact"}, true},
		{"a summary that says nothing", []string{"say", "blank"}, false},
		{"a summary of nothing", []string{"say", "compact it"}, false},
		{"leaving out the results of nothing", []string{"say", "clear all"}, false},
	} {
		t.Run(c.name, func(t *testing.T) { one(t, begun(t, open), steps, c.do, c.ok) })
		t.Run(c.name+", together", func(t *testing.T) { together(t, begun(t, open), steps, c.do, c.ok) })
	}
	t.Run("an error of the caller's", func(t *testing.T) {
		j, wrong := open(t), errors.New("wrong")
		err := j.Together(func() error { return errors.Join(j.Append(llm.UserText("hello")), steps["request"](j), wrong) })
		if !errors.Is(err, wrong) {
			t.Fatal(err)
		}
		if err := steps["request"](j); err != nil {
			t.Errorf("it was recorded: %v", err)
		}
	})
}

func begun(t *testing.T, open func(t *testing.T) Journal) Journal {
	t.Helper()
	j := open(t)
	if err := j.Append(llm.UserText("hello")); err != nil {
		t.Fatal(err)
	}
	return j
}

// one takes steps one by one, of which all but the last must succeed.
func one(t *testing.T, j Journal, steps map[string]func(Journal) error, do []string, ok bool) {
	t.Helper()
	for i, s := range do {
		err := steps[s](j)
		last := i == len(do)-1
		if !last && err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if last && (err == nil) != ok {
			t.Errorf("%v: the last step returned %v", do, err)
		}
	}
}

// together takes the steps in one commit: either all of them are recorded, or none.
func together(t *testing.T, j Journal, steps map[string]func(Journal) error, do []string, ok bool) {
	t.Helper()
	err := j.Together(func() error {
		for _, s := range do {
			if err := steps[s](j); err != nil {
				return err
			}
		}
		return nil
	})
	if (err == nil) != ok {
		t.Fatalf("%v together: %v", do, err)
	}
	if ok {
		return
	}
	for _, s := range do[:len(do)-1] {
		if err := steps[s](j); err != nil {
			t.Errorf("after a commit that failed, %s: %v", s, err)
		}
	}
}
