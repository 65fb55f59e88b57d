package shell

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// A safeBuffer may be read while it is written.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func server(t *testing.T, ps *Processes, script string) (*Server, *safeBuffer) {
	t.Helper()
	errs := &safeBuffer{}
	s, err := ps.Serve(Cmd{
		Argv: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")},
		Limits: Limits{Grace: 50 * time.Millisecond},
	}, errs)
	if err != nil {
		t.Fatal(err)
	}
	return s, errs
}

func line(t *testing.T, s *Server) string {
	t.Helper()
	l, err := bufio.NewReader(s.Out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(l)
}

func TestAServerIsTalkedToAndStopped(t *testing.T) {
	var ps Processes
	defer ps.Close()
	s, errs := server(t, &ps, `echo trouble >&2; while read x; do echo "got $x"; done`)
	if _, err := s.In.WriteString("one\n"); err != nil {
		t.Fatal(err)
	}
	if got := line(t, s); got != "got one" {
		t.Errorf("it said %q", got)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if got := errs.String(); got != "trouble\n" {
		t.Errorf("standard error is %q", got)
	}
	if got := s.Status(); got == "still running" {
		t.Error(got)
	}
}

// It ignores the end of its input and SIGTERM, and has a child that does too.
func TestAStubbornServerDiesWithItsChildren(t *testing.T) {
	for name, end := range map[string]func(*Processes, *Server) error{
		"stop": func(_ *Processes, s *Server) error { return s.Stop() }, "close": func(ps *Processes, _ *Server) error { return ps.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			var ps Processes
			defer ps.Close()
			s, _ := server(t, &ps, `trap "" TERM HUP; (trap "" TERM; echo up; while :; do sleep 1; done) & while :; do sleep 1; done`)
			line(t, s)
			if err := end(&ps, s); err != nil {
				t.Error(err)
			}
			select {
			case <-s.Exited:
			default:
				t.Error("it has not exited")
			}
			if got := s.Status(); got != "signal: killed" {
				t.Errorf("it ended by %s", got)
			}
		})
	}
}

func TestAServerThatEndsTakesItsChildrenAlong(t *testing.T) {
	var ps Processes
	defer ps.Close()
	s, _ := server(t, &ps, `sleep 600 & exit 3`)
	<-s.Exited
	if got := s.Status(); got != "exit status 3" {
		t.Errorf("it ended by %s", got)
	}
}

func TestAServerThatIsNoProgram(t *testing.T) {
	var ps Processes
	if _, err := ps.Serve(Cmd{Argv: []string{"/nowhere/at/all"}, Dir: t.TempDir()}, &safeBuffer{}); err == nil || !strings.Contains(err.Error(), "not started") {
		t.Errorf("the error is %v", err)
	}
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
	if _, err := ps.Serve(Cmd{Argv: []string{"/bin/sh"}, Dir: t.TempDir()}, &safeBuffer{}); err == nil {
		t.Error("it starts after the end")
	}
	if _, err := Program("no-such-program", "/", []string{"PATH=/bin"}); err == nil {
		t.Error("it is found")
	}
	if got, err := Program("sh", "/", []string{"PATH=/bin"}); err != nil || got != "/bin/sh" {
		t.Errorf("found %q, %v", got, err)
	}
}
