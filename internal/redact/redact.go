// Package redact takes secrets out of text that is to be kept or passed on: what
// has the shape of a key, a token or a private key, and the exact values that
// the environment holds. It errs on the side of leaving text alone: a shape is
// in the table only when hardly anything else looks like it.
//
// What was taken out is named in its place, and redacting a second time changes
// nothing. Text of 50 KB takes well under a third of a millisecond.
package redact

import (
	"encoding/json"
	"strings"
)

// A Redactor takes out the shapes of the table, and the values it was made
// with. It may be used from any goroutine.
type Redactor struct {
	// may has a bit for each two bytes with which something in lists begins. It
	// is looked at for every byte of a text, and fits the fastest cache.
	may [1 << 10]uint64
	// at says which of lists to try for these two bytes.
	at    [1 << 16]uint16
	lists [][]candidate
}

// A candidate is a shape or a value that begins with certain two bytes.
type candidate struct {
	start string // what it begins with
	name  string
	shape *shape // nil for an exact value, which is all of start
}

// New returns a Redactor that knows, beside the shapes, the values of secrets.
// Values of fewer than 8 bytes are not taken: they occur in ordinary words.
func New(secrets []Secret) *Redactor {
	r := &Redactor{}
	marks := marks(secrets)
	for _, s := range secrets {
		for _, v := range spellings(s.Value) {
			if len(s.Value) >= minValue && !strings.Contains(marks, v) {
				r.add(candidate{start: v, name: s.Name})
			}
		}
	}
	for _, s := range shapes() {
		for _, start := range s.starts {
			r.add(candidate{start: start, name: s.name, shape: &s})
		}
	}
	return r
}

// minValue is how long a value has to be.
const minValue = 8

// spellings returns a value as it is and as it stands in JSON.
func spellings(v string) []string {
	b, err := json.Marshal(v)
	if err != nil || string(b[1:len(b)-1]) == v {
		return []string{v}
	}
	return []string{v, string(b[1 : len(b)-1])}
}

// marks is everything that may be put in the place of a secret: a value that
// is part of it would be found in it again.
func marks(secrets []Secret) string {
	var b strings.Builder
	for _, s := range secrets {
		b.WriteString(mark(s.Name))
	}
	for _, s := range shapes() {
		b.WriteString(mark(s.name))
	}
	return b.String()
}

func mark(name string) string { return "[redacted: " + name + "]" }

func (r *Redactor) add(c candidate) {
	pair := int(c.start[0])<<8 | int(c.start[1])
	if r.may[pair>>6]>>(pair&63)&1 == 0 {
		r.may[pair>>6] |= 1 << (pair & 63)
		r.at[pair] = uint16(len(r.lists))
		r.lists = append(r.lists, nil)
	}
	r.lists[r.at[pair]] = append(r.lists[r.at[pair]], c)
}

// passes bounds how often a text is gone over: what is taken out may set free
// what stood beside it.
const passes = 4

// Text returns s without its secrets. A nil Redactor returns s.
func (r *Redactor) Text(s string) string {
	if r == nil {
		return s
	}
	for range passes {
		t := r.pass(s)
		if len(t) == len(s) && t == s {
			break
		}
		s = t
	}
	return s
}

// JSON is Text for the text of a JSON value, which stays one.
func (r *Redactor) JSON(s string) string {
	out := r.Text(s)
	if out == s || json.Valid([]byte(out)) || !json.Valid([]byte(s)) {
		return out
	}
	// A value began or ended within an escape.
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		return `"` + mark("arguments") + `"`
	}
	b, err := json.Marshal(each(v, r.Text))
	if err != nil {
		return `"` + mark("arguments") + `"`
	}
	return string(b)
}

// each applies f to every string in a JSON value, the keys of objects too.
func each(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = each(v[i], f)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[f(k)] = each(x, f)
		}
		return out
	}
	return v
}

func (r *Redactor) pass(s string) string {
	var b strings.Builder
	done := 0 // what comes before was copied
	pair := 0
	for i := range len(s) {
		pair = pair<<8&0xffff | int(s[i])
		if r.may[pair>>6]>>(pair&63)&1 == 0 || i-1 < done {
			continue
		}
		from, to, name := r.find(s, i-1, done, r.lists[r.at[pair]])
		if to == 0 {
			continue
		}
		b.WriteString(s[done:from])
		b.WriteString(mark(name))
		done = to
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// find returns the secret that one of the candidates finds at i; to is 0 when
// there is none.
func (r *Redactor) find(s string, i, done int, list []candidate) (from, to int, name string) {
	word := i != done && !begins(s, i)
	for k := range list {
		c := &list[k]
		last := len(c.start) - 1
		switch {
		case word && c.shape != nil && !c.shape.inside:
		// The last byte tells most apart, and a row of dashes too.
		case i+last >= len(s) || s[i+last] != c.start[last] || !strings.HasPrefix(s[i:], c.start):
		case c.shape == nil:
			if e := i + len(c.start); e > to { // the longest value, should one begin another
				from, to, name = i, e, c.name
			}
		case to > 0:
		default:
			if f, e := c.shape.match(s[i:], len(c.start)); e > 0 {
				return i + f, i + e, c.name
			}
		}
	}
	return from, to, name
}

// begins reports whether a word may begin at i: behind something that is no
// part of a word, or behind an escape of JSON, whose last byte is a letter.
func begins(s string, i int) bool {
	if i == 0 || !isWord(s[i-1]) {
		return true
	}
	if i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0 {
		return true
	}
	return i >= 6 && s[i-6] == '\\' && s[i-5] == 'u'
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
