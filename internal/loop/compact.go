package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Compaction says when and how a conversation is made smaller.
type Compaction struct {
	// Limits say when; the zero value means that it is never done by itself.
	compaction.Limits
	// Model writes the summary, and Info is what is known of it; nil means the model
	// of the conversation.
	Model llm.Model
	Info  llm.Info
	// Recall is the tool that reads back what was left out; nil for none.
	Recall tools.Tool
	// Uncertain returns the calls that may have happened and of which nobody has
	// found out, WorkState the state of plans, todos and goals as a text in a tag of
	// its own that it cannot close, and Running the commands in the background, a
	// line each. Nil means that there are none.
	Uncertain func() ([]tools.Record, error)
	WorkState func() (string, error)
	Running   func() []string
}

// The bounds of a compaction.
const (
	mostTries   = 5        // by itself, that make no room
	mostFacts   = 24 << 10 // bytes
	leastTokens = 512      // of a summary
	mostTokens  = 8192
	smaller     = 60 // percent of what it stands for that a summary may take
	worth       = 25 // how often what it stands for would fill the window, at most
)

// A keptError says why a conversation stays as it was. The turn can go on.
type keptError struct{ why error }

func (e *keptError) Error() string { return e.why.Error() }
func (e *keptError) Unwrap() error { return e.why }

func kept(format string, args ...any) error { return &keptError{fmt.Errorf(format, args...)} }

// errNothing says that there is nothing to summarize.
var errNothing = errors.New("there is nothing worth summarizing yet: the latest turns stay as they are")

// Compact puts a summary in the place of the older part of the conversation, as
// the person asked; focus says what is to be kept above all. It runs as a turn
// of its own. Its error says why the conversation stays as it was.
func (s *Session) Compact(ctx context.Context, focus string, emit func(Event)) (err error) {
	began := time.Now()
	s.emit = emit
	defer func() {
		s.emit = nil
		s.measure(emit)
		emit(Ended{Err: err, Took: time.Since(began)})
	}()
	return s.asked(ctx, plain(focus), emit)
}

// asked compacts because somebody asked: where the latest turns are all there is,
// their older steps as well.
func (s *Session) asked(ctx context.Context, focus string, emit func(Event)) error {
	err := s.compact(ctx, s.size(), focus, emit)
	if n := s.tokens(); errors.Is(err, errNothing) && n < s.size() {
		err = s.compact(ctx, n, focus, emit)
	}
	return err
}

// Summarize has the conversation summarized before the next request, as a model
// asked that made a call. It may be called from any goroutine.
func (s *Session) Summarize() { s.pressure.wanted.Store(true) }

// size is the window, or what is taken for one where it is not known.
func (s *Session) size() int {
	if w := s.window(); w > 0 {
		return w
	}
	return s.tokens()
}

// compact has the older part summarized, and shows the summary in its place. Its
// error is a keptError when the conversation stays as it was; it does in every
// case of an error.
func (s *Session) compact(ctx context.Context, size int, focus string, emit func(Event)) error {
	from, cut := s.shown.from, s.cut(size*3/10)
	old := 0 // tokens that the summary would stand for
	if cut > from {
		old = compaction.Sizes(s.shown.messages[:s.place(cut)])
	}
	if old*worth < size {
		return &keptError{errNothing}
	}
	facts, err := s.facts(cut, min(mostFacts, compaction.Bytes(size)/8))
	if err != nil {
		return err
	}
	if s.conf.Hooks != nil {
		if r := s.ruled(s.conf.Hooks.Compacting(ctx), emit); r.Block {
			return kept("a hook stopped it: %s", r.Reason)
		}
	}
	emit(Compacting{})
	v := s.shown.view
	ask := compaction.Ask{
		Before: v.Summary, Messages: s.messages[from:cut], Records: s.records, Focus: focus,
		Room: compaction.Bytes(size) * 6 / 10, Most: min(mostTokens, max(leastTokens, size/10)),
	}
	if v.Summary, err = s.summarize(ctx, ask, emit); err != nil {
		return err
	}
	v.Facts, v.Covers = facts, s.stored(cut)
	weight, before := s.weigh(), s.tokens()
	now := compaction.Size(compaction.Message(v.Summary, v.Facts))
	if now*100 >= old*smaller {
		return kept("the summary is not clearly smaller than what it would stand for (%s of %s tokens)", Tokens(now), Tokens(old))
	}
	v.At, v.Before, v.After = s.stored(len(s.messages)), before, afterwards(before, weight, weight-old+now)
	if err := s.conf.Journal.Compact(v.Summary, v.Facts, v.At-v.Covers, v.Before, v.After); err != nil {
		return err
	}
	s.shown.view, s.shown.from, s.shown.cleared = v, cut, max(cut, s.shown.cleared)
	s.reshow()
	s.pressure.base, s.pressure.mark, s.pressure.warned, s.pressure.told = v.After, len(s.shown.messages), false, ""
	emit(Noticed{Text: compacted(v)})
	return nil
}

