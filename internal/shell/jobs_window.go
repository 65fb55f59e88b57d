package shell

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// MinWindow is the least size of a window that always gets on: it holds any
// character.
const MinWindow = utf8.UTFMax

// A Window is a part of a command's output, both streams in the order of their
// arrival. Offsets count bytes from the beginning of the output.
type Window struct {
	Data  []byte
	From  int64 // offset of Data
	Total int64 // bytes written so far
	Lost  int64 // bytes before From that were asked for and are not kept
	Ended bool  // Total is final
}

// Next returns the offset of what follows w.
func (w Window) Next() int64 { return w.From + int64(len(w.Data)) }

// HasMore reports that something follows w already.
func (w Window) HasMore() bool { return w.Next() < w.Total }

// Head returns the beginning of w, of at most n bytes: up to the end of a line
// when that is not far back, and always to the end of a character. What was
// left out can be had from the offset Next on.
func (w Window) Head(n int) Window {
	all := w.Data
	w.Data = all[:min(len(all), n)]
	if w.HasMore() {
		if i := bytes.LastIndexByte(w.Data, '\n'); i >= len(w.Data)/2 {
			w.Data = w.Data[:i+1]
			return w
		}
	}
	return w.whole()
}

// Tail returns the end of w, of at most n bytes: from the beginning of a line
// when that is not far ahead, and always from that of a character.
func (w Window) Tail(n int) Window {
	w = w.skip(max(0, len(w.Data)-n))
	if w.From > 0 {
		if i := bytes.IndexByte(w.Data[:len(w.Data)/2], '\n'); i >= 0 {
			w = w.skip(i + 1)
		}
		for i := 0; i < utf8.UTFMax-1 && len(w.Data) > 0 && !utf8.RuneStart(w.Data[0]); i++ {
			w = w.skip(1)
		}
	}
	return w.whole()
}

func (w Window) skip(n int) Window {
	w.Data, w.From = w.Data[n:], w.From+int64(n)
	return w
}

// whole leaves a character at the end that is not complete to the next window,
// unless nothing would be left or nothing can follow.
func (w Window) whole() Window {
	more := w.HasMore()
	if w.Ended && !more {
		return w
	}
	if b := wholeRunes(w.Data); len(b) > 0 || !more {
		w.Data = b
	}
	return w
}

// Text returns w as [Result.Text] does a stream; binary data is only described.
func (w Window) Text() string {
	if isBinary(w.Data) {
		return fmt.Sprintf("[binary data, %d bytes, not shown]\n", len(w.Data))
	}
	return plain(w.Data)
}
