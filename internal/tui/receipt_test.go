package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// everyReceipt is a turn with a call of every outcome.
func everyReceipt() []loop.Event {
	zero, three := 0, 3
	records := []tools.Record{
		{
			Call: callOf("r1", "shell"), Summary: "go test ./...", Took: 1200 * time.Millisecond, Decision: tools.Decision{Allowed: true, By: tools.ByClassifier, Reason: "classified low-risk", Verdict: tools.Low},
			Outcome: tools.Outcome{Kind: tools.OK, ExitCode: &zero, Text: "ok  \tzuno/internal/a\t0.1s\nok  \tzuno/internal/b\t0.2s\n"},
		},
		{
			Call: callOf("r2", "shell"), Summary: "make lint", Was: []byte(`{"command":"make lnt"}`), Took: 65 * time.Second, Decision: tools.Decision{Allowed: true, By: tools.ByPerson, Reason: "changed by you, then run once", Verdict: tools.High},
			Outcome: tools.Outcome{Kind: tools.OK, ExitCode: &three, Truncated: true, Text: strings.Repeat("warning: something\n", 30) + "done\n"},
		},
		{
			Call: callOf("r3", "apply_patch"), Summary: "3 files", Took: 20 * time.Millisecond, Decision: tools.Decision{Allowed: true, By: tools.ByPerson, Reason: "always allow apply_patch in this session"},
			Outcome: tools.Outcome{Kind: tools.OK, Show: []tools.Section{{Kind: tools.Diff, Body: sampleDiff}}, Changes: []tools.Change{
				{Path: "internal/loop/run.go", Kind: "M", Added: 3, Removed: 2}, {Path: "new.go", Kind: "A", Added: 10}, {Path: "b.go", From: "a.go", Kind: "R"},
			}},
		},
		{
			Call: callOf("r4", "write"), Summary: "../outside.txt", Decision: tools.Decision{By: tools.ByPerson, Reason: "denied by the user: nothing ran. Do not try the same effect another way. The user says: not there"},
			Outcome: tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: "denied by the user: nothing ran. Do not try the same effect another way. The user says: not there"},
		},
		{
			Call: callOf("r5", "shell"), Summary: "rm -rf /", Decision: tools.Decision{By: tools.ByDenylist, Reason: "it removes the root directory"},
			Outcome: tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: "it removes the root directory, and everything below it; " + strings.Repeat("this is explained at length ", 6)},
		},
		{Call: callOf("r6", "frobnicate"), Outcome: tools.Outcome{Kind: tools.Blocked, Block: tools.Unavailable, Text: "there is no tool frobnicate"}},
		{
			Call: callOf("r7", "webfetch"), Summary: "https://example.org", Took: 8 * time.Second, Decision: tools.Decision{Allowed: true, By: tools.ByPolicy, Reason: "policy high-risk"},
			Outcome: tools.Outcome{Kind: tools.Error, Text: "fetch https://example.org: connection refused"},
		},
		{Call: callOf("r8", "shell"), Summary: "sleep 100", Took: 3 * time.Second, Outcome: tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "partial\n"}},
		{Call: callOf("r9", "write"), Summary: "b.txt", Outcome: tools.Outcome{Kind: tools.Cancelled}},
		{
			Call: callOf("r10", "shell"), Summary: "make deploy", Took: 3 * time.Minute, Decision: tools.Decision{Allowed: true, By: tools.ByPerson, Reason: "run once"},
			Outcome: tools.Outcome{Kind: tools.Uncertain, Text: "the time limit of 3m0s passed while it ran"},
		},
		{
			Call: callOf("r11", "shell"), Summary: "git status", Operator: true, Took: 5 * time.Millisecond, Decision: tools.Decision{Allowed: true, By: tools.ByOperator},
			Outcome: tools.Outcome{Kind: tools.OK, ExitCode: &zero},
		},
	}
	evs := []loop.Event{loop.Prompted{Text: "do it all"}, loop.Thought{Text: "hm"}, loop.Delta{Text: "First I look around.\n\n"}, loop.Stepped{Calls: 3}}
	for i, x := range []string{"read", "read", "grep"} {
		evs = append(evs, loop.Settled{Record: tools.Record{
			Call: callOf(fmt.Sprint("e", i), x), Summary: "file" + fmt.Sprint(i), Effect: tools.ReadOnly, Took: 2 * time.Millisecond,
			Decision: tools.Decision{Allowed: true, By: tools.ByEffect, Reason: "read-only"}, Outcome: tools.Outcome{Kind: tools.OK, Text: "x"},
		}})
	}
	evs = append(evs, loop.Delta{Text: "Now the work."}, loop.Stepped{Calls: len(records)})
	for _, r := range records {
		evs = append(evs, loop.Settled{Record: r})
	}
	return append(evs, loop.Noticed{Text: "the provider was busy: tried again after 2s"}, loop.Delta{Text: "All done.\n"}, loop.Stepped{}, loop.Ended{Took: 125 * time.Second})
}

func TestATurnLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		r := newRig(t, w, 30).boot(approval.LowRisk)
		r.events(everyReceipt()...)
		golden(t, fmt.Sprintf("turn-%d", w), append(append(r.lines, strings.Repeat("=", 10)), r.shown.rows...))
	}
}

func TestTheLiveZoneLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		r := newRig(t, w, 30).boot(approval.LowRisk)
		begun(r, "go")
		var rows []string
		shot := func() { rows = append(append(rows, r.shown.rows...), strings.Repeat("=", 10)) }
		r.events(loop.Prompted{Text: "go"}, loop.Thought{Text: "one\nI should look at the loop first"})
		shot()
		r.events(loop.Delta{Text: "Let me **look**.\n\nThere is"})
		shot()
		r.events(loop.Stepped{Calls: 4})
		shot()
		a, b, c, d := callOf("1", "read"), callOf("2", "shell"), callOf("3", "apply_patch"), callOf("4", "task")
		for i, x := range []tools.Call{a, b, c, d} {
			r.events(loop.Proposed{Call: x, Proposal: &tools.Proposal{Call: x, Summary: []string{"main.go", "go test ./...", "internal/loop/run.go", "explore the tests"}[i]}})
		}
		r.events(loop.Classifying{Call: b}, loop.Asked{Call: c}, loop.Started{Call: d}, loop.Progress{Call: d, Progress: tools.Progress{Text: "line one\nreading loop_test.go\n"}},
			loop.Decided{Call: a, Decision: tools.Decision{By: tools.ByRule}})
		shot()
		r.events(loop.Settled{Record: tools.Record{Call: a, Summary: "main.go", Effect: tools.ReadOnly, Outcome: tools.Outcome{Kind: tools.OK}}})
		r.keys("esc")
		shot()
		golden(t, fmt.Sprintf("live-%d", w), rows)
	}
}

// What an uncertain call says of itself is not said once more.
func TestAnUncertainCallIsAdvisedOnce(t *testing.T) {
	for _, text := range []string{"zuno ended while this was running: it may have happened, in full, in part or not at all", "no answer came in time"} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.events(loop.Settled{Record: tools.Record{Call: callOf("1", "shell"), Summary: "make deploy", Outcome: tools.Outcome{Kind: tools.Uncertain, Started: true, Text: text}}})
		got := strings.Join(strings.Fields(ansi.Strip(r.printedText())), " ")
		if strings.Count(strings.ToLower(got), "may have happened") != 1 || !strings.Contains(got, notAgain) {
			t.Error(got)
		}
	}
}

// Of calls that were never proposed it can be told which is which.
func TestACallThatWasNotProposedIsToldApart(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	for _, args := range []string{`{"command":"make deploy"}`, `{"command":"\u001b[2J` + strings.Repeat("x", 500) + `"}`, `{}`} {
		r.events(loop.Settled{Record: tools.Record{Call: tools.Call{ID: args, Tool: "shell", Args: json.RawMessage(args)}, Outcome: tools.Outcome{Kind: tools.Cancelled}}})
	}
	got := ansi.Strip(r.printedText())
	if !strings.Contains(got, `shell       {"command":"make deploy"}  cancelled`) || strings.Contains(got, strings.Repeat("x", mostAsked)) || strings.Contains(got, "{}") {
		t.Error(got)
	}
}

