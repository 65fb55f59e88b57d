package shell

import "mvdan.cc/sh/v3/syntax"

// A call is one program being run, as the rules see it. Wrapping programs make
// several calls of one simple command, from the outside in.
type call struct {
	name    string // program without its directory; "" when it is not known
	traits  trait  // what is known of name
	valued  string // its short options that take a value, of valuedRows
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
	builtin bool // the shell's own command, which may change what follows
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

// call makes a call from words that were evaluated.
func (s *scan) call(w []word, source string, redirs []redirect) *call {
	c := &s.callBlock.take(1)[0]
	c.s, c.redirs, c.via, c.stdin, c.fetch, c.after, c.remote = s, redirs, s.via, s.stdin, s.pipeFetch, s.chainFetch, s.env.remote
	c.source = source
	c.program(w)
	return c
}

// program sets the program and its arguments from words.
func (c *call) program(w []word) {
	first := w[0]
	c.args, c.dyn = w[1:], ""
	c.written, c.name = c.s.at.program(first.text)
	c.name = ungnu(c.name)
	switch {
	case first.dyn != "":
		c.name, c.written, c.dyn = "", first.src, first.dyn
	case first.glob:
		c.name, c.dyn = "", "a pattern as the program's name"
	}
	c.traits, c.valued = traitsOf(c.name), ""
	if c.traits.has(valuedTrait) {
		c.valued = valuedIndex()[c.name]
	}
	c.shadow = c.s.funcs[c.written]
}

// ungnu is the name of a program that is installed under its name with a g
// before it where the system has another of that name.
func ungnu(name string) string {
	if name != "" && name[0] == 'g' && oneOf(name[1:], "rm", "mv", "cp", "ln", "dd", "env", "nice", "nohup", "stdbuf", "time", "truncate", "shred", "chmod", "chown", "chgrp", "install", "split", "csplit", "rmdir", "unlink", "tee", "kill", "xargs") {
		return name[1:]
	}
	return name
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
	source := s.source(st)
	if len(redirs) == 0 && s.again(c, source) {
		return
	}
	var assigns []string
	for _, a := range c.Assigns {
		if len(c.Args) == 0 {
			s.assign(a, true)
		} else {
			assigns = append(assigns, assigned(a, s.assign(a, false)))
		}
	}
	words := s.wordBlock.take(len(c.Args))[:0]
	for _, a := range c.Args {
		words = s.expand(words, a)
	}
	if len(words) == 0 {
		if len(c.Args) > 0 {
			s.dynamic("a command that may be empty")
		}
		s.strange("it runs no command")
		return
	}
	if len(words) > 1 && words[0].is("--") {
		words = words[1:] // of "time -- command", whose first words the parser takes
		s.strange("it begins with --")
	}
	call := s.call(words, source, redirs)
	call.assigns = assigns
	s.visitFirst(call, c, guarded)
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
		s.opaque = true // and with it what is read and written
		s.lose("the program is not known")
	}
	for i := range c.args {
		if why := c.args[i].dyn; why != "" {
			s.dynamic(why)
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
	if c.builtin = s.builtin(c, guarded); !c.builtin {
		s.unwrap(c)
	}
}

// fetches reports programs that bring text from another machine.
func (c *call) fetches() bool { return oneOf(c.name, "curl", "wget") }
