package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A judged is a plain command that was judged and left the shell as it was.
// The same words in the same circumstances are judged alike, and what a
// judgement finds is kept once, so that only the listing is left to be done.
type judged struct {
	call *call
	circumstances
	cost int // questions to the file system
}

// circumstances are what the judgement of plain words depends on, beside the
// words, while the scan is steady.
type circumstances struct {
	dirs  []string
	depth int
	stdin inputKind
	blind bool // the file system is not asked any more
}

// maxJudged bounds how many are remembered; the others are judged each time.
const maxJudged = 512

// steady reports a scan in which nothing but circumstances bears on plain
// words: no function, no download, no wrapper, no other machine.
func (s *scan) steady() bool {
	return !s.env.temp && !s.env.remote && !s.relookup && len(s.via) == 0 && len(s.funcs) == 0 && len(s.fetched) == 0 && len(s.scripts) == 0 &&
		len(s.decoded) == 0 && s.pipeFetch == nil && s.chainFetch == nil && s.stdin.kind != textInput && s.stdin.decoded == nil
}

func (s *scan) circumstances() circumstances {
	return circumstances{dirs: s.env.dirs, depth: s.depth, stdin: s.stdin.kind, blind: s.stats > maxStats}
}

func (a circumstances) equal(b circumstances) bool {
	return a.depth == b.depth && a.stdin == b.stdin && a.blind == b.blind && slices.Equal(a.dirs, b.dirs)
}

// again lists a command that was judged before, and reports whether it was.
func (s *scan) again(c *syntax.CallExpr, source string) bool {
	j := s.judged[source]
	if j == nil || len(c.Assigns) > 0 || !s.steady() || !j.equal(s.circumstances()) || !j.call.says(c.Args) {
		return false
	}
	if s.work+len(j.call.args) > maxWork || !j.blind && s.stats+j.cost > maxStats {
		return false
	}
	s.work += len(j.call.args)
	s.stats += j.cost
	s.calls = append(s.calls, j.call)
	return true
}

// visitFirst visits a call, and remembers it where judging it again would find
// the same and change nothing.
func (s *scan) visitFirst(c *call, written *syntax.CallExpr, guarded bool) {
	if len(s.judged) >= s.remember || !s.steady() || !c.plain(written) {
		s.visit(c, guarded)
		return
	}
	in, vars, calls, parsed, roots, stats := s.circumstances(), s.env.vars, len(s.calls), s.parsed, len(s.roots), s.stats
	s.visit(c, guarded)
	// It may have run others, changed the shell, or looked around for the first
	// time; what tells the shell something is never the same twice.
	same := s.steady() && in.equal(s.circumstances()) && s.env.vars == vars && len(s.calls) == calls+1 && s.parsed == parsed && len(s.roots) == roots
	if same && !c.builtin && !c.hidden && !c.shadow && !c.fetches() {
		s.judged[c.source] = &judged{call: c, circumstances: in, cost: s.stats - stats}
	}
}

// says reports whether the words of a call are these, letter by letter.
func (c *call) says(words []*syntax.Word) bool {
	if len(words) != 1+len(c.args) {
		return false
	}
	for i, w := range words {
		want := c.written
		if i > 0 {
			want = c.args[i-1].text
		}
		if text, ok := verbatim(w); !ok || text != want {
			return false
		}
	}
	return true
}

// plain reports a call whose words stand as they are written, with nothing
// beside them. A backslash or backquote in the source could make the same text
// mean something else elsewhere.
func (c *call) plain(written *syntax.CallExpr) bool {
	return len(written.Assigns) == 0 && len(c.redirs) == 0 && strings.IndexByte(c.source, '\\') < 0 && strings.IndexByte(c.source, '`') < 0 && c.says(written.Args)
}
