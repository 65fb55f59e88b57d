package search

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxPattern bounds the length of a regular expression in bytes.
const maxPattern = 4096

type grepArgs struct {
	Pattern string `json:"pattern" doc:"regular expression (Rust syntax), matched line by line, case-sensitive unless it begins with (?i)"`
	Path    string `json:"path,omitempty" doc:"directory or file to search; the workspace when left out"`
	Include string `json:"include,omitempty" doc:"glob of the files to search, such as *.go or *.{ts,tsx}"`
}

func (c Config) grep() tools.Tool {
	s := spec("grep", fmt.Sprintf("Search the content of files. Lists the matching lines by file and line number, sorted, at most %d, "+
		"long lines cut. Hidden files are searched; .git, binary files and what the ignore files name are not.", maxResults))
	return tools.New(s, func(ctx context.Context, _ tools.Spec, a grepArgs) (*tools.Proposal, error) {
		switch {
		case a.Pattern == "":
			return nil, tools.Refuse(tools.InvalidArguments, "pattern is empty")
		case len(a.Pattern) > maxPattern:
			return nil, tools.Refuse(tools.InvalidArguments, "pattern is longer than %d bytes", maxPattern)
		case strings.ContainsRune(a.Pattern, 0):
			return nil, tools.Refuse(tools.InvalidArguments, `pattern contains a NUL byte; write \x00`)
		}
		r, err := c.find(a.Path)
		if err != nil {
			return nil, err
		}
		rg, err := c.Rg(ctx)
		if err != nil {
			return nil, tools.Refuse(tools.Unavailable, "%v", err)
		}
		job := search{rg: rg, root: r, env: c.Env, decode: newLines, args: []string{
			"--no-heading", "--with-filename", "--line-number", "--regexp=" + a.Pattern,
			fmt.Sprintf("--max-columns=%d", maxColumns), "--max-columns-preview",
		}}
		what := a.Pattern
		if a.Include != "" {
			what += " in " + a.Include
			if err := job.include(a.Include); err != nil {
				return nil, tools.Refuse(tools.InvalidArguments, "include: %v", err)
			}
		}
		p := r.propose(what)
		p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
			if file, err := check(r.abs); err != nil || file != r.file {
				return tools.Outcome{Kind: tools.Blocked, Block: tools.Stale, Text: fmt.Sprintf("%s is not what it was: nothing was searched", r.abs)}
			}
			return grepped(job.run(ctx))
		}
		return p, nil
	})
}

// maxColumns is the length in bytes from which ripgrep shows only the beginning
// of a line: more than maxLine characters can take, so that what it puts at the
// end is never seen.
const maxColumns = 4*maxLine + 48

// include has only the files searched that glob matches. A glob for names is
// left to ripgrep, as a file type: unlike --glob, a type does not override the
// ignore files.
func (s *search) include(glob string) error {
	dir := s.root.abs
	if s.root.file {
		return nil // the file was named: it is searched
	}
	pat, err := compile(glob, dir)
	if err != nil {
		return err
	}
	if pat.name != "" && !strings.HasPrefix(pat.name, "include:") {
		s.args = append(s.args, "--type-add=zuno:"+pat.name, "--type=zuno")
		return nil
	}
	below := strings.TrimSuffix(dir, "/") + "/"
	s.keep = func(h hit) bool { return pat.match(strings.TrimPrefix(h.path, below)) }
	return nil
}

func grepped(f found, err error) tools.Outcome {
	if err != nil {
		return outcome(err)
	}
	var b strings.Builder
	var files []string
	for i, h := range f.hits {
		if i == 0 || h.path != f.hits[i-1].path {
			files = append(files, h.path)
			fmt.Fprintf(&b, "\n%s:\n", tools.CleanLine(h.path))
		}
		fmt.Fprintf(&b, "  Line %d: %s\n", h.line, h.text)
	}
	head := fmt.Sprintf("Found %d matches in %d files\n", len(f.hits), len(files))
	if len(f.hits) == 0 {
		head = "No matches found\n"
	}
	cut := f.truncated("matches")
	tail := cut + f.notes()
	if tail != "" {
		tail = "\n" + tail
	}
	return tools.Outcome{Kind: tools.OK, Truncated: cut != "", Files: files, Text: strings.TrimSuffix(head+b.String()+tail, "\n")}
}

// lines decodes records of a path, NUL, a line number, a colon and the line.
// Of a long line only the beginning is kept.
type lines struct {
	emit   func(hit) bool
	binary *int
	path   []byte
	text   []byte
	inText bool
}

func newLines(emit func(hit) bool, binary *int) decoder { return &lines{emit: emit, binary: binary} }

func (d *lines) feed(chunk []byte) bool {
	for len(chunk) > 0 {
		if !d.inText {
			field, rest, ok := cutField(chunk, 0)
			d.path = appendBounded(d.path, field, maxPath)
			chunk, d.inText = rest, ok
			continue
		}
		field, rest, ok := cutField(chunk, '\n')
		d.text = appendBounded(d.text, field, maxColumns+64)
		if !ok {
			return true
		}
		chunk, d.inText = rest, false
		more := d.record()
		d.path, d.text = d.path[:0], d.text[:0]
		if !more {
			return false
		}
	}
	return true
}

// binaryMessage is what ripgrep prints, in a line of its own and without NUL,
// about a binary file with a match.
func binaryMessage() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\A.*?: (?:WARNING: stopped searching binary file after match|binary file matches) \(found "[^"]*" byte around offset \d+\)\n`)
}

// strip takes the messages off the beginning of a path.
func (d *lines) strip() {
	if !bytes.Contains(d.path, []byte("binary file")) {
		return
	}
	for m := binaryMessage().Find(d.path); m != nil; m = binaryMessage().Find(d.path) {
		*d.binary++
		d.path = d.path[len(m):]
	}
}

func (d *lines) record() bool {
	d.strip()
	number, text, _ := bytes.Cut(d.text, []byte{':'})
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return true // not a record of ours
	}
	return d.emit(hit{path: filepath.Clean(string(d.path)), line: n, text: clipLine(bytes.TrimSuffix(text, []byte{'\r'}))})
}

func (d *lines) end() { d.strip() }

// clipLine makes a line safe to show and cuts it after maxLine characters.
func clipLine(line []byte) string {
	at := 0
	for range maxLine {
		if at == len(line) {
			return tools.CleanLine(string(line))
		}
		_, n := utf8.DecodeRune(line[at:])
		at += n
	}
	if at == len(line) {
		return tools.CleanLine(string(line))
	}
	return tools.CleanLine(string(line[:at])) + " [… line cut]"
}
