package shell

import (
	"strings"
)

// A gitCall is a git command line taken apart.
type gitCall struct {
	sub  string
	c    *call  // the call, with the words after the subcommand as its args
	conf []word // values of -c
	// global says that options before the subcommand change what git is or
	// where it works; dirs are the values of -C.
	global bool
	dirs   []word
	early  bool // any option stands before the subcommand
}

// gitParts finds the subcommand behind git's global options.
func gitParts(c *call) gitCall {
	g := gitCall{}
	args := c.args
	for len(args) > 0 && args[0].flag() {
		a, rest := args[0], args[1:]
		g.early = g.early || !a.is("-P", "--no-pager", "--no-optional-locks", "--literal-pathspecs")
		switch {
		case a.is("-C") && len(rest) > 0:
			g.dirs = append(g.dirs, rest[0])
			rest = rest[1:]
		case a.is("-c") && len(rest) > 0:
			g.conf = append(g.conf, rest[0])
			g.global = g.global || !inertConf(rest[0])
			rest = rest[1:]
		case a.is("--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source") && len(rest) > 0:
			g.global, rest = true, rest[1:]
		case a.is("-P", "--no-pager", "--no-optional-locks", "--literal-pathspecs", "--version", "-v", "-h", "--help"):
		default:
			g.global = true
		}
		args = rest
	}
	sub := *c
	sub.args = nil
	if len(args) > 0 {
		g.sub, sub.args = args[0].text, args[1:]
		if args[0].dyn != "" {
			g.sub = ""
		}
		sub.valued = valuedIndex()["git "+g.sub]
	}
	g.c = &sub
	return g
}

// gitInner follows the commands that git itself would run.
func (s *scan) gitInner(c *call) {
	g := gitParts(c)
	for _, kv := range g.conf {
		_, v, _ := strings.Cut(kv.text, "=")
		if inertConf(kv) {
			continue
		}
		if kv.dyn != "" {
			s.opaque = true
		} else if v = strings.TrimPrefix(v, "!"); strings.ContainsAny(v, " /") || strings.HasPrefix(kv.text, "alias.") {
			s.subshell(func() { s.script(v, "git -c") })
		}
	}
	switch {
	case g.sub == "bisect" && len(g.c.args) > 1 && g.c.args[0].is("run"):
		s.raise("git bisect run runs a command")
		s.inside(c, g.c.args[1:])
	case g.sub == "submodule":
		if ops := g.c.operands(); len(ops) > 1 && ops[0].is("foreach") {
			s.raise("git submodule foreach runs a command")
			s.subshell(func() { s.scriptOf(c, ops[1:], "git submodule foreach") })
		}
	case g.sub == "rebase":
		if w, ok := g.c.value("x", "exec"); ok {
			s.subshell(func() { s.scriptOf(c, []word{w}, "git rebase --exec") })
		}
	case g.sub == "filter-branch":
		for _, a := range g.c.args {
			if strings.Contains(a.text, " ") {
				s.subshell(func() { s.scriptOf(c, []word{a}, "git filter-branch") })
			}
		}
	}
	if w, ok := g.c.value("x", "extcmd"); ok && g.sub == "difftool" {
		s.subshell(func() { s.scriptOf(c, []word{w}, "git difftool") })
	}
	for _, a := range g.c.args {
		if k := cluster(g.c.letters(a.text), "O"); k > 0 && k < len(a.text) && g.sub == "grep" {
			s.subshell(func() { s.scriptOf(c, []word{{text: a.text[k:], dyn: a.dyn}}, "git grep -O") })
		}
	}
	for _, o := range gitExec {
		if w, ok := g.c.value("", o); ok {
			s.raise("git --" + o + " runs a program")
			s.subshell(func() { s.scriptOf(c, []word{w}, "git --"+o) })
		}
	}
}

// Options of git's subcommands that run a program, and that write a file or
// read one outside the repository.
var (
	gitExec  = []string{"upload-pack", "receive-pack", "open-files-in-pager", "extcmd", "tool", "sequence-editor"}
	gitRisky = []string{
		"output", "ext-diff", "textconv", "open-files-in-pager", "upload-pack", "receive-pack", "exec", "template", "no-index", "extcmd", "tool",
		"config", "config-env", "output-directory", "contents", "file", "edit", "gpg-sign", "help", "web", "remote", "filters", "lost-found", "unsafe-paths", "show-signature", "verify-signatures",
	}
)

