//go:build unix

package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
)

func TestTheDatabaseIsForItsOwnerOnlyWhateverTheUmask(t *testing.T) {
	for _, mask := range []int{0, 0o777} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a", "b", "zuno.db")
		old := syscall.Umask(mask)
		s, err := store.Open(path, nil)
		if err == nil {
			j := newSession(t, s, store.Meta{})
			must(t, j.Append(llm.UserText("x")))
		}
		syscall.Umask(old)
		must(t, err)
		for name, want := range map[string]fs.FileMode{
			path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
			filepath.Join(dir, "a"): 0o700 | fs.ModeDir, filepath.Join(dir, "a", "b"): 0o700 | fs.ModeDir,
		} {
			info, err := os.Stat(name)
			must(t, err)
			if info.Mode() != want {
				t.Errorf("with umask %o, %s is %v, not %v", mask, name, info.Mode(), want)
			}
		}
		must(t, s.Close())
	}
}

func TestAPathMayHoldAnyCharacter(t *testing.T) {
	for _, name := range []string{"a b", "q?mode=ro", "h#sh", "p%41%", "ü&x=1", "semi;colon", "new\nline", "_pragma=x", `back\slash`} {
		path := filepath.Join(t.TempDir(), name, name+".db")
		s := openAt(t, path)
		must(t, newSession(t, s, store.Meta{}).Append(llm.UserText("x")))
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 3 {
			t.Error(entries, err)
		}
	}
}

func TestARelativePathIsTheWorkingDirectorys(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, err := store.Open("zuno.db", nil)
	must(t, err)
	t.Chdir(t.TempDir())
	must(t, newSession(t, s, store.Meta{}).Append(llm.UserText("x")))
	if _, err := s.Sessions(1); err != nil {
		t.Error(err)
	}
	must(t, s.Close())
	if _, err := os.Stat(filepath.Join(dir, "zuno.db")); err != nil {
		t.Error(err)
	}
}

// closedDB makes a database of some hundred pages.
func closedDB(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, nil)
	must(t, err)
	must(t, fill(t, s, 100).Close())
	must(t, s.Close())
	return path
}

// crashedDB makes a database that a process left behind when it was killed.
func crashedDB(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "zuno.db")
	if out, err := childCommand("crash", path, len(script())).CombinedOutput(); err == nil || len(out) > 0 {
		t.Fatal(err, string(out))
	}
	return path
}

func overwrite(t *testing.T, path string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt(b, at)
	must(t, errors.Join(err, f.Close()))
}

