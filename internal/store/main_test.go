//go:build unix

package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/store"
)

// TestMain runs the tests or, in a process that a test started, what that test
// needs another process for.
func TestMain(m *testing.M) {
	if mode := os.Getenv("ZUNO_TEST_CHILD"); mode != "" {
		os.Exit(child(mode, os.Getenv("ZUNO_TEST_PATH"), os.Getenv("ZUNO_TEST_N")))
	}
	goleak.VerifyTestMain(m)
}

func child(mode, path, arg string) int {
	n, err := strconv.Atoi(arg)
	if err == nil {
		switch mode {
		case "crash":
			err = crash(path, n)
		case "work":
			err = killedInTheMiddle(path)
		case "hammer":
			err = hammer(path, n)
		case "open": // as user n
			if err = syscall.Setuid(n); err == nil {
				_, err = store.Open(path, nil)
			}
		}
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// childCommand runs this test binary as another process.
func childCommand(mode, path string, n int) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "ZUNO_TEST_CHILD="+mode, "ZUNO_TEST_PATH="+path, "ZUNO_TEST_N="+strconv.Itoa(n))
	return c
}
