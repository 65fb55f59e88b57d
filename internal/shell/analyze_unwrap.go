package shell

import (
	"slices"
	"strings"
)

// A wrapper runs the command that its own words name.
type wrapper struct {
	values   string   // short options that take a value
	longs    []string // long options whose value is the next word
	operands int      // its own words before the command
	assigns  bool     // NAME=value may stand before the command
	dir      string   // long or short option that changes the directory
	shell    bool     // without a command it starts a shell
}

// wrapperOf lists the programs that run what follows them.
func wrapperOf(name string) (wrapper, bool) {
	switch name {
	case "env":
		return wrapper{values: "uCSP", longs: []string{"--unset", "--chdir", "--split-string"}, assigns: true, dir: "C"}, true
	case "nice":
		return wrapper{values: "n", longs: []string{"--adjustment"}}, true
	case "ionice":
		return wrapper{values: "cnpPu", longs: []string{"--class", "--classdata"}}, true
	case "nohup", "setsid", "fakeroot", "unbuffer", "catchsegv", "caffeinate", "linux32", "linux64", "proxychains", "proxychains4", "torsocks":
		return wrapper{}, true
	case "time":
		return wrapper{values: "fo", longs: []string{"--format", "--output"}}, true
	case "timeout", "gtimeout":
		return wrapper{values: "ks", longs: []string{"--kill-after", "--signal"}, operands: 1}, true
	case "stdbuf":
		return wrapper{values: "ioe", longs: []string{"--input", "--output", "--error"}}, true
	case "sudo":
		return wrapper{values: "ugCDRThpcrtU", longs: []string{"--user", "--group", "--chdir", "--chroot", "--host", "--prompt", "--close-from", "--role", "--type", "--other-user", "--command-timeout"}, assigns: true, shell: true}, true
	case "doas":
		return wrapper{values: "uC", shell: true}, true
	case "pkexec":
		return wrapper{longs: []string{"--user"}}, true
	case "command", "builtin", "noglob", "nocorrect":
		return wrapper{}, true
	case "exec":
		return wrapper{values: "a"}, true
	case "chroot":
		return wrapper{operands: 1, shell: true}, true
	case "flock":
		return wrapper{values: "wE", longs: []string{"--timeout", "--conflict-exit-code"}, operands: 1}, true
	case "unshare":
		return wrapper{values: "SGRw", longs: []string{"--setuid", "--setgid", "--root", "--wd"}, shell: true}, true
	case "nsenter":
		return wrapper{values: "tSGrw", longs: []string{"--target", "--setuid", "--setgid"}, shell: true}, true
	case "strace", "ltrace":
		return wrapper{values: "eopsuEaIPSbX", longs: []string{"--trace", "--output", "--attach"}}, true
	case "valgrind", "rlwrap", "setarch", "busybox", "toybox", "bwrap", "firejail", "proot", "systemd-run", "xvfb-run", "dbus-run-session", "numactl":
		return wrapper{values: "pu"}, true
	case "taskset", "chrt":
		return wrapper{operands: 1}, true
	case "prlimit", "cpulimit", "choom":
		return wrapper{values: "plenz"}, true
	case "runuser":
		return wrapper{values: "ugGs", shell: true}, true
	}
	return wrapper{}, false
}

