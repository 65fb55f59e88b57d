package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// An undoing is what the command line asks to take back.
type undoing struct {
	flags
	redo, yes, talk bool
}

// newUndo returns the command that takes the last turn's changes back.
func newUndo() *cobra.Command {
	var u undoing
	cmd := &cobra.Command{
		Use:   "undo [flags]",
		Short: "Put the files back that the last turn changed",
		Long: `undo shows what the last turn that changed files changed, and puts these files
back as they were before it. Files that somebody changed since are left alone
and named, and so is what cannot be taken back, such as commands that ran. Run
it again to go one turn further back. What undo did can be undone with --redo
until zuno changes files again.

The conversation stays, and the model is told; --conversation takes it back to
before that turn as well. In a session, /rewind does the same for any turn.`,
		Example: `  zuno undo            show what would be put back, and ask
  zuno undo --yes      put it back without asking
  zuno undo --redo     undo the undo`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return undo(cmd.Context(), cmd.OutOrStdout(), u) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&u.redo, "redo", false, "undo the last undo or rewind")
	fl.BoolVarP(&u.yes, "yes", "y", false, "do not ask")
	fl.BoolVar(&u.talk, "conversation", false, "take the conversation back too")
	fl.StringVar(&u.session, "session", "", "take back in the session with this `ID` (default the newest of this folder)")
	fl.StringVarP(&u.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&u.config, "config", "", "read `FILE` over the user's configuration")
	return cmd
}

func undo(ctx context.Context, w io.Writer, u undoing) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	u.cont = u.session == ""
	p, err := newPlan(u.flags)
	if err != nil {
		return err
	}
	s, err := reopen(p)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err != nil {
		return err
	}
	b := &past{s, time.Now}
	way, err := b.last(u.redo)
	if err != nil {
		return err
	}
	if err := printSections(w, way.sections()); err != nil {
		return err
	}
	choice := backFiles
	switch {
	case u.talk && way.files == nil:
		choice = backConversation
	case u.talk:
		choice = backBoth
	case way.files == nil:
		return errors.New("no file can be put back")
	}
	if err := u.agreed(); err != nil {
		return err
	}
	_, err = b.walk(ctx, way, choice, "asked for with zuno undo", func(e loop.Event) {
		switch e := e.(type) {
		case loop.Settled:
			fmt.Fprintf(os.Stderr, "%s: %s\n", e.Record.Outcome.Kind, tools.Clean(e.Record.Outcome.Text))
		case loop.Noticed:
			fmt.Fprintln(os.Stderr, e.Text)
		}
	})
	return err
}

// reopen opens the session that the flags name for what a person does with it
// by hand: no model, nobody to ask.
func reopen(p *plan) (*session, error) {
	s := &session{}
	record, err := openRecord(p, s)
	if err != nil {
		return s, err
	}
	stored, err := record.past()
	if err != nil {
		return s, err
	}
	ws, err := file.NewWorkspace(p.root, p.paths.Config, p.paths.Data, p.paths.State)
	if err != nil {
		return s, fmt.Errorf("open the workspace %s: %w", p.root, err)
	}
	s.journal, s.files = record.session, file.New(ws)
	s.Session = loop.New(loop.Config{
		ID: record.session.ID(), Journal: record.session, ToolCalls: 1,
		Report:  func(_ *tools.Proposal, o tools.Outcome) string { return restoredContext(o) },
		History: stored.Messages, Records: stored.Records, Notice: stored.Notice,
	})
	return s, nil
}

// last is the way back of the last turn that changed files, or the way forward
// again.
func (b *past) last(redo bool) (wayBack, error) {
	if redo {
		w, err := b.redo()
		if err == nil && w.files == nil && w.said == 0 && len(w.left) == 0 {
			err = usageErrorf("--redo: nothing was undone, or files were changed since")
		}
		return w, err
	}
	t, ok, err := b.journal.Undoable()
	switch {
	case err != nil:
		return wayBack{}, err
	case !ok:
		return wayBack{}, usageErrorf("no turn of session %s changed a file that was not taken back already", b.journal.ID())
	}
	return b.back(t.Seq)
}

// agreed asks the person, and returns an error unless the answer is yes.
func (u undoing) agreed() error {
	switch {
	case u.yes:
		return nil
	case !isTerminal(os.Stdin):
		return usageErrorf("nobody can be asked here; this is what would be put back, and --yes does it")
	}
	fmt.Fprint(os.Stderr, "Go back like this? [y/N] ")
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if a := strings.ToLower(strings.TrimSpace(line)); a != "y" && a != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}

// printSections prints a preview as text. What stands in it is somebody
// else's: control characters are taken out.
func printSections(out io.Writer, sections []tools.Section) error {
	for i, s := range sections {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		if s.Title != "" && s.Kind != tools.Diff {
			if _, err := fmt.Fprintln(out, tools.CleanLine(s.Title)); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(out, strings.TrimRight(tools.Clean(s.Body), "\n")); err != nil {
			return err
		}
	}
	return nil
}
