package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxLine bounds one message of a server in bytes.
const maxLine = 64 << 20

// A pipe is the transport over the standard input and output of a process: one
// message a line. Lines that are none, and answers to what was not asked, are
// counted and skipped, so that a banner or a stray print ends nothing.
type pipe struct {
	proc  *Process
	lines *bufio.Reader
	// changed is called when the server says that its list of tools or prompts has
	// changed, before anything that it says later is read.
	changed func()
	clean   func(string) string // takes secrets out of what is shown; nil takes none

	mu      sync.Mutex            // guards what follows
	pending map[jsonrpc.ID]string // methods of the calls without an answer
	noise   int
	first   string // the first line that was skipped
	once    sync.Once

	batch []jsonrpc.Message // what is left of a line that held several; Read's alone
}

func newPipe(p *Process, changed func()) *pipe {
	return &pipe{proc: p, lines: bufio.NewReaderSize(p.Out, 64<<10), changed: changed, pending: map[jsonrpc.ID]string{}}
}

// Connect, SessionID, Read, Write and Close make a pipe a transport and its
// connection.
func (p *pipe) Connect(context.Context) (sdk.Connection, error) { return p, nil }

// SessionID is "": there is one session a process.
func (p *pipe) SessionID() string { return "" }

// Write sends one message.
func (p *pipe) Write(_ context.Context, m jsonrpc.Message) error {
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		p.mu.Lock()
		p.pending[r.ID] = r.Method
		p.mu.Unlock()
	}
	_, err = p.proc.In.Write(append(b, '\n')) // one write: the pipe keeps lines whole for one writer at a time
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		err = errEnded // which comes before the end that Read sees, or after
	}
	return err
}

var errEnded = errors.New("it ended without an answer")

// Close ends the process; a Read that waits returns.
func (p *pipe) Close() error {
	var err error
	p.once.Do(func() {
		err = p.proc.Stop()
		p.proc.Out.Close()
	})
	return err
}

// Read returns the next message.
func (p *pipe) Read(context.Context) (jsonrpc.Message, error) {
	for {
		if len(p.batch) > 0 {
			m := p.batch[0]
			p.batch = p.batch[1:]
			return m, nil
		}
		line, err := p.line()
		if err != nil {
			return nil, err
		}
		if line == nil {
			continue
		}
		if p.batch = p.messages(line); len(p.batch) == 0 {
			p.skip(line)
		}
	}
}

// messages decodes a line: one message, or, as of an older protocol, a list of
// them. What is none that is waited for is left out.
func (p *pipe) messages(line []byte) []jsonrpc.Message {
	several := []json.RawMessage{line}
	if line[0] == '[' && json.Unmarshal(line, &several) != nil {
		return nil
	}
	var all []jsonrpc.Message
	for _, one := range several {
		if m := p.message(one); m != nil {
			all = append(all, m)
		}
	}
	return all
}

// errLong says that a server sent more in one message than zuno keeps.
var errLong = fmt.Errorf("it sent a message of more than %d bytes", maxLine)

// line returns the next line that could be a message, and nil for one that
// cannot be. What cannot be is not kept, however long it is.
func (p *pipe) line() ([]byte, error) {
	var line []byte
	for {
		part, err := p.lines.ReadSlice('\n')
		if len(line) == 0 {
			part = bytes.TrimLeft(bytes.TrimPrefix(part, []byte("\ufeff")), " \t\r")
		}
		if len(line) == 0 && len(part) > 0 && !opens(part) {
			p.skip(part)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = p.lines.ReadSlice('\n')
			}
			return nil, err
		}
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, errLong
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil // the next read says that it is the end
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// opens reports whether a line begins as messages do; "[info] …" does not.
func opens(line []byte) bool {
	list, is := bytes.CutPrefix(line, []byte("["))
	if is {
		line = bytes.TrimLeft(list, " \t")
	}
	return len(line) > 0 && line[0] == '{'
}

// message decodes a line; nil when it is none that is waited for.
func (p *pipe) message(line []byte) jsonrpc.Message {
	m, err := jsonrpc.DecodeMessage(bytes.TrimSpace(line))
	if err != nil {
		if m = loose(line); m == nil {
			return nil
		}
	}
	switch m := m.(type) {
	case *jsonrpc.Request:
		switch m.Method {
		case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
			p.changed()
		}
	case *jsonrpc.Response:
		p.mu.Lock()
		method, asked := p.pending[m.ID]
		delete(p.pending, m.ID)
		p.mu.Unlock()
		if !asked {
			return nil
		}
		if m.Error == nil {
			if len(m.Result) == 0 {
				m.Result = json.RawMessage("{}") // the library ends a connection over it
			}
			m.Result = legible(method, m.Result)
		}
	}
	return m
}

func (p *pipe) skip(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.noise++; p.noise == 1 {
		first := string(line[:min(len(line), maxTail)])
		if p.clean != nil {
			first = p.clean(first)
		}
		p.first = tools.CleanLine(tools.Clip(first, 200))
	}
}

// noises says what was skipped, "" when nothing was.
func (p *pipe) noises() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.noise == 0 {
		return ""
	}
	return fmt.Sprintf("%d lines on its standard output are no messages, the first: %s", p.noise, p.first)
}

// A tail keeps the end of what is written to it. It may be read meanwhile.
type tail struct {
	clean func(string) string // takes secrets out of what is shown; nil takes none

	mu  sync.Mutex
	b   []byte
	cut bool // whether there was more before b
}

// maxTail is how much is kept of a server's standard error, in bytes, and
// maxTailShown how much of that is shown.
const (
	maxTail      = 4 << 10
	maxTailShown = 1 << 10
)

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-maxTail):]...)
	if over := len(t.b) - maxTail; over > 0 || len(p) > maxTail {
		t.b, t.cut = append(t.b[:0], t.b[max(0, over):]...), true
	}
	return len(p), nil
}

// String returns the last lines, one after the other, safe to show; "" when
// there are none.
func (t *tail) String() string {
	t.mu.Lock()
	text, cut := string(t.b), t.cut
	t.mu.Unlock()
	if _, rest, more := strings.Cut(text, "\n"); cut && more {
		text = rest // the line that was cut may end in half a secret, which nothing knows
	}
	text = t.cleaned(text)
	var lines []string
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	all := strings.Join(lines, "; ")
	return tools.CleanLine(all[max(0, len(all)-maxTailShown):])
}

func (t *tail) cleaned(text string) string {
	if t.clean == nil {
		return text
	}
	return t.clean(text)
}
