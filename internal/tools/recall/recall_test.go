package recall

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func conversation(text string) Config {
	exit := 2
	return Config{
		Record: func(id string) (tools.Record, bool) {
			r := tools.Record{Call: tools.Call{ID: id, Tool: "shell"}, State: tools.Settled, Summary: "make", Outcome: tools.Outcome{Kind: tools.OK, Text: text, ExitCode: &exit}}
			return r, id == "c1"
		},
		Context:   func() (int, int) { return 4300, 10000 },
		Summarize: func() {},
		Now:       func() time.Time { return time.Date(2026, 11, 29, 23, 30, 0, 0, time.UTC) },
	}
}

func named(t *testing.T, c Config, name string) tools.Tool {
	t.Helper()
	for _, tool := range New(c) {
		if tool.Spec().Name == name {
			return tool
		}
	}
	t.Fatal("no tool", name)
	return nil
}

func ask(t *testing.T, c Config, name, args string) tools.Outcome {
	t.Helper()
	p, err := named(t, c, name).Propose(t.Context(), tools.Call{ID: "x", Tool: name, Args: json.RawMessage(args)})
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return p.Execute(t.Context(), tools.Decision{Allowed: true}, nil)
}

func TestPromises(t *testing.T) {
	for name, args := range map[string]string{
		"retrieve_tool_result": `{"tool_call_id":"c1"}`, "context_info": `{}`, "summarize_context": `{}`, "get_time": `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			toolstest.Run(t, toolstest.Case{Args: args, New: func(string) tools.Tool { return named(t, conversation(strings.Repeat("x\n", 60000)), name) }})
		})
	}
}

func TestAResultIsReadBackWholeInPages(t *testing.T) {
	text := strings.Repeat("äöü\n", 20000)
	c := conversation(text)
	read, offset := "", 0
	for range 40 {
		o := ask(t, c, "retrieve_tool_result", fmt.Sprintf(`{"tool_call_id":"c1","offset":%d}`, offset))
		head, body, _ := strings.Cut(o.Text, "]\n")
		if o.Kind != tools.OK || !strings.Contains(head, "shell: ok, exit 2") {
			t.Fatalf("offset %d: %v %q", offset, o.Kind, head)
		}
		read += body
		_, next, more := strings.Cut(head, ", offset ")
		if !more {
			break
		}
		if _, err := fmt.Sscan(strings.TrimSuffix(next, " reads on"), &offset); err != nil {
			t.Fatal(head, err)
		}
	}
	if read != text {
		t.Errorf("%d bytes of %d were read", len(read), len(text))
	}
}

func TestWhatCannotBeReadBackIsSaid(t *testing.T) {
	for args, want := range map[string]string{
		`{"tool_call_id":"c2"}`:                   "no result of a call",
		`{"tool_call_id":" "}`:                    "blank",
		`{"tool_call_id":"c1","offset":-1}`:       "negative",
		`{"tool_call_id":"c1","offset":99}`:       "none are left",
		`{"tool_call_id":"c1","limit":-5}`:        "limit",
		`{"tool_call_id":"c1","path":"/etc/a"}`:   "path",
		`{"tool_call_id":"c1","tool_call_id":""}`: "",
	} {
		if o := ask(t, conversation("short"), "retrieve_tool_result", args); o.Kind == tools.OK || !strings.Contains(o.Text, want) {
			t.Errorf("%s: %v %q", args, o.Kind, o.Text)
		}
	}
	for _, name := range []string{"retrieve_tool_result", "context_info", "summarize_context"} {
		args := `{}`
		if name == "retrieve_tool_result" {
			args = `{"tool_call_id":"c1"}`
		}
		if o := ask(t, Config{}, name, args); o.Kind != tools.Error || !strings.Contains(o.Text, "no conversation") {
			t.Errorf("%s without a conversation: %v %q", name, o.Kind, o.Text)
		}
	}
}

func TestContextAndTimeAreAnsweredAsJSON(t *testing.T) {
	for _, c := range []struct {
		name string
		conf Config
		want string
	}{
		{"context_info", conversation(""), `{"estimatedTokensUsed":4300,"maxTokens":10000,"percentUsed":43,"recommendation":"there is enough room","remainingTokens":5700}`},
		{"context_info", Config{Context: func() (int, int) { return 11, 10 }}, `{"estimatedTokensUsed":11,"maxTokens":10,"percentUsed":110,"recommendation":"little room is left: finish the step at hand, and read only what it needs","remainingTokens":0}`},
		{"context_info", Config{Context: func() (int, int) { return 11, 0 }}, `{"estimatedTokensUsed":11,"recommendation":"the size of the context is not known: be concise"}`},
		{"get_time", conversation(""), `{"abbreviation":"UTC","dayOfWeek":"Sunday","iso":"2026-11-29T23:30:00Z","localDate":"2026-11-29","localTime":"23:30:00","timestamp":1795995000000,"timezone":"UTC"}`},
		{
			"get_time",
			Config{Zone: "Europe/Oslo", Now: func() time.Time { return time.Unix(1795995000, 0).In(time.FixedZone("CET", 3600)) }},
			`{"abbreviation":"CET","dayOfWeek":"Monday","iso":"2026-11-30T00:30:00+01:00","localDate":"2026-11-30","localTime":"00:30:00","timestamp":1795995000000,"timezone":"Europe/Oslo"}`,
		},
	} {
		if o := ask(t, c.conf, c.name, `{}`); o.Text != c.want {
			t.Errorf("%s: %s", c.name, o.Text)
		}
	}
}
