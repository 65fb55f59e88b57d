package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxFile bounds the size of a configuration file in bytes.
const maxFile = 1 << 20

// Load reads the user's file, the one named on the command line and those of
// the project, in this order, and returns what is in force. Trust is asked about
// those of the project that say more than what tightens. The notices tell what
// the files say and that has no effect. A mistake in any file is an error
// of one line, an *[Error] where it has a place in the file.
func Load(in Input) (*Config, []Notice, error) {
	paths, err := in.Paths()
	if err != nil {
		return nil, nil, err
	}
	if in.Root == "" {
		in.Root = Root(in.Dir)
	}
	l := loader{config: Default(), trust: in.Trust}
	if err := l.folder(paths.Config, false); err != nil {
		return nil, nil, err
	}
	if in.File != "" {
		file := in.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(in.Dir, file)
		}
		if err := l.file(file, false); err != nil {
			return nil, nil, err
		}
	}
	for _, dir := range []string{in.Root, filepath.Join(in.Root, ".zuno")} {
		if err := l.folder(dir, true); err != nil {
			return nil, nil, err
		}
	}
	l.config.complete()
	if err := l.config.servers(); err != nil {
		return nil, nil, err
	}
	return l.config, l.notices, nil
}

type loader struct {
	config  *Config
	notices []Notice
	trust   func(path, text string) bool // nil trusts nothing
	seen    []fs.FileInfo                // the files that were read
}

// folder reads the configuration file of dir, where there is one.
func (l *loader) folder(dir string, project bool) error {
	plain, comments := filepath.Join(dir, "zuno.json"), filepath.Join(dir, "zuno.jsonc")
	a, err := exists(plain)
	if err != nil {
		return err
	}
	b, err := exists(comments)
	if err != nil {
		return err
	}
	switch {
	case a && b:
		return fmt.Errorf("read configuration: %s and %s both exist: keep one of them", visible(plain), visible(comments))
	case a:
		return l.file(plain, project)
	case b:
		return l.file(comments, project)
	}
	return nil
}

// exists says yes to a dangling link: what was meant to be read is an error
// then, rather than rules that silently do not apply.
func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read configuration %s: %w", visible(path), reason(err))
	}
	return true, nil
}

func (l *loader) file(path string, project bool) error {
	text, info, err := read(path)
	if err != nil {
		return fmt.Errorf("read configuration %s: %w", visible(path), reason(err))
	}
	for _, s := range l.seen {
		if os.SameFile(s, info) {
			return nil // a project's file that the user has named is trusted
		}
	}
	l.seen = append(l.seen, info)
	settings, err := decode(newSource(path, bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err != nil {
		return err
	}
	f := File{Path: path, Project: project, Trusted: !project}
	if f.Beyond = l.beyond(settings, f); f.Beyond != nil {
		f.Text = string(text)
		f.Trusted = l.trust != nil && l.trust(path, f.Text)
	}
	l.config.Files = append(l.config.Files, f)
	return l.apply(settings, f)
}

// read returns a regular file's bytes. It never blocks on a pipe or reads from
// a device, whatever a project has put in the place of its file.
func read(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(info); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	if err := regular(info); err != nil {
		return nil, nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("it has more than %d KiB", maxFile>>10)
	}
	return b, info, err
}

func regular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	}
	return nil
}

// reason drops the operation and the path that the message has already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
