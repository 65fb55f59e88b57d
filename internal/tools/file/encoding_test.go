//go:build unix

package file

import (
	"os"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

func (b *bench) get(name string) string {
	data, err := os.ReadFile(b.path(name))
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// How a text is shown is known in two places, which must agree: what is shown to a
// model, and what is taken from it.
func TestWhatIsShownIsWhatIsTaken(t *testing.T) {
	for r := rune(0); r <= 0x10ffff; r++ {
		if r == '\r' || r >= 0xd800 && r <= 0xdfff {
			continue
		}
		if s := "a" + string(r) + "b"; tools.Clean(s) != patch.Seen(s) {
			t.Fatalf("%q is shown as %q and taken as %q", s, tools.Clean(s), patch.Seen(s))
		}
	}
}

// What read shows as an escape can be written, edited and patched by what it shows.
func TestWhatIsShownAsAnEscapeStays(t *testing.T) {
	const old = "a\x0c\nb = 1\u200b\ncaf\xe9\n"
	shown := "1: a\\x0c\n2: b = 1\\u{200b}\n3: caf\ufffd\n"
	for tool, c := range map[string]struct {
		args args
		want string
	}{
		"write":       {args{"content": "a\\x0c\nb = 2\\u{200b}\ncaf\ufffd\n"}, "a\x0c\nb = 2\u200b\ncaf\xe9\n"},
		"edit":        {args{"oldString": "a\\x0c\nb = 1\\u{200b}", "newString": "a\\x0c!\nb = 1\\u{200b}"}, "a\x0c!\nb = 1\u200b\ncaf\xe9\n"},
		"apply_patch": {args{"patchText": "*** Begin Patch\n*** Update File: f\n@@\n a\\x0c\n-b = 1\\u{200b}\n+b = 3\\u{200b}\n caf\ufffd\n*** End Patch"}, "a\x0c\nb = 3\u200b\ncaf\xe9\n"},
	} {
		b := newBench(t)
		b.put("f", old)
		if out := b.call("read", args{"filePath": "f"}); !strings.Contains(tools.Clean(out.Text), shown) {
			t.Fatalf("read shows %q", tools.Clean(out.Text))
		}
		if tool != "apply_patch" {
			c.args["filePath"] = "f"
		}
		if out := b.call(tool, c.args); out.Kind != tools.OK || b.get("f") != c.want {
			t.Errorf("%s: %v %s: %q", tool, out.Kind, out.Text, b.get("f"))
		}
	}
}

func TestAFileKeepsOneEncoding(t *testing.T) {
	latin, damaged, all := "x = 1\n// caf\xe9\n", "// Straße, übel, naïf\nx = 1\n\xff\n", strings.Repeat("\xd6\xd0\xce\xc4", 50)+"\n"
	long := strings.Repeat("a", 7000) + "\n"
	add := "*** Begin Patch\n*** Update File: f\n@@\n-x = 1\n+x = \"é\"\n*** End Patch"
	for name, c := range map[string]struct {
		tool, old string
		args      args
		ok        bool
		says      string
	}{
		"a patch":               {"apply_patch", latin, args{"patchText": add}, false, "f is not in UTF-8, and what would be added to it is"},
		"an edit":               {"edit", latin, args{"oldString": "x = 1", "newString": "x = 'é'"}, false, "two encodings"},
		"a whole":               {"write", latin, args{"content": "x = 'é'\n// caf\ufffd\n"}, false, "two encodings"},
		"ASCII":                 {"edit", latin, args{"oldString": "x = 1", "newString": "x = 2"}, true, ""},
		"a conversion":          {"write", latin, args{"content": "x = 1\n// café\n"}, true, ""},
		"damaged UTF-8":         {"apply_patch", damaged, args{"patchText": add}, true, ""},
		"one that is not read":  {"edit", all, args{"oldString": "x", "newString": "y"}, false, "is text in another encoding than UTF-8, which cannot be read here"},
		"nor written over":      {"write", all, args{"content": "x"}, false, "cannot be read here: to replace it as a whole, delete it and add it anew"},
		"UTF-16":                {"apply_patch", "\xff\xfex\x00 \x00=\x00 \x001\x00\n\x00", args{"patchText": add}, false, "f: it is text in UTF-16"},
		"numbers of lines":      {"write", "a\nb\nc\n", args{"content": "1: a\n2: b\n3: c2\n"}, false, "leave the numbers out"},
		"a list with numbers":   {"write", "a\nb\nc\n", args{"content": "1: first\n2: second\n"}, true, ""},
		"a line that was cut":   {"write", long, args{"content": "aaa… [line cut, 5000 more bytes]\n"}, false, "stands for the rest of a line"},
		"an edit with a cut":    {"edit", "b\n" + long, args{"oldString": "b", "newString": "b… [line cut, 12 more bytes]"}, false, "stands for the rest of a line"},
		"a text about cut ones": {"write", "a\n", args{"content": "b… [line cut, 12 more bytes]\n"}, true, ""},
		"a patch with a cut":    {"apply_patch", "x = 1\n" + long, args{"patchText": strings.Replace(add, "é", "… [line cut, 12 more bytes]", 1)}, false, "stands for the rest of a line"},
		"context that was cut":  {"apply_patch", "x = 1\n" + long, args{"patchText": "*** Begin Patch\n*** Update File: f\n@@\n-x = 1\n+x = 2\n aaa… [line cut, 5000 more bytes]\n*** End Patch"}, false, "leave it out, or name a part of it"},
		"an edit of a cut line": {"edit", long, args{"oldString": "aaa… [line cut, 5000 more bytes]", "newString": "b"}, false, "was too long to be shown"},
		"a file about cut ones": {"write", "x… [line cut, 12 more bytes]\n", args{"content": "y… [line cut, 12 more bytes]\n"}, true, ""},
	} {
		b := newBench(t)
		b.put("f", c.old)
		b.call("read", args{"filePath": "f"})
		if c.tool != "apply_patch" {
			c.args["filePath"] = "f"
		}
		out := b.call(c.tool, c.args)
		if out.Kind == tools.OK != c.ok || !strings.Contains(out.Text, c.says) || !c.ok && b.get("f") != c.old {
			t.Errorf("%s: %v %s: %q", name, out.Kind, out.Text, b.get("f"))
		}
	}
}

func TestNamesAreTakenAsTheyAreMeant(t *testing.T) {
	change := func(header string) args {
		return args{"patchText": "*** Begin Patch\n" + header + "\n@@\n-a\n+b\n*** End Patch"}
	}
	for name, c := range map[string]struct {
		files map[string]string
		tool  string
		args  args
		says  string // of a refusal, "" where there is none
		want  map[string]string
	}{
		"blanks around a name that has them":  {map[string]string{"f ": "a\n", "f": "a\n"}, "apply_patch", change("*** Update File: f "), "", map[string]string{"f ": "b\n", "f": "a\n"}},
		"blanks around a name that has none":  {map[string]string{"f": "a\n"}, "apply_patch", change("*** Update File:  f\t"), "", map[string]string{"f": "b\n"}},
		"quotes around a name":                {map[string]string{"f g": "a\n"}, "apply_patch", change("*** Update File: \"f g\""), "", map[string]string{"f g": "b\n"}},
		"quotes that are the name's":          {map[string]string{"`f`": "a\n", "f": "a\n"}, "apply_patch", change("*** Update File: `f`"), "", map[string]string{"`f`": "b\n", "f": "a\n"}},
		"quotes around the name of a move":    {map[string]string{"f": "a\n"}, "apply_patch", change("*** Update File: f\n*** Move to: 'g'"), "", map[string]string{"g": "b\n"}},
		"folders as on Windows":               {map[string]string{"d/f": "a\n"}, "apply_patch", change(`*** Update File: d\f`), `d\f does not exist, and a \ separates no folders here: write it as d/f`, nil},
		"a new file in folders as on Windows": {nil, "write", args{"filePath": `d\f`, "content": "x"}, "write it as d/f", nil},
		"a drive":                             {nil, "write", args{"filePath": `C:\d\f`, "content": "x"}, `a \ separates no folders here`, nil},
		"a name that has one":                 {map[string]string{`d\f`: "a\n"}, "apply_patch", change(`*** Update File: d\f`), "", map[string]string{`d\f`: "b\n"}},
		"an address":                          {nil, "write", args{"filePath": "file:///tmp/x", "content": "x"}, "name the path without file://", nil},
	} {
		b := newBench(t)
		for f, text := range c.files {
			b.put(f, text)
		}
		out := b.call(c.tool, c.args)
		if out.Kind == tools.OK != (c.says == "") || !strings.Contains(out.Text, c.says) {
			t.Errorf("%s: %v %s", name, out.Kind, out.Text)
		}
		for f, text := range c.want {
			if b.get(f) != text {
				t.Errorf("%s: %q holds %q", name, f, b.get(f))
			}
		}
	}
}
