package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
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
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("there is no command %q (see zuno sessions --help)", args[0])
			}
			return listSessions(f, all, asJSON, limit)
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

// one is a command whose arguments are a session and so many words.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return usageErrorf("%s takes %s (see %s --help)", cmd.Name(), strings.Join(names, " and "), cmd.CommandPath())
		}
		return nil
	}
}

// recorded calls f with the record, which has to be there for there to be a
// session.
func recorded(fl flags, f func(*plan, *store.Store) error) error {
	p, err := newPlan(fl)
	if err != nil {
		return err
	}
	return p.withRecord(func(db *store.Store) error {
		if db == nil {
			return usageErrorf("nothing is recorded yet: there is no %s", p.recordPath())
		}
		db.Hide(secrets())
		return f(p, db)
	})
}

func listSessions(f flags, all, asJSON bool, limit int) error {
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
	err = p.withRecord(func(db *store.Store) error {
		if db == nil {
			return nil
		}
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
		return printJSON(os.Stdout, out)
	case len(out.Sessions) == 0 && all:
		fmt.Println("no session is recorded yet")
	case len(out.Sessions) == 0:
		fmt.Printf("no session is recorded in %s yet (--all lists those of every folder)\n", tools.CleanLine(p.dir))
	}
	for _, s := range out.Sessions {
		fmt.Println(s.line(all))
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
		RunE: func(_ *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if strings.TrimSpace(text) == "" {
				return usageErrorf("what to search for? give some words")
			}
			return searchSessions(f, text, all, asJSON, limit)
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

func searchSessions(f flags, text string, all, asJSON bool, limit int) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	dir := p.dir
	if all {
		dir = ""
	}
	found := []foundPlace{}
	err = p.withRecord(func(db *store.Store) error {
		if db == nil {
			return nil
		}
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
		return printJSON(os.Stdout, struct {
			V     int          `json:"v"`
			Found []foundPlace `json:"found"`
		}{1, found})
	case len(found) == 0:
		fmt.Println("nothing that was recorded has these words" + map[bool]string{false: " (--all searches every folder)"}[all])
	}
	for _, h := range found {
		fmt.Printf("%s  %s  %-10s %s\n    %s\n", h.Session, h.At.Local().Format(minute), h.Who, h.Title, h.Text)
	}
	return nil
}

func newRename() *cobra.Command {
	return &cobra.Command{
		Use: "rename ID TITLE", Short: "Give a session another title", Args: cobra.MinimumNArgs(0),
		RunE: func(_ *cobra.Command, args []string) error {
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
					fmt.Printf("%s is called %s now\n", id, title)
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
					fmt.Println(id)
				}
				return err
			})
		},
	}
	cmd.Flags().IntVar(&turns, "at", 0, "copy only the first `N` turns")
	return cmd
}

func newGC() *cobra.Command {
	var age string
	var keep int
	var dry, yes, untold bool
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove old sessions",
		Long: `gc removes the sessions of every folder that were not used for a time, with
what they kept to put files back, and gives the space back. It never removes one
that a running zuno holds, nor one with calls that have no outcome; one with
uncertain calls that the model was not told of only with --uncertain. Without
--yes it says what it would do and does nothing.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			d, err := parseAge(age)
			if err != nil || keep < 0 {
				return usageErrorf("--older-than %s --keep %d: the first must be an age such as 90d, 12h or 0d, the second a number", age, keep)
			}
			return collect(store.Collection{Before: time.Now().Add(-d), Keep: keep, Untold: untold, Dry: dry || !yes}, yes && !dry)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&age, "older-than", "90d", "remove what was not used for `AGE`")
	fl.IntVar(&keep, "keep", 0, "keep the newest `N` whatever their age")
	fl.BoolVar(&untold, "uncertain", false, "remove those too that have uncertain calls the model was not told of")
	fl.BoolVar(&dry, "dry-run", false, "only say what would be removed")
	fl.BoolVar(&yes, "yes", false, "remove it")
	return cmd
}

// parseAge reads a duration that may be given in days.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > 36500 {
			return 0, errors.New("not a number of days")
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(s)
	if d < 0 {
		err = errors.New("it is negative")
	}
	return d, err
}

func collect(c store.Collection, done bool) error {
	p, err := newPlan(flags{})
	if err != nil {
		return err
	}
	return p.withRecord(func(db *store.Store) error {
		if db == nil {
			fmt.Println("nothing is recorded yet, so there is nothing to remove")
			return nil
		}
		out, err := db.Collect(c)
		verb := map[bool]string{true: "removed", false: "would remove"}[done]
		for _, m := range out.Removed {
			fmt.Printf("%s  %s\n", verb, listedSession{Summary: m}.line(true))
		}
		for _, k := range out.Kept {
			fmt.Printf("kept  %s  %s: %s\n", k.ID, oneLine(k.Title), k.Why)
		}
		switch {
		case err != nil:
			return err
		case len(out.Removed) == 0:
			fmt.Println("there is nothing to remove")
		case done:
			fmt.Printf("%d sessions removed, %s given back\n", len(out.Removed), bytesWord(out.Freed))
		default:
			fmt.Printf("%d sessions would be removed; nothing was: --yes removes them\n", len(out.Removed))
		}
		return nil
	})
}

func bytesWord(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

func newRepair() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Find a way out when the record is damaged",
		Long: `repair reads the whole record. When it is damaged, of a newer zuno or of another
program, it moves the file aside with its logs, and carries what can be read of a
damaged one over into a new record. Nothing is deleted, and a record that is
whole stays as it is. Without --yes it says what it would do and does nothing.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return repairRecord(yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

func repairRecord(yes bool) error {
	p, err := newPlan(flags{})
	if err != nil {
		return err
	}
	r, err := store.Repair(p.recordPath(), time.Now, yes)
	switch {
	case r.Missing:
		fmt.Printf("there is no record yet at %s\n", p.recordPath())
		return err
	case r.Found == nil && err == nil:
		fmt.Printf("%s is whole: nothing was done\n", p.recordPath())
		return nil
	case r.Found != nil:
		fmt.Println(oneLine(r.Found.Error()))
	}
	if err != nil {
		return err
	}
	verb := map[bool]string{true: "moved to", false: "would move to"}[yes]
	for _, to := range r.Aside {
		fmt.Printf("%s %s\n", verb, to)
	}
	if !yes {
		if r.Readable {
			fmt.Println("would carry over into a new record what can be read")
		} else {
			fmt.Println("would begin a new record; nothing of this file would be carried over")
		}
		fmt.Println("nothing was done: --yes does it")
		return &codeOnly{exitFailed}
	}
	for _, s := range r.Saved {
		fmt.Printf("carried over %d rows of %s\n", s.Rows, s.What)
	}
	for _, l := range r.Lost {
		fmt.Printf("lost: %s\n", oneLine(l))
	}
	if len(r.Saved) == 0 {
		fmt.Println("nothing was carried over; the next session begins a new record")
	}
	return nil
}
