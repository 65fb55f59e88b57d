package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestAsAChild is the program that the tests below start.
func TestAsAChild(t *testing.T) {
	self := func(does string) *exec.Cmd {
		c := exec.Command(itself(t), "-test.run=TestAsAChild")
		c.Env = append(os.Environ(), "ZUNO_CHILD="+does)
		c.Stdout = os.Stdout
		return c
	}
	switch does := os.Getenv("ZUNO_CHILD"); does {
	case "":
		t.Skip("it is started by the others")
	case "echo":
		b, _ := io.ReadAll(os.Stdin)
		fmt.Printf("read %s", b)
		fmt.Fprint(os.Stderr, "err")
		os.Exit(3)
	case "flood":
		fmt.Print(strings.Repeat("x", 3<<20))
		os.Exit(0)
	case "sleep":
		fmt.Println("sleeping")
		time.Sleep(time.Hour)
	case "parent": // waits for its own child
		_ = self("sleep").Run()
	case "leave": // leaves one behind that holds the output
		if err := self("sleep").Start(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
}

func itself(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func childCmd(t *testing.T, does string) Cmd {
	return Cmd{
		Argv: []string{itself(t), "-test.run=TestAsAChild"}, Dir: os.TempDir(), Env: append(os.Environ(), "ZUNO_CHILD="+does),
		Limits: Limits{Time: time.Minute},
	}
}

func TestACommandRunsInAJob(t *testing.T) {
	c := childCmd(t, "echo")
	c.Stdin = []byte("text")
	res := Run(context.Background(), c)
	if !res.Started || res.Exit != 3 || string(res.Stdout.Head) != "read text" || string(res.Stderr.Head) != "err" || res.Err != nil {
		t.Errorf("%+v", res)
	}
	if res = Run(context.Background(), childCmd(t, "flood")); res.Stdout.Total != 3<<20 {
		t.Errorf("%d bytes, %v", res.Stdout.Total, res.Err)
	}
}

func TestWhatACommandStartedEndsWithIt(t *testing.T) {
	c := childCmd(t, "parent")
	c.Limits.Time = 3 * time.Second
	if res := Run(context.Background(), c); !res.TimedOut || !res.Killed || res.Err != nil || !strings.Contains(string(res.Stdout.Head), "sleeping") {
		t.Errorf("%+v", res)
	}
}

func TestWhatIsLeftRunsUntilClose(t *testing.T) {
	var ps Processes
	res := ps.Run(context.Background(), childCmd(t, "leave"))
	left := ps.Left()
	if !res.Left || res.Killed || len(left) != 1 {
		t.Fatalf("%+v, %v", res, left)
	}
	if startTime(left[0].PID) == 0 || left[0].Command == "" {
		t.Errorf("%+v is not alive", left[0])
	}
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
	if p, err := os.FindProcess(left[0].PID); err == nil {
		if _, err := p.Wait(); err != nil {
			t.Log(err) // it is gone
		}
	}
}

func TestAServerIsStopped(t *testing.T) {
	var ps Processes
	defer ps.Close()
	s, err := ps.Serve(childCmd(t, "sleep"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 8)
	if _, err := io.ReadFull(s.Out, line); err != nil || string(line) != "sleeping" {
		t.Errorf("%q %v", line, err)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	s.Out.Close()
}

func TestWithoutABashItSaysWhatToInstall(t *testing.T) {
	res := Run(context.Background(), Cmd{Line: "ls", Dir: os.TempDir()})
	if res.Started || res.Err == nil || !strings.Contains(res.Err.Error(), "Git for Windows") {
		t.Errorf("%+v", res)
	}
}
