package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestAnEditReplacesOneTextAndNothingElse(t *testing.T) {
	e := tools.Edit{Arg: "command", What: "the command line"}
	for _, c := range []struct{ args, text, want string }{
		{`{"command":"ls"}`, "ls -l", `{"command":"ls -l"}`},
		{`{ "timeout" : 5 , "command" : "a<b" , "workdir":"x" }`, "a && b", `{ "timeout" : 5 , "command" : "a && b" , "workdir":"x" }`},
		{`{"x":{"command":"inner"},"command":"outer"}`, "\"q\"\n", `{"x":{"command":"inner"},"command":"\"q\"\n"}`},
		{`{"a":1}`, "x", ""},
		{`[]`, "x", ""},
		{``, "x", ""},
		{`{"command":`, "x", ""},
	} {
		got, err := e.With(json.RawMessage(c.args), c.text)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %s, %v", c.args, got, err)
		}
		if err != nil {
			continue
		}
		if text, ok := e.Text(got); !ok || text != c.text {
			t.Errorf("%s: reads back as %q, %v", c.args, text, ok)
		}
	}
	for _, args := range []string{`{}`, `{"command":5}`, `{"command":null}`, `[`, ``} {
		if text, ok := e.Text(json.RawMessage(args)); ok {
			t.Errorf("%s has the text %q", args, text)
		}
	}
}

func TestTheModelIsToldWhatAPersonMadeOfItsCall(t *testing.T) {
	e := tools.Edit{Arg: "command", What: "the command line"}
	args := func(s string) json.RawMessage { b, _ := json.Marshal(map[string]string{"command": s}); return b }
	if got := e.Told(args("a"), args("a")); got != "" {
		t.Errorf("nothing was changed: %q", got)
	}
	if got := e.Told(args("a"), args("b --force")); !strings.Contains(got, "the user changed the command line") || !strings.Contains(got, "b --force") {
		t.Errorf("told %q", got)
	}
	long := strings.Repeat("x\n", 40_000)
	if got := e.Told(args("a"), args(long)); len(got) > 1000 || !strings.Contains(got, "80000 bytes") {
		t.Errorf("told %d bytes: %.200s", len(got), got)
	}
}

func FuzzAnEditKeepsTheRestOfTheArguments(f *testing.F) {
	f.Add(`{"a":1,"command":"x","b":[{"command":2}]}`, "text")
	f.Add(`{"command":"\u0000"}`, "\xff")
	f.Fuzz(func(t *testing.T, args, text string) {
		e := tools.Edit{Arg: "command"}
		got, err := e.With(json.RawMessage(args), text)
		if err != nil {
			return
		}
		var was, now map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &was) != nil {
			return
		}
		if err := json.Unmarshal(got, &now); err != nil {
			t.Fatalf("%q is no JSON: %v", got, err)
		}
		for k, v := range was {
			if k != "command" && string(now[k]) != string(v) {
				t.Errorf("%s became %s", v, now[k])
			}
		}
	})
}
