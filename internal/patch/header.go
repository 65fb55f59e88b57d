package patch

import (
	"strconv"
	"strings"
)

// A span is one side of a unified hunk header.
type span struct{ start, count int }

// hunkHeader reads "@@ -1,2 +3,4 @@" and what may follow it.
func hunkHeader(l string) (old, new span, ok bool) {
	rest, ok := strings.CutPrefix(l, "@@ -")
	if !ok {
		return old, new, false
	}
	a, rest, ok := strings.Cut(rest, " +")
	if !ok {
		return old, new, false
	}
	b, _, ok := strings.Cut(rest, " @@")
	if !ok {
		return old, new, false
	}
	old, okOld := parseSpan(a)
	new, okNew := parseSpan(b)
	return old, new, okOld && okNew
}

func parseSpan(s string) (span, bool) {
	start, count, counted := strings.Cut(s, ",")
	if !counted {
		count = "1"
	}
	a, errA := strconv.ParseUint(start, 10, 31)
	b, errB := strconv.ParseUint(count, 10, 31)
	return span{int(a), int(b)}, errA == nil && errB == nil
}

// clip keeps a quoted line of a patch short.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
