package patch

import (
	"strings"
	"testing"
)

// bracketed puts brackets around the spans of a line.
func bracketed(s string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, x := range spans {
		b.WriteString(s[at:x.From] + "[" + s[x.From:x.To] + "]")
		at = x.To
	}
	return b.String() + s[at:]
}

func TestWordsThatDifferAreMarkedOneByOne(t *testing.T) {
	for _, c := range []struct {
		a, b, inA, inB string
		ok             bool
	}{
		{"return fetch(url)", "return fetch(req, opts)", "return fetch([url])", "return fetch([req, opts])", true},
		{"a := one(x, y)", "b := one(x, z)", "[a] := one(x, [y])", "[b] := one(x, [z])", true},
		{"x = 1", "x = 1 // why", "x = 1", "x = 1[ // why]", false},
		{"same", "same", "same", "same", true},
		{"wholly different", "nothing in common", "", "", false},
		{"naïve café(x)", "naïve cafés(x)", "naïve [café](x)", "naïve [cafés](x)", false},
		{"", "", "", "", true},
		{"if a\xffb == c {", "if a\xffb != c {", "if a\xffb [=]= c {", "if a\xffb [!]= c {", true},
	} {
		x, y, ok := Words(c.a, c.b)
		if !ok {
			if c.ok {
				t.Errorf("%q, %q: nothing in common", c.a, c.b)
			}
			continue
		}
		if gx, gy := bracketed(c.a, x), bracketed(c.b, y); gx != c.inA || gy != c.inB {
			t.Errorf("%q\n%q, want\n%q\n%q", gx, gy, c.inA, c.inB)
		}
	}
	if _, _, ok := Words(strings.Repeat("x", wordsLimit+1), "x"); ok {
		t.Error("a long line was compared")
	}
}

// What is left when the marked words are taken away is the same on both sides.
func FuzzWordsLeaveWhatIsCommon(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("tab\tx", "tab y é")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y, ok := Words(a, b)
		if !ok {
			return
		}
		rest := func(s string, spans []Span) string {
			var out strings.Builder
			at := 0
			for _, sp := range spans {
				if sp.From < at || sp.To < sp.From || sp.To > len(s) {
					t.Fatalf("span %v of %q", sp, s)
				}
				out.WriteString(s[at:sp.From])
				at = sp.To
			}
			return strings.Join(strings.Fields(out.String()+s[at:]), "")
		}
		if rest(a, x) != rest(b, y) {
			t.Errorf("%q and %q: %v %v", a, b, x, y)
		}
	})
}
