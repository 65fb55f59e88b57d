package shell

import (
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxStats bounds the questions put to the file system for one line. Beyond
// it every path is taken to exist where it seems to be.
const maxStats = 4096

// A Place is where a command would run and how to ask about its files.
type Place struct {
	// Dir is the directory the command starts in, Workspace the one it may
	// write to, Home and Temp the user's and the temporary directory. All are
	// absolute; an empty Dir means Workspace, an empty Temp os.TempDir().
	Dir, Workspace, Home, Temp string
	// Own are the absolute paths of the folders in which zuno keeps its
	// configuration and its record, where they are not the usual ones.
	Own []string
	// Secrets are absolute paths of what keeps credentials, from [Secrets].
	Secrets []string
	// Lstat and Readlink ask the file system; nil means package os.
	Lstat    func(path string) (fs.FileInfo, error)
	Readlink func(path string) (string, error)
	// Earlier is an analysis made before; the zero value is none. Where it is of
	// the same line and place, and the file system still says the same, it is the
	// answer.
	Earlier Analysis

	spell spelling // of paths in commands, that of the system when it is nil
}

func (at Place) complete() Place {
	if at.Dir == "" {
		at.Dir = at.Workspace
	}
	if at.Workspace == "" {
		at.Workspace = at.Dir
	}
	if at.Temp == "" {
		at.Temp = os.TempDir()
	}
	if at.Lstat == nil {
		at.Lstat = os.Lstat
	}
	if at.Readlink == nil {
		at.Readlink = os.Readlink
	}
	if at.spell == nil {
		at.spell = systemSpelling()
	}
	if at.spell != nil {
		return at.spelled()
	}
	return at
}

// A target is one path that a command names: as written and cleaned, and with
// symbolic links followed.
type target struct {
	lexical, real string
	exists, dir   bool
}

// targets resolves a path argument against every directory that may be
// current. It returns false when the path cannot be known.
func (s *scan) targets(w word) ([]target, bool) {
	if w.dyn != "" || w.text == "" || s.env.remote {
		return nil, false
	}
	return s.paths(nil, w.text)
}

// paths appends what a text names, in every directory that may be current.
func (s *scan) paths(out []target, text string) ([]target, bool) {
	if text == "~" || strings.HasPrefix(text, "~/") {
		if s.at.Home == "" {
			return nil, false
		}
		text = s.at.Home + text[1:]
	}
	if s.at.spell != nil {
		spelled, why := s.at.spell(text)
		if why != "" {
			s.dynamic(why)
			s.strange(why)
			s.raise(why)
			return nil, false
		}
		text = spelled
	}
	if strings.HasPrefix(text, "/") {
		return append(out, s.look(text)), true
	}
	if len(s.env.dirs) == 0 {
		return nil, false
	}
	for _, d := range s.env.dirs {
		out = append(out, s.look(d+"/"+text))
	}
	return out, true
}

func (s *scan) look(p string) target {
	p = s.unproc(p)
	t := target{lexical: path.Clean(p)}
	t.real = t.lexical
	if s.stats > maxStats {
		t.exists = true
		return t
	}
	t.real, t.exists, t.dir = s.follow(p)
	return t
}

// unproc undoes the detours through /proc and macOS' /private.
func (s *scan) unproc(p string) string {
	if rest, ok := strings.CutPrefix(p, "/private/"); ok {
		return "/" + rest
	}
	if !strings.Contains(p, "proc") {
		return p
	}
	for range 8 {
		rest, ok := strings.CutPrefix(path.Clean(p), "/proc/")
		if !ok {
			return p
		}
		_, rest, _ = strings.Cut(rest, "/") // the process
		if sub, ok := strings.CutPrefix(rest, "task/"); ok {
			_, rest, _ = strings.Cut(sub, "/")
		}
		what, rest, _ := strings.Cut(rest, "/")
		switch {
		case what == "root":
			p = "/" + rest
		case what == "cwd" && len(s.env.dirs) > 0:
			p = s.env.dirs[0] + "/" + rest
		default:
			return p
		}
	}
	return p
}

// follow walks a path as the kernel would, so that ".." after a symbolic link
// means the parent of the link's target. What does not exist is kept as it is.
func (s *scan) follow(p string) (real string, exists, dir bool) {
	if real, exists, dir, ok := s.stroll(p); ok {
		return real, exists, dir
	}
	todo := strings.Split(p, "/")
	cur, hops := "/", 0
	exists, dir = true, true
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			cur = path.Dir(cur)
			continue
		}
		next := strings.TrimSuffix(cur, "/") + "/" + name
		s.stats++
		is := s.lstat(next)
		switch {
		case !is.there:
			return path.Join(next, strings.Join(todo, "/")), false, false
		case is.link && hops < 40:
			hops++
			is := s.readlink(next)
			if !is.ok {
				break
			}
			if strings.HasPrefix(is.to, "/") {
				cur = "/"
			}
			todo = append(strings.Split(is.to, "/"), todo...)
			continue
		default:
			dir = is.dir
		}
		cur = next
	}
	return cur, exists, dir
}

