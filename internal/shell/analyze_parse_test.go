package shell

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// What is handed out while it is parsed is what a parse of the whole finds.
func TestALongScriptIsReadAsAWhole(t *testing.T) {
	parts := []string{
		"a b\n", "a; b && c\n", "cat <<E\nx $y\nE\n", "cat <<E; a\nx\nE\n", "cat <<A; cat <<'B' | c\n1\nA\n2\nB\n", "cat <<E; \\\na\nx\nE\n", "cat <<E; echo 'p\nq'; a\nx\nE\n",
		"cat <<E # c\\\nx\nE\n", "if a; then\nb\nfi\n", "cat <<E; if a; then\nx\nE\nb; fi\n", "f() {\ncat <<E\nE\n}\n", "echo $((1 << 2))\n", "a \\\n b\n", "a &\n", "# c\n", "\n", "cat <<-E; a; a; a\n\tx\n\tE\n",
	}
	wrong := []string{"'", "if a; then\n", "cat <<E\nx\n", ")", "a; ;; b\n"}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var text strings.Builder
		for range 3 * batchSize {
			text.WriteString(parts[rnd.IntN(len(parts))])
		}
		if i%4 == 0 {
			text.WriteString(wrong[rnd.IntN(len(wrong))] + parts[rnd.IntN(len(parts))])
		}
		whole, want := parse(text.String())
		var got []*syntax.Stmt
		batches := 0
		err := parseAhead(text.String(), func(batch []*syntax.Stmt) {
			got, batches = append(got, batch...), batches+1
		})
		switch {
		case fmt.Sprint(err) != fmt.Sprint(want):
			t.Errorf("ends with %v, want %v", err, want)
		case err == nil && !reflect.DeepEqual(got, whole.Stmts):
			t.Errorf("%d statements differ from %d of %q", len(got), len(whole.Stmts), text.String())
		case err == nil && batches < 2:
			t.Error("it was read in one piece")
		}
	}
}

func TestALongLineThatIsNoScriptCountsForNothing(t *testing.T) {
	line := strings.Repeat("git push; cat /etc/x\n", 2_000)
	if a := Analyze(line, place()); !a.Parsed || len(a.Commands()) != 4_000 || len(a.Manual) == 0 {
		t.Errorf("%v, %d commands", a.Parsed, len(a.Commands()))
	}
	if a := Analyze(line+"'", place()); a.Parsed || !a.Dynamic || len(a.Commands()) != 0 || len(a.Outside) != 0 || !strings.Contains(a.ParseError, "closing quote") {
		t.Errorf("%v, %d commands, outside %v: %s", a.Parsed, len(a.Commands()), a.Outside, a.ParseError)
	}
	if a := Analyze(line+"rm -rf /; '", place()); a.Denied == nil {
		t.Error("the raw text is not checked")
	}
}

func TestAWalkThatPanicsLeavesTheParserNobodyToWaitFor(t *testing.T) {
	defer func() {
		if r := recover(); r != "walk" {
			t.Errorf("recovered %v", r)
		}
	}()
	_ = parseAhead(strings.Repeat("a\n", 10*batchSize), func([]*syntax.Stmt) { panic("walk") })
}

func TestWhatCannotBeSeenIsUnusual(t *testing.T) {
	for _, line := range []string{"ls \u034fx", "ls x\u2800y", "ls \u115fx", "ls x\u200d", "ls a\u200db", "ls x\ufe0f", "❤\ufe0e", "ls \ufe0f\u2764", "ls \u2066x", "ls \U000e0041", "ls \u17b4", "su\u00addo id", "ls x\\", "echo \"$\\\n(ls)\""} {
		if unusual(line) == "" {
			t.Errorf("%q is ordinary", line)
		}
	}
	for _, line := range []string{"git commit -m 'feat: ✨ a ❤️ and ⚠️'", "echo 👩🏽‍💻 👨‍👩‍👧 🏳️‍🌈", "cat naïve.txt 文件", "ls \\\\", "echo '$' \\\n x"} {
		if why := unusual(line); why != "" {
			t.Errorf("%q: %s", line, why)
		}
	}
	testClasses(t, map[string]string{"high-risk": "ѕudo id\nｌｓ\ncаt f", "<low-risk": "git commit -m 'feat: ✨ a ❤️'"})
}
