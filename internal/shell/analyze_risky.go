package shell

import (
	"slices"
	"strings"
	"sync"
)

// A danger is an option that makes a program run another one, or write.
type danger struct {
	letters string
	longs   []string
	single  []string // long options that are written with one dash
	runs    bool     // its value is a command
	what    string
}

// dangerRows lists them by program. A key never covers a line with one, and no
// model's verdict lowers it.
var dangerRows = []struct {
	programs string
	dangers  []danger
}{
	{"sort", []danger{
		{letters: "o", longs: []string{"output"}, what: "writes a file"},
		{longs: []string{"compress-program"}, runs: true, what: "runs a program"},
		{letters: "T", longs: []string{"temporary-directory", "files0-from"}, what: "uses other files"},
	}},
	{"shuf", []danger{{letters: "o", longs: []string{"output"}, what: "writes a file"}}},
	{"rg", []danger{
		{longs: []string{"pre"}, runs: true, what: "runs a program"},
		{longs: []string{"hostname-bin"}, runs: true, what: "runs a program"},
		{letters: "z", longs: []string{"search-zip"}, what: "runs decompressors"},
	}},
	{"tree", []danger{{letters: "o", what: "writes a file"}, {letters: "R", what: "writes files"}}},
	{"file", []danger{{letters: "C", longs: []string{"compile"}, what: "writes a file"}, {letters: "mf", longs: []string{"magic-file", "files-from"}, what: "reads other files"}}},
	{"diff", []danger{{letters: "l", longs: []string{"paginate"}, what: "runs a program"}}},
	{"date", []danger{{letters: "s", longs: []string{"set"}, what: "sets the clock"}}},
	{"base64 base32 basenc sdiff", []danger{{letters: "o", longs: []string{"output"}, what: "writes a file"}}},
	{"yq", []danger{{letters: "is", longs: []string{"inplace", "in-place", "split-exp"}, what: "writes files"}}},
	{"xxd", []danger{{letters: "r", longs: []string{"revert"}, what: "writes a file"}}},
	{"find gfind", []danger{
		{single: []string{"exec", "execdir", "ok", "okdir"}, what: "runs a command"},
		{single: []string{"delete"}, what: "removes files"},
		{single: []string{"fprint", "fprintf", "fprint0", "fls", "files0-from"}, what: "writes a file"},
	}},
	{"fd fdfind", []danger{{letters: "xX", longs: []string{"exec", "exec-batch"}, what: "runs a command"}}},
	{"tar gtar bsdtar", []danger{
		{longs: []string{"to-command"}, runs: true, what: "runs a program"},
		{letters: "I", longs: []string{"use-compress-program"}, runs: true, what: "runs a program"},
		{longs: []string{"rsh-command", "rmt-command"}, runs: true, what: "runs a program"},
		{letters: "F", longs: []string{"info-script", "new-volume-script"}, runs: true, what: "runs a program"},
		{longs: []string{"checkpoint-action"}, runs: true, what: "runs a program"},
	}},
	{"rsync", []danger{{letters: "e", longs: []string{"rsh"}, runs: true, what: "runs a program"}, {longs: []string{"rsync-path"}, runs: true, what: "runs a program"}}},
	{"ssh", []danger{{letters: "oF", what: "sets options that run programs"}, {letters: "S", what: "uses another connection"}}},
	{"scp sftp", []danger{{letters: "oF", what: "sets options that run programs"}, {letters: "S", runs: true, what: "runs a program"}}},
	{"mosh", []danger{{longs: []string{"ssh", "server", "client"}, runs: true, what: "runs a program"}}},
	{"swift kotlin ghc", []danger{{letters: "e", what: "runs code from the command line"}}},
	{"tcc", []danger{{single: []string{"run"}, what: "runs a program"}}},
	{"man", []danger{
		{letters: "P", longs: []string{"pager"}, runs: true, what: "runs a program"},
		{letters: "HX", longs: []string{"html", "preprocessor"}, what: "runs a program"},
		{letters: "C", longs: []string{"config-file"}, what: "reads other settings"},
	}},
	{"go", []danger{
		{single: []string{"exec"}, runs: true, what: "runs a program"},
		{single: []string{"toolexec"}, runs: true, what: "runs a program"},
		{single: []string{"vettool", "ldflags", "gcflags", "asmflags", "gccgoflags", "overlay", "modfile", "C", "pgo", "pkgdir", "fuzz", "installsuffix", "compiler"}, what: "changes what runs"},
		{single: []string{"o", "c", "w", "u", "outputdir", "coverprofile", "cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace", "fix", "artifacts", "testlogfile", "gocoverdir", "modcacherw"}, what: "writes a file"},
	}},
	{"gofmt goimports gofumpt", []danger{{letters: "w", what: "writes files"}, {single: []string{"cpuprofile"}, what: "writes a file"}}},
	{"cargo", []danger{{letters: "ZC", longs: []string{"config", "manifest-path", "target-dir"}, what: "changes what runs"}}},
	{"npm pnpm yarn bun", []danger{{longs: []string{"script-shell", "prefix", "node-options", "cwd", "dir", "userconfig", "globalconfig", "shell", "config"}, what: "changes what runs"}, {letters: "C", what: "works elsewhere"}}},
	{"make gmake", []danger{{letters: "fCIE", longs: []string{"file", "makefile", "directory", "include-dir", "eval"}, what: "changes what runs"}}},
	{"curl", []danger{{letters: "oOKTJ", longs: []string{"output", "remote-name", "config", "upload-file", "remote-header-name", "dump-header", "cookie-jar", "trace", "etag-save"}, what: "reads or writes files"}}},
	{"wget", []danger{{letters: "Oe", longs: []string{"output-document", "execute", "use-askpass", "post-file", "input-file", "config"}, what: "reads or writes files"}}},
	{"jq", []danger{{letters: "fL", longs: []string{"from-file"}, what: "reads a program from a file"}}},
	{"less more most", []danger{{letters: "oOk", longs: []string{"log-file", "lesskey-file"}, what: "writes a file"}}},
	{"zip 7z", []danger{{single: []string{"TT"}, longs: []string{"unzip-command"}, runs: true, what: "runs a program"}, {letters: "T", longs: []string{"test"}, what: "runs a program"}}},
	{"ag ack bat batcat delta", []danger{{longs: []string{"pager"}, runs: true, what: "runs a program"}}},
	{"vim vi nvim emacs ex nano ed view", []danger{{letters: "cSuE", longs: []string{"cmd", "eval", "load"}, what: "runs a program"}}},
	{"gcc g++ cc c++ clang clang++", []danger{{letters: "oB", single: []string{"wrapper", "fplugin", "specs"}, what: "runs a program or writes a file"}}},
	{"javac", []danger{{single: []string{"processor", "processorpath", "-processor-path", "-processor-module-path"}, what: "runs a program"}}},
	{"tcpdump", []danger{{letters: "zwF", what: "runs a program or writes a file"}}},
	{"gdb lldb", []danger{{letters: "xeo", single: []string{"ex", "eval-command", "command"}, longs: []string{"ex", "command", "one-line"}, what: "runs commands"}}},
	{"ctags pytest prettier eslint tsc jest vitest mocha webpack vite", []danger{
		{letters: "c", longs: []string{"options", "config", "rootdir", "plugin", "require", "rulesdir", "resolve-plugins-relative-to", "output-file", "outfile", "outdir", "write", "fix", "project"}, what: "changes what runs or writes files"},
		{letters: "op", what: "changes what runs or writes files"},
	}},
}

