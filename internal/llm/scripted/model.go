package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

// New returns a model that plays s in process. Faults that lose an answer
// become the errors that a wire would report; quirks, which concern the bytes of
// a wire, have no effect. An unmet expectation and a script that is over are
// rejected requests.
func New(s *Scenario) llm.Model {
	name := s.Model
	if name == "" {
		name = "scripted"
	}
	return &model{NewPlayer(s), "scripted/" + name}
}

type model struct {
	player *Player
	name   string
}

// Stream answers with the next step.
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	msg := llm.Message{Role: llm.Assistant, Model: m.name}
	if err := ctx.Err(); err != nil {
		return msg, err
	}
	a, err := m.player.Next(query(req))
	if err != nil {
		return msg, &llm.Error{Kind: llm.Rejected, Provider: "scripted", Message: err.Error()}
	}
	if a.Fault != nil && a.Fault.Cut == "" {
		if err := refusal(a.Fault); err != nil {
			return msg, err
		}
	}
	p := performance{ctx: ctx, a: &a, delta: delta}
	p.say(llm.Thinking, a.Think, func(s string) llm.Delta { return llm.Delta{Thought: s} })
	p.say(llm.Text, a.Text, func(s string) llm.Delta { return llm.Delta{Text: s} })
	msg.Parts = p.parts
	if p.err == nil && a.Fault != nil && a.Fault.Cut != "" {
		p.cut()
	}
	if p.err != nil {
		return msg, p.err
	}
	for i := range a.Calls {
		msg.Parts = append(msg.Parts, llm.Part{Kind: llm.CallPart, Call: a.call(i)})
	}
	msg.Stop, msg.Usage = a.Stop, a.Usage
	return msg, nil
}

// A performance is an answer on its way.
type performance struct {
	ctx   context.Context
	a     *Answer
	delta func(llm.Delta)
	sent  int
	parts []llm.Part
	err   error
}

func (p *performance) say(kind llm.PartKind, text string, as func(string) llm.Delta) {
	said := 0
	for piece := range Chunks(text, p.a.Chunk) {
		if f := p.a.Fault; p.err == nil && f != nil && f.Cut != "" && p.sent >= *f.After {
			p.cut()
		}
		if p.err == nil {
			p.err = wait(p.ctx, p.a.Delay)
		}
		if p.err != nil {
			break
		}
		p.delta(as(piece))
		p.sent++
		said += len(piece)
	}
	if said > 0 {
		p.parts = append(p.parts, llm.Part{Kind: kind, Text: text[:said]})
	}
}

// cut ends the answer in the way its fault says.
func (p *performance) cut() {
	kind := llm.Transport
	switch p.a.Fault.Cut {
	case "stall", "endless":
		<-p.ctx.Done()
		p.err = p.ctx.Err()
		return
	case "close":
		kind = llm.Incomplete
	case "error_event":
		kind = llm.Overloaded
	}
	p.err = &llm.Error{Kind: kind, Provider: "scripted", Message: "the answer was cut: " + p.a.Fault.Cut}
}

// refusal returns the error of a fault that lets no answer begin.
func refusal(f *Fault) error {
	e := &llm.Error{Kind: llm.Rejected, Provider: "scripted", Status: f.Status, Message: f.Message}
	if e.Message == "" {
		e.Message = "as the script says"
	}
	switch s := f.Status; {
	case f.Error == "too_long":
		e.Kind, e.Status = llm.TooLong, 400
	case f.Error == "quota":
		e.Kind, e.Status = llm.Quota, 429
	case s == 0:
		return nil
	case s == 401 || s == 403:
		e.Kind = llm.Auth
	case s == 404:
		e.Kind = llm.NoModel
	case s == 429:
		e.Kind = llm.RateLimit
	case s >= 500:
		e.Kind = llm.Overloaded
	}
	if n, err := strconv.Atoi(f.RetryAfter); err == nil && n > 0 {
		e.After = time.Duration(n) * time.Second
	}
	return e
}

// call returns the i-th call. Text that is no JSON is kept as a JSON string, so
// that the message can be stored.
func (a *Answer) call(i int) *llm.Call {
	c := &llm.Call{ID: a.CallID("call", i), Name: a.Calls[i].Name, Args: json.RawMessage(a.Calls[i].Args)}
	if !json.Valid(c.Args) {
		c.Broken = "its arguments are not valid JSON"
		if a.Stop == llm.StopLength {
			c.Broken = "its arguments were cut off"
		}
		c.Args, _ = json.Marshal(string(c.Args)) // a string always has a JSON form
	}
	return c
}

// query reads what matters from a request.
func query(req llm.Request) Query {
	q := Query{Tools: len(req.Tools) > 0}
	var news []string
	if len(req.Messages) > 0 {
		q.Opening = req.Messages[0].Text()
	}
	for _, m := range req.Messages {
		if m.Role == llm.Assistant {
			news = nil
		}
		for _, p := range m.Parts {
			switch {
			case p.Kind == llm.CallPart:
				q.LastID = max(q.LastID, IDNumber(p.Call.ID))
			case m.Role != llm.Assistant && p.Text != "":
				news = append(news, p.Text)
			}
		}
	}
	q.News = strings.Join(news, "\n")
	return q
}

// IDNumber returns the number that ends an id after an underscore, or zero.
func IDNumber(id string) int {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '_')+1:])
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("scripted model: %w", ctx.Err())
	}
}
