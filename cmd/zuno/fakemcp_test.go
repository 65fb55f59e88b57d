//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// A fakeServer is an MCP server that does what it is told on its command line,
// good or bad. It speaks the protocol by hand, so that it can speak it badly.
type fakeServer struct {
	tools, results, calls, lists, pid, log    string
	start, instructions, ask, prompts         string
	noise, stubborn, die, hang, changedOnList bool
	stderr, changed, big, items               int
	out                                       *bufio.Writer
	in                                        *bufio.Reader
}

func fakeMCP() {
	s := &fakeServer{out: bufio.NewWriter(os.Stdout), in: bufio.NewReaderSize(os.Stdin, 1<<20)}
	flag.StringVar(&s.tools, "tools", "", "file with the list of tools, read afresh each time")
	flag.StringVar(&s.results, "results", "", "file with the results by tool")
	flag.StringVar(&s.calls, "calls", "", "file to append the parameters of each call to")
	flag.StringVar(&s.lists, "lists", "", "file to append a line to at each list")
	flag.StringVar(&s.pid, "pid", "", "file to write the pid to")
	flag.StringVar(&s.log, "log", "", "file to append notifications to")
	flag.StringVar(&s.start, "start", "", "silent, nolist, exit, leak, ask or a duration to be late by")
	flag.StringVar(&s.instructions, "instructions", "", "file with the instructions")
	flag.StringVar(&s.prompts, "prompts", "", "file with the list of prompts, and by name what each says")
	flag.StringVar(&s.ask, "ask", "", "file with the schema to ask for during each call")
	flag.BoolVar(&s.noise, "noise", false, "print what is no message around each message")
	flag.BoolVar(&s.stubborn, "stubborn", false, "ignore the end of the input and SIGTERM")
	flag.BoolVar(&s.die, "die", false, "exit in the middle of a call")
	flag.BoolVar(&s.hang, "hang", false, "answer no call")
	flag.BoolVar(&s.changedOnList, "changed-on-list", false, "say that the list has changed whenever it is asked for")
	flag.IntVar(&s.stderr, "stderr", 0, "bytes to write to standard error before each answer")
	flag.IntVar(&s.changed, "changed", 0, "how often to say that the list has changed, in each call")
	flag.IntVar(&s.big, "big", 0, "bytes of the text of each result")
	flag.IntVar(&s.items, "items", 1, "items of each result")
	flag.Parse()
	if s.pid != "" {
		put(s.pid, fmt.Sprintln(os.Getpid()))
	}
	if s.stubborn {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGPIPE)
	}
	s.run()
	for s.stubborn {
		time.Sleep(time.Hour)
	}
}

func put(path, text string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

type fakeMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

func (s *fakeServer) run() {
	switch s.start {
	case "exit":
		fmt.Fprintln(os.Stderr, "cannot find \x1b[31mthe database\x1b[0m")
		os.Exit(1)
	case "leak":
		fmt.Println("logging in with " + os.Getenv("TOKEN"))
		fmt.Fprintf(os.Stderr, "%s\nrefused: %s\n", strings.Repeat("x", 5000), os.Getenv("TOKEN"))
		os.Exit(1)
	case "ask":
		fmt.Print("Proceed? [y/N] ")
	}
	for {
		m, err := s.read()
		if err != nil {
			return
		}
		s.handle(m)
	}
}

func (s *fakeServer) read() (fakeMessage, error) {
	var m fakeMessage
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(line, &m)
}

func (s *fakeServer) handle(m fakeMessage) {
	switch {
	case m.Method == "initialize":
		if d, err := time.ParseDuration(s.start); err == nil {
			time.Sleep(d)
		} else if s.start == "silent" || s.start == "ask" {
			return
		}
		greeting := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{"listChanged": true}, "resources": map[string]any{}, "prompts": map[string]any{}}, "serverInfo": map[string]any{"name": "fake", "version": "1"}}
		if s.instructions != "" {
			b, _ := os.ReadFile(s.instructions)
			greeting["instructions"] = string(b)
		}
		s.answer(m.ID, greeting)
	case m.Method == "tools/list":
		if s.lists != "" {
			put(s.lists, "list\n")
		}
		if s.start == "nolist" {
			return
		}
		b, err := os.ReadFile(s.tools)
		if err != nil {
			b = []byte(`[{"name":"echo","inputSchema":{"type":"object"}}]`)
		}
		b = bytes.ReplaceAll(b, []byte(`"BIG"`), []byte(`"`+strings.Repeat("big ", 500<<10)+`"`))
		if s.changedOnList {
			s.notify(1)
		}
		s.answer(m.ID, map[string]any{"tools": json.RawMessage(b)})
	case m.Method == "tools/call":
		s.call(m)
	case m.Method == "resources/list":
		s.answer(m.ID, map[string]any{"resources": []any{map[string]any{"uri": "file:///etc/hostname", "name": "host"}}})
	case m.Method == "resources/templates/list":
		s.answer(m.ID, map[string]any{"resourceTemplates": []any{map[string]any{"uriTemplate": "note://{id}", "name": "notes"}}})
	case m.Method == "resources/read":
		put(s.calls, string(m.Params)+"\n")
		s.answer(m.ID, map[string]any{"contents": []any{map[string]any{"uri": "x", "text": "what it says"}}})
	case m.Method == "prompts/list" && s.prompts != "":
		s.answer(m.ID, map[string]any{"prompts": s.promptFile()["list"]})
	case m.Method == "prompts/get" && s.prompts != "":
		if s.calls != "" {
			put(s.calls, string(m.Params)+"\n")
		}
		var p struct{ Name string }
		_ = json.Unmarshal(m.Params, &p)
		s.answer(m.ID, map[string]any{"messages": s.promptFile()[p.Name]})
	case m.Method == "prompts/list":
		s.answer(m.ID, map[string]any{"prompts": []any{map[string]any{"name": "review", "arguments": []any{map[string]any{"name": "file"}}}}})
	case strings.HasPrefix(m.Method, "notifications/"):
		if s.log != "" {
			put(s.log, m.Method+"\n")
		}
	case m.Method != "":
		s.write(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32601, "message": "no such method"}})
	}
}

