package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// loose reads an answer that lacks what the library wants of one: the version tag,
// or an error of the form that errors have; nil for what is no answer. Who waits
// for it would wait until time is up.
func loose(line []byte) jsonrpc.Message {
	var m struct {
		ID     any             `json:"id"`
		Method json.RawMessage `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil || len(m.Method) > 0 {
		return nil
	}
	id, err := jsonrpc.MakeID(m.ID)
	if err != nil {
		return nil
	}
	if len(m.Error) == 0 || string(m.Error) == "null" {
		if len(m.Result) == 0 {
			return nil
		}
		return &jsonrpc.Response{ID: id, Result: m.Result}
	}
	var said struct {
		Message any `json:"message"`
	}
	text := string(m.Error)
	if json.Unmarshal(m.Error, &said) == nil && said.Message != nil {
		text = fmt.Sprint(said.Message)
	} else if json.Unmarshal(m.Error, &said.Message) == nil {
		text = fmt.Sprint(said.Message)
	}
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: tools.Clip(text, 2000)}}
}

// legible replaces what one bad item would make unreadable as a whole: a tool
// whose definition has the wrong form, and content of a kind that is not known.
func legible(method string, result json.RawMessage) json.RawMessage {
	switch method {
	case "tools/list":
		result = marked(result)
		var all sdk.ListToolsResult
		if json.Unmarshal(result, &all) == nil {
			return result
		}
		return each(withCursor(result), "tools", mendedTool)
	case "tools/call":
		if isLegible(result) {
			return result // which costs one look, of results that may be large
		}
		return mended(result)
	}
	return result
}

// onlyTask marks, among what a server says beside the definition of a tool, that
// it can be called as a task only: where the protocol says so the library does
// not look.
const onlyTask = "zuno/onlyTask"

// supportsTasks is in every list that says of a tool how it goes with tasks.
var supportsTasks = []byte(`"taskSupport"`)

// marked marks the tools that can be called as tasks only.
func marked(list json.RawMessage) json.RawMessage {
	if !bytes.Contains(list, supportsTasks) {
		return list
	}
	return each(list, "tools", func(item json.RawMessage) json.RawMessage {
		var t struct {
			Meta      map[string]any `json:"_meta"`
			Execution struct{ TaskSupport string }
		}
		var obj map[string]json.RawMessage
		if json.Unmarshal(item, &t) != nil || t.Execution.TaskSupport != "required" || json.Unmarshal(item, &obj) != nil {
			return item
		}
		if t.Meta == nil {
			t.Meta = map[string]any{}
		}
		t.Meta[onlyTask] = true
		obj["_meta"] = encode(t.Meta)
		return encode(obj)
	})
}

// mendedTool is the definition of a tool, or as much of it as can be read.
func mendedTool(item json.RawMessage) json.RawMessage {
	var t sdk.Tool
	if json.Unmarshal(item, &t) == nil {
		return item
	}
	var name struct {
		Name        any `json:"name"`
		Description any `json:"description"`
		InputSchema any `json:"inputSchema"`
	}
	if json.Unmarshal(item, &name) != nil {
		return nil
	}
	n, _ := name.Name.(string)
	d, _ := name.Description.(string)
	mended := map[string]any{"name": n, "description": d, "inputSchema": name.InputSchema}
	if bytes.Contains(item, []byte(`"`+onlyTask+`":true`)) {
		mended["_meta"] = map[string]any{onlyTask: true}
	}
	return encode(mended)
}

// withCursor makes a text of what says where a list goes on: servers send
// numbers too.
func withCursor(list json.RawMessage) json.RawMessage {
	var obj map[string]json.RawMessage
	if json.Unmarshal(list, &obj) != nil {
		return list
	}
	var text string
	if at := obj["nextCursor"]; len(at) > 0 && json.Unmarshal(at, &text) != nil {
		obj["nextCursor"] = encode(string(at))
		return encode(obj)
	}
	return list
}

// isLegible reports whether a result is of a form that is known.
func isLegible(result json.RawMessage) bool {
	var r struct {
		Meta              map[string]any `json:"_meta"`
		IsError           bool
		StructuredContent any
		Content           []struct {
			Meta           map[string]any `json:"_meta"`
			Type           string
			Text, URI, URL string
			MIMEType, Name string
			Data           []byte
			Annotations    *sdk.Annotations
			Resource       *struct {
				Meta                map[string]any `json:"_meta"`
				URI, MIMEType, Text string
				Blob                []byte
			}
		}
	}
	if json.Unmarshal(result, &r) != nil {
		return false
	}
	if len(r.Content) == 0 && r.StructuredContent == nil && !isBare(result) {
		return false
	}
	for _, c := range r.Content {
		switch c.Type {
		case "text", "image", "audio", "resource_link":
		case "resource":
			if c.Resource == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isBare reports whether a result holds nothing that a server of an older
// protocol, or of none, may have said in another place than content.
func isBare(result json.RawMessage) bool {
	var obj map[string]any
	if json.Unmarshal(result, &obj) != nil {
		return false
	}
	for k, v := range obj {
		if v != nil && !slices.Contains([]string{"_meta", "isError", "content", "structuredContent"}, k) {
			return false
		}
	}
	return true
}

// mended is the result of a call in a form that is known: the call was answered,
// however badly.
func mended(result json.RawMessage) json.RawMessage {
	var obj map[string]json.RawMessage
	if json.Unmarshal(result, &obj) != nil {
		return asText(result, false)
	}
	failed := strings.Trim(string(obj["isError"]), ` "`)
	bad := failed != "" && failed != "false" && failed != "null" && failed != "0"
	delete(obj, "_meta")
	delete(obj, "isError")
	if bad {
		obj["isError"] = json.RawMessage("true")
	}
	if c := bytes.TrimSpace(obj["content"]); len(c) > 0 && c[0] != '[' && !bytes.Equal(c, []byte("null")) {
		obj["content"] = encode([]json.RawMessage{c}) // one item that is no list
	}
	whole := each(encode(obj), "content", mendedItem)
	var r sdk.CallToolResult
	if json.Unmarshal(whole, &r) != nil || len(r.Content) == 0 && r.StructuredContent == nil && !isBare(result) {
		return asText(result, bad)
	}
	return whole
}

// asText is a result that is the text of another.
func asText(result json.RawMessage, failed bool) json.RawMessage {
	return encode(map[string]any{"content": []any{map[string]any{"type": "text", "text": string(result)}}, "isError": failed})
}

// mendedItem is one item of content, or a note in its place.
func mendedItem(item json.RawMessage) json.RawMessage {
	if readable(item) {
		return item
	}
	var text string
	if json.Unmarshal(item, &text) == nil && !bytes.Equal(bytes.TrimSpace(item), []byte("null")) {
		return encode(map[string]any{"type": "text", "text": text})
	}
	var obj map[string]any
	_ = json.Unmarshal(item, &obj) // no object is of no kind
	delete(obj, "annotations")
	delete(obj, "_meta")
	if data, is := obj["data"].(string); is {
		obj["data"] = plainBase64(data)
	}
	if said, is := obj["text"]; is && said != nil && obj["type"] == "text" {
		if _, text := said.(string); !text {
			obj["text"] = string(encode(said))
		}
	}
	if again := encode(obj); obj != nil && readable(again) {
		return again
	}
	why := "it is not known here"
	kind, _ := obj["type"].(string)
	if slices.Contains([]string{"text", "image", "audio", "resource", "resource_link"}, kind) {
		why = "it cannot be read"
	}
	return encode(map[string]any{"type": "text", "text": fmt.Sprintf("[content of the kind %.80q is left out: %s]", kind, why)})
}

func readable(item json.RawMessage) bool {
	var one sdk.CallToolResult
	result := encode(map[string]any{"content": []json.RawMessage{item}})
	return json.Unmarshal(result, &one) == nil && isLegible(result)
}

// plainBase64 is data in the alphabet and with the padding that the protocol
// wants.
func plainBase64(data string) string {
	if _, after, is := strings.Cut(data, ";base64,"); is && strings.HasPrefix(data, "data:") {
		data = after
	}
	data = strings.NewReplacer("-", "+", "_", "/", "=", "", "\n", "", "\r", "", " ", "").Replace(data)
	b, err := base64.RawStdEncoding.DecodeString(data)
	if err != nil {
		return "!" // which is none
	}
	return base64.StdEncoding.EncodeToString(b)
}

// each rewrites the items of a list in an object, and drops those that become
// nil. What has another form is returned as it is.
func each(object json.RawMessage, list string, f func(json.RawMessage) json.RawMessage) json.RawMessage {
	var obj map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(object, &obj) != nil || json.Unmarshal(obj[list], &items) != nil {
		return object
	}
	kept := make([]json.RawMessage, 0, len(items))
	for _, x := range items {
		if x = f(x); x != nil {
			kept = append(kept, x)
		}
	}
	obj[list] = encode(kept)
	return encode(obj)
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // what was decoded encodes
	}
	return b
}
