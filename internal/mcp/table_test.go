package mcp

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

func tool2() (*sdk.Tool, sdk.ToolHandler) {
	return &sdk.Tool{Name: "act", Description: "Does something else.", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, nil
	}
}

func addResource(p *program) {
	p.server.AddResource(&sdk.Resource{URI: "note://a", Name: "note"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "note://a", Text: "what it says"}}}, nil
	})
}

func addPrompt(p *program) {
	p.server.AddPrompt(&sdk.Prompt{Name: "review", Arguments: []*sdk.PromptArgument{{Name: "file"}}}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "Look at " + r.Params.Arguments["file"]}}}}, nil
	})
}

func TestExpand(t *testing.T) {
	look := func(n string) (string, bool) {
		v, ok := map[string]string{"A": "1", "EMPTY": ""}[n]
		return v, ok
	}
	for in, want := range map[string]string{
		"": "", "x": "x", "${A}": "1", "a${A}b${A}": "a1b1", "${EMPTY}": "", "${EMPTY:-d}": "d", "${NO:-d}": "d", "${NO:-}": "", "$A": "$A", "${": "${", "${A": "${A",
		"${a b}": "${a b}", "${}": "${}", "${NO:-${A}": "${A", "${NO}": "error: the variable NO is not set",
	} {
		got, err := expand(in, look)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestExpandPath(t *testing.T) {
	look := func(n string) (string, bool) {
		v, ok := map[string]string{"HOME": "/home/u", "D": "~"}[n]
		return v, ok
	}
	for in, want := range map[string]string{"~": "/home/u", "~/bin/x": "/home/u/bin/x", "~other/x": "~other/x", "a~": "a~", "./~": "./~", "${D}/x": "/home/u/x", "": ""} {
		if got, err := expandPath(in, look); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	if got, _ := expandPath("~/x", func(string) (string, bool) { return "", false }); got != "~/x" {
		t.Errorf("without a home: %q", got)
	}
}

func TestWhatAResultSays(t *testing.T) {
	blob := func(mime, data string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x://1", MIMEType: mime, Blob: []byte(data)}}}}
	}
	for _, c := range []struct {
		r    *sdk.CallToolResult
		want string
	}{
		{blob("text/plain; charset=utf-8", "words"), "[x://1]\nwords"},
		{blob("application/json", "{}"), "[x://1]\n{}"},
		{blob("application/vnd.x+json", "{}"), "[x://1]\n{}"},
		{blob("text/plain", "a\x00b"), "[x://1, text/plain, 3 bytes: left out]"},
		{blob("text/plain", "\xff\xfe"), "[x://1, text/plain, 2 bytes: left out]"},
		{blob("application/gzip", "words"), "[x://1, application/gzip, 5 bytes: left out]"},
		{blob("", "words"), "[x://1, , 5 bytes: left out]"},
		{&sdk.CallToolResult{StructuredContent: map[string]any{"a": 1}}, "{\n \"a\": 1\n}"},
		{&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: " \n"}}, StructuredContent: map[string]any{"a": 1}}, " \n\n{\n \"a\": 1\n}"},
		{&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a is 1"}}, StructuredContent: map[string]any{"a": 1}}, "a is 1"},
		{&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "2 items returned"}}, StructuredContent: map[string]any{"items": []any{"x", "y\"z"}}}, "2 items returned\n{\n \"items\": [\n  \"x\",\n  \"y\\\"z\"\n ]\n}"},
		{&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: `["x", "y\"z"]`}}, StructuredContent: map[string]any{"items": []any{"x", "y\"z"}}}, `["x", "y\"z"]`},
		{&sdk.CallToolResult{Content: []sdk.Content{&sdk.ResourceLink{URI: "x://1", Name: "job", Description: "its state", MIMEType: "text/plain"}}}, "[a link to x://1 (job, its state, text/plain): not fetched]"},
		{&sdk.CallToolResult{}, ""},
		{&sdk.CallToolResult{IsError: true}, "the server says that the call failed, and not why"},
	} {
		if got := render(c.r).Text; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for want, command := range map[string][]string{
		"npx -y @a/b": {"npx", "-y", "@a/b"}, "sh -c 'rm -rf x; y'": {"sh", "-c", "rm -rf x; y"}, `a '' 'it'\''s'`: {"a", "", "it's"}, "a ${B}": {"a", "${B}"}, `a '\x1b[2J'`: {"a", "\x1b[2J"},
	} {
		if got := (Server{Command: command}).CommandLine(); got != want {
			t.Errorf("%q is shown as %s, want %s", command, got, want)
		}
	}
}

