package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A call that was answered was answered, however badly: its result is shown as
// far as it can be read.
func TestBadResultsAreRead(t *testing.T) {
	const text = `{"type":"text","text":"x"}`
	for in, want := range map[string]string{
		`{}`: "", `null`: "", `{"content":null}`: "", `{"content":[]}`: "",
		`{"content":"words"}`: "words", `{"content":` + text + `}`: "x", `{"content":["plain",` + text + `]}`: "plain\nx",
		`[1]`: "[1]", `"words"`: `"words"`, `{"content":[null,` + text + `]}`: "[content of the kind \"\" is left out: it is not known here]\nx",
		`{"content":[` + text + `],"isError":"true"}`: "error: x", `{"content":[` + text + `],"isError":"false"}`: "x", `{"content":[` + text + `],"_meta":"bad"}`: "x",
		`{"content":[{"type":"text","text":"x","annotations":{"priority":"high"}}]}`: "x",
		`{"content":[{"type":"text","text":5}]}`:                                     "5",
		`{"toolResult":{"a":1}}`:                                                     `{"toolResult":{"a":1}}`,
		`{"content":[],"rows":[1],"_meta":{}}`:                                       `{"content":[],"rows":[1],"_meta":{}}`,
		`{"content":[{"type":"resource","resource":null}]}`:                          `[content of the kind "resource" is left out: it cannot be read]`,
		`{"structuredContent":[1]}`:                                                  "[\n 1\n]",
		`{"content":[{"type":"hologram"}],"structuredContent":{"a":1}}`:              "[content of the kind \"hologram\" is left out: it is not known here]\n{\n \"a\": 1\n}",
		`{"content":[{"type":"hologram"},` + text + `]}`:                             "[content of the kind \"hologram\" is left out: it is not known here]\nx",
		`{"content":[{"type":"image","mimeType":"image/png","data":"!!!"}]}`:         `[content of the kind "image" is left out: it cannot be read]`,
		`{"content":[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}]}`: "[a picture, image/png]",
		`{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk-M9QDwADhgGAWjR9awAAAABJRU5ErkJggv_-_w"}]}`:                     "[a picture, image/png]",
		`{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`:                                                                                                           "[a picture, image/png, 8 bytes: left out: it is cut off]",
	} {
		var r sdk.CallToolResult
		if err := json.Unmarshal(legible("tools/call", json.RawMessage(in)), &r); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		got := render(&r)
		if r.IsError {
			got.Text = "error: " + got.Text
		}
		if got.Text != want {
			t.Errorf("%s: %q, want %q", in, got.Text, want)
		}
	}
}

// What says that a tool can be called as a task only is kept, whatever else is
// wrong with the list; and a list that goes on goes on.
func TestListsAreRead(t *testing.T) {
	for in, want := range map[string]string{
		`{"tools":[{"name":"a","inputSchema":{}}]}`: "a", `{"tools":[{"name":"a","inputSchema":{},"execution":{"taskSupport":"optional"}}]}`: "a",
		`{"tools":[{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"},"_meta":{"x":1}}, {"name":"b"}]}`: "a(task) b",
		`{"tools":[{"name":"a","description":5,"execution":{"taskSupport":"required"}}]}`:                                "a(task)",
		`{"tools":[{"name":"a","execution":"required"},{"name":"b","execution":{"taskSupport":true}}]}`:                  "a b",
		`{"tools":[{"name":"a"}],"nextCursor":7}`:                                                                        "a →7", `{"tools":[{"name":"a"}],"nextCursor":null}`: "a", `{"tools":null}`: "", `{}`: "",
	} {
		var r sdk.ListToolsResult
		if err := json.Unmarshal(legible("tools/list", json.RawMessage(in)), &r); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		var got []string
		for _, tool := range r.Tools {
			name := tool.Name
			if tool.Meta[onlyTask] == true {
				name += "(task)"
			}
			got = append(got, name)
		}
		if r.NextCursor != "" {
			got = append(got, "→"+r.NextCursor)
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%s: %q, want %q", in, all, want)
		}
	}
}

func TestBadErrorsAreAnswers(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":3,"error":{"code":"E","message":5}}`: "5", `{"jsonrpc":"2.0","id":3,"error":"boom"}`: "boom", `{"jsonrpc":"2.0","id":"a","error":{"code":"E","message":"m"}}`: "m",
		`{"jsonrpc":"2.0","id":3,"error":[1]}`: "[1]", `{"jsonrpc":"2.0","error":"boom"}`: "", `{"id":{}, "error":"boom"}`: "", `{`: "", `[]`: "", `{"id":1}`: "",
		`{"id":3,"result":{"content":[]}}`: `{"content":[]}`, `{"id":3,"error":null,"result":{}}`: "{}", `{"id":3,"method":"ping","result":{}}`: "",
	} {
		got := ""
		if r, is := loose([]byte(in)).(*jsonrpc.Response); is && r.Error == nil {
			got = string(r.Result)
		} else if is {
			got = r.Error.(*jsonrpc.Error).Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// What the library cannot cope with is an error of one message, and no end of
// zuno.
func TestAMessageThatTheLibraryCannotCopeWith(t *testing.T) {
	c := client(t, newProgram(), nil)
	h := c.links[0].receiving(func(context.Context, string, sdk.Request) (sdk.Result, error) { panic("params are nil") })
	if _, err := h(t.Context(), "notifications/elicitation/complete", &sdk.ElicitationCompleteNotificationRequest{}); err == nil || !strings.Contains(err.Error(), "cannot be understood") {
		t.Errorf("the error is %v", err)
	}
	if _, err := h(t.Context(), "elicitation/create", &sdk.ElicitRequest{}); err == nil || !strings.Contains(err.Error(), "without params") {
		t.Errorf("the error is %v", err)
	}
}
