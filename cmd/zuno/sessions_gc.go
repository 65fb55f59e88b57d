package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/store"
)

// newGC returns the command that removes sessions.
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := parseAge(age)
			if err != nil || keep < 0 {
				return usageErrorf("--older-than %s --keep %d: the first must be an age such as 90d, 12h or 0d, the second a number", age, keep)
			}
			return collect(cmd.OutOrStdout(), store.Collection{Before: time.Now().Add(-d), Keep: keep, Untold: untold, Dry: dry || !yes}, yes && !dry)
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

func collect(w io.Writer, c store.Collection, done bool) error {
	p, err := newPlan(flags{})
	if err != nil {
		return err
	}
	return p.withRecord(func(db *store.Store) error {
		if db == nil {
			fmt.Fprintln(w, "nothing is recorded yet, so there is nothing to remove")
			return nil
		}
		out, err := db.Collect(c)
		verb := map[bool]string{true: "removed", false: "would remove"}[done]
		for _, m := range out.Removed {
			fmt.Fprintf(w, "%s  %s\n", verb, listedSession{Summary: m}.line(true))
		}
		for _, k := range out.Kept {
			fmt.Fprintf(w, "kept  %s  %s: %s\n", k.ID, oneLine(k.Title), k.Why)
		}
		switch {
		case err != nil:
			return err
		case len(out.Removed) == 0:
			fmt.Fprintln(w, "there is nothing to remove")
		case done:
			fmt.Fprintf(w, "%s removed, %s given back\n", counted(len(out.Removed), "session"), bytesWord(out.Freed))
		default:
			fmt.Fprintf(w, "%s would be removed; nothing was: --yes does it\n", counted(len(out.Removed), "session"))
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
