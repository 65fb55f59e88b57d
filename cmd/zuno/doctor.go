package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
)

// newDoctor returns the command that tells what zuno finds here.
func newDoctor() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what works here, what does not, and what to do about it",
		Long: `doctor tries what zuno depends on: ripgrep, the sandbox, the record, the
configuration and the providers' keys. It sends nothing. It ends with 0 when
nothing is wrong, and with 1 otherwise.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return doctor(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
	return cmd
}

// A finding is one thing that was looked at.
type finding struct {
	what, found string
	wrong       bool
}

func doctor(ctx context.Context, f flags) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	wrong := 0
	for _, x := range findings(ctx, p) {
		if x.wrong {
			wrong++
		}
		fmt.Println(x)
	}
	if wrong > 0 {
		return &codeOnly{exitFailed}
	}
	return nil
}

// String is the finding as one line.
func (x finding) String() string {
	word := "ok"
	if x.wrong {
		word = "WRONG"
	}
	return fmt.Sprintf("%-6s %-21s %s", word, x.what, oneLine(x.found))
}

// findings looks at everything that zuno depends on.
func findings(ctx context.Context, p *plan) []finding {
	list := []finding{{what: "zuno", found: versionText()}, ripgrepFinding(ctx, p)}
	list = append(list, sandboxFindings(p)...)
	list = append(list, recordFinding(p), providerFinding())
	for _, file := range p.config.Files {
		list = append(list, finding{what: "configuration", found: file.Path + " (" + standing(p, file) + ")"})
	}
	for _, n := range p.notices {
		list = append(list, finding{what: "configuration", found: n})
	}
	if servers, notices := p.mcpEntries(); len(servers)+len(notices) > 0 {
		list = append(list, finding{what: "mcp servers", found: fmt.Sprintf("%d (zuno mcp list shows them)", len(servers))})
		for _, n := range notices {
			list = append(list, finding{"mcp servers", n, true})
		}
	}
	for _, line := range strays(p.root) {
		list = append(list, finding{"processes", line, true})
	}
	_, hidden := shell.Environ(os.Environ(), p.config.EnvAllowlist)
	words := "none"
	if len(hidden) > 0 {
		words = strings.Join(hidden, " ") + " (envAllowlist shows one again)"
	}
	return append(list, finding{what: "hidden from commands", found: words})
}

func ripgrepFinding(ctx context.Context, p *plan) finding {
	path, version, err := shell.FindRipgrep(ctx, p.lookup())
	if err != nil {
		return finding{"ripgrep", err.Error(), true}
	}
	return finding{what: "ripgrep", found: version + ", " + path}
}

// sandboxFindings says what commands are confined to, what that cannot do here,
// and whether it is what is configured.
func sandboxFindings(p *plan) []finding {
	env, _ := shell.Environ(os.Environ(), p.config.EnvAllowlist)
	s, err := newSandbox(p, env)
	if err != nil {
		return []finding{{"sandbox", err.Error(), true}}
	}
	_, words, err := s.confine()
	if err != nil {
		return []finding{{"sandbox", err.Error(), true}}
	}
	list := []finding{{what: "sandbox", found: words + "; the machine has " + s.ability().String()}}
	for _, l := range s.ability().Limits() {
		list = append(list, finding{what: "sandbox", found: l})
	}
	return list
}

// recordFinding checks the whole database, when there is one.
func recordFinding(p *plan) finding {
	path := filepath.Join(p.paths.Data, "zuno.db")
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return finding{what: "record", found: path + ", not there yet"}
	}
	db, err := store.Open(path, time.Now)
	if err != nil {
		return finding{"record", err.Error(), true}
	}
	defer db.Close()
	if err := db.Check(); err != nil {
		return finding{"record", err.Error(), true}
	}
	return finding{what: "record", found: path + ", whole"}
}

// providerFinding names the providers that have a key, not the keys.
func providerFinding() finding {
	var keyed []string
	for _, p := range providers() {
		if p.keyEnv != "" && os.Getenv(p.keyEnv) != "" {
			keyed = append(keyed, p.id)
		}
	}
	if len(keyed) == 0 {
		return finding{what: "providers", found: "no key is set (" + errNoProvider.Error() + ")"}
	}
	return finding{what: "providers", found: "keys for " + strings.Join(keyed, ", ")}
}
