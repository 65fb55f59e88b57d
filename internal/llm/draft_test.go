package llm

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestAPrefixEncodesWhatIsNewOnly(t *testing.T) {
	var p Prefix[string]
	encoded := 0
	send := func(ms []*Message) string {
		return strings.Join(p.Messages(ms, func(i int) string { encoded++; return ms[i].Text() }), "")
	}
	a, b, c, d := UserText("a"), UserText("b"), UserText("c"), UserText("d")
	for _, step := range []struct {
		ms   []*Message
		want string
		cost int
	}{
		{[]*Message{a, b}, "ab", 2},
		{[]*Message{a, b, c}, "abc", 1},
		{[]*Message{a, b, c}, "abc", 0},
		{[]*Message{d}, "d", 1},                     // on the side
		{[]*Message{a, b, c, d}, "abcd", 1},         // goes on
		{[]*Message{a, UserText("x"), c}, "axc", 1}, // changed in the middle
		{[]*Message{a, b}, "ab", 1},
		{nil, "", 0},
	} {
		encoded = 0
		if got := send(step.ms); got != step.want || encoded != step.cost {
			t.Errorf("sent %q at a cost of %d, want %q, %d", got, encoded, step.want, step.cost)
		}
	}
}

func TestShortRequestsDoNotPushOutALongConversation(t *testing.T) {
	var p Prefix[int]
	long := make([]*Message, 50)
	for i := range long {
		long[i] = UserText("x")
	}
	encoded := 0
	encode := func(int) int { encoded++; return 0 }
	p.Messages(long, encode)
	for range 100 {
		p.Messages([]*Message{UserText("y")}, encode)
	}
	encoded = 0
	p.Messages(long, encode)
	if encoded != 0 || len(p.tracks) > maxTracks {
		t.Errorf("%d messages were encoded again, %d conversations kept", encoded, len(p.tracks))
	}
}

func TestToolsAreEncodedWhenTheyChange(t *testing.T) {
	var p Prefix[int]
	n := 0
	encode := func([]ToolSpec) []byte { n++; return []byte("x") }
	for _, name := range []string{"a", "a", "b", "b", "a"} {
		p.Tools([]ToolSpec{{Name: name, Schema: json.RawMessage(`{}`)}}, encode)
	}
	if n != 3 {
		t.Errorf("encoded %d times", n)
	}
}

func TestABodyReadsAsOne(t *testing.T) {
	b := Body{[]byte("ab"), nil, []byte("c"), []byte("def")}
	for range 2 {
		got, err := io.ReadAll(b.Reader())
		if err != nil || string(got) != "abcdef" || b.Len() != 6 || string(b.Bytes()) != "abcdef" {
			t.Errorf("read %q, %v", got, err)
		}
	}
}

func TestADraftThatFailedKeepsOnlyWhatIsSafe(t *testing.T) {
	d := NewDraft(nil)
	open := d.Add(Thinking)
	d.Write(open, "half a thou")
	whole := d.Add(Thinking)
	whole.Opaque, whole.Whole = json.RawMessage(`"s"`), true
	d.Write(d.Add(Text), "text")
	c := d.Add(CallPart)
	c.ID, c.Name, c.Whole = "A", "read", true
	c.Args.WriteString(`{}`)
	m := d.Message(&Endpoint{Provider: "p", Model: "m"}, nil, errors.New("x"))
	if len(m.Parts) != 3 || m.Parts[0].Opaque == nil || m.Text() != "text" || m.Calls()[0].Broken == "" || m.Stop != "" || m.Model != "p/m" {
		t.Errorf("kept %+v", m)
	}
}

