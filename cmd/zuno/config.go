package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/config"
)

// newConfig returns the commands about the configuration.
func newConfig() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show which configuration files are in force",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return showConfig(f) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
	cmd.AddCommand(&cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of a configuration file",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := os.Stdout.Write(append(config.Schema(), '\n'))
			return err
		},
	})
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

func showConfig(f flags) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	for _, l := range configLines(p) {
		fmt.Println(l)
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
		lines = append(lines, fmt.Sprintf("no configuration file; yours would be %s/zuno.json", p.paths.Config))
	}
	for _, file := range p.config.Files {
		lines = append(lines, fmt.Sprintf("%s  (%s)", file.Path, standing(p, file)))
	}
	return lines
}
