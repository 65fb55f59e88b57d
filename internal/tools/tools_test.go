package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

type example struct {
	Path  string            `json:"filePath" doc:"a path"`
	Limit int               `json:"limit,omitempty"`
	All   bool              `json:"all,omitempty"`
	Mode  string            `json:"mode,omitempty" enum:"fast,slow"`
	Edits []edit            `json:"edits,omitempty"`
	Extra map[string]string `json:"extra,omitempty"`
}

type edit struct {
	Old string `json:"old"`
}

func TestArgumentsAreDecodedStrictly(t *testing.T) {
	for args, want := range map[string]string{
		`{"filePath":"a"}`: "",
		` {"filePath":"a","limit":3,"edits":[{"old":""}]}`: "",
		`"{\"filePath\":\"a\"}"`:                           "",
		`{"filePath":"a","extra":{"k":"v"}}`:               "",
		``:                                                 "filePath is missing",
		`null`:                                             "filePath is missing",
		`{"FilePath":"a"}`:                                 "FilePath is not an argument of this tool (write filePath)",
		`{"filepath":"a"}`:                                 "(write filePath)",
		`{"file_path":"a"}`:                                "(write filePath)",
		`{"filePath":"a","filePath":"b"}`:                  "filePath is given twice",
		`{"filePath":"a","x":1}`:                           "x is not an argument",
		`{"filePath":7}`:                                   "filePath must be a string, not a number",
		`{"filePath":null}`:                                "filePath must be a string, not null",
		`{"filePath":"a","limit":"3"}`:                     "limit must be a whole number, not a string",
		`{"filePath":"a","limit":1.5}`:                     "limit must be a whole number, not 1.5",
		`{"filePath":"a","mode":"warp"}`:                   "mode must be one of fast, slow",
		`{"filePath":"a","edits":[{"old":1}]}`:             "edits[0].old must be a string",
		`{"filePath":"a","edits":[{"old":"","OLD":""}]}`:   "edits[0].OLD",
		`{"filePath":"a"} x`:                               "after the JSON object",
		`{"filePath":"a"`:                                  "ends early",
		`[]`:                                               "the argument must be an object, not an array",
		`{"limit":"x","y":1}`:                              "limit must be a whole number, not a string; y is not an argument",
		"{\"filePath\":\"\xff\"}":                          "not valid UTF-8",
	} {
		var a example
		err := Decode(json.RawMessage(args), &a)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", args, err)
		case want == "" && a.Path != "a":
			t.Errorf("%s: decoded %+v", args, a)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestTheSchemaSaysWhatTheDecoderTakes(t *testing.T) {
	var s struct {
		Type                 string
		Properties           map[string]map[string]any
		Required             []string
		AdditionalProperties *bool
	}
	if err := json.Unmarshal(SchemaOf[example](), &s); err != nil {
		t.Fatal(err)
	}
	if s.Type != "object" || len(s.Properties) != 6 || len(s.Required) != 1 || s.AdditionalProperties == nil || *s.AdditionalProperties {
		t.Errorf("schema %+v", s)
	}
	if s.Properties["filePath"]["description"] != "a path" {
		t.Errorf("filePath: %v", s.Properties["filePath"])
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"filePath":"a","edits":[{"old":"x"}]}`)
	f.Add(`{"filePath":{"filePath":[null,1e999,"\ud800"]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		var a, b example
		if err := Decode(json.RawMessage(s), &a); err != nil {
			return
		}
		// What was accepted means the same to the standard decoder.
		if err := json.Unmarshal(NormalizeArgs(json.RawMessage(s)), &b); err != nil || a.Path != b.Path {
			t.Errorf("%q: %+v and %+v, %v", s, a, b, err)
		}
	})
}

func TestTheZeroDecisionPermitsNothing(t *testing.T) {
	ran := false
	p := &Proposal{Do: func(context.Context, string, func(Progress)) Outcome { ran = true; return Outcome{Kind: OK} }}
	picker := &Proposal{Do: p.Do, Options: []Option{{ID: "a"}, {ID: "b", Write: true}}}
	denied := &Proposal{Do: p.Do, Denied: "sudo"}
	for _, c := range []struct {
		p *Proposal
		d Decision
	}{
		{p, Decision{}},
		{p, Decision{By: ByPerson, Choice: "a"}},
		{picker, Decision{Allowed: true}},
		{picker, Decision{Allowed: true, Choice: "c"}},
		{picker, Decision{Allowed: true, Choice: "a\nc"}},
		{denied, Decision{Allowed: true, By: ByPerson}},
	} {
		if o := c.p.Execute(t.Context(), c.d, nil); o.Kind != Blocked || ran {
			t.Errorf("%+v: %v", c.d, o.Kind)
		}
	}
	if o := picker.Execute(t.Context(), Decision{Allowed: true, Choice: "a\n" + Choose(picker.Options[1], "my\nown")}, nil); o.Kind != OK {
		t.Errorf("a choice of two rows: %v", o)
	}
}

func TestBoundKeepsHeadAndTailWithinTheLimit(t *testing.T) {
	l := TextLimit{MaxBytes: 40, MaxLines: 6}
	for _, c := range []struct {
		text string
		cut  bool
	}{
		{"short", false},
		{strings.Repeat("x", 41), true},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", true},
		{strings.Repeat("é", 30), true},
	} {
		got, cut := l.Bound(c.text, "read it again with an offset")
		if cut != c.cut || !utf8.ValidString(got) || cut != strings.Contains(got, "read it again with an offset") {
			t.Errorf("Bound(%q) = %q, %v", c.text, got, cut)
		}
	}
	got, _ := l.Bound("1\n2\n3\n4\n5\n6\n7\n8\n9", "")
	if !strings.HasPrefix(got, "1\n2\n3\n[…") || !strings.HasSuffix(got, "]\n7\n8\n9") {
		t.Errorf("lines: %q", got)
	}
}

func FuzzBound(f *testing.F) {
	f.Add("aé\n\nb", 4, 2)
	f.Fuzz(func(t *testing.T, s string, n, lines int) {
		if n < 0 || lines < 1 || n > 1000 || !utf8.ValidString(s) {
			return
		}
		got, cut := TextLimit{n, lines}.Bound(s, "")
		if !cut && got != s || cut && !utf8.ValidString(got) || cut && len(got) > n+200 {
			t.Errorf("Bound(%q, %d, %d) = %q, %v", s, n, lines, got, cut)
		}
	})
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"plain", "a\r\nb\tc", "\x1b]0;T\a", "\u009b31m", "\xff\x00", "\u202eabc", "👨‍👩‍👧", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		for _, r := range got {
			if hostile(r) || !utf8.ValidString(got) {
				t.Errorf("Clean(%q) = %q", s, got)
			}
		}
		if strings.ContainsAny(CleanLine(s), "\n\t\r\x1b") {
			t.Errorf("CleanLine(%q)", s)
		}
		if Clean(got) != got {
			t.Errorf("Clean is not stable on %q", s)
		}
	})
}

func TestOrdinaryTextIsNotTouched(t *testing.T) {
	for _, s := range []string{"a\n\tb", "日本語 👨‍👩‍👧 é שלום", ""} {
		if got := Clean(s); got != s {
			t.Errorf("Clean(%q) = %q", s, got)
		}
	}
}
