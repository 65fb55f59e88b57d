package shell

import (
	"strconv"
	"strings"
)

// shell follows an interpreter of scripts: -c, its input, or a file.
func (s *scan) shell(c *call) {
	s.strange(c.name, " runs a script")
	w, inline := c.shellScript()
	switch {
	case inline:
		s.nestedScript(c, w)
	case w.text == "" || w.is("-", "/dev/stdin"):
		s.shellInput(c)
	case w.dyn != "":
		s.dynamic(c.name + " runs a script that is not known")
		s.opaque = true
	default:
		s.raise(c.name, " runs a script file")
		s.runsFile(c, w.text)
	}
}

// shellScript returns a shell's -c script, or else its first operand, which is
// empty when it reads its input.
func (c *call) shellScript() (script word, inline bool) {
	stdin := false
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		signed := len(a.text) > 1 && (a.text[0] == '-' || a.text[0] == '+')
		switch {
		case a.is("-o", "+o", "-O", "+O", "--rcfile", "--init-file"):
			i++
		case strings.HasPrefix(a.text, "--command="):
			return word{text: a.text[len("--command="):], dyn: a.dyn}, true
		case a.is("--command", "-Command", "-EncodedCommand"):
			inline = true
		case a.is("--"):
		case signed && !strings.HasPrefix(a.text, "--"):
			inline = inline || a.text[0] == '-' && strings.Contains(a.text, "c")
			stdin = stdin || strings.Contains(a.text, "s")
			if strings.HasSuffix(a.text, "o") && len(a.text) > 2 {
				i++
			}
		case signed:
		case stdin && !inline:
			return word{}, false
		default:
			return a, inline
		}
	}
	return word{}, inline
}

func (s *scan) nestedScript(c *call, w word) {
	if w.dyn != "" {
		s.dynamic(c.name + " -c runs text that is not known")
		s.opaque = true
		s.raw(strings.ReplaceAll(w.text, hole, " "))
		return
	}
	if oneOf(c.name, "pwsh", "powershell") {
		s.dynamic("PowerShell is not read")
		s.opaque = true
		return
	}
	saved := s.env.clone()
	stdin := s.stdin
	s.subshell(func() { s.script(w.text, c.name+" -c") })
	s.stdin = stdin
	s.env = saved
}

// shellInput follows a shell that reads its script from standard input.
func (s *scan) shellInput(c *call) {
	switch c.stdin.kind {
	case textInput:
		s.subshell(func() {
			s.stdin = input{}
			s.script(c.stdin.text, c.name)
		})
	case fileInput:
		s.raise(c.name, " runs a script file")
	default:
		if len(c.args) == 1 && c.args[0].is("--version", "--help") {
			return
		}
		s.dynamic(c.name + " runs what it reads from its input")
		s.opaque = true
	}
}

// language notices programs in languages that are not read here.
func (s *scan) language(c *call) {
	ops := c.operands()
	switch {
	case len(c.args) == 1 && c.args[0].is("--version", "-V", "-v", "version", "--help"):
	case c.inline() != "":
		s.raise(c.name, " runs code from the command line")
	case c.tool():
	case len(ops) == 0 || ops[0].is("-", "/dev/stdin"):
		s.dynamic(c.name + " runs a program from its input, in a language that is not read here")
	default:
		s.raise(c.name, " runs a program")
	}
}

// tool reports a language used as one of its well-known tools, whose names are
// as telling as those of other programs.
func (c *call) tool() bool {
	switch strings.TrimRight(c.name, "0123456789.") {
	case "python":
		return len(c.args) > 1 && c.args[0].is("-m") && c.args[1].is("pytest", "unittest", "mypy", "black", "ruff", "flake8", "pylint", "isort", "pyright", "compileall", "tox", "nox", "coverage", "build", "venv")
	case "bun", "deno":
		return len(c.args) > 0 && c.args[0].is("test", "lint", "fmt", "check", "build", "typecheck") || c.name == "bun" && len(c.args) > 1 && c.args[0].is("run") && plainName(c.args[1].text) && !strings.Contains(c.args[1].text, ".")
	case "node", "nodejs":
		return len(c.args) > 0 && c.args[0].is("--test")
	}
	return false
}

// An inliner is how a language is given code on its command line: by these
// letters, or long options. Behind one of the valued letters stands its value.
type inliner struct {
	letters, valued string
	longs           []string
	next            []string // options that take the next word
}

func inlinerOf(name string) inliner {
	switch strings.TrimRight(name, "0123456789.") {
	case "python", "pypy", "ipython":
		return inliner{letters: "c", valued: "WXQ", next: []string{"-W", "-X"}}
	case "php":
		return inliner{letters: "rBRE", valued: "dcztSF", longs: []string{"run", "process-begin", "process-code", "process-end"}, next: []string{"-d", "-c", "-z", "-t", "-S", "-F"}}
	case "node", "nodejs", "bun", "deno", "tsx":
		return inliner{letters: "ep", longs: []string{"eval", "print"}, next: []string{"-r", "--require"}}
	case "perl":
		return inliner{letters: "eE", valued: "IMmF", next: []string{"-I"}}
	case "ruby":
		return inliner{letters: "e", valued: "IrCEFKW", next: []string{"-I", "-r"}}
	}
	return inliner{letters: "e", next: []string{"-W", "-X", "-I", "-r", "--require"}}
}

// inline returns the code that a language is given on its command line.
func (c *call) inline() string {
	in := inlinerOf(c.name)
	group := call{valued: in.valued}
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		switch {
		case a.is("eval") && c.name == "deno":
			return c.from(i)
		case a.text == "--" || !a.flag() || a.is("-m") && in.letters == "c":
			return ""
		case a.is(in.next...):
			i++
		case a.text[1] == '-':
			if long, _, _ := strings.Cut(a.text[2:], "="); oneOf(long, in.longs...) {
				return c.from(i)
			}
		case group.is(a.text, in.letters):
			return c.from(i)
		}
	}
	return ""
}

// from is an argument and the one after it.
func (c *call) from(i int) string {
	if i+1 < len(c.args) {
		return c.args[i].text + " " + c.args[i+1].text
	}
	return c.args[i].text
}

// ssh follows the command that runs on another machine.
func (s *scan) ssh(c *call) {
	s.execOptions(c)
	ops := c.args
	const valued = "BbcDEeFIiJLlmOoPpQRSWw"
	for len(ops) > 0 && ops[0].flag() {
		k := strings.IndexAny(ops[0].text[1:], valued)
		last := k == len(ops[0].text)-2
		ops = ops[1:]
		if k >= 0 && last && len(ops) > 0 {
			ops = ops[1:]
		}
	}
	if len(ops) < 2 {
		return
	}
	s.elsewhere(func() { s.scriptOf(c, ops[1:], "ssh") })
}

// elsewhere walks what runs where paths mean something else.
func (s *scan) elsewhere(f func()) {
	s.subshell(func() {
		s.env.remote = true
		s.env.lost()
		f()
	})
	s.env.remote = false
}

// container follows commands that run inside a container.
func (s *scan) container(c *call) {
	for i, a := range c.args {
		if !a.is("exec", "run") {
			continue
		}
		rest := c.args[i+1:]
		for j, w := range rest {
			if isShell(base(w.text)) || w.is("rm", "sudo") || j > 0 && rest[j-1].is("--") {
				s.elsewhere(func() { s.inside(c, rest[j:]) })
				return
			}
		}
	}
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}
