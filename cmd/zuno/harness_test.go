//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

// zunoEnv is the environment of a zuno with a home of its own, which still
// finds Go's caches, so that nothing is compiled twice.
func zunoEnv(t *testing.T, url string) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	var goenv map[string]string
	if err := json.Unmarshal(out, &goenv); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "ZUNO_HOME=" + filepath.Join(home, "zuno"), "ZUNO_RG=" + ripgrepForTests(t),
		"ANTHROPIC_API_KEY=" + key, "ANTHROPIC_BASE_URL=" + url, "OPENAI_API_KEY=" + key, "OPENAI_BASE_URL=" + url + "/v1",
		"GEMINI_API_KEY=" + key, "GEMINI_BASE_URL=" + url + "/v1beta", "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "CGO_ENABLED=0",
	}
	for k, v := range goenv {
		env = append(env, k+"="+v)
	}
	conf := filepath.Join(home, "zuno", "config")
	if err := os.MkdirAll(conf, 0o700); err != nil {
		t.Fatal(err)
	}
	own := `{"provider": {"mine": {"api": "openai-compatible", "baseURL": "` + url + `/v1", "apiKeyEnv": "OPENAI_API_KEY"}}}`
	if err := os.WriteFile(filepath.Join(conf, "zuno.json"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	return env
}

// homeOf is where the program with this environment keeps what is zuno's.
func homeOf(t *testing.T, env []string) string {
	t.Helper()
	for _, e := range env {
		if home, ok := strings.CutPrefix(e, "ZUNO_HOME="); ok {
			return home
		}
	}
	t.Fatal("there is no ZUNO_HOME")
	return ""
}

// recordOf is where it keeps its record.
func recordOf(t *testing.T, env []string) string {
	t.Helper()
	return filepath.Join(homeOf(t, env), "data", "zuno.db")
}

// configure gives its user a configuration, in the place of the one they have.
func configure(t *testing.T, env []string, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(homeOf(t, env), "config", "zuno.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// await waits until a condition holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: it did not come", what)
		}
	}
}

// serveScript starts a strict server with a script; ended is called once it has
// stopped.
func serveScript(t *testing.T, script string, ended func(*serve.Server)) (*serve.Server, string) {
	t.Helper()
	sc, err := scripted.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(sc)
	url, stop := serve.Start(s)
	t.Cleanup(func() {
		stop()
		ended(s)
	})
	return s, url
}

// serveLax plays a script whose requests are counted and whose steps may be
// left over.
func serveLax(t *testing.T, script string) (*serve.Server, string) {
	t.Helper()
	return serveScript(t, script, func(*serve.Server) {})
}

// play starts a strict server with a script, and checks at the end that it was
// kept to.
func play(t *testing.T, script string) (url string) {
	t.Helper()
	_, url = serveScript(t, script, func(s *serve.Server) {
		refusedNothing(t, s)
		if !s.Done() {
			t.Error("the script was not played to its end")
		}
	})
	return url
}

// playEndlessly is play for a script that need not come to its end.
func playEndlessly(t *testing.T, script string) (url string) {
	t.Helper()
	_, url = serveScript(t, script, func(s *serve.Server) { refusedNothing(t, s) })
	return url
}

func refusedNothing(t *testing.T, s *serve.Server) {
	t.Helper()
	for _, v := range s.Violations() {
		t.Errorf("the strict server refused a request: %s", v)
	}
}
