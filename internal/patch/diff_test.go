package patch

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"
)

func TestDiffDrawsWhatGitDraws(t *testing.T) {
	for _, c := range []struct {
		name, a, b, want string
		added, removed   int
	}{
		{"equal", "a\n", "a\n", "", 0, 0},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", 1, 1},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n", 2, 0},
		{"to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n", 0, 1},
		{"no final newline", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", 1, 1},
		{"CR is a part of the line", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n", 1, 1},
		{"bytes that are not UTF-8", "a\xff\n", "a\xfe\n", "@@ -1 +1 @@\n-a\xff\n+a\xfe\n", 1, 1},
		{"far apart", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n", "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n", 2, 2},
		{"close together", "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n", "@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n", 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Diff([]byte(c.a), []byte(c.b), DiffOptions{Old: "f", New: "f"})
			want := c.want
			if want != "" {
				want = "--- a/f\n+++ b/f\n" + want
			}
			if got.Text != want || got.Added != c.added || got.Removed != c.removed {
				t.Errorf("got +%d -%d\n%s\nwant +%d -%d\n%s", got.Added, got.Removed, got.Text, c.added, c.removed, want)
			}
		})
	}
}

func TestDiffNamesFilesSoThatTheyCanBeReadBack(t *testing.T) {
	for _, name := range []string{"x.go", "a/b c.go", "a\tb", "q\"\n", "/etc/x", " padded "} {
		d := Diff([]byte("a\n"), []byte("b\n"), DiffOptions{Old: name, New: name})
		got, err := Parse(d.Text)
		if err != nil || got[0].Path != name {
			t.Errorf("%q came back as %+v, %v", name, got, err)
		}
	}
	d := Diff(nil, []byte("b\n"), DiffOptions{New: "n"})
	if got, err := Parse(d.Text); err != nil || got[0].Op != Add || got[0].Content != "b\n" {
		t.Errorf("a new file came back as %+v, %v", got, err)
	}
}

// edited returns n lines and the same lines after some random edits.
func edited(n, edits int) (a, b []byte) {
	r := rand.New(rand.NewSource(1))
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d of %d\n", i, r.Intn(n))
	}
	a = []byte(strings.Join(lines, ""))
	for range edits {
		i := r.Intn(len(lines))
		switch r.Intn(3) {
		case 0:
			lines[i] = fmt.Sprintf("changed %d\n", r.Int())
		case 1:
			lines[i] = ""
		default:
			lines[i] += fmt.Sprintf("added %d\n", r.Int())
		}
	}
	return a, []byte(strings.Join(lines, ""))
}

func TestADiffOutOfTimeIsStillTrue(t *testing.T) {
	a, b := edited(3000, 2500)
	d := Diff(a, b, DiffOptions{Old: "f", New: "f", Timeout: time.Nanosecond})
	sections, err := Parse(d.Text)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Apply(a, sections[0].Hunks); err != nil || string(got.Text) != string(b) {
		t.Errorf("applied, it is not the new text: %v", err)
	}
}

func BenchmarkDiff500EditsIn10000Lines(b *testing.B) {
	x, y := edited(10_000, 500)
	for b.Loop() {
		Diff(x, y, DiffOptions{Old: "f", New: "f", Timeout: 2 * time.Second})
	}
}

func BenchmarkApply500EditsIn10000Lines(b *testing.B) {
	x, y := edited(10_000, 500)
	sections, err := Parse(Diff(x, y, DiffOptions{Old: "f", New: "f"}).Text)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Apply(x, sections[0].Hunks); err != nil {
			b.Fatal(err)
		}
	}
}
