package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newSessions returns the commands about what is remembered. None of them asks
// a model or runs anything.
func newSessions() *cobra.Command {
	var f flags
	var all, asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions of this folder, and look after them",
		Long: `sessions lists what was recorded in this folder, the newest first. An ID may
be shortened to its first characters wherever one is asked for.`,
		Example: `  zuno sessions
  zuno sessions search "flaky test"
  zuno sessions fork 01jd --at 3
  zuno sessions gc --older-than 90d --dry-run`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listSessions(cmd.OutOrStdout(), f, all, asJSON, limit)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.BoolVar(&all, "all", false, "list those of every folder")
	fl.BoolVar(&asJSON, "json", false, "print one JSON object")
	fl.IntVar(&limit, "limit", 50, "list at most `N`, 0 for all")
	cmd.AddCommand(newSearch(), newRename(), newFork(), newGC(), newRepair())
	return cmd
}

// exactly checks that a command was given one argument for each name.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return usageErrorf("%s takes %s (see %s --help)", cmd.Name(), strings.Join(names, " and "), cmd.CommandPath())
		}
		return nil
	}
}

func listSessions(w io.Writer, f flags, all, asJSON bool, limit int) error {
	if limit < 0 {
		return usageErrorf("--limit %d: it must be a number, 0 for all", limit)
	}
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	dir := p.dir
	if all {
		dir = ""
	}
	out := sessionList{1, []listedSession{}}
	err = p.ifRecorded(func(db *store.Store) error {
		list, err := db.SessionsIn(dir, limit)
		for _, m := range list {
			x := listedSession{Summary: m}
			if asJSON {
				if x.spent, err = db.Spent(m.ID); err != nil {
					return err
				}
			}
			out.Sessions = append(out.Sessions, x)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(w, out)
	case len(out.Sessions) == 0 && all:
		fmt.Fprintln(w, "no session is recorded yet")
	case len(out.Sessions) == 0:
		fmt.Fprintf(w, "no session is recorded in %s yet (--all lists those of every folder)\n", tools.CleanLine(p.dir))
	}
	for _, s := range out.Sessions {
		fmt.Fprintln(w, s.line(all))
	}
	return nil
}

func newSearch() *cobra.Command {
	var f flags
	var all, asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "Find what was said and what calls returned",
		Long: `search finds the places where all words of TEXT occur: in what you and the model
said, in what calls were about, and in the head and tail of what they returned
(2,048 characters each). The last word may be the beginning of one.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if strings.TrimSpace(text) == "" {
				return usageErrorf("what to search for? give some words")
			}
			return searchSessions(cmd.OutOrStdout(), f, text, all, asJSON, limit)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.BoolVar(&all, "all", false, "search those of every folder")
	fl.BoolVar(&asJSON, "json", false, "print one JSON object")
	fl.IntVar(&limit, "limit", 20, "print at most `N` places")
	return cmd
}

type foundPlace struct {
	Session string    `json:"session"`
	Title   string    `json:"title"`
	Dir     string    `json:"dir"`
	Branch  string    `json:"branch,omitempty"`
	Who     string    `json:"who"`
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
}

func searchSessions(w io.Writer, f flags, text string, all, asJSON bool, limit int) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	dir := p.dir
	if all {
		dir = ""
	}
	found := []foundPlace{}
	err = p.ifRecorded(func(db *store.Store) error {
		hits, err := db.Search(text, dir, limit)
		for _, h := range hits {
			found = append(found, foundPlace{h.ID, tools.CleanLine(h.Title), tools.CleanLine(h.Dir), tools.CleanLine(h.Branch), tools.CleanLine(h.Who), h.At, oneLine(h.Text)})
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(w, struct {
			V     int          `json:"v"`
			Found []foundPlace `json:"found"`
		}{1, found})
	case len(found) == 0:
		fmt.Fprintln(w, "nothing that was recorded has these words"+map[bool]string{false: " (--all searches every folder)"}[all])
	}
	for _, h := range found {
		fmt.Fprintf(w, "%s  %s  %-10s %s\n    %s\n", h.Session, h.At.Local().Format(minute), h.Who, h.Title, h.Text)
	}
	return nil
}

func newRename() *cobra.Command {
	return &cobra.Command{
		Use: "rename ID TITLE", Short: "Give a session another title", Args: cobra.MinimumNArgs(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			title := ""
			if len(args) > 1 {
				title = oneLine(strings.Join(args[1:], " "))
			}
			if title == "" {
				return usageErrorf("rename takes the ID of a session and a title (see zuno sessions rename --help)")
			}
			return recorded(flags{}, func(_ *plan, db *store.Store) error {
				id, err := db.Rename(args[0], title)
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "%s is called %s now\n", id, title)
				}
				return err
			})
		},
	}
}

func newFork() *cobra.Command {
	var turns int
	cmd := &cobra.Command{
		Use:   "fork ID",
		Short: "Begin a new session as a copy of one",
		Long: `fork copies a session, or its first turns, into a new one and prints its ID. The
files stay as they are. What was done is not done again, and the ledger lists it
where it was done.`,
		Args: exactly("the ID of a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if turns < 1 && cmd.Flags().Changed("at") {
				return usageErrorf("--at %d: it must be a number over 0", turns)
			}
			return recorded(flags{}, func(_ *plan, db *store.Store) error {
				id, err := db.Fork(args[0], turns)
				if err == nil {
					fmt.Fprintln(cmd.OutOrStdout(), id)
				}
				return err
			})
		},
	}
	cmd.Flags().IntVar(&turns, "at", 0, "copy only the first `N` turns")
	return cmd
}
