package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tui"
)

// What a way back takes along.
const (
	backBoth         = "both"
	backConversation = "conversation"
	backFiles        = "files"
)

// redoID stands for the last way back in the list of where to go.
const redoID = "redo"

// past is the turns of a session, for whoever takes them back.
type past struct {
	*session
	now func() time.Time
}

// A wayBack is a way back that was worked out.
type wayBack struct {
	to    store.Restore
	files *tools.Proposal // nil when no file would change
	left  []file.Left
	gone  []tools.Record // effects that stay
	said  int            // messages that would be taken back, or brought back
	draft string
}

// Turns lists what can be gone back to, the newest first.
func (b *past) Turns() ([]tui.PastTurn, error) {
	turns, err := b.journal.Turns()
	if err != nil {
		return nil, err
	}
	var list []tui.PastTurn
	way, err := b.redo()
	if err != nil {
		return nil, err
	}
	if way.files != nil || way.said > 0 {
		list = append(list, tui.PastTurn{ID: redoID, Prompt: "undo the last rewind", Detail: "as it was before it"})
	}
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		line, _, _ := strings.Cut(strings.TrimSpace(t.Prompt), "\n")
		list = append(list, tui.PastTurn{
			ID: strconv.FormatInt(t.Seq, 10), Prompt: tools.Clip(line, 60),
			Detail: changed(t.Changes) + ", " + ago(b.now().Sub(t.At)),
		})
	}
	return list, nil
}

// changed sums up what a turn changed.
func changed(list []tools.Change) string {
	paths := map[string]bool{}
	added, removed := 0, 0
	for _, c := range list {
		paths[c.Path] = true
		added, removed = added+c.Added, removed+c.Removed
	}
	switch len(paths) {
	case 0:
		return "no file changed"
	case 1:
		return fmt.Sprintf("%s +%d −%d", tools.CleanLine(list[0].Path), added, removed)
	}
	return fmt.Sprintf("%d files +%d −%d", len(paths), added, removed)
}

// ago says how long ago something was, in its largest unit.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d d ago", int(d.Hours()/24))
}

// back works out the way to before a turn.
func (b *past) back(seq int64) (wayBack, error) {
	w := wayBack{to: store.Restore{Turn: seq}}
	turns, err := b.journal.Turns()
	if err != nil {
		return w, err
	}
	for _, t := range turns {
		if t.Seq == seq {
			w.draft = t.Prompt
		}
		if t.Seq >= seq {
			w.said++
		}
	}
	r, err := b.journal.Since(seq)
	w.files, w.left = b.restore(r)
	w.gone = r.Effects
	return w, err
}

// redo works out how to undo the last way back. It is empty when there was
// none, or when something came after it.
func (b *past) redo() (wayBack, error) {
	var w wayBack
	said, err := b.journal.Rewound()
	if err != nil {
		return w, err
	}
	w.said = said
	call, ok, err := b.journal.Redoable()
	if err != nil || !ok {
		return w, err
	}
	w.to.Redo = call
	r, err := b.journal.Before(call)
	w.files, w.left = b.restore(r)
	return w, err
}

// restore proposes to put the files of r back.
func (b *past) restore(r store.Restoration) (*tools.Proposal, []file.Left) {
	targets := make([]file.Target, len(r.Points))
	for i, p := range r.Points {
		targets[i] = file.Target(p)
	}
	return b.files.Restore(targets)
}

// Plan works out one way back and shows what it would do.
func (b *past) Plan(id string) (*tui.Rewind, error) {
	var w wayBack
	var err error
	title := "undo the last rewind"
	if id == redoID {
		w, err = b.redo()
	} else {
		seq, perr := strconv.ParseInt(id, 10, 64)
		if perr != nil {
			return nil, fmt.Errorf("there is no turn %q", id)
		}
		w, err = b.back(seq)
		line, _, _ := strings.Cut(strings.TrimSpace(w.draft), "\n")
		title = "back to before “" + tools.Clip(line, 60) + "”"
	}
	if err != nil {
		return nil, err
	}
	return &tui.Rewind{
		Title: title, Sections: w.sections(), Choices: w.choices(),
		Walk: func(ctx context.Context, choice string, emit func(loop.Event)) (string, error) {
			return b.walk(ctx, w, choice, "asked for with /rewind", emit)
		},
	}, nil
}

// choices are the rows to answer with. None of them goes without a word.
func (w wayBack) choices() []tools.Option {
	talk := tools.Option{ID: backConversation, Label: "The conversation only", Detail: "files stay; the prompt returns to the composer"}
	files := tools.Option{ID: backFiles, Label: "The files only", Detail: "the model is told"}
	both := tools.Option{ID: backBoth, Label: "Files and conversation"}
	leave := tools.Option{ID: "", Label: "Leave everything as it is"}
	switch {
	case w.files != nil && w.said > 0:
		return []tools.Option{both, talk, files, leave}
	case w.files != nil:
		return []tools.Option{files, leave}
	case w.said > 0:
		return []tools.Option{talk, leave}
	}
	return []tools.Option{leave}
}

