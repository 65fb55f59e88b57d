package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxEvent bounds one line and one event of a stream, and one JSON answer, in
// bytes. Whole files travel in a single event; nothing honest is larger.
const maxEvent = 16 << 20

// errTooLarge says that a stream sent a line or an event over [maxEvent].
var errTooLarge = errors.New("the server sent an event of more than 16 MiB")

// An Event is one server-sent event.
type Event struct {
	// Name is the event field, often absent: wires tell events by their data.
	Name string
	// Data holds the data fields, joined by newlines and without surrounding
	// white space. It is valid until the next call of Next.
	Data []byte
	// Whole says that the server answered with one JSON document instead of a
	// stream, and that Data is that document.
	Whole bool
}

// eventReader reads server-sent events (WHATWG HTML, section 9.2) with the leniency
// that servers in the field need: any line ending, a field with or without a
// space, a byte order mark, comments, and a last event without a blank line.
type eventReader struct {
	r      *bufio.Reader
	line   []byte
	data   []byte
	begun  bool
	skipLF bool
	// stray is the beginning of what stood between the events and is none of the
	// format, such as the words of a gateway that failed.
	stray []byte
}

// maxStray bounds what is kept of it, in bytes.
const maxStray = 4 << 10

// newEvents returns a reader of the events of r.
func newEvents(r io.Reader) *eventReader {
	br, ok := r.(*bufio.Reader)
	if !ok {
		br = bufio.NewReaderSize(r, 64<<10)
	}
	return &eventReader{r: br}
}

// Next returns the next event that has data. At the end of the stream it
// returns [io.EOF], after an event that lacked its blank line; any other error
// means that the stream broke.
func (e *eventReader) Next() (Event, error) {
	e.data = e.data[:0]
	var name string
	seen := false
	for {
		line, err := e.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return Event{}, err
		}
		if len(line) == 0 {
			if seen && len(bytes.TrimSpace(e.data)) > 0 {
				return Event{Name: name, Data: bytes.TrimSpace(e.data)}, nil
			}
			if err != nil {
				return Event{}, io.EOF
			}
			name, seen, e.data = "", false, e.data[:0]
			continue
		}
		switch field, value := cutField(line); field {
		case "data":
			if seen {
				e.data = append(e.data, '\n')
			}
			if len(e.data)+len(value) > maxEvent {
				return Event{}, errTooLarge
			}
			e.data, seen = append(e.data, value...), true
		case "event":
			name = string(value)
		case "", "id", "retry":
		default:
			// The beginning of a field, where a stream was cut, has neither.
			if bytes.ContainsAny(line, " {") && len(e.stray)+len(line) < maxStray {
				e.stray = append(append(e.stray, line...), '\n')
			}
		}
	}
}

// readLine returns one line without its ending. At the end of the input it
// returns what is left with io.EOF only once that is empty, so that an
// unfinished last line is still seen.
func (e *eventReader) readLine() ([]byte, error) {
	e.line = e.line[:0]
	for {
		buf, err := e.fill()
		if err != nil {
			if errors.Is(err, io.EOF) && len(e.line) > 0 {
				return e.line, nil
			}
			return nil, err
		}
		i := bytes.IndexAny(buf, "\r\n")
		n := i
		if i < 0 {
			n = len(buf)
		}
		if len(e.line)+n > maxEvent {
			return nil, errTooLarge
		}
		e.line = append(e.line, buf[:n]...)
		if i < 0 {
			_, _ = e.r.Discard(n)
			continue
		}
		e.skipLF = buf[i] == '\r'
		_, _ = e.r.Discard(i + 1)
		return e.line, nil
	}
}

// fill returns the bytes that can be had without waiting, after waiting for at
// least one. It never waits for the LF that may follow a CR: a server may
// pause there.
func (e *eventReader) fill() ([]byte, error) {
	for {
		if _, err := e.r.Peek(1); err != nil {
			return nil, err
		}
		buf, _ := e.r.Peek(e.r.Buffered())
		if !e.begun {
			e.begun = true
			if buf[0] == byteOrderMark[0] {
				if b, err := e.r.Peek(len(byteOrderMark)); err == nil && string(b) == byteOrderMark {
					_, _ = e.r.Discard(len(byteOrderMark))
				}
				continue
			}
		}
		if e.skipLF {
			e.skipLF = false
			if buf[0] == '\n' {
				_, _ = e.r.Discard(1)
				continue
			}
		}
		return buf, nil
	}
}

const byteOrderMark = "\xef\xbb\xbf"

func cutField(line []byte) (string, []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	return string(field), value
}
