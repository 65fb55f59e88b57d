package command

import (
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
)

// unusable says why a program of the line could do nothing here but wait or
// fail, and what to do instead; "" when there is none. What is run by another
// command, or reads from a file or a program, is left to show it.
func (r run) unusable() string {
	if !r.seen.Parsed || r.seen.Denied != nil {
		return ""
	}
	for _, c := range r.seen.Commands() {
		if len(c.Via) > 0 {
			continue
		}
		switch {
		case c.Name == "apply_patch" && c.Path == "" && !strings.Contains(r.line, "apply_patch()"):
			if _, err := (shell.Lookup{Env: r.config.Env}).Find(c.Name); err != nil {
				return "apply_patch is a tool here and no program: call the tool with the patch as patchText"
			}
		case waits(c.Name, c.Words[1:]) && !strings.ContainsAny(r.line, "|<"):
			return c.Name + " waits for a terminal, and commands run without one: change the file with apply_patch or write, or open it in a terminal of your own"
		}
	}
	return ""
}

// waits reports an editor of the vi family that is not told what to do: it
// waits for a person even where there is no terminal.
func waits(name string, args []string) bool {
	if !slices.Contains([]string{"vi", "vim", "nvim", "view", "rvim", "rview", "vimdiff"}, name) {
		return false
	}
	return !slices.ContainsFunc(args, func(a string) bool {
		if rest, is := strings.CutPrefix(a, "+"); is {
			return strings.Trim(rest, "0123456789") != "" // not a line to begin at
		}
		return strings.HasPrefix(a, "--") || len(a) > 1 && a[0] == '-' && strings.ContainsAny(a[1:], "eEscShvW")
	})
}
