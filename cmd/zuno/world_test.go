//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

// A world is a repository and a home of their own, in which the real program
// runs command lines that a scripted model asks for.
type world struct {
	t         *testing.T
	root, dir string // what the test may touch, and the repository in it
	env       []string
}

// newWorld makes a repository with files in it. A file whose text begins with
// #! can be run.
func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, dir: filepath.Join(root, "repo"), env: zunoEnv(t, "http://127.0.0.1:1")}
	put := func(name, text string) {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		path := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("README", "A repository.\n")
	for name, text := range files {
		put(name, text)
	}
	git := exec.Command("git", "init", "-q", w.dir)
	git.Env = w.env
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return w
}

// zuno runs the program in the repository.
func (w *world) zuno(args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	cmd := exec.Command("zuno", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// typing runs zuno with something on its standard input.
func (w *world) typing(in string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	cmd := exec.Command("zuno", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, w.env, strings.NewReader(in)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// begin starts zuno and returns it with a function that waits for its end, at
// most 30 seconds, and returns what it printed.
func (w *world) begin(args ...string) (*exec.Cmd, func() string) {
	w.t.Helper()
	cmd := exec.Command("zuno", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return cmd, func() string {
		w.t.Helper()
		select {
		case <-ended:
		case <-time.After(60 * time.Second):
			_ = cmd.Process.Kill()
			w.t.Fatalf("it does not end:\n%s", out.String())
		}
		return out.String()
	}
}

// allow gives the program keys, as a person does in a terminal.
func (w *world) allow(keys ...string) {
	w.t.Helper()
	for _, k := range keys {
		if _, stderr, code := w.zuno("rules", "add", "--", k); code != 0 {
			w.t.Fatalf("rules add %q: %s", k, stderr)
		}
	}
}

// point makes the program's provider the server at url.
func (w *world) point(url string) {
	for i, e := range w.env {
		if strings.HasPrefix(e, "ANTHROPIC_BASE_URL=") {
			w.env[i] = "ANTHROPIC_BASE_URL=" + url
		}
	}
}

// play starts a strict server with a script that need not be played to its end.
func (w *world) play(script []byte) (url string) {
	w.t.Helper()
	_, url = serveScript(w.t, string(script), func(s *serve.Server) { refusedNothing(w.t, s) })
	return url
}

// configure gives the user of a world a configuration.
func (w *world) configure(text string) {
	w.t.Helper()
	configure(w.t, w.env, text)
}

func (w *world) home() string {
	for _, e := range w.env {
		if h, ok := strings.CutPrefix(e, "HOME="); ok {
			return h
		}
	}
	return ""
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// read returns a file of the repository, "" while there is none.
func (w *world) read(name string) string {
	b, err := os.ReadFile(w.path(name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(b)
}

// alive reports whether the process whose pid is in a file runs.
func (w *world) alive(name string) bool {
	pid, err := strconv.Atoi(strings.TrimSpace(w.read(name)))
	if err != nil {
		return false
	}
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	return runtime.GOOS != "linux" && syscall.Kill(pid, 0) == nil
}

// query returns the one value that a query of the record gives.
func (w *world) query(q string) (value string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+recordOf(w.t, w.env)+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(q).Scan(&value); err != nil {
		w.t.Fatal(err)
	}
	return value
}
