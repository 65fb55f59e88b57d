package store_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop/journaltest"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestASessionIsAJournal(t *testing.T) {
	s := openNew(t)
	journaltest.Run(t, func(t *testing.T) journaltest.Journal { return newSession(t, s, store.Meta{}) })
}

// A panic between transitions loses those of its commit, and none of the next.
func TestWhatComesAfterAPanicIsRecorded(t *testing.T) {
	j := newSession(t, openNew(t), store.Meta{ID: "one"})
	func() {
		defer func() { _ = recover() }()
		_ = j.Together(func() error {
			must(t, j.Append(llm.UserText("lost")))
			panic("scripted")
		})
	}()
	must(t, j.Append(llm.UserText("kept")))
	if p, err := j.Load(); err != nil || len(p.Messages) != 1 || p.Messages[0].Text() != "kept" {
		t.Errorf("%d messages, %v", len(p.Messages), err)
	}
}

func TestWhatWasRecordedComesBackAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{Dir: "/d", Repo: "/r", Model: "p/old", Agent: "build"})
	png := []byte{0x89, 'P', 'N', 'G', 0, 0xff}
	messages := []*llm.Message{
		{Role: llm.User, Parts: []llm.Part{
			{Kind: llm.Text, Text: "Fix <this> & \"that\" \u2028 e\u0301 \U0001f600\nplease"},
			{Kind: llm.Image, MIME: "image/png", Data: png},
			{Kind: llm.Image, MIME: "image/gif", Data: []byte("GIF89a")},
		}},
		{
			Role: llm.Assistant, Model: "p/m", Stop: llm.StopCalls,
			Usage: llm.Usage{Input: 1, CacheRead: 2, CacheWrite: 3, Output: 4, Reasoning: 5},
			Parts: []llm.Part{
				{Kind: llm.Thinking, Text: "hm", Opaque: json.RawMessage(`{ "sig" : "a<b&c" , "n": 1.50 }`)},
				{Kind: llm.Text, Text: ""},
				{Kind: llm.Text, Text: "I will."},
				{Kind: llm.CallPart, Call: &llm.Call{ID: "a", Name: "run_it", Args: json.RawMessage(`{ "command": "x" }`), Opaque: json.RawMessage("\"\xff\"")}},
				{Kind: llm.CallPart, Call: &llm.Call{ID: "b", Name: "shell", Args: json.RawMessage("{\"cut\xff"), Broken: "its arguments were cut off"}},
			},
		},
		{Role: llm.User, Parts: []llm.Part{{Kind: llm.Text, Text: "report", For: "operator_1"}}},
	}
	for _, m := range messages {
		must(t, j.Append(m))
	}
	exit := 3
	a := tools.Record{
		Call:  tools.Call{ID: "a", Tool: "shell", Requested: "run_it", Args: json.RawMessage(`{"command":"x"}`)},
		State: tools.Settled, Summary: "x", Effect: tools.Delegating, Replay: tools.Safe, Risk: tools.High,
		Decision: tools.Decision{Allowed: true, By: tools.ByPerson, Reason: "why", Choice: "row", Verdict: tools.Low, At: time.Unix(12, 34)},
		Outcome: tools.Outcome{
			Kind: tools.OK, Text: "<ok>", Truncated: true, Started: true, ExitCode: &exit,
			Show:    []tools.Section{{Kind: tools.Diff, Title: "t", Body: "-a\n+b"}, {Kind: tools.Text, Body: "<&>"}},
			Images:  []tools.Image{{MIME: "image/png", Data: png}, {MIME: "image/webp", Data: []byte("RIFF")}},
			Changes: []tools.Change{{Path: "n", Kind: "R", From: "o", Added: 1, Removed: 2}},
		},
		Took: 1234567 * time.Nanosecond,
	}
	must(t, j.Propose(&tools.Proposal{Call: a.Call, Summary: a.Summary, Key: "x", Command: "x", Spec: tools.Spec{Effect: a.Effect, Replay: a.Replay, Risk: a.Risk}}))
	must(t, j.Decide(a.Call, a.Decision))
	must(t, j.Start(a.Call))
	must(t, j.Settle(a.Call, a.Outcome, a.Took))
	b := tools.Record{
		Call: tools.Call{ID: "b", Tool: "shell", Args: json.RawMessage("{\"cut�")}, State: tools.Settled,
		Outcome: tools.Outcome{Kind: tools.Blocked, Block: tools.InvalidArguments, Text: "cut off"},
	}
	must(t, j.Settle(b.Call, b.Outcome, 0))
	op := tools.Record{Call: call("operator_1"), State: tools.Proposed, Summary: "make", Operator: true}
	must(t, j.Propose(&tools.Proposal{Call: op.Call, Summary: "make"}))
	want := map[string]tools.Record{"a": a, "b": b, "operator_1": op}

	check := func(name string, p store.Past) {
		t.Helper()
		if !reflect.DeepEqual(p.Messages, messages) {
			got, _ := json.MarshalIndent(p.Messages, "", " ")
			t.Errorf("%s: the messages differ:\n%s", name, got)
		}
		for id, w := range want {
			if got := p.Records[id]; !reflect.DeepEqual(got, w) {
				t.Errorf("%s: the record of %s differs:\n got %+v\nwant %+v", name, id, got, w)
			}
		}
		if len(p.Records) != len(want) {
			t.Errorf("%s: there are %d records, not %d", name, len(p.Records), len(want))
		}
	}
	p, err := j.Load()
	must(t, err)
	check("while it is open", p)
	meta, p, err := s.Read(j.ID())
	must(t, err)
	check("read by another", p)
	if want := (store.Meta{ID: j.ID(), Dir: "/d", Repo: "/r", Model: "p/m", Agent: "build", Title: "Fix <this> & \"that\" \\u{2028} e\u0301 \U0001f600"}); meta != want {
		t.Errorf("the meta is %+v, not %+v", meta, want)
	}
	must(t, j.Close())
	j, err = s.OpenSession(j.ID())
	must(t, err)
	op.State, want["operator_1"] = tools.Settled, op
	op.Decision = tools.Decision{By: tools.ByInterrupt, Reason: "interrupted: nobody answered; nothing was done"}
	op.Outcome = tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: op.Decision.Reason}
	want["operator_1"] = op
	p, err = j.Load()
	must(t, err)
	check("opened again", p)
	if j.Meta() != meta {
		t.Errorf("the meta of the opened session is %+v, not %+v", j.Meta(), meta)
	}
	must(t, j.Close())
}

