package patch

import (
	"strings"
	"testing"
)

// applied parses a patch of one section and applies it to old.
func applied(t *testing.T, old, text string) (Applied, error) {
	t.Helper()
	sections, err := Parse(text)
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	if len(sections) != 1 {
		t.Fatalf("%d sections, want 1", len(sections))
	}
	return Apply([]byte(old), sections[0].Hunks)
}

// update wraps the body of a change of one file.
func update(body string) string {
	return "*** Begin Patch\n*** Update File: f\n" + body + "\n*** End Patch\n"
}

func TestApplyKeepsWhatThePatchDoesNotMention(t *testing.T) {
	for _, c := range []struct{ name, old, body, want string }{
		{"a file with CRLF takes lines with LF", "a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n+B2\n c", "a\r\nB\r\nB2\r\nc\r\n"},
		{"mixed endings stay, those of replaced lines too", "one\r\ntwo\rthree\nfour\r\n", "@@\n one\n-two\n-three\n+TWO\n+THREE\n+3b\n four", "one\r\nTWO\rTHREE\n3b\nfour\r\n"},
		{"among mixed endings a new line takes the prevailing one", "one\r\ntwo\nfour\r\n", "@@\n one\n two\n+THREE\n four", "one\r\ntwo\nTHREE\r\nfour\r\n"},
		{"a line replaced on its own keeps its ending", "a\nb\r\nc\rd\n", "@@\n-a\n+A\n@@\n-b\n+B\n@@\n-c\n+C", "A\nB\r\nC\rd\n"},
		{"lone CR", "a\rb\rc\r", "@@\n-b\n+B", "a\rB\rc\r"},
		{"the byte order mark stays and does not hide line 1", "\ufeffport = 1\nhost = x\n", "@@\n-port = 1\n+port = 2", "\ufeffport = 2\nhost = x\n"},
		{"no newline is added at the end", "l1\nl2\nl3", "@@\n-l1\n+L1", "L1\nl2\nl3"},
		{"a line added after an unended one does not fuse with it", "l1\nl2\nl3", "@@\n l3\n+l4", "l1\nl2\nl3\nl4"},
		{"the last line replaced stays unended", "l1\r\nl2", "@@\n-l2\n+L2\n+L3", "l1\r\nL2\r\nL3"},
		{"a final blank line stays", "alpha\nbeta\n\n", "@@\n-alpha\n+A1", "A1\nbeta\n\n"},
		{"the last unended line deleted", "a\nb", "@@\n a\n-b", "a\n"},
		{"bytes that are not UTF-8", "a\xff\xfe\nb\nc\x80", "@@\n-b\n+B", "a\xff\xfe\nB\nc\x80"},
		{"a marker makes the end explicit", "a\n", "@@\n-a\n+b\n\\ No newline at end of file", "b"},
		{"a marker on the old side ends the new one", "a", "@@\n-a\n\\ No newline at end of file\n+a", "a\n"},
		{"only additions go to the end", "a\nb\n", "@@\n+c\n+d", "a\nb\nc\nd\n"},
		{"only additions to an empty file", "", "@@\n+c", "c\n"},
		{"only additions after an anchor", "a\nb\nc\n", "@@ b\n+x", "a\nb\nx\nc\n"},
		{"everything deleted", "a\r\nb\r\n", "@@\n-a\n-b", ""},
		{"additions before removals", "a\nb\n", "@@\n+A\n-a\n b", "A\nb\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := applied(t, c.old, update(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Text) != c.want || len(got.Notes) > 0 {
				t.Errorf("got %q %q, want %q", got.Text, got.Notes, c.want)
			}
			crlf, err := applied(t, c.old, strings.ReplaceAll(update(c.body), "\n", "\r\n"))
			if err != nil || string(crlf.Text) != c.want {
				t.Errorf("with CRLF in the patch: %q, %v", crlf.Text, err)
			}
			fenced, err := applied(t, c.old, "```patch\n"+update(c.body)+"```\n")
			if err != nil || string(fenced.Text) != c.want {
				t.Errorf("fenced: %q, %v", fenced.Text, err)
			}
		})
	}
}

const classes = `class A:
    def get(self):
        return 1

class B:
    def get(self):
        return 1

class C:
    def get(self):
        return 1
`

