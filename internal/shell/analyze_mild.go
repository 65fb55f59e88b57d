package shell

import "strings"

// readers only read what they are given, whatever their options, apart from
// the options that dangers lists.
func reader(name string) bool {
	return oneOf(name, "ls", "cat", "wc", "head", "tail", "pwd", "echo", "printf", "true", "false", ":", "basename", "dirname", "realpath", "readlink", "stat", "file",
		"cut", "tr", "nl", "uniq", "comm", "diff", "cmp", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "cksum", "b2sum", "sum", "du", "df", "tree", "which", "type",
		"test", "[", "seq", "date", "uname", "whoami", "id", "nproc", "arch", "uptime", "grep", "egrep", "fgrep", "rg", "sort", "jq", "find", "fd", "fdfind", "xxd", "od", "hexdump",
		"strings", "column", "fold", "expand", "unexpand", "paste", "join", "tac", "rev", "base64", "base32", "cal", "groups", "tty", "logname", "factor", "numfmt", "shuf", "sleep")
}

// reads reports a call that only reads the files it is given.
func (s *scan) reads(c *call) bool {
	if strings.Contains(c.written, "/") || c.shadow || c.dyn != "" {
		return false
	}
	switch {
	case reader(c.name), oneOf(c.name, "less", "more", "bat", "zcat", "gofmt", "cd", "export"):
		return s.risky(c) == ""
	case c.name == "sed" || c.name == "gsed":
		return s.risky(c) == ""
	case c.name == "git":
		g := gitParts(c)
		return !g.global && gitReads(g) && g.riskyGit() == "" && gitManual(g) == ""
	}
	return false
}

// mild reports a call that is certain to only read what is in the workspace.
func (s *scan) mild(c *call) bool {
	if len(c.assigns) > 0 || c.raw || c.remote || len(c.via) > 0 {
		return false
	}
	for _, w := range c.args {
		if w.dyn != "" || w.expanded || w.temp {
			return false
		}
	}
	if len(c.args) == 1 && c.args[0].is("--version") {
		return oneOf(c.name, "go", "git", "node", "npm", "python3", "python", "cargo", "rustc", "gcc", "clang", "make", "cmake", "docker", "java", "ruby", "perl", "rg", "bash", "jq")
	}
	switch c.name {
	case "cd":
		return len(c.operands()) == 1
	case "go":
		return len(c.args) > 0 && (c.args[0].is("version") && len(c.args) == 1 || c.args[0].is("env") && s.risky(c) == "")
	case "sleep", "printf", "less", "more", "bat", "zcat", "export":
		return c.name == "printf" && !c.has("v")
	case "gofmt":
		return s.risky(c) == "" && len(c.args) > 0
	case "type":
		return true
	case "date":
		return s.risky(c) == "" && len(c.operands()) <= 1 && (len(c.operands()) == 0 || strings.HasPrefix(c.operands()[0].text, "+"))
	case "uniq", "xxd":
		return s.risky(c) == "" && len(c.operands("-f", "-s", "-w", "-l", "-c", "-n")) <= 1
	case "command":
		return len(c.args) > 0 && c.args[0].is("-v", "-V")
	case "git":
		g := gitParts(c)
		return s.reads(c) && g.sub != "" && !g.early && !g.actsOnNetwork() && g.sub != "help" && !oneOf(g.sub, "bisect", "submodule", "var", "verify-commit", "verify-tag")
	}
	return s.reads(c)
}