func TestAFileThatCannotBeUsedIsNamedAndLeftAlone(t *testing.T) {
	onlyOne(t)
	zeros := make([]byte, 4096)
	for _, c := range []struct {
		name string
		make func(t *testing.T) string
		want []string
	}{
		{"zeros over the first page", func(t *testing.T) string {
			path := closedDB(t)
			overwrite(t, path, 0, zeros)
			return path
		}, []string{"is damaged", "move it aside"}},
		{"zeros over the second page", func(t *testing.T) string {
			path := closedDB(t)
			overwrite(t, path, 4096, zeros)
			return path
		}, []string{"is damaged", "move it aside"}},
		{"zeros over a page of the middle", func(t *testing.T) string {
			path := closedDB(t)
			info, err := os.Stat(path)
			must(t, err)
			overwrite(t, path, info.Size()/2/4096*4096, zeros)
			return path
		}, []string{"is damaged", "move it aside"}},
		{"cut in half", func(t *testing.T) string {
			path := closedDB(t)
			info, err := os.Stat(path)
			must(t, err)
			must(t, os.Truncate(path, info.Size()/2))
			return path
		}, []string{"is damaged", "move it aside"}},
		{"emptied while there is a log", func(t *testing.T) string {
			path := crashedDB(t)
			must(t, os.Truncate(path, 0))
			return path
		}, []string{"is damaged", "zuno.db-wal"}},
		{"gone without its log", func(t *testing.T) string {
			path := crashedDB(t)
			must(t, os.Remove(path))
			return path
		}, []string{"is gone", "put it back, or move zuno.db-wal away too"}},
		{"the log taken away", func(t *testing.T) string {
			path := crashedDB(t)
			must(t, os.Remove(path+"-wal"))
			return path
		}, []string{"zuno.db-wal", "put that back, or remove zuno.db-shm"}},
		{"a directory", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "zuno.db")
			must(t, os.Mkdir(path, 0o700))
			return path
		}, []string{"is a directory", "move it aside"}},
		{"below a file", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "file")
			must(t, os.WriteFile(path, []byte("x"), 0o600))
			return filepath.Join(path, "zuno.db")
		}, []string{"not a directory"}},
		{"of a newer zuno", func(t *testing.T) string {
			path := closedDB(t)
			rawExec(t, path, `PRAGMA user_version = 999`)
			return path
		}, []string{"newer zuno (format 999", "update zuno"}},
		{"of a newer zuno that was killed", func(t *testing.T) string {
			path := crashedDB(t)
			s := openAt(t, path) // so that the next does not check in at its end
			_, err := s.Sessions(1)
			must(t, err)
			rawExec(t, path, `PRAGMA user_version = 999`)
			return path
		}, []string{"newer zuno (format 999", "update zuno"}},
		{"of another program", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "zuno.db")
			rawExec(t, path, `CREATE TABLE notes (x); INSERT INTO notes VALUES (1)`)
			return path
		}, []string{"database of another program", "move it aside"}},
		{"a text", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "zuno.db")
			must(t, os.WriteFile(path, []byte("my notes\n"), 0o644))
			return path
		}, []string{"does not begin like a database", "move it aside"}},
		{"a long text", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "zuno.db")
			must(t, os.WriteFile(path, bytes.Repeat([]byte("my notes\n"), 1000), 0o644))
			return path
		}, []string{"does not begin like a database", "move it aside"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.make(t)
			before := contents(t, path)
			err := useAll(path)
			if err == nil {
				t.Fatal("it can be used")
			}
			for _, want := range append(c.want, path, "ZUNO_HOME") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has more than one line: %v", err)
			}
			if after := contents(t, path); !bytes.Equal(after, before) {
				t.Error("the file was changed")
			}
		})
	}
}

// useAll opens a database, reads all that is in it and adds to it.
func useAll(path string) (err error) {
	s, err := store.Open(path, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	list, err := s.Sessions(0)
	if err != nil {
		return err
	}
	for _, m := range list {
		if _, _, err := s.Read(m.ID); err != nil {
			return err
		}
	}
	return s.Check()
}

// contents is what is at path and beside it, the shared memory index excepted.
func contents(t *testing.T, path string) []byte {
	t.Helper()
	var all []byte
	for _, name := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(name)
		all = append(all, b...)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EISDIR) && !errors.Is(err, syscall.ENOTDIR) {
			t.Fatal(err)
		}
	}
	return all
}

func TestWithoutTheLogTheOlderPartCanBeUsed(t *testing.T) {
	path := crashedDB(t)
	must(t, os.Remove(path+"-wal"))
	must(t, os.Remove(path+"-shm"))
	must(t, useAll(path))
}

func TestAnEmptyFileIsANewDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, useAll(path))
}

func TestAFileThatMayNotBeReadIsNamed(t *testing.T) {
	path := closedDB(t)
	must(t, os.Chmod(path, 0))
	for dir := filepath.Dir(path); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	user := os.Getuid()
	if user == 0 {
		user = 65534 // root may read anything
	}
	out, err := childCommand("open", path, user).CombinedOutput()
	for _, want := range []string{path, "permission denied", "make it readable", "ZUNO_HOME"} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("the child ended with %v and does not say %q: %s", err, want, out)
		}
	}
}

// A database that was read-only for a while leaves logs that are.
func TestLogsAreAsWritableAsTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := store.Open(path, nil)
	must(t, err)
	first := newSession(t, s, store.Meta{ID: "one"})
	must(t, first.Append(llm.UserText("x")))
	must(t, errors.Join(first.Close(), s.Close()))
	for name, size := range map[string]int{path + "-wal": 0, path + "-shm": 32768} {
		must(t, os.WriteFile(name, make([]byte, size), 0o400))
	}
	s = openAt(t, path)
	j, err := s.OpenSession("one")
	must(t, err)
	must(t, j.Append(llm.UserText("y")))
	must(t, j.Close())
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
