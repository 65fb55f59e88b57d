package shell

import (
	"io/fs"
	"testing/fstest"
)

func noFile(string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }
func noLink(string) (string, error)      { return "", fs.ErrNotExist }

// with is a place with files; names end in "/" for directories.
func with(names ...string) Place {
	files := fstest.MapFS{}
	for _, n := range names {
		if n[len(n)-1] == '/' {
			files[n[1:len(n)-1]] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			files[n[1:]] = &fstest.MapFile{Mode: 0o644}
		}
	}
	at := place()
	at.Lstat = func(p string) (fs.FileInfo, error) { return files.Stat(p[1:]) }
	return at
}
