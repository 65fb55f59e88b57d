//go:build unix

package skill

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestACommandTakesItsArguments(t *testing.T) {
	for _, c := range []struct{ body, args, want string }{
		{"Fix $1 in $2.", "a b", "Fix a in b."},
		{"Fix $1 in $2.", `"a b" c d`, "Fix a b in c d."},
		{"Fix $1 in $2.", "a", "Fix a in ."},
		{"All: $ARGUMENTS!", "  a  b ", "All: a  b!"},
		{"None.", "a b", "None.\n\na b"},
		{"None.", "", "None."},
		{"$1 $1 $2", "$2 $ARGUMENTS", "$2 $2 $ARGUMENTS"},
		{"costs $ 5, $0, $100, $x, $", "a", "costs $ 5, $0, $100, $x, $\n\na"},
		{"$1", `it's "open`, `it's "open`},
		{"$1|$2", "'' x", "|x"},
		{"$2", "a b\nc", "b c"},
		{"$ARGUMENTS", "a\nb", "a\nb"},
	} {
		if got := (Command{Body: c.body}).Expand(c.args); got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.body, c.args, got, c.want)
		}
	}
}

func TestCommandsAreFoundByTheNamesOfTheirFiles(t *testing.T) {
	root := tree(t, map[string]string{
		"a/fix.md": "---\ndescription: Fix it\nargument-hint: FILE\nmodel: x\n---\nFix $1.", "a/plain.md": "# Look around\nand tell", "a/no.txt": "x", "a/sub/x.md": "x",
		"b/fix.md": "other", "a/bad name.md": "x", "a/empty.md": "---\ndescription: d\n---\n", "a/open.md": "---\nx",
	})
	list, notices := Commands([]Place{{Dir: filepath.Join(root, "a")}, {Dir: filepath.Join(root, "b")}, {Dir: filepath.Join(root, "c")}})
	var got []string
	for _, c := range list {
		got = append(got, c.Name+"|"+c.Description+"|"+c.Hint+"|"+c.Body)
	}
	if want := "fix|Fix it|FILE|Fix $1.\nplain|Look around||# Look around\nand tell"; strings.Join(got, "\n") != want {
		t.Errorf("found %q", got)
	}
	if all := strings.Join(notices, "\n"); len(notices) != 3 || !strings.Contains(all, "bad name.md is not used") || !strings.Contains(all, "no text in it") || !strings.Contains(all, "no closing") {
		t.Errorf("notices %q", notices)
	}
}

func FuzzExpand(f *testing.F) {
	f.Add("Fix $1 $ARGUMENTS $12", `a "b c`)
	f.Fuzz(func(t *testing.T, body, args string) {
		if !strings.Contains(body, "$") && !strings.HasPrefix((Command{Body: body}).Expand(args), body) {
			t.Error("a text without places has changed")
		}
	})
}
