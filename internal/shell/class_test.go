package shell

import (
	"strings"
	"testing"
)

// classes are what can become of a line, from what runs under every policy but
// strict to what runs under none.
var classes = []string{"mild", "read-only", "low-risk", "high-risk", "asked", "blocked"}

// class says in one word what the analysis holds a line for.
func class(line string) string {
	a := Analyze(line, place())
	switch tier, _ := a.Tier(); {
	case a.Denied != nil:
		return "blocked"
	case len(a.Manual) > 0:
		return "asked"
	case a.Mild:
		return "mild"
	default:
		return tier.String()
	}
}

// Each class has lines, one a row. A line is no milder than its class, and with
// a < before it no stricter.
func testClasses(t *testing.T, rows map[string]string) {
	t.Helper()
	rank := func(name string) int {
		for i, c := range classes {
			if c == name {
				return i
			}
		}
		t.Fatalf("no class %q", name)
		return 0
	}
	for want, lines := range rows {
		most := strings.HasPrefix(want, "<")
		want = strings.TrimPrefix(want, "<")
		for line := range strings.SplitSeq(strings.Trim(lines, "\n"), "\n") {
			line = strings.TrimLeft(line, "\t")
			if line == "" {
				continue
			}
			got := class(line)
			if most && rank(got) > rank(want) || !most && rank(got) < rank(want) {
				a := Analyze(line, place())
				_, why := a.Tier()
				t.Errorf("%q is %s, want %s (%s)", line, got, want, why)
			}
		}
	}
}
