package loop

import (
	"context"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop/journaltest"
)

// A named model answers with its name and notes the effort.
type named struct {
	name    string
	efforts []string
	during  func()
}

func (m *named) Stream(_ context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	m.efforts = append(m.efforts, req.Effort)
	if m.during != nil {
		m.during()
	}
	delta(llm.Delta{Text: m.name})
	return llm.Message{Role: llm.Assistant, Model: m.name, Stop: llm.StopEnd, Usage: llm.Usage{Output: 1e6}, Parts: []llm.Part{{Kind: llm.Text, Text: m.name}}}, nil
}

// TestAnotherModelTakesTheNextRequest: and the message, the price and the effort
// are the new one's.
func TestAnotherModelTakesTheNextRequest(t *testing.T) {
	a, b := &named{name: "p/a"}, &named{name: "p/b"}
	s := New(Config{Model: a, Info: llm.Info{ID: "p/a", Price: llm.Price{Output: 1}}, Journal: journaltest.New(), Gate: approval.New(approval.Config{})})
	var costs []float64
	emit := func(e Event) {
		if u, ok := e.(Used); ok {
			costs = append(costs, u.Cost)
		}
	}
	a.during = func() { // the choice falls while a request is under way
		s.Use(Choice{Model: b, Info: llm.Info{ID: "p/b", Price: llm.Price{Output: 2}}, Effort: "high"})
	}
	for range 2 {
		if err := s.Prompt(context.Background(), "hello", emit); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.efforts) != 1 || len(b.efforts) != 1 || b.efforts[0] != "high" {
		t.Errorf("a was asked with %q, b with %q", a.efforts, b.efforts)
	}
	if len(costs) != 2 || costs[0] != 1 || costs[1] != 2 {
		t.Errorf("costs %v", costs)
	}
	if last := s.messages[len(s.messages)-1]; last.Model != "p/b" {
		t.Errorf("the answer is of %q", last.Model)
	}
}

// TestARoleIsNotUndoneByAnOlderChoice: it names its model itself.
func TestARoleIsNotUndoneByAnOlderChoice(t *testing.T) {
	a, b := &named{name: "p/a"}, &named{name: "p/b"}
	s := New(Config{Model: a, Info: llm.Info{ID: "p/a"}, Journal: journaltest.New(), Gate: approval.New(approval.Config{})})
	s.Use(Choice{Model: a, Info: llm.Info{ID: "p/a"}})
	s.Become(Role{Model: b, Info: llm.Info{ID: "p/b"}, Effort: "low"})
	if err := s.Prompt(context.Background(), "hello", func(Event) {}); err != nil {
		t.Fatal(err)
	}
	if len(a.efforts) != 0 || len(b.efforts) != 1 || b.efforts[0] != "low" {
		t.Errorf("a was asked with %q, b with %q", a.efforts, b.efforts)
	}
}
