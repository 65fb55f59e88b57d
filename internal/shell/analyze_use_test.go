package shell

import (
	"slices"
	"strings"
	"testing"
)

// used lists the uses of a line, below the workspace by their names.
func used(line string, at Place) string {
	var all []string
	for _, u := range Analyze(line, at).Uses {
		text := map[UseForm]string{UseUnknown: "?", UseExactly: "", UseMatches: "~", UseBelow: "*", UseShown: "+"}[u.Form] + strings.TrimPrefix(strings.TrimPrefix(u.Path, at.Workspace), "/")
		if u.Write {
			text = "w:" + text
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// What is listed beyond what is certain does no harm: a word may name a file.
func TestTheFilesThatALineReadsAreKnown(t *testing.T) {
	for line, want := range map[string]string{
		"cat a b/c": "a b/c", "cat < a": "a", "cat a > b": "a w:b", "cd d && cat a": "d/a", "(cd d; head -n 3 a)": "a d/a", "{ cat a; }": "a", "cat <(sort a)": "? a", "env X=1 timeout 5 cat a": "a", "bash -c 'cat a'": "a",
		"f=a; cat $f": "a", "while read f; do cat $f; done < a": "? a", ". ./a": "a", "python3 a.py": "a.py", "mytool a --file=b": "a b", "sed -n p a": "a", "base64 a": "a", "xargs -a a echo": "a",
		"grep x a": "a", "grep -r x": "*", "grep -r x d": "*d d", "grep -rn -e x .": "*", "grep -d recurse x d": "*d", "rg x": "+", "rg -u x": "*", "rg -. x": "*", "rg x d e": "+d +e d e", "cd d && rg x": "+d",
		"git grep x": "*", "git grep x -- d": "*d d", "git show HEAD:d/a": "d/a", "cd d; git show HEAD:a": "a d/a", "git show :a": "a", "git diff -- a": "a", "git -C d diff a": "d/a", "git -C d -C e log -p a": "d/e/a", "git commit -F a": "a", "git diff --no-index a b": "a b",
		"cat *.md": "~*.md", "cat d/*": "~d/*", "cat d/[a-c]?": "~d/[a-c]?", "cat $X": "?", "cat d/$X": "?", "cat \"$(ls)\"": "?", "ls | xargs cat": "?", "find . -exec cat {} +": "?", "$X a": "? w:?", "for f in a b; do cat $f; done": "?", "cat ~x/a": "?",
		"rm a": "w:a", "rm $X": "w:?", "cp a b": "a b w:b", "cp -r d e": "*d d w:e", "mv d e": "*d d w:d w:e", "ln -s d e": "*d d w:e", "tar cf - d": "*d d", "sed -i s/a/b/ f": "f w:f", "touch a": "w:a", "tee a": "w:a", "echo x >> a": "w:a", "> a": "w:a", "echo x > $X": "w:?",
	} {
		have := strings.Fields(used(line, place()))
		for _, w := range strings.Fields(want) {
			if !slices.Contains(have, w) {
				t.Errorf("%q uses %q, want %q among them", line, have, w)
			}
		}
	}
	for _, line := range []string{"ls | rg x", "ls d", "echo $X", "git add a", "git commit -m \"$(date) $X\"", "git status", "cd d", "pwd", "ls -R", "stat a", "find . -name a", "test -f a"} {
		if got := used(line, place()); got != "" {
			t.Errorf("%q uses %q, want nothing", line, got)
		}
	}
	links := linked()
	if got := used("cat keys", links); !strings.Contains(got, "home/u/.ssh/id_rsa") {
		t.Errorf("behind a link there is %q", got)
	}
	if got := used("cat "+strings.Repeat("a1 b2 ", 300), place()); got == "" || len(Analyze("cat"+strings.Repeat(" a", 9), place()).Uses) != 1 {
		t.Errorf("many files: %q", got)
	}
	many := "cat"
	for i := range 600 {
		many += " f" + strings.Repeat("x", i)
	}
	if uses := Analyze(many, place()).Uses; len(uses) > maxUses+2 || !slices.Contains(uses, Use{}) {
		t.Errorf("%d uses of very many files", len(uses))
	}
}
