package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/redact"
)

// newConfig returns the commands about the configuration.
func newConfig() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show which configuration is in force, and where each value comes from",
		Long: `config lists the configuration files that are in force and every value that
they set, with the file, line and column it comes from. What may be a secret,
such as a header, is not shown.`,
		Example: `  zuno config
  zuno config explain approval.policy
  zuno config edit`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return showConfig(cmd.OutOrStdout(), f) },
	}
	seen(cmd, &f)
	cmd.AddCommand(&cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of a configuration file",
		Long: `schema prints the JSON schema of a configuration file. Editors complete and
check a file that names it: write it beside the file and put "$schema":
"./zuno.schema.json" first.`,
		Example: "  zuno config schema > ~/.config/zuno/zuno.schema.json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(append(config.Schema(), '\n'))
			return err
		},
	}, newConfigExplain(), newConfigEdit())
	return cmd
}

// seen adds the flags of what only looks.
func seen(cmd *cobra.Command, f *flags) {
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
}

func newConfigExplain() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "explain [KEY]",
		Short: "Say what a key means, what it is set to and by whom, and what a project may do with it",
		Long: `explain says what a key of the configuration means, which values it takes, what
it is set to here and by which file, and what a project's file may do with it.
Without a key it lists all keys.`,
		Example: `  zuno config explain approval.policy
  zuno config explain provider.ollama.baseURL
  zuno config explain`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageErrorf("%s takes one key (see %[1]s --help)", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), strings.Join(config.Keys(), "\n"))
				return nil
			}
			return explainKey(cmd.OutOrStdout(), f, args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return config.Keys(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	seen(cmd, &f)
	return cmd
}

// standing says how far a file is in force, and why.
func standing(p *plan, f config.File) string {
	switch {
	case !f.Project:
		return "trusted"
	case f.Beyond == nil:
		return "the project's: what tightens is in force"
	case f.Trusted:
		return "the project's, trusted: it " + settingsWords(p, trustItem{Name: p.inProject(f.Path)})
	}
	return "the project's, not trusted: only what tightens is in force"
}

func showConfig(w io.Writer, f flags) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	for _, l := range configLines(p) {
		fmt.Fprintln(w, l)
	}
	for _, line := range settingLines(p.config.Settings()) {
		fmt.Fprintln(w, "  "+line)
	}
	for _, n := range p.notices {
		fmt.Fprintln(os.Stderr, "zuno: "+oneLine(n))
	}
	return nil
}

// configLines says which files are in force.
func configLines(p *plan) []string {
	var lines []string
	if len(p.config.Files) == 0 {
		lines = append(lines, fmt.Sprintf("no configuration file; yours would be %s/zuno.json (zuno config edit makes one)", p.paths.Config))
	}
	for _, file := range p.config.Files {
		lines = append(lines, fmt.Sprintf("%s  (%s)", file.Path, standing(p, file)))
	}
	return lines
}

// settingLines writes settings with where they come from, and no secret.
func settingLines(list []config.Setting) []string {
	hide := redact.New(secrets())
	var lines []string
	for _, s := range list {
		lines = append(lines, fmt.Sprintf("%s = %s  (%s)", oneLine(s.Path), oneLine(hide.Text(s.Value)), s.Place))
	}
	return lines
}

func explainKey(w io.Writer, f flags, name string) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	e, err := p.config.Explain(name)
	if err != nil {
		return usageErrorf("%w", err)
	}
	plain := func(s string) string { return strings.ReplaceAll(s, "`", "") }
	var b strings.Builder
	row := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-9s %s\n", what, oneLine(plain(text)))
		}
	}
	row("key", e.Row)
	row("means", e.Meaning)
	if !e.Supported {
		row("state", "known, and not supported by this version: it has no effect")
	}
	row("takes", e.Value)
	row("default", e.Default)
	row("a project", strings.TrimPrefix(e.Project, "projects: "))
	for _, line := range settingLines(e.Set) {
		row("set", line)
	}
	if len(e.Set) == 0 && e.Supported {
		row("set", "by no file here")
	}
	for _, k := range e.Below {
		row("below it", k)
	}
	fmt.Fprint(w, b.String())
	return nil
}