func TestAPlaceIsTakenOnlyWhenItIsTheOnlyOne(t *testing.T) {
	for _, c := range []struct{ name, old, body, want, err string }{
		{"several places", classes, "@@\n-        return 1\n+        return 2", "", "several places, lines 3, 7, 11"},
		{"an anchor decides", classes, "@@ class C:\n-        return 1\n+        return 2", strings.Replace(classes, "return 1\n", "return 2\n", 3), ""},
		{"stacked anchors decide", classes, "@@ class B:\n@@     def get(self):\n-        return 1\n+        return 2", "", ""},
		{"an anchor without its indentation", classes, "@@ class B:\n@@ def get(self):\n-        return 1\n+        return 2", "", ""},
		{"an anchor with a closing @@", classes, "@@ class B: @@\n-        return 1\n+        return 2", "", ""},
		{"an anchor that is repeated in the body", classes, "@@ class B:\n class B:\n     def get(self):\n-        return 1\n+        return 2", "", ""},
		{"an anchor that means several lines", classes, "@@     def get(self):\n-        return 1\n+        return 2", "", "several places"},
		{"added lines after an anchor that means several", classes, "@@     def get(self):\n+        log()", "", "several lines"},
		{"an anchor that is nowhere", classes, "@@ class D:\n-        return 1\n+        return 2", "", `no line from line 1 on is "class D:"`},
		{"a claimed line decides between equals", classes, "@@ -7,1 +7,1 @@\n-        return 1\n+        return 2", "", ""},
		{"a wrong claim does not", classes, "@@ -8,1 +8,1 @@\n-        return 1\n+        return 2", "", "several places"},
		{"the order of changes decides", "x\na\nx\nb\n", "@@\n a\n-x\n+y\n@@\n-b\n+c", "x\na\ny\nc\n", ""},
		{"changes out of order", "a\nb\n", "@@\n-b\n+B\n@@\n-a\n+A", "", "put the changes in file order"},
		{"at the end of the file", "a\nb\na\n", "@@\n-a\n+c\n*** End of File", "a\nb\nc\n", ""},
		{"not at the end of the file", "a\nb\n", "@@\n-a\n+c\n*** End of File", "", "not at the end of the file"},
		{"added lines alone, numbered", "a\nb\n", "@@ -1,0 +2,1 @@\n+c", "", "give at least one line of context"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := applied(t, c.old, update(c.body))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %q, %v, want an error with %q", got.Text, err, c.err)
				}
				return
			}
			want := c.want
			if c.old == classes {
				parts := strings.Split(classes, "\n\n")
				i := 1
				if c.want != "" {
					i = 2
				}
				parts[i] = strings.Replace(parts[i], "return 1", "return 2", 1)
				want = strings.Join(parts, "\n\n")
			}
			if err != nil || string(got.Text) != want {
				t.Errorf("got %q, %v, want %q", got.Text, err, want)
			}
		})
	}
}

