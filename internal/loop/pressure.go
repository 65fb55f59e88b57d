package loop

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/llm"
)

// pressure is how full the context of the model is.
type pressure struct {
	// base is what the provider counted, in tokens, and mark how many of the shown
	// messages that includes; zero when it has not counted yet.
	base, mark int
	real       bool // base comes from a count of the provider's
	// limit is what a request may have at most, learned from one that was too
	// long; zero when none was.
	limit int
	// named is the limit that the provider named itself, and from which the other
	// was worked out; zero when it named none.
	named  int
	told   string // why a compaction came to nothing, as it was said last
	warned bool
	failed bool // the turn has had a compaction that came to nothing
	tries  int  // of the turn, that made no room
	wanted atomic.Bool
	last   atomic.Pointer[Context]
}

// A Context is what a conversation takes of the model's context, in tokens.
type Context struct {
	// Window is what a request may have and Reserve what is kept for the answer;
	// zero when the model's context is not known.
	Window, Reserve int
	// Named is what the provider said that the model takes, when it refused a request
	// as too long; zero when it did not.
	Named int
	// Used is the sum of the parts that follow. Counted says that the provider
	// counted it, or most of it; else it is an estimate.
	Used                                      int
	Counted                                   bool
	System, Tools, Summary, Messages, Results int
	// Cleared is what is left out of results.
	Cleared int
}

// Percent returns how full the window is, zero when that is not known.
func (c Context) Percent() int {
	if c.Window <= 0 {
		return 0
	}
	return c.Used * 100 / c.Window
}

// Context returns what the conversation took when it was last measured. It may
// be called from any goroutine.
func (s *Session) Context() Context { return *s.pressure.last.Load() }

// counted returns the tokens of a request and its answer as the provider
// reported them, zero when it reported none.
func counted(u llm.Usage) int {
	if u.Input+u.CacheRead+u.CacheWrite == 0 {
		return 0
	}
	return u.Input + u.CacheRead + u.CacheWrite + u.Output
}

// count takes what the provider reported of the request that was answered by the
// newest message.
func (s *Session) count(u llm.Usage) {
	if n := counted(u); n > 0 {
		s.pressure.base, s.pressure.mark, s.pressure.real = n, len(s.shown.messages), true
	}
}

// window returns how many tokens a request may have, zero when that is not known.
func (s *Session) window() int {
	w := s.conf.Info.Window()
	if l := s.pressure.limit; l > 0 && (w == 0 || l < w) {
		return l
	}
	return w
}

// learn takes the limit that a provider names when it refuses a request, and
// returns what the person is told of that. One that is known to be smaller stays:
// somebody may want it so.
func (s *Session) learn(refused error) string {
	var e *llm.Error
	if !errors.As(refused, &e) || !s.shrink(e.Limit) {
		return ""
	}
	s.pressure.named = e.Limit.Tokens
	return fmt.Sprintf(", which takes %s tokens by its word: this session reckons with that from now on", Tokens(e.Limit.Tokens))
}

// shrink takes a limit that is less than what is known, and reports whether it is.
func (s *Session) shrink(l llm.Limit) bool {
	w, known := l.Window(s.conf.Info), s.window()
	if l.Tokens == 0 || known > 0 && known <= w {
		return false
	}
	s.pressure.limit = w
	return true
}

// tokens returns what the next request takes: what was counted, and an estimate
// of what came since.
func (s *Session) tokens() int {
	if s.pressure.base == 0 {
		return s.weigh()
	}
	return s.pressure.base + s.shown.all() - s.shown.size(min(s.pressure.mark, len(s.shown.messages)))
}

// weigh estimates the whole of the next request.
func (s *Session) weigh() int {
	return compaction.Text(s.conf.System) + compaction.Specs(s.specs) + s.shown.all()
}

// afterwards returns what the next request would take if what is shown weighed
// less: the count of the provider, in proportion.
func afterwards(before, weight, lighter int) int {
	return max(1, int(int64(before)*int64(lighter)/int64(max(1, weight))))
}

// measure works the parts out and tells emit, which may be nil.
func (s *Session) measure(emit func(Event)) Context {
	c := Context{Window: s.window(), Used: s.tokens(), Counted: s.pressure.real, Cleared: s.shown.left}
	c.Named = s.pressure.named
	if info := s.conf.Info; info.Context > 0 {
		if c.Named > 0 && c.Named < info.Context {
			info.Context = c.Named
		}
		c.Reserve = info.Reserve()
	}
	weight := s.weigh()
	part := func(n int) int { return afterwards(c.Used, weight, n) }
	if n := s.shown.summary; n > 0 {
		c.Summary = part(n)
	}
	if n := s.shown.results; n > 0 {
		c.Results = part(n)
	}
	c.System, c.Tools = part(compaction.Text(s.conf.System)), part(compaction.Specs(s.specs))
	c.Messages = max(0, c.Used-c.System-c.Tools-c.Summary-c.Results)
	s.pressure.last.Store(&c)
	if emit != nil {
		emit(Measured{Used: c.Used, Window: c.Window})
	}
	return c
}
