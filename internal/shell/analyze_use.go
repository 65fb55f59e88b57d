package shell

import (
	"path"
	"strings"
)

// A Use is a file that a line reads or writes.
type Use struct {
	// Path is absolute; in the form that is not known it is "".
	Path  string
	Write bool
	Form  UseForm
}

// A UseForm says how much of a use is known.
type UseForm int

// The forms. Unknown is the zero value: which file it is, is only known when the
// line runs.
const (
	UseUnknown UseForm = iota
	UseExactly
	UseMatches // the files that Path matches, as a pattern
	UseBelow   // whatever is in the folder
	UseShown   // the same, but for what is hidden
)

// maxUses bounds how many uses are listed; what is more is unknown.
const maxUses = 256

func (s *scan) use(u Use) {
	if len(s.out.Uses) >= maxUses {
		u = Use{Write: u.Write}
	}
	if !s.used[u] {
		if s.used == nil {
			s.used = map[Use]bool{}
		}
		s.used[u] = true
		s.out.Uses = append(s.out.Uses, u)
	}
}

// wroteTo notes a file that a call writes or takes away.
func (s *scan) wroteTo(t *target) {
	s.use(Use{Path: t.lexical, Write: true, Form: UseExactly})
	if t.real != t.lexical {
		s.use(Use{Path: t.real, Write: true, Form: UseExactly})
	}
}

// readFrom notes a path that a call reads.
func (s *scan) readFrom(c *call, t *target) {
	if !c.readsNamed() {
		return
	}
	forms := [...]UseForm{UseExactly, c.readsBelow()}
	for _, form := range forms {
		if form == UseUnknown || form != UseExactly && t.exists && !t.dir {
			continue
		}
		s.use(Use{Path: t.lexical, Form: form})
		if t.real != t.lexical {
			s.use(Use{Path: t.real, Form: form})
		}
	}
}

// readsNamed reports a call that gets to see what is in the files it names.
func (c *call) readsNamed() bool {
	if !c.opens || c.remote {
		return false
	}
	if c.name == "git" {
		g := gitParts(c)
		return oneOf(g.sub, "diff", "show", "log", "blame", "annotate", "grep", "cat-file", "archive", "diff-tree", "diff-index", "diff-files", "format-patch", "hash-object", "whatchanged", "range-diff", "apply", "am", "bundle", "config") ||
			oneOf(g.sub, "commit", "tag", "notes", "merge") && g.c.has("Ft", "file", "template")
	}
	return !oneOf(c.name, "rm", "rmdir", "unlink", "shred", "srm", "chown", "chgrp", "truncate", "tee", "dirname", "mktemp", "kill", "make", "npm", "go")
}

// readsBelow is the form in which a call reads the folders it names; unknown
// stands for not at all.
func (c *call) readsBelow() UseForm {
	switch c.name {
	case "rg", "ag", "ack":
		if c.has("u.a", "hidden", "unrestricted", "no-ignore", "all-types") {
			return UseBelow
		}
		return UseShown
	case "grep", "egrep", "fgrep":
		if c.has("rRd", "recursive", "dereference-recursive", "directories") {
			return UseBelow
		}
	case "diff", "scp":
		if c.has("r", "recursive") {
			return UseBelow
		}
	case "cp":
		if c.has("rRa", "recursive", "archive") {
			return UseBelow
		}
	case "tar", "gtar", "bsdtar", "zip", "7z", "rsync", "borg", "restic", "mv", "ln", "rgrep":
		return UseBelow
	case "git":
		if g := gitParts(c); g.sub == "grep" {
			return UseBelow
		}
	}
	return UseUnknown
}

// searchesHere notes that a call reads the current directory, because it names
// no file.
func (s *scan) searchesHere(c *call) {
	form := c.readsBelow()
	if form == UseUnknown || oneOf(c.name, "diff", "scp", "cp", "rsync", "mv", "ln", "tar", "gtar", "bsdtar", "zip", "7z") || c.stdin.kind != noInput && c.name != "git" {
		return
	}
	ops := c.operands("-e", "-f", "-A", "-B", "-C", "-m", "-g", "-t", "-T", "--glob", "--type", "--regexp", "--file", "--include", "--exclude")
	if c.name == "git" {
		ops = ops[min(1, len(ops)):]
	}
	if !c.has("ef", "regexp", "file", "files") {
		ops = ops[min(1, len(ops)):]
	}
	if len(ops) > 0 {
		return
	}
	if len(s.env.dirs) == 0 {
		s.use(Use{})
	}
	for _, d := range s.env.dirs {
		s.use(Use{Path: path.Clean(d), Form: form})
	}
}

// readsPattern notes the files that a call reads and that a pattern matches.
func (s *scan) readsPattern(c *call, abs string) {
	switch {
	case !c.readsNamed():
	case strings.HasPrefix(abs, "/"):
		s.use(Use{Path: path.Clean(abs), Form: UseMatches})
	default:
		s.use(Use{})
	}
}