// dangerIndex is dangerRows by program.
var dangerIndex = sync.OnceValue(func() map[string][]danger {
	out := map[string][]danger{}
	for _, row := range dangerRows {
		for _, p := range strings.Fields(row.programs) {
			out[p] = row.dangers
		}
	}
	return out
})

// dangers returns the dangerous options of the program.
func (c *call) dangers() []danger {
	if !c.traits.has(dangerTrait) {
		return nil
	}
	return dangerIndex()[c.name]
}

// A risk is a dangerous option of a call and its value.
type risk struct {
	option string
	value  word
}

// dangerous returns the dangerous options of a call. One may stand before
// another that it could be an abbreviation of.
func (c *call) dangerous(d danger) (out []risk) {
	for i, a := range c.args {
		if a.text == "--" {
			break
		}
		if !a.flag() {
			continue
		}
		name, v, has := strings.Cut(strings.TrimLeft(a.text, "-"), "=")
		hit := c.is(a.text, d.letters, d.longs...) || len(d.single) > 0 && oneOf(name, d.single...)
		if len(d.longs) > 0 && strings.HasPrefix(a.text, "--no-") && !oneOf(name, d.longs...) {
			hit = false
		}
		if !hit {
			continue
		}
		r := risk{option: a.text}
		if k := strings.IndexAny(c.letters(a.text)[1:], d.letters); !has && a.text[1] != '-' && k >= 0 && d.letters != "" && k+2 < len(a.text) {
			r.value = word{text: a.text[k+2:], dyn: a.dyn}
		} else if has {
			r.value = word{text: v, dyn: a.dyn}
		} else if i+1 < len(c.args) {
			r.value = c.args[i+1]
		}
		out = append(out, r)
	}
	return out
}

