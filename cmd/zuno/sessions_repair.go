package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/store"
)

// newRepair returns the command for a damaged record.
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
		RunE: func(cmd *cobra.Command, _ []string) error { return repairRecord(cmd.OutOrStdout(), yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

func repairRecord(w io.Writer, yes bool) error {
	p, err := newPlan(flags{})
	if err != nil {
		return err
	}
	r, err := store.Repair(p.recordPath(), time.Now, yes)
	switch {
	case r.Missing:
		fmt.Fprintf(w, "there is no record yet at %s\n", p.recordPath())
		return err
	case r.Found == nil && err == nil:
		fmt.Fprintf(w, "%s is whole: nothing was done\n", p.recordPath())
		return nil
	case r.Found != nil:
		fmt.Fprintln(w, oneLine(r.Found.Error()))
	}
	if err != nil {
		return err
	}
	verb := map[bool]string{true: "moved to", false: "would move to"}[yes]
	for _, to := range r.Aside {
		fmt.Fprintf(w, "%s %s\n", verb, to)
	}
	if !yes {
		if r.Readable {
			fmt.Fprintln(w, "would carry over into a new record what can be read")
		} else {
			fmt.Fprintln(w, "would begin a new record; nothing of this file would be carried over")
		}
		fmt.Fprintln(w, "nothing was done: --yes does it")
		return &codeOnly{exitFailed}
	}
	for _, s := range r.Saved {
		fmt.Fprintf(w, "carried over %d rows of %s\n", s.Rows, s.What)
	}
	for _, l := range r.Lost {
		fmt.Fprintf(w, "lost: %s\n", oneLine(l))
	}
	if len(r.Saved) == 0 {
		fmt.Fprintln(w, "nothing was carried over; the next session begins a new record")
	}
	return nil
}
