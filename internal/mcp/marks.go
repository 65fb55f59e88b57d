package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// markTasks has the tools that can be called as tasks only marked in what a remote
// server answers, as [legible] does for a local one. An answer may come with the
// request for the list, or on the stream that the server speaks up on.
func markTasks(r *http.Request, resp *http.Response) error {
	if r.Method != http.MethodGet && methodOf(r) != "tools/list" {
		return nil
	}
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case err != nil:
	case kind == "text/event-stream":
		resp.Body = &events{Closer: resp.Body, lines: bufio.NewReaderSize(resp.Body, 64<<10)}
	case kind == "application/json":
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxLine+1))
		if err != nil {
			return errors.Join(err, resp.Body.Close())
		}
		if len(body) > maxLine {
			return errors.Join(errLong, resp.Body.Close())
		}
		body = markedMessage(body)
		resp.ContentLength = int64(len(body))
		resp.Header.Del("Content-Length")
		resp.Body = struct {
			io.Reader
			io.Closer
		}{bytes.NewReader(body), resp.Body}
	}
	return nil
}

// methodOf is the method that a request calls, "" for none.
func methodOf(r *http.Request) string {
	if r.GetBody == nil {
		return ""
	}
	body, err := r.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	if err != nil {
		return ""
	}
	m, err := jsonrpc.DecodeMessage(b)
	if call, is := m.(*jsonrpc.Request); err == nil && is {
		return call.Method
	}
	return ""
}

// markedMessage is a message with its list of tools marked, and any other as it is.
func markedMessage(b []byte) []byte {
	var m map[string]json.RawMessage
	if !bytes.Contains(b, supportsTasks) || json.Unmarshal(b, &m) != nil || len(m["result"]) == 0 {
		return b
	}
	m["result"] = marked(m["result"])
	return encode(m)
}

// events are a stream of events (text/event-stream) with the lists of tools in it
// marked. A message that is spread over several lines passes as it is.
type events struct {
	io.Closer
	lines *bufio.Reader
	rest  []byte // of a line that was read
	err   error  // after it
	over  bool   // the line goes on, and is too long to be looked at
}

// Read returns the next bytes.
func (e *events) Read(b []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.line()
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// line reads a line, or a part of one that is too long.
func (e *events) line() {
	var line []byte
	part, err := e.lines.ReadSlice('\n')
	for line = append(line, part...); errors.Is(err, bufio.ErrBufferFull) && !e.over && len(line) <= maxLine; line = append(line, part...) {
		part, err = e.lines.ReadSlice('\n')
	}
	ended := !errors.Is(err, bufio.ErrBufferFull)
	if data, is := bytes.CutPrefix(line, []byte("data:")); is && ended && !e.over {
		text := bytes.TrimRight(data, "\r\n")
		line = append(append([]byte("data: "), markedMessage(bytes.TrimSpace(text))...), data[len(text):]...)
	}
	if e.over = !ended; ended {
		e.err = err
	}
	e.rest = line
}
