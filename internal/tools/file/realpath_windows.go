package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// judge returns why a name cannot be judged.
func judge(name, root string) error { return judgeWindows(name, filepath.VolumeName(root)) }

// trueName returns the long name, in the case in which it is kept, of base in
// the folder parent, and base itself where nothing is there. Links are not
// followed.
func trueName(parent, base string) string {
	p, err := windows.UTF16PtrFromString(long(filepath.Join(parent, base)))
	if err != nil {
		return base
	}
	var found windows.Win32finddata
	h, err := windows.FindFirstFile(p, &found)
	if err != nil {
		return base
	}
	_ = windows.FindClose(h) // nothing was changed through it
	return windows.UTF16ToString(found.FileName[:])
}

// long is an absolute, clean path in the form that has no length limit.
func long(path string) string {
	if rest, ok := strings.CutPrefix(path, `\\`); ok {
		return `\\?\UNC\` + rest
	}
	return `\\?\` + path
}

// realPath returns the one path of what an absolute, clean path leads to, as
// Windows itself says it: links, junctions, substituted drives, short names and
// case resolved. What is missing is taken as it is named. A link that leads
// nowhere is an error: what it would create cannot be judged.
func realPath(path string) (string, error) {
	missing := ""
	for at := path; ; {
		real, err := finalPath(at)
		if err == nil {
			return filepath.Join(real, missing), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if _, err := os.Lstat(at); err == nil {
			return "", errors.New("it goes through a link that leads nowhere")
		}
		up := filepath.Dir(at)
		if up == at {
			return "", err
		}
		missing, at = filepath.Join(filepath.Base(at), missing), up
	}
}

// finalPath asks Windows what an existing path leads to.
func finalPath(path string) (string, error) {
	p, err := windows.UTF16PtrFromString(long(path))
	if err != nil {
		return "", err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(p, 0, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = windows.CloseHandle(h) }() // nothing was written through it
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(h, &buf[0], uint32(len(buf)), 0)
	switch {
	case err != nil:
		return "", err
	case int(n) >= len(buf):
		return "", errors.New("its path is too long")
	}
	real := windows.UTF16ToString(buf[:n])
	if rest, ok := strings.CutPrefix(real, `\\?\UNC\`); ok {
		return `\\` + rest, nil
	}
	real = strings.TrimPrefix(real, `\\?\`)
	if len(real) < 3 || real[1] != ':' {
		return "", errors.New("it is on a volume without a drive letter")
	}
	return real, nil
}
