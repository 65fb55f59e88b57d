package mcp

import (
	"bytes"
	"io"
	"time"
)

// The bounds of what is passed on of a program's standard error.
const (
	maxHeard     = 1000 // lines of one connection
	maxHeardLine = 2000 // bytes of one line
)

func (l *link) note(what, text string, took time.Duration) {
	if note := l.client.conf.Note; note != nil {
		note(Note{l.server.Name, what, text, took})
	}
}

// noteEnd notes how something ended.
func (l *link) noteEnd(well, badly string, err error, took time.Duration) {
	if err != nil {
		l.note(badly, err.Error(), took)
		return
	}
	l.note(well, "", took)
}

// hearing returns w, with the lines that are written to it noted where somebody
// wants to know.
func (l *link) hearing(w io.Writer) io.Writer {
	if l.client.conf.Note == nil {
		return w
	}
	return io.MultiWriter(w, &hearer{link: l})
}

// A hearer notes lines. One goroutine writes to it.
type hearer struct {
	link  *link
	line  []byte
	lines int
}

// Write notes the lines that b completes.
func (h *hearer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		piece, behind, whole := bytes.Cut(rest, []byte("\n"))
		h.line = append(h.line, piece[:min(len(piece), maxHeardLine-len(h.line))]...)
		if rest = behind; !whole {
			break
		}
		switch h.lines++; {
		case h.lines <= maxHeard:
			text := string(bytes.ToValidUTF8(h.line, []byte("?")))
			if clean := h.link.client.conf.Clean; clean != nil {
				text = clean(text)
			}
			h.link.note("standard error", text, 0)
		case h.lines == maxHeard+1:
			h.link.note("standard error", "more lines are not noted", 0)
		}
		h.line = h.line[:0]
	}
	return len(b), nil
}
