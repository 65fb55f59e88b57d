package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/llm"
)

// room makes room before a request to the model, as far as the limits say. The
// note, when not "", is for the model: what it asked for could not be done. The
// error ends the turn: it is of the journal, or an interrupt.
func (s *Session) room(ctx context.Context, emit func(Event)) (note string, err error) {
	defer func() { s.measure(emit) }()
	if s.pressure.wanted.Swap(false) {
		err := s.asked(ctx, "", emit)
		var k *keptError
		if errors.As(err, &k) {
			emit(Noticed{Text: unchanged + k.Error()})
			return "The conversation was not summarized, and stays as it is: " + k.Error(), nil
		}
		return "", err
	}
	w, l := s.window(), s.conf.Compaction.Limits
	if w == 0 || !l.Auto {
		return "", nil
	}
	over := func(percent int) bool { return s.tokens() >= w/100*percent }
	if over(l.Clear) {
		if err := s.clear(compaction.Old(s.messages, s.shown.from, l.Tail), w/20, emit); err != nil {
			return "", err
		}
	}
	if over(l.Compact) && !s.pressure.failed && s.pressure.tries < mostTries {
		var k *keptError
		if err := s.attempt(ctx, w, emit); err != nil && !errors.As(err, &k) {
			return "", err
		}
	}
	if !over(l.Warn) {
		s.pressure.warned = false
	} else if !s.pressure.warned {
		s.pressure.warned = true
		emit(Noticed{Text: warning(s.measure(nil), l)})
	}
	return "", nil
}

func warning(c Context, l compaction.Limits) string {
	text := fmt.Sprintf("the context is %d %% full (%s of %s tokens)", c.Percent(), Tokens(c.Used), Tokens(c.Window))
	if c.Percent() < l.Compact {
		text += fmt.Sprintf("; at %d %% the older part is summarized", l.Compact)
	}
	return text
}

const unchanged = "the context could not be compacted, and stays as it is: "

// attempt compacts, and says so when it comes to nothing but for want of anything
// to summarize. A turn may need many summaries: what is counted is those that
// made no room.
func (s *Session) attempt(ctx context.Context, size int, emit func(Event)) error {
	err := s.compact(ctx, size, "", emit)
	var k *keptError
	switch {
	case errors.Is(err, errNothing):
	case errors.As(err, &k):
		s.pressure.tries++
		s.pressure.failed = true
		// Turn after turn it would be the same words: they are said again when they
		// are others, or when there was a summary, or another model, meanwhile.
		if why := k.Error(); why != s.pressure.told {
			s.pressure.told = why
			emit(Noticed{Text: unchanged + why})
		}
	case err == nil && s.tokens()*100 < size*s.conf.Compaction.Compact:
		s.pressure.tries = 0
	case err == nil:
		s.pressure.tries++
	}
	return err
}

// tooLong reports whether a request was refused for what it holds, so that one
// that holds less may be taken.
func tooLong(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && (e.Kind == llm.TooLong || e.Kind == llm.BadImage || e.Kind == llm.BadThought)
}

// overflow makes room after the provider refused a request as too long: by
// leaving out results and, where that makes it less than a quarter smaller, by a
// summary. Images and reasoning go first where they are what is refused. A nil means that the
// request is worth another attempt.
func (s *Session) overflow(ctx context.Context, refused error, emit func(Event)) error {
	if done, err := s.overImages(refused, emit); done {
		return err
	}
	if done, err := s.overThoughts(refused, emit); done {
		return err
	}
	if !s.conf.Compaction.Auto {
		return fmt.Errorf("%w; /compact makes room, and compaction.auto has it done by itself", refused)
	}
	emit(Noticed{Text: "the provider says that the conversation is too long for the model" + s.learn(refused), Retry: true})
	weight, size := s.weigh(), s.window()
	if n := s.tokens(); size == 0 || n < size {
		if s.pressure.named == 0 {
			s.pressure.limit = n
		}
		size = n * 8 / 10
	}
	s.shown.most = compaction.Bytes(size / 4)
	s.reshow()
	if err := s.clear(compaction.LastStep(s.messages), 1, emit); err != nil {
		return err
	}
	if s.weigh()*4 > weight*3 && s.pressure.tries < mostTries {
		var k *keptError
		if err := s.attempt(ctx, size, emit); err != nil && !errors.As(err, &k) {
			return err
		}
	}
	s.measure(emit)
	if s.weigh() >= weight {
		return fmt.Errorf("%w; nothing more of it can be left out: begin a new session, or use a model with a larger context", refused)
	}
	return nil
}
