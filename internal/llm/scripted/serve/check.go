package serve

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// A check is the validation of one request. It keeps the first thing that is
// wrong; what is found after that does not matter.
type check struct {
	served *ledger
	q      ask
	news   []string
	err    error
}

func (c *check) fail(n node, format string, args ...any) {
	if c.err == nil {
		c.err = errors.New(strings.TrimPrefix(n.at+": "+fmt.Sprintf(format, args...), ": "))
	}
}

// decode reads a body, which must be exactly one JSON object in UTF-8.
func (c *check) decode(r *http.Request, body []byte) node {
	root := node{ok: true}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		c.fail(root, "the Content-Type must be application/json, not %q", r.Header.Get("Content-Type"))
	}
	if !utf8.Valid(body) {
		c.fail(root, "the body is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&root.v); err != nil {
		c.fail(root, "the body is not valid JSON: %v", err)
	} else if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		c.fail(root, "there is data after the JSON body")
	}
	if loneSurrogate(body) {
		c.fail(root, "the body is not valid JSON: a string holds half of a surrogate pair")
	}
	if !root.isObject() {
		c.fail(root, "the body must be a JSON object")
	}
	return root
}

// loneSurrogate reports whether an escape in b is half of a pair: decoders of
// the providers refuse what Go's replaces.
func loneSurrogate(b []byte) bool {
	unit := func(i int) (rune, bool) {
		if i+6 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(string(b[i+2:i+6]), 16, 32)
		return rune(v), err == nil
	}
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		u, ok := unit(i)
		switch {
		case !ok:
			i++ // the escaped character
		case u >= 0xD800 && u < 0xDC00:
			if low, ok := unit(i + 6); !ok || low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 11
		case u >= 0xDC00 && u <= 0xDFFF:
			return true
		default:
			i += 5
		}
	}
	return false
}

// only refuses members of n other than keys.
func (c *check) only(n node, keys string) {
	if !n.isObject() {
		c.fail(n, "must be an object")
		return
	}
	known := strings.Fields(keys)
	for _, k := range slices.Sorted(maps.Keys(n.object())) {
		if !slices.Contains(known, k) {
			c.fail(n.key(k), "is not a field of this API")
		}
	}
}

// text returns a string that holds something to read.
func (c *check) text(n node) string {
	switch {
	case !n.isString():
		c.fail(n, "must be a string")
	case strings.TrimSpace(n.str()) == "":
		c.fail(n, "text must contain non-whitespace text")
	}
	return n.str()
}

// say notes new input, and heard that it was answered.
func (c *check) say(text string) {
	if c.q.Opening == "" {
		c.q.Opening = text
	}
	c.news = append(c.news, text)
}

func (c *check) heard() { c.news = nil }

// id returns a non-empty string and notes the number it ends with.
func (c *check) id(n node) string {
	if n.str() == "" {
		c.fail(n, "must be a non-empty string")
	}
	c.q.LastID = max(c.q.LastID, scripted.IDNumber(n.str()))
	return n.str()
}

func (c *check) oneOf(n node, values string) {
	if !slices.Contains(strings.Fields(values), n.str()) {
		c.fail(n, "must be one of %s", strings.Join(strings.Fields(values), ", "))
	}
}

// between checks a number, where it is given.
func (c *check) between(n node, low, high float64) {
	if v, ok := n.number(); !n.isNull() && (!ok || v < low || v > high) {
		c.fail(n, "must be a number from %g to %g", low, high)
	}
}

// whole checks an integer of at least low, where it is given.
func (c *check) whole(n node, low int) {
	v, isNumber := n.v.(json.Number)
	i, err := strconv.Atoi(v.String())
	if !n.isNull() && (!isNumber || err != nil || i < low) {
		c.fail(n, "must be an integer of at least %d", low)
	}
}

// model notes the model's name.
func (c *check) model(n node) {
	c.q.model = c.text(n)
}

// stream checks that a stream is asked for.
func (c *check) stream(n node) {
	if !n.isTrue() {
		c.fail(n, "must be true")
	}
}

// jsonObject checks a string that holds a JSON object.
func (c *check) jsonObject(n node) {
	var m map[string]json.RawMessage
	if !n.isString() {
		c.fail(n, "must be a string")
	} else if err := json.Unmarshal([]byte(n.str()), &m); err != nil || m == nil {
		c.fail(n, "must hold a JSON object, not %.80q", n.str())
	}
}

// image checks base64 data of a media type.
func (c *check) image(kind, data node) {
	c.oneOf(kind, "image/png image/jpeg image/gif image/webp")
	if b, err := base64.StdEncoding.DecodeString(data.str()); err != nil || len(b) == 0 {
		c.fail(data, "must be base64 data")
	}
}

// imageURL checks an address or a data URL.
func (c *check) imageURL(n node) {
	rest, isData := strings.CutPrefix(n.str(), "data:")
	kind, data, ok := strings.Cut(rest, ";base64,")
	switch {
	case isData && ok:
		c.image(node{kind, n.at, true}, node{data, n.at, true})
	case !strings.HasPrefix(n.str(), "https://") && !strings.HasPrefix(n.str(), "http://"):
		c.fail(n, "must be a URL or a base64 data URL")
	}
}

var (
	nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	idForm   = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
)

// toolName checks the name of a tool or of a call.
func (c *check) toolName(n node) {
	if !nameForm.MatchString(n.str()) {
		c.fail(n, "%q does not match %s", n.str(), nameForm)
	}
}

// pairs follows calls and their results through a conversation.
type pairs struct {
	open []string        // calls without a result yet
	seen map[string]bool // all calls
	kind string          // how this wire calls a result
}

func newPairs(kind string) *pairs { return &pairs{seen: map[string]bool{}, kind: kind} }

func (p *pairs) call(c *check, n node, id string) {
	if p.seen[id] {
		c.fail(n, "the id %q is used twice", id)
	}
	p.seen[id] = true
	p.open = append(p.open, id)
}

func (p *pairs) result(c *check, n node, id string) {
	i := slices.Index(p.open, id)
	switch {
	case i < 0 && p.seen[id]:
		c.fail(n, "a second %s for the call %q", p.kind, id)
	case i < 0:
		c.fail(n, "a %s for %q, which is no call before it", p.kind, id)
	default:
		p.open = slices.Delete(p.open, i, i+1)
	}
}

// settled checks that every call has its result by now.
func (p *pairs) settled(c *check, n node) {
	if len(p.open) > 0 {
		c.fail(n, "calls were found without a %s immediately after: %s", p.kind, strings.Join(p.open, ", "))
	}
}
