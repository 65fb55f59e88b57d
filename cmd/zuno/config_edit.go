package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/shell"
)

// newConfigEdit returns the command that opens the person's own configuration.
func newConfigEdit() *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "Open your configuration file in your editor, and check it afterwards",
		Long: `edit opens your own configuration file in VISUAL or EDITOR (else vi) and checks
it when the editor has ended: every mistake is named with its line and column,
and the exit code is then 78. Where there is no file yet it begins with one that
explains itself, with its JSON schema beside it for editors that complete.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return editConfig(cmd.Context(), cmd.OutOrStdout()) },
	}
}

func editConfig(ctx context.Context, w io.Writer) error {
	if os.Getenv("ZUNO") != "" { // set for every command that zuno runs
		return usageErrorf("the configuration is yours to edit: run this in a terminal of your own")
	}
	p, err := locate(flags{})
	if err != nil {
		return err
	}
	file, there, err := ownConfig(p.paths.Config)
	if err != nil {
		return err
	}
	if os.Getenv("VISUAL") == "" && os.Getenv("EDITOR") == "" && !(isTerminal(os.Stdin) && isTerminal(os.Stdout)) {
		return usageErrorf("vi needs a terminal: set EDITOR to an editor that needs none, or change %s yourself", file)
	}
	if !there {
		if err := firstConfig(file); err != nil {
			return err
		}
	}
	if err := shell.Edit(ctx, file); err != nil {
		return err
	}
	err = config.Check(file)
	var wrong *config.Error
	switch {
	case errors.As(err, &wrong):
		for _, x := range wrong.Problems {
			fmt.Fprintln(os.Stderr, "zuno: "+oneLine(x.String()))
		}
		fmt.Fprintln(os.Stderr, "zuno: the file stays as you left it, and zuno does not start with it: run zuno config edit again")
		return &codeOnly{exitConfig}
	case err != nil:
		return &codedError{exitConfig, err}
	}
	fmt.Fprintln(w, file+": in order")
	return nil
}

// ownConfig returns the user's configuration file, and whether it is there.
func ownConfig(dir string) (file string, there bool, err error) {
	for _, name := range []string{"zuno.json", "zuno.jsonc"} {
		file := filepath.Join(dir, name)
		if _, err := os.Lstat(file); err == nil {
			return file, true, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", false, fmt.Errorf("look for %s: %s", file, plainError(err))
		}
	}
	return filepath.Join(dir, "zuno.jsonc"), false, nil
}

// firstConfig makes a configuration file that explains itself.
func firstConfig(file string) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make %s: %s; make its folder writable, or set ZUNO_HOME to use another place", dir, plainError(err))
	}
	schema := filepath.Join(dir, "zuno.schema.json")
	if err := os.WriteFile(schema, config.Schema(), 0o600); err != nil {
		return fmt.Errorf("write %s: %s", schema, plainError(err))
	}
	return writeNew(file, []byte(configTemplate()))
}

// configTemplate is the file that somebody without one begins with: it sets
// nothing, and a test reads each of its examples.
func configTemplate() string {
	var b strings.Builder
	b.WriteString(`// Your configuration of zuno. Take away the // in front of what you want to set.
// "zuno config explain KEY" says what a key means, and all keys are in docs/config.md.
{
  "$schema": "./zuno.schema.json", // "zuno config schema" prints a newer one
`)
	for _, e := range templateExamples() {
		fmt.Fprintf(&b, "\n  // %s\n  // %s,\n", e[0], e[1])
	}
	b.WriteString("}\n")
	return b.String()
}

// templateExamples are what the template shows: words, and a member of the file.
func templateExamples() [][2]string {
	return [][2]string{
		{"The model of the conversation, and a cheaper one that classifies commands (zuno models lists them).", `"model": "anthropic/claude-sonnet-5-5", "small_model": "anthropic/claude-haiku-5-5"`},
		{"A server of your own. The key itself stays in the variable.", `"provider": {"mine": {"baseURL": "http://127.0.0.1:8080/v1", "apiKeyEnv": "MY_API_KEY"}}`},
		{"What runs without asking: strict, read-only, low-risk, high-risk, yolo.", `"approval": {"policy": "low-risk"}`},
		{"Rules come before the policy: the last match wins, and a deny is final.", `"permission": {"rules": {"shell": {"go test*": "allow"}, "edit": {"secrets/*": "deny"}}}`},
		{"How far commands are confined: read-only, workspace-write, off.", `"sandbox": {"mode": "workspace-write", "network": false}`},
		{"Variables that commands see although their names look like those of secrets.", `"envAllowlist": ["GH_TOKEN"]`},
		{"Tools from MCP servers.", `"mcp": {"docs": {"command": ["npx", "-y", "some-mcp-server"]}}`},
		{"Whether sessions are told what you accepted to be remembered.", `"memory": false`},
	}
}
