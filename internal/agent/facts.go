package agent

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Facts are what an agent is told about where it works. Empty ones are left
// out.
type Facts struct {
	Dir, Root string // working directory and root of the workspace, absolute
	System    string // operating system and architecture
	Shell     string // what runs commands
	Date      string // the day only, so that a prompt stays the same for a day
	// Git is the branch, or where a detached head is; "" outside of a repository.
	Git string
	// Instructions is the text of [Instructions].
	Instructions string
	// Skills are those that the model may load, and SkillBytes bounds what is said
	// of them; zero means [MaxSkills].
	Skills     []Skill
	SkillBytes int
	// Memories is what people accepted that sessions be told; nil when memory is
	// off.
	Memories []Memory
	// Delegated says that another agent gave the task.
	Delegated bool
}

// Gather returns the facts without running anything. The instructions are left
// to the caller, who has their notices to show.
func Gather(root, dir, shell string, now time.Time) Facts {
	return Facts{
		Dir: dir, Root: root, Shell: shell, Date: now.Format(time.DateOnly),
		System: runtime.GOOS + "/" + runtime.GOARCH, Git: head(root),
	}
}

type line struct{ name, value string }

func (f Facts) lines() []line {
	return []line{
		{"working directory", f.Dir},
		{"workspace root", f.Root},
		{"system", f.System},
		{"shell", f.Shell},
		{"date", f.Date},
		{"git", f.Git},
	}
}

// Head says what is checked out in the repository at root: "branch " and its name,
// or "detached at " and a commit; "" when there is none.
func Head(root string) string { return head(root) }

// head says what is checked out in the repository at root, "" when there is
// none or its HEAD is not understood. See gitrepository-layout(5).
func head(root string) string {
	git := filepath.Join(root, ".git")
	if b, _, err := readFile(os.OpenFile, git, 4096); err == nil { // a worktree or submodule
		to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
		if !ok {
			return ""
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(root, to)
		}
		git = to
	}
	b, _, err := readFile(os.OpenFile, filepath.Join(git, "HEAD"), 4096)
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(string(b))
	if ref, ok := strings.CutPrefix(text, "ref: "); ok {
		branch, ok := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
		if !ok || branch == ".invalid" { // what repositories with reftables hold there
			return ""
		}
		return "branch " + branch
	}
	if (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == "" {
		return "detached at " + text[:12]
	}
	return ""
}

var errNotRegular = errors.New("it is not a regular file")

// readFile returns at most most bytes of a regular file, and its size. It waits
// for no pipe and reads no device.
func readFile(open func(string, int, fs.FileMode) (*os.File, error), name string, most int) ([]byte, int, error) {
	f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errNotRegular
	}
	b, err := io.ReadAll(io.LimitReader(f, int64(most)))
	return b, int(info.Size()), err
}
