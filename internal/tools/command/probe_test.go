package command

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestACommitIsSeenInTheLogOfHead(t *testing.T) {
	root := t.TempDir()
	log := filepath.Join(root, ".git/logs/HEAD")
	for _, dir := range []string{filepath.Dir(log), filepath.Join(root, "sub")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Unix(1_700_000_000, 900_000_000)
	line := func(at int64, what string) string {
		return fmt.Sprintf("%040d %040d A B <a@example.com> %d +0100\t%s\n", 1, 2, at, what)
	}
	old := line(start.Unix()-50, "commit: before")
	for name, c := range map[string]struct {
		command, log string
		want         tools.Finding
	}{
		"it is there":                    {`git commit -m 'fix: it'`, old + line(start.Unix(), "commit: fix: it"), tools.Happened},
		"the first one":                  {`git commit --message="fix: it"`, line(start.Unix()+3, "commit (initial): fix: it"), tools.Happened},
		"of several lines":               {"git commit -am 'fix\n\nmore'", old + line(start.Unix()+3, "commit: fix"), tools.Happened},
		"HEAD did not move":              {`git commit -m 'fix: it'`, old, tools.DidNotHappen},
		"without a message":              {`git commit`, old, tools.DidNotHappen},
		"of an earlier time":             {`git commit -m 'before'`, old, tools.NotFound},
		"somebody else's commit":         {`git commit -m 'fix: it'`, old + line(start.Unix()+9, "commit: theirs"), tools.NotFound},
		"something else happened":        {`git commit -m 'fix: it'`, old + line(start.Unix()+9, "checkout: moving from a to b"), tools.NotFound},
		"a message that nobody knows":    {`git commit`, old + line(start.Unix()+9, "commit: x"), tools.NotFound},
		"more than the commit":           {`git commit -m x && git push`, old, tools.NotFound},
		"a commit that is only tried":    {`git commit --dry-run`, old, tools.NotFound},
		"another command":                {`git push`, old, tools.NotFound},
		"a word that is not known":       {`git commit -m "$MSG"`, old, tools.NotFound},
		"a log that is none":             {`git commit -m x`, "nonsense", tools.NotFound},
		"a log of nothing":               {`git commit -m x`, "", tools.NotFound},
		"a time that is none":            {`git commit -m x`, "a b c <d> now +0100\tcommit: x\n", tools.NotFound},
		"a line that is not whole":       {`git commit -m x`, "a b\tcommit: x\n", tools.NotFound},
		"a message that only looks like": {`git commit -m x`, line(start.Unix()+1, "reset: x"), tools.NotFound},
	} {
		if err := os.WriteFile(log, []byte(c.log), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, seen := Probe(c.command, root, filepath.Join(root, "sub"), start); got != c.want {
			t.Errorf("%s: %q (%s), want %q", name, got, seen, c.want)
		}
	}
	if got, _ := Probe(`git commit -m x`, t.TempDir(), t.TempDir(), start); got != tools.NotFound {
		t.Errorf("without a repository: %q", got)
	}
	if got, _ := Probe(`git commit -m x`, root, root, time.Time{}); got != tools.NotFound {
		t.Errorf("without a time: %q", got)
	}
}