// riskyGit names the first option of a subcommand that makes it run, write or
// read more than its name says.
func (g gitCall) riskyGit() string {
	for _, a := range g.c.args {
		if a.text == "--" {
			break
		}
		if g.c.is(a.text, "", gitRisky...) && !oneOf(a.text, "--oneline", "--contains", "--edit-description", "--to", "--heads", "--heading") {
			return a.text
		}
	}
	switch {
	case g.sub == "grep" && g.c.has("O"):
		return "-O"
	case oneOf(g.sub, "format-patch", "archive", "bundle", "diff") && g.c.has("o"):
		return "-o"
	case g.sub == "clone" && g.c.has("uc"):
		return "-u"
	case g.sub == "rebase" && g.c.has("x"):
		return "-x"
	case oneOf(g.sub, "difftool") && g.c.has("x"):
		return "-x"
	case oneOf(g.sub, "commit", "tag", "notes", "merge") && g.c.has("F"):
		return "-F"
	case g.sub == "cat-file" && len(g.c.args) == 0, g.sub == "help":
		return g.sub
	case oneOf(g.sub, "difftool", "mergetool", "web--browse", "instaweb", "gui", "citool", "hook", "verify-commit", "verify-tag"):
		return g.sub
	case oneOf(g.sub, "commit", "merge", "rebase", "cherry-pick", "revert", "am", "commit-tree") && g.c.has("S"):
		return "-S"
	case g.sub == "tag" && g.c.has("suv", "local-user", "sign", "verify"):
		return "-s"
	case g.actsOnNetwork() || g.sub == "remote":
		// "helper::address" runs the program git-remote-helper.
		for _, w := range g.c.operands() {
			if strings.Contains(w.text, "::") {
				return w.text
			}
		}
	}
	return ""
}

// git judges what a git command does to history, files and the network.
func (s *scan) git(c *call) {
	g := gitParts(c)
	if g.global {
		s.raise("git is given options that change what it runs or where")
		s.strange("git is given options that change what it runs or where")
	}
	for _, d := range g.dirs {
		s.strange("git works in another directory")
		if ts, ok := s.targets(d); ok {
			for _, t := range ts {
				s.outside(t)
			}
		} else {
			s.raise("git works in a directory that is not known")
		}
	}
	if len(s.env.dirs) == 0 && !s.env.remote {
		s.raise("git works in a directory that is not known")
	}
	for _, d := range s.worksIn(g) {
		if t := s.look(d); !s.inWorkspace(t) && !s.inTemp(t) {
			s.raise("git works outside the workspace, where its settings may run programs")
		}
	}
	s.gitMakes(g)
	if d := s.hiddenRepository(g); d != "" {
		s.raise("git would take ", d, " for a repository, whose settings may run programs")
		s.strange("git would take ", d, " for a repository, whose settings may run programs")
	}
	if r := g.riskyGit(); r != "" {
		s.raise("git " + g.sub + " " + r + " may run a program or write a file")
		s.strange("git " + g.sub + " " + r + " may run a program or write a file")
	}
	if g.skipsHooks() {
		s.raise("git ", g.sub, " skips the checks that the repository makes first")
		s.strange("git ", g.sub, " skips the checks that the repository makes first")
	}
	s.forcePush(c)
	if oneOf(g.sub, "diff", "log", "show", "format-patch", "archive", "bundle") {
		if w, ok := g.c.value("", "output"); ok {
			s.written("writes to", w, false)
		} else if w, ok := g.c.value("o"); ok && g.sub == "archive" {
			s.written("writes to", w, false)
		}
	}
	if !gitReads(g) {
		s.out.Writes = true
	}
	if why := gitManual(g); why != "" {
		s.touch("git "+g.sub, strings.ReplaceAll(strings.Join(texts(g.c.args), " "), hole, "…"), why)
	}
	if (g.sub == "checkout" || g.sub == "restore" || g.sub == "rm" || g.sub == "mv" || g.sub == "apply") && !g.global {
		for _, w := range g.c.operands() {
			if r := s.reserved("/" + w.text); r != "" && w.known() {
				s.touch("may change", w.text, "it is "+r)
			}
		}
	}
}

// gitDry reports a call that only says what it would do.
func gitDry(c *call) bool {
	for i := range c.args {
		if strings.HasPrefix(c.args[i].text, "--no-d") {
			return false
		}
	}
	return c.has("n", "dry-run")
}

// inertConf reports a setting of git that only changes what is shown, or who
// wrote a commit.
func inertConf(kv word) bool {
	name, value, _ := strings.Cut(kv.text, "=")
	name = strings.ToLower(name)
	if kv.dyn != "" || strings.ContainsAny(value, "!`$") {
		return false
	}
	section, _, _ := strings.Cut(name, ".")
	switch {
	case oneOf(section, "color", "column", "advice"), oneOf(name, "user.name", "user.email", "author.name", "author.email", "committer.name", "committer.email", "core.quotepath", "core.abbrev", "core.autocrlf", "core.safecrlf", "log.date", "log.decorate", "log.showroot",
		"diff.renames", "diff.noprefix", "diff.mnemonicprefix", "diff.algorithm", "diff.context", "diff.renamelimit", "status.short", "status.branch", "status.showuntrackedfiles", "status.relativepaths", "init.defaultbranch", "pull.rebase", "pull.ff", "merge.ff", "merge.conflictstyle", "rerere.enabled", "gc.auto", "grep.linenumber", "grep.patterntype"):
		return true
	case oneOf(name, "core.pager", "core.editor", "sequence.editor"):
		return oneOf(value, "cat", "", "true", ":")
	case oneOf(name, "commit.gpgsign", "tag.gpgsign", "core.fsmonitor", "log.showsignature", "core.untrackedcache"):
		return oneOf(strings.ToLower(value), "false", "no", "off", "0")
	}
	return false
}

