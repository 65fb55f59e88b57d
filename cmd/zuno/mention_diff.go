package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/agent"
)

// The mentions that name no file.
const (
	mentionDiff   = "!diff"
	mentionStaged = "!staged"
)

// The bounds of one diff.
const (
	maxDiff      = 128 << 10 // bytes that are sent
	maxDiffRead  = 16 << 20  // bytes that are looked at
	maxDiffNames = 50        // that are named of files that are left out
)

// A diff is what changed of the files of a repository.
type diff struct {
	files     []fileDiff
	cut       bool     // there is more than was looked at
	untracked []string // what git does not track, nor ignores
}

// A fileDiff is what changed of one file.
type fileDiff struct {
	name     string
	text     string
	add, del int
	binary   bool
}

// readDiff returns what the working tree has that the last commit has not, or
// what is staged for the next. Only the workspace is looked at.
func (p *plan) readDiff(ctx context.Context, staged bool) (diff, error) {
	r, err := p.openRepository(ctx)
	if err != nil {
		return diff{}, err
	}
	var d diff
	err = r.aside(ctx, func(run func(sink func([]byte) bool, args ...string) error) error {
		args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=dirty", "--relative"}
		if staged {
			args = append(args, "--cached")
		} else {
			args = append(args, r.base())
		}
		var out bytes.Buffer
		if err := run(func(b []byte) bool {
			d.cut = d.cut || out.Len()+len(b) > maxDiffRead
			out.Write(b[:min(len(b), maxDiffRead-out.Len())])
			return !d.cut
		}, append(args, "--", ".")...); err != nil {
			return err
		}
		if d.files = splitDiff(out.String()); d.cut && len(d.files) > 0 {
			d.files = d.files[:len(d.files)-1] // of which a part is missing
		}
		if staged {
			return nil
		}
		var names splitter
		if err := run(names.take, "ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z", "--", "."); err != nil {
			return err
		}
		d.untracked = names.list
		return nil
	})
	return d, err
}

// base is what the working tree is compared with: the last commit, or a tree
// with nothing in it, which git knows without an object.
func (r *repository) base() string {
	switch {
	case r.head != "":
		return r.head
	case r.format == "sha256":
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// splitDiff reads what git diff prints. A line of a file has a mark before it,
// so that none can pass for the head of another.
func splitDiff(text string) []fileDiff {
	var list []fileDiff
	inHunk, from, at := false, 0, 0
	for line := range strings.Lines(text) {
		if name, is := strings.CutPrefix(line, "diff --git "); is {
			list, inHunk, from = append(list, fileDiff{name: headName(strings.TrimSuffix(name, "\n"))}), false, at
		}
		at += len(line)
		if len(list) == 0 {
			continue
		}
		f := &list[len(list)-1]
		f.text = text[from:at]
		switch {
		case strings.HasPrefix(line, "@@ "):
			inHunk = true
		case inHunk && line[0] == '+':
			f.add++
		case inHunk && line[0] == '-':
			f.del++
		case !inHunk && strings.HasPrefix(line, "+++ b/"):
			f.name = strings.TrimRight(line[6:], "\t\n")
		case !inHunk && strings.HasPrefix(line, "rename to "):
			f.name = strings.TrimSuffix(line[10:], "\n")
		case !inHunk && strings.HasPrefix(line, "Binary files "):
			f.binary = true
		}
	}
	return list
}

// headName takes the name from "a/NAME b/NAME".
func headName(s string) string {
	if n := (len(s) - 1) / 2; n > 2 && len(s)%2 == 1 && strings.HasPrefix(s, "a/") && s[n] == ' ' {
		return s[2:n]
	}
	return s
}

// attachDiff returns a diff as it is sent along, with the files that fit whole,
// and how it is told of. Of a binary file git says only that it differs.
func attachDiff(d diff, staged bool) (piece, told string) {
	what := "the working tree, compared with the last commit"
	if staged {
		what = "what is staged, compared with the last commit"
	}
	var body strings.Builder
	var left, binary []string
	add, del := 0, 0
	for _, f := range d.files {
		text := agent.Escape(f.text)
		switch {
		case f.binary:
			binary = append(binary, f.name)
		case body.Len()+len(text) > maxDiff:
			left = append(left, fmt.Sprintf("%s (+%d -%d)", f.name, f.add, f.del))
		default:
			body.WriteString(text)
			add, del = add+f.add, del+f.del
		}
	}
	told = "empty"
	if n := len(d.files) - len(left) - len(binary); n > 0 {
		told = fmt.Sprintf("%s, +%d -%d, %s", counted(n, "file"), add, del, bytesWord(int64(body.Len())))
	}
	for _, n := range []struct {
		names []string
		of    string
	}{
		{binary, "binary file"},
		{left, "oversized file"},
		{d.untracked, "untracked path"},
	} {
		if len(n.names) > 0 {
			body.WriteString(named(n.names, n.of))
			told += "; only named: " + counted(len(n.names), n.of)
		}
	}
	if d.cut {
		fmt.Fprintf(&body, "There is more: only the first %s were looked at.\n", bytesWord(maxDiffRead))
		told += "; not whole"
	}
	if body.Len() == 0 {
		body.WriteString("Nothing differs.\n")
	}
	return "<attached_diff of=\"" + what + "\">\n" + body.String() + "</attached_diff>\n", told
}

// named lists names, one a line.
func named(names []string, of string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, only named:\n", counted(len(names), of))
	for _, name := range names[:min(len(names), maxDiffNames)] {
		b.WriteString(agent.EscapeAttribute(name) + "\n")
	}
	if n := len(names) - maxDiffNames; n > 0 {
		fmt.Fprintf(&b, "and %d more\n", n)
	}
	return b.String()
}
