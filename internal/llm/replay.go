package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// noOutput stands for a result without text, which providers refuse.
const noOutput = "(no output)"

// Blank reports whether s has nothing to send: providers refuse text of white
// space only.
func Blank(s string) bool { return strings.TrimSpace(s) == "" }

// ResultText returns the text of a Result part as it is sent.
func (p *Part) ResultText() string {
	if Blank(p.Text) {
		return noOutput
	}
	return p.Text
}

// DataURL returns an Image part as a data URL (RFC 2397).
func (p *Part) DataURL() string {
	return "data:" + p.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// Replay returns the arguments of c as they are sent back: always a JSON
// object. An object that came encoded as a string is unwrapped; what is no object
// becomes {}. A call that never ran goes back as it was where it can: it may be
// signed.
func (c *Call) Replay() json.RawMessage {
	b := bytes.TrimSpace(c.Args)
	if len(b) > 0 && b[0] == '"' {
		var s string
		if json.Unmarshal(b, &s) == nil {
			b = bytes.TrimSpace([]byte(s))
		}
	}
	b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	if len(b) == 0 || b[0] != '{' || !json.Valid(b) {
		return json.RawMessage("{}")
	}
	return pairSurrogates(b)
}

// pairSurrogates returns b, valid JSON, with each escape that is half of a
// surrogate pair replaced, as Go's decoder does. Models write one where an emoji
// is cut, and providers refuse a body that holds one: that call would be sent
// again with every request to come.
func pairSurrogates(b []byte) []byte {
	unit := func(i int) (uint64, bool) {
		if i+6 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(string(b[i+2:i+6]), 16, 16)
		return v, err == nil
	}
	var out []byte // nil as long as nothing differs
	done := 0
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		u, ok := unit(i)
		low, paired := unit(i + 6)
		switch paired = paired && u < 0xdc00 && low >= 0xdc00 && low < 0xe000; {
		case !ok:
			i++ // the character that is escaped
		case u < 0xd800 || u > 0xdfff:
			i += 5
		case paired:
			i += 11
		default:
			out = append(append(out, b[done:i]...), `\ufffd`...)
			i += 5
			done = i + 1
		}
	}
	if out == nil {
		return b
	}
	return append(out, b[done:]...)
}

// longestID is how long a call ID may be: OpenAI refuses longer ones.
const longestID = 40

// WireID returns a call ID that every provider takes, ^[a-zA-Z0-9_-]{1,40}$,
// and the same one for the same id: conversations move between providers.
func WireID(id string) string {
	clean := strings.Map(portable, id)
	if id != "" && len(id) <= longestID && clean == id {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	const mark = 1 + 2*6 // bytes
	return clean[:min(len(clean), longestID-mark)] + fmt.Sprintf("_%x", sum[:6])
}

// ShortID returns a call ID of n letters and digits, at most 32, and the same one
// for the same id.
func ShortID(id string, n int) string {
	plain := func(r rune) bool { return r < utf8.RuneSelf && r != '_' && r != '-' && portable(r) == r }
	if len(id) == n && strings.IndexFunc(id, func(r rune) bool { return !plain(r) }) < 0 {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return strings.NewReplacer("-", "x", "_", "y").Replace(base64.RawURLEncoding.EncodeToString(sum[:]))[:n]
}

// WireName returns a name of a tool that every provider takes in a call,
// ^[a-zA-Z0-9_-]{1,64}$. A model may have called what no provider would have let
// it be offered, and the call stays in the conversation.
func WireName(name string) string {
	clean := strings.Map(portable, name)
	if clean == "" {
		return "unnamed"
	}
	return clean[:min(len(clean), 64)]
}

// portable returns r if every provider takes it in a name, and _ if not.
func portable(r rune) rune {
	if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}

// Sendable returns p, an Image part, or a Text part in its place for a model
// that is known to take no images: one refused image would end the session.
func (e *Endpoint) Sendable(p Part) Part {
	if len(p.Data) > 0 && (e.Info.Images || e.Info.Context == 0) {
		return p
	}
	return Part{Kind: Text, Text: fmt.Sprintf("[an image (%s, %d bytes) was left out: %s takes no images]", p.MIME, len(p.Data), e.Model)}
}

// CallFor returns the name of the tool whose result is for id: that of the
// nearest call before ms[i] with that ID, "" if there is none.
func CallFor(ms []*Message, i int, id string) string {
	for i--; i >= 0; i-- {
		for _, p := range ms[i].Parts {
			if p.Kind == CallPart && p.Call != nil && p.Call.ID == id {
				return p.Call.Name
			}
		}
	}
	return ""
}

// ImagesOfResult introduces the images of tool results where a provider takes
// none within a result.
const ImagesOfResult = "Images returned by the tool calls above:"
