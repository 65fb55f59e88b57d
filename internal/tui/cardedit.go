package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// lineEdited is how long a text may be that is edited on the card itself; it has
// one line too.
const lineEdited = 1000

// edits offers to rewrite the call, where something of it can be.
func (c *card) edits(r approval.Request) {
	if r.Edit == nil {
		return
	}
	text, ok := r.Edit.Text(r.Proposal.Call.Args)
	if !ok {
		return
	}
	c.original, c.rewrite = text, func(text string) (approval.Answer, error) {
		args, err := r.Edit.With(r.Proposal.Call.Args, text)
		return approval.Answer{Verb: approval.Edit, Args: string(args)}, err
	}
	c.rows = append(c.rows, row{letter: "e", label: "Edit " + verbatimLine(r.Edit.What), short: "edit", detail: "shown again before it runs", verb: approval.Edit, unseen: true})
}

// beginEdit opens the text to rewrite: on the card where it is short, else in
// the person's editor.
func (c *card) beginEdit(now time.Time) {
	text := c.original
	if c.draft != "" {
		text = c.draft
	}
	switch {
	case len(text) <= lineEdited && !strings.Contains(text, "\n"):
		c.open(text, now)
	case c.elsewhere == nil:
		c.note = "it is too long for this card, and there is no editor: set VISUAL or EDITOR"
	default:
		c.elsewhere(text)
	}
}

// edited takes what the person made of the text.
func (c *card) edited(text string, err error) {
	switch {
	case err != nil:
		c.note = plainLine(err.Error())
		return
	case text == c.original:
		c.note = "nothing was changed, and nothing ran"
		return
	}
	ans, err := c.rewrite(text)
	if err != nil {
		c.note = plainLine(err.Error())
		return
	}
	if c.keep != nil {
		c.keep(text)
	}
	c.give(ans)
}

// editor lets the card of an ask use the person's editor, and keeps what they
// made of the call for when it cannot run.
func (s *screen) editor(c *card, id string) {
	c.draft = s.drafts[id]
	delete(s.drafts, id)
	c.keep = func(text string) { s.drafts[id] = text }
	edit := s.opts.Editor
	if edit == nil || s.th.dumb {
		return
	}
	c.elsewhere = func(text string) {
		made := ""
		s.suspended = true
		s.host.suspend()
		s.after = s.host.run(func() (err error) {
			made, err = edit(text)
			return err
		}, func(err error) tea.Msg {
			return fetchedMsg{func(s *screen) {
				s.resumed()
				c.appeared = time.Time{} // keys meant for the editor are no answers
				if err == nil {
					made = sameEnd(text, normalise(made))
				}
				c.edited(made, err)
			}}
		})
	}
}

// sameEnd ends a text as the one before it did: an editor ends the last line,
// and who takes that away takes away the person's too.
func sameEnd(before, after string) string {
	if strings.HasSuffix(before, "\n") && !strings.HasSuffix(after, "\n") {
		return after + before[len(strings.TrimRight(before, "\n")):]
	}
	return after
}

// revise shows a call in flight as what a person made of it.
func (l *live) revise(ev loop.Revised) {
	if c := l.find(ev.Call.ID); c != nil && ev.Proposal != nil {
		c.subject, c.preview, c.state = ev.Proposal.Summary, ev.Proposal.Preview, stateQueued
	}
}
