package shell

import (
	"context"
	"fmt"
	"os"
)

// Edit opens the user's own editor on a file, on the terminal of zuno and with
// its whole environment, and waits until it has ended. The editor is VISUAL, or
// else EDITOR, or else vi (notepad on Windows), and may have arguments: a shell reads it, as git does.
// It is the user's command and never one of a model's.
func Edit(ctx context.Context, file string) error {
	editor := usualEditor
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v := os.Getenv(name); v != "" {
			editor = v
		}
	}
	cmd := byShell(ctx, editor, []string{file})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run the editor %q: %w (set EDITOR to another one)", editor, err)
	}
	return nil
}
