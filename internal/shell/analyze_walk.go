package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An input is what a command reads from its standard input.
type input struct {
	kind    inputKind
	text    string // the script, when it is known
	decoded *call  // what decoded or unpacked it on the way, or nil
}

type inputKind int

const (
	noInput      inputKind = iota // the closed or inherited standard input
	fileInput                     // a file
	textInput                     // text that stands in the script
	unknownInput                  // the output of a program
)

func (s *scan) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		s.stmt(st, false)
	}
}

// nested walks the statements of a substitution, which runs in its own shell,
// and returns the commands it would run.
func (s *scan) nested(list []*syntax.Stmt) []*call {
	from := len(s.calls)
	s.subshell(func() { s.stmts(list) })
	return s.calls[from:len(s.calls):len(s.calls)]
}

// subshell runs f on a copy of the state. What f changed is unknown after it,
// because shells differ in what they run in a process of their own.
func (s *scan) subshell(f func()) {
	before := s.env.clone()
	fetch, stdin := s.pipeFetch, s.stdin
	f()
	s.pipeFetch, s.stdin = fetch, stdin
	dirs, temp, old := before.dirs, before.temp, before.old
	before.join(s.env)
	s.env = before
	s.env.dirs, s.env.temp, s.env.old = dirs, temp, old
}

// branch runs f as something that may or may not happen.
func (s *scan) branch(f func()) {
	before := s.env.clone()
	f()
	before.join(s.env)
	s.env = before
}

// stmt walks one statement. guarded says that what follows runs only if it
// succeeds.
func (s *scan) stmt(st *syntax.Stmt, guarded bool) {
	if st.Background || st.Coprocess || st.Disown {
		s.strange("it runs something in the background")
		s.subshell(func() { s.command(st, guarded) })
		return
	}
	s.command(st, guarded)
}

func (s *scan) command(st *syntax.Stmt, guarded bool) {
	stdin := s.stdin
	redirs := s.redirects(st.Redirs)
	if c, ok := st.Cmd.(*syntax.CallExpr); ok {
		s.simple(c, st, redirs, guarded)
		s.stdin = stdin
		return
	}
	s.compound(st, redirs)
	s.stdin = stdin
}

func (s *scan) compound(st *syntax.Stmt, redirs []redirect) {
	if bin, ok := st.Cmd.(*syntax.BinaryCmd); ok {
		s.binary(bin)
		return
	}
	switch c := st.Cmd.(type) {
	case *syntax.Subshell:
		s.subshell(func() { s.stmts(c.Stmts) })
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.IfClause:
		s.ifClause(c)
	case *syntax.WhileClause:
		s.loop(c, func() {
			s.stmts(c.Cond)
			s.stmts(c.Do)
		})
		s.endless(c)
	case *syntax.ForClause:
		s.forClause(c)
	case *syntax.CaseClause:
		s.single(c.Word)
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				s.single(p)
			}
			s.branch(func() { s.stmts(item.Stmts) })
		}
	case *syntax.FuncDecl:
		s.function(c)
	case *syntax.DeclClause:
		s.declare(c, st, redirs)
	case *syntax.TimeClause:
		s.timed(c)
	case *syntax.CoprocClause:
		// Whether the next word is a name or the program depends on what follows.
		s.dynamic("a coprocess, whose words shells read differently")
		s.opaque = true
		s.subshell(func() { s.stmt(c.Stmt, false) })
	case nil:
	default:
		// (( )), let and [[ ]]: arithmetic evaluates what variables hold, and a
		// POSIX shell reads these words as commands and redirections.
		s.findSubsts(c)
		s.forgetAssigned(c)
		if needsBash(c) {
			s.dynamic("an expression whose meaning depends on the shell")
		}
		s.strange("it uses an expression of bash")
	}
}

// timed walks what is timed. The word is the shell's own only where a pipeline
// begins, and only before -p; elsewhere it is a program with options of its own,
// one of which writes a file.
func (s *scan) timed(c *syntax.TimeClause) {
	s.strange("it is timed")
	program := s.piped
	if c.Stmt != nil {
		call, is := c.Stmt.Cmd.(*syntax.CallExpr)
		program = program || is && len(call.Args) > 0 && strings.HasPrefix(s.source(call.Args[0]), "-")
	}
	if program {
		s.dynamic("a program that times others")
		s.opaque = true
	}
	if c.Stmt != nil {
		s.stmt(c.Stmt, false)
	}
}

// needsBash reports expressions that another shell would read as commands or
// that evaluate variables as code.
func needsBash(n syntax.Node) bool {
	test, ok := n.(*syntax.TestClause)
	if !ok {
		return true
	}
	odd := false
	syntax.Walk(test, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			odd = true
		case *syntax.BinaryTest:
			odd = odd || !slices.Contains([]syntax.BinTestOperator{syntax.TsMatchShort, syntax.TsMatch, syntax.TsNoMatch}, n.Op)
		case *syntax.UnaryTest:
			odd = odd || n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar
		}
		return !odd
	})
	return odd
}

// binary walks a list of statements joined by && or ||, or a pipeline. Long
// lists lean to the left, so they are laid out before they are walked.
func (s *scan) binary(b *syntax.BinaryCmd) {
	list := []*syntax.Stmt{b.Y}
	x := b.X
	for {
		bx, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || bx.Op != b.Op || len(x.Redirs) > 0 || x.Negated || x.Background {
			break
		}
		list = append(list, bx.Y)
		x = bx.X
	}
	list = append(list, x)
	slices.Reverse(list)
	switch b.Op {
	case syntax.AndStmt:
		s.and(list)
	case syntax.OrStmt:
		s.or(list)
	default:
		s.pipeline(list)
	}
}

