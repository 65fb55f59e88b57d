package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/memory"
)

// newMemory returns the commands about what sessions are told.
func newMemory() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Show and change what every session is told",
		Long: `memory is what you accepted to be told to every session: entries for all of
your projects, and for this repository. Sessions are told only with "memory": true
in your configuration.`,
		Example: `  zuno memory list
  zuno memory add the tests need a running Postgres: make db
  zuno memory remove 3`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMemoryList(), newMemoryAdd(), newMemoryRemove())
	return cmd
}

func newMemoryList() *cobra.Command {
	var f flags
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:        "list",
		Short:      "List the entries, with who accepted them, when and where",
		SuggestFor: []string{"ls", "show"},
		Args:       noArgs,
		RunE:       func(cmd *cobra.Command, _ []string) error { return listMemory(cmd.OutOrStdout(), f, all, asJSON) },
	}
	placed(cmd, &f)
	cmd.Flags().BoolVar(&all, "all", false, "list the entries of all repositories")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// A listedEntry is what is printed of an entry.
type listedEntry struct {
	N       int64     `json:"n"`
	Repo    string    `json:"repo,omitempty"` // missing for what counts everywhere
	Text    string    `json:"text"`
	By      string    `json:"by"`
	Session string    `json:"session,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
}

func listMemory(w io.Writer, f flags, all, asJSON bool) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	var found []store.Remembered
	err = p.ifRecorded(func(db *store.Store) error {
		list, err := db.Remembered()
		for _, r := range list {
			if all || r.Repo == "" || r.Repo == p.root {
				found = append(found, r)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		list := []listedEntry{}
		for _, r := range found {
			list = append(list, listedEntry{r.N, r.Repo, r.Text, r.By, r.Session, r.Reason, r.At})
		}
		return printJSON(w, map[string]any{"v": 1, "on": p.remembers(), "entries": list})
	}
	if !p.remembers() {
		fmt.Fprintln(w, `memory is off: "memory": true in your configuration tells it to sessions`)
	}
	if len(found) == 0 {
		fmt.Fprintln(w, "nothing is remembered")
	}
	for i, r := range found {
		if i == 0 || r.Repo != found[i-1].Repo {
			whom := "every project is told"
			if r.Repo != "" {
				whom = tools.CleanLine(r.Repo) + " is told"
			}
			fmt.Fprintln(w, whom)
		}
		fmt.Fprintf(w, "  %d  %s\n       %s\n", r.N, oneLine(r.Text), oneLine(provenance(r.Entry)))
	}
	return nil
}

func newMemoryAdd() *cobra.Command {
	var f flags
	var global bool
	cmd := &cobra.Command{
		Use:   "add [flags] TEXT",
		Short: "Remember a text for this repository, or for all with --global",
		RunE: func(cmd *cobra.Command, args []string) error {
			return addMemory(cmd.OutOrStdout(), f, global, strings.Join(args, " "))
		},
	}
	placed(cmd, &f)
	cmd.Flags().BoolVar(&global, "global", false, "tell every project")
	return cmd
}

func addMemory(w io.Writer, f flags, global bool, text string) error {
	if strings.TrimSpace(text) == "" {
		return usageErrorf("there is no text: say what is to be remembered")
	}
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	db, err := store.Open(p.recordPath(), time.Now)
	if err != nil {
		return &codedError{exitConfig, err}
	}
	defer db.Close()
	m, target := db.Memory(p.root), memory.Project
	if global {
		target = memory.Global
	}
	book, err := m.Book(target)
	if err != nil {
		return err
	}
	kept, warnings, err := memory.Admit(memory.Config{Show: agent.Escape}, target, book, text)
	if err != nil { // what a model is told begins with what kind of mistake it made
		return usageErrorf("%s", strings.TrimPrefix(tools.OutcomeOf(err).Text, "invalid arguments: "))
	}
	book, err = m.Put(target, book.Revision, memory.Entry{Text: kept, By: "you"})
	if err != nil {
		return err
	}
	for _, text := range warnings {
		fmt.Fprintln(os.Stderr, "zuno: "+oneLine(text))
	}
	fmt.Fprintf(w, "remembered as entry %d: %s\n", book.Entries[len(book.Entries)-1].N, oneLine(kept))
	if !p.remembers() {
		fmt.Fprintln(os.Stderr, `zuno: memory is off: "memory": true in your configuration tells it to sessions`)
	}
	return nil
}

func newMemoryRemove() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:        "remove N...",
		Short:      "Forget entries, by the numbers that list shows",
		SuggestFor: []string{"rm", "delete", "forget"},
		RunE:       func(cmd *cobra.Command, args []string) error { return removeMemory(cmd.OutOrStdout(), f, args) },
	}
	placed(cmd, &f)
	return cmd
}

func removeMemory(w io.Writer, f flags, args []string) error {
	var numbers []int64
	for _, a := range args {
		n, err := strconv.ParseInt(a, 10, 64)
		if err != nil {
			return usageErrorf("%q is no number of an entry (see zuno memory list)", a)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) == 0 {
		return usageErrorf("which entry? Give the number that zuno memory list shows")
	}
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	return p.withRecord(func(db *store.Store) error {
		for _, n := range numbers {
			found := false
			if db != nil {
				if found, err = db.Forget(n); err != nil {
					return err
				}
			}
			if !found {
				return usageErrorf("there is no entry %d (see zuno memory list --all)", n)
			}
			fmt.Fprintf(w, "forgotten: entry %d\n", n)
		}
		return nil
	})
}
