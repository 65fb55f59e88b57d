package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of one look at a repository.
const (
	gitTime  = 20 * time.Second
	maxIndex = 256 << 20 // bytes of it, with what it shares
)

// A repository is the one that a folder is in, to look at with git. What it says
// about programs is not asked for: when git compares files it works in a folder
// of zuno's own, with a configuration of zuno's own, a copy of the index and the
// objects of the repository. So no monitor, filter, driver or remote that the
// repository names can run, nothing is fetched, and nothing in it is written.
type repository struct {
	git string   // the program
	env []string // of every child
	dir string   // what is looked at: nothing above it

	top     string // of the working tree
	index   string
	objects string
	format  string // of the objects
	head    string // the commit, "" when there is none yet
	like    []string
}

// errNoRepository says that there is nothing to compare with.
var errNoRepository = errors.New("this folder is in no git repository")

// inRepository reports whether dir seems to be in one.
func inRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// openRepository finds the repository of the workspace. The questions it asks
// git run nothing.
func (p *plan) openRepository(ctx context.Context) (*repository, error) {
	if !inRepository(p.root) {
		return nil, errNoRepository
	}
	git, err := p.lookup().Find("git")
	if err != nil {
		return nil, err
	}
	r := &repository{git: git, dir: p.root}
	r.env = append(p.environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ALLOW_PROTOCOL=none", "GIT_ATTR_NOSYSTEM=1")
	out, err := r.ask(ctx, "rev-parse", "--show-toplevel", "--show-object-format", "--git-path", "index", "--git-path", "objects")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 || lines[0] == "" {
		return nil, fmt.Errorf("git: the repository is not understood")
	}
	r.top, r.format, r.index, r.objects = lines[0], lines[1], r.abs(lines[2]), r.abs(lines[3])
	if rel, err := filepath.Rel(r.top, r.dir); err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("git: the files of the repository are elsewhere, in %s", tools.CleanLine(r.top))
	}
	head, err := r.ask(ctx, "rev-parse", "--revs-only", "HEAD")
	if err != nil {
		return nil, err
	}
	if r.head = strings.TrimSpace(head); r.head != "" && !regexp.MustCompile(`^[0-9a-f]{40,64}$`).MatchString(r.head) {
		return nil, fmt.Errorf("git: HEAD is not understood")
	}
	r.like = r.settings(ctx)
	return r, nil
}

func (r *repository) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// settings returns what the configuration says of how files are written, which
// names no program, as options of git.
func (r *repository) settings(ctx context.Context) []string {
	out, err := r.ask(ctx, "config", "--null", "--get-regexp", `^core\.(autocrlf|eol|filemode|ignorecase|symlinks|precomposeunicode|excludesfile)$`)
	if err != nil {
		return nil // there is none of it
	}
	var list []string
	for _, row := range strings.Split(out, "\x00") {
		name, value, ok := strings.Cut(row, "\n")
		if ok {
			list = append(list, "-c", name+"="+value)
		}
	}
	return list
}

// ask runs git in the repository as it is, for what runs no program.
func (r *repository) ask(ctx context.Context, args ...string) (string, error) {
	var out strings.Builder
	err := r.run(ctx, r.env, args, func(b []byte) bool {
		out.Write(b)
		return out.Len() < 1<<20
	})
	return out.String(), err
}

// run runs git. A sink that has enough ends it without an error.
func (r *repository) run(ctx context.Context, env, args []string, sink func([]byte) bool) error {
	enough := false
	res := shell.Run(ctx, shell.Cmd{
		Argv: append([]string{r.git, "--no-pager", "--literal-pathspecs"}, args...), Dir: r.dir, Env: env, Limits: shell.Limits{Time: gitTime},
		Sink: func(b []byte) bool {
			enough = !sink(b)
			return !enough
		},
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !res.Started:
		return fmt.Errorf("git: %w", res.Err)
	case enough:
		return nil
	case res.TimedOut:
		return fmt.Errorf("git: it took longer than %v", gitTime)
	case res.Exit != 0:
		line, _, _ := strings.Cut(strings.TrimSpace(string(res.Stderr.Head)), "\n")
		return fmt.Errorf("git: %s", cmp.Or(tools.CleanLine(line), fmt.Sprintf("it ended with %d", res.Exit)))
	}
	return nil
}

// aside runs git in a folder of zuno's own that has what it needs to compare.
func (r *repository) aside(ctx context.Context, do func(run func(sink func([]byte) bool, args ...string) error) error) (err error) {
	dir, err := os.MkdirTemp("", "zuno-git-")
	if err != nil {
		return fmt.Errorf("look at the repository: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := r.furnish(dir); err != nil {
		return fmt.Errorf("look at the repository: %w", err)
	}
	env := append(append([]string{}, r.env...), "GIT_DIR="+dir, "GIT_WORK_TREE="+r.top, "GIT_INDEX_FILE="+filepath.Join(dir, "index"),
		"GIT_OBJECT_DIRECTORY="+r.objects, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	return do(func(sink func([]byte) bool, args ...string) error {
		all := append([]string{"-c", "core.quotePath=false", "-c", "core.fsmonitor=false"}, r.like...)
		return r.run(ctx, env, append(all, args...), sink)
	})
}

// furnish makes the folder: see gitrepository-layout(5).
func (r *repository) furnish(dir string) error {
	version, more := 0, ""
	if r.format != "sha1" {
		version, more = 1, "[extensions]\n\tobjectFormat = "+r.format+"\n"
	}
	head := cmp.Or(r.head, "ref: refs/heads/none")
	err := errors.Join(
		os.Mkdir(filepath.Join(dir, "refs"), 0o700), os.Mkdir(filepath.Join(dir, "info"), 0o700),
		os.WriteFile(filepath.Join(dir, "HEAD"), []byte(head+"\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "config"), fmt.Appendf(nil, "[core]\n\trepositoryformatversion = %d\n\tbare = false\n%s", version, more), 0o600),
	)
	room := int64(maxIndex)
	shared, globErr := filepath.Glob(filepath.Join(filepath.Dir(r.index), "sharedindex.*"))
	for _, path := range append(shared, r.index) {
		err = errors.Join(err, copyIndex(path, filepath.Join(dir, filepath.Base(path)), &room))
	}
	exclude := filepath.Join(filepath.Dir(r.objects), "info", "exclude")
	return errors.Join(err, globErr, copyIndex(exclude, filepath.Join(dir, "info", "exclude"), &room))
}

// copyIndex copies a file with its time, by which git tells what may have
// changed since it was written. None is none.
func copyIndex(from, to string, room *int64) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if *room -= info.Size(); !info.Mode().IsRegular() || *room < 0 {
		return fmt.Errorf("%s is no file or too large", tools.CleanLine(from))
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, info.Size()))
	return errors.Join(err, out.Close(), os.Chtimes(to, info.ModTime(), info.ModTime()))
}
