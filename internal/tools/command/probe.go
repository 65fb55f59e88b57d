package command

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// logTail is how much of the end of a log of git's is read.
const logTail = 16 << 10

// Probe looks for what became of a command line that was started at a time in a
// directory of the workspace root, where the world has a trace of it: a commit,
// by the log that git keeps of HEAD (gitrepository-layout(5), logs). Git is not
// run. A commit has happened when the log's last commit since then has its
// message, and has not when the log has no entry since then; all else is not
// found out. The words say what was seen.
func Probe(line, root, dir string, started time.Time) (tools.Finding, string) {
	a := shell.Analyze(line, shell.Place{Dir: dir, Workspace: root})
	all := a.Commands()
	if !a.Parsed || a.Dynamic || len(all) != 1 || started.IsZero() {
		return tools.NotFound, "it leaves no trace that could be read"
	}
	message, is := committed(all[0].Words)
	if !is {
		return tools.NotFound, "it leaves no trace that could be read"
	}
	entry, ok := lastEntry(root, dir)
	switch {
	case !ok:
		return tools.NotFound, "git keeps no log of HEAD here"
	case entry.at.Before(started.Truncate(time.Second)) && message != "" && entry.message == message:
		// The clock may have been set back, or the commit given another date.
		return tools.NotFound, "HEAD is at a commit of that message, of an earlier time"
	case entry.at.Before(started.Truncate(time.Second)):
		return tools.DidNotHappen, "HEAD has not moved since"
	case message != "" && entry.message == message:
		return tools.Happened, "HEAD is at a commit of that message, made since"
	}
	return tools.NotFound, "HEAD has moved since, to something else"
}

// committed returns the first line of the message that a plain git commit
// gives, and whether the words are one.
func committed(words []string) (message string, is bool) {
	if len(words) < 2 || words[0] != "git" || words[1] != "commit" {
		return "", false
	}
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "--dry-run"):
			return "", false
		case (w == "-m" || w == "-am" || w == "--message") && i+1 < len(words):
			message = words[i+1]
		case strings.HasPrefix(w, "--message="):
			message = strings.TrimPrefix(w, "--message=")
		default:
			continue
		}
		break
	}
	message, _, _ = strings.Cut(strings.TrimSpace(message), "\n")
	return message, true
}

// An entry is one line of a log of git's.
type entry struct {
	at      time.Time
	message string // of a commit, its first line
}

// lastEntry reads the last line of HEAD's log in the repository that dir is in,
// which is not looked for above root.
func lastEntry(root, dir string) (entry, bool) {
	for {
		if e, ok := logOf(filepath.Join(dir, ".git")); ok {
			return e, true
		}
		up := filepath.Dir(dir)
		if dir == root || up == dir || len(up) < len(root) {
			return entry{}, false
		}
		dir = up
	}
}

func logOf(git string) (entry, bool) {
	path := filepath.Join(git, "logs", "HEAD")
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return entry{}, false
	}
	f, err := os.Open(path)
	if err != nil {
		return entry{}, false
	}
	defer func() { _ = f.Close() }() // read only
	b, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-logTail), logTail))
	if err != nil {
		return entry{}, false
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	return parseEntry(lines[len(lines)-1])
}

// parseEntry reads "OLD NEW Name <mail> SECONDS ZONE\tcommit: message".
func parseEntry(line string) (entry, bool) {
	head, what, ok := strings.Cut(line, "\t")
	fields := strings.Fields(head)
	if !ok || len(fields) < 5 {
		return entry{}, false
	}
	at, err := strconv.ParseInt(fields[len(fields)-2], 10, 64)
	if err != nil {
		return entry{}, false
	}
	e := entry{at: time.Unix(at, 0)}
	if act, message, ok := strings.Cut(what, ": "); ok && strings.HasPrefix(act, "commit") {
		e.message = message
	}
	return e, true
}