// rowsOf prints every row of every table, for comparison.
func rowsOf(t *testing.T, path string) string {
	t.Helper()
	db := rawOpen(t, path)
	defer func() { must(t, db.Close()) }()
	var b strings.Builder
	for _, table := range []string{"session", "message", "message_image", "call", "call_args", "call_result", "call_image", "llm_usage", "allowed_command"} {
		rows, err := db.Query("SELECT * FROM " + table)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new([]byte)
			}
			must(t, rows.Scan(values...))
			b.WriteString(table)
			for _, v := range values {
				b.WriteByte('|')
				b.Write(*v.(*[]byte))
			}
			b.WriteByte('\n')
		}
		must(t, rows.Close())
	}
	return b.String()
}

func TestAWrongTransitionChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{})
	c := call("c")
	p := &tools.Proposal{Call: c, Summary: "make"}
	steps := []struct {
		name string
		do   func() error
	}{
		{"request", func() error { return j.Append(asks(c)) }},
		{"propose", func() error { return j.Propose(p) }},
		{"decide", func() error { return j.Decide(c, allowed()) }},
		{"start", func() error { return j.Start(c) }},
		{"settle", func() error { return j.Settle(c, tools.Outcome{Kind: tools.OK, Text: "ok"}, 1) }},
	}
	for i, right := range steps {
		must(t, right.do())
		before := rowsOf(t, path)
		for k, wrong := range steps {
			// The next step is right, and a call may settle from any state.
			if k == i+1 || wrong.name == "settle" && i < len(steps)-1 {
				continue
			}
			err := wrong.do()
			if err == nil || !strings.Contains(err.Error(), "c") {
				t.Errorf("%s after %s: %v", wrong.name, right.name, err)
			}
			if after := rowsOf(t, path); after != before {
				t.Errorf("%s after %s changed the record:\n%s\n%s", wrong.name, right.name, before, after)
			}
		}
	}
	must(t, j.Close())
}

func TestAMessageWithACallThatIsThereIsNotAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	j := newSession(t, openAt(t, path), store.Meta{})
	must(t, j.Append(asks(call("a"))))
	before := rowsOf(t, path)
	if err := j.Append(asks(call("b"), call("a"))); err == nil || !strings.Contains(err.Error(), "call a is recorded already") {
		t.Errorf("the error is %v", err)
	}
	if rowsOf(t, path) != before {
		t.Error("something was recorded")
	}
	must(t, j.Append(asks(call("b"))))
	must(t, j.Close())
}

func TestErrorsSayWhyATransitionIsRefused(t *testing.T) {
	j := newSession(t, openNew(t), store.Meta{})
	c := call("c")
	must(t, j.Append(asks(c)))
	must(t, j.Propose(&tools.Proposal{Call: c}))
	must(t, j.Decide(c, tools.Decision{By: tools.ByPerson, Reason: "no"}))
	for _, x := range []struct {
		err  error
		want string
	}{
		{j.Start(c), "record the start of c: it was decided against"},
		{j.Decide(c, allowed()), "record the decision on c: it was decided against"},
		{j.Start(call("x")), "record the start of x: there is no such call"},
		{j.Settle(call("x"), tools.Outcome{}, 0), "record the outcome of x: there is no such call"},
		{j.Settle(c, tools.Outcome{}, 0), "<nil>"},
		{j.Settle(c, tools.Outcome{}, 0), "record the outcome of c: it is settled"},
	} {
		got := "<nil>"
		if x.err != nil {
			got = x.err.Error()
		}
		if got != x.want {
			t.Errorf("got %q, want %q", got, x.want)
		}
	}
	must(t, j.Close())
	if err := j.Append(llm.UserText("x")); err == nil {
		t.Error("a closed session records")
	}
	must(t, j.Close())
}

