package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newDoctor returns the command that tells what zuno finds here.
func newDoctor() *cobra.Command {
	var f flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what works here, what does not, and what to do about it",
		Long: `doctor tries what zuno depends on: the terminal, ripgrep, git, the sandbox, the
record, the configuration and where each of its values comes from, the providers
and local model servers, MCP servers and what of the project is trusted.

It asks the addresses of providers whether anybody answers, without a key and
for three seconds at most; no model is asked and nothing costs money. Secrets
are named, never shown.

A line is ok, a note about what is missing or limited, or WRONG; below the last
two stands what to do. It ends with 0 when nothing is wrong, with 1 otherwise,
and with 78 when the configuration cannot be used.`,
		Example: `  zuno doctor
  zuno doctor --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return doctor(cmd.Context(), cmd.OutOrStdout(), f, asJSON) },
	}
	seen(cmd, &f)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// A finding is one thing that was looked at.
type finding struct {
	What   string `json:"what"`
	Status string `json:"status"` // ok, note or wrong
	Found  string `json:"found"`
	Fix    string `json:"fix,omitempty"`
}

func fine(what, found string) finding       { return finding{what, "ok", found, ""} }
func noted(what, found, fix string) finding { return finding{what, "note", found, fix} }
func wrong(what, found, fix string) finding { return finding{what, "wrong", found, fix} }

func doctor(ctx context.Context, w io.Writer, f flags, asJSON bool) error {
	p, err := newPlan(f)
	broken := err
	if err != nil {
		var coded *codedError
		if !errors.As(err, &coded) || coded.code != exitConfig {
			return err
		}
		if p, err = locate(f); err != nil {
			return err
		}
		p.config = config.Default()
	} else if err := p.judging(ctx, func(approval.Rules, []tools.Tool) error { return nil }); exitOf(err) == exitConfig {
		broken = err // no session would start with it, though each file by itself is in order
	}
	list := findings(ctx, p, broken)
	code := exitDone
	if slices.ContainsFunc(list, func(x finding) bool { return x.Status == "wrong" }) {
		code = exitFailed
	}
	if broken != nil {
		code = exitConfig
	}
	if err := printFindings(w, list, code, asJSON); err != nil {
		return err
	}
	if code != exitDone {
		return &codeOnly{code}
	}
	return nil
}

// findings looks at everything that zuno depends on. Broken is why the
// configuration cannot be used, nil when it can.
func findings(ctx context.Context, p *plan, broken error) []finding {
	reached := make(chan []finding, 1)
	go func() { reached <- providerFindings(ctx, p) }() // the slowest; it ends by itself
	list := []finding{programFinding(), terminalFinding(), ripgrepFinding(ctx, p), gitFinding(p)}
	list = append(list, bashFindings(p)...)
	list = append(list, sandboxFindings(p)...)
	list = append(list, recordFindings(p)...)
	if broken != nil {
		fix := "zuno config edit opens yours"
		if len(p.config.Files) == 0 {
			fix += "; the rest of this list goes by the defaults"
		}
		list = append(list, wrong("configuration", broken.Error(), fix))
	}
	if broken == nil || len(p.config.Files) > 0 {
		list = append(list, configFindings(p)...)
	}
	list = append(list, <-reached...)
	list = append(list, mcpFindings(p)...)
	list = append(list, trustFindings(p)...)
	list = append(list, processFindings(p)...)
	list = append(list, hiddenFinding(p))
	list = append(list, lookedOnFindings(p)...)
	hide := redact.New(secrets())
	for i := range list {
		list[i].Found, list[i].Fix = oneLine(hide.Text(list[i].Found)), oneLine(hide.Text(list[i].Fix))
	}
	return list
}

// lines is a finding, and below it what to do about it.
func (x finding) lines() []string {
	word := x.Status
	if word == "wrong" {
		word = "WRONG"
	}
	lines := []string{fmt.Sprintf("%-6s %-21s %s", word, x.What, x.Found)}
	if x.Fix != "" {
		lines = append(lines, fmt.Sprintf("%-6s %-21s -> %s", "", "", x.Fix))
	}
	return lines
}

func printFindings(w io.Writer, list []finding, code int, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(struct {
			Version  string    `json:"version"`
			OK       bool      `json:"ok"`
			Findings []finding `json:"findings"`
		}{versionText(), code == exitDone, list})
	}
	for _, x := range list {
		for _, l := range x.lines() {
			fmt.Fprintln(w, l)
		}
	}
	return nil
}

func hiddenFinding(p *plan) finding {
	_, hidden := shell.Environ(os.Environ(), p.config.EnvAllowlist)
	if len(hidden) == 0 {
		return fine("hidden from commands", "none")
	}
	words := ""
	for _, n := range hidden {
		words += n + " "
	}
	return fine("hidden from commands", words+"(envAllowlist shows one again)")
}