// cut returns the index of the message at which what stays verbatim begins, in
// about budget tokens as they are shown.
func (s *Session) cut(budget int) int {
	summary := len(s.shown.messages) - (len(s.messages) - s.shown.from) // 1 when there is one
	return s.shown.from - summary + compaction.Cut(s.shown.messages, summary, max(1, s.conf.Compaction.Tail), budget)
}

func compacted(v View) string {
	return fmt.Sprintf("context compacted: %s → %s tokens", Tokens(v.Before), Tokens(v.After))
}

// Tokens prints a number of tokens as people read it.
func Tokens(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	if n < 9950 {
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", (n+500)/1000)
}

// summarize asks a model for a summary. A request that is too long is made
// shorter once.
func (s *Session) summarize(ctx context.Context, ask compaction.Ask, emit func(Event)) (string, error) {
	model, price := s.conf.Compaction.Model, s.conf.Compaction.Info.Price
	if model == nil {
		model, price = s.conf.Model, s.conf.Info.Price
	} else if w := s.conf.Compaction.Info.Window(); w > 0 {
		ask.Room = min(ask.Room, compaction.Bytes(w)*6/10)
	}
	for again := true; ; again = false {
		began := time.Now()
		msg, err := model.Stream(ctx, ask.Request(), func(d llm.Delta) {
			if d.Retry != nil {
				s.retried("compaction", price, d.Retry)
				emit(Noticed{Text: retryText(d.Retry)})
			}
		})
		cost := Cost{Purpose: "compaction", Model: msg.Model, Usage: msg.Usage, Price: price, Took: time.Since(began), Err: err}
		if err := s.Spend(cost); err != nil {
			return "", err
		}
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if tooLong(err) && again {
			ask.Room /= 2
			continue
		}
		if err != nil {
			return "", kept("the summary could not be had: %w", err)
		}
		text := compaction.Summary(msg)
		switch {
		case text == "":
			return "", kept("the model wrote no summary")
		case msg.Stop.Cut() || msg.Stop == llm.StopRefusal:
			return "", kept("the summary broke off (%s)", msg.Stop)
		}
		return text, nil
	}
}

// facts takes from the record what a summary must not be trusted with.
func (s *Session) facts(cut, room int) (string, error) {
	c := s.conf.Compaction
	r := compaction.Record{Messages: s.messages[:cut], Rest: s.messages[cut:]}
	for _, m := range s.messages {
		for _, p := range m.Parts {
			id := p.For
			if p.Kind == llm.Result {
				continue // its call was before
			}
			if p.Call != nil {
				id = p.Call.ID
			}
			if rec, ok := s.records[id]; ok {
				r.Calls = append(r.Calls, rec)
			}
		}
	}
	var err error
	if c.Uncertain != nil {
		if r.Uncertain, err = c.Uncertain(); err != nil {
			return "", err
		}
	}
	if c.WorkState != nil {
		if r.Work, err = c.WorkState(); err != nil {
			return "", err
		}
	}
	if c.Running != nil {
		r.Running = c.Running()
	}
	return r.Facts(room), nil
}

// clear leaves out the large results before an index when that makes the
// conversation smaller by at least least tokens.
func (s *Session) clear(before, least int, emit func(Event)) error {
	if before <= max(s.shown.cleared, s.shown.from) {
		return nil
	}
	was, weight, old := s.tokens(), s.weigh(), s.shown
	s.shown.cleared = before
	s.reshow()
	now := s.weigh()
	if weight-now < max(1, least) {
		s.shown = old
		return nil
	}
	after := afterwards(was, weight, now)
	if err := s.conf.Journal.Clear(s.stored(len(s.messages))-s.stored(before), was, after); err != nil {
		s.shown = old
		return err
	}
	s.pressure.base, s.pressure.mark = after, len(s.shown.messages)
	v := &s.shown.view
	v.Cleared, v.At, v.Before, v.After = s.stored(before), s.stored(len(s.messages)), was, after
	emit(Noticed{Text: fmt.Sprintf("old results left out: %s → %s tokens; they stay recorded", Tokens(was), Tokens(after))})
	return nil
}
