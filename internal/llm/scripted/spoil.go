package scripted

import (
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/llm"
)

// spoil applies f to a: what concerns the content is done here, what concerns
// the wire is left in a.Fault.
func (a *Answer) spoil(f Fault) {
	switch {
	case f.Has("empty"):
		a.silence("")
	case f.Has("blank"):
		a.silence("\n\n")
	case f.Cut != "" && f.After == nil:
		after := a.middle()
		f.After = &after
	}
	a.Fault = &f
	if f.Cut == "length" {
		a.truncate(*f.After)
		a.Stop, a.Fault = llm.StopLength, nil
	}
}

func (a *Answer) silence(text string) {
	a.Think, a.Redacted, a.Text, a.Calls, a.Stop = "", false, text, nil, llm.StopEnd
}

// middle returns the number of deltas before about the middle of what a says
// last. A short text is chunked finer, so that it has a middle.
func (a *Answer) middle() int {
	last := a.Think
	if a.Text != "" {
		last = a.Text
	}
	if n := len(a.Calls); n > 0 {
		last = string(a.Calls[n-1].Args)
	}
	a.Chunk = max(1, min(a.Chunk, utf8.RuneCountInString(last)/2))
	total := chunks(a.Think, a.Chunk) + chunks(a.Text, a.Chunk)
	for _, c := range a.Calls {
		total += chunks(string(c.Args), a.Chunk)
	}
	return total - (chunks(last, a.Chunk)+1)/2
}

// truncate keeps the first n deltas of a. A call of which nothing would be left
// is dropped.
func (a *Answer) truncate(n int) {
	take := func(s string) string {
		var kept strings.Builder
		for piece := range Chunks(s, a.Chunk) {
			if n == 0 {
				break
			}
			n--
			kept.WriteString(piece)
		}
		return kept.String()
	}
	a.Think, a.Text = take(a.Think), take(a.Text)
	calls := a.Calls
	a.Calls = nil
	for _, c := range calls {
		if n == 0 {
			return
		}
		c.Args = Args(take(string(c.Args)))
		a.Calls = append(a.Calls, c)
	}
}
