package scripted

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A Fault is what goes wrong with an answer. At most one of Status, Error, Cut
// and Quirks is set. In a file it may be written as the name of a cut or quirk
// alone, or as a list of quirks.
//
// An answer that did not arrive (any Status, Error or Cut, and the quirks empty
// and blank) leaves its step in place: the next request gets it whole. Other
// quirks deliver the answer in an odd form, which is then used up.
type Fault struct {
	// Status answers with this HTTP status in place of a stream.
	Status int `json:"status"`
	// Error answers as the provider does in a well-known case: too_long (the
	// context window is exceeded) or quota (the account is out of credit).
	Error string `json:"error"`
	// RetryAfter is sent as the Retry-After header, as it is.
	RetryAfter string `json:"retry_after"`
	// Type and Message replace the provider's error type and message.
	Type    string `json:"type"`
	Message string `json:"message"`
	// Body replaces the whole body of the error. In a file it is a string, or a
	// JSON value that is sent as such.
	Body Args `json:"body"`

	// Cut ends the stream early: see [Cuts].
	Cut string `json:"cut"`
	// After is how many deltas arrive before the cut; -1 cuts before the header.
	// Nil means about the middle of the last call's arguments, or of the text. A
	// wire that sends a call in one piece may have fewer: it is cut at the end.
	After *int `json:"after"`

	// Quirks lists odd forms of a whole answer: see [Quirks].
	Quirks []string `json:"quirks"`

	// Again is how many more requests meet the fault after the first.
	Again int `json:"again"`
}

// Cuts returns the ways in which a stream can end early.
func Cuts() []string {
	return []string{
		"close",       // cleanly, without the terminal marker
		"reset",       // by a TCP reset
		"length",      // with the finish reason of an output limit
		"stall",       // nothing more is sent until the client goes away
		"error_event", // with an error in the stream
		"endless",     // with a line that goes on until the client goes away
	}
}

// Quirks returns the odd forms of an answer. Those from no_done on exist on the
// chat completions wire only.
func Quirks() []string {
	return append([]string{
		"empty", // no content at all
		"blank", // content of white space only
		// The bytes of the stream.
		"crlf", "nospace", "comments", "bom", "no_final_blank", "text_plain",
		"json_body", // one JSON message in place of a stream
	}, ChatQuirks()...)
}

// ChatQuirks returns the quirks that only the chat completions wire has.
func ChatQuirks() []string {
	return []string{
		"no_done",                         // no [DONE] at the end
		"done_space",                      // [DONE] with a space behind it
		"no_index", "same_index", "no_id", // of calls
		"object_args",                        // arguments as an object, not a string
		"double_args",                        // arguments encoded twice
		"null_args", "empty_args", "no_args", // arguments null, "" or absent
		"null_choices", // chunks without choices in between
		"whole_calls",  // a call in one chunk
	}
}

// Has reports whether f holds the quirk. A nil fault has none.
func (f *Fault) Has(quirk string) bool { return f != nil && slices.Contains(f.Quirks, quirk) }

// lost reports whether the answer does not arrive, so that its step stays.
func (f *Fault) lost() bool {
	return f.Status != 0 || f.Error != "" || f.Cut != "" || f.Has("empty") || f.Has("blank")
}

// UnmarshalJSON accepts the short forms.
func (f *Fault) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); b[0] == '"' {
		var name string
		if err := json.Unmarshal(b, &name); err != nil {
			return err
		}
		if slices.Contains(Cuts(), name) {
			f.Cut = name
		} else {
			f.Quirks = []string{name}
		}
		return nil
	}
	if b[0] == '[' {
		return json.Unmarshal(b, &f.Quirks)
	}
	type plain Fault
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return dec.Decode((*plain)(f))
}
