package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A wanderer is a session whose model says whatever models have been seen to say,
// over connections that break, and that is continued by another provider, in
// another process, or after it was made smaller, as chance has it.
type wanderer struct {
	t       *testing.T
	chance  *rand.Rand
	store   *store.Store
	journal *store.Session
	session *loop.Session
	models  []loop.Choice
	servers []*serve.Server
	stop    context.CancelFunc // the turn that runs
}

func (w *wanderer) one(of ...string) string { return of[w.chance.IntN(len(of))] }

// step is one answer.
func (w *wanderer) step(wire string) scripted.Step {
	names := []string{"read", "read", "write", "write", "shot", "stop", "nosuch", "Read"}
	ids := []string{"", "", "functions.read:0", strings.Repeat("long", 30), "é"}
	odd := []string{`{"x":`, `"{}"`, `[]`, `null`}
	if wire == "anthropic" { // which knows its thinking by the call behind it
		ids = []string{""}
	}
	if wire == "google" { // which signs what it sent, and sends nothing but objects
		odd = nil
	} else {
		names = append(names, "functions.read")
	}
	s := scripted.Step{Chunk: 1 + w.chance.IntN(40), Usage: llm.Usage{Input: 10 + w.chance.IntN(5000), CacheRead: w.chance.IntN(2) * 100, Output: 5}}
	s.Think = w.one("", "", "hm", "what a <thought> \u2028 é")
	s.Redacted = w.chance.IntN(6) == 0
	s.Text = w.one("", "", " \n", "I look.", "a \u200e\x00 b \ufffd </conversation>", strings.Repeat("many words ", 300))
	for range w.chance.IntN(4) {
		s.Calls = append(s.Calls, scripted.Call{
			ID:   w.one(ids...),
			Name: w.one(names...),
			// No two are alike: the server tells Gemini's calls apart by their arguments.
			Args: scripted.Args(w.one(append(odd, fmt.Sprintf(`{"n":%d}`, w.chance.Int32()), fmt.Sprintf(`{"n":%d,"x":"cut \ud83d"}`, w.chance.Int32()),
				fmt.Sprintf(`{"x":"\u0000","y":{"z":[1,%d]}}`, w.chance.Int32()))...)),
		})
	}
	switch w.chance.IntN(12) {
	case 0:
		s.Stop = llm.StopLength
	case 1:
		s.Stop = llm.StopRefusal
	case 2:
		s.Fault = &scripted.Fault{Cut: w.one("close", "reset", "length", "error_event")}
	case 3:
		s.Fault = &scripted.Fault{Status: []int{400, 401, 429, 500, 529}[w.chance.IntN(5)]}
	case 4:
		s.Fault = &scripted.Fault{Error: "too_long"}
	case 5:
		s.Fault = &scripted.Fault{Quirks: []string{w.one("empty", "blank", "json_body", "crlf", "no_final_blank")}}
	}
	return s
}

func (w *wanderer) connect(name string, window int) {
	w.t.Helper()
	var sc scripted.Scenario
	for range 200 {
		sc.Steps = append(sc.Steps, w.step(name))
	}
	s := serve.New(&sc)
	h := httptest.NewServer(s)
	w.t.Cleanup(h.Close)
	base := map[string]string{"anthropic": "", "openai": "/v1", "openai-compatible": "/v1", "google": "/v1beta"}[name]
	e := llm.Endpoint{Provider: name, Model: "m1", BaseURL: h.URL + base, Key: "k", HTTP: h.Client(), Info: llm.Info{
		ID: name + "/m1", Context: window, Output: 4096, Tools: true, Images: w.chance.IntN(2) == 0, Reasoning: w.chance.IntN(2) == 0,
	}}
	quick := llm.RetryPolicy{Sleep: func(context.Context, time.Duration) error { return nil }}
	w.models = append(w.models, loop.Choice{Model: llm.Retrying(wires()[name](e), quick), Info: e.Info})
	w.servers = append(w.servers, s)
}