func TestNothingIsStoredOfASessionInWhichNothingWasSaid(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{Dir: "/d"})
	p, err := j.Load()
	must(t, err)
	if len(p.Messages) != 0 || p.Records == nil || p.Notice != "" {
		t.Errorf("its past is %+v", p)
	}
	if list, err := j.Uncertain(); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	must(t, j.Close())
	if list, err := s.Sessions(0); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}

func TestTextsThatAreNoUTF8AreStoredAllTheSame(t *testing.T) {
	j := newSession(t, openNew(t), store.Meta{Dir: "a\xff", Title: "\x00"})
	bad := "a\xffb\x00c"
	c := tools.Call{ID: bad, Tool: bad, Requested: bad, Args: json.RawMessage(bad)}
	must(t, j.Append(&llm.Message{Role: llm.Assistant, Model: bad, Parts: []llm.Part{
		{Kind: llm.Text, Text: bad, Opaque: json.RawMessage(bad)},
		{Kind: llm.CallPart, Call: &llm.Call{ID: bad, Name: bad, Args: json.RawMessage(bad)}},
	}}))
	must(t, j.Propose(&tools.Proposal{Call: c, Summary: bad, Key: bad, Command: bad}))
	must(t, j.Decide(c, tools.Decision{Allowed: true, By: tools.Source(bad), Reason: bad, Choice: bad}))
	must(t, j.Start(c))
	must(t, j.Settle(c, tools.Outcome{Text: bad, Show: []tools.Section{{Body: bad}}, Changes: []tools.Change{{Path: bad}}, Images: []tools.Image{{}}}, 0))
	must(t, j.Used(llm.Expense{Purpose: bad, Model: bad, Failure: bad}))
	p, err := j.Load()
	must(t, err)
	clean := "a�b�c"
	if r := p.Records[clean]; r.Outcome.Text != clean || r.Summary != clean || r.Decision.Reason != clean {
		t.Errorf("the records are %+v", p.Records)
	}
	if m := p.Messages[0]; m.Text() != clean || !bytes.Equal(m.Parts[0].Opaque, []byte(bad)) || !bytes.Equal(m.Parts[1].Call.Args, []byte(bad)) {
		t.Errorf("the message is %+v", m)
	}
	must(t, j.Close())
}

func TestUnknownWordsBecomeTheStrictOnes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{})
	runCall(t, j, "c", nil, tools.Safe, tools.Outcome{Kind: tools.OK})
	rawExec(t, path, `UPDATE call SET effect = 'x', replay = 'x', risk = 'x', outcome = 'x', block = 'x'`)
	p, err := j.Load()
	must(t, err)
	r := p.Records["c"]
	if r.Effect != tools.SideEffecting || r.Replay != tools.Never || r.Risk != tools.Unknown || r.Outcome.Kind != tools.Error {
		t.Errorf("the record is %+v", r)
	}
	must(t, j.Close())
}

// The arguments of a proposal stand in the place of those that were requested,
// where an alias or a preview made others of them, and without secrets.
func TestTheArgumentsOfAProposalAreThoseOfTheCall(t *testing.T) {
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	for _, c := range []struct{ name, asked, proposed, want string }{
		{"the same", `{"command":"make"}`, `{"command":"make"}`, `{"command":"make"}`},
		{"others", `{"cmd":"make"}`, `{"command":"make"}`, `{"command":"make"}`},
		{"the same with a secret", `{"command":"` + token + `"}`, `{"command":"` + token + `"}`, `{"command":"[redacted: GitHub token]"}`},
		{"others with a secret", `{"cmd":"make"}`, `{"command":"` + token + `"}`, `{"command":"[redacted: GitHub token]"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newSession(t, openNew(t), store.Meta{})
			asked, proposed := call("x"), call("x")
			asked.Args, proposed.Args = json.RawMessage(c.asked), json.RawMessage(c.proposed)
			must(t, j.Append(asks(asked)))
			must(t, j.Propose(&tools.Proposal{Call: proposed}))
			if err := j.Propose(&tools.Proposal{Call: asked}); err == nil {
				t.Error("it was proposed twice")
			}
			past, err := j.Load()
			must(t, err)
			if got := string(past.Records["x"].Call.Args); got != c.want {
				t.Errorf("stored are %s, not %s", got, c.want)
			}
		})
	}
}