// unwrap follows what a call runs in turn.
func (s *scan) unwrap(c *call) {
	switch {
	case c.traits.has(shellTrait):
		s.shell(c)
		return
	case c.traits.has(languageTrait):
		s.language(c)
		return
	}
	switch c.name {
	case "env":
		if w, ok := c.value("S", "split-string"); ok {
			s.splitString(c, w)
			return
		}
	case "command":
		if c.option("vV") == 0 {
			return
		}
	case "xargs":
		s.xargs(c)
		return
	case "find", "gfind":
		s.find(c)
		return
	case "fd", "fdfind":
		if i := c.option("xX", "exec", "exec-batch"); i >= 0 {
			s.raise(c.name, " runs a command on what it finds")
			if i+1 < len(c.args) {
				s.inside(c, withInput(c.args[i+1:], "a file that "+c.name+" finds"))
			}
		}
		return
	case "su", "script", "runuser":
		if c.name == "script" {
			s.out.Writes = true // what it records
		}
		if w, ok := c.value("c", "command", "session-command"); ok {
			s.scriptOf(c, []word{w}, c.name+" -c")
			return
		}
		if ops := c.rest(); c.name == "script" && len(ops) > 1 {
			s.inside(c, ops[1:]) // as BSD has it: the file, then the command
		}
		if c.name != "runuser" {
			return
		}
	case "flock":
		if w, ok := c.value("c", "command"); ok {
			s.scriptOf(c, []word{w}, "flock -c")
			return
		}
	case "watch":
		s.raise("watch runs a command again and again")
		s.scriptOf(c, c.rest("-n", "--interval"), "watch")
		return
	case "nix-shell", "nix":
		if w, ok := c.value("", "run", "command"); ok {
			s.scriptOf(c, []word{w}, c.name)
		}
		for i, a := range c.args {
			if a.is("-c", "--command") && c.name == "nix" {
				s.inside(c, c.args[i+1:])
				return
			}
		}
		s.launched(c)
		return
	case "ssh":
		s.ssh(c)
		return
	case "parallel", "entr", "watchexec", "nodemon":
		s.raise(c.name, " runs a command for each of its inputs")
		s.dynamic(c.name + " fills in what it runs")
		words := c.rest("-j", "--jobs", "-P", "-n", "-S", "-w", "-e", "-x", "--exec")
		for i, w := range words {
			if w.is(":::", "::::", ":::+") {
				if i == 0 { // the inputs are the commands
					for _, input := range words[1:] {
						s.subshell(func() { s.scriptOf(c, []word{input}, c.name) })
					}
				}
				words = words[:i]
				break
			}
		}
		if w, ok := c.value("x", "exec"); ok && c.name != "parallel" {
			s.subshell(func() { s.scriptOf(c, []word{w}, c.name) })
		}
		s.scriptOf(c, words, c.name)
		return
	case "git":
		s.gitInner(c)
		return
	case "docker", "podman", "nerdctl", "kubectl", "oc", "docker-compose":
		s.container(c)
		return
	case "make", "gmake":
		for _, w := range c.operands() {
			if v, is := strings.CutPrefix(w.text, "SHELL="); is {
				s.raise("make is told which shell to use")
				s.subshell(func() { s.scriptOf(c, []word{{text: v, dyn: w.dyn}}, "make SHELL=") })
			}
		}
	}
	s.execOptions(c)
	s.launched(c)
	s.mayStart(c)
	if w, ok := wrapperOf(c.name); ok {
		s.wrapped(c, w)
	}
}

// wrapped finds the command after a wrapper's own words.
func (s *scan) wrapped(c *call, w wrapper) {
	s.strange(c.name, " runs another command")
	args, operands := c.args, w.operands
	var dir word
	for len(args) > 0 {
		a := args[0]
		switch {
		case a.is("--"):
			args = args[1:]
			s.launch(c, args, operands, w, dir)
			return
		case a.is("-") && c.name == "env": // as -i
			args = args[1:]
		case a.flag():
			rest := args[1:]
			// getopt_long takes the beginning of a long option for it.
			takes := len(a.text) > 2 && slices.ContainsFunc(w.longs, func(long string) bool { return strings.HasPrefix(long, a.text) })
			if !strings.HasPrefix(a.text, "--") {
				if k := strings.IndexAny(a.text[1:], w.values); k >= 0 && w.values != "" {
					takes = k == len(a.text)-2
				}
			}
			if oneOf(c.name, "time", "strace", "ltrace", "valgrind") && optionIs(a.text, "o", "output", "log-file", "xml-file") {
				s.out.Writes = true // whichever file
			}
			if to, is := w.dirOf(args); is {
				dir = to
			}
			if takes && len(rest) > 0 {
				rest = rest[1:]
			}
			args = rest
		default:
			s.launch(c, args, operands, w, dir)
			return
		}
	}
	s.launch(c, nil, operands, w, dir)
}

// dirOf returns the directory that the first of a wrapper's options changes to.
// One whose name cannot be told is dynamic.
func (w wrapper) dirOf(args []word) (word, bool) {
	a := args[0]
	if !optionIs(a.text, w.dir, "chdir", "wd", "working-directory") || oneOf(a.text, "--w", "--c") {
		return word{}, false
	}
	v, has := "", false
	if strings.HasPrefix(a.text, "--") {
		_, v, has = strings.Cut(a.text, "=")
	} else if i := cluster(a.text, w.dir); i < len(a.text) {
		v, has = a.text[i:], true
	}
	switch {
	case has:
		a.text = v
		return a, true
	case len(args) > 1:
		return args[1], true
	}
	return unknown("", "the directory is missing"), true
}

