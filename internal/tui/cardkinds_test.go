package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A kind is one kind of card, drawn at several sizes for a person to review.
type kind struct {
	name string
	make func() *card
	keys []string // pressed first
	h    int      // rows there are; zero means 22
}

func approvalOf(q approval.Request) func() *card {
	return func() *card {
		c := newCard(colours(), q, "/home/dev/src/zuno", func(approval.Answer) {})
		c.elsewhere = func(string) {}
		if q.CheckKey != nil {
			(&screen{host: nowHost{}}).keyed(c, q.CheckKey)
			c.keys.look = func(do func() func()) { do()() }
		}
		return c
	}
}

// nowHost is a host that nothing is asked of.
type nowHost struct{ host }

// editable is a request about a call of which one argument can be rewritten.
func editable(q approval.Request, arg, value string) approval.Request {
	args, err := json.Marshal(map[string]string{arg: value})
	if err != nil {
		panic(err)
	}
	q.Proposal.Call.Args = args
	q.Proposal.Edit = &tools.Edit{Arg: arg, What: map[string]string{"command": "the command line", "content": "the content of a.go", "patchText": "the patch"}[arg], Name: "x"}
	q.Edit = q.Proposal.Edit
	return q
}

func commandRequest(line string) approval.Request {
	q := editable(shellRequest(line), "command", line)
	q.By = tools.ByPolicy
	q.Proposal.Preview = append(q.Proposal.Preview, tools.Section{Kind: tools.Table, Body: "runs in\t.\nwaits\t2m0s, then it runs on as a job, for 30 minutes in all\nsandbox\tworkspace-write, network off"})
	q.CheckKey = func(key string) (approval.Coverage, error) {
		if !strings.HasPrefix("go test", key) || key == "" {
			return approval.Coverage{}, errors.New("it does not cover this command, whose key is go test")
		}
		return approval.Coverage{Key: key, Commands: []string{"go test ./internal/tui", "go test -run X .", "go test", "go test -race ./...", "go test -v", "go test ./cmd/..."}, Of: 41}, nil
	}
	return q
}

func writeRequest() approval.Request {
	q := editRequest()
	q.Proposal.Spec.Name, q.Proposal.Summary = "write", "new a.go +4 −0"
	q.Proposal.Preview = []tools.Section{{Kind: tools.Diff, Title: "A a.go +4 −0", Body: "--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,4 @@\n+package a\n+\n+// F is \"one\".\n+func F() string { return \"x\" + `1` }\n"}}
	return editable(q, "content", "package a\n\n// F is \"one\".\nfunc F() string { return \"x\" + `1` }\n")
}

func patchRequest() approval.Request {
	q := editRequest()
	q.Proposal.Summary = "3 files +5 −3: run.go, b.py, old.txt"
	q.Proposal.Subjects = []string{"internal/loop/run.go", "b.py", "old.txt", "new/place.txt"}
	q.Proposal.Preview = []tools.Section{
		{Kind: tools.Table, Title: "3 files", Body: "M\tinternal/loop/run.go\t+3 −2\nM\tb.py\t+1 −1\nD\told.txt\t+0 −1"},
		{Kind: tools.Diff, Title: "M internal/loop/run.go +3 −2", Body: sampleDiff},
		{Kind: tools.Diff, Title: "M b.py +1 −1", Body: "--- a/b.py\n+++ b/b.py\n@@ -1,3 +1,3 @@\n def f(x):\n-    return x + 1  # old\n+    return x + two(\"é\")  # new\n     pass\n"},
		{Kind: tools.Text, Title: "D old.txt +0 −1", Body: "the file is empty then"},
		{Kind: tools.Diff, Title: "D old.txt +0 −1", Body: "--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-the last line\n\\ No newline at end of file\n"},
	}
	return editable(q, "patchText", "*** Begin Patch\n…")
}

func bigRequest() approval.Request {
	q := editRequest()
	q.Proposal.Preview = []tools.Section{{Kind: tools.Diff, Title: "M big.go +25000 −25000", Body: hugeDiff(25_000)}}
	return q
}

func manualRequest() approval.Request {
	q := commandRequest("git push --force-with-lease")
	why := "it rewrites what others may have"
	q.Proposal.Manual, q.Why, q.By, q.Key, q.Tool, q.CheckKey, q.Waiting = why, why, tools.ByManual, "", false, nil, 2
	return q
}

func editedRequest() approval.Request {
	q := commandRequest("go test ./internal/tui -run Card")
	q.Why, q.By, q.Proposal.Edited = "you changed it: this is what would run now", tools.ByEdit, true
	return q
}

func rejectedRequest() approval.Request {
	q := commandRequest("go test ./...")
	q.Why, q.By, q.Note = "what you made of it cannot run, so this is as it was before", tools.ByEdit, "command is empty"
	return q
}

