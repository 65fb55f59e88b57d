package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// A keyboard reads the terminal and hands on what it says, as Bubble Tea's own
// reader does. It exists so that Bubble Tea can be told to give up everything
// that has to do with the terminal: else it wakes up for a renderer that there
// is not.
type keyboard struct {
	reader  interface{ Cancel() bool }
	release context.CancelFunc
	done    chan struct{} // closed when nothing more is sent
}

// unplugTime bounds how long is waited for a read that cannot be cancelled.
const unplugTime = 500 * time.Millisecond

// plug begins to read in; send takes each message, and fail the error that ends
// the reading.
func plug(in io.Reader, term string, send func(tea.Msg), fail func(error)) (*keyboard, error) {
	reader, err := uv.NewCancelReader(in)
	if err != nil {
		return nil, fmt.Errorf("read the terminal: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	k := &keyboard{reader, cancel, make(chan struct{})}
	events := make(chan uv.Event)
	go func() {
		defer close(events)
		if err := uv.NewTerminalReader(reader, term).StreamEvents(ctx, events); err != nil && !errors.Is(err, context.Canceled) {
			fail(fmt.Errorf("read the terminal: %w", err))
		}
	}()
	go func() {
		defer close(k.done)
		for e := range events {
			if m := message(e); m != nil {
				send(m)
			}
		}
	}()
	return k, nil
}

// unplug ends the reading.
func (k *keyboard) unplug() {
	k.release()
	k.reader.Cancel()
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

// suspendProcess stops the process and all that belongs to it, as a shell's
// user expects of ctrl+z, and returns when it goes on.
func suspendProcess() tea.Msg {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	defer signal.Stop(c)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return tea.ResumeMsg{}
	}
	<-c
	return tea.ResumeMsg{}
}