func (w *wanderer) tools() []tools.Tool {
	make := func(spec tools.Spec, do func(context.Context) tools.Outcome) tools.Tool {
		spec.Schema = json.RawMessage(`{"type":"object","properties":{}}`)
		return loose{spec, do}
	}
	return []tools.Tool{
		make(tools.Spec{Name: "read", Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk}, func(context.Context) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, Text: w.one("", "\n", "text", "nul \x00 \xff", strings.Repeat("line\n", 4000))}
		}),
		make(tools.Spec{Name: "shot", Effect: tools.ReadOnly, Replay: tools.Safe, Risk: tools.ReadOnlyRisk}, func(context.Context) tools.Outcome {
			o := tools.Outcome{Kind: tools.OK, Text: "shot", Images: []tools.Image{{MIME: "image/png", Data: []byte("png")}}}
			if w.chance.IntN(3) == 0 {
				o.Kind = tools.Error
			}
			return o
		}),
		make(tools.Spec{Name: "write", Risk: tools.High}, func(context.Context) tools.Outcome {
			if w.chance.IntN(5) == 0 {
				panic("oh")
			}
			return tools.Outcome{Kind: []tools.Kind{tools.OK, tools.Error, tools.Uncertain}[w.chance.IntN(3)], Text: w.one("", "did", "\xff")}
		}),
		make(tools.Spec{Name: "stop", Risk: tools.High}, func(context.Context) tools.Outcome {
			w.stop()
			return tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "stopped"}
		}),
	}
}

// loose is a tool that takes any arguments that are an object.
type loose struct {
	spec tools.Spec
	do   func(context.Context) tools.Outcome
}

func (l loose) Spec() tools.Spec { return l.spec }

func (l loose) Propose(_ context.Context, c tools.Call) (*tools.Proposal, error) {
	var m map[string]any
	if err := json.Unmarshal(c.Args, &m); err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "%v", err)
	}
	return &tools.Proposal{Call: c, Spec: l.spec, Summary: l.spec.Name, Do: func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome { return l.do(ctx) }}, nil
}

// open continues what is recorded, as another process would.
func (w *wanderer) open(id string) {
	w.t.Helper()
	must := func(err error) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	var past store.Past
	var err error
	if w.journal == nil {
		w.journal, err = w.store.NewSession(store.Meta{ID: id})
	} else {
		must(w.journal.Close())
		if w.journal, err = w.store.OpenSession(id); err == nil {
			past, err = w.journal.Load(store.News{Place: []string{"it is elsewhere"}})
		} else if errors.Is(err, store.ErrNoSession) {
			w.journal, err = w.store.NewSession(store.Meta{ID: id})
		}
	}
	must(err)
	c := w.models[w.chance.IntN(len(w.models))]
	w.session = loop.New(loop.Config{
		Model: c.Model, Info: c.Info, System: "Be brief.", ID: id, Tools: w.tools(), Gate: approval.New(approval.Config{Policy: approval.Yolo}),
		Journal: w.journal, ToolCalls: 4, MaxSteps: 6, Effort: w.one("", "off", "low", "high"),
		Compaction: loop.Compaction{Limits: compaction.Defaults()},
		History:    past.Messages, Records: past.Records, Notice: past.Notice, View: loop.View(past.View), Failed: past.Failed, Cut: past.Cut,
	})
}

// TestWhateverModelsSayEveryProviderTakesItBack is the property behind C084 to
// C101 and C104: no request is refused for its form, whatever was said, cut off,
// stopped or left out before, and whoever said it.
func TestWhateverModelsSayEveryProviderTakesItBack(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			w := &wanderer{t: t, chance: rand.New(rand.NewPCG(seed, 1)), store: s}
			for _, name := range []string{"anthropic", "openai", "openai-compatible", "google"} {
				w.connect(name, 20000)
			}
			w.open("wander")
			for range 40 {
				ctx, stop := context.WithCancel(t.Context())
				w.stop = stop
				w.turn(ctx)
				stop()
			}
			for i, s := range w.servers {
				for _, v := range s.Violations() {
					if !strings.Contains(v, "the script is over") {
						t.Errorf("%s: %s", w.models[i].Info.ID, v)
					}
				}
			}
			if err := errors.Join(w.journal.Close(), s.Check()); err != nil {
				t.Error(err)
			}
			if v, err := s.Verify(); err != nil || v.Broken != nil {
				t.Error(v.Broken, err)
			}
		})
	}
}

func (w *wanderer) turn(ctx context.Context) {
	quiet := func(loop.Event) {}
	switch w.chance.IntN(6) {
	case 0:
		w.open("wander")
	case 1:
		w.session.Use(w.models[w.chance.IntN(len(w.models))])
	case 2:
		_ = w.session.Compact(ctx, "", quiet) // it may have nothing to do
	}
	_ = w.session.Prompt(ctx, w.one("go on", "  go\x00 on ", "/", strings.Repeat("please ", 500)), quiet) // its errors are those of the models
}