// launch skips a wrapper's operands and assignments and visits the command.
func (s *scan) launch(c *call, args []word, operands int, w wrapper, dir word) {
	if c.name == "flock" && len(args) > 0 {
		s.written("locks", args[0], true)
	}
	for ; operands > 0 && len(args) > 0; operands-- {
		args = args[1:]
	}
	if oneOf(c.name, "setarch", "xvfb-run", "numactl", "firejail") {
		for len(args) > 0 && (args[0].flag() || strings.HasPrefix(args[0].text, "linux")) {
			args = args[1:]
		}
	}
	var assigns []string
	for w.assigns && len(args) > 0 && strings.Contains(args[0].text, "=") && !strings.HasPrefix(args[0].text, "=") {
		name, value, _ := strings.Cut(args[0].text, "=")
		if !inertVar(name) {
			s.atLeastLow("it sets ", name)
		}
		if loaderVar(name) && (args[0].dyn != "" || !plainVar(name, value)) {
			s.raise("it sets ", name, ", which decides what programs load")
		}
		assigns = append(assigns, args[0].text)
		args = args[1:]
	}
	if len(args) == 0 {
		if w.shell {
			s.shellInput(c)
		}
		return
	}
	saved := s.env.dirs
	if dir.text != "" {
		ts, ok := s.targets(dir)
		if s.env.dirs = nil; ok && dir.known() {
			for _, t := range ts {
				s.env.dirs = append(s.env.dirs, t.lexical)
				s.outside(t)
			}
		}
	}
	c.hidden = true
	in := c.inner(args)
	in.assigns, in.redirs = append(c.assigns[:len(c.assigns):len(c.assigns)], assigns...), c.redirs
	s.visit(in, false)
	if dir.text != "" {
		s.env.dirs = saved
	}
}

// inside visits a command that c runs beside its own work.
func (s *scan) inside(c *call, words []word) {
	if len(words) == 0 {
		return
	}
	s.subshell(func() { s.visit(c.inner(words), false) })
}

func withInput(words []word, what string) []word {
	out := make([]word, len(words))
	for i, w := range words {
		if strings.Contains(w.text, "{}") {
			w.text = strings.ReplaceAll(w.text, "{}", hole)
			w.dyn = what
		}
		out[i] = w
	}
	return out
}

// splitString follows env -S, whose value holds a whole command line.
func (s *scan) splitString(c *call, w word) {
	if w.dyn != "" || strings.ContainsAny(w.text, "\\$'\"#") {
		s.dynamic("env -S splits text that is not plain")
		s.opaque = true
	}
	words := []word{lit("env")}
	for _, f := range strings.Fields(w.text) {
		words = append(words, lit(f))
	}
	at := c.option("S", "split-string")
	skip := at + 1
	if !strings.Contains(c.args[at].text, "=") && strings.HasSuffix(c.args[at].text, "S") || c.args[at].text == "--split-string" {
		skip++
	}
	words = append(words, c.args[min(skip, len(c.args)):]...)
	s.inside(c, words)
}

// xargs appends words from its input to the command it names.
func (s *scan) xargs(c *call) {
	s.raise("xargs runs a command on what it reads")
	s.strange("xargs runs another command")
	args := c.args
	replace := ""
	for len(args) > 0 && args[0].flag() {
		a := args[0].text
		args = args[1:]
		if a == "--" {
			break
		}
		switch {
		case strings.HasPrefix(a, "-I"), a == "-J", a == "-R":
			if replace = a[2:]; replace == "" && len(args) > 0 {
				replace, args = args[0].text, args[1:]
			}
		case a == "-i" || a == "--replace":
			replace = "{}"
		case strings.HasPrefix(a, "--replace="):
			replace = a[len("--replace="):]
		case oneOf(a, "--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines", "--eof", "--process-slot-var"):
			args = args[min(1, len(args)):]
		case !strings.HasPrefix(a, "--") && strings.ContainsAny(a[len(a)-1:], "adEnLPs"):
			args = args[min(1, len(args)):]
		}
	}
	if len(args) == 0 {
		return
	}
	words := append([]word(nil), args...)
	if replace == "" && c.stdin.kind == textInput && !strings.ContainsAny(c.stdin.text, "'\"\\") {
		for _, f := range strings.Fields(c.stdin.text) {
			words = append(words, word{text: f, src: f, expanded: true})
		}
		s.inside(c, words)
		return
	}
	const what = "words that xargs reads from its input"
	if replace == "" {
		words = append(words, unknown("(input)", what))
	}
	for i, w := range words {
		if replace != "" && strings.Contains(w.text, replace) {
			words[i].text, words[i].dyn = strings.ReplaceAll(w.text, replace, hole), what
		}
	}
	s.inside(c, words)
}

// find follows -exec and its kin.
func (s *scan) find(c *call) {
	for i := 0; i < len(c.args); i++ {
		if !c.args[i].is("-exec", "-execdir", "-ok", "-okdir") {
			continue
		}
		s.raise("find runs a command on what it finds")
		j := i + 1
		for j < len(c.args) && !c.args[j].is(";", "+") {
			j++
		}
		s.inside(c, withInput(c.args[i+1:j], "a file that find finds"))
		i = j
	}
}
