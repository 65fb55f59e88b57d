package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// ErrBlank is the error of a prompt of nothing but white space.
var ErrBlank = errors.New("the prompt is empty")

// Prompt runs one turn: it sends text to the model and carries out the calls
// it makes until it makes no more. Every event is emitted from the calling
// goroutine, in order; the last is Ended, with the error that is returned.
func (s *Session) Prompt(ctx context.Context, text string, emit func(Event)) (err error) {
	began := time.Now()
	s.emit = emit
	from := -1 // the message of the prompt, when it is recorded
	defer func() {
		err = errors.Join(err, s.commit()) // what an error left waiting
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil && from >= 0 {
			s.failed(from, err)
		}
		s.emit = nil
		emit(Ended{Err: err, Took: time.Since(began)})
	}()
	text = plain(text)
	if strings.TrimSpace(text) == "" {
		return ErrBlank
	}
	along, err := s.along(ctx, text, emit)
	if err != nil {
		return err
	}
	emit(Prompted{Text: text})
	m := s.said(ctx, text, along, emit)
	if s.notice != "" {
		m.Parts = append([]llm.Part{{Kind: llm.Text, Text: s.notice}}, m.Parts...)
		notice, _ := untagged(s.notice)
		emit(Noticed{Text: notice})
	}
	if s.failure != "" {
		m.Parts = append([]llm.Part{{Kind: llm.Text, Text: s.failure, For: failedFor}}, m.Parts...)
	}
	if err := s.append(m); err != nil {
		return &UnsaidError{err}
	}
	from = len(s.messages) - 1
	s.notice, s.failure = "", ""
	s.conf.Gate.Heard(text)
	return s.steps(ctx, emit)
}

// A StoppedError is the error of a prompt that a hook stopped. Nothing of it was
// recorded or sent.
type StoppedError struct{ Reason string }

// Error says why.
func (e *StoppedError) Error() string { return "a hook stopped the prompt: " + e.Reason }

// An UnsaidError is the error of a prompt that could not be recorded: nothing of it
// was sent.
type UnsaidError struct{ Err error }

// Error says so.
func (e *UnsaidError) Error() string {
	return "the prompt could not be recorded, and nothing of it was sent: " + e.Err.Error()
}

// Unwrap returns why.
func (e *UnsaidError) Unwrap() error { return e.Err }

// along returns what goes along with a prompt, or why it is not sent.
func (s *Session) along(ctx context.Context, text string, emit func(Event)) (list []Along, err error) {
	if s.conf.Hooks != nil {
		r := s.ruled(s.conf.Hooks.Prompted(ctx, text), emit)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case r.Block:
			return nil, &StoppedError{r.Reason}
		case r.Context != "":
			list = append(list, Along{Text: "<hook event=\"UserPromptSubmit\">\n" + plain(r.Context) + "\n</hook>"})
		}
	}
	if s.conf.Along != nil {
		more, err := s.conf.Along(ctx, text)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, err
		}
		for _, a := range more {
			a.Text = plain(a.Text)
			list = append(list, a)
		}
	}
	return list, nil
}

// goesAlong says what the model is given beside a prompt, by its tag.
func goesAlong(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	return fmt.Sprintf("goes along: %s (%d bytes)", strings.Trim(head, "<>"), len(text))
}

// wholeAlong is goesAlong, and below it what the tag holds.
func wholeAlong(text string) string {
	_, inner, _ := strings.Cut(text, "\n")
	if end := strings.LastIndex(inner, "\n</"); end >= 0 {
		inner = inner[:end]
	}
	return goesAlong(text) + "\n" + inner
}

// attached marks a part that goes along with a text of the user's. No call has
// such an ID.
const attached = "@attached"

// alongFor marks a part that skills or hooks send along with one.
const alongFor = "@along"

// wholeFor marks one that the person is shown in full.
const wholeFor = "@whole"

// said is a text of the user's as a message, with what goes along with it before
// it: the last text of a prompt is the prompt.
func (s *Session) said(ctx context.Context, text string, along []Along, emit func(Event)) *llm.Message {
	var parts []llm.Part
	if s.conf.Attach != nil {
		list, notices := s.conf.Attach(ctx, text)
		for _, n := range notices {
			emit(Noticed{Text: n})
		}
		parts = list
	}
	for i := range parts {
		if parts[i].Kind == llm.Text {
			parts[i].For = attached
		}
	}
	for _, a := range along {
		p := llm.Part{Kind: llm.Text, Text: a.Text, For: alongFor}
		shown := goesAlong(a.Text)
		if a.Whole {
			p.For, shown = wholeFor, wholeAlong(a.Text)
		}
		parts = append(append(parts, p), a.Images...)
		emit(Noticed{Text: shown})
	}
	m := llm.UserText(text)
	m.Parts = append(parts, m.Parts...)
	return m
}

// plain is text as a provider and a database take it.
func plain(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", "")
}

