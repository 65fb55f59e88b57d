package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/shell"
)

// maxEdited is the size in bytes of the largest text that is taken from an
// editor.
const maxEdited = 4 << 20

// edit has the person edit a text with the program that VISUAL, or else EDITOR,
// names. The text is in a file that only they can read, and goes away with it.
func (p *plan) edit(text string) (_ string, err error) {
	line := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
	dir, err := os.MkdirTemp("", "zuno-draft-")
	if err != nil {
		return "", fmt.Errorf("make a file for the draft: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left of it is only the person's to read
	path := filepath.Join(dir, "prompt.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write the draft: %w", err)
	}
	if err := shell.Foreground(line, []string{path}, p.environ(), os.Environ()); err != nil {
		return "", fmt.Errorf("the draft is as it was: %w (VISUAL and EDITOR name the editor)", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the draft: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxEdited+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the draft: %w", err)
	case len(b) > maxEdited:
		return "", fmt.Errorf("the draft is as it was: what the editor wrote has more than %d bytes", maxEdited)
	}
	// Editors end the last line; a person who typed none did not.
	for len(b) > 0 && b[len(b)-1] == '\n' {
		b = b[:len(b)-1]
	}
	return string(b), nil
}