// stroll is follow for what it mostly meets: a clean path without a link. For
// others it is not ok, and counts nothing.
func (s *scan) stroll(p string) (real string, exists, dir, ok bool) {
	if len(p) < 2 || p[0] != '/' || p != path.Clean(p) {
		return "", false, false, false
	}
	n := 0
	for end := 0; end < len(p); {
		if i := strings.IndexByte(p[end+1:], '/'); i < 0 {
			end = len(p)
		} else {
			end += 1 + i
		}
		n++
		is := s.lstat(p[:end])
		switch {
		case is.link:
			return "", false, false, false
		case !is.there:
			s.stats += n
			return p, false, false, true
		}
		dir = is.dir
	}
	s.stats += n
	return p, true, dir, true
}

// A fact is what the file system said of one path.
type fact struct{ there, link, dir bool }

// lstat asks the file system about a path once.
func (s *scan) lstat(p string) fact {
	if is, ok := s.facts[p]; ok {
		return is
	}
	is := s.at.lstat(p)
	s.facts[p] = is
	return is
}

// readlink asks the file system where a symbolic link leads, once.
func (s *scan) readlink(p string) link {
	is, ok := s.links[p]
	if !ok {
		is = s.at.readlink(p)
		s.links[p] = is
	}
	return is
}

func (at *Place) lstat(p string) fact {
	info, err := at.Lstat(p)
	if err != nil {
		return fact{}
	}
	return fact{there: true, link: info.Mode()&fs.ModeSymlink != 0, dir: info.IsDir()}
}

func (at *Place) readlink(p string) link {
	to, err := at.Readlink(p)
	return link{to: to, ok: err == nil}
}

// below reports whether p is dir or inside it.
func below(p, dir string) bool {
	if dir == "" {
		return false
	}
	return belowClean(p, path.Clean(dir))
}

// belowClean is below for a dir that is known to be clean.
func belowClean(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return ok && (rest == "" || rest[0] == '/') || dir == "/"
}

func strictlyBelow(p, dir string) bool { return below(p, dir) && p != path.Clean(dir) }

// within reports whether a path stays in root, links followed on both sides.
func (s *scan) within(t target, root string) bool {
	if root == "" {
		return false
	}
	return belowClean(t.real, s.rootOf(root)) // follow returns clean paths
}

// rootOf is root with its symbolic links followed, worked out once.
func (s *scan) rootOf(root string) string {
	if r, ok := s.roots[root]; ok {
		return r
	}
	r, _, _ := s.follow(root)
	s.roots[root] = r
	return r
}

func (s *scan) inWorkspace(t target) bool { return s.within(t, s.at.Workspace) }

func (s *scan) inTemp(t target) bool {
	return s.within(t, s.at.Temp) && t.real != s.rootOf(s.at.Temp) || strictlyBelow(t.lexical, "/tmp") && strictlyBelow(t.real, "/tmp")
}

// harmlessDevice reports the devices that a redirection may always name.
func harmlessDevice(p string) bool {
	return strings.HasPrefix(p, "/") && oneOf(p, "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty") ||
		strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/proc/self/fd/")
}

// candidates are the paths that an argument may hand to a program. Where a
// colon follows the letter of a drive, it separates nothing.
func (s *scan) candidates(out []string, text string) []string {
	if s.at.spell != nil && len(text) > 2 && isLetter(text[0]) && text[1] == ':' && (text[2] == '/' || text[2] == '\\') {
		return append(out, text)
	}
	return candidates(out, text)
}

// candidates are the paths that an argument may hand to a program: itself, and
// what follows an equals sign, an @, a short option or a file URL.
// They are appended to out.
func candidates(out []string, text string) []string {
	if text == "" || text == "-" {
		return out
	}
	add := func(out []string, s string) []string {
		if s = strings.TrimPrefix(s, "@"); s != "" {
			out = append(out, s)
		}
		return out
	}
	if text[0] != '-' {
		out = add(out, text)
	}
	if _, v, ok := strings.Cut(text, "="); ok {
		out = add(out, v)
	}
	if len(text) > 2 && text[0] == '-' && text[1] != '-' {
		out = add(out, text[2:])
	}
	if strings.IndexByte(text, ':') < 0 {
		return out
	}
	if _, v, ok := strings.Cut(text, "file://"); ok {
		out = add(out, v)
	}
	if !strings.Contains(text, "://") {
		for part := range strings.SplitSeq(text, ":") {
			if strings.Contains(part, "/") {
				out = add(out, part)
			}
		}
	}
	return out
}