func kinds() []kind {
	return []kind{
		{name: "a command", make: approvalOf(commandRequest("go test ./... && git push"))},
		{name: "a command with hidden characters", make: approvalOf(commandRequest("echo \x1b[2Kok\u202e && rm -rf build"))},
		{name: "a write", make: approvalOf(writeRequest())},
		{name: "a patch of three files", make: approvalOf(patchRequest()), h: 40},
		{name: "its second hunk, on the whole screen", make: approvalOf(patchRequest()), keys: []string{"f", "}", "}"}, h: 18},
		{name: "a big diff", make: approvalOf(bigRequest())},
		{name: "high risk", make: approvalOf(commandRequest("rm -rf build"))},
		{name: "manual-only, two more waiting", make: approvalOf(manualRequest())},
		{name: "a key being edited", make: approvalOf(commandRequest("go test ./...")), keys: []string{"a"}, h: 28},
		{name: "a key that does not fit", make: approvalOf(commandRequest("go test ./...")), keys: []string{"a", "x"}, h: 28},
		{name: "a command being edited", make: approvalOf(commandRequest("go test ./... && git push")), keys: []string{"e"}},
		{name: "an edited command", make: approvalOf(editedRequest())},
		{name: "an edit that cannot run", make: approvalOf(rejectedRequest())},
		{name: "a refusal being written", make: approvalOf(commandRequest("make")), keys: []string{"n"}},
		{name: "a picker", make: approvalOf(pickRequest())},
		{name: "a picker of several", make: func() *card { return manyCard() }},
		{name: "a question answered in one's own words", make: approvalOf(pickRequest()), keys: []string{"3"}},
		{name: "the offer to run outside the sandbox", make: approvalOf(approval.Request{
			Proposal: &tools.Proposal{
				Call: callOf("c1_again", "shell"), Spec: tools.Spec{Name: "shell"}, Summary: "outside the sandbox: curl example.org", Dynamic: true, Command: "curl example.org",
				Preview: []tools.Section{{Kind: tools.Command, Body: "curl example.org"}, {Kind: tools.Text, Body: "The sandbox probably stopped this command: the network is off. It can run once more, as a whole, outside of it."}},
				Options: []tools.Option{{ID: "outside", Label: "Run it once outside the sandbox"}},
			}, Why: "one of these must be chosen", By: tools.ByOptions,
		})},
		{name: "trust in a folder", make: func() *card { return newOffer(colours(), trustOffer(4), nil) }, h: 30},
		{name: "the way back", make: func() *card {
			return newChoice(colours(), "back to before “fix it”", []tools.Section{
				{Kind: tools.Diff, Title: "put back", Body: sampleDiff}, {Kind: tools.Text, Body: "cannot be taken back: shell `make deploy` ran"},
			}, []tools.Option{{ID: "b", Label: "Files and conversation"}, {ID: "f", Label: "Files only"}, {ID: "n", Label: "Stay here"}}, nil)
		}, h: 30},
		{name: "an uncertain call", make: func() *card {
			c := newChoice(colours(), "shell: make deploy", []tools.Section{{Kind: tools.Command, Body: "make deploy"}, {Kind: tools.Text, Body: "it was running when zuno ended, 3 minutes ago"}},
				[]tools.Option{{ID: "1", Label: "It happened"}, {ID: "2", Label: "It did not happen"}, {ID: "3", Label: "It happened in part"}}, nil)
			c.cancel = func() {}
			return c
		}},
	}
}

func manyCard() *card {
	q := pickRequest()
	q.Proposal.Options = []tools.Option{
		{ID: "a", Label: "FTS", Detail: "search", Group: "Which extras?", Many: true},
		{ID: "b", Label: "JSON", Group: "Which extras?", Many: true},
		{ID: "o", Label: "Type your own answer", Group: "Which extras?", Many: true, Write: true},
	}
	c := newCard(colours(), q, "", nil)
	c.take(1, time.Unix(9, 0))
	return c
}

func TestEveryKindOfCardLooksAsExpected(t *testing.T) {
	for _, w := range widths() {
		var rows []string
		for _, k := range kinds() {
			h := k.h
			if h == 0 {
				h = 22
			}
			c, now := k.make(), time.Unix(9, 0)
			c.appeared = time.Unix(1, 0)
			c.view(w, h, false, now)
			for _, name := range k.keys {
				m := newKeymap(nil)
				places := []place{inCard}
				if c.line != nil {
					places = []place{inLine, inCard}
				}
				c.key(name, name, m.find(name, places...), now)
				now = now.Add(time.Second)
				c.tick(now, now)
				c.view(w, h, false, now)
			}
			coloured(c)
			rows = append(rows, "=== "+k.name, "")
			d := c.view(w, h, false, now)
			for i, r := range d.rows {
				if got := width(r); got > w {
					t.Errorf("%s at %d: row %d takes %d columns", k.name, w, i, got)
				}
			}
			if len(d.rows) > h {
				t.Errorf("%s at %d: %d rows in %d", k.name, w, len(d.rows), h)
			}
			rows = append(rows, d.rows...)
			if d.cursor {
				rows = append(rows, fmt.Sprintf("(cursor at column %d of row %d)", d.cx, d.cy))
			}
			rows = append(rows, "")
		}
		golden(t, fmt.Sprintf("kinds-%d", w), rows)
	}
}

// coloured tells the words of what is shown apart, as the screen has it done.
func coloured(c *card) {
	s := &screen{words: newScreen(colours(), 80, 24, Options{}, time.Now).words}
	for _, j := range c.wanted() {
		j.doc.colour(j.side, s.words.Lines(j.side.name, strings.Join(j.side.texts, "\n")))
	}
	c.recoloured()
}
