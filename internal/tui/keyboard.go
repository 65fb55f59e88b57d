package tui

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// A keyboard reads the terminal and hands on what it says, as Bubble Tea's own
// reader does. It exists so that Bubble Tea can be told to give up everything
// that has to do with the terminal: else it wakes up for a renderer that there
// is not.
type keyboard struct {
	reader interface{ Cancel() bool }
	done   chan struct{} // closed when nothing more is sent
}

// unplugTime bounds how long is waited for a read that cannot be cancelled.
const unplugTime = 500 * time.Millisecond

// plug begins to read in; send takes each message, and fail the error that ends
// the reading. Nothing is sent before after is closed, when it is not nil.
func plug(in io.Reader, term string, armedUntil *atomic.Int64, after <-chan struct{}, send func(tea.Msg), fail func(error)) (*keyboard, error) {
	reader, err := cancellable(in, armedUntil)
	if err != nil {
		return nil, fmt.Errorf("read the terminal: %w", err)
	}
	k := &keyboard{reader, make(chan struct{})}
	events := make(chan uv.Event)
	go func() {
		defer close(events)
		if err := decode(reader, term, events); err != nil {
			fail(fmt.Errorf("read the terminal: %w", err))
		}
	}()
	go func() {
		defer close(k.done)
		if after != nil {
			<-after
		}
		for e := range events {
			if m := message(e); m != nil {
				send(m)
			}
		}
	}()
	return k, nil
}

// decode sends what is typed until the reader ends. The decoder is not ours and
// what it reads is anybody's: its panic is an error.
func decode(in io.Reader, term string, events chan<- uv.Event) (err error) {
	defer recovered("the decoder", &err)
	return uv.NewTerminalReader(in, term).StreamEvents(context.Background(), events)
}

// mute ends the reading: what is typed from now on is somebody else's. What was
// typed before is still sent, which may be after mute returns.
func (k *keyboard) mute() { k.reader.Cancel() }

// unplug ends the reading and the sending.
func (k *keyboard) unplug() {
	k.mute()
	select {
	case <-k.done:
	case <-time.After(unplugTime): // a read hangs, which the end of the process ends
	}
}

// message is an event as the screen knows it, nil for what it does not.
func message(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.PasteEvent:
		return tea.PasteMsg(e)
	case uv.FocusEvent:
		return tea.FocusMsg(e)
	case uv.BlurEvent:
		return tea.BlurMsg(e)
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.CursorPositionEvent:
		return tea.CursorPositionMsg(e)
	}
	return nil
}
