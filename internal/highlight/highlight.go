// Package highlight tells the words of source text apart by kind, for who draws
// them. It knows the languages whose grammars are embedded, and reads a grammar
// when it is first needed: a program that shows no source pays nothing. Text that
// is shown line by line as it comes goes through a [Scanner] instead.
package highlight

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
)

// A Kind is what a stretch of source text is.
type Kind byte

// The kinds. Plain is the zero value: what nothing is known about.
const (
	Plain Kind = iota
	Keyword
	Type
	Function
	String
	Number
	Comment
	Added   // a line of a diff
	Removed // another
)

// A Run is a stretch of a line of one kind; it ends before the byte End.
type Run struct {
	End  int
	Kind Kind
}

// Limits of one text: what is longer, or has a line that is, is not looked at,
// and what takes longer stays plain from there on.
const (
	MaxBytes = 50 << 10
	maxLine  = 2000 // bytes: some grammars take the square of a line
	maxTime  = 400 * time.Millisecond
)

// grammars are chroma's, but for Go's, which is our own: see lexers/LICENSE.
//
//go:embed lexers/*.xml
var grammars embed.FS

// A Highlighter keeps the grammars that it has read. It may be used from any
// goroutine.
type Highlighter struct {
	mu       sync.Mutex
	registry *chroma.LexerRegistry
	fences   map[string]*language // by the names of their fences
}

// New returns a Highlighter that has read nothing yet.
func New() *Highlighter { return &Highlighter{} }

// Lines returns the runs of each line of text, which is the content of a file
// of that name or a part of it. It returns nil when the language is not known
// or the text is too long. Invalid text and a grammar that fails are no error:
// what is not known is plain.
func (h *Highlighter) Lines(name, text string) (lines [][]Run) {
	if len(text) > MaxBytes || text == "" || longest(text) > maxLine {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() {
		if recover() != nil { // in a grammar: colours are not worth a failure
			lines = nil
		}
	}()
	lexer := h.lexers().Match(name)
	if lexer == nil {
		return nil
	}
	// What a lexer makes of line ends would put the offsets wrong.
	if strings.ContainsRune(text, '\r') {
		return nil
	}
	tokens, err := lexer.Tokenise(nil, text)
	if err != nil {
		return nil
	}
	return split(tokens, len(text), time.Now().Add(maxTime))
}

// longest returns the length of the longest line.
func longest(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n = max(n, len(line))
	}
	return n
}

// lexers reads the headers of the grammars, once.
func (h *Highlighter) lexers() *chroma.LexerRegistry {
	if h.registry != nil {
		return h.registry
	}
	h.registry = chroma.NewLexerRegistry()
	names, err := fs.Glob(grammars, "lexers/*.xml")
	if err != nil {
		return h.registry // the pattern is ours: this cannot happen
	}
	for _, name := range names {
		if l, err := chroma.NewXMLLexer(grammars, name); err == nil {
			h.registry.Register(l)
		}
	}
	return h.registry
}

// split puts tokens into lines, until they are size bytes or it is too late.
func split(tokens chroma.Iterator, size int, end time.Time) [][]Run {
	lines := [][]Run{nil}
	at, total := 0, 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if total >= size || time.Now().After(end) {
			break // lexers add a line end of their own
		}
		total += len(t.Value)
		kind := kindOf(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines, at = append(lines, nil), 0
			}
			if part == "" {
				continue
			}
			at += len(part)
			last := &lines[len(lines)-1]
			if n := len(*last); n > 0 && (*last)[n-1].Kind == kind {
				(*last)[n-1].End = at
			} else {
				*last = append(*last, Run{at, kind})
			}
		}
	}
	return lines
}

// kindOf is the kind of one of chroma's many types.
func kindOf(t chroma.TokenType) Kind {
	switch {
	case t.InCategory(chroma.Comment):
		return Comment
	case t == chroma.KeywordType, t == chroma.NameClass, t == chroma.NameTag:
		return Type
	case t == chroma.KeywordConstant, t.InSubCategory(chroma.LiteralNumber):
		return Number
	case t.InCategory(chroma.Keyword):
		return Keyword
	case t.InSubCategory(chroma.LiteralString):
		return String
	case t == chroma.NameFunction, t == chroma.NameBuiltin:
		return Function
	}
	return Plain
}
