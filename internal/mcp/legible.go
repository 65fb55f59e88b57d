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

// loose reads an answer whose error has another form than errors have; nil for
// what is none. Who waits for it would wait until time is up.
func loose(line []byte) jsonrpc.Message {
	var m struct {
		ID    any             `json:"id"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil || len(m.Error) == 0 {
		return nil
	}
	id, err := jsonrpc.MakeID(m.ID)
	if err != nil {
		return nil
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
		var all sdk.ListToolsResult
		if json.Unmarshal(result, &all) == nil {
			return result
		}
		return each(result, "tools", func(item json.RawMessage) json.RawMessage {
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
			return encode(map[string]any{"name": n, "description": d, "inputSchema": name.InputSchema})
		})
	case "tools/call":
		if isLegible(result) {
			return result // which costs one look, of results that may be large
		}
		return mended(result)
	}
	return result
}

// isLegible reports whether a result is of a form that is known.
func isLegible(result json.RawMessage) bool {
	var r struct {
		Meta    map[string]any `json:"_meta"`
		IsError bool
		Content []struct {
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
	if json.Unmarshal(whole, &r) != nil {
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