// The texts that go along with one request only, and are not remembered.
const (
	finalNote = "You have used all the steps of this turn. Do not call tools. Answer now with what you have: what is done, what is not, and what is uncertain."
	emptyNote = "Your last reply was empty. Answer the user, or call a tool."
)

// steps asks the model and carries out its calls until it makes none.
func (s *Session) steps(ctx context.Context, emit func(Event)) error {
	guard := newGuard()
	note, nudged, sent := "", false, 0
	s.pressure.tries, s.pressure.failed = 0, false
	s.pressure.wanted.Store(false) // by a turn that broke off
	for step := 0; ; step++ {
		s.turnTo()
		if step > 0 {
			if _, err := s.steer(ctx, emit); err != nil {
				return err
			}
		}
		if _, err := s.hear(emit); err != nil {
			return err
		}
		kept, err := s.room(ctx, emit)
		if err != nil {
			return err
		}
		last := step >= s.conf.MaxSteps
		if last {
			kept = finalNote
		}
		msg, err := s.fit(ctx, cmp.Or(kept, note), last, emit)
		if err != nil {
			return errors.Join(err, s.keepPartial(msg))
		}
		note = ""
		if len(msg.Parts) == 0 {
			switch err := ending(msg.Stop); {
			case last:
				return ErrStepLimit
			case err != nil:
				return err // it would be the same again
			case nudged:
				return ErrEmpty
			}
			note, nudged = emptyNote, true
			emit(Noticed{Text: "the model returned nothing; it is asked once more", Retry: true})
			continue
		}
		if err := s.append(&msg); err != nil {
			return err
		}
		s.count(msg.Usage)
		if msg.Stop == llm.StopFull {
			s.shrink(llm.Limit{Tokens: counted(msg.Usage)})
		}
		s.measure(emit)
		calls := msg.Calls()
		emit(Stepped{Calls: len(calls)})
		if last {
			return ErrStepLimit
		}
		if len(calls) == 0 {
			// What came too late for this answer is not left for another turn.
			more, err := s.steer(ctx, emit)
			if err == nil && !more {
				more, err = s.hear(emit)
			}
			if err != nil {
				return err
			}
			if more {
				continue
			}
			if on, err := s.sentOn(ctx, sent, emit); on || err != nil {
				if err != nil {
					return err
				}
				sent++
				continue
			}
			if writtenOut(msg.Text(), s.specs) {
				emit(Noticed{Text: writtenNote})
			}
			return ending(msg.Stop)
		}
		after, err := s.dispatch(ctx, calls, guard, emit)
		if err != nil {
			return err
		}
		if err := s.conclude(ctx, after, emit); err != nil {
			return err
		}
		if msg.Stop == llm.StopRefusal {
			return ErrRefused // its calls were not carried out
		}
	}
}

// steer adds what the person wrote meanwhile, and reports whether there was any.
func (s *Session) steer(ctx context.Context, emit func(Event)) (bool, error) {
	if s.conf.Inbox == nil {
		return false, nil
	}
	list, err := s.conf.Inbox.Steering()
	if err != nil {
		return false, err
	}
	took := false
	var gone []int64 // stopped by a hook: they leave the inbox with what is recorded next
	for _, q := range list {
		text := plain(q.Text)
		along, err := s.along(ctx, text, emit)
		var no *StoppedError
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case errors.As(err, &no):
			gone = append(gone, q.ID) // it is not sent, and does not wait either
			s.conf.Inbox.Admit(gone...)
			emit(Noticed{Text: fmt.Sprintf("%s: %s", err, tools.CleanLine(tools.Clip(text, 200)))})
			continue
		case err != nil:
			return false, err
		}
		s.conf.Inbox.Admit(append(gone, q.ID)...)
		emit(Prompted{Text: text, Steers: true, Queued: q.ID})
		if err := s.append(s.said(ctx, text, along, emit)); err != nil {
			return false, err
		}
		s.conf.Gate.Heard(text)
		took, gone = true, nil
	}
	return took, nil
}

// hear adds what work in the background came to, and reports whether there was
// any. It is data, and nothing that the user said.
func (s *Session) hear(emit func(Event)) (bool, error) {
	if s.conf.Reports == nil {
		return false, nil
	}
	list, err := s.conf.Reports.Untold()
	if err != nil {
		return false, err
	}
	for _, r := range list {
		m := llm.UserText(r.Text)
		m.Parts[0].For = r.ID
		s.conf.Reports.Tell(r.ID)
		if err := s.append(m); err != nil {
			return false, err
		}
		emit(Noticed{Text: r.Line})
	}
	return len(list) > 0, nil
}

// Admit says which messages of the inbox the next prompt or command takes up.
func (s *Session) Admit(ids ...int64) {
	if s.conf.Inbox != nil {
		s.conf.Inbox.Admit(ids...)
	}
}

// ending is what a message without calls means for the turn.
func ending(stop llm.Stop) error {
	switch stop {
	case llm.StopLength:
		return ErrCutOff
	case llm.StopFull:
		return ErrFull
	case llm.StopRefusal:
		return ErrRefused
	}
	return nil
}
