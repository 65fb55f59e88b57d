package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// applicationID marks a database as zuno's ("zuno" in ASCII); see PRAGMA
// application_id.
const applicationID = 0x7a756e6f

// dsn is how the driver is told to open path. The path is escaped, for it
// stands in a URI.
func dsn(path string, pragmas ...string) string {
	q := "_txlock=immediate&_dqs=0&_defensive=1&_error_rc=1"
	for _, p := range append([]string{"busy_timeout(5000)", "synchronous(NORMAL)", "foreign_keys(1)", "journal_size_limit(16777216)"}, pragmas...) {
		q += "&_pragma=" + p
	}
	u := url.URL{Scheme: "file", Path: slashed(path), RawQuery: q}
	return u.String()
}

// slashed is a path as it stands in a URI: that of a drive begins with a slash
// too.
func slashed(path string) string {
	if p := filepath.ToSlash(path); filepath.VolumeName(path) != "" && p[0] != '/' {
		return "/" + p
	}
	return filepath.ToSlash(path)
}

// prepare looks at the file at path before SQLite may touch it, makes it when
// there is none, and returns its absolute path.
func prepare(path string, version int) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find the record %s: %w", path, err)
	}
	err = inspect(path, version)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
	case orphaned(path):
		// SQLite would remove a log that is beside a new database.
		err = unusable(path, "is gone, though the newest part of it is there: put it back, or move %s-wal away too", filepath.Base(path))
	default:
		err = create(path)
	}
	if err != nil {
		return "", err
	}
	align(path)
	return path, nil
}

// align lets the owner write the logs of a database that they may write: SQLite
// makes them with the mode that the database has then, and a database that was
// read-only for a while would stay so by what is left beside it.
func align(path string) {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o200 == 0 {
		return
	}
	for _, part := range []string{"-wal", "-shm"} {
		if log, err := os.Lstat(path + part); err == nil && log.Mode().IsRegular() && log.Mode().Perm()&0o200 == 0 {
			_ = os.Chmod(path+part, 0o600) // SQLite says what stays wrong
		}
	}
}

// create makes an empty file that only its owner may read, whatever the umask,
// and makes its name last through a loss of power.
func create(path string) error {
	fail := func(err error) error {
		return fmt.Errorf("make the record %s: %w; %s", path, err, elsewhere)
	}
	dir := filepath.Dir(path)
	if err := makeDirs(dir); err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return fail(err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Close(), syncDir(dir)); err != nil {
		return fail(err)
	}
	return nil
}

// makeDirs makes the missing ones of dir and its parents, for their owner only.
func makeDirs(dir string) error {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory", dir)
		}
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := makeDirs(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil // another process was faster
		}
		return err
	}
	return os.Chmod(dir, 0o700)
}

// inspect returns an error when path is not a database that a zuno of this
// version may open. It reads the file's header and no more: to open a foreign
// file with SQLite could change it already. (The layout of the header:
// https://www.sqlite.org/fileformat2.html#the_database_header.)
func inspect(path string, version int) error {
	info, err := os.Stat(path)
	if err != nil {
		return unreadable(path, err)
	}
	if info.IsDir() {
		return unusable(path, "is a directory")
	}
	f, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	var header [100]byte
	n, err := io.ReadFull(f, header[:])
	if cerr := f.Close(); cerr != nil || err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable(path, errors.Join(err, cerr))
	}
	switch {
	case n == 0 && orphaned(path):
		return damaged(path, "it is empty, though there is a "+filepath.Base(path)+"-wal")
	case n == 0:
		return nil // made, not filled yet
	case size(path+"-journal") > 0:
		return nil // SQLite must undo a broken transaction first
	case n < len(header) || !strings.HasPrefix(string(header[:]), "SQLite format 3\x00"):
		return damaged(path, "it does not begin like a database")
	}
	if err := identify(path, int(binary.BigEndian.Uint32(header[68:])), int(binary.BigEndian.Uint32(header[60:])), version); err != nil {
		return err
	}
	if walMissing(path) {
		return unusable(path, "has lost its newest part, the file %s-wal: put that back, or remove %[1]s-shm to go on with the older part", filepath.Base(path))
	}
	return nil
}

// identify checks whose database it is, and of which version.
func identify(path string, application, found, version int) error {
	switch {
	case application != applicationID:
		return unusable(path, "is a database of another program")
	case found > version:
		return unusable(path, "was written by a newer zuno (format %d; this one knows %d): update zuno", found, version)
	}
	return nil
}

// orphaned reports whether there is a write-ahead log without a database. One
// that is being made has its first page before it has a log.
func orphaned(path string) bool { return size(path+"-wal") > 0 && size(path) <= 0 }

// walMissing reports whether someone took the write-ahead log away. SQLite
// makes it before the -shm file and removes it after, so that it is missing
// only for an instant while another process closes the database.
func walMissing(path string) bool {
	for range 5 {
		if size(path+"-shm") < 0 || size(path+"-wal") >= 0 {
			return false
		}
		<-time.After(5 * time.Millisecond)
	}
	return true
}

// size returns the size of a file, and -1 when there is none.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("read the record %s: %w; make it readable, or %s", path, err, elsewhere)
}
