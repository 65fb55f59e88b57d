// Package toolstest checks the promises that every tool keeps: proposing
// changes nothing, nothing happens without a decision, a changed world stops
// what was proposed for the old one, a cancelled call comes back, results fit,
// and the schema says what the tool accepts. A tool's own test calls [Run] with
// a typical call; what the tool is for is tested beside it.
package toolstest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Case is one call of one tool, in a folder of its own.
type Case struct {
	// New makes the tool, to work in root.
	New func(root string) tools.Tool
	// Args are the arguments of a call that can be proposed.
	Args string
	// Setup, when not nil, fills root before the tool is made. Anything it has
	// to do with the tool itself, such as reading a file first, New can do.
	Setup func(root string)
	// Mutate, when not nil, changes the world after the proposal, so that
	// carrying it out has to stop.
	Mutate func(root string)
	// Done, when not nil, ends what the tool left running, before root is removed.
	Done func()
	// Foreign says that somebody else defines the tool and what it accepts: its
	// arguments are forwarded, and neither its schema nor strictness is ours.
	Foreign bool
	// Limit bounds the text of a result; zero means [tools.DefaultTextLimit].
	Limit tools.TextLimit
}

// patience bounds how long a cancelled call may take. It is no measure of
// speed: only a call that does not come back at all reaches it.
const patience = 30 * time.Second

// Run checks every promise in a subtest of its own.
func Run(t *testing.T, c Case) {
	t.Helper()
	for _, p := range []struct {
		name  string
		check func(*testing.T, Case)
	}{
		{"the declaration is complete", declares},
		{"the schema describes the arguments", describes},
		{"unknown arguments are refused", refusesUnknown},
		{"proposing changes nothing", proposesOnly},
		{"without a decision nothing happens", waits},
		{"a changed world stops it", stopsWhenStale},
		{"a cancelled call comes back", comesBack},
		{"the result fits", fits},
	} {
		t.Run(p.name, func(t *testing.T) { p.check(t, c) })
	}
}

// start sets a case up and returns its folder and its tool.
func start(t *testing.T, c Case) (string, tools.Tool) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if c.Setup != nil {
		c.Setup(root)
	}
	if c.Done != nil {
		t.Cleanup(c.Done)
	}
	return root, c.New(root)
}

func call(tool tools.Tool, args string) tools.Call {
	return tools.Call{ID: "call-1", Tool: tool.Spec().Name, Args: json.RawMessage(args)}
}

func propose(t *testing.T, tool tools.Tool, c Case) *tools.Proposal {
	t.Helper()
	p, err := tool.Propose(context.Background(), call(tool, c.Args))
	if err != nil {
		t.Fatalf("propose: %v", err)
	}
	return p
}

func allowed(p *tools.Proposal) tools.Decision {
	d := tools.Decision{Allowed: true, By: tools.ByPerson, At: time.Unix(0, 0)}
	if len(p.Options) > 0 {
		d.Choice = p.Options[0].ID
	}
	return d
}

func declares(t *testing.T, c Case) {
	_, tool := start(t, c)
	s := tool.Spec()
	if s.Name == "" || len(s.Name) > 64 || strings.Trim(s.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		t.Errorf("%q is no name that every provider takes", s.Name)
	}
	if s.Description == "" {
		t.Error("no description")
	}
	p := propose(t, tool, c)
	if p.Call.ID != "call-1" || p.Spec.Name != s.Name || p.Summary == "" || p.Do == nil {
		t.Errorf("the proposal lacks its call, its spec, its summary or its effect: %+v", p)
	}
	if strings.ContainsAny(p.Summary, "\n\r\x1b") {
		t.Errorf("the summary is not one clean line: %q", p.Summary)
	}
}

func describes(t *testing.T, c Case) {
	if c.Foreign {
		return
	}
	_, tool := start(t, c)
	var schema struct {
		Type       string
		Properties map[string]struct {
			Type        any
			Description string
		}
		Required   []string
		Additional *bool `json:"additionalProperties"`
	}
	if err := json.Unmarshal(tool.Spec().Schema, &schema); err != nil {
		t.Fatalf("the schema is no JSON object: %v", err)
	}
	if schema.Type != "object" || schema.Additional == nil || *schema.Additional {
		t.Errorf("the schema is not that of an object without other properties: %s", tool.Spec().Schema)
	}
	for name, p := range schema.Properties {
		if p.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
		t.Fatal(err)
	}
	for _, name := range schema.Required {
		if _, ok := args[name]; !ok {
			t.Errorf("%s is required, but the example works without it", name)
		}
	}
	for name := range args {
		if _, ok := schema.Properties[name]; !ok {
			t.Errorf("%s is accepted, but not in the schema", name)
		}
	}
}

