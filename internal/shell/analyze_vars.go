package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// inertVars may be set for a command without changing what it runs or reads.
func inertVar(name string) bool {
	return oneOf(name, "LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "TERM", "TZ", "COLUMNS", "LINES") || strings.HasPrefix(name, "LC_")
}

// plainVar reports variables whose names look like those of loaders and that
// load nothing, with this value.
func plainVar(name, value string) bool {
	for _, p := range []string{"CARGO_TERM_", "GIT_AUTHOR_", "GIT_COMMITTER_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	if oneOf(name, "PAGER", "MANPAGER", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "BAT_PAGER", "SYSTEMD_PAGER") {
		return oneOf(value, "", "cat", "true", ":")
	}
	return oneOf(name, "NODE_ENV", "NODE_NO_WARNINGS", "NODE_DEBUG", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONFAULTHANDLER", "CARGO_INCREMENTAL", "CARGO_NET_OFFLINE",
		"GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_MERGE_AUTOEDIT", "GIT_LITERAL_PATHSPECS", "DOCKER_BUILDKIT", "npm_config_yes", "npm_config_loglevel", "npm_config_offline")
}

// loaderVar reports variables that decide which program or code is loaded.
func loaderVar(name string) bool {
	for _, p := range []string{"LD_", "DYLD_", "GIT_", "BASH_", "NODE_", "PYTHON", "PERL5", "RUBY", "JAVA_", "npm_config_", "NPM_CONFIG_", "CARGO_", "RUSTC", "DOCKER_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	for _, p := range []string{"_PAGER", "_EDITOR", "_COMMAND", "_CMD", "_ASKPASS", "_OPTS", "_OPTIONS", "_ADDOPTS", "_LIBRARY_PATH", "_LAUNCHER", "_WRAPPER", "_RSH", "_PLUGINS"} {
		if strings.HasSuffix(name, p) {
			return true
		}
	}
	if upper := strings.ToUpper(name); strings.HasSuffix(upper, "_PROXY") {
		return upper != "NO_PROXY" // what is sent goes elsewhere
	}
	return oneOf(name, "GCONV_PATH", "LOCPATH", "NLSPATH", "TERMINFO", "TERMINFO_DIRS", "TERMCAP", "LESS", "LESSKEY", "LESSKEYIN", "BROWSER", "MAKEFILES", "GZIP", "ZIPOPT", "UNZIP", "AWKPATH", "AWKLIBPATH", "BAT_CONFIG_PATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "GNUPGHOME", "PHPRC",
		"LUA_INIT", "R_PROFILE", "BUNDLE_GEMFILE", "COMPILER_PATH", "GCC_EXEC_PREFIX", "SSL_CERT_FILE", "SSL_CERT_DIR", "TMPDIR",
		"PATH", "IFS", "ENV", "SHELL", "HOME", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "PROMPT_COMMAND", "PS4",
		"GOFLAGS", "GOROOT", "GOPROXY", "CC", "CXX", "CDPATH", "ZDOTDIR", "SHELLOPTS", "BASHOPTS", "MAKEFLAGS", "RIPGREP_CONFIG_PATH", "XDG_CONFIG_HOME",
		"ZUNO_HOME", "PKG_CONFIG", "CLASSPATH", "TAR_OPTIONS", "RSYNC_RSH", "GREP_OPTIONS", "GOENV", "GOTOOLCHAIN", "HTTP_PROXY", "HTTPS_PROXY")
}

// assign evaluates one assignment and returns its value. persists says that it
// outlives the command.
func (s *scan) assign(a *syntax.Assign, persists bool) word {
	if a.Index != nil {
		s.findSubsts(a.Index)
		s.dynamic("an array assignment")
	}
	if a.Array != nil {
		s.findSubsts(a.Array)
		s.strange("it assigns an array")
	}
	if a.Name == nil {
		return word{}
	}
	name := a.Name.Value
	value := s.single(a.Value)
	if !isName(name) { // the parser takes more for a name than a shell does
		s.dynamic("a word that shells may run as a program")
		s.opaque = true
	}
	switch {
	case inertVar(name) && value.plain():
	case loaderVar(name) && (value.dyn != "" || !plainVar(name, value.text)):
		s.raise("it sets ", name, ", which decides what programs load")
		s.strange("it sets ", name)
	default:
		s.atLeastLow("it sets ", name)
		s.strange("it sets ", name)
	}
	if persists {
		s.setVar(name, value, a)
	}
	return value
}

// isName reports the name of a variable.
func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// assigned is an assignment and its value as NAME=value.
func assigned(a *syntax.Assign, value word) string {
	if a.Name == nil {
		return ""
	}
	if value.dyn != "" {
		return a.Name.Value + "=" + value.src
	}
	return a.Name.Value + "=" + value.text
}

func (s *scan) setVar(name string, value word, a *syntax.Assign) {
	if name == "PATH" || name == "IFS" || strings.HasPrefix(name, "BASH_") {
		s.relookup = true
		s.splits = s.splits || name == "IFS"
	}
	switch {
	case s.volatile[name], a.Append, a.Index != nil, a.Array != nil, name == "PWD", name == "OLDPWD", name == "CDPATH":
		s.env.forget(name)
	case value.dyn != "" && !value.temp:
		s.env.forget(name)
	default:
		s.env.forget(name)
		s.env.set(name, value)
	}
}

// declare walks export, local, readonly, declare and their kin.
func (s *scan) declare(c *syntax.DeclClause, st *syntax.Stmt, redirs []redirect) {
	s.strange("it declares variables")
	w := []word{lit(c.Variant.Value)}
	for _, a := range c.Args {
		if a.Naked || a.Name == nil {
			if a.Value != nil {
				w = s.expand(w, a.Value)
			} else if a.Name != nil {
				w = append(w, lit(a.Name.Value))
			}
			continue
		}
		w = append(w, lit(assigned(a, s.assign(a, true))))
	}
	if c.Variant.Value == "readonly" || len(w) > 1 && w[1].flag() && !w[1].is("-x", "-g", "-gx") {
		for _, a := range c.Args { // a later assignment fails or is changed
			if a.Name != nil {
				s.volatile[a.Name.Value] = true
			}
		}
	}
	for _, x := range w[1:] {
		if x.flag() && strings.Contains(x.text, "n") || x.dyn != "" {
			s.lose("a reference to another variable")
		}
		if x.flag() && strings.Contains(x.text, "i") {
			s.dynamic("a number, whose value is evaluated")
			s.opaque = true
		}
		if strings.Contains(x.text, "$(") || strings.Contains(x.text, "`") {
			s.dynamic("a subscript that runs a command")
		}
	}
	c2 := s.call(w, s.source(st), redirs)
	c2.hidden = len(w) == 1 || !oneOf(w[0].text, "export", "declare", "typeset") // nothing but bookkeeping
	s.calls = append(s.calls, c2)
}

// lose forgets every variable and the directory: something ran that may have
// changed them.
func (s *scan) lose(why string) {
	s.dynamic(why)
	s.env.forgetAll()
	s.env.lost()
}

// forgetAssigned forgets every variable that a piece of script may assign.
func (s *scan) forgetAssigned(n syntax.Node) {
	for name := range countAssigns(n) {
		s.env.forget(name)
	}
}

// countAssigns counts the assignments to each variable in a piece of script,
// whatever form they take.
func countAssigns(n syntax.Node) map[string]int {
	out := map[string]int{}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				out[n.Name.Value]++
			}
		case *syntax.WordIter:
			out[n.Name.Value]++
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && w.Lit() != "" {
				out[w.Lit()]++
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
				out[w.Lit()]++
			}
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				out[n.Param.Value]++
			}
		case *syntax.CallExpr:
			countCall(n, out)
		case *syntax.Redirect:
			if n.N != nil && strings.HasPrefix(n.N.Value, "{") {
				out[strings.Trim(n.N.Value, "{}")]++
			}
		}
		return true
	})
	return out
}

// countCall counts what builtins assign by name.
func countCall(c *syntax.CallExpr, out map[string]int) {
	for i, w := range c.Args {
		if i > 0 && i < 64 && setsByName(c.Args[0].Lit()) {
			name, _, _ := strings.Cut(w.Lit(), "=")
			out[name]++
		}
	}
}

// setsByName reports builtins that change the variables their words name.
func setsByName(program string) bool {
	return oneOf(program, "read", "printf", "mapfile", "readarray", "getopts", "unset", "let", "wait", "command", "builtin",
		"export", "local", "readonly", "declare", "typeset")
}

// findSubsts walks the command substitutions below a node that is otherwise
// not evaluated.
func (s *scan) findSubsts(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			s.dynamic("a command substitution")
			s.nested(n.Stmts)
			return false
		case *syntax.ProcSubst:
			s.dynamic("a process substitution")
			s.nested(n.Stmts)
			return false
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				s.env.forget(n.Param.Value)
			}
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && w.Lit() != "" {
				s.env.forget(w.Lit())
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
				s.env.forget(w.Lit())
			}
		}
		return true
	})
}