// sections show what the way back would do, what it leaves and what it cannot
// take back.
func (w wayBack) sections() []tools.Section {
	var s []tools.Section
	if w.files != nil {
		s = append(s, w.files.Preview...)
	} else {
		s = append(s, tools.Section{Kind: tools.Text, Title: "Files", Body: "none would change"})
	}
	if len(w.left) > 0 {
		var lines []string
		for _, l := range w.left {
			lines = append(lines, tools.CleanLine(l.Name)+": "+l.Why)
		}
		s = append(s, tools.Section{Kind: tools.Text, Title: "Left as they are", Body: strings.Join(lines, "\n")})
	}
	if len(w.gone) > 0 {
		var lines []string
		for _, r := range w.gone {
			lines = append(lines, fmt.Sprintf("%s: %s (%s)", r.Call.Tool, tools.CleanLine(tools.Clip(r.Summary, 200)), r.Outcome.Kind))
		}
		s = append(s, tools.Section{Kind: tools.Text, Title: "Cannot be taken back", Body: strings.Join(lines, "\n")})
	}
	if w.to.Turn != 0 && w.said > 0 {
		s = append(s, tools.Section{Kind: tools.Text, Title: "Conversation", Body: fmt.Sprintf(
			"%s taken back. All of it stays in the record.", count(w.said, "prompt and what followed is", "prompts and what followed are"))})
	}
	if w.to.Turn == 0 && w.said > 0 {
		s = append(s, tools.Section{Kind: tools.Text, Title: "Conversation", Body: count(w.said, "message comes", "messages come") + " back."})
	}
	return s
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// walk goes back. The conversation that speaks of files stays when they cannot
// be put back, so files come first; on the way forward, what was said about
// the way back has to come back before.
func (b *past) walk(ctx context.Context, w wayBack, choice, why string, emit func(loop.Event)) (draft string, err error) {
	files := w.files != nil && (choice == backBoth || choice == backFiles)
	talk := choice == backBoth || choice == backConversation
	steps := []func() error{}
	if files {
		steps = append(steps, func() error { return b.putBack(ctx, w, why, emit) })
	}
	if talk {
		steps = append(steps, func() error { return b.talkBack(w, emit) })
	}
	if w.to.Turn == 0 {
		slices.Reverse(steps)
	}
	for _, do := range steps {
		if err := do(); err != nil {
			return "", err
		}
	}
	if talk {
		draft = w.draft
	}
	return draft, nil
}

// putBack carries out the restoration that was shown.
func (b *past) putBack(ctx context.Context, w wayBack, why string, emit func(loop.Event)) error {
	args, err := json.Marshal(w.to)
	if err != nil {
		return fmt.Errorf("note the way back: %w", err)
	}
	c := tools.Call{ID: store.Restoring, Tool: store.Restoring, Args: args}
	o, err := b.Operate(ctx, c, why, func(_ context.Context, c tools.Call) (*tools.Proposal, error) {
		p := *w.files
		p.Call = c
		return &p, nil
	}, emit)
	if err == nil && o.Kind != tools.OK {
		err = fmt.Errorf("the files were not put back (%s)", o.Kind)
	}
	return err
}

// talkBack takes the conversation back, or forward again, and forgets what the
// model knows of files.
func (b *past) talkBack(w wayBack, emit func(loop.Event)) error {
	word, move := "the conversation is back to before that prompt", func() error { return b.journal.Rewind(w.to.Turn) }
	if w.to.Turn == 0 {
		word, move = "the conversation is as it was before the rewind", b.journal.Unrewind
	}
	if err := move(); err != nil {
		return err
	}
	now, err := b.journal.Load()
	if err != nil {
		return err
	}
	b.Restart(now.Messages, now.Records, now.Notice, loop.View(now.View))
	b.files.Forget()
	c := b.Context()
	emit(loop.Measured{Used: c.Used, Window: c.Window})
	emit(loop.Noticed{Text: word})
	return nil
}

// escapeTags makes text unable to end the tag it stands in.
func escapeTags(s string) string {
	return strings.ReplaceAll(tools.Clean(s), "<", `\u003c`)
}

// restoredContext tells the model, as data, which files the person put back.
func restoredContext(o tools.Outcome) string {
	return "<rewind>\nThe user took back changes of files: " + o.Kind.String() + ".\n" + escapeTags(o.Text) +
		"\nRead files again before you rely on them.\n</rewind>"
}
