//go:build unix

package agent

import (
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestHeadIsReadWithoutGit(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no repository", map[string]string{"x": ""}, ""},
		{"a branch", map[string]string{".git/HEAD": "ref: refs/heads/feature/x\n"}, "branch feature/x"},
		{"a branch with a hostile name", map[string]string{".git/HEAD": "ref: refs/heads/x;touch${IFS}OUT\n"}, "branch x;touch${IFS}OUT"},
		{"a detached head", map[string]string{".git/HEAD": hash[:40] + "\n"}, "detached at 0123456789ab"},
		{"a detached head of SHA-256", map[string]string{".git/HEAD": hash + "\n"}, "detached at 0123456789ab"},
		{"a worktree", map[string]string{".git": "gitdir: ../main/.git/worktrees/w\n", "../main/.git/worktrees/w/HEAD": "ref: refs/heads/w\n"}, "branch w"},
		{"a file that is not a pointer", map[string]string{".git": "hello"}, ""},
		{"a pointer to nothing", map[string]string{".git": "gitdir: nowhere"}, ""},
		{"a reftable", map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n"}, ""},
		{"another ref", map[string]string{".git/HEAD": "ref: refs/remotes/o/x\n"}, ""},
		{"nonsense", map[string]string{".git/HEAD": strings.Repeat("x", 1<<20)}, ""},
		{"a folder for a HEAD", map[string]string{".git/HEAD/x": ""}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range tt.files {
				files[filepath.Join("repo", name)] = text
			}
			if got := head(tree(t, files) + "/repo"); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAWorktreeMayBeNamedByItsAbsolutePath(t *testing.T) {
	main := tree(t, map[string]string{"HEAD": "ref: refs/heads/abs\n"})
	if got := head(tree(t, map[string]string{".git": "gitdir: " + main + "\n"})); got != "branch abs" {
		t.Errorf("got %q", got)
	}
}

func TestAPipeForAHeadDoesNotBlock(t *testing.T) {
	top := tree(t, map[string]string{".git/x": ""})
	if err := syscall.Mkfifo(top+"/.git/HEAD", 0o600); err != nil {
		t.Skip(err)
	}
	if got := head(top); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestGather(t *testing.T) {
	top := tree(t, map[string]string{".git/HEAD": "ref: refs/heads/main\n", "a/x": ""})
	got := Gather(top, top+"/a", "/bin/bash", time.Date(2026, 11, 2, 23, 59, 0, 0, time.UTC))
	want := Facts{Dir: top + "/a", Root: top, System: runtime.GOOS + "/" + runtime.GOARCH, Shell: "/bin/bash", Date: "2026-11-02", Git: "branch main"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}
