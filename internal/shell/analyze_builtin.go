package shell

import "strings"

// builtin follows the shell's own commands that change what the rest of the
// line means. It returns true when there is nothing more to unwrap.
func (s *scan) builtin(c *call, guarded bool) bool {
	if strings.Contains(c.written, "/") {
		return false
	}
	switch c.name {
	case "cd", "chdir", "pushd":
		s.chdir(c, guarded)
	case "popd":
		s.env.lost()
	case "eval":
		s.scriptOf(c, c.args, "eval")
		s.env.forgetAll()
		s.env.lost()
	case "source", ".":
		s.lose("it reads commands from a file")
		if ops := c.operands(); len(ops) > 0 && ops[0].known() {
			s.runsFile(c, ops[0].text)
		}
	case "trap":
		s.trap(c)
	case "alias":
		s.aliases(c)
	case "read", "mapfile", "readarray", "getopts", "unset", "let", "wait":
		s.assignsByName(c)
	case "compgen":
		// It expands its words, calls its function and runs its command.
		if w, ok := c.value("C"); ok {
			s.subshell(func() { s.scriptOf(c, []word{w}, "compgen -C") })
		}
		if c.has("CFW") {
			s.dynamic("compgen runs what its options say")
			s.opaque = true
		}
	case "fc":
		if !c.has("l") {
			s.dynamic("fc runs older commands again")
		}
	case "exit", "return", "shift", "break", "continue", "ulimit":
		s.subscripts(c) // some shells evaluate the number
		return false
	case "printf":
		for i := range c.args { // so does printf for %d
			if _, index, is := strings.Cut(c.args[i].text, "["); is && (strings.Contains(index, "$(") || strings.Contains(index, "`")) {
				s.subscripts(c)
			}
		}
		if c.has("v") && len(c.args) > 0 && strings.HasPrefix(c.args[0].text, "-v") {
			s.assignsByName(c)
		}
	case "test", "[":
		for _, w := range c.args {
			if w.is("-v", "-eq", "-ne", "-lt", "-le", "-gt", "-ge") {
				s.subscripts(c)
			}
		}
	case "hash", "enable", "shopt", "bind", "complete":
		if len(c.args) > 0 {
			s.relookup = true
			s.dynamic(c.name + " may change what later names mean")
		}
	case "set":
		s.strange("it changes the shell's options")
	default:
		return false
	}
	return true
}

// assignsByName forgets the variables that a builtin's words name.
func (s *scan) assignsByName(c *call) {
	s.strange("it sets variables")
	for _, w := range c.args {
		if w.dyn != "" {
			s.env.forgetAll()
			continue
		}
		name, _, _ := strings.Cut(w.text, "=")
		name, _, _ = strings.Cut(name, "[")
		s.env.forget(name)
		s.env.forget(strings.TrimPrefix(name, "-v"))
	}
	if c.name == "let" || c.name == "mapfile" || c.name == "readarray" {
		s.dynamic(c.name + " evaluates expressions")
	}
	s.subscripts(c)
}

// subscripts notices text that a builtin evaluates as an array subscript,
// which runs the substitutions in it.
func (s *scan) subscripts(c *call) {
	for _, w := range c.args {
		if strings.Contains(w.text, "$(") || strings.Contains(w.text, "`") {
			s.dynamic("a subscript that runs a command")
			s.opaque = true
		}
	}
}

// chdir follows a change of directory lexically.
func (s *scan) chdir(c *call, guarded bool) {
	ops := c.operands()
	e := &s.env
	old := e.dirs
	switch {
	case len(ops) > 1 || c.name == "pushd" && len(ops) == 0:
		e.lost()
		return
	case len(ops) == 0:
		ops = []word{e.get("HOME")}
	case ops[0].is("-"):
		e.dirs, e.old, e.temp = e.old, old, false
		return
	}
	to := ops[0]
	switch {
	case to.temp && !strings.Contains(to.text, ".."):
		e.lost()
		e.temp = true
		return
	case to.dyn != "" || to.glob || c.name == "pushd" && strings.HasPrefix(to.text, "+"):
		e.lost()
		return
	case e.temp && !strings.HasPrefix(to.text, "/") && !strings.Contains(to.text, ".."):
		return
	}
	ts, ok := s.targets(to)
	if !ok {
		e.lost()
		return
	}
	var dirs []string
	missing := false
	for _, t := range ts {
		dirs = union(dirs, []string{t.lexical})
		missing = missing || !t.exists
		if !s.inWorkspace(t) {
			s.outside(t)
			s.strange("it leaves the workspace")
		}
	}
	// A directory that is not there leaves the shell where it was.
	if missing && guarded {
		e.failed = union(e.failed, old)
	} else if missing {
		dirs = union(dirs, old)
	}
	e.dirs, e.old, e.temp = dirs, old, false
}

// trap keeps a handler to be walked at the end, when it may run.
func (s *scan) trap(c *call) {
	s.strange("it sets a trap")
	ops := c.operands()
	if len(ops) < 2 || ops[0].is("-", "") || c.has("lp") {
		return
	}
	if ops[0].dyn != "" {
		s.dynamic("a trap that is not known")
		s.opaque = true
		return
	}
	s.traps = append(s.traps, ops[0].text)
}

// runTraps walks the handlers. One may run at any point, so that only what was
// assigned exactly once is known to it.
func (s *scan) runTraps(line string) {
	if len(s.traps) == 0 {
		return
	}
	file, err := parse(line)
	if err != nil {
		return // it was parsed before
	}
	n, moves := countAssigns(file), changesDir(file)
	for i := 0; i < len(s.traps); i++ {
		if i == maxDepth {
			s.dynamic("traps that set traps")
			s.opaque = true
			return
		}
		for name := range s.env.vars.known {
			if n[name] > 1 {
				s.env.forget(name)
			}
		}
		if moves {
			s.env.lost()
		}
		s.script(s.traps[i], "trap")
	}
}

// aliases checks what an alias would run; a shell that expands it does so
// later, where it cannot be seen.
func (s *scan) aliases(c *call) {
	for _, w := range c.args {
		if _, v, ok := strings.Cut(w.text, "="); ok {
			s.dynamic("an alias changes what later names mean")
			s.relookup = true
			s.subshell(func() { s.script(v, "alias") })
		}
	}
}

// script walks a script given as text, in the current state.
func (s *scan) script(text, via string) {
	if s.depth > maxDepth {
		s.dynamic("scripts nested too deeply to follow")
		s.opaque = true
		return
	}
	file, err := s.parse(text)
	if err != nil || unusual(text) != "" {
		s.dynamic("a script inside the line that cannot be read")
		s.opaque = true
		s.raw(text)
		if err != nil {
			return
		}
	}
	src, outer := s.src, s.via
	s.depth++
	s.src, s.via = text, append(s.via[:len(s.via):len(s.via)], via)
	s.stmts(file.Stmts)
	s.src, s.via = src, outer
	s.depth--
}

// scriptOf joins words to a script and walks it, as eval and ssh do.
func (s *scan) scriptOf(c *call, words []word, via string) {
	for len(words) > 0 && words[0].is("--") {
		words = words[1:]
	}
	for _, w := range words {
		if w.dyn != "" || w.glob {
			s.dynamic(via + " runs text that is not known")
			s.opaque = true
			s.raw(strings.ReplaceAll(strings.Join(texts(words), " "), hole, " "))
			return
		}
	}
	if len(words) > 0 {
		s.strange(via, " runs text as commands")
		s.script(strings.Join(texts(words), " "), via)
	}
}
