package loop

import (
	"context"
	"slices"

	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// What the model is shown of a conversation: a summary of its older part where
// there is one, then the messages from an index on, without the large results
// before another index. The messages themselves stay as they are.
type shown struct {
	messages      []*llm.Message
	view          View
	from, cleared int // indexes in Session.messages
	blind         int // so is this: before it no image is shown
	thoughtless   int // and this: before it no reasoning is
	most          int // bytes of one result, zero for all
	left          int // tokens that are left out of results
	partial       bool
	// sums[i] is what the first i+1 messages take, in tokens: it is asked for in
	// every step, and messages do not change. Results and summary are parts of it.
	sums             []int
	results, summary int
}

// put shows m, which follows all that are shown.
func (sh *shown) put(m *llm.Message) {
	n := compaction.Size(m)
	if m.Role == llm.Tool {
		sh.results += n
	}
	sh.messages, sh.sums = append(sh.messages, m), append(sh.sums, sh.size(len(sh.messages))+n)
}

// size returns what the first n messages take, in tokens.
func (sh *shown) size(n int) int {
	if n == 0 {
		return 0
	}
	return sh.sums[n-1]
}

// all returns what all messages take, in tokens.
func (sh *shown) all() int { return sh.size(len(sh.messages)) }

// look takes a view as it was recorded.
func (s *Session) look(v View) {
	s.shown = shown{view: v, from: s.index(v.Covers), cleared: s.index(v.Cleared), most: compaction.Bytes(s.window() / 4)}
	s.reshow()
	s.pressure.base, s.pressure.mark, s.pressure.real = 0, 0, false
	for i := len(s.messages) - 1; i >= max(s.shown.from, s.index(v.At)); i-- {
		if n := counted(s.messages[i].Usage); n > 0 {
			s.pressure.base, s.pressure.mark, s.pressure.real = n, s.place(i+1), true
			break
		}
	}
	if s.pressure.base == 0 && v.After > 0 {
		s.pressure.base, s.pressure.mark = v.After, s.place(s.index(v.At))
	}
	s.measure(nil)
}

// reshow makes what is shown anew, after a change of what is left out.
func (s *Session) reshow() {
	sh := &s.shown
	sh.messages, sh.sums, sh.left, sh.results, sh.summary = nil, nil, 0, 0, 0
	if sh.view.Summary != "" {
		sh.put(compaction.Message(sh.view.Summary, sh.view.Facts))
		sh.summary = sh.all()
	}
	for i := sh.from; i < len(s.messages); i++ {
		s.show(i)
	}
}

// add puts m at the end of the conversation.
func (s *Session) add(m *llm.Message) {
	s.messages = append(s.messages, m)
	s.show(len(s.messages) - 1)
}

// show shows the i-th message, which follows all that are shown.
func (s *Session) show(i int) {
	w := compaction.Shower{Most: s.shown.most, Records: s.records, Recall: s.conf.Compaction.Recall != nil}
	m, cut := w.Show(s.messages[i], i < s.shown.cleared)
	if i < s.shown.blind {
		m = blinded(m)
	}
	if i < s.shown.thoughtless {
		m = unreasoned(m)
	}
	if cut {
		s.shown.partial = true
		s.shown.left += max(0, compaction.Size(s.messages[i])-compaction.Size(m))
	}
	s.shown.put(m)
}

// place returns where the message of an index stands among those that are shown.
func (s *Session) place(i int) int {
	return len(s.shown.messages) - (len(s.messages) - max(i, s.shown.from))
}

// stored counts the messages before an index that are stored as such: results
// are not.
func (s *Session) stored(i int) int {
	n := 0
	for _, m := range s.messages[:i] {
		if m.Role != llm.Tool {
			n++
		}
	}
	return n
}

// index undoes stored: it returns the index behind the nth stored message and
// its results.
func (s *Session) index(n int) int {
	for i, m := range s.messages {
		if m.Role == llm.Tool {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return len(s.messages)
}

// refresh asks for the tools that come and go. What reads results back is among
// them as soon as there is something to read back.
func (s *Session) refresh(ctx context.Context) {
	recall := s.conf.Compaction.Recall
	if !s.shown.partial {
		recall = nil
	}
	if s.conf.More == nil && recall == nil {
		return
	}
	list := slices.Clone(s.conf.Tools)
	if s.conf.More != nil {
		list = append(list, s.conf.More(ctx)...)
	}
	if recall != nil && !slices.ContainsFunc(list, func(t tools.Tool) bool { return t.Spec().Name == recall.Spec().Name }) {
		list = append(list, recall)
	}
	s.offerTools(list)
}

// Recall returns the record of a settled call of the session. Only the goroutine
// of the turn calls it.
func (s *Session) Recall(id string) (tools.Record, bool) {
	r, ok := s.records[id]
	return r, ok && r.State == tools.Settled
}
