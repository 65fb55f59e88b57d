package scripted

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

func TestAScenarioIsReadWithCommentsAndShortForms(t *testing.T) {
	s, err := Parse([]byte(`{
		// who is asked
		"model": "m1", "key": "sk-1",
		"steps": [
			{"expect": ["a", "re:^b"], "expect_not": ["c"], "think": "hm", "redacted": true, "text": "t",
			 "calls": [{"id": "x", "name": "read", "args": {"path": "a", "n": 1}}, {"name": "w", "args": "{\"broken"}, {"name": "z"}],
			 "stop": "length", "usage": {"input": 1, "cache_read": 2}, "chunk": 3, "delay": "20ms", "repeat": 4},
			{"fault": "reset"}, {"fault": "crlf"}, {"fault": ["crlf", "bom"]},
			{"fault": {"cut": "close", "after": 0, "again": 2}},
			{"fault": {"status": 429, "retry_after": "1", "body": {"a": [1]}}}, {"fault": {"status": 500, "body": "plain"}},
		],
		"classifier": {"model": "c1", "default": "low-risk", "rules": [{"contains": "git log", "reply": "read-only", "delay": "1s", "fault": "stall"}]},
	}`))
	if err != nil {
		t.Fatal(err)
	}
	zero := 0
	want := &Scenario{
		Model: "m1", Key: "sk-1",
		Steps: []Step{
			{
				Expect: []string{"a", "re:^b"}, ExpectNot: []string{"c"}, Think: "hm", Redacted: true, Text: "t",
				Calls: []Call{{"x", "read", `{"path":"a","n":1}`}, {"", "w", `{"broken`}, {"", "z", ""}},
				Stop:  llm.StopLength, Usage: llm.Usage{Input: 1, CacheRead: 2}, Chunk: 3, Delay: Duration(20 * time.Millisecond), Repeat: 4,
			},
			{Fault: &Fault{Cut: "reset"}},
			{Fault: &Fault{Quirks: []string{"crlf"}}},
			{Fault: &Fault{Quirks: []string{"crlf", "bom"}}},
			{Fault: &Fault{Cut: "close", After: &zero, Again: 2}},
			{Fault: &Fault{Status: 429, RetryAfter: "1", Body: `{"a":[1]}`}},
			{Fault: &Fault{Status: 500, Body: "plain"}},
		},
		Classifier: Classifier{Model: "c1", Default: "low-risk", Rules: []Rule{
			{Contains: "git log", Reply: "read-only", Delay: Duration(time.Second), Fault: &Fault{Cut: "stall"}},
		}},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

func TestAParseErrorNamesThePlace(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"steps": [}`, "line 1"},
		{`{"step": []}`, `the file: unknown field "step"`},
		{`{"steps": 1}`, "the file.steps: number is the wrong type"},
		{`{"model": 1}`, "the file.model: number is the wrong type"},
		{`{"steps": [{"text": "a"}, {"txt": "a"}]}`, `steps[1]: unknown field "txt"`},
		{`{"steps": [{"text": 1}]}`, "steps[0].text: number is the wrong type"},
		{`{"steps": [1]}`, "steps[0]: number is the wrong type"},
		{`{"steps": [{"text": "a", "delay": "soon"}]}`, "steps[0]: time: invalid duration"},
		{`{"steps": [{"text": "a", "delay": "-1s"}]}`, "steps[0]: a duration must not be negative"},
		{`{"steps": [{"text": "a", "chunk": -1}]}`, "steps[0]: chunk and repeat must not be negative"},
		{`{"steps": [{"text": "a", "stop": "tool_use"}]}`, `steps[0].stop: "tool_use" is none of`},
		{`{"steps": [{}]}`, "steps[0] says nothing"},
		{`{"steps": [{"text": "a", "expect": ["ok", "re:("]}]}`, "steps[0].expect[1]: error parsing regexp"},
		{`{"steps": [{"text": "a", "expect_not": ["re:("]}]}`, "steps[0].expect_not[0]: error parsing regexp"},
		{`{"steps": [{"calls": [{"name": "a"}, {"args": {}}]}]}`, "steps[0].calls[1]: name is missing"},
		{`{"steps": [{"calls": [{"nme": "a"}]}]}`, `steps[0].calls[0]: unknown field "nme"`},
		{`{"steps": [{"text": "a", "fault": "meltdown"}]}`, `steps[0].fault: "meltdown" is none of close, reset`},
		{`{"steps": [{"text": "a", "fault": {"cut": "crlf"}}]}`, `steps[0].fault.cut: "crlf" is none of`},
		{`{"steps": [{"text": "a", "fault": {"error": "odd"}}]}`, `steps[0].fault.error: "odd" is none of`},
		{`{"steps": [{"text": "a", "fault": {"status": 200}}]}`, "steps[0].fault.status: 200 is not an HTTP error"},
		{`{"steps": [{"text": "a", "fault": {"status": 500, "cut": "close"}}]}`, "steps[0].fault: give exactly one"},
		{`{"steps": [{"text": "a", "fault": {}}]}`, "steps[0].fault: give exactly one"},
		{`{"steps": [{"text": "a", "fault": {"status": 500, "after": 1}}]}`, "steps[0].fault.after: only a cut"},
		{`{"steps": [{"text": "a", "fault": {"cut": "close", "after": -1}}]}`, "steps[0].fault.after: must be"},
		{`{"steps": [{"text": "a", "fault": {"cut": "close", "again": -1}}]}`, "steps[0].fault.again: must not"},
		{`{"steps": [{"text": "a", "fault": {"cuts": "close"}}]}`, `steps[0].fault: unknown field "cuts"`},
		{`{"steps": [{"text": "a", "fault": ["json_body", "crlf"]}]}`, "steps[0].fault: json_body is no stream"},
		{`{"steps": [{"text": "a", "fault": 1}]}`, "steps[0].fault: number is the wrong type"},
		{`{"classifier": {"defualt": "x"}}`, `classifier: unknown field "defualt"`},
		{`{"classifier": {"rules": [{"reply": 1}]}}`, "classifier.rules[0].reply: number is the wrong type"},
		{`{"classifier": {"rules": [{"fault": "odd"}]}}`, `classifier.rules[0].fault: "odd" is none of`},
	} {
		_, err := Parse([]byte(c.in))
		if err == nil || !strings.HasPrefix(err.Error(), "scenario: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.in, err, c.want)
		}
	}
}

func FuzzParseNeverPanicsAndWhatItAcceptsCanBePlayed(f *testing.F) {
	f.Add([]byte(`{"steps":[{"text":"{{n}}","calls":[{"name":"a","args":"{"}],"fault":{"cut":"length"},"repeat":2}]}`))
	f.Add([]byte(`{"steps":[{"fault":"blank","expect":["re:x"]}],"classifier":{"rules":[{"fault":null}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse(b)
		if err != nil {
			return
		}
		p := NewPlayer(s)
		for range 20 {
			if _, err := p.Next(Query{News: "x", Tools: true}); err != nil {
				return
			}
		}
	})
}