// risky says which option of a call makes it more than its name says.
func (s *scan) risky(c *call) string {
	for _, d := range c.dangers() {
		if found := c.dangerous(d); len(found) > 0 {
			return c.name + " " + clip(found[0].option, 40) + " " + d.what
		}
	}
	if opt := c.programOption(); opt != "" {
		return c.name + " " + clip(opt, 40) + " names a program to run"
	}
	switch {
	case c.ends():
		return c.name + " ends processes"
	case isEditor(c.name):
		return c.name + " is an editor, which may run a program or write a file"
	case oneOf(c.name, "less", "more", "most") && slices.ContainsFunc(c.args, func(w word) bool { return strings.HasPrefix(w.text, "+") }):
		return c.name + " runs a command of its own at the start"
	case oneOf(c.name, "hostname", "domainname") && (len(c.operands()) > 0 || c.has("Fb", "file", "boot")):
		return c.name + " changes the name of the machine"
	}
	switch c.name {
	case "date":
		for _, w := range c.dateOperands() {
			if !strings.HasPrefix(w.text, "+") {
				return "date sets the clock"
			}
		}
	case "java":
		if len(c.operands()) > 0 {
			return "java runs a program"
		}
	case "awk", "gawk", "mawk", "nawk":
		if !awkReads(c) {
			return c.name + " may run a program or write a file"
		}
	case "sed", "gsed":
		if c.has("ifI", "in-place", "file") || !sedReads(c) {
			return c.name + " may run a program or write a file"
		}
	case "xargs", "parallel", "watch", "entr":
		return c.name + " runs another command"
	}
	return ""
}

// dateOperands are the formats and the times that date is given.
func (c *call) dateOperands() []word {
	return c.operands("-d", "--date", "-f", "--file", "-r", "--reference", "-s", "--set", "-v")
}

// ends reports a call that ends processes which it did not start.
func (c *call) ends() bool {
	switch c.name {
	case "kill":
		for _, a := range c.args {
			if a.is("-l", "-L", "-0", "--list", "--table") || strings.HasPrefix(a.text, "%") {
				return false
			}
		}
		return len(c.args) > 0
	case "skill", "snice", "xkill", "taskkill", "tskill":
		return true
	case "fuser":
		return c.has("k", "kill")
	case "ss":
		return c.has("K", "kill")
	}
	return false
}

// programOption returns the first option of a call whose name says that its
// value is a program or a command line, for any program but those of which all
// such options are known.
func (c *call) programOption() string {
	if c.name == "git" || c.traits.has(readerTrait|shellTrait) {
		return ""
	}
	for i := range c.args {
		w := &c.args[i]
		if w.text == "--" {
			return ""
		}
		if !w.flag() {
			continue
		}
		_, value, has := strings.Cut(w.text, "=")
		if !has && i+1 < len(c.args) {
			value = c.args[i+1].text
		}
		if namesProgram(w.text, value) {
			return w.text
		}
	}
	return ""
}

// namesProgram reports an option that has a program by its name; some of them
// often have a plain word instead, which is then one of what the program knows.
func namesProgram(option, value string) bool {
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(option, "-")), "=")
	if len(name) < 3 || strings.HasPrefix(name, "no-") {
		return false
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' }) {
		switch {
		case oneOf(part, "pager", "exec", "execute", "command", "cmd", "program", "interpreter", "preprocessor", "askpass"):
			return true
		case oneOf(part, "editor", "shell", "browser", "viewer", "wrapper", "hook", "launcher"):
			return strings.ContainsAny(value, "/\\ "+hole)
		}
	}
	return false
}

// execOptions follows the options whose value is a command.
func (s *scan) execOptions(c *call) {
	for _, d := range c.dangers() {
		if !d.runs {
			continue
		}
		for _, r := range c.dangerous(d) {
			r.value.text = strings.TrimPrefix(r.value.text, "exec=")
			s.subshell(func() { s.scriptOf(c, []word{r.value}, c.name+" "+clip(r.option, 40)) })
		}
	}
	if !oneOf(c.name, "ssh", "scp", "sftp") {
		return
	}
	for i, a := range c.args {
		w := a.text
		if !strings.HasPrefix(w, "-o") {
			continue
		}
		if a.is("-o") {
			if i+1 == len(c.args) {
				break // the value is missing: ssh refuses the line
			}
			w = c.args[i+1].text
		}
		v := strings.TrimPrefix(w, "-o")
		for _, k := range []string{"proxycommand", "localcommand", "knownhostscommand"} {
			if len(v) >= len(k) && strings.EqualFold(v[:len(k)], k) {
				s.subshell(func() { s.scriptOf(c, []word{{text: strings.Trim(v[len(k):], " =")}}, "ssh -o") })
			}
		}
	}
}
