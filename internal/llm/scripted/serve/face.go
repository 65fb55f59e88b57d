package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// A face is one wire format.
type face interface {
	name() string
	// key returns the API key, or an error that says how it must be carried.
	key(r *http.Request) (string, error)
	// check validates a request and notes in c what the answer depends on.
	check(c *check, r *http.Request, body node)
	// remember notes what later requests must replay.
	remember(l *ledger, m *message)
	// stream sends m as events, whole returns it as one JSON value.
	stream(o *out, m *message)
	whole(m *message) any
	// failure returns the body of an error and the name of its event.
	failure(bad *refusal) (event string, body any)
}

// An ask is what an answer depends on.
type ask struct {
	scripted.Query
	model     string
	usage     bool // chat: a usage chunk was asked for
	encrypted bool // responses: encrypted reasoning was asked for
}

// A message is an answer to an ask.
type message struct {
	*scripted.Answer
	ask
}

// obj is a JSON object.
type obj = map[string]any

// A ledger knows what was served, as far as a replay must agree with it.
type ledger struct {
	// thinking maps a call of messages to the signature of the thinking before it,
	// a function call of responses to its reasoning item, and a reasoning item to
	// the item after it.
	thinking map[string]string
	// signed and unsigned tell by name and arguments which calls of gemini were
	// served with a signature, and how many without.
	signed   map[string]bool
	unsigned map[string]int
}

func newLedger() ledger {
	return ledger{map[string]string{}, map[string]bool{}, map[string]int{}}
}

// sign returns a signature over parts. It depends on nothing else, so that a
// conversation can be continued on another server.
func sign(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// argsValue returns the text of arguments as a JSON value: itself if it is JSON,
// else a string of it.
func argsValue(a scripted.Args) any {
	if json.Valid([]byte(a)) {
		return json.RawMessage(a)
	}
	return string(a)
}

func bearer(r *http.Request) (string, bool) {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key, ok && strings.TrimSpace(key) != ""
}
