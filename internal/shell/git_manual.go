package shell

import "strings"

// gitManual says why a subcommand is asked about whatever the tier: it loses
// work, rewrites history or reaches others. "" is an ordinary subcommand.
func gitManual(g gitCall) string {
	c, ops := g.c, g.c.operands()
	first := ""
	if len(ops) > 0 {
		first = ops[0].text
	}
	switch g.sub {
	case "push":
		return pushManual(c)
	case "commit":
		if c.has("", "amend") {
			return "it replaces the last commit"
		}
	case "rebase":
		if !c.has("", "abort", "continue", "skip", "quit", "show-current-patch", "edit-todo") {
			return "it rewrites history"
		}
	case "reset":
		if c.has("", "hard", "merge", "keep") {
			return "it discards changes that are not committed"
		}
	case "clean":
		if !gitDry(c) {
			return "it removes files that git does not keep"
		}
	case "tag":
		if c.has("fd", "force", "delete") {
			return "it moves or removes a tag"
		}
	case "branch":
		if c.has("DdMCf", "delete", "force") {
			return "it removes or moves a branch"
		}
	case "checkout":
		return checkoutManual(g)
	case "restore":
		if !c.has("S", "staged") || c.has("W", "worktree") {
			return "it discards changes that are not committed"
		}
	case "switch":
		if c.has("fC", "force", "discard-changes", "force-create") {
			return "it discards changes or moves a branch"
		}
	case "stash":
		if oneOf(first, "drop", "clear") {
			return "it throws stashed changes away"
		}
	case "filter-branch", "filter-repo", "replace":
		return "it rewrites history"
	case "reflog":
		if oneOf(first, "expire", "delete") {
			return "it removes the way back to lost commits"
		}
	case "gc":
		if c.has("", "prune", "aggressive") {
			return "it removes commits that nothing points to"
		}
	case "repack":
		if c.has("a") && c.has("d") && !c.has("k", "keep-unreachable") {
			return "it removes commits that nothing points to"
		}
	case "maintenance":
		if oneOf(first, "start", "stop", "register", "unregister") {
			return "it schedules something for later"
		}
	case "read-tree", "checkout-index":
		if c.has("uf", "reset", "force") {
			return "it discards changes that are not committed"
		}
	case "submodule":
		if oneOf(first, "deinit", "update") && c.has("f", "force") {
			return "it discards changes that are not committed"
		}
	case "prune":
		return "it removes commits that nothing points to"
	case "update-ref", "symbolic-ref":
		if c.has("d", "delete", "stdin") || len(ops) > 1 {
			return "it moves a reference by hand"
		}
	case "rm":
		if !c.has("n", "cached", "dry-run") {
			return "it removes files"
		}
	case "mv":
		if c.has("f", "force") {
			return "it overwrites files"
		}
	case "config":
		if !gitConfigReads(g) {
			return "it changes git's configuration, which can run programs"
		}
	case "worktree":
		if oneOf(first, "remove", "prune") {
			return "it removes a working tree"
		}
	case "remote":
		if oneOf(first, "remove", "rm", "set-url") {
			return "it changes where the repository sends to"
		}
	case "send-email", "svn", "p4", "request-pull":
		return "it sends to others"
	case "lfs":
		if oneOf(first, "push", "prune", "migrate") {
			return "it sends or removes large files"
		}
	}
	return ""
}

func pushManual(c *call) string {
	for _, w := range c.operands() {
		if strings.HasPrefix(w.text, ":") && len(w.text) > 1 {
			return "it deletes a branch or tag that others share"
		}
	}
	switch {
	case c.has("n", "dry-run"):
		return "it talks to another machine"
	case c.has("d", "delete", "mirror", "prune"):
		return "it deletes branches or tags that others share"
	case c.has("", "force-with-lease"):
		return "it overwrites history that others share"
	}
	return "it publishes commits to others"
}

func checkoutManual(g gitCall) string {
	c := g.c
	if c.has("fB", "force") {
		return "it discards changes or moves a branch"
	}
	if c.has("p", "ours", "theirs", "patch", "conflict", "merge") {
		return "it discards changes that are not committed"
	}
	for i, a := range c.args {
		if a.text == "--" && i < len(c.args)-1 {
			return "it discards changes that are not committed"
		}
	}
	if c.has("b", "orphan", "detach", "track") {
		return ""
	}
	ops := c.operands()
	if len(ops) > 1 {
		return "it discards changes that are not committed"
	}
	for _, w := range ops {
		if w.text == "." || strings.HasPrefix(w.text, "./") || strings.HasPrefix(w.text, ":") || w.glob {
			return "it discards changes that are not committed"
		}
		if ts, ok := c.s.targets(w); ok && ts[0].exists {
			return "it may discard changes to " + w.text
		}
	}
	return ""
}

// forcePush raises the row of a push that overwrites without a usable lease.
func (s *scan) forcePush(c *call) {
	g := gitParts(c)
	if g.sub != "push" {
		return
	}
	for _, a := range g.c.args {
		text := a.text
		bad := false
		switch {
		case text == "--force", strings.HasPrefix(text, "--force=") || text == "--forc" || text == "--for":
			bad = true
		case strings.HasPrefix(text, "--force-with-lease="):
			bad = badLease(text[len("--force-with-lease="):])
		case a.flag() && text[1] != '-':
			bad = g.c.is(text, "f")
		case strings.HasPrefix(text, "+"):
			bad = true
		}
		if bad {
			s.hit("git.force-push", c.shown())
		}
	}
}

// badLease reports a lease that names no reference or expects what is not an
// object id.
func badLease(v string) bool {
	ref, want, has := strings.Cut(v, ":")
	if ref == "" {
		return true
	}
	return has && want != "" && strings.Trim(strings.ToLower(want), "0123456789abcdef") != ""
}
