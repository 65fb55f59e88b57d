package patch

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
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

// rewritten returns two texts of n lines, of which every one is another but for
// lines that all texts have.
func rewritten(n, common int) (a, b []byte) {
	var old, next strings.Builder
	for i := range n {
		if common > 0 && i%common == 0 {
			old.WriteString("}\n")
			next.WriteString("}\n")
			continue
		}
		fmt.Fprintf(&old, "old line %d\n", i)
		fmt.Fprintf(&next, "new line %d\n", i)
	}
	return []byte(old.String()), []byte(next.String())
}

func TestADiffBeyondItsBoundsIsStillTrue(t *testing.T) {
	scattered, after := edited(20_000, 15_000)
	braces, others := rewritten(20_000, 3)
	for name, c := range map[string][2][]byte{
		"scattered":     {scattered, after},
		"only braces":   {braces, others},
		"turned around": {scattered, []byte(strings.Join(turned(scattered), ""))},
	} {
		d := Diff(c[0], c[1], DiffOptions{Old: "f", New: "f"})
		sections, err := Parse(d.Text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Apply(c[0], sections[0].Hunks); err != nil || string(got.Text) != string(c[1]) {
			t.Errorf("%s: applied, it is not the new text: %v", name, err)
		}
	}
}

func turned(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	slices.Reverse(lines)
	return lines
}

// TestEditsAreTheSmallest compares with the plain table of longest common
// subsequences.
func TestEditsAreTheSmallest(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 3000 {
		a, b := make([]string, r.Intn(12)), make([]string, r.Intn(12))
		for i := range a {
			a[i] = string(rune('a' + r.Intn(4)))
		}
		for i := range b {
			b[i] = string(rune('a' + r.Intn(4)))
		}
		var got []string
		i, size := 0, 0
		for n, e := range edits(a, b) {
			if e.removed+e.added == 0 || n > 0 && e.old == i {
				t.Fatalf("%q %q: an edit that is none, or not joined: %+v", a, b, e)
			}
			got = append(append(got, a[i:e.old]...), b[e.new:e.new+e.added]...)
			i, size = e.old+e.removed, size+e.removed+e.added
		}
		got = append(got, a[i:]...)
		if !slices.Equal(got, b) {
			t.Fatalf("%q became %q, not %q", a, got, b)
		}
		if want := distance(a, b); size != want {
			t.Fatalf("%q to %q took %d, not %d", a, b, size, want)
		}
	}
}

func distance(a, b []string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
			if a[i] == b[j] {
				table[i+1][j+1] = table[i][j] + 1
			}
		}
	}
	return len(a) + len(b) - 2*table[len(a)][len(b)]
}

func benchmark(b *testing.B, x, y []byte) {
	for b.Loop() {
		Diff(x, y, DiffOptions{Old: "f", New: "f"})
	}
}

func BenchmarkDiffOfWhollyOther50000Lines(b *testing.B) {
	x, y := rewritten(50_000, 0)
	benchmark(b, x, y)
}

func BenchmarkDiffOf50000LinesWithOnlyBracesInCommon(b *testing.B) {
	x, y := rewritten(50_000, 3)
	benchmark(b, x, y)
}

func BenchmarkDiffOf50000LinesTurnedAround(b *testing.B) {
	x, _ := edited(50_000, 1)
	benchmark(b, x, []byte(strings.Join(turned(x), "")))
}

func BenchmarkDiff40000EditsIn50000Lines(b *testing.B) {
	x, y := edited(50_000, 40_000)
	benchmark(b, x, y)
}

func BenchmarkDiff500EditsIn10000Lines(b *testing.B) {
	x, y := edited(10_000, 500)
	for b.Loop() {
		Diff(x, y, DiffOptions{Old: "f", New: "f"})
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
