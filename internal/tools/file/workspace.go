package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A Workspace is the one authority on paths: it says which file a name really
// is, whether that file lies inside the folder that zuno works in, and
// whether it is one that only a person may let a tool change. It does not
// change after NewWorkspace.
type Workspace struct {
	root      string   // real, absolute
	home      string   // "" when there is none
	protected []string // real, absolute
	readable  string   // absolute, "" for none
}

// NewWorkspace returns the authority for root, which may be named relative or
// through symbolic links. Files at and below the protected paths, such as
// zuno's own configuration and data folders, need a person's consent for every
// change; they may be missing yet.
func NewWorkspace(root string, protected ...string) (*Workspace, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("workspace %s: %w", root, err)
	}
	w := &Workspace{}
	if w.root, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("workspace %s: %w", root, err)
	}
	if w.root, err = realPath(w.root); err != nil { // where a system has more than links
		return nil, fmt.Errorf("workspace %s: %w", root, err)
	}
	if st, err := os.Stat(w.root); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("workspace %s: not a directory", root)
	}
	w.home, _ = os.UserHomeDir() // without a home, ~/ is refused where it is used
	for _, p := range protected {
		if p, err = filepath.Abs(p); err != nil {
			return nil, fmt.Errorf("protected path %s: %w", p, err)
		}
		real, err := realPath(p)
		if err != nil {
			return nil, fmt.Errorf("protected path %s: %w", p, err)
		}
		w.protected = append(w.protected, real)
	}
	return w, nil
}

// Readable returns w with one folder outside of it whose files may be read
// like its own: that of output which was too long to show.
func (w Workspace) Readable(dir string) *Workspace {
	w.readable = dir
	return &w
}

// reads reports whether p may be read without a person's consent.
func (w *Workspace) reads(p Place) bool {
	if p.Inside || w.readable == "" {
		return p.Inside
	}
	dir, err := realPath(w.readable)
	if err != nil {
		return false
	}
	_, ok := within(dir, p.Real)
	return ok
}

// Root returns the real, absolute path of the workspace.
func (w *Workspace) Root() string { return w.root }

// A Place is what a name stands for.
type Place struct {
	// Name is how people and rules see it: relative to the workspace, with
	// slashes, and absolute when it lies outside.
	Name string
	// Real is its absolute path with all symbolic links resolved, those of a
	// file that is missing yet included.
	Real   string
	Inside bool
	// Linked says that a symbolic link was on the way, so that Real is not
	// what the name looks like.
	Linked bool
	// Guard, when not "", says why only a person may allow a change of it.
	Guard  string
	asked  string // as it was named, to be resolved again
	entry  bool   // it names the thing itself, also when that is a link
	path   string // absolute and clean, links not resolved
	target string // Real as people see it: relative when inside
}

// Resolve works out what name stands for. Relative names start at the root of
// the workspace and "~/" at the home folder. It reads symbolic links and
// nothing else; the file need not exist.
func (w *Workspace) Resolve(name string) (Place, error) {
	path, err := w.absolute(name)
	if err != nil {
		return Place{}, err
	}
	real, err := realPath(path)
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", name, err)
	}
	p := Place{Name: real, Real: real, Linked: real != path, asked: name, path: path, target: real}
	if rel, ok := within(w.root, real); ok {
		p.Inside, p.target = true, filepath.ToSlash(rel)
		p.Name = p.target
		if named, ok := within(w.root, path); ok {
			p.Name = filepath.ToSlash(named)
		} else if p.Linked { // only the way to the workspace had links
			p.Linked = false
		}
	}
	p.Guard = w.guard(path, real)
	return p, nil
}

// absolute returns the absolute, clean path that name stands for, with its
// links.
func (w *Workspace) absolute(name string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("the path is empty")
	case strings.ContainsRune(name, 0):
		return "", fmt.Errorf("the path %q has a NUL byte", name)
	case strings.HasPrefix(name, "file://"):
		return "", fmt.Errorf("%s is an address: name the path without file://", name)
	}
	if err := judge(name, w.root); err != nil {
		return "", err
	}
	path := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok || name == "~" {
		if w.home == "" {
			return "", fmt.Errorf("%s: there is no home folder", name)
		}
		path = filepath.Join(w.home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.root, path)
	}
	return filepath.Clean(path), nil
}

// Entry works out what name stands for, like Resolve, but when the last part of
// it is a symbolic link, the place is the link and not what it leads to.
func (w *Workspace) Entry(name string) (Place, error) {
	path, err := w.absolute(name)
	if err != nil {
		return Place{}, err
	}
	dir, base := filepath.Split(path)
	if base == "" { // the root of the file system
		return w.real(path), nil
	}
	parent, err := realPath(filepath.Clean(dir))
	if errors.Is(err, syscall.ENOTDIR) { // nothing is there, as below a folder that is missing
		parent, err = filepath.Clean(dir), nil
	}
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", name, err)
	}
	p := w.real(filepath.Join(parent, trueName(parent, base)))
	p.asked, p.path = name, path
	p.Linked = p.Real != path
	p.Guard = w.guard(path, p.Real)
	if named, ok := within(w.root, path); p.Inside && ok {
		p.Name = filepath.ToSlash(named)
	} else if p.Inside && p.Linked { // only the way to the workspace had links
		p.Linked = false
	}
	return p, nil
}

// real returns the place of the very thing at a real path.
func (w *Workspace) real(path string) Place {
	p := Place{Name: w.name(path), Real: path, asked: path, path: path, entry: true, Guard: w.guard(path, path)}
	p.target = p.Name
	_, p.Inside = within(w.root, path)
	return p
}

// again works out what p stands for now.
func (w *Workspace) again(p Place) (Place, error) {
	if p.entry {
		return w.Entry(p.asked)
	}
	return w.Resolve(p.asked)
}

// join returns the place of rel below p.
func (p Place) join(rel string) Place {
	if rel == "" {
		return p
	}
	q := p
	q.Name, q.Real, q.asked = p.Name+"/"+rel, filepath.Join(p.Real, rel), filepath.Join(p.Real, rel)
	q.target, q.path, q.entry = q.Name, q.Real, true
	return q
}

// name is how people see a real path.
func (w *Workspace) name(real string) string {
	if rel, ok := within(w.root, real); ok {
		return filepath.ToSlash(rel)
	}
	return real
}

// named is what p was called, where Name says what it really is.
func (p Place) named() string {
	if p.Name == p.target {
		return p.asked
	}
	return p.Name
}
