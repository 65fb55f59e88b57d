package shell

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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
	segments := rawSegments(text)
	seen := s.accounted(segments)
	for _, seg := range segments {
		if !seg.piped {
			fetch = nil
		}
		words := seg.words
		for i, w := range words {
			name, judged := rawProgram(w)
			if !judged || seen[name] {
				continue
			}
			if i+1 < len(words) && words[i+1] == w {
				continue // the next one is judged with the same words
			}
			c := &call{s: s, raw: true, fetch: fetch, after: after}
			c.written, c.name = w, rawName(w)
			for _, arg := range words[i+1 : min(len(words), i+1+maxRaw)] {
				c.args = append(c.args, lit(arg))
			}
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
		if name, judged := judgedName(c.name); judged {
			n[name]++
		}
	}
	for _, seg := range segments {
		for _, w := range seg.words {
			if name, judged := rawProgram(w); judged {
				n[name]--
			}
		}
	}
	out := map[string]bool{}
	for name, left := range n {
		out[name] = left >= 0
	}
	return out
}

// rawProgram is the program that a word of raw text may name, as the rules know
// it, and whether there is anything to be judged about it.
func rawProgram(text string) (name string, judged bool) { return judgedName(rawName(text)) }

func judgedName(name string) (string, bool) {
	if n := len(name); n == 0 || !ownName(name) || name[n-1] <= '9' {
		name = ruleName(name)
	}
	return name, len(denylist().by[name]) > 0 || oneOf(name, "curl", "wget", "git")
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
	words []string
	piped bool
}

// A rawKind says what a character does to raw text.
type rawKind byte

const (
	rawLetter  rawKind = iota
	rawQuote           // is dropped
	rawBlank           // ends a word
	rawEnd             // ends a command
	rawPipe            // ends a command, whose output the next one reads
	rawUnknown         // is not ASCII
)

// rawKinds are the kinds of ASCII characters.
var rawKinds = sync.OnceValue(func() (kinds [256]rawKind) {
	for c := range kinds {
		switch r := rune(c); {
		case r == '|':
			kinds[c] = rawPipe
		case strings.ContainsRune(";&(){}`\n", r):
			kinds[c] = rawEnd
		case r == '\'' || r == '"' || r == '\\' || r == '$':
			kinds[c] = rawQuote
		case r >= utf8.RuneSelf:
			kinds[c] = rawUnknown
		case unicode.IsSpace(r), r == ',', r == '<', r == '>':
			kinds[c] = rawBlank
		case unicode.IsControl(r):
			kinds[c] = rawQuote
		}
	}
	return kinds
})

// rawSegments splits text at what may end a command.
func rawSegments(text string) []rawSegment {
	if strings.Contains(text, "IFS") || strings.Contains(text, "\\\n") {
		text = strings.NewReplacer("${IFS}", " ", "$IFS", " ", "\\\n", "").Replace(text)
	}
	kinds := rawKinds()
	r := rawReader{text: text}
	for i := 0; i < len(text); {
		kind, n := kinds[text[i]], 1
		if kind == rawUnknown {
			var c rune
			c, n = utf8.DecodeRuneInString(text[i:])
			switch {
			case c == utf8.RuneError && n == 1: // written as the sign for it
				r.drop(i)
				r.loose = append(r.loose, string(utf8.RuneError)...)
				i++
				r.from = i
				continue
			case unicode.IsSpace(c):
				kind = rawBlank
			case unicode.IsControl(c), unicode.Is(unicode.Cf, c):
				kind = rawQuote
			default:
				kind = rawLetter
			}
		}
		if kind != rawLetter {
			r.drop(i)
			r.from = i + n
			switch kind {
			case rawBlank:
				r.endWord()
			case rawEnd:
				r.endSegment(false)
			case rawPipe:
				double := i+1 < len(text) && text[i+1] == '|' || i > 0 && text[i-1] == '|'
				r.endSegment(!double)
			}
		}
		i += n
	}
	r.drop(len(text))
	r.endSegment(false)
	return r.out
}

// A rawReader collects words. What is read of the current one is loose, or, as
// long as nothing was dropped from it, a piece of the text.
type rawReader struct {
	text  string
	from  int // where the letters begin that were not taken yet
	whole string
	loose []byte
	words block[string]
	cur   rawSegment
	out   []rawSegment
}

// drop takes the letters before i, where one stands that is no part of a word.
func (r *rawReader) drop(i int) {
	piece := r.text[r.from:i]
	r.from = i
	switch {
	case piece == "":
	case r.whole == "" && len(r.loose) == 0:
		r.whole = piece
	default:
		if r.whole != "" {
			r.loose, r.whole = append(r.loose, r.whole...), ""
		}
		r.loose = append(r.loose, piece...)
	}
}

func (r *rawReader) endWord() {
	switch {
	case r.whole != "":
		r.cur.words = append(r.cur.words, r.whole)
		r.whole = ""
	case len(r.loose) > 0:
		r.cur.words = append(r.cur.words, string(r.loose))
		r.loose = r.loose[:0]
	}
}

func (r *rawReader) endSegment(piped bool) {
	r.endWord()
	switch {
	case len(r.cur.words) > 0:
		r.out = append(r.out, r.cur)
		r.cur = rawSegment{words: r.words.take(4)[:0]}
	case piped && len(r.out) > 0:
		r.cur.piped = true
		return
	}
	r.cur.piped = piped
}
