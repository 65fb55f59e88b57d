package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A writingTool is a tool that changes a file, and a model that calls it once a
// turn.
type writingTool struct {
	ran    int
	before tools.FileState
}

func (w *writingTool) Spec() tools.Spec {
	return tools.Spec{Name: "write", Risk: tools.Low, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (w *writingTool) Propose(_ context.Context, c tools.Call) (*tools.Proposal, error) {
	return &tools.Proposal{
		Call: c, Spec: w.Spec(), Summary: "a.txt", Touches: []tools.Touch{{Path: "/a.txt", Before: w.before, After: w.before}},
		Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			w.ran++
			return tools.Outcome{Kind: tools.OK, Text: "written"}
		},
	}, nil
}

func (w *writingTool) Stream(_ context.Context, r llm.Request, _ func(llm.Delta)) (llm.Message, error) {
	m := llm.Message{Role: llm.Assistant, Stop: llm.StopEnd, Parts: []llm.Part{{Kind: llm.Text, Text: "done"}}}
	if last := r.Messages[len(r.Messages)-1]; last.Role == llm.User {
		m.Stop = llm.StopCalls
		m.Parts = []llm.Part{{Kind: llm.CallPart, Call: &llm.Call{ID: fmt.Sprint("w", len(r.Messages)), Name: "write", Args: json.RawMessage(`{}`)}}}
	}
	return m, nil
}

func TestOnAFullDiskTheTurnStopsBeforeTheEffectAndGoesOnWhenThereIsRoom(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.NewSession(Meta{ID: "one"})
	if err != nil {
		t.Fatal(err)
	}
	w := &writingTool{before: tools.StateOf(tools.Regular, 0o644, []byte(strings.Repeat("what stood there ", 20_000)))}
	session := loop.New(loop.Config{
		Model: w, ID: "one", Tools: []tools.Tool{w}, Gate: approval.New(approval.Config{Policy: approval.LowRisk}), Journal: j, ToolCalls: 1,
	})
	if err := j.Append(llm.UserText("so that there are pages")); err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := (tx{s.writer}).row(`PRAGMA page_count`, nil, &pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		if err := s.writer.run(fmt.Sprintf(`PRAGMA max_page_count = %d`, n)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 20) // for the steps, not for what stood there
	err = session.Prompt(t.Context(), "write it", func(loop.Event) {})
	if err == nil || !strings.Contains(err.Error(), "is full") || !strings.Contains(err.Error(), "make room") || w.ran != 0 {
		t.Errorf("it ran %d times; the error is %v", w.ran, err)
	}
	limit(1 << 30)
	if err := session.Prompt(t.Context(), "write it now", func(loop.Event) {}); err != nil || w.ran != 1 {
		t.Errorf("it ran %d times, %v", w.ran, err)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil {
		t.Error(v.Broken, err)
	}
	if err := errors.Join(s.Check(), j.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}
