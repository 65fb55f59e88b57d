package shell

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

var errTooDeep = errors.New("too long or too deeply nested to be checked")

// ahead is the length, in bytes, from which a line is parsed while it is walked.
const ahead = 16 << 10

// line walks a line, and returns its statements: all of them, or of more than
// one the first two.
func (s *scan) line(line string) ([]*syntax.Stmt, error) {
	if err := s.admit(line); err != nil {
		return nil, err
	}
	s.out.Parsed, s.src = true, line
	line = endComments(line)
	if len(line) < ahead {
		file, err := parse(line)
		if err != nil {
			return nil, err
		}
		s.stmts(file.Stmts)
		return file.Stmts, nil
	}
	var list []*syntax.Stmt
	err := parseAhead(line, func(batch []*syntax.Stmt) {
		list = append(list, batch[:min(len(batch), 2-len(list))]...)
		s.stmts(batch)
	})
	return list, err
}

// parse reads a script inside the line.
func (s *scan) parse(text string) (*syntax.File, error) {
	if err := s.admit(text); err != nil {
		return nil, err
	}
	return parse(endComments(text))
}

// admit refuses a script that could exhaust the stack.
func (s *scan) admit(text string) error {
	s.parsed += len(text)
	if len(text) > maxParse || s.parsed > maxParse+extraBytes || openers(text) > maxOpeners {
		return errTooDeep
	}
	return nil
}

func parse(text string) (*syntax.File, error) {
	file, err := newParser().Parse(strings.NewReader(text), "")
	return file, parseError(err)
}

// maxComments bounds how many comments of one script are ended by hand.
const maxComments = 64

// endComments blanks the comments of a script that a backslash ends. A comment
// ends with its line, whatever its last character is, but the parser goes on
// with the next line as if it were words of the same command. Nothing moves.
// Where it is no script, or has too many of them, it is returned as something
// that cannot be parsed.
func endComments(text string) string {
	if !continuedComment(text) {
		return text
	}
	for range maxComments {
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
		if err != nil {
			return text
		}
		from, to := -1, -1
		syntax.Walk(file, func(n syntax.Node) bool {
			if c, is := n.(*syntax.Comment); is && strings.HasSuffix(c.Text, "\\\n") && (from < 0 || int(c.Pos().Offset()) < from) {
				from = int(c.Pos().Offset())
				to = from + 1 + len(c.Text) - 1
			}
			return true
		})
		if from < 0 || to > len(text) {
			return text
		}
		text = text[:from] + strings.Repeat(" ", to-from) + text[to:]
	}
	return "("
}

// continuedComment reports a line with a # that ends in a backslash.
func continuedComment(text string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], "\\\n")
		if i < 0 {
			return false
		}
		line := text[from : from+i]
		if strings.LastIndexByte(line, '#') > strings.LastIndexByte(line, '\n') {
			return true
		}
		from += i + 2
	}
}

// newParser is a parser of what bash reads. The lexer skips a carriage return
// before a newline, which no shell does.
func newParser() *syntax.Parser { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }

func parseError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("parse: %s", strings.TrimPrefix(err.Error(), "1:"))
}

// parseAhead parses a script and hands out its statements in batches, in order,
// while the next ones are parsed. Nothing of it is kept, so that a long script
// costs little memory. What was handed out is part of a script only if there is
// no error in the end.
func parseAhead(text string, walk func(batch []*syntax.Stmt)) error {
	batches, gone := make(chan []*syntax.Stmt, 4), make(chan struct{})
	var failed error
	var broken any // what the parser panicked with: it is the caller's to handle
	go func() {
		defer close(batches)
		defer func() { broken = recover() }()
		failed = parseTo(text, func(batch []*syntax.Stmt) {
			select {
			case batches <- batch:
			case <-gone:
			}
		})
	}()
	defer close(gone)
	for batch := range batches {
		walk(batch)
	}
	if broken != nil {
		panic(broken)
	}
	return failed
}