func refusesUnknown(t *testing.T, c Case) {
	if c.Foreign {
		return
	}
	_, tool := start(t, c)
	var args map[string]any
	if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
		t.Fatal(err)
	}
	args["_confirmed"] = true
	more, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	var r *tools.Refusal
	if _, err := tool.Propose(context.Background(), call(tool, string(more))); !errors.As(err, &r) || r.Block != tools.InvalidArguments {
		t.Errorf("an unknown argument gave %v, want a refusal: invalid arguments", err)
	}
}

func proposesOnly(t *testing.T, c Case) {
	root, tool := start(t, c)
	before := Sum(t, root)
	propose(t, tool, c)
	same(t, root, before, "proposing")
}

func waits(t *testing.T, c Case) {
	root, tool := start(t, c)
	before := Sum(t, root)
	p := propose(t, tool, c)
	if out := p.Execute(context.Background(), tools.Decision{}, nil); out.Kind != tools.Blocked {
		t.Errorf("without a decision it was %v, want blocked", out.Kind)
	}
	same(t, root, before, "a call that nobody allowed")
}

func stopsWhenStale(t *testing.T, c Case) {
	if c.Mutate == nil {
		return
	}
	root, tool := start(t, c)
	p := propose(t, tool, c)
	c.Mutate(root)
	before := Sum(t, root)
	out := p.Execute(context.Background(), allowed(p), nil)
	if out.Kind != tools.Blocked || out.Block != tools.Stale || out.Text == "" {
		t.Errorf("it was %v %v %q, want blocked, stale, and why", out.Kind, out.Block, out.Text)
	}
	same(t, root, before, "a call that came too late")
}

func comesBack(t *testing.T, c Case) {
	root, tool := start(t, c)
	p := propose(t, tool, c)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := Sum(t, root)
	done := make(chan tools.Outcome, 1)
	go func() {
		_, _ = tool.Propose(ctx, call(tool, c.Args)) // either answer will do, as long as there is one
		done <- p.Execute(ctx, allowed(p), nil)
	}()
	select {
	case out := <-done:
		if out.Kind == tools.OK && p.Spec.Effect == tools.SideEffecting {
			t.Error("a call cancelled before it began says that it succeeded")
		}
		if out.Kind == tools.Blocked || out.Kind == tools.Cancelled && !out.Started {
			same(t, root, before, "a call that did not start")
		}
	case <-time.After(patience):
		t.Fatal("it did not come back")
	}
}

func fits(t *testing.T, c Case) {
	_, tool := start(t, c)
	p := propose(t, tool, c)
	out := p.Execute(context.Background(), allowed(p), nil)
	if p.Batch != nil {
		out = made(p.Batch)
	}
	limit := c.Limit
	if limit == (tools.TextLimit{}) {
		limit = tools.DefaultTextLimit()
	}
	if len(out.Text) > limit.MaxBytes || strings.Count(out.Text, "\n")+1 > limit.MaxLines {
		t.Errorf("the result has %d bytes and %d lines, the limit is %+v", len(out.Text), strings.Count(out.Text, "\n")+1, limit)
	}
	if out.Kind != tools.OK {
		t.Errorf("the example was %v: %s", out.Kind, out.Text)
	}
}

// made has the calls of a batch end as well as they can, with more than fits.
func made(b tools.Batch) tools.Outcome {
	var ended []tools.Record
	for calls := b.Next(nil); len(calls) > 0; calls = b.Next(ended) {
		for _, c := range calls {
			ended = append(ended, tools.Record{Call: c, State: tools.Settled, Outcome: tools.Outcome{Kind: tools.OK, Text: strings.Repeat("a line\n", 10_000)}})
		}
	}
	return b.Outcome(ended, false)
}

func same(t *testing.T, root, before, what string) {
	t.Helper()
	if after := Sum(t, root); after != before {
		t.Errorf("%s changed the tree", what)
	}
}

// Sum returns a hash over everything below root that a change would show in:
// names, kinds, permissions, link targets, contents and times of change.
func Sum(t testing.TB, root string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %v %d\n", path, st.Mode(), st.ModTime().UnixNano())
		switch {
		case st.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(h, "%q\n", target)
			return err
		case st.Mode().IsRegular():
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			_, err = io.Copy(h, f)
			return errors.Join(err, f.Close())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
