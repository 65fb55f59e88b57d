package debuglog

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/redact"
)

func open(t *testing.T, dir string, at time.Time, secrets ...redact.Secret) *Log {
	t.Helper()
	l, err := Open(dir, at, secrets)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNoSecretReachesALine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "log")
	odd := `p<a"ss\wörd&`
	l := open(t, dir, time.Now(), redact.Secret{Name: "A_KEY", Value: "hunter2hunter2"}, redact.Secret{Name: "ODD", Value: odd})
	l.Info("hunter2hunter2", "key", "xhunter2hunter2x", "odd", odd, "error", fmt.Errorf("is %s", odd))
	l.With("with", "hunter2hunter2").WithGroup("g").Warn("m", "url", "GET https://ada:plainword@api.example/v1?token=plainquery#frag then", "took", 1500*time.Microsecond)
	l.Info("m", "error", errors.New("Authorization: Bearer abcdef0123456789.XYZ"), "bytes", []byte("hunter2hunter2"))
	l.Info("m", "long", strings.Repeat("é", maxText))
	l.Hide([]redact.Secret{{Name: "LATER", Value: "found later"}})
	l.Info("found later")
	got := text(t, l.Path())
	for _, bad := range []string{"hunter2", "ss\\\\w", "p<a", "plainword", "plainquery", "frag", "abcdef0123456789", "104 117 110", "found later"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is there:\n%s", bad, got)
		}
	}
	for _, want := range []string{"https://[name]@api.example/v1?[hidden] then", "[redacted: A_KEY]", "[redacted: ODD]", `"took":1.5`, `(4000 bytes)`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	info, err := os.Stat(l.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestALogIsBounded(t *testing.T) {
	l := open(t, t.TempDir(), time.Now())
	l.file.max = 2000
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				l.Info("line", "i", i, "j", j)
			}
		})
	}
	all.Wait()
	l.Info("last")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l.Info("behind the end")
	newest, before := text(t, l.Path()), text(t, l.Path()+older)
	if len(newest) > 2000 || len(before) > 2000 || len(before) < 1500 || !strings.Contains(newest, `"last"`) || strings.Contains(newest, "behind") {
		t.Errorf("%d and %d bytes", len(newest), len(before))
	}
	for line := range strings.Lines(before + newest) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

func TestALineLongerThanTheBoundIsWritten(t *testing.T) {
	l := open(t, t.TempDir(), time.Now())
	l.file.max = 10
	l.Info("one")
	l.Info("two")
	if !strings.Contains(text(t, l.Path()), "two") || !strings.Contains(text(t, l.Path()+older), "one") {
		t.Error("a line is lost")
	}
}

func TestTheNewestRunsAreKept(t *testing.T) {
	dir := t.TempDir()
	if Runs(filepath.Join(dir, "none")) != nil {
		t.Error("runs without a folder")
	}
	keep := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(keep, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for i := range kept + 3 {
		l := open(t, dir, time.Unix(int64(i), 0))
		l.file.max = 10
		l.Info("one")
		l.Info("two")
		paths = append([]string{l.Path()}, paths...)
	}
	if got := Runs(dir); strings.Join(got, " ") != strings.Join(paths[:kept], " ") {
		t.Errorf("%v", got)
	}
	if _, err := os.Stat(paths[kept] + older); !os.IsNotExist(err) {
		t.Error("the part that was put aside stays")
	}
	if _, err := os.Stat(keep); err != nil {
		t.Error("a file of somebody else's is gone")
	}
}

func TestAFolderThatCannotBeMadeIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, time.Now(), nil); err == nil || !strings.Contains(err.Error(), "debug log") {
		t.Error(err)
	}
}

func FuzzAddresses(f *testing.F) {
	f.Add("https://a:b@c/d?e#f")
	f.Add("://@?#")
	f.Fuzz(func(t *testing.T, s string) {
		once := addresses(s)
		if addresses(once) != once {
			t.Errorf("%q became %q and then %q", s, once, addresses(once))
		}
	})
}
