package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	fast "github.com/segmentio/encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/tools"
)

// The rows are apart from the vocabulary's types, so that a change there does
// not silently change what is stored.
type (
	partRow struct {
		Kind   string   `json:"kind"`
		Bytes  int      `json:"bytes,omitempty"` // how much of the message's text is this part's
		Call   *callRow `json:"call,omitempty"`
		For    string   `json:"for,omitempty"`
		Failed bool     `json:"failed,omitempty"`
		MIME   string   `json:"mime,omitempty"`
		Image  bool     `json:"image,omitempty"` // message_image has its data
		Opaque string   `json:"opaque,omitempty"`
		// OpaqueRaw stands for an Opaque that is not text.
		OpaqueRaw []byte `json:"opaque_raw,omitempty"`
	}
	callRow struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Args      string `json:"args,omitempty"`
		ArgsRaw   []byte `json:"args_raw,omitempty"`
		Broken    string `json:"broken,omitempty"`
		Opaque    string `json:"opaque,omitempty"`
		OpaqueRaw []byte `json:"opaque_raw,omitempty"`
	}
	sectionRow struct {
		Kind  string `json:"kind"`
		Title string `json:"title,omitempty"`
		Body  string `json:"body"`
	}
	changeRow struct {
		Path    string `json:"path"`
		Kind    string `json:"kind"`
		From    string `json:"from,omitempty"`
		Added   int    `json:"added"`
		Removed int    `json:"removed"`
	}
)

// split returns b as a text or, when it is none, as bytes. It is never stored as
// JSON inside of JSON, which would be compacted: a provider's signature comes
// back as it was sent, or it is worth nothing.
func split(b []byte) (string, []byte) {
	if utf8.Valid(b) {
		return string(b), nil
	}
	return "", b
}

// join undoes split. What was empty comes back as nil.
func join(s string, b []byte) json.RawMessage {
	if s != "" {
		return json.RawMessage(s)
	}
	return b
}

// A messageRow is the parts of a message as they are stored.
type messageRow struct {
	parts  string   // JSON of partRows
	text   string   // the texts of all parts, one after the other
	args   []string // of each call, in order
	images map[int][]byte
}

// encodeParts takes secrets out of what is said and asked for. A text that the
// provider signed, as it does what a model thinks, stays as it is: changed, the
// signature would be worth nothing.
func encodeParts(hide *redact.Redactor, parts []llm.Part) (m messageRow, err error) {
	rows := make([]partRow, len(parts))
	texts := make([]string, len(parts))
	m.images = map[int][]byte{}
	for i, p := range parts {
		texts[i] = plain(p.Text)
		if p.Kind != llm.Thinking || len(p.Opaque) == 0 {
			texts[i] = hide.Text(texts[i])
		}
		r := partRow{Kind: string(p.Kind), Bytes: len(texts[i]), For: p.For, Failed: p.Failed, MIME: p.MIME, Image: len(p.Data) > 0}
		r.Opaque, r.OpaqueRaw = split(p.Opaque)
		if c := p.Call; c != nil {
			r.Call = &callRow{ID: c.ID, Name: c.Name, Broken: c.Broken}
			r.Call.Args, r.Call.ArgsRaw = split(c.Args)
			r.Call.Args, r.Call.ArgsRaw = hide.JSON(r.Call.Args), []byte(hide.Text(string(r.Call.ArgsRaw)))
			m.args = append(m.args, cmp.Or(r.Call.Args, plain(string(r.Call.ArgsRaw))))
			r.Call.Opaque, r.Call.OpaqueRaw = split(c.Opaque)
		}
		if r.Image {
			m.images[i] = p.Data
		}
		rows[i] = r
	}
	m.text = strings.Join(texts, "")
	m.parts, err = encode(rows)
	return m, err
}

// decodeParts returns the parts without the data of images, and whether there
// are any.
func decodeParts(stored []byte, text string) (parts []llm.Part, images bool, err error) {
	var rows []partRow
	if err := fast.Unmarshal(stored, &rows); err != nil {
		return nil, false, err
	}
	parts = make([]llm.Part, len(rows))
	for i, r := range rows {
		if r.Bytes < 0 || r.Bytes > len(text) {
			return nil, false, errors.New("its text is cut off")
		}
		if (llm.PartKind(r.Kind) == llm.CallPart) != (r.Call != nil) {
			return nil, false, errors.New("what it asks for is not there")
		}
		parts[i] = llm.Part{
			Kind: llm.PartKind(r.Kind), Text: text[:r.Bytes], For: r.For, Failed: r.Failed,
			MIME: r.MIME, Opaque: join(r.Opaque, r.OpaqueRaw),
		}
		text, images = text[r.Bytes:], images || r.Image
		if c := r.Call; c != nil {
			parts[i].Call = &llm.Call{
				ID: c.ID, Name: c.Name, Args: join(c.Args, c.ArgsRaw), Broken: c.Broken, Opaque: join(c.Opaque, c.OpaqueRaw),
			}
		}
	}
	return parts, images, nil
}

// encodeResult returns what a person sees of an outcome and the files that it
// changed, each "" when there is none.
func encodeResult(hide *redact.Redactor, o tools.Outcome) (show, changes string, err error) {
	if len(o.Show) > 0 {
		rows := make([]sectionRow, len(o.Show))
		for i, s := range o.Show {
			rows[i] = sectionRow{Kind: string(s.Kind), Title: hide.Text(s.Title), Body: hide.Text(s.Body)}
		}
		if show, err = encode(rows); err != nil {
			return "", "", err
		}
	}
	if len(o.Changes) > 0 {
		rows := make([]changeRow, len(o.Changes))
		for i, c := range o.Changes {
			rows[i] = changeRow(c)
		}
		changes, err = encode(rows)
	}
	return show, changes, err
}

func decodeResult(show, changes string, o *tools.Outcome) error {
	if show != "" {
		var rows []sectionRow
		if err := fast.Unmarshal([]byte(show), &rows); err != nil {
			return err
		}
		for _, r := range rows {
			o.Show = append(o.Show, tools.Section{Kind: tools.SectionKind(r.Kind), Title: r.Title, Body: r.Body})
		}
	}
	if changes == "" {
		return nil
	}
	var rows []changeRow
	err := fast.Unmarshal([]byte(changes), &rows)
	for _, r := range rows {
		o.Changes = append(o.Changes, tools.Change(r))
	}
	return err
}

func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// plain is s as SQLite takes a text: UTF-8 without NUL.
func plain(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\x00", "�")
}

// nonNil makes a nil that would be stored as NULL an empty blob.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
