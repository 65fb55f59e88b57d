package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects evaluates the redirections of a statement and sets its input.
func (s *scan) redirects(list []*syntax.Redirect) []redirect {
	var out []redirect
	for _, r := range list {
		d := redirect{op: r.Op.String()}
		if r.N != nil {
			d.fd = r.N.Value
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			body := word{}
			if r.Hdoc != nil {
				body = s.heredoc(r.Hdoc, r.Word)
			}
			s.stdin = input{kind: textInput, text: body.text}
			if body.dyn != "" {
				s.stdin = input{kind: unknownInput}
			}
			d.to = word{text: s.source(r.Word), src: s.source(r.Word)}
			d.dup = true
		case syntax.WordHdoc:
			body := s.single(r.Word)
			s.stdin = input{kind: textInput, text: body.text + "\n"}
			if body.dyn != "" {
				s.stdin = input{kind: unknownInput, decoded: decoder(body.calls)}
			}
			d.to = body
			d.dup = true
		default:
			d.to = s.single(r.Word)
			d.dup = (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && isDescriptor(d.to.text)
			if (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && len(d.to.text) > 1 && d.to.text[0] == '-' {
				s.dynamic("a descriptor is closed by what some shells take for a word") // and the rest for another
				s.opaque = true
			}
			if r.Op == syntax.RdrIn || r.Op == syntax.RdrInOut || r.Op == syntax.DplIn {
				s.stdin = input{kind: fileInput, decoded: decoder(d.to.calls)}
			}
			s.judgeRedirect(d)
		}
		out = append(out, d)
	}
	return out
}

// isDescriptor reports the targets that make >& a duplication, not a file.
func isDescriptor(text string) bool {
	return text == "-" || text != "" && strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == ""
}

// heredoc evaluates a here-document. With a quoted delimiter it is taken as it
// stands; otherwise variables in it are data, and substitutions run.
func (s *scan) heredoc(w, delimiter *syntax.Word) word {
	if delimiter.Lit() == "" || strings.Contains(delimiter.Lit(), `\`) {
		var out strings.Builder
		for _, p := range w.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				out.WriteString(l.Value)
			}
		}
		return lit(out.String())
	}
	if endsEarly(s.body(w), delimiter.Lit()) {
		s.dynamic("a here-document that shells end in different places")
		s.opaque = true
	}
	b := &builder{s: s, cur: word{src: "<<"}, single: true, heredoc: true}
	b.parts(w.Parts, true)
	return b.done()
}

// body is the text of a here-document as it is written. A parser drops the lines
// at its beginning that only join it to the next.
func (s *scan) body(w *syntax.Word) string {
	text := s.source(w)
	for from := int(w.Pos().Offset()); from >= 2 && from <= len(s.src) && s.src[from-2:from] == "\\\n"; from -= 2 {
		text = "\\\n" + text
	}
	return text
}

// endsEarly reports the text of a here-document in which a backslash joins
// lines to one that is the delimiter. A shell ends there, and runs the rest.
func endsEarly(body, delimiter string) bool {
	if !strings.Contains(body, "\\\n") {
		return false
	}
	lines := strings.Split(strings.ReplaceAll(body, "\\\n", ""), "\n")
	for _, line := range lines[:len(lines)-1] { // the last one is where it ends
		if strings.TrimLeft(line, "\t") == delimiter {
			return true
		}
	}
	return false
}

// output is what the next stage of a pipeline reads, when the script spells it
// out: cat of a here-document, echo or printf of plain words.
func (s *scan) output(st *syntax.Stmt) input {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return input{kind: unknownInput}
	}
	last := (*call)(nil)
	for i := len(s.calls) - 1; i >= 0 && last == nil; i-- {
		if !s.calls[i].hidden {
			last = s.calls[i]
		}
	}
	if last == nil || last.name != base(c.Args[0].Lit()) || last.shadow {
		return input{kind: unknownInput}
	}
	for _, r := range last.redirs {
		if r.op != "<<" && r.op != "<<-" && r.op != "<<<" {
			return input{kind: unknownInput}
		}
	}
	switch last.name {
	case "cat":
		if len(last.args) == 0 && last.stdin.kind == textInput {
			return last.stdin
		}
	case "echo", "printf":
		return spoken(last)
	}
	return input{kind: unknownInput}
}

func spoken(c *call) input {
	args := c.args
	if c.name == "echo" && len(args) > 0 && args[0].is("-n") {
		args = args[1:]
	}
	if c.name == "printf" && len(args) == 2 && args[0].is("%s", "%s\n", `%s\n`) {
		args = args[1:]
	} else if c.name == "printf" && len(args) != 1 {
		return input{kind: unknownInput}
	}
	for i, w := range args {
		if !w.known() || w.glob || strings.Contains(w.text, `\`) || c.name == "printf" && len(c.args) == 1 && strings.Contains(w.text, "%") || i == 0 && w.flag() {
			return input{kind: unknownInput}
		}
	}
	return input{kind: textInput, text: strings.Join(texts(args), " ") + "\n"}
}
