//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDetachSaysWhatFailsAtOnceAndLeavesTheRestAlone(t *testing.T) {
	dir := t.TempDir()
	if err := Detach(t.Context(), []string{"/bin/sh", "-c", "exit 3"}, dir, nil); err == nil || !strings.Contains(err.Error(), "sh ended with exit status 3") {
		t.Errorf("%v", err)
	}
	if err := Detach(t.Context(), []string{filepath.Join(dir, "none")}, dir, nil); err == nil {
		t.Error("a program that is not there was started")
	}
	line := `echo "$PWD $KEPT" > out; test ! -t 0 && exit 0`
	if err := Detach(t.Context(), []string{"/bin/sh", "-c", line}, dir, []string{"KEPT=yes"}); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "out")); err != nil || string(b) != dir+" yes\n" {
		t.Errorf("%q, %v", b, err)
	}
}