// TestArgumentsSentTwiceAreOne has what gateways make of the pieces of a call. What
// the model may have meant otherwise stays broken, and says where it is.
func TestArgumentsSentTwiceAreOne(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"a"}`:                         `{"path":"a"}`,
		`{}{"path":"a"}`:                       `{"path":"a"}`,
		`{"path":"a"}{"path":"a"}`:             `{"path":"a"}`,
		"{\"path\":\"a\"}\n{\"path\":\"a\"}\n": `{"path":"a"}`,
		`{"path":"a"}{"path":"b"}`:             "not valid JSON: invalid character '{' after top-level value (byte 13)",
		`{"path":"a"}</tool_call>`:             "not valid JSON: invalid character '<' after top-level value (byte 13)",
		`{"path":"a"}{"path":`:                 "not valid JSON: invalid character '{' after top-level value (byte 13)",
		"{\"path\":\"a\nb\"}":                  `not valid JSON: invalid character '\n' in string literal (byte 11)`,
		`{"path":"a\d"}`:                       `not valid JSON: invalid character 'd' in string escape code (byte 12)`,
		`{"path":`:                             "not valid JSON: unexpected end of JSON input",
		`{"n":NaN}`:                            "not valid JSON: invalid character 'N' looking for beginning of value (byte 6)",
	} {
		d := NewDraft(nil)
		c := d.Add(CallPart)
		c.ID, c.Name = "A", " read\n"
		c.Args.WriteString(args)
		m := d.Message(&Endpoint{}, nil, nil)
		got := m.Calls()[0]
		if got.Broken == "" && string(got.Args) == want && got.Name == "read" || got.Broken != "" && strings.HasSuffix(got.Broken, want) {
			continue
		}
		t.Errorf("%s: %s (%s)", args, got.Args, got.Broken)
	}
}

// TestAnAnswerThatWasTakenBackHasNoCalls: whatever arrived of it.
func TestAnAnswerThatWasTakenBackHasNoCalls(t *testing.T) {
	d := NewDraft(nil)
	d.Stop = StopRefusal
	for range 2 {
		c := d.Add(CallPart)
		c.Name, c.Whole = "write", true
		c.Args.WriteString(`{"path":"a"}`)
	}
	m := d.Message(&Endpoint{}, nil, nil)
	for _, c := range m.Calls() {
		if c.Broken == "" {
			t.Errorf("%s %s may run", c.Name, c.Args)
		}
	}
}

func TestCountsAreReadAsServersWriteThem(t *testing.T) {
	for text, want := range map[string]Count{`7`: 7, `7.0`: 7, `"7"`: 7, `-7`: 0, `null`: 0, `"x"`: 0, `1e3`: 1000, `1e300`: 0, `{}`: 0} {
		got := Count(5)
		if err := got.UnmarshalJSON([]byte(text)); err != nil || got != want {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
}

func TestIDsThatProvidersRefuseAreRewritten(t *testing.T) {
	for id, same := range map[string]bool{"toolu_01": true, "call-1": true, "functions.read:0": false, "": false, strings.Repeat("x", 40): true, strings.Repeat("x", 41): false, "é": false} {
		got := WireID(id)
		if (got == id) != same || len(got) > 40 || got == "" || strings.ContainsFunc(got, func(r rune) bool { return r > 'z' || r == '.' || r == ':' }) {
			t.Errorf("%q became %q", id, got)
		}
		if got != WireID(id) {
			t.Errorf("%q is rewritten differently each time", id)
		}
	}
	if WireID("a.b") == WireID("a:b") {
		t.Error("two IDs became one")
	}
}

func TestNamesThatProvidersRefuseAreRewritten(t *testing.T) {
	for name, want := range map[string]string{
		"read": "read", "mcp_docs-x_1": "mcp_docs-x_1", "functions.shell": "functions_shell", "": "unnamed", "  ": "__", "é/ü": "___", strings.Repeat("x", 70): strings.Repeat("x", 64),
	} {
		if got := WireName(name); got != want {
			t.Errorf("%q became %q", name, got)
		}
	}
}

func TestSchemasAreRepairedAndGoodOnesKept(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{},"title":"\ud83d"}`:      `{"type":"object","properties":{},"title":"\ufffd"}`,
		`{"type":"object","properties":{"a":{"type":"string"}} }`: `{"type":"object","properties":{"a":{"type":"string"}} }`,
		``:                             `{"type":"object","properties":{}}`,
		`[]`:                           `{"type":"object","properties":{}}`,
		`{"type":"object"}`:            `{"properties":{},"type":"object"}`,
		`{"type":"string"}`:            `{"properties":{},"type":"object"}`,
		`{"anyOf":[],"type":"object"}`: `{"properties":{},"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"array"}}}`: `{"properties":{"a":{"items":{},"type":"array"}},"type":"object"}`,
		`{"type":"object","properties":{},"required":"a"}`:      `{"properties":{},"type":"object"}`,
	} {
		if got := string(ToolSpec{Schema: json.RawMessage(schema)}.Parameters()); got != want {
			t.Errorf("%s became %s", schema, got)
		}
	}
}

func TestImagesAreLeftOutForModelsKnownToTakeNone(t *testing.T) {
	picture := Part{Kind: Image, MIME: "image/png", Data: []byte("x")}
	for _, c := range []struct {
		info Info
		want PartKind
	}{{Info{}, Image}, {Info{Context: 1}, Text}, {Info{Context: 1, Images: true}, Image}} {
		e := Endpoint{Model: "m", Info: c.info}
		if got := e.Sendable(picture); got.Kind != c.want {
			t.Errorf("%+v: %+v", c.info, got)
		}
	}
}

func TestTheToolOfAResultIsFound(t *testing.T) {
	callOf := func(id, name string) *Message {
		return &Message{Role: Assistant, Parts: []Part{{Kind: CallPart, Call: &Call{ID: id, Name: name}}}}
	}
	ms := []*Message{callOf("A", "old"), callOf("A", "new"), callOf("B", "x"), {Role: Tool}}
	names := []string{CallFor(ms, 3, "A"), CallFor(ms, 3, "B"), CallFor(ms, 3, "C")}
	if !slices.Equal(names, []string{"new", "x", ""}) {
		t.Errorf("found %q", names)
	}
}
