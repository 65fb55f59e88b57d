package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// Browser returns the program that opens addresses in the user's browser: that
// of BROWSER, or the system's. The error says why there is none.
func Browser() (string, error) {
	if b := os.Getenv("BROWSER"); b != "" {
		path, err := exec.LookPath(b)
		if err != nil {
			return "", fmt.Errorf("BROWSER is %q, which is no program", b)
		}
		return path, nil
	}
	name := "xdg-open"
	switch {
	case runtime.GOOS == "darwin":
		name = "open"
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return "", errors.New("there is no desktop here")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("there is no %s here: set BROWSER to a program", name)
	}
	return path, nil
}

// browseScript starts the browser and stays for a second, to say whether it
// failed; a browser that goes on is nobody's child then.
const browseScript = `"$@" </dev/null >/dev/null 2>&1 & pid=$!; sleep 1; kill -0 $pid 2>/dev/null || wait $pid`

// Browse opens an address in the user's browser, with env as its environment. It
// is the user's choice and never a model's.
func Browse(ctx context.Context, address string, env []string) error {
	browser, err := Browser()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", browseScript, browser, browser, address)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("open it with %s: %w", browser, err)
	}
	return nil
}
