package watch

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

type fake struct{ err error }

func (f fake) Stream(_ context.Context, _ llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	delta(llm.Delta{Retry: &llm.Retry{Attempt: 2, Of: 3, Reason: "busy"}})
	delta(llm.Delta{Text: "answer"})
	return llm.Message{Parts: []llm.Part{{Kind: llm.Text, Text: "answer"}}, Stop: llm.StopEnd}, f.err
}

func TestNobodyLooksOnAtNothing(t *testing.T) {
	w := New(nil, nil)
	if w != nil {
		t.Fatal("somebody looks on")
	}
	w.Note("x")
	m, c := llm.Model(fake{}), &http.Client{}
	if w.Model(m, "a/b", "") != m || w.Client(c) != c {
		t.Error("something stands between")
	}
	n := 0
	emit := w.Turn(Session{}, func(loop.Event) { n++ })
	if allocs := testing.AllocsPerRun(100, func() { emit(loop.Compacting{}) }); n == 0 || allocs > 0 {
		t.Errorf("%d events, %v allocations", n, allocs)
	}
}

func TestEverythingIsPassedOnAndNoTextIsKept(t *testing.T) {
	var b bytes.Buffer
	w := New(slog.New(slog.NewJSONHandler(&b, nil)), nil)
	var got []loop.Event
	emit := w.Turn(Session{ID: "s", Agent: "build", Model: "google/m"}, func(e loop.Event) { got = append(got, e) })
	call := tools.Call{ID: "c", Tool: "shell", Args: []byte(`"argcanary"`)}
	events := []loop.Event{
		loop.Prompted{Text: "promptcanary"},
		loop.Delta{Text: "textcanary"},
		loop.Thought{Text: "thoughtcanary"},
		loop.Stepped{Calls: 1},
		loop.Proposed{Call: call, Proposal: &tools.Proposal{Summary: "summarycanary"}},
		loop.Classifying{Call: call},
		loop.Classified{Call: call},
		loop.Decided{Call: call, Decision: tools.Decision{Reason: "reasoncanary"}},
		loop.Started{Call: call},
		loop.Progress{Call: call},
		loop.Settled{Record: tools.Record{Call: call, Summary: "summarycanary", Outcome: tools.Outcome{Kind: tools.OK, Text: "outputcanary"}}},
		loop.Noticed{Text: "noticecanary"},
		loop.Used{},
		loop.Compacting{},
		loop.Measured{},
		loop.Ended{Err: loop.ErrStepLimit, Took: time.Second},
	}
	for _, e := range events {
		emit(e)
	}
	if len(got) != len(events) {
		t.Errorf("%d of %d events", len(got), len(events))
	}
	if len(w.turns) != 0 {
		t.Error("the turn still runs")
	}
	var texts []string
	_, err := w.Model(fake{errors.New("sentence")}, "google/m", "http://h:1/x").Stream(context.Background(), llm.Request{System: "systemcanary", CacheKey: "s"}, func(d llm.Delta) { texts = append(texts, d.Text) })
	if err == nil || strings.Join(texts, "|") != "|answer" {
		t.Errorf("%v %q", err, texts)
	}
	log := b.String()
	if strings.Contains(log, "canary") || !strings.Contains(log, `"retries":1`) || !strings.Contains(log, `"failed":"step_limit"`) || !strings.Contains(log, `"msg":"call settled"`) {
		t.Error(log)
	}
}

func TestARequestIsLoggedWithoutItsAddress(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("12345")) }))
	defer s.Close()
	var b bytes.Buffer
	c := New(slog.New(slog.NewJSONHandler(&b, nil)), nil).Client(&http.Client{})
	req, err := http.NewRequest(http.MethodGet, s.URL+"/pathcanary?token=querycanary", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "headercanary")
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 10)
	n, _ := resp.Body.Read(buf)
	resp.Body.Close()
	resp.Body.Close()
	if log := b.String(); n != 5 || strings.Contains(log, "canary") || strings.Count(log, `"msg":"answer read","request":1,"bytes":5`) != 1 || !strings.Contains(log, `"status":200`) {
		t.Error(log)
	}
}

func TestAnErrorIsOneWord(t *testing.T) {
	for want, err := range map[string]error{
		"cancelled": context.Canceled, "timeout": context.DeadlineExceeded, "barred": &llm.Error{Kind: llm.Barred}, "stalled": &llm.Error{Kind: llm.Stalled},
		"unknown": &llm.Error{Kind: 99}, "step_limit": loop.ErrStepLimit, "_OTHER": errors.New("words"),
	} {
		if got := failure(err); got != want {
			t.Errorf("%v: %s", err, got)
		}
	}
}
