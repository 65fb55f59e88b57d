package shell

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// detachLook is how long Detach looks whether a program fails at once.
const detachLook = 3 * time.Second

// Detach starts a program of the person's own that is to outlive zuno, such as a
// browser: in a session of its own, without a terminal, and with nothing to read
// or to be read from. Argv is an absolute path and its arguments, env is as of
// [Environ]. The error says that it could not be started, or that it failed
// within a moment; a program that goes on is left alone.
func Detach(ctx context.Context, argv []string, dir string, env []string) error {
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir, c.Env = dir, append(without(env, "PWD"), "PWD="+dir)
	c.SysProcAttr = detached()
	if err := c.Start(); err != nil {
		return fmt.Errorf("start it: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }() // it may outlive Detach: the program does, too
	look := time.NewTimer(detachLook)
	defer look.Stop()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return fmt.Errorf("%s ended with %s", filepath.Base(argv[0]), exit)
		}
		return err
	case <-ctx.Done():
	case <-look.C:
	}
	return nil
}