func TestTolerantPassesSayWhatTheyOverlooked(t *testing.T) {
	for _, c := range []struct{ name, old, body, want, note string }{
		{"trailing space", "a  \nb\n", "@@\n a\n-b\n+B", "a  \nB\n", "not minding trailing space"},
		{"quotes", "say “hi”\nb\n", "@@\n say \"hi\"\n-b\n+B", "say “hi”\nB\n", "quotes, dashes"},
		{"no-break space and dash", "a\u00a0–\u00a0b\n", "@@\n-a - b\n+c", "c\n", "quotes, dashes"},
		{"indentation that is missing", "    if x:\n        y()\n", "@@\n if x:\n-    y()\n+    z()\n+        w()", "    if x:\n        z()\n            w()\n", "indentation"},
		{"indentation that is too much", "if x:\n    y()\n", "@@\n     if x:\n-        y()\n+        z()\n+            w()", "if x:\n    z()\n        w()\n", "indentation"},
		{"spaces for tabs", "func f() {\n\tif x {\n\t\ty()\n\t}\n}\n", "@@\n     if x {\n-        y()\n+        z()\n     }", "func f() {\n\tif x {\n\t\tz()\n\t}\n}\n", "indentation"},
		{"a line that is not UTF-8 as context", "caf\xe9\nb\n", "@@\n caf\ufffd\n-b\n+B", "caf\xe9\nB\n", "shown in another form"},
		{"bytes of a changed line", "caf\xe9 1\n", "@@\n-caf\ufffd 1\n+caf\ufffd 2", "caf\xe9 2\n", "shown in another form"},
		{"a form feed", "a\n\x0cb\nc\n", "@@\n a\n-\\x0cb\n+\\x0cB\n c", "a\n\x0cB\nc\n", "shown in another form"},
		{"what has no width", "a\u200bb\nc\n", "@@\n ab\n-c\n+d", "a\u200bb\nd\n", "accents"},
		{"accents of two characters", "cafe\u0301 1\n", "@@\n-café 1\n+café 2", "cafe\u0301 2\n", "accents"},
		{"quotes of a changed line stay", "say “hi” — it’s ok…\n", "@@\n-say \"hi\" - it's ok...\n+say \"bye\" - it's ok...", "say “bye” — it’s ok…\n", "quotes, dashes"},
		{"quotes that the file has plain", "say \"hi\"\n", "@@\n-say “hi”\n+say “bye”", "say \"bye\"\n", "quotes, dashes"},
		{"quotes and indentation", "\tsay(“a”)\n\tend()\n", "@@\n-    say(\"a\")\n+    say(\"b\")\n     end()", "\tsay(“b”)\n\tend()\n", "indentation"},
		{"several lines for one", "a “x”\n", "@@\n-a \"x\"\n+a \"x\"\n+b \"y\"", "a “x”\nb \"y\"\n", "quotes, dashes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := applied(t, c.old, update(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Text) != c.want || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], c.note) {
				t.Errorf("got %q %q, want %q and %q", got.Text, got.Notes, c.want, c.note)
			}
		})
	}
}

func TestTolerantPassesRefuseWhatTheyWouldHaveToGuess(t *testing.T) {
	for _, c := range []struct{ name, old, body, err string }{
		{"two places", "a \nb\na\t\nb\n", "@@\n-a\n+c", "several places, lines 1, 3"},
		{"indentation that does not follow", "\ta\n\t\tb\n", "@@\n a\n-b\n+c", "does not follow"},
		{"indentation that the file does not show", "\ta\n\t\tb\n", "@@\n-    a\n+        x", "does not show how to indent"},
		{"bytes that would be lost", "caf\xe9\xe8 1\n", "@@\n-caf\ufffd\ufffd 1\n+caf\ufffd 2", "not UTF-8"},
		{"bytes that would be new", "caf\xe9 1\n", "@@\n-caf\ufffd 1\n+caf\ufffd\ufffd 2", "not UTF-8"},
		{"numbers of lines", "alpha\nbeta\n", "@@\n 1: alpha\n-2: beta\n+2: BETA", "leave the numbers out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := applied(t, c.old, update(c.body))
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Fatalf("got %q, %v, want an error with %q", got.Text, err, c.err)
			}
		})
	}
}

func TestAFailedMatchShowsTheNearestLines(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		b.WriteString("line " + string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10)) + "\n")
	}
	_, err := applied(t, b.String(), update("@@\n line 07\n-line 08 (never existed)\n+LINE 8"))
	if err == nil {
		t.Fatal("it applied")
	}
	for _, want := range []string{"7: line 07", `8: line 08    (not "line 08 (never existed)")`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not show %q", err, want)
		}
	}
	_, err = applied(t, b.String(), update("@@\n-lime 21\n+x"))
	if err == nil || !strings.Contains(err.Error(), "21: line 21") {
		t.Errorf("a line that is one letter off: %v", err)
	}
	_, err = applied(t, "", update("@@\n-x\n+y"))
	if err == nil || !strings.Contains(err.Error(), "the file is empty") {
		t.Errorf("an empty file: %v", err)
	}
}

func TestABlockOfEqualLinesIsFoundInLinearTime(t *testing.T) {
	old := strings.Repeat("\n", 200_000) + "x\n"
	body := "@@\n" + strings.Repeat(" \n", 5_000) + "-x\n+y"
	got, err := applied(t, old, update(body))
	if err != nil || string(got.Text) != strings.Repeat("\n", 200_000)+"y\n" {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
}
