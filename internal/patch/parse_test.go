package patch

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseReadsTheEnvelope(t *testing.T) {
	text := ` *** Begin Patch
  *** Update File: old name.txt
*** Move to: new/name.txt
@@ class A
@@ def f
 keep
-out
+in
*** End of File

*** Add File: added.txt
+one
+
*** Add File: empty.txt
*** Delete File: gone.txt
*** End Patch `
	want := []Section{
		{Path: "old name.txt", MoveTo: "new/name.txt", Hunks: []Hunk{{
			Anchors: []string{"class A", "def f"}, EOF: true,
			Lines: []Line{{' ', "keep", ""}, {'-', "out", ""}, {'+', "in", ""}},
		}}},
		{Op: Add, Path: "added.txt", Content: "one\n\n"},
		{Op: Add, Path: "empty.txt"},
		{Op: Delete, Path: "gone.txt"},
	}
	got, err := Parse(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if mac, err := Parse(strings.ReplaceAll(text, "\n", "\r")); err != nil || !reflect.DeepEqual(mac, want) {
		t.Errorf("with CR endings: %+v, %v", mac, err)
	}
}

func TestParseReadsWhatAShellWouldHandOver(t *testing.T) {
	text := "*** Begin Patch\n*** Delete File: a\n*** End Patch"
	want := []Section{{Op: Delete, Path: "a"}}
	for _, around := range [][2]string{{"apply_patch <<'EOF'\n", "\nEOF"}, {"apply_patch <<EOF\n", "\nEOF\n"}, {"applypatch <<-\"X\"\n", "\nX"}, {"```\napply_patch <<'EOF'\n", "\nEOF\n```\n"}} {
		if got, err := Parse(around[0] + text + around[1]); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("in %q: %+v, %v", around, got, err)
		}
	}
	for _, text := range []string{"apply_patch <<'EOF'\n" + text, "apply_patch <<EOF | sh\n" + text + "\nEOF", "cat <<EOF\n" + text + "\nEOF"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestAMoveNeedsNoChange(t *testing.T) {
	got, err := Parse("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Delete File: c\n*** End Patch")
	if want := []Section{{Path: "a", MoveTo: "b"}, {Op: Delete, Path: "c"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAPaddedMarkerInsideAChangeIsAKeptLine(t *testing.T) {
	got, err := applied(t, "*** End Patch\nb\n", update("@@\n *** End Patch\n-b\n+c"))
	if err != nil || string(got.Text) != "*** End Patch\nc\n" {
		t.Errorf("got %q, %v", got.Text, err)
	}
}

func TestParseReadsUnifiedDiffs(t *testing.T) {
	text := `Here is the fix.

diff --git a/x.go b/x.go
index 123..456 100644
--- a/x.go	2024-01-01 00:00:00
+++ b/x.go
@@ -1,99 +1,7 @@ func f() {
 a
-b
+B

--- not a header
+++ not one either
 c
@@ -20 +20 @@
-y
\ No newline at end of file
+y
diff --git a/old.go b/new.go
similarity index 100%
rename from old.go
rename to new.go
diff --git a/n.go b/n.go
new file mode 100644
--- /dev/null
+++ b/n.go
@@ -0,0 +1,2 @@
+one
+two
\ No newline at end of file
--- a/d.go
+++ /dev/null
@@ -1 +0,0 @@
-x
--- "a/q\"\303\251"
+++ "b/q\"\303\251"
@@ -1 +1 @@
-x
+y
-- 
2.40`
	want := []Section{
		{Path: "x.go", Hunks: []Hunk{
			{At: 1, Numbered: true, Lines: []Line{{' ', "a", ""}, {'-', "b", ""}, {'+', "B", ""}, {' ', "", ""}, {'-', "-- not a header", ""}, {'+', "++ not one either", ""}, {' ', "c", ""}}},
			{At: 20, Numbered: true, Lines: []Line{{'-', "y", NoEnd}, {'+', "y", "\n"}}},
		}},
		{Path: "old.go", MoveTo: "new.go"},
		{Op: Add, Path: "n.go", Content: "one\ntwo"},
		{Op: Delete, Path: "d.go", Hunks: []Hunk{{At: 1, Numbered: true, Lines: []Line{{'-', "x", ""}}}}},
		{Path: "q\"é", Hunks: []Hunk{{At: 1, Numbered: true, Lines: []Line{{'-', "x", ""}, {'+', "y", ""}}}}},
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d sections, want %d", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("section %d\ngot  %+v\nwant %+v", i, got[i], want[i])
		}
	}
}

func TestFilesWithoutLinesComeAndGo(t *testing.T) {
	text := "diff --git a/e f b/e f\nnew file mode 100644\nindex 0000000..e69de29\ndiff --git \"a/\\303\\251\" \"b/\\303\\251\"\ndeleted file mode 100644\nindex e69de29..0000000\n"
	got, err := Parse(text)
	if want := []Section{{Op: Add, Path: "e f"}, {Op: Delete, Path: "é"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAFolderNamedAIsNoPrefix(t *testing.T) {
	got, err := Parse("--- a/x\n+++ a/x\n@@ -1 +1 @@\n-o\n+n\n")
	if err != nil || got[0].Path != "a/x" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseSaysWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct{ name, text, err string }{
		{"nothing", " \n", "the patch is empty"},
		{"prose", "please change it", "line 1 of the patch"},
		{"no end", "*** Begin Patch\n*** Delete File: a", "must end with"},
		{"text after the end", "*** Begin Patch\n*** Delete File: a\n*** End Patch\nThat is all.", "line 4 of the patch: the patch must end with"},
		{"no section", "*** Begin Patch\n*** End Patch", "changes nothing"},
		{"unknown section", "*** Begin Patch\n*** Frobnicate File: foo\n*** End Patch", "line 2 of the patch: \"*** Frobnicate File: foo\" is no section header"},
		{"no path", "*** Begin Patch\n*** Add File: \n*** End Patch", "the path is missing"},
		{"no path to move to", "*** Begin Patch\n*** Update File: a\n*** Move to:\n@@\n-a\n*** End Patch", "the path is missing"},
		{"added line without +", "*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "line 3 of the patch: each line of an added file starts with +"},
		{"body of a deletion", "*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch", "a deleted file has no body"},
		{"update without change", "*** Begin Patch\n*** Update File: a\n*** End Patch", "has no change"},
		{"change without @@", update("-a\n+b"), "a change starts with @@"},
		{"empty change", update("@@\n@@ x"), "adds and removes nothing"},
		{"only context", update("@@\n a"), "adds and removes nothing"},
		{"empty line", update("@@\n a\n\n-b"), "an empty line inside a change"},
		{"line without prefix", update("@@\n a\nb"), "starts with a space, + or -"},
		{"unknown marker in a change", update("@@\n-a\n*** Nonsense"), "is no section header"},
		{"mode", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "run chmod"},
		{"binary", "diff --git a/x b/x\nGIT binary patch\n", "is not supported"},
		{"two patches", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch", "put all sections into one"},
		{"no header", "diff --git a/x b/x\nindex 1..2\n", "needs --- and +++"},
		{"new file that keeps lines", "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "is new"},
		{"header without change", "--- a/x\n+++ b/x\n", "has no change"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %+v, %v, want an error with %q", got, err, c.err)
			}
		})
	}
}

func TestAllMistakesOfAPatchAreNamedAtOnce(t *testing.T) {
	sections, err := Parse("*** Begin Patch\n*** Update File: a\n@@\n-x\n\n+y\n@@\n kept\n*** Add File: b\nno plus\n*** Update File:\n*** Frob: c\n*** Delete File: d\n*** End Patch")
	if err == nil || len(sections) != 1 || sections[0].Path != "d" {
		t.Fatalf("%+v, %v", sections, err)
	}
	for _, want := range []string{"line 5 of the patch: an empty line inside a change", `line 7 of the patch: the change at "@@" adds and removes nothing`, "line 10 of the patch: each line of an added file starts with +", "line 11 of the patch: the path is missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
	_, err = Parse("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n*y\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n x\n")
	if err == nil || !strings.Contains(err.Error(), "line 5 of the patch: each line") || !strings.Contains(err.Error(), "line 8 of the patch") {
		t.Errorf("%v", err)
	}
	_, err = Apply([]byte("a\nb\nc\n"), []Hunk{{Lines: []Line{{Op: '-', Text: "x"}}}, {Lines: []Line{{Op: '-', Text: "b"}}}, {Lines: []Line{{Op: '-', Text: "z"}}}})
	if err == nil || !strings.Contains(err.Error(), `change 1 of 3: no place has the line "x"`) || !strings.Contains(err.Error(), `change 3 of 3: no place has the line "z"`) || strings.Contains(err.Error(), "change 2") {
		t.Errorf("%v", err)
	}
}
