package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newTrust returns the command about what of a project may act.
func newTrust() *cobra.Command {
	var f flags
	var yes, list, remove bool
	cmd := &cobra.Command{
		Use:   "trust [flags] [NAME...]",
		Short: "Show what a folder brings along, and let it act",
		Long: `trust shows, to the last character, what the project brings along and what does
not act before somebody has said so: settings that do more than make zuno
stricter. It asks, and remembers the answer for exactly these texts: one that
changes is asked about again. A no is not remembered.

Some settings stay yours whatever is trusted: providers, envAllowlist, rows of
the denylist, the policy yolo and sandbox off.

With --remove it takes the trust back, in everything or in what is named.`,
		Example: `  zuno trust
  zuno trust --list
  zuno trust --remove zuno.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && !remove:
				return usageErrorf("only --remove takes names (see %s --help)", cmd.CommandPath())
			case yes && list || yes && remove || list && remove:
				return usageErrorf("--yes, --list and --remove do not go together (see %s --help)", cmd.CommandPath())
			case list:
				return listTrusted(cmd.OutOrStdout(), f)
			case remove:
				return removeTrust(cmd.OutOrStdout(), f, args)
			}
			return giveTrust(cmd.OutOrStdout(), f, yes)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
	fl.BoolVar(&yes, "yes", false, "trust what is printed without asking")
	fl.BoolVar(&list, "list", false, "list what there is and whether it is trusted")
	fl.BoolVar(&remove, "remove", false, "take the trust back")
	return cmd
}

// trustPlan is a plan in which nothing of the project is in force: what is
// trusted must not keep anybody from taking the trust back.
func trustPlan(f flags) (*plan, error) {
	p, err := locate(f)
	if err != nil {
		return nil, err
	}
	return p, p.read(nil)
}

func giveTrust(w io.Writer, f flags, yes bool) error {
	if os.Getenv("ZUNO") != "" { // set for every command that zuno runs
		return errors.New("a command that zuno runs cannot trust anything: type it in a terminal of your own")
	}
	p, err := trustPlan(f)
	if err != nil {
		return err
	}
	if _, err := p.trusted(); err != nil {
		return err
	}
	items := p.untrusted()
	root := tools.CleanLine(p.root)
	if len(items) == 0 {
		words := "nothing in %s needs trust\n"
		if len(found(p)) > 0 {
			words = "everything in %s that needs trust has it (zuno trust --list shows it)\n"
		}
		_, err := fmt.Fprintf(w, words, root)
		return err
	}
	if err := printItems(w, p, items); err != nil {
		return err
	}
	if !yes {
		if !isTerminal(os.Stdin) || !isTerminal(os.Stdout) {
			return usageErrorf("nobody can be asked here: type zuno trust in a terminal, or have --yes trust what is printed")
		}
		if !confirm(w, os.Stdin, "Trust these in "+root+"? [y/N] ") {
			fmt.Fprintln(w, "nothing was trusted")
			return &codeOnly{exitFailed}
		}
	}
	if err := p.trust(items); err != nil {
		return err
	}
	for _, i := range items {
		fmt.Fprintf(w, "trusted in %s: %s\n", root, i)
	}
	return nil
}

// printItems writes each item with its text, indented, so that no line of it
// can be taken for a heading.
func printItems(w io.Writer, p *plan, items []trustItem) error {
	var b strings.Builder
	for _, i := range items {
		b.WriteString(tools.CleanLine(i.heading(p)) + "\n")
		for _, l := range strings.Split(strings.TrimSuffix(tools.Clean(i.Text), "\n"), "\n") {
			b.WriteString("  " + l + "\n")
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// confirm asks for one line, of which only a yes is one.
func confirm(w io.Writer, in io.Reader, question string) bool {
	fmt.Fprint(w, question)
	line, err := bufio.NewReader(in).ReadString('\n')
	word := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (word == "y" || word == "yes")
}

func listTrusted(w io.Writer, f flags) error {
	p, err := trustPlan(f)
	if err != nil {
		return err
	}
	list, err := p.trusted()
	if err != nil {
		return err
	}
	lines := trustLines(p, list)
	if len(lines) == 0 {
		lines = []string{"nothing in " + tools.CleanLine(p.root) + " needs trust"}
	}
	_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func removeTrust(w io.Writer, f flags, names []string) error {
	p, err := locate(f)
	if err != nil {
		return err
	}
	list, err := p.trusted()
	if err != nil {
		return err
	}
	root := tools.CleanLine(p.root)
	for _, name := range names {
		if !slices.ContainsFunc(list, func(t store.Trusted) bool { return t.Name == name }) {
			return fmt.Errorf("nothing called %q is trusted in %s: zuno trust --list shows what is", name, root)
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("nothing is trusted in %s", root)
	}
	return p.withRecord(func(db *store.Store) error {
		for _, t := range list {
			if len(names) > 0 && !slices.Contains(names, t.Name) {
				continue
			}
			removed, err := db.Trust(p.root).Remove(t.Kind, t.Name)
			if err != nil {
				return err
			}
			if removed { // not again for another text of it
				fmt.Fprintf(w, "no longer trusted in %s: %s\n", root, trustItem{Kind: t.Kind, Name: t.Name})
			}
		}
		return nil
	})
}
