package shell

import "strings"

// sedReads reports a sed whose scripts only select, substitute and print.
func sedReads(c *call) bool {
	scripts := c.values("e", "expression")
	if len(scripts) == 0 {
		if ops := c.operands("-l", "--line-length"); len(ops) > 0 {
			scripts = ops[:1]
		}
	}
	for _, w := range scripts {
		if !w.known() || !plainSed(w.text) {
			return false
		}
	}
	return len(scripts) > 0
}

// plainSed accepts a script of sed that neither writes a file nor runs a
// program. What is accepted has to be what every sed reads: text that one takes
// for data and another for commands is refused.
func plainSed(script string) bool {
	p := sedScript{left: script}
	for p.skip(" \t\n;{}"); p.left != ""; p.skip(" \t\n;{}") {
		if !p.address() || !p.command() {
			return false
		}
	}
	return true
}

type sedScript struct{ left string }

func (p *sedScript) skip(of string) { p.left = strings.TrimLeft(p.left, of) }

// next takes one character, or 0 at the end.
func (p *sedScript) next() byte {
	if p.left == "" {
		return 0
	}
	c := p.left[0]
	p.left = p.left[1:]
	return c
}

// address takes the lines that a command is for.
func (p *sedScript) address() bool {
	for p.left != "" {
		switch c := p.left[0]; {
		case c >= '0' && c <= '9', strings.IndexByte("$,~+! \t", c) >= 0:
			p.next()
		case c == '/':
			p.next()
			if !p.delimited('/', true) {
				return false
			}
			p.skip("IM")
		case c == '\\' && len(p.left) > 1 && sedDelimiter(p.left[1]):
			p.next()
			if !p.delimited(p.next(), true) {
				return false
			}
			p.skip("IM")
		default:
			return true
		}
	}
	return true
}

func sedDelimiter(c byte) bool { return strings.IndexByte("/|,#@:!%_~=+^&-", c) >= 0 }

// delimited takes text up to a delimiter. In a pattern one in a bracket
// expression is a character; a sed that does not think so has an unclosed
// bracket there, and does nothing.
func (p *sedScript) delimited(end byte, pattern bool) bool {
	for i := 0; i < len(p.left); i++ {
		switch c := p.left[i]; {
		case c == '\n':
			return false
		case c == '\\':
			if i++; i < len(p.left) && p.left[i] == '\n' {
				return false
			}
		case c == end:
			p.left = p.left[i+1:]
			return true
		case c == '[' && pattern:
			n := bracket(p.left[i:])
			if n == 0 {
				return false
			}
			i += n - 1
		}
	}
	return false
}

// bracket is the length of the bracket expression that text begins with, or 0
// where it has no end or what is in it is read in more than one way.
func bracket(text string) int {
	i := 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	for first := i; i < len(text); i++ {
		switch c := text[i]; {
		case c == ']' && i > first:
			return i + 1
		case c == '\n', c == '\\' && i+1 < len(text) && text[i+1] == ']':
			return 0
		case c == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0:
			n := strings.Index(text[i+2:], text[i+1:i+2]+"]")
			if n < 0 || strings.Trim(text[i+2:i+2+n], "abcdefghijklmnopqrstuvwxyz") != "" {
				return 0
			}
			i += 2 + n + 1
		}
	}
	return 0
}

// command takes one command and its end.
func (p *sedScript) command() bool {
	switch c := p.next(); c {
	case 0, '{', '}':
		return true
	case '#':
		if i := strings.IndexByte(p.left, '\n'); i >= 0 {
			p.left = p.left[i:]
		} else {
			p.left = ""
		}
		return true
	case 'p', 'P', 'd', 'D', '=', 'n', 'N', 'g', 'G', 'h', 'H', 'x', 'z', 'F':
	case 'q', 'Q', 'l', 'L':
		p.skip(" 0123456789")
	case 'b', 't', 'T', ':':
		p.skip(" ")
		p.skip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
	case 's', 'y':
		whole, end := p.left, p.next() // some read brackets in the lists of y
		if !sedDelimiter(end) || !p.delimited(end, c == 's') || !p.delimited(end, false) || c == 'y' && strings.Contains(whole[:len(whole)-len(p.left)], "[") {
			return false
		}
		if c == 's' {
			p.skip("gpiIm0123456789")
		}
	default:
		return false
	}
	p.skip(" \t")
	return p.left == "" || strings.IndexByte(";\n}#", p.left[0]) >= 0
}