func (s *scan) and(list []*syntax.Stmt) {
	var ends env
	failed, fetch := s.env.failed, s.chainFetch
	s.env.failed = nil
	s.ands++
	for i, st := range list {
		s.stmt(st, i < len(list)-1)
		if i == 0 {
			ends = s.env.clone()
		} else {
			ends.join(s.env)
		}
	}
	if s.ands--; s.ands == 0 {
		s.chainFetch = fetch
	}
	if len(ends.dirs) > 0 && !ends.temp {
		ends.dirs = union(ends.dirs, s.env.failed)
	}
	ends.failed = failed
	s.env = ends
}

func (s *scan) or(list []*syntax.Stmt) {
	leaves := len(list) == 2 && exits(list[1])
	s.stmt(list[0], leaves)
	if leaves {
		s.env.failed = nil
	}
	for _, st := range list[1:] {
		after := s.env.clone()
		s.stmt(st, false)
		if leaves {
			s.env = after // the other way has left the script
		} else {
			s.env.join(after)
		}
	}
}

// exits reports a statement that leaves the script.
func exits(st *syntax.Stmt) bool {
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Args) > 0 && oneOf(c.Args[0].Lit(), "exit")
	case *syntax.Block:
		return len(c.Stmts) > 0 && exits(c.Stmts[len(c.Stmts)-1])
	}
	return false
}

func (s *scan) pipeline(list []*syntax.Stmt) {
	from, piped := len(s.calls), s.piped
	fetch, stdin := s.pipeFetch, s.stdin
	for i, st := range list {
		s.subshell(func() {
			if i > 0 {
				s.pipeFetch, s.stdin, s.piped = fetch, stdin, true
			}
			s.stmt(st, false)
			s.piped = piped
		})
		for _, c := range s.calls[from:] {
			if c.fetches() {
				fetch = c
			}
		}
		decoded := decoder(s.calls[from:])
		if from = len(s.calls); i == len(list)-1 {
			break
		}
		if before := stdin.decoded; decoded == nil && i > 0 {
			decoded = before // what is between passes it on
		}
		if stdin = s.output(st); stdin.kind != textInput {
			stdin.decoded = decoded
		}
	}
}

func (s *scan) ifClause(c *syntax.IfClause) {
	for ; c != nil; c = c.Else {
		s.stmts(c.Cond)
		s.branch(func() { s.stmts(c.Then) })
	}
}

// loop walks a body that may run any number of times: what it assigns is not
// known at its start.
func (s *scan) loop(n syntax.Node, body func()) {
	before := s.env.clone()
	if s.loops++; s.loops > 8 { // deep inside loops nothing is worth following
		s.env.forgetAll()
		s.env.lost()
	} else {
		s.forgetAssigned(n)
		if changesDir(n) {
			s.env.lost()
		}
	}
	body()
	s.loops--
	before.join(s.env)
	s.env = before
}

func changesDir(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			name := c.Args[0].Lit()
			found = found || name == "" || oneOf(name, "cd", "pushd", "popd", "eval", "source", ".", "command", "builtin")
		}
		return !found
	})
	return found
}

func (s *scan) forClause(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		var items []word
		for _, w := range l.Items {
			items = s.expand(items, w)
		}
		s.loop(c, func() {
			s.env.forget(l.Name.Value)
			if len(items) == 1 && items[0].known() && !items[0].glob {
				s.env.set(l.Name.Value, items[0])
			}
			s.stmts(c.Do)
		})
		s.env.forget(l.Name.Value)
	case *syntax.CStyleLoop:
		s.findSubsts(l)
		s.dynamic("a loop over an expression")
		s.loop(c, func() { s.stmts(c.Do) })
		if l.Init == nil && l.Cond == nil && l.Post == nil {
			s.hit("loop.endless", s.source(l))
		}
	}
}

// endless notices loops that nothing ends.
func (s *scan) endless(c *syntax.WhileClause) {
	if len(c.Cond) != 1 || c.Cond[0].Negated {
		return
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	if name := call.Args[0].Lit(); !c.Until && oneOf(name, "true", ":") || c.Until && name == "false" {
		s.hit("loop.endless", s.source(call))
	}
}

// function walks a body at its declaration. It runs later, in a state that is
// not known, and may change any variable it names.
func (s *scan) function(c *syntax.FuncDecl) {
	s.strange("it declares a function")
	if c.Name == nil {
		s.dynamic("a function without a name")
		s.stmt(c.Body, false)
		return
	}
	s.funcs[c.Name.Value] = true
	if s.inFunc++; s.inFunc == 1 { // the outermost walk sees the inner ones
		for name := range countAssigns(c) {
			s.volatile[name] = true
			s.env.forget(name)
		}
		s.cdFuncs = s.cdFuncs || changesDir(c)
	}
	if s.inFunc < 8 {
		s.forkBomb(c)
	}
	saved := s.env
	s.env = env{vars: &variables{}, remote: saved.remote}
	if !s.cdFuncs {
		s.env.dirs = saved.dirs
	}
	s.subshell(func() { s.stmt(c.Body, false) })
	s.env = saved
	s.inFunc--
}

// forkBomb notices a function that starts itself more than once at a time.
func (s *scan) forkBomb(c *syntax.FuncDecl) {
	self, spreads := false, false
	syntax.Walk(c.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			self = self || len(n.Args) > 0 && n.Args[0].Lit() == c.Name.Value
		case *syntax.Stmt:
			spreads = spreads || n.Background
		case *syntax.BinaryCmd:
			spreads = spreads || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		}
		return true
	})
	if self && spreads {
		s.hit("loop.fork-bomb", s.source(c))
	}
}
