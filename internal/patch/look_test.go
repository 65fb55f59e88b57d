package patch

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// odd is a random text with what is not shown as it is.
func odd(r *rand.Rand) string {
	pieces := []string{"a", "b ", "\t", "\xe9", "\xff", "\x0c", "\x1b[m", "\u200b", "\u202e", "“", "é", "e\u0301", "…", "\ufffd", `\x0c`, `\u{200b}`, "\u00a0", "\n", "\n", "\r\n", "\r", "\u2028"}
	var b strings.Builder
	for range r.Intn(24) {
		b.WriteString(pieces[r.Intn(len(pieces))])
	}
	return b.String()
}

// What is quick to tell and what is told piece by piece are the same.
func TestASpellingIsWhatItsUnitsSay(t *testing.T) {
	for r := rune(0); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r <= 0xdfff || r > 0x3100 && r%61 != 0 && !unicode.Is(unicode.Mn, r) {
			continue
		}
		for _, s := range []string{"a" + string(r) + "b", string(r)} {
			for name, spell := range map[string]*spelling{"seen": seen(), "typed": typed()} {
				if got, want := spell.write(s), spelled(spell.units(s)); got != want {
					t.Fatalf("%s: %q is %q, and %q by its units", name, s, got, want)
				}
			}
		}
	}
}

// A text that is written back as it was read is what it was.
func TestWhatWasReadIsWrittenBack(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 4_000 {
		old := odd(r)
		read := strings.Join(shown(split(old)), "\n")
		if lines := split(old); len(lines) > 0 && lines[len(lines)-1].end != "" {
			read += "\n"
		}
		if got, err := Adopt([]byte(old), read); err != nil || string(got) != old {
			t.Fatalf("%q, read as %q, became %q, %v", old, read, got, err)
		}
	}
}

// A line that replaces one and says the same of it as is seen is that line, in both
// spellings.
func TestWhatIsKeptOfALineIsKept(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 4_000 {
		have := strings.NewReplacer("\n", "", "\r", "").Replace(odd(r))
		for _, spell := range []*spelling{seen(), typed()} {
			was := spell.write(have)
			got, ok := mend([]string{was}, []string{have}, []string{was}, spell)
			if want := []string{have}; ok && was != "" && strings.Trim(was, blanks) == was && strings.Trim(have, blanks) == have && !slices.Equal(got, want) {
				t.Fatalf("%q, seen as %q, became %q", have, was, got)
			}
		}
	}
}

func FuzzReplaceWhatIsSeen(f *testing.F) {
	f.Add("a\x0cb “c”\r\n", "c", "d")
	f.Add("\xe9\xe8 \u200b", "\ufffd", "x")
	f.Fuzz(func(t *testing.T, old, was, next string) {
		if got, err := Replace([]byte(old), was, next, false); err == nil && got.Count != 1 {
			t.Errorf("%d places", got.Count)
		}
		if _, err := Adopt([]byte(old), next); err != nil && !strings.Contains(err.Error(), "not shown as it is") {
			t.Error(err)
		}
	})
}