func TestNamesBelongToOneToolEach(t *testing.T) {
	form := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	n := namer{servers: []string{"a", "a_b", "a.b", "a/b", strings.Repeat("s", 64)}, taken: map[string]bool{}}
	seen := map[string]bool{}
	for _, s := range n.servers {
		for _, tool := range []string{"x", "b_x", "b.x", "b x", "", "🙂", "🙃", strings.Repeat("t", 90), strings.Repeat("t", 91), "Read", "read"} {
			got := n.name(s, tool)
			if !form.MatchString(got) || seen[got] {
				t.Errorf("%q %q is called %q", s, tool, got)
			}
			seen[got] = true
		}
	}
	if got := (&namer{servers: []string{"docs"}, taken: map[string]bool{}}).name("docs", "search"); got != "mcp_docs_search" {
		t.Error(got)
	}
}

func TestRepair(t *testing.T) {
	for in, want := range map[string]string{
		`null`: `{"properties":{},"type":"object"}`, `true`: `{"properties":{},"type":"object"}`, `false`: "!", `"x"`: "!", `[]`: "!", `{"type":"string"}`: "!", `{"type":["object","null"]}`: `{"properties":{},"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"array"},"b":true},"required":["a","c",1]}`:                         `{"properties":{"a":{"items":{},"type":"array"},"b":{}},"required":["a"],"type":"object"}`,
		`{"anyOf":[{"properties":{"a":{"type":"string"}}},{"$ref":"#/$defs/x"}],"$defs":{"x":{"properties":{"b":{}}}}}`: `{"$defs":{"x":{"properties":{"b":{}}}},"properties":{"a":{"type":"string"},"b":{}},"type":"object"}`,
		`{"properties":{"type":{"type":"string"},"items":{"type":"string"},"id":{}}}`:                                   `{"properties":{"id":{},"items":{"type":"string"},"type":{"type":"string"}},"type":"object"}`,
		`{"$ref":"#"}`: `{"properties":{},"type":"object"}`, `{"$ref":"#/a","a":{"$ref":"#/a"}}`: `{"a":{"$ref":"#/a"},"properties":{},"type":"object"}`,
		`{"properties":{"a b":{}}}`: `{"properties":{},"type":"object"}`, `{"properties":{"a b":{}},"required":["a b"]}`: "!",
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		got, problem := repair(v)
		if problem != "" {
			got = json.RawMessage("!")
		}
		if string(got) != want {
			t.Errorf("%s\ngot  %s (%s)\nwant %s", in, got, problem, want)
		}
	}
}

func FuzzRepair(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"array"}},"oneOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[true]}}}`)
	f.Fuzz(func(t *testing.T, in string) {
		var v any
		if json.Unmarshal([]byte(in), &v) != nil {
			return
		}
		got, problem := repair(v)
		if problem != "" {
			return
		}
		var root map[string]any
		if err := json.Unmarshal(got, &root); err != nil || root["type"] != "object" || root["properties"] == nil || root["oneOf"] != nil {
			t.Errorf("%s became %s (%v)", in, got, err)
		}
		var again any
		if err := json.Unmarshal(got, &again); err != nil {
			t.Fatal(err)
		}
		if twice, problem := repair(again); problem != "" || string(twice) != string(got) {
			t.Errorf("%s is repaired again, as %s (%s)", got, twice, problem)
		}
	})
}

func FuzzWire(f *testing.F) {
	f.Add([]byte("noise\n{\n{}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"x\"}]}}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, method := range []string{"tools/list", "tools/call"} {
			out := legible(method, in)
			if json.Valid(in) && !json.Valid(out) {
				t.Errorf("%q became %q", in, out)
			}
		}
	})
}

// A server that tells of every byte is heard now and then, and at the end.
func TestAFloodOfProgressIsToldNowAndThen(t *testing.T) {
	var r routes
	var told []string
	token, stop := r.open(&link{}, func(p tools.Progress) { told = append(told, p.Text) })
	for i := range 1000 {
		r.tell(&sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(i), Total: 999})
	}
	for range 1000 {
		r.tell(&sdk.ProgressNotificationParams{ProgressToken: token, Progress: 999, Total: 999})
	}
	stop()
	r.tell(&sdk.ProgressNotificationParams{ProgressToken: token, Progress: 1})
	if n := len(told); n < 2 || n > 100 || told[0] != "0 of 999" || told[n-1] != "999 of 999" {
		t.Errorf("told %d times: %q", n, told)
	}
}
