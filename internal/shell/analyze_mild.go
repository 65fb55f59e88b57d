package shell

import "strings"

// reads reports a call that only reads the files it is given.
func (s *scan) reads(c *call) bool {
	if strings.Contains(c.written, "/") || c.shadow || c.dyn != "" {
		return false
	}
	switch {
	case c.traits.has(readerTrait), oneOf(c.name, "less", "more", "bat", "zcat", "gofmt", "cd", "export"):
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
	for i := range c.args {
		w := &c.args[i]
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
		return s.risky(c) == "" && len(c.dateOperands()) <= 1
	case "uniq", "xxd":
		return s.risky(c) == "" && len(c.twoFiles()) <= 1
	case "command":
		return len(c.args) > 0 && c.args[0].is("-v", "-V")
	case "git":
		g := gitParts(c)
		return s.reads(c) && g.sub != "" && !g.early && !g.actsOnNetwork() && g.sub != "help" && !oneOf(g.sub, "bisect", "submodule", "var", "verify-commit", "verify-tag")
	}
	return s.reads(c)
}
