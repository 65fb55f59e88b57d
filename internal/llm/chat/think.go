package chat

import "strings"

// The marks around the thoughts of models whose server leaves them in the answer.
const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// A splitter tells thoughts that stand at the beginning of an answer, between
// marks, from the answer.
type splitter struct {
	state splitState
	held  string // may be a part of a mark
}

type splitState int

const (
	undecided splitState = iota
	inThought
	afterThought // white space before the answer
	inAnswer
)

// split takes the next piece of the text.
func (s *splitter) split(piece string) (thought, answer string) {
	text := s.held + piece
	s.held = ""
	if s.state == undecided {
		head := strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasPrefix(head, thinkOpen):
			s.state, text = inThought, head[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, head):
			s.held = text
			return "", ""
		default:
			s.state = inAnswer
		}
	}
	if s.state == inThought {
		before, after, closed := strings.Cut(text, thinkClose)
		if !closed {
			keep := ending(text, thinkClose)
			s.held = text[keep:]
			return text[:keep], ""
		}
		s.state, thought, text = afterThought, before, after
	}
	if s.state == afterThought {
		if text = strings.TrimLeft(text, " \t\r\n"); text != "" {
			s.state = inAnswer
		}
	}
	return thought, text
}

// rest returns what is held when the answer has ended.
func (s *splitter) rest() (thought, answer string) {
	held := s.held
	s.held = ""
	if s.state == inThought {
		return held, ""
	}
	return "", held
}

// ending returns the index at which text ends in a beginning of mark.
func ending(text, mark string) int {
	for n := min(len(text), len(mark)-1); n > 0; n-- {
		if strings.HasSuffix(text, mark[:n]) {
			return len(text) - n
		}
	}
	return len(text)
}
