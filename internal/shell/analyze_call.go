package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A call is one program being run, as the rules see it. Wrapping programs make
// several calls of one simple command, from the outside in.
type call struct {
	name    string // program without its directory; "" when it is not known
	written string // the program word as given
	dyn     string // why the program is not known
	args    []word // after the program
	assigns []string
	redirs  []redirect
	via     []string
	source  string
	fetch   *call // a download whose output is piped into this call
	after   *call // a download earlier in the same && list
	stdin   input
	// hidden calls are not listed: a wrapper whose inner command is.
	hidden bool
	remote bool // runs on another machine or in a container
	raw    bool // taken from text that could not be parsed
	opens  bool // opens the files it is given
	reads  bool // and only reads them
	shadow bool // the name is a function of this script
	s      *scan
}

// A redirect is one redirection with its target evaluated.
type redirect struct {
	op  string
	to  word
	fd  string
	dup bool // duplicates or closes a descriptor
}

func (c *call) command() Command {
	cmd := Command{Name: c.name, Words: append([]string{c.written}, texts(c.args)...), Assigns: c.assigns, Via: c.via, Source: c.source}
	if strings.Contains(c.written, "/") {
		cmd.Path = c.written
	}
	cmd.Dynamic = c.dyn != "" || slices.ContainsFunc(c.args, func(w word) bool { return w.dyn != "" })
	for _, r := range c.redirs {
		t := r.to.text
		if r.to.dyn != "" {
			t = r.to.src
			cmd.Dynamic = true
		}
		cmd.Redirects = append(cmd.Redirects, Redirect{Op: r.fd + r.op, Target: t})
	}
	return cmd
}

// call makes a call from words that were evaluated.
func (s *scan) call(w []word, st *syntax.Stmt, redirs []redirect) *call {
	c := &call{s: s, redirs: redirs, via: s.via, stdin: s.stdin, fetch: s.pipeFetch, after: s.chainFetch, remote: s.env.remote}
	if st != nil {
		c.source = s.source(st)
	}
	c.program(w)
	return c
}

// program sets the program and its arguments from words.
func (c *call) program(w []word) {
	first := w[0]
	c.written, c.args = first.text, w[1:]
	c.name, c.dyn = base(first.text), ""
	switch {
	case first.dyn != "":
		c.name, c.written, c.dyn = "", first.src, first.dyn
	case first.glob:
		c.name, c.dyn = "", "a pattern as the program's name"
	}
	c.shadow = c.s.funcs[c.written]
}

// inner is a call that c runs.
func (c *call) inner(w []word) *call {
	in := *c
	in.via = append(c.via[:len(c.via):len(c.via)], c.label())
	in.redirs, in.assigns, in.hidden = nil, nil, false
	in.program(w)
	return &in
}

func (c *call) label() string {
	if c.name == "" {
		return c.written
	}
	return c.name
}

// simple walks one simple command.
func (s *scan) simple(c *syntax.CallExpr, st *syntax.Stmt, redirs []redirect, guarded bool) {
	var assigns []string
	for _, a := range c.Assigns {
		assigns = append(assigns, s.assign(a, len(c.Args) == 0))
	}
	var words []word
	for _, a := range c.Args {
		words = append(words, s.expand(a)...)
	}
	if len(words) == 0 {
		if len(c.Args) > 0 {
			s.dynamic("a command that may be empty")
		}
		s.strange("it runs no command")
		return
	}
	call := s.call(words, st, redirs)
	call.assigns = assigns
	s.visit(call, guarded)
}