// batchSize is how many statements are handed over at a time.
const batchSize = 256

func parseTo(text string, send func(batch []*syntax.Stmt)) error {
	var err error
	documents := strings.Contains(text, "<<")
	batch := make([]*syntax.Stmt, 0, batchSize)
	// The parser goes on after an error to the end, and must be let.
	for st, failed := range newParser().StmtsSeq(strings.NewReader(text)) {
		if failed != nil {
			err = failed
			continue
		}
		if n := len(batch); n >= batchSize && (!documents || apart(text, batch[n-1], st)) {
			send(batch)
			batch = make([]*syntax.Stmt, 0, batchSize)
		}
		batch = append(batch, st)
	}
	if err != nil {
		return parseError(err)
	}
	send(batch)
	return nil
}

// apart reports that there is certainly a newline between two statements, so
// that the here-documents of the first have been read.
func apart(text string, a, b *syntax.Stmt) bool {
	from, to := int(a.End().Offset()), int(b.Pos().Offset())
	if from > to || to > len(text) {
		return false
	}
	between := text[from:to]
	return strings.IndexByte(between, '\n') >= 0 && strings.IndexByte(between, '\\') < 0
}

// openers counts what may open a nested construct, wherever it stands.
func openers(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !opening[c] {
			continue
		}
		if c < 'a' || c > 'z' {
			n++ // a bracket, a backquote, or what stands before one
			continue
		}
		if i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' {
			continue
		}
		n += opens(text[i:])
	}
	return n
}

// opening are the bytes that something which nests may begin with.
var opening = [256]bool{'(': true, '{': true, '`': true, '!': true, '?': true, 'i': true, 'w': true, 'u': true, 'f': true, 'c': true, 's': true, 't': true}

// opens counts the words that open something and that text begins with.
func opens(text string) int {
	word := ""
	switch text[0] {
	case 'i':
		word = "if"
	case 'w':
		word = "while"
	case 'u':
		word = "until"
	case 'f':
		if word = "for"; strings.HasPrefix(text, "function") {
			return 1
		}
	case 'c':
		word = "case"
	case 's':
		word = "select"
	case 't':
		word = "time"
	}
	if strings.HasPrefix(text, word) {
		return 1
	}
	return 0
}

// unusual names the first character that a person could not see on a card or
// that shells read differently from each other.
func unusual(line string) string {
	if !utf8.ValidString(line) {
		return "bytes that are not UTF-8"
	}
	if strings.Contains(line, "$\\\n") { // the shell joins the lines first, and then sees an expansion
		return "a $ at the end of a line that the next one continues"
	}
	if n := len(line) - len(strings.TrimRight(line, "\\")); n%2 == 1 { // which some shells drop
		return "a backslash at its end"
	}
	before := rune(0)
	for i, r := range line {
		last := before
		before = r
		switch {
		case r == '\t' || r == '\n' || r >= ' ' && r < 0x7f:
		case joinsEmoji(last, r, line[i:]):
		case r == 0:
			return "a NUL byte"
		case r < ' ' || r == 0x7f || unicode.Is(unicode.Cc, r):
			return fmt.Sprintf("a control character (U+%04X)", r)
		case unicode.IsSpace(r) || unicode.Is(unicode.Z, r):
			return fmt.Sprintf("a space that is not a space (U+%04X)", r)
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || r == 0x2800:
			return fmt.Sprintf("an invisible character (U+%04X)", r)
		}
	}
	return ""
}

// joinsEmoji reports an invisible character that only makes one picture of
// those beside it, as it does in many a commit message. rest begins with it.
func joinsEmoji(before, r rune, rest string) bool {
	pictured := unicode.Is(unicode.So, before) || before >= 0x1f3fb && before <= 0x1f3ff
	switch r {
	case 0xfe0f:
		return pictured
	case 0x200d:
		after, _ := utf8.DecodeRuneInString(rest[len("\u200d"):])
		return (pictured || before == 0xfe0f) && unicode.Is(unicode.So, after)
	}
	return false
}
