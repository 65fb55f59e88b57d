//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the real program leaves on the disk where a file is not what is shown of it,
// and what it tells the model where it leaves all as it is.
func TestCasesOfLinesThatAreNotWhatIsShown(t *testing.T) {
	read := func(name string) fileCall { return fileCall{tool: "read", args: with{"filePath": name}, want: "ok"} }
	edit := func(name, old, next string) with {
		return with{"filePath": name, "oldString": old, "newString": next}
	}
	const refused = "blocked:invalid_arguments"
	for _, c := range []struct {
		name  string
		files map[string]string
		calls []fileCall
		want  map[string]string
	}{
		{
			"an edit over lines with different endings",
			map[string]string{"f": "a\r\nb\nc\r\nd\n"},
			[]fileCall{read("f"), {"edit", edit("f", "a\nb\nc", "a\nB\nc"), "ok", "", "M f +1 -1"}},
			map[string]string{"f": "a\r\nB\nc\r\nd\n"},
		},
		{
			"typographic quotes around what changes",
			map[string]string{"f": "say “hi” — it’s ok\nx = “a”; y\n"},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: f", "@@", `-say "hi" - it's ok`, `+say "bye" - it's ok`), "ok", "not minding typographic", "M f +1 -1"},
				read("f"),
				{"edit", edit("f", `"a"`, `"b"`), "ok", "not minding typographic", "M f +1 -1"},
			},
			map[string]string{"f": "say “bye” — it’s ok\nx = “b”; y\n"},
		},
		{
			"a form feed and a character without width, by what is shown of them",
			map[string]string{"f": "a\n\x0c\nb\u200bc\n"},
			[]fileCall{
				{"read", with{"filePath": "f"}, "ok", `3: b\u{200b}c`, ""},
				{"write", with{"filePath": "f", "content": "A\n\\x0c\nb\\u{200b}c\n"}, "ok", "", "M f +1 -1"},
				{"apply_patch", envelope("*** Update File: f", "@@", ` \x0c`, `-b\u{200b}c`, `+b\u{200b}d`), "ok", "shown in another form", "M f +1 -1"},
			},
			map[string]string{"f": "A\n\x0c\nb\u200bd\n"},
		},
		{
			"other encodings",
			map[string]string{"latin": "x = 1\n// caf\xe9\n", "gbk": strings.Repeat("\xd6\xd0\xce\xc4", 40), "wide": "\xff\xfea\x00\n\x00"},
			[]fileCall{
				read("latin"),
				{"edit", edit("latin", "x = 1", "x = 'é'"), refused, "it would have two encodings", ""},
				{"edit", edit("latin", "x = 1", "x = 2"), "ok", "", ""},
				{"edit", edit("latin", "caf\ufffd", "un caf\ufffd"), "ok", "", ""},
				{"read", with{"filePath": "gbk"}, "error", "text in another encoding than UTF-8", ""},
				{"write", with{"filePath": "gbk", "content": "x"}, refused, "cannot be read here", ""},
				{"read", with{"filePath": "wide"}, "error", "text in UTF-16", ""},
			},
			map[string]string{"latin": "x = 2\n// un caf\xe9\n", "gbk": strings.Repeat("\xd6\xd0\xce\xc4", 40)},
		},
		{
			"what was only shown with the file",
			map[string]string{"f": "alpha\nbeta\n", "long": "x\n" + strings.Repeat("a", 5000) + "\n"},
			[]fileCall{
				read("f"), read("long"),
				{"edit", edit("f", "2: beta", "2: BETA"), refused, "leave the numbers out", ""},
				{"write", with{"filePath": "f", "content": "1: alpha\n2: BETA\n"}, refused, "leave the numbers out", ""},
				{"write", with{"filePath": "long", "content": "y\n" + strings.Repeat("a", 2000) + "… [line cut, 3000 more bytes]\n"}, refused, "stands for the rest of a line", ""},
			},
			map[string]string{"f": "alpha\nbeta\n", "long": "x\n" + strings.Repeat("a", 5000) + "\n"},
		},
		{
			"a last line that is not ended",
			map[string]string{"f": "a\nb"},
			[]fileCall{read("f"), {"edit", edit("f", "b\n", "c\n"), "ok", "no newline at its end", "M f +1 -1"}},
			map[string]string{"f": "a\nc"},
		},
		{
			"names in a patch",
			map[string]string{"t ": "a\n", "t": "a\n", "q r": "a\n"},
			[]fileCall{
				{"apply_patch", envelope("*** Update File: t ", "@@", "-a", "+b"), "ok", "", ""},
				{"apply_patch", envelope(`*** Update File: "q r"`, "@@", "-a", "+b"), "ok", "", "M q r +1 -1"},
				{"write", with{"filePath": `d\n.txt`, "content": "x"}, refused, "write it as d/n.txt", ""},
			},
			map[string]string{"t ": "b\n", "t": "a\n", "q r": "b\n", `d\n.txt`: ""},
		},
		{
			"pictures that are not whole",
			map[string]string{"cut.png": onePixel[:40], "whole.png": onePixel},
			[]fileCall{
				{"read", with{"filePath": "cut.png"}, "error", "it is cut off", ""},
				{"read", with{"filePath": "whole.png"}, "ok", "is shown", ""},
			},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.files)
			w.change(c.calls)
			for name, want := range c.want {
				if want != "" {
					w.holds(name, want)
				} else if _, err := os.Lstat(filepath.Join(w.dir, name)); err == nil {
					t.Errorf("%s is there", name)
				}
			}
			w.tidy()
		})
	}
}
