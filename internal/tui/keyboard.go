package tui

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// A keyboard reads the terminal and hands on what it says, as Bubble Tea's own
// reader does. It exists so that Bubble Tea can be told to give up everything
// that has to do with the terminal: else it wakes up for a renderer that there
// is not.
type keyboard struct {
	reader interface{ Cancel() bool }
	feed   *feed
	done   chan struct{} // closed when nothing more is sent
}

// A keyMsg is a key, a pasteMsg what the terminal marked as pasted; both with
// the time at which they were read.
type (
	keyMsg struct {
		tea.KeyPressMsg
		at time.Time
	}
	pasteMsg struct {
		text string
		at   time.Time
	}
)

// unplugTime bounds how long is waited for a read that cannot be cancelled.
const unplugTime = 500 * time.Millisecond

// plug begins to read in, behind what was typed before; send takes each message,
// and fail the error that ends the reading. Nothing is sent before after is
// closed, when it is not nil. The times of keys are those of now.
func plug(in io.Reader, typed []byte, term string, armedUntil *atomic.Int64, after <-chan struct{}, now func() time.Time, send func(tea.Msg), fail func(error)) (*keyboard, error) {
	reader, err := cancellable(in, armedUntil)
	if err != nil {
		return nil, fmt.Errorf("read the terminal: %w", err)
	}
	done := make(chan struct{})
	k := &keyboard{reader, newFeed(done), done}
	if len(typed) > 0 {
		k.feed.take(typed, now())
	}
	events := make(chan uv.Event)
	from := source(k.feed, reader, now)
	go func() {
		defer close(events)
		if err := decode(from, term, events); err != nil {
			fail(fmt.Errorf("read the terminal: %w", err))
		}
	}()
	go func() {
		defer close(done)
		if after != nil {
			<-after
		}
		k.forward(events, now, send)
	}()
	return k, nil
}

// forward sends what is decoded, with the time at which it was read.
func (k *keyboard) forward(events <-chan uv.Event, now func() time.Time, send func(tea.Msg)) {
	var read time.Time
	for {
		select {
		case m := <-k.feed.marks:
			if m.over {
				k.feed.ahead.Add(-1)
			} else {
				read = m.at
			}
		case e, ok := <-events:
			if !ok {
				return
			}
			at := read
			if at.IsZero() { // nobody knows when it was
				at = now()
			}
			if m := message(e, at); m != nil {
				send(m)
			}
		}
	}
}

// behind reports whether keys were read that were not sent yet.
func (k *keyboard) behind() bool { return k.feed.ahead.Load() > 0 }

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
func message(e uv.Event, at time.Time) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		if e.Code < utf8.RuneSelf { // Dvorak and AZERTY say where their keys are too
			e.BaseCode = 0
		}
		if sign := altGr(e); sign != "" {
			e = uv.KeyPressEvent{Text: sign, Code: e.Code}
		}
		return keyMsg{tea.KeyPressMsg(e), at}
	case uv.PasteEvent:
		return pasteMsg{e.Content, at}
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

// altGr returns the sign that was typed with AltGr where a terminal says so as
// Windows does, as Ctrl and Alt; "" for any other key. Commands with both have
// letters and digits.
func altGr(e uv.KeyPressEvent) string {
	if e.Text != "" || e.Mod&^(uv.ModCapsLock|uv.ModNumLock|uv.ModShift) != uv.ModCtrl|uv.ModAlt || e.Code < '!' || e.Code > unicode.MaxRune ||
		e.Code < utf8.RuneSelf && (unicode.IsLetter(e.Code) || unicode.IsDigit(e.Code)) || !unicode.IsPrint(e.Code) {
		return ""
	}
	return string(e.Code)
}
