package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// refits is how often room is made for one request that was too long.
const refits = 2

// fit makes one model call, and makes it again when it was too long and room
// could be made.
func (s *Session) fit(ctx context.Context, note string, last bool, emit func(Event)) (llm.Message, error) {
	msg, err := s.ask(ctx, note, last, emit)
	for range refits {
		if !tooLong(err) {
			return msg, err
		}
		if err := s.overflow(ctx, err, emit); err != nil {
			return msg, err
		}
		msg, err = s.ask(ctx, note, last, emit)
	}
	if tooLong(err) {
		err = fmt.Errorf("%w, also after room was made: begin a new session, or use a model with a larger context", err)
	}
	return msg, err
}

// ask makes one model call. The message that comes with an error holds what
// had arrived.
func (s *Session) ask(ctx context.Context, note string, last bool, emit func(Event)) (llm.Message, error) {
	s.refresh(ctx)
	req := llm.Request{
		System: s.conf.System, Messages: s.shown.messages, Tools: s.specs, NoTools: last,
		Effort: s.conf.Effort, CacheKey: s.conf.ID,
	}
	if note != "" {
		req.Messages = append(slices.Clip(s.shown.messages), llm.UserText(note))
	}
	began := time.Now()
	msg, err := s.conf.Model.Stream(ctx, req, func(d llm.Delta) {
		switch {
		case d.Retry != nil:
			s.retried(s.conf.Purpose, s.conf.Info.Price, d.Retry)
			emit(Noticed{Text: retryText(d.Retry), Retry: true})
		case d.Thought != "":
			emit(Thought{d.Thought})
		case d.Text != "":
			emit(Delta{d.Text})
		}
	})
	s.charge(Cost{Purpose: s.conf.Purpose, Model: msg.Model, Usage: msg.Usage, Price: s.conf.Info.Price, Took: time.Since(began), Err: err})
	if err == nil {
		msg = s.tidy(msg, last)
	}
	if err == nil && len(msg.Parts) > 0 {
		return msg, nil // the message is recorded with what it cost
	}
	return msg, errors.Join(err, s.commit())
}

func retryText(r *llm.Retry) string {
	return fmt.Sprintf("%s; attempt %d of %d in %s", r.Reason, r.Attempt, r.Of, r.Wait.Round(100*time.Millisecond))
}

// tidy makes a complete message fit to be stored and replayed: no blank texts,
// call IDs that are unique in the session, no calls where none are allowed,
// and nothing at all when it holds neither text nor calls.
func (s *Session) tidy(m llm.Message, noCalls bool) llm.Message {
	m.Role = llm.Assistant
	parts, says := m.Parts[:0:0], false
	for _, p := range m.Parts {
		switch p.Kind {
		case llm.Text:
			p.Text = plain(p.Text)
			if strings.TrimSpace(p.Text) == "" {
				continue
			}
			says = true
		case llm.CallPart:
			if noCalls {
				continue
			}
			c := *p.Call
			c.ID = s.newID(c.ID)
			p.Call = &c
			says = true
		}
		parts = append(parts, p)
	}
	if !says {
		parts = nil
	}
	m.Parts = parts
	return m
}

// newID returns id when it is usable for every provider and new in this
// session, and one like it otherwise.
func (s *Session) newID(id string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, id)
	if len(clean) > 48 {
		clean = clean[:48]
	}
	if clean == "" {
		clean = "call"
	}
	unique := clean
	for n := 2; s.ids[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", clean, n)
	}
	s.ids[unique] = true
	return unique
}

// mostPartial bounds what is kept of an answer that broke off, in bytes: one that
// went on and on would be sent with every request to come.
const mostPartial = 64 << 10

// keepPartial stores the text of an answer that broke off, so that the user
// and the model both still know what was said. Its calls and its reasoning are
// not complete, and are dropped.
func (s *Session) keepPartial(m llm.Message) error {
	text, cut := tools.TextLimit{MaxBytes: mostPartial, MaxLines: 1 << 30}.Bound(plain(m.Text()), "")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if cut {
		text += "\n[it was longer]"
	}
	return s.append(&llm.Message{
		Role: llm.Assistant, Model: m.Model, Stop: llm.StopLength,
		Parts: []llm.Part{{Kind: llm.Text, Text: text + "\n[the answer broke off here]"}},
	})
}
