//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// fakeLSP is a language server of one word a line: it knows where the first
// line of the opened file that begins like the asked one is.
func fakeLSP() {
	in := bufio.NewReader(os.Stdin)
	texts := map[string]string{}
	say := func(m map[string]any) {
		m["jsonrpc"] = "2.0"
		b, err := json.Marshal(m)
		if err != nil {
			panic(err)
		}
		fmt.Printf("Content-Length: %d\r\n\r\n%s", len(b), b)
	}
	for {
		size := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				size, _ = strconv.Atoi(n)
			}
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		var m struct {
			ID     any
			Method string
			Params struct {
				InitializationOptions map[string]any
				TextDocument          struct{ URI, Text string }
				Position              struct{ Line int }
			}
		}
		if err := json.Unmarshal(body, &m); err != nil {
			panic(err)
		}
		uri := m.Params.TextDocument.URI
		lines := strings.Split(texts[uri], "\n")
		switch m.Method {
		case "initialize":
			if m.Params.InitializationOptions["mode"] != "fake" {
				os.Exit(7)
			}
			say(map[string]any{"id": m.ID, "result": map[string]any{"capabilities": map[string]any{}}})
		case "textDocument/didOpen":
			texts[uri] = m.Params.TextDocument.Text
			say(map[string]any{"method": "textDocument/publishDiagnostics", "params": map[string]any{"uri": uri, "diagnostics": []any{
				map[string]any{"severity": 2, "message": "too\nshort", "source": "fake", "range": map[string]any{"start": map[string]any{"line": 1, "character": 0}}},
			}}})
		case "textDocument/definition":
			at := 0
			for at < len(lines) && lines[at] != lines[m.Params.Position.Line] {
				at++
			}
			say(map[string]any{"id": m.ID, "result": map[string]any{"uri": uri, "range": map[string]any{"start": map[string]any{"line": at, "character": 0}}}})
		case "textDocument/hover":
			os.Exit(3)
		default:
			if m.ID != nil {
				say(map[string]any{"id": m.ID, "error": map[string]any{"code": -32601, "message": "no"}})
			}
		}
	}
}
