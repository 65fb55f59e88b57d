package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"sync"
)

// A Prefix keeps what a wire made of messages it has already sent, so that the
// next request costs what is new in it. Messages are told apart by pointer:
// they do not change once they are part of a conversation. The zero Prefix is
// ready to use, by several goroutines.
type Prefix[T any] struct {
	mu      sync.Mutex // guards all below
	request int
	tracks  []*track[T]
	tools   []ToolSpec
	encoded []byte
}

// A track is a conversation as it was last sent.
type track[T any] struct {
	messages []*Message
	values   []T
	used     int // the request that used it last
}

// Conversations that are kept. Short requests on the side (classifier, titles)
// share a wire with a long conversation; they push out each other first.
const (
	maxTracks  = 8
	shortTrack = 4
)

// Messages returns encode's answer for each message, in order, calling it only
// for those that are new. The caller does not change the slice.
func (p *Prefix[T]) Messages(ms []*Message, encode func(i int) T) []T {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.request++
	t, same := p.find(ms)
	var old map[*Message]T
	if same < len(t.messages) {
		// Something in the middle changed; what comes after may still be known.
		old = make(map[*Message]T, len(t.messages)-same)
		for i := same; i < len(t.messages); i++ {
			old[t.messages[i]] = t.values[i]
		}
		t.messages = slices.Clone(t.messages[:same])
		t.values = slices.Clone(t.values[:same])
	}
	for i := same; i < len(ms); i++ {
		v, ok := old[ms[i]]
		if !ok {
			v = encode(i)
		}
		t.messages, t.values = append(t.messages, ms[i]), append(t.values, v)
	}
	t.used = p.request
	return t.values[:len(ms):len(ms)]
}

// find returns the track that has most in common with ms from the start, and
// how much; a new one when there is none.
func (p *Prefix[T]) find(ms []*Message) (*track[T], int) {
	var best *track[T]
	most := 0
	for _, t := range p.tracks {
		n := 0
		for n < len(ms) && n < len(t.messages) && ms[n] == t.messages[n] {
			n++
		}
		if n > most {
			best, most = t, n
		}
	}
	if best != nil {
		return best, most
	}
	t := &track[T]{}
	if len(p.tracks) < maxTracks {
		p.tracks = append(p.tracks, t)
		return t, 0
	}
	p.tracks[p.victim()] = t
	return t, 0
}

// victim returns the track to forget: the short one that was not used for
// longest, else any.
func (p *Prefix[T]) victim() int {
	worst := 0
	for i, t := range p.tracks {
		w := p.tracks[worst]
		short, worstShort := len(t.messages) <= shortTrack, len(w.messages) <= shortTrack
		if short != worstShort && short || short == worstShort && t.used < w.used {
			worst = i
		}
	}
	return worst
}

// Tools returns encode's answer for tools, calling it only when they changed.
func (p *Prefix[T]) Tools(tools []ToolSpec, encode func([]ToolSpec) []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.encoded == nil || !slices.EqualFunc(p.tools, tools, sameTool) {
		p.tools, p.encoded = slices.Clone(tools), encode(tools)
	}
	return p.encoded
}

func sameTool(a, b ToolSpec) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

// A Body is a request body in pieces, so that pieces kept from earlier
// requests are sent without being copied.
type Body [][]byte

// Add appends pieces to b.
func (b *Body) Add(pieces ...[]byte) { *b = append(*b, pieces...) }

// AddString appends s to b.
func (b *Body) AddString(s string) { *b = append(*b, []byte(s)) }

// Len returns the number of bytes of b.
func (b Body) Len() int64 {
	var n int64
	for _, c := range b {
		n += int64(len(c))
	}
	return n
}

// Bytes returns b in one piece.
func (b Body) Bytes() []byte { return slices.Concat(b...) }

// Reader returns a reader over b that leaves b as it is.
func (b Body) Reader() io.ReadCloser { return &bodyReader{rest: b} }

type bodyReader struct {
	rest Body
	at   int
}

func (r *bodyReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && len(r.rest) > 0 {
		c := copy(p[n:], r.rest[0][r.at:])
		n, r.at = n+c, r.at+c
		if r.at == len(r.rest[0]) {
			r.rest, r.at = r.rest[1:], 0
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *bodyReader) Close() error { return nil }

// JSON encodes v without the HTML escapes that make code longer on the wire.
// It is for values that cannot fail to encode, and returns null otherwise.
func JSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
