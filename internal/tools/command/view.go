package command

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// The sizes of a window of output, in bytes.
const (
	defaultWindow = 16 << 10
	maxWindow     = 50 << 10
)

// A view is a window of output with its text, which fits what a result may
// have.
type view struct {
	shell.Window
	text string
}

// view cuts w to at most n bytes and to the limits of a result: its end when
// newest is set, else its beginning. The rest can be had with a cursor.
func (c Config) view(w shell.Window, n int, newest bool) view {
	cut := shell.Window.Head
	if newest {
		cut = shell.Window.Tail
	}
	limit := c.limit()
	room, lines := max(limit.MaxBytes-2048, 256), max(limit.MaxLines-16, 8)
	for {
		v := view{Window: cut(w, n)}
		v.text = tools.Clean(v.Text())
		have := strings.Count(v.text, "\n") + 1
		if len(v.text) <= room && have <= lines || len(v.Data) <= shell.MinWindow {
			return v
		}
		size := len(v.Data)
		n = max(shell.MinWindow, min(size*room/max(len(v.text), room), size*lines/max(have, lines), size*7/8))
	}
}

// newest is the end of the output of j.
func (c Config) newest(j *shell.Job) view {
	return c.view(j.Window(-1, defaultWindow), defaultWindow, true)
}

// glimpse is what a person is shown of j.
func (c Config) glimpse(j *shell.Job, title string) tools.Section {
	small := c
	small.Limit = tools.TextLimit{MaxBytes: 6 << 10, MaxLines: 56}
	v := small.view(j.Window(-1, 4<<10), 4<<10, true)
	return tools.Section{Kind: tools.Text, Title: tools.CleanLine(title), Body: strings.TrimRight(v.text, "\n")}
}

// header says which part of the output v is, in words that are arguments too.
func (v view) header() string {
	h := fmt.Sprintf("cursor=%d hasMore=%t hasEarlier=%t windowFrom=%d windowBytes=%d totalBytes=%d",
		v.Next(), v.HasMore(), v.From > 0, v.From, len(v.Data), v.Total)
	if v.Lost > 0 {
		h += fmt.Sprintf("\n[the %d bytes before offset %d were not kept]", v.Lost, v.From)
	}
	return h
}

func (v view) body() string {
	if v.text == "" {
		return "(no output in this window)"
	}
	return v.text
}
