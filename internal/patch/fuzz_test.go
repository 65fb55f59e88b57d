package patch

import (
	"math/rand"
	"strings"
	"testing"
)

// roundTrip checks that the difference of a and b, applied to a, gives b.
func roundTrip(t *testing.T, a, b []byte) {
	t.Helper()
	d := Diff(a, b, DiffOptions{Old: "f", New: "f"})
	if d.Text == "" {
		return
	}
	sections, err := Parse(d.Text)
	if err != nil {
		t.Fatalf("parse: %v\n%q", err, d.Text)
	}
	got, err := Apply(a, sections[0].Hunks)
	if err != nil {
		t.Fatalf("apply to %q: %v\n%q", a, err, d.Text)
	}
	if string(got.Text) != string(b) || len(got.Notes) > 0 {
		t.Fatalf("%q became %q %q, not %q, by\n%q", a, got.Text, got.Notes, b, d.Text)
	}
}

// text is a random text of few different lines, so that places repeat, with
// all kinds of endings.
func text(r *rand.Rand, plain bool) string {
	words := []string{"a", "b", "", " ", "\tx", "-- a", "++ b", "@@ -1 +1 @@", "\xff", "\ufeffm", `\ n`, "*** End Patch", "diff --git a/f b/f"}
	ends := []string{"\n", "\n", "\r\n", "\r"}
	if plain {
		ends = ends[:1]
	}
	var b strings.Builder
	for range r.Intn(14) {
		b.WriteString(words[r.Intn(len(words))])
		b.WriteString(ends[r.Intn(len(ends))])
	}
	if r.Intn(3) == 0 {
		b.WriteString(words[r.Intn(len(words))])
	}
	return b.String()
}

// change is a text that has lines in common with s.
func change(r *rand.Rand, s string) string {
	parts := strings.SplitAfter(s, "\n")
	for range 1 + r.Intn(3) {
		i := r.Intn(len(parts))
		switch r.Intn(3) {
		case 0:
			parts[i] = ""
		case 1:
			parts[i] += text(r, true)
		default:
			parts[i] = strings.ReplaceAll(parts[i], "\r\n", "\n")
		}
	}
	return strings.Join(parts, "")
}

func TestApplyUndoesDiffOnRandomTexts(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for i := range 8_000 {
		a := text(r, i%2 == 0)
		roundTrip(t, []byte(a), []byte(change(r, a)))
		roundTrip(t, []byte(a), []byte(text(r, i%2 == 0)))
	}
}

func FuzzApplyUndoesDiff(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\r\nb"))
	f.Add([]byte("\ufeffa"), []byte("a"))
	f.Fuzz(func(t *testing.T, a, b []byte) { roundTrip(t, a, b) })
}

func FuzzParseAndApplyNeverPanic(f *testing.F) {
	f.Add("a\nb\n", update("@@ a\n-b\n+c\n*** End of File"))
	f.Add("x\r\n", "```diff\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n```")
	f.Add("x", "diff --git a/f b/g\nrename from f\nrename to g\n")
	f.Add("", "*** Begin Patch\n*** Add File: f\n+\n*** Delete File: g\n*** End Patch")
	f.Fuzz(func(t *testing.T, old, patch string) {
		sections, err := Parse(patch)
		if err != nil {
			return
		}
		for _, s := range sections {
			if s.Path == "" {
				t.Error("a section without a path")
			}
			got, err := Apply([]byte(old), s.Hunks)
			if err == nil && len(s.Hunks) == 0 && string(got.Text) != old {
				t.Errorf("no change made %q of %q", got.Text, old)
			}
		}
	})
}

func FuzzReplaceKeepsTheRest(f *testing.F) {
	f.Add("a\r\nb\r\n", "b", "c\nd", false)
	f.Add("\ufeffaaa", "aa", "a", true)
	f.Fuzz(func(t *testing.T, old, was, next string, all bool) {
		got, err := Replace([]byte(old), was, next, all)
		if err != nil {
			return
		}
		if got.Count < 1 || got.Count > 1 && !all {
			t.Fatalf("%d places", got.Count)
		}
		before, after, _ := strings.Cut(normalize(old), normalize(was))
		if !all && len(got.Notes) == 0 && !strings.Contains(next, mark) && !strings.Contains(was, "\r") && !strings.Contains(was, mark) {
			if want := before + normalize(next) + after; normalize(string(got.Text)) != want {
				t.Fatalf("%q became %q, not %q", old, got.Text, want)
			}
		}
	})
}
