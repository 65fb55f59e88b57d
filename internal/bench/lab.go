//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

// sizes says how much work each measurement is.
type sizes struct {
	steps    [3]int        // reads of a tool loop, one after another
	reads    int           // reads in one turn
	keys     int           // keys whose echo is timed
	talk     int           // bytes of Markdown before the second echo
	output   int           // bytes of shell output
	markdown int           // bytes of Markdown
	idle     time.Duration // how long the idle program is watched
	calm     time.Duration // how long nothing is written when nothing goes on
}

// full are the sizes that the aims are for.
func full() sizes {
	return sizes{
		steps: [3]int{50, 200, 500}, reads: 20, keys: 40, talk: 200_000,
		output: 200_000_000, markdown: 1_000_000, idle: 5 * time.Second, calm: 300 * time.Millisecond,
	}
}

// small is enough to see that every measurement works.
func small() sizes {
	return sizes{
		steps: [3]int{2, 3, 5}, reads: 3, keys: 3, talk: 2_000,
		output: 200_000, markdown: 10_000, idle: 100 * time.Millisecond, calm: 60 * time.Millisecond,
	}
}

// A lab is where zuno is measured: a throw-away home and workspaces, and what
// was measured so far.
type lab struct {
	ctx     context.Context
	zuno    string // absolute
	empty   string // an empty Go program
	dir     string
	size    sizes
	samples map[string][]float64 // by the ID of the row
	once    float64              // wall time of the latest one-shot, in ms
	onceCPU float64              // its CPU time, in ms
	resumes string               // the workspace that holds a long session, "" before
}

// fileSize is how big the files are that the model reads: about the part of a
// source file that a model looks at.
const fileSize = 1000

func newLab(ctx context.Context, zuno string, size sizes) (*lab, error) {
	zuno, err := filepath.Abs(zuno)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(zuno); err != nil {
		return nil, fmt.Errorf("find the binary to measure: %w (make build makes it)", err)
	}
	dir, err := os.MkdirTemp("", "zuno-bench-")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, zuno: zuno, dir: dir, size: size, samples: map[string][]float64{}}
	if l.empty, err = buildEmpty(ctx, dir); err == nil {
		// The first start makes the database, which no later one does.
		_, err = l.runOnce()
	}
	if err != nil {
		_ = l.close() // err is the reason
		return nil, err
	}
	return l, nil
}

func (l *lab) close() error { return os.RemoveAll(l.dir) }

// add notes the value of a row.
func (l *lab) add(id string, v float64) { l.samples[id] = append(l.samples[id], v) }

// workspace makes the folder name with n files in it, and returns its path.
func (l *lab) workspace(name string, n int) (string, error) {
	dir := filepath.Join(l.dir, "work", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for i := 1; i <= n; i++ {
		text := ""
		for line := 1; len(text) < fileSize; line++ {
			text += fmt.Sprintf("line %d of file %d holds some words\n", line, i)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// environ is the environment of zuno: nothing of the user's but the way to
// programs.
func (l *lab) environ(url string) []string {
	home := filepath.Join(l.dir, "home")
	env := []string{
		"HOME=" + home, "ZUNO_HOME=" + filepath.Join(home, "zuno"), "PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color", "LANG=C.UTF-8",
		"ANTHROPIC_API_KEY=scripted", "ANTHROPIC_BASE_URL=" + url,
	}
	for _, name := range []string{"ZUNO_RG", "TMPDIR", "GODEBUG", "GOGC", "GOMEMLIMIT"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// A model is the scripted model that zuno talks to.
type model struct {
	*serve.Server
	url    string
	server *http.Server
	ended  chan struct{}
}

func newModel(steps ...scripted.Step) (*model, error) {
	s := serve.New(&scripted.Scenario{Steps: steps})
	s.Lax()
	s.KeepBodies(0)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{Server: s, url: "http://" + l.Addr().String(), ended: make(chan struct{})}
	m.server = &http.Server{Handler: m}
	go func() {
		defer close(m.ended)
		_ = m.server.Serve(l) // it ends when it is closed
	}()
	return m, nil
}

// modelLooks is how much of a request a lax server looks at: the tools stand
// before the conversation.
const modelLooks = 8 << 10

// ServeHTTP hands the start of the request over and reads the rest away. To
// keep it would cost the model more in every step of a loop.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head, err := io.ReadAll(io.LimitReader(r.Body, modelLooks))
	if err == nil {
		_, err = io.Copy(io.Discard, r.Body)
	}
	if err != nil {
		return // zuno is gone
	}
	r.Body = io.NopCloser(bytes.NewReader(head))
	m.Server.ServeHTTP(w, r)
}

// stop ends all connections.
func (m *model) stop() {
	_ = m.server.Close() // nobody listens any more
	<-m.ended
}

// done returns an error unless the whole script was played.
func (m *model) done() error {
	if v := m.Violations(); len(v) > 0 {
		return fmt.Errorf("the scripted model was asked wrongly: %s", v[0])
	}
	if !m.Done() {
		return fmt.Errorf("zuno ended before the scripted model was done, after %d requests", len(m.Requests()))
	}
	return nil
}

// buildEmpty builds a program that does nothing: the least that a start costs.
func buildEmpty(ctx context.Context, dir string) (string, error) {
	src, out := filepath.Join(dir, "empty.go"), filepath.Join(dir, "empty")
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, src)
	c.Dir = dir
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if text, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build an empty Go program: %w: %s", err, text)
	}
	return out, nil
}