// visit judges a call and everything it runs in turn.
func (s *scan) visit(c *call, guarded bool) {
	if s.depth > maxDepth {
		s.dynamic("commands nested too deeply to follow")
		s.opaque = true
		return
	}
	if s.work += len(c.args); s.work > maxWork {
		s.dynamic("more words than can be looked at")
		s.opaque = true
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	s.calls = append(s.calls, c)
	if c.dyn != "" {
		s.dynamic("the program is not known: " + c.dyn)
		s.opaque = true
		s.lose("the program is not known")
	}
	for _, w := range c.args {
		if w.dyn != "" {
			s.dynamic(w.dyn)
			break
		}
	}
	s.judge(c)
	if c.shadow {
		// The function may not be in force here, so that the program of the same
		// name is judged as well.
		s.strange("it calls a function")
		s.env.lost()
		s.unwrap(c)
		return
	}
	if !s.builtin(c, guarded) {
		s.unwrap(c)
	}
}

// fetches reports programs that bring text from another machine.
func (c *call) fetches() bool { return oneOf(c.name, "curl", "wget") }

// operands returns the words that are not options; what follows "--" always
// counts. valued names the options that take the next word.
func (c *call) operands(valued ...string) []word {
	out := make([]word, 0, len(c.args))
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		if w.text == "--" && w.known() {
			return append(out, c.args[i+1:]...)
		}
		if !w.flag() {
			out = append(out, w)
		} else if oneOf(w.text, valued...) {
			i++
		}
	}
	return out
}

// rest returns the words after a call's own leading options.
func (c *call) rest(valued ...string) []word {
	args := c.args
	for len(args) > 0 && args[0].flag() {
		n := 1
		if oneOf(args[0].text, valued...) {
			n = 2
		}
		if args[0].is("--") {
			return args[1:]
		}
		args = args[min(n, len(args)):]
	}
	return args
}

// has reports an option by its long names (abbreviations count, as getopt_long
// reads them) or by its letter in any cluster of short ones.
func (c *call) has(letters string, longs ...string) bool { return c.option(letters, longs...) >= 0 }

// option is the index of the first such option, or -1.
func (c *call) option(letters string, longs ...string) int {
	for i, w := range c.args {
		if w.text == "--" {
			return -1
		}
		if optionIs(w.text, letters, longs...) {
			return i
		}
	}
	return -1
}

func optionIs(text, letters string, longs ...string) bool {
	if len(text) < 2 || text[0] != '-' {
		return false
	}
	if text[1] != '-' {
		return letters != "" && strings.ContainsAny(text[1:], letters)
	}
	name, _, _ := strings.Cut(text[2:], "=")
	for _, l := range longs {
		if name != "" && strings.HasPrefix(l, name) {
			return true
		}
	}
	return false
}

// value returns what an option was given: after an equals sign, attached to
// its letter, or the next word.
func (c *call) value(letter string, longs ...string) (word, bool) {
	for i, w := range c.args {
		text := w.text
		if text == "--" {
			break
		}
		if optionIs(text, "", longs...) || len(longs) > 0 && oneOf(strings.TrimPrefix(text, "-"), longs...) && w.flag() {
			if _, v, ok := strings.Cut(text, "="); ok {
				w.text = v
				return w, true
			}
		} else if k := cluster(text, letter); k > 0 {
			if k < len(text) {
				w.text = text[k:]
				return w, true
			}
		} else {
			continue
		}
		if i+1 < len(c.args) {
			return c.args[i+1], true
		}
	}
	return word{}, false
}

// cluster returns the index after letter in a group of short options, or 0.
func cluster(text, letter string) int {
	if letter == "" || len(text) < 2 || text[0] != '-' || text[1] == '-' {
		return 0
	}
	i := strings.Index(text[1:], letter)
	if i < 0 {
		return 0
	}
	return i + 1 + len(letter)
}

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
				s.stdin = input{kind: unknownInput}
			}
			d.to = body
			d.dup = true
		default:
			d.to = s.single(r.Word)
			d.dup = (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && isDescriptor(d.to.text)
			if r.Op == syntax.RdrIn || r.Op == syntax.RdrInOut || r.Op == syntax.DplIn {
				s.stdin = input{kind: fileInput}
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
	b := &builder{s: s, cur: word{src: "<<"}, single: true, heredoc: true}
	b.parts(w.Parts, true)
	return b.done()
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
