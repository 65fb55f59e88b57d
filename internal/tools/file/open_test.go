package file

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestErrorsOfTheSystemAreSaidInWords(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EBUSY:     "it is in use as it is, as a file that is mounted by itself is: change it with a command",
		syscall.EROFS:     "its file system is read-only",
		fs.ErrPermission:  "permission denied",
		errKind{"a pipe"}: errKind{"a pipe"}.Error(),
		&os.PathError{Op: "open", Path: "x", Err: fmt.Errorf("odd")}: "odd",
	} {
		if got := explain(fmt.Errorf("change it: %w", err)); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}