// gitMakes judges the places that git makes and fills.
func (s *scan) gitMakes(g gitCall) {
	ops := g.c.operands("-b", "-B", "--branch", "-o", "--origin", "--reason", "--depth", "-j", "--jobs", "--reference", "-c", "--config", "--template", "-u", "--name")
	var to []word
	at := func(i int) {
		if i < len(ops) {
			to = append(to, ops[i])
		}
	}
	switch g.sub {
	case "clone":
		at(1)
	case "init":
		at(0)
	case "worktree", "bundle", "submodule":
		if len(ops) > 0 && ops[0].is("add", "create", "move") {
			at(len(ops) - 1)
			if g.sub != "submodule" {
				at(1)
			}
		}
	case "format-patch":
		if w, ok := g.c.value("o", "output-directory"); ok {
			to = append(to, w)
		}
	case "checkout-index":
		if w, ok := g.c.value("", "prefix"); ok {
			to = append(to, w)
		}
	}
	if w, ok := g.c.value("", "separate-git-dir"); ok {
		to = append(to, w)
	}
	was := s.env.dirs
	s.env.dirs = s.worksIn(g)
	for _, w := range to {
		ts, _ := s.targets(w)
		for _, t := range ts {
			s.wroteTo(&t)
			if !s.inWorkspace(t) && !s.inTemp(t) && !strings.Contains(w.text, "://") {
				s.outside(t)
				s.touch("writes to", w.text, "it is outside the workspace")
			}
		}
	}
	s.env.dirs = was
}

// skipsHooks reports an option that keeps git from running the repository's own
// checks.
func (g gitCall) skipsHooks() bool {
	if !oneOf(g.sub, "commit", "merge", "rebase", "am", "cherry-pick", "revert") {
		return false
	}
	if g.c.has("", "no-verify") {
		return true
	}
	for _, a := range g.c.args {
		if a.text == "--" || g.sub != "commit" {
			break
		}
		if g.c.is(a.text, "n") {
			return true
		}
	}
	return false
}

// gitReads reports subcommands that change nothing in the repository.
func gitReads(g gitCall) bool {
	ops := g.c.operands()
	switch g.sub {
	case "clean":
		return gitDry(g.c)
	case "symbolic-ref":
		return len(ops) == 1 && !g.c.has("dm", "delete")
	case "", "status", "log", "diff", "show", "blame", "annotate", "describe", "shortlog", "rev-parse", "rev-list", "ls-files", "ls-tree", "ls-remote", "cat-file",
		"grep", "merge-base", "name-rev", "diff-tree", "diff-index", "diff-files", "for-each-ref", "show-ref", "show-branch", "whatchanged", "cherry", "count-objects",
		"check-ignore", "check-attr", "var", "version", "help", "range-diff", "verify-commit", "verify-tag", "fsck", "check-ref-format":
		return true
	case "branch":
		return len(ops) == 0 && !g.c.has("dDmMcCuf", "delete", "move", "copy", "set-upstream-to", "unset-upstream", "edit-description", "force") ||
			g.c.has("", "list", "contains", "merged", "no-merged", "points-at", "show-current") && !g.c.has("dDmMcCuf", "delete", "force")
	case "tag":
		return len(ops) == 0 && !g.c.has("d", "delete") || g.c.has("l", "list", "contains", "no-contains", "merged", "no-merged", "points-at") && !g.c.has("dfasum", "delete", "force", "annotate", "sign", "message")
	case "remote":
		return len(ops) == 0 || ops[0].is("show", "get-url")
	case "stash", "worktree", "reflog", "notes", "bisect", "submodule":
		return g.sub == "reflog" && len(ops) == 0 || len(ops) > 0 && ops[0].is("list", "show", "log", "status")
	case "config":
		return gitConfigReads(g)
	}
	return false
}

func gitConfigReads(g gitCall) bool {
	ops := g.c.operands()
	switch {
	case g.c.has("e", "edit", "unset", "unset-all", "add", "replace-all", "rename-section", "remove-section"):
		return false
	case g.c.has("l", "get", "get-all", "get-regexp", "get-urlmatch", "list", "show-origin", "name-only"):
		return true
	}
	return len(ops) > 0 && ops[0].is("get", "list") || len(ops) == 1 && !ops[0].is("set", "unset", "edit")
}
