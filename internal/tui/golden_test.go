package tui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// widths are those at which every card, receipt and state is drawn for a person
// to review.
func widths() []int { return []int{40, 80, 120, 200} }

// golden compares rows with a file: each row as text, and below it, where it
// has any, the marks of its styles, a letter a column.
func golden(t *testing.T, name string, rows []string) {
	t.Helper()
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("  " + ansi.Strip(r) + "\n")
		if m := marks(r); m != "" {
			b.WriteString("~ " + m + "\n")
		}
	}
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s differs (run with -update to accept):\n%s", path, b.String())
	}
}

// marks draws the styles of a row: b bold, f faint, i italic, u underlined, x
// struck, v reversed; r g y m c a colour, in capitals when bold.
func marks(row string) string {
	letters := map[string]byte{"1": 'b', "2": 'f', "3": 'i', "4": 'u', "9": 'x', "7": 'v', "31": 'r', "32": 'g', "33": 'y', "35": 'm', "36": 'c'}
	var out strings.Builder
	mark := byte(' ')
	for row != "" {
		seq, w, n, _ := ansi.DecodeSequence(row, 0, nil)
		row = row[n:]
		if w > 0 {
			out.WriteString(strings.Repeat(string(mark), w))
			continue
		}
		params, ok := strings.CutPrefix(strings.TrimSuffix(seq, "m"), "\x1b[")
		if !ok {
			continue
		}
		mark = ' '
		bold := false
		for _, p := range strings.Split(params, ";") {
			if l, ok := letters[p]; ok {
				bold = bold || p == "1"
				mark = l
			}
		}
		if bold && mark != 'b' {
			mark -= 'a' - 'A'
		}
	}
	return strings.TrimRight(out.String(), " ")
}
