package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// TestARecordThatIsTakenAwayIsNotWrittenTo: SQLite would go on with a file that
// nobody finds. Put back where it was, it is gone on with.
func TestARecordThatIsTakenAwayIsNotWrittenTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open stays")
	}
	for _, part := range []string{"", "-wal", "-shm"} {
		for _, how := range []string{"removed", "replaced by another file"} {
			path := filepath.Join(t.TempDir(), "zuno.db")
			s := openAt(t, path)
			j := newSession(t, s, store.Meta{ID: "one"})
			must(t, j.Append(llm.UserText("go")))
			must(t, j.Append(asks(call("c1"))))
			must(t, j.Propose(&tools.Proposal{Call: call("c1")}))
			must(t, j.Decide(call("c1"), allowed()))
			aside := filepath.Join(t.TempDir(), "aside")
			must(t, os.Rename(path+part, aside))
			if how != "removed" {
				b, err := os.ReadFile(aside)
				must(t, err)
				must(t, os.WriteFile(path+part, b, 0o600))
			}
			for name, err := range map[string]error{"append": j.Append(llm.UserText("more")), "start": j.Start(call("c1"))} {
				if !errors.Is(err, store.ErrUnusable) || !strings.Contains(err.Error(), path+part+" was "+how) {
					t.Errorf("%s with %q %s: %v", name, part, how, err)
				}
			}
			must(t, os.Rename(aside, path+part))
			must(t, j.Append(answer("again")))
			must(t, j.Close())
			must(t, s.Check())
		}
	}
}
