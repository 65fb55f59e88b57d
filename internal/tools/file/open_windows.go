package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// errFull is the error of a file system without room.
const errFull = windows.ERROR_DISK_FULL

const (
	shareAll = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	// itself opens what a name stands for and not what it leads to, for reads and
	// writes that end when they return.
	itself = windows.FILE_OPEN_REPARSE_POINT | windows.FILE_SYNCHRONOUS_IO_NONALERT | windows.FILE_OPEN_FOR_BACKUP_INTENT
	// searchOnly opens a folder that may be passed through but not listed.
	searchOnly = windows.FILE_TRAVERSE | windows.FILE_READ_ATTRIBUTES | windows.SYNCHRONIZE
)

// ntOpen opens, or makes, one name in the folder that in is open at; in 0 the
// name is a whole path of the system. The native interface takes a name as it
// stands: no blank is left out and nothing is a device.
func ntOpen(in int, name string, access, attributes, share, disposition, options uint32) (int, error) {
	text, err := windows.NewNTUnicodeString(name)
	if err != nil {
		return 0, err
	}
	oa := windows.OBJECT_ATTRIBUTES{
		RootDirectory: windows.Handle(in), ObjectName: text, Attributes: windows.OBJ_CASE_INSENSITIVE,
	}
	oa.Length = uint32(unsafe.Sizeof(oa))
	var h windows.Handle
	var status windows.IO_STATUS_BLOCK
	err = windows.NtCreateFile(&h, access, &oa, &status, nil, attributes, share, disposition, options, 0, 0)
	return int(h), plain(err)
}

// plain is the error of the native interface as other calls would return it.
func plain(err error) error {
	var status windows.NTStatus
	if !errors.As(err, &status) {
		return err
	}
	switch status {
	case windows.STATUS_SUCCESS:
		return nil
	case windows.STATUS_NOT_A_DIRECTORY:
		return syscall.ENOTDIR
	case windows.STATUS_REPARSE_POINT_ENCOUNTERED:
		return syscall.ELOOP
	}
	return status.Errno()
}

// at opens base of d.
func (d dir) at(base string, access, attributes, share, disposition, options uint32) (int, error) {
	if base == "" || base == "." || base == ".." || strings.ContainsAny(base, `\/:`) {
		return 0, errors.New("that is no name in a folder")
	}
	return ntOpen(d.fd, base, access, attributes, share, disposition, options|itself)
}

func (d dir) close() { _ = closeFile(d.fd) } // nothing was written through it

// openDir opens the folder at a real path, component by component, and refuses
// links and junctions: a real path has none.
func openDir(real string) (dir, error) {
	volume := filepath.VolumeName(real)
	root := `\??\` + volume + `\`
	if share, ok := strings.CutPrefix(volume, `\\`); ok {
		root = `\??\UNC\` + share + `\`
	}
	fd, err := ntOpen(0, root, searchOnly, 0, shareAll, windows.FILE_OPEN, windows.FILE_DIRECTORY_FILE|itself)
	if err != nil {
		return dir{}, err
	}
	d := dir{fd}
	for c := range strings.SplitSeq(real[len(volume):], `\`) {
		if c == "" {
			continue
		}
		next, err := d.at(c, searchOnly, 0, shareAll, windows.FILE_OPEN, windows.FILE_DIRECTORY_FILE)
		d.close()
		if err != nil {
			return dir{}, err
		}
		d = dir{next}
		if _, link, err := linkOf(next); err != nil || link {
			d.close()
			return dir{}, errors.Join(err, syscall.ELOOP)
		}
	}
	return d, nil
}

// retry calls f: nothing interrupts a call here.
func retry(f func() (int, error)) (int, error) { return f() }

// open opens the regular file base of d. What it is is looked at twice: before,
// and after, on the open file, because only that is certain.
func (d dir) open(base string) (*reader, error) {
	s, err := d.stat(base)
	if err != nil {
		return nil, err
	}
	if kind := s.notFile(); kind != "" {
		return nil, errKind{kind}
	}
	fd, err := d.at(base, windows.FILE_GENERIC_READ, 0, shareAll, windows.FILE_OPEN, windows.FILE_NON_DIRECTORY_FILE)
	if err != nil {
		return nil, err
	}
	r := &reader{fd: fd}
	if r.stat, err = statOf(fd); err != nil {
		r.close()
		return nil, err
	}
	if kind := r.stat.notFile(); kind != "" {
		r.close()
		return nil, errKind{kind}
	}
	return r, nil
}

func (r *reader) close() { _ = closeFile(r.fd) } // nothing was written through it

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := windows.Read(windows.Handle(r.fd), p)
	switch {
	case errors.Is(err, windows.ERROR_HANDLE_EOF), err == nil && n == 0 && len(p) > 0:
		return 0, io.EOF
	case err != nil:
		return 0, err
	}
	return n, nil
}

// list returns d itself, open for listing.
func (d dir) list(name string) (*os.File, error) {
	fd, err := ntOpen(d.fd, "", windows.FILE_LIST_DIRECTORY|windows.FILE_READ_ATTRIBUTES|windows.SYNCHRONIZE, 0, shareAll, windows.FILE_OPEN, windows.FILE_DIRECTORY_FILE|itself)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
