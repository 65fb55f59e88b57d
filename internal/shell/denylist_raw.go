package shell

import (
	"strings"
	"unicode"
)

// maxRaw bounds the words that a program found in raw text is judged with.
const maxRaw = 32

// raw checks text that could not be read as commands: quotes and escapes are
// dropped, and every word that names a program of the denylist is taken to run
// with the words after it. It errs towards blocking.
func (s *scan) raw(text string) {
	low := strings.ToLower(text)
	switch {
	case strings.Contains(low, ":(){"), strings.Contains(low, ":()  {"), strings.Contains(low, ":() {"):
		s.hit("loop.fork-bomb", clip(text, 120))
	case strings.Contains(low, "while true"), strings.Contains(low, "while :"):
		s.hit("loop.endless", clip(text, 120))
	}
	if p := mentions(text); p != "" {
		s.protected(&call{s: s, written: clip(text, 120)}, p, keyFile("/x/"+p))
	}
	var fetch, after *call
	book := denylist()
	segments := rawSegments(text)
	seen := s.accounted(segments)
	for _, seg := range segments {
		if !seg.piped {
			fetch = nil
		}
		words := seg.words
		for i := range words {
			name := ruleName(rawName(words[i].text))
			if len(book.by[name]) == 0 && !oneOf(name, "curl", "wget", "git") || seen[name] {
				continue
			}
			if i+1 < len(words) && words[i+1].text == words[i].text {
				continue // the next one is judged with the same words
			}
			c := &call{s: s, raw: true, fetch: fetch, after: after}
			c.written, c.name, c.args = words[i].text, rawName(words[i].text), words[i+1:min(len(words), i+1+maxRaw)]
			c.traits = traitsOf(c.name)
			s.check(c)
			switch {
			case c.fetches():
				fetch, after = c, c
			case c.name == "git":
				s.forcePush(c)
			}
		}
	}
}

// accounted names the programs that the walk has judged as often as the text
// names them, so that the text adds nothing.
func (s *scan) accounted(segments []rawSegment) map[string]bool {
	if !s.out.Parsed {
		return nil
	}
	n := map[string]int{}
	for _, c := range s.calls {
		n[ruleName(c.name)]++
	}
	for _, seg := range segments {
		for _, w := range seg.words {
			n[ruleName(rawName(w.text))]--
		}
	}
	out := map[string]bool{}
	for name, left := range n {
		out[name] = left >= 0
	}
	return out
}

// rawName is the program that a word of raw text may name, also as the value of
// a variable.
func rawName(text string) string {
	if _, v, ok := strings.Cut(text, "="); ok && !strings.HasPrefix(text, "-") {
		text = v
	}
	return base(text)
}

type rawSegment struct {
	words []word
	piped bool
}

// rawSegments splits text at what may end a command.
func rawSegments(text string) []rawSegment {
	text = strings.NewReplacer("${IFS}", " ", "$IFS", " ", "\\\n", "").Replace(text)
	var out []rawSegment
	var cur rawSegment
	var w strings.Builder
	endWord := func() {
		if w.Len() > 0 {
			cur.words = append(cur.words, lit(w.String()))
			w.Reset()
		}
	}
	endSegment := func(piped bool) {
		endWord()
		if len(cur.words) > 0 {
			out = append(out, cur)
			cur = rawSegment{}
		} else if piped && len(out) > 0 {
			cur.piped = true
			return
		}
		cur.piped = piped
	}
	for i, r := range text {
		switch {
		case r == '|':
			double := i+1 < len(text) && text[i+1] == '|' || i > 0 && text[i-1] == '|'
			endSegment(!double)
		case strings.ContainsRune(";&(){}`\n", r):
			endSegment(false)
		case r == '\'' || r == '"' || r == '\\' || r == '$':
		case unicode.IsSpace(r), r == ',':
			endWord()
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		case r == '<' || r == '>':
			endWord()
		default:
			w.WriteRune(r)
		}
	}
	endSegment(false)
	return out
}
