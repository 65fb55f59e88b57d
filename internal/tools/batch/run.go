package batch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxOutput bounds what a batch returns, in bytes, split evenly among what is
// shown of its calls.
const maxOutput = 50_000

// A batch is the steps of one call, and how far they got.
type batch struct {
	steps []step
	next  int      // the first step of which nothing has become yet
	calls int      // that were made
	made  [][]int  // of each step, the calls that were made for it, counted from 0
	left  []string // of each step, why it was not made; "" when it was
}

// Next implements tools.Batch: the steps from the first that is left to the last
// before one that waits for them.
func (b *batch) Next(ended []tools.Record) []tools.Call {
	var list []tools.Call
	for ; b.next < len(b.steps); b.next++ {
		s := b.steps[b.next]
		if slices.ContainsFunc(s.refs, func(r reference) bool { return b.runs(r.name, len(ended)) }) {
			return list
		}
		calls, err := b.resolve(s, ended)
		switch {
		case err != nil:
			b.left[b.next] = err.Error()
			continue
		case b.calls+len(calls) > maxCalls:
			b.left[b.next] = fmt.Sprintf("it would come to %d calls in all, and %d are allowed", b.calls+len(calls), maxCalls)
			continue
		case len(calls) == 0:
			b.left[b.next] = "there is nothing in the list that it goes through"
			continue
		}
		for range calls {
			b.made[b.next] = append(b.made[b.next], b.calls)
			b.calls++
		}
		list = append(list, calls...)
	}
	return list
}

// of returns the step that binds a name.
func (b *batch) of(name string) int {
	return slices.IndexFunc(b.steps, func(s step) bool { return s.bind == name })
}

// runs reports whether calls of the step that binds a name have not ended.
func (b *batch) runs(name string, ended int) bool {
	return slices.ContainsFunc(b.made[b.of(name)], func(call int) bool { return call >= ended })
}

// resolve returns the calls that a step comes to.
func (b *batch) resolve(s step, ended []tools.Record) ([]tools.Call, error) {
	var list []string
	through := false
	for _, r := range s.refs {
		v, err := b.result(r.name, ended)
		if err != nil {
			return nil, err
		}
		if r.each {
			list, through = v.files, true
		}
	}
	if !through {
		list = []string{""}
	}
	var calls []tools.Call
	for _, item := range list {
		args, err := replace(s.args, 0, func(r reference) (json.RawMessage, error) {
			v, err := b.result(r.name, ended)
			switch {
			case err != nil:
				return nil, err
			case r.each:
				return encode(item), nil
			case r.what == "output":
				return encode(v.text), nil
			case r.what == "files":
				return encode(v.files), nil
			case r.at >= len(v.files):
				return nil, fmt.Errorf("%s has %d files, and %s is asked for", r.name, len(v.files), r.text)
			}
			return encode(v.files[r.at]), nil
		})
		if err != nil {
			return nil, err
		}
		calls = append(calls, tools.Call{Tool: s.tool, Args: args})
	}
	return calls, nil
}

// A result is what the calls of one step returned.
type result struct {
	text  string
	files []string
}

// result returns what a name stands for, or why there is nothing.
func (b *batch) result(name string, ended []tools.Record) (result, error) {
	v := result{files: []string{}}
	i := b.of(name)
	if b.left[i] != "" {
		return v, fmt.Errorf("[%d], whose result it uses, was not made", i+1)
	}
	var texts []string
	for _, c := range b.made[i] {
		o := ended[c].Outcome
		if o.Kind != tools.OK {
			return v, fmt.Errorf("[%d], whose result it uses, ended as %s", i+1, o.Kind)
		}
		texts = append(texts, o.Text)
		for _, f := range filesOf(o) {
			if !slices.Contains(v.files, f) {
				v.files = append(v.files, f)
			}
		}
	}
	v.text = strings.Join(texts, "\n")
	return v, nil
}

// filesOf are the paths that a call found, or else those that it changed and that
// are still there.
func filesOf(o tools.Outcome) []string {
	if len(o.Files) > 0 {
		return o.Files
	}
	var list []string
	for _, c := range o.Changes {
		if c.Kind != "D" {
			list = append(list, c.Path)
		}
	}
	return list
}

// Outcome implements tools.Batch. The batch itself succeeds when it was not
// stopped: how each call ended is said of that call.
func (b *batch) Outcome(ended []tools.Record, stopped bool) tools.Outcome {
	o := tools.Outcome{Kind: tools.OK, Started: true}
	shown := 0
	for i := range b.steps {
		shown += max(1, len(b.made[i]))
	}
	limit := tools.TextLimit{MaxBytes: max(maxOutput/shown-200, 500), MaxLines: 1800 / shown}
	var text strings.Builder
	counts := map[string]int{}
	for i, s := range b.steps {
		for n, c := range b.made[i] {
			head := fmt.Sprintf("--- [%d] %s ---", i+1, tools.CleanLine(s.tool))
			if len(b.made[i]) > 1 {
				head = fmt.Sprintf("--- [%d.%d] %s ---", i+1, n+1, tools.CleanLine(s.tool))
			}
			if c >= len(ended) {
				counts["not made"]++
				fmt.Fprintf(&text, "%s\n[not made: the turn ended before; nothing happened]\n", head)
				continue
			}
			r := ended[c]
			counts[r.Outcome.Kind.String()]++
			body, cut := limit.Bound(r.Outcome.Told(), "make the call by itself to see the rest")
			if s.bind != "" && r.Outcome.Kind == tools.OK {
				body, cut = fmt.Sprintf("(bound to %s and left out here: %d bytes)", s.bind, len(r.Outcome.Text)), false
			}
			o.Truncated = o.Truncated || cut
			if r.Outcome.Kind == tools.Uncertain {
				body = "UNCERTAIN: the call " + r.Call.ID + " may have happened.\n" + body
			}
			fmt.Fprintf(&text, "%s\n%s\n", head, strings.TrimRight(body, "\n"))
			o.Images = append(o.Images, r.Outcome.Images...)
		}
		if len(b.made[i]) == 0 {
			why := b.left[i]
			if why == "" {
				why = "the turn ended before"
			}
			counts["not made"]++
			fmt.Fprintf(&text, "--- [%d] %s ---\n[not made: %s; nothing happened]\n", i+1, tools.CleanLine(s.tool), why)
		}
	}
	var words []string
	for _, k := range []string{"ok", "error", "blocked", "cancelled", "uncertain", "not made"} {
		if counts[k] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[k], k))
		}
	}
	summary := strings.Join(words, ", ")
	o.Text = text.String() + summary
	o.Show = []tools.Section{{Kind: tools.Text, Body: summary}}
	if stopped {
		o.Kind = tools.Cancelled
	}
	return o
}
