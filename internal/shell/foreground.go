package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Foreground runs a program of the person's own, such as an editor, in the
// terminal that zuno has, and waits for its end. Line is a command line for the
// system's shell that gets args as its arguments. Env is as of [Environ], but the
// program has a terminal: it gets the one of parent, as it is called there.
func Foreground(line string, args, env, parent []string) error {
	c := byShell(context.Background(), line, args)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, "TERM=") })
	for _, e := range parent {
		if strings.HasPrefix(e, "TERM=") {
			c.Env = append(c.Env, e)
		}
	}
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 127:
		return fmt.Errorf("%s: there is no such program", line)
	case errors.As(err, &exit):
		return fmt.Errorf("%s ended with %s", line, exit)
	}
	return err
}
