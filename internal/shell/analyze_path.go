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
	// Lstat and Readlink ask the file system; nil means package os.
	Lstat    func(path string) (fs.FileInfo, error)
	Readlink func(path string) (string, error)
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
	return s.paths(w.text)
}

func (s *scan) paths(text string) ([]target, bool) {
	if text == "~" || strings.HasPrefix(text, "~/") {
		if s.at.Home == "" {
			return nil, false
		}
		text = s.at.Home + text[1:]
	}
	if strings.HasPrefix(text, "/") {
		return []target{s.look(text)}, true
	}
	if len(s.env.dirs) == 0 {
		return nil, false
	}
	out := make([]target, 0, len(s.env.dirs))
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
		next := path.Join(cur, name)
		if !exists {
			cur = next
			continue
		}
		s.stats++
		info, err := s.at.Lstat(next)
		switch {
		case err != nil:
			exists, dir = false, false
		case info.Mode()&fs.ModeSymlink != 0 && hops < 40:
			hops++
			to, err := s.at.Readlink(next)
			if err != nil {
				break
			}
			if strings.HasPrefix(to, "/") {
				cur = "/"
			}
			todo = append(strings.Split(to, "/"), todo...)
			continue
		default:
			dir = info.IsDir()
		}
		cur = next
	}
	return cur, exists, dir
}

// below reports whether p is dir or inside it.
func below(p, dir string) bool {
	if dir == "" {
		return false
	}
	dir = path.Clean(dir)
	return p == dir || dir == "/" || strings.HasPrefix(p, dir+"/")
}

func strictlyBelow(p, dir string) bool { return below(p, dir) && p != path.Clean(dir) }

// within reports whether a path stays in root, links followed on both sides.
func (s *scan) within(t target, root string) bool {
	if root == "" {
		return false
	}
	return below(t.real, s.rootOf(root))
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
	return oneOf(p, "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty") ||
		strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/proc/self/fd/")
}

// candidates are the paths that an argument may hand to a program: itself, and
// what follows an equals sign, an @, a short option or a file URL.
func candidates(text string) []string {
	if text == "" || text == "-" {
		return nil
	}
	var out []string
	add := func(s string) {
		if s = strings.TrimPrefix(s, "@"); s != "" {
			out = append(out, s)
		}
	}
	if text[0] != '-' {
		add(text)
	}
	if _, v, ok := strings.Cut(text, "="); ok {
		add(v)
	}
	if len(text) > 2 && text[0] == '-' && text[1] != '-' {
		add(text[2:])
	}
	if _, v, ok := strings.Cut(text, "file://"); ok {
		add(v)
	}
	if strings.Contains(text, ":") && !strings.Contains(text, "://") {
		for _, part := range strings.Split(text, ":") {
			if strings.Contains(part, "/") {
				add(part)
			}
		}
	}
	return out
}
