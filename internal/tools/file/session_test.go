package file

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

// TestWhatIsPreviewedIsWhatIsWritten plays random sessions of edits over files
// with all kinds of endings and encodings. After each, the file must show what
// the model meant; the difference on the card, applied to the file as it was,
// must be the file as it is, byte for byte; and lines that the call did not touch
// must be as they were. A call that is refused changes nothing.
func TestWhatIsPreviewedIsWhatIsWritten(t *testing.T) {
	ends := [][]string{{"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n"}, {"\n", "\r\n", "\r"}}
	r := rand.New(rand.NewSource(11))
	done := map[string]int{}
	b := newBench(t)
	sessions := 1000
	if testing.Short() {
		sessions = 200
	}
	for session := range sessions {
		name := fmt.Sprintf("f%d", session)
		b.put(name, randomFile(r, ends[session%len(ends)], session%7 == 0))
		for range 1 + session%2 {
			before, err := os.ReadFile(b.path(name))
			must(t, err)
			b.ok("read", args{"filePath": name})
			tool, a, at, end, meant := randomCall(r, name, string(before))
			p, err := b.propose(tool, a)
			if err != nil { // ambiguous, or nothing to change
				b.holds(name, string(before))
				continue
			}
			if out := run(p); out.Kind != tools.OK {
				t.Fatalf("%s %q: %v %s", tool, a, out.Kind, out.Text)
			}
			done[tool]++
			after, err := os.ReadFile(b.path(name))
			must(t, err)
			checkPreview(t, p, before, after)
			checkRest(t, a, string(before), string(after), at, end)
			if got := shownLines(string(after)); !slices.Equal(got, meant) {
				t.Fatalf("%s %q of %q gave\n%q, meant was\n%q", tool, a, before, got, meant)
			}
		}
	}
	for _, tool := range []string{"edit", "write", "apply_patch"} {
		if done[tool] < sessions/5 {
			t.Errorf("only %d calls of %s came to something", done[tool], tool)
		}
	}
	b.tidy()
}

func checkPreview(t *testing.T, p *tools.Proposal, before, after []byte) {
	t.Helper()
	for _, s := range p.Preview {
		if s.Kind != tools.Diff || s.Body == "" {
			continue
		}
		sections, err := patch.Parse(s.Body)
		if err != nil {
			t.Fatalf("the preview %q: %v", s.Body, err)
		}
		got, err := patch.Apply(before, sections[0].Hunks)
		if err != nil || string(got.Text) != string(after) {
			t.Fatalf("previewed %q, %v\nwritten   %q\nof        %q\nby        %q", got.Text, err, after, before, s.Body)
		}
		return
	}
	if string(before) != string(after) {
		t.Fatalf("nothing was previewed, and %q became %q", before, after)
	}
}

// checkRest checks that only lines at to end of before are others in after.
func checkRest(t *testing.T, a args, before, after string, at, end int) {
	t.Helper()
	was, is := rawLines(before), rawLines(after)
	head := strings.Join(was[:at], "")
	tail := strings.Join(was[end:], "")
	if _, ok := a["content"]; ok {
		tail = strings.TrimSuffix(tail, was[len(was)-1]) // whose newline is given with the content
		after = strings.TrimSuffix(after, is[len(is)-1])
	}
	if !strings.HasPrefix(after, head) || !strings.HasSuffix(after, tail) {
		t.Fatalf("%q changed more of %q than lines %d to %d: %q", a, before, at+1, end, after)
	}
}

// rawLines cuts content as shownLines does, and keeps the endings.
func rawLines(content string) []string {
	var lines []string
	start := 0
	for i := range len(content) {
		if c := content[i]; c == '\n' || c == '\r' && !strings.HasPrefix(content[i+1:], "\n") {
			lines = append(lines, content[start:i+1])
			start = i + 1
		}
	}
	if start < len(content) {
		lines = append(lines, content[start:])
	}
	return lines
}

// starts are how lines begin: with tabs, with what UTF-8 has, and with bytes of
// Latin-1, Shift JIS and GBK that it has not.
var starts = [...]string{"", "", "\t", "  ", "né ", "ne\u0301 ", "caf\xe9 ", "\x83e ", "\xc4\xe3 ", "\xff"}

func randomFile(r *rand.Rand, ends []string, bom bool) string {
	var b strings.Builder
	if bom {
		b.WriteString("\ufeff")
	}
	for i := range 3 + r.Intn(20) {
		fmt.Fprintf(&b, "%s%d %d", starts[r.Intn(len(starts))], i, r.Intn(4))
		b.WriteString(ends[r.Intn(len(ends))])
	}
	if r.Intn(3) == 0 {
		b.WriteString("last")
	}
	return b.String()
}

// shownLines are the lines of a file as a model sees them.
func shownLines(content string) []string {
	s := strings.TrimPrefix(content, "\ufeff")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.Split(strings.TrimSuffix(string([]rune(s)), "\n"), "\n")
}

func randomCall(r *rand.Rand, name, content string) (tool string, a args, at, end int, meant []string) {
	lines := shownLines(content)
	at = r.Intn(len(lines))
	end = at + 1 + r.Intn(min(3, len(lines)-at))
	was := lines[at:end]
	next := []string{"new " + fmt.Sprint(r.Intn(1000)), "$1 & \\n"}[:1+r.Intn(2)]
	meant = slices.Concat(lines[:at], next, lines[end:])
	switch r.Intn(3) {
	case 0:
		return "edit", args{"filePath": name, "oldString": strings.Join(was, "\n"), "newString": strings.Join(next, "\n")}, at, end, meant
	case 1:
		return "write", args{"filePath": name, "content": strings.Join(meant, "\n") + "\n"}, at, end, meant
	}
	var b strings.Builder
	fmt.Fprintf(&b, "*** Update File: %s\n@@\n", name)
	if at > 0 {
		fmt.Fprintf(&b, " %s\n", lines[at-1])
	}
	for _, l := range was {
		fmt.Fprintf(&b, "-%s\n", l)
	}
	for _, l := range next {
		fmt.Fprintf(&b, "+%s\n", l)
	}
	if end < len(lines) {
		fmt.Fprintf(&b, " %s\n", lines[end])
	}
	return "apply_patch", patchOf(strings.TrimSuffix(b.String(), "\n")), at, end, meant
}