func TestATitleIsBrokenBetweenWordsAndLosesNothing(t *testing.T) {
	for s, want := range map[string]string{
		"tells the model how": "tells the |model how", "one": "one", "aaaaaaaaaaaaaaa": "aaaaaaaaaa|aaaaa", "a bbbbbbbbbbbbbb": "a bbbbbbbb|bbbbbb", "two  spaces   here": "two  |spaces   |here",
	} {
		if got := strings.Join(titleRows(style{}, s, 10), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A command that goes on is not told as one that has ended.
func TestAReceiptSaysThatACommandGoesOn(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.events(loop.Settled{Record: tools.Record{
		Call: callOf("1", "shell"), Summary: "make watch", Decision: tools.Decision{Allowed: true, By: tools.ByPerson}, Took: 2 * time.Minute,
		Outcome: tools.Outcome{Kind: tools.OK, Started: true, Text: "it runs", Show: []tools.Section{{Kind: tools.Text, Title: "goes on in the background as bg-1", Body: "tick"}}},
	}})
	zero := 0
	r.events(loop.Settled{Record: tools.Record{
		Call: callOf("2", "shell"), Summary: "serve &", Decision: tools.Decision{Allowed: true, By: tools.ByPerson},
		Outcome: tools.Outcome{Kind: tools.OK, Started: true, ExitCode: &zero, Show: []tools.Section{{Kind: tools.Text, Title: "exit 0", Body: "tock"}, {Kind: tools.Text, Title: "something still runs"}}},
	}})
	got := ansi.Strip(r.printedText())
	for _, want := range []string{"  goes on in the background as bg-1\n  │ tick", "  │ tock\n  something still runs"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// An answer that broke off and is asked for again is not told as one with the
// next: what nobody has seen settled goes, and what stands is said not to count.
func TestAnAnswerThatIsBegunAgainIsApart(t *testing.T) {
	again := loop.Noticed{Text: "the stream broke off; attempt 2 of 3 in 1s", Retry: true}
	for first, kept := range map[string]bool{"a good beg": false, "one line\n\na good beg": true, "```go\na good beg": true} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		begun(r, "go")
		r.events(loop.Prompted{Text: "go"}, loop.Thought{Text: "hm"}, loop.Delta{Text: first}, again)
		r.hides("a good beg")
		r.events(loop.Delta{Text: "A good beginning.\n"}, loop.Stepped{}, loop.Ended{})
		all := ansi.Strip(r.printedText())
		if strings.Contains(all, "a good beg") != kept || strings.Contains(all, "does not count") != kept || strings.Count(all, "A good beginning.") != 1 || strings.Contains(all, "begA") {
			t.Errorf("%q:\n%s", first, all)
		}
		if !strings.Contains(all, "attempt 2 of 3") || strings.Index(all, "attempt 2") > strings.Index(all, "A good beginning") {
			t.Errorf("%q: the notice is not between:\n%s", first, all)
		}
		if got := r.script.answer; got.text != "" {
			t.Errorf("%q is left", got.text)
		}
		var noted bool
		for _, e := range r.log.list {
			noted = noted || e.kind == entryNote && strings.Contains(e.text, "does not count")
		}
		if !noted {
			t.Errorf("%q: the transcript does not tell", first)
		}
	}
}

// A row is there for its state: no name pushes it off, whatever its length and
// the width.
func TestALiveRowAlwaysShowsItsState(t *testing.T) {
	name := "mcp__a_server_with_a_name__" + strings.Repeat("and_a_tool_", 30)
	for _, w := range []int{20, 40, 80, 120, 200} {
		th := newTheme([]string{"TERM=xterm-256color", "LANG=C.UTF-8"})
		for _, state := range []string{stateProposing, stateQueued, stateClassifying, stateAsking, stateRunning, stateSettling} {
			for _, tool := range []string{name, "日本語のツール" + name, "read"} {
				row := (&liveCall{tool: tool, subject: strings.Repeat("subject ", 50), state: state}).rows(th, w, "*", time.Time{})[0]
				if !strings.Contains(ansi.Strip(row), state) || width(row) > w {
					t.Errorf("at %d: %q has not %q, or is too wide", w, row, state)
				}
			}
		}
		row := laneRows(th, []lane{{kind: "bg", name: name, subject: "x", state: "running 10s", line: "out"}}, w)[0]
		if !strings.Contains(ansi.Strip(row), "running 10s") || width(row) > w {
			t.Errorf("at %d: %q", w, row)
		}
	}
}

func TestAReceiptIsPrintedOnce(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.events(everyReceipt()...)
	r.pass(time.Minute)
	all := r.printedText()
	for _, want := range []string{"explored", "go test ./...", "make deploy", "All done."} {
		if n := strings.Count(all, want); n != 1 {
			t.Errorf("%q is printed %d times", want, n)
		}
	}
}

func TestEveryEventHasItsPlace(t *testing.T) {
	c := callOf("x", "shell")
	for _, ev := range []loop.Event{
		loop.Prompted{},
		loop.Delta{},
		loop.Thought{},
		loop.Stepped{},
		loop.Proposed{Call: c},
		loop.Classifying{Call: c},
		loop.Classified{Call: c},
		loop.Asked{Call: c},
		loop.Decided{Call: c},
		loop.Started{Call: c},
		loop.Progress{Call: c},
		loop.Settled{Record: tools.Record{Call: c}},
		loop.Noticed{},
		loop.Used{},
		loop.Compacting{},
		loop.Measured{Used: 10, Window: 100},
		loop.Ended{},
	} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.events(ev)
		r.events(loop.Ended{})
		r.pass(time.Second)
		if s := r.frameText(); !strings.Contains(s, "ask zuno") {
			t.Errorf("after %T the live zone is\n%s", ev, s)
		}
	}
}

func TestAnsweredTextIsNotLostWhenTheTurnBreaksOff(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	begun(r, "go")
	r.events(loop.Prompted{Text: "go"}, loop.Delta{Text: "half an ans"})
	r.send(turnDoneMsg{err: canceled()})
	if got := ansi.Strip(strings.Join(r.lines, "\n")); !strings.Contains(got, "half an ans\n\n■ interrupted") {
		t.Errorf("printed\n%s", got)
	}
}

// What was blocked before anybody decided names nobody.
func TestABlockIsNotSaidTwice(t *testing.T) {
	for by, want := range map[tools.Source]string{
		tools.ByArguments: "blocked · invalid arguments", tools.ByAvailable: "blocked · invalid arguments", tools.ByHook: "blocked · invalid arguments · by hook",
		tools.ByStale: "blocked · stale",
	} {
		th := newTheme([]string{"TERM=xterm-256color", "LANG=C.UTF-8"})
		block := tools.InvalidArguments
		if by == tools.ByStale {
			block = tools.Stale
		}
		rec := tools.Record{Call: callOf("r", "read"), Decision: tools.Decision{By: by}, Outcome: tools.Outcome{Kind: tools.Blocked, Block: block, Text: "no"}}
		if got := ansi.Strip(receipt{th: th, w: 80, rec: rec, brief: true}.rows()[0]); !strings.HasSuffix(got, want) {
			t.Errorf("by %s: %q", by, got)
		}
	}
}

// Of calls that were made by one and interrupted the receipt shows what a person
// is to see, not the text for the model.
func TestAnInterruptedCallShowsWhatIsForThePerson(t *testing.T) {
	o := tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "--- [1] write ---\nfor the model", Show: []tools.Section{{Kind: tools.Text, Body: "1 ok, 1 cancelled"}}}
	rec := tools.Record{Call: callOf("r", "execute"), Outcome: o}
	rows := receipt{th: newTheme([]string{"TERM=xterm-256color", "LANG=C.UTF-8"}), w: 60, rec: rec}.rows()
	if got := ansi.Strip(strings.Join(rows, "\n")); strings.Contains(got, "for the model") || !strings.HasSuffix(got, "│ 1 ok, 1 cancelled") {
		t.Errorf("it shows\n%s", got)
	}
}
