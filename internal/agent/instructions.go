package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxInstructions is the usual bound of all instruction files together, in
// bytes.
const MaxInstructions = 32 << 10

// A File is an instruction file that is in force.
type File struct {
	Path  string // absolute
	Bytes int    // of the whole file
	Cut   bool   // only its beginning is in the text
}

// Instructions reads the instruction files that concern work in dir: AGENTS.md
// of configDir ("" for none), then that of every folder from root down to dir,
// or CLAUDE.md where a folder has no AGENTS.md. Each is wrapped in a tag that
// it cannot close. Together they have at most max bytes ([MaxInstructions] when
// max is not positive); the outermost are cut first, and both the text and a
// notice say so. Files that are not plain text, and links that leave the root,
// are skipped with a notice.
func Instructions(root, dir, configDir string, max int) (text string, files []File, notices []string) {
	if max <= 0 {
		max = MaxInstructions
	}
	r := reader{max: max}
	if configDir != "" {
		r.user(filepath.Join(configDir, "AGENTS.md"))
	}
	r.project(root, dir)
	r.share()
	var b strings.Builder
	for i := range r.found {
		b.WriteString(r.found[i].wrapped(max))
		files = append(files, r.found[i].File)
	}
	return b.String(), files, r.notices
}

type reader struct {
	max     int
	found   []found // outermost first
	notices []string
}

// found is a file with its label, which is what the model calls it by, and the
// part of its text that is in force.
type found struct {
	File
	label, text string
	info        fs.FileInfo
}

func (r *reader) notice(path, format string, a ...any) {
	r.notices = append(r.notices, escapeLine(path)+": "+fmt.Sprintf(format, a...))
}

// user reads the file at path, which may be a link to anywhere: people keep
// their settings in repositories of their own.
func (r *reader) user(path string) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		r.notice(path, "left out: %v", cause(err))
	default:
		r.add(path, path, info, os.OpenFile)
	}
}

// project reads the files from root down to dir. It goes through a handle of
// the root that follows no link out of it.
func (r *reader) project(root, dir string) {
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		root, rel = dir, "."
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		r.notice(root, "no project instructions: %v", cause(err))
		return
	}
	defer top.Close()
	r.folder(top, "")
	for i, c := range rel {
		if c == filepath.Separator {
			r.folder(top, rel[:i])
		}
	}
	if rel != "." {
		r.folder(top, rel)
	}
}

func (r *reader) folder(top *os.Root, dir string) {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		name = filepath.Join(dir, name)
		link, err := top.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		path := filepath.Join(top.Name(), name)
		var info fs.FileInfo
		if err == nil {
			info, err = top.Stat(name)
		}
		switch {
		case err == nil:
			r.add(path, filepath.ToSlash(name), info, top.OpenFile)
		case link != nil && link.Mode()&fs.ModeSymlink != 0:
			r.notice(path, "left out: it is a link out of the project, or to nothing")
		default:
			r.notice(path, "left out: %v", cause(err))
		}
		return
	}
}

func (r *reader) add(path, label string, info fs.FileInfo, open func(string, int, fs.FileMode) (*os.File, error)) {
	name := path
	if label != path {
		name = filepath.FromSlash(label) // relative to the root that open belongs to
	}
	if !info.Mode().IsRegular() { // opening a device may already do something
		r.notice(path, "left out: %v", errNotRegular)
		return
	}
	for _, f := range r.found {
		if os.SameFile(f.info, info) {
			return
		}
	}
	b, size, err := readFile(open, name, r.max+utf8.UTFMax)
	if err != nil {
		r.notice(path, "left out: %v", cause(err))
		return
	}
	part := size > len(b)
	if part {
		b = wholeCharacters(b)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) {
		r.notice(path, "left out: it is not UTF-8 text")
		return
	}
	if text := strings.TrimSpace(escape(string(b))); text != "" {
		r.found = append(r.found, found{File: File{Path: path, Bytes: size, Cut: part}, label: label, text: text, info: info})
	}
}

// wholeCharacters drops a character that the end of b cuts.
func wholeCharacters(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// share gives each file its part of the limit, the nearest first.
func (r *reader) share() {
	left := r.max
	for i := range slices.Backward(r.found) {
		f := &r.found[i]
		if len(f.text) > left {
			f.text, f.Cut = beginning(f.text, left), true
		}
		left -= len(f.text)
	}
	for _, f := range r.found {
		if f.Cut {
			r.notice(f.Path, "cut to its first %d of %d bytes: all instruction files together may have %d", len(f.text), f.Bytes, r.max)
		}
	}
}

// beginning returns whole lines of s, at most n bytes, or as much of its first
// line as fits.
func beginning(s string, n int) string {
	s = s[:n]
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		return s[:i]
	}
	return string(wholeCharacters([]byte(s)))
}

func (f *found) wrapped(max int) string {
	s := fmt.Sprintf("<project_instructions path=\"%s\">\n%s\n", escapeAttribute(f.label), f.text)
	if f.Cut {
		s += fmt.Sprintf("[cut: these are the first %d of %d bytes, because all instruction files together may have %d; read the file for the rest]\n", len(f.text), f.Bytes, max)
	}
	return s + "</project_instructions>\n"
}

// cause drops the operation and the path that the notice has already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