func (s *fakeServer) promptFile() map[string]json.RawMessage {
	var all map[string]json.RawMessage
	b, err := os.ReadFile(s.prompts)
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return all
}

func (s *fakeServer) call(m fakeMessage) {
	if s.calls != "" {
		put(s.calls, string(m.Params)+"\n")
	}
	if s.die {
		os.Exit(7)
	}
	if s.hang {
		return
	}
	s.notify(s.changed)
	var p struct{ Name string }
	_ = json.Unmarshal(m.Params, &p)
	if s.ask != "" {
		schema, _ := os.ReadFile(s.ask)
		s.write(map[string]any{"jsonrpc": "2.0", "id": "q1", "method": "elicitation/create", "params": map[string]any{"message": "How much?", "requestedSchema": json.RawMessage(schema)}})
		for {
			a, err := s.read()
			if err != nil {
				return
			}
			if string(a.ID) == `"q1"` {
				s.answer(m.ID, map[string]any{"content": []any{map[string]any{"type": "text", "text": "answer: " + string(a.Result)}}})
				return
			}
			s.handle(a)
		}
	}
	if b, err := os.ReadFile(s.results); err == nil {
		var all map[string]json.RawMessage
		if json.Unmarshal(b, &all) == nil && all[p.Name] != nil {
			if bytes.Contains(all[p.Name], []byte(`"code"`)) {
				s.write(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": all[p.Name]})
				return
			}
			s.answer(m.ID, all[p.Name])
			return
		}
	}
	text := "done: " + p.Name
	if s.big > 0 {
		text = "HEAD" + strings.Repeat("x", s.big) + "TAIL"
	}
	content := make([]any, s.items)
	for i := range content {
		content[i] = map[string]any{"type": "text", "text": text}
	}
	s.answer(m.ID, map[string]any{"content": content})
}

func (s *fakeServer) notify(n int) {
	for range n {
		s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
	}
}

func (s *fakeServer) answer(id json.RawMessage, result any) {
	if s.stderr > 0 {
		_, _ = io.CopyN(os.Stderr, strings.NewReader(strings.Repeat("\x1b[2Jtrouble ahead\n", s.stderr/16+1)), int64(s.stderr))
	}
	if s.noise {
		s.print("Starting…\n\n{\n" + strings.Repeat("long ", 60<<10) + "\n\xff\xfe\n[1,2]\n[{\"jsonrpc\":\"2.0\"}]\n{}\n")
		s.write(map[string]any{"jsonrpc": "2.0", "id": 999, "result": map[string]any{}})
		s.write(map[string]any{"jsonrpc": "2.0", "id": "text", "result": map[string]any{}})
		s.print("\ufeff") // in front of a message that counts
	}
	s.write(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
	if s.noise {
		s.write(map[string]any{"jsonrpc": "2.0", "id": id, "result": map[string]any{"twice": true}})
		s.print("bye\n")
	}
}

func (s *fakeServer) write(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	s.print(string(b) + "\n")
}

func (s *fakeServer) print(text string) {
	_, _ = s.out.WriteString(text) // zuno may be gone
	_ = s.out.Flush()
}
