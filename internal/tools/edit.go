package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// An Edit is the part of a call that a person may rewrite before it runs: one
// argument, whose value is a text.
type Edit struct {
	Arg string // key of the argument
	// What says in words what it is, and Name is a file name by which an editor
	// knows the kind of text.
	What, Name string
}

// Text returns the text to rewrite; ok is false when args have none.
func (e Edit) Text(args json.RawMessage) (text string, ok bool) {
	var all map[string]json.RawMessage
	if json.Unmarshal(args, &all) != nil {
		return "", false
	}
	var s *string
	if json.Unmarshal(all[e.Arg], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// With returns args with text in the place of the one that is there. Everything
// else stays as it is, in its order.
func (e Edit) With(args json.RawMessage, text string) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(args))
	fail := func(err error) (json.RawMessage, error) {
		return nil, fmt.Errorf("rewrite %s: the call's arguments cannot be read: %w", e.Arg, err)
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fail(errors.Join(err, errors.New("they are no object")))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fail(err)
		}
		var was json.RawMessage
		if err := dec.Decode(&was); err != nil {
			return fail(err)
		}
		if key == e.Arg {
			end := int(dec.InputOffset())
			out := append([]byte{}, args[:end-len(was)]...)
			return append(append(out, quoted(text)...), args[end:]...), nil
		}
	}
	return fail(errors.New("it is not among them"))
}

// quoted is a text as JSON, with what needs no escape left as it is.
func quoted(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// editTold bounds the rewritten text that the model is told word for word.
const editTold = 32 << 10

// Told says, for the model, how a person rewrote the call that asked for was:
// what ran is not what it asked for. "" where nothing was rewritten.
func (e Edit) Told(was, now json.RawMessage) string {
	text, ok := e.Text(now)
	if before, had := e.Text(was); !ok || had && before == text {
		return ""
	}
	says := "[the user changed " + e.What + " of this call before allowing it. "
	if len(text) > editTold {
		return says + fmt.Sprintf("What was carried out has %d bytes and %d lines; look at the result before you rely on it.]\n", len(text), 1+strings.Count(text, "\n"))
	}
	return says + "What was carried out:\n" + text + "\n(end of what was carried out)]\n"
}
