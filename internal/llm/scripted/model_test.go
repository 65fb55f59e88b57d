package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
)

// play asks m and returns the message, what was streamed and the error.
func play(ctx context.Context, m llm.Model, req llm.Request) (llm.Message, string, error) {
	var streamed strings.Builder
	msg, err := m.Stream(ctx, req, func(d llm.Delta) {
		streamed.WriteString("[" + d.Thought + "|" + d.Text + "]")
	})
	return msg, streamed.String(), err
}

func hello() llm.Request {
	return llm.Request{Messages: []*llm.Message{llm.UserText("hello")}, Tools: []llm.ToolSpec{{Name: "read"}}}
}

func TestAModelStreamsItsStepAndReturnsIt(t *testing.T) {
	m := New(&Scenario{Steps: []Step{
		{Expect: []string{"hello"}, Think: "hm", Text: "0123456", Chunk: 4, Calls: []Call{{Name: "read", Args: `{"path":"a"}`}}, Usage: llm.Usage{Input: 7}},
		{Expect: []string{"content of a"}, ExpectNot: []string{"hello"}, Text: "bye"},
	}})
	req := hello()
	msg, streamed, err := play(t.Context(), m, req)
	if err != nil || streamed != "[hm|][|0123][|456]" {
		t.Fatalf("streamed %q, %v", streamed, err)
	}
	got, _ := json.Marshal(msg)
	want := `{"role":"assistant","parts":[{"kind":"thinking","text":"hm"},{"kind":"text","text":"0123456"},` +
		`{"kind":"call","call":{"id":"call_1","name":"read","args":{"path":"a"}}}],"model":"scripted/scripted","stop":"calls","usage":{"input":7,"output":0}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	req.Messages = append(req.Messages, &msg, &llm.Message{Role: llm.Tool, Parts: []llm.Part{{Kind: llm.Result, For: "call_1", Text: "content of a"}}})
	if msg, _, err := play(t.Context(), m, req); err != nil || msg.Text() != "bye" || msg.Stop != llm.StopEnd {
		t.Errorf("got %+v, %v", msg, err)
	}
	_, _, err = play(t.Context(), m, req)
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.Rejected || !strings.Contains(e.Message, "script is over") {
		t.Errorf("got %v", err)
	}
}

func TestFaultsBecomeTheErrorsOfAWire(t *testing.T) {
	zero := 0
	for _, c := range []struct {
		fault    Fault
		kind     llm.ErrorKind
		after    time.Duration
		streamed string
	}{
		{Fault{Status: 400}, llm.Rejected, 0, ""},
		{Fault{Status: 401}, llm.Auth, 0, ""},
		{Fault{Status: 404}, llm.NoModel, 0, ""},
		{Fault{Status: 429, RetryAfter: "2"}, llm.RateLimit, 2 * time.Second, ""},
		{Fault{Status: 529}, llm.Overloaded, 0, ""},
		{Fault{Error: "quota"}, llm.Quota, 0, ""},
		{Fault{Error: "too_long"}, llm.TooLong, 0, ""},
		{Fault{Cut: "close"}, llm.Incomplete, 0, "[|01234]"},
		{Fault{Cut: "reset"}, llm.Transport, 0, "[|01234]"},
		{Fault{Cut: "error_event", After: &zero}, llm.Overloaded, 0, ""},
	} {
		m := New(&Scenario{Steps: []Step{{Text: "0123456789", Fault: &c.fault}}})
		msg, streamed, err := play(t.Context(), m, hello())
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.After != c.after || streamed != c.streamed {
			t.Errorf("%+v: got %q, %v", c.fault, streamed, err)
		}
		if want := strings.Trim(c.streamed, "[|]"); msg.Text() != want {
			t.Errorf("%+v: the message holds %q", c.fault, msg.Text())
		}
		if msg, _, err := play(t.Context(), m, hello()); err != nil || msg.Text() != "0123456789" {
			t.Errorf("%+v: then %q, %v", c.fault, msg.Text(), err)
		}
	}
}

func TestACutCallIsBrokenAndItsMessageCanBeStored(t *testing.T) {
	for _, c := range []struct {
		step Step
		want string
	}{
		{Step{Calls: []Call{{Name: "write", Args: `{"path":"a.txt"}`}}, Fault: &Fault{Cut: "length"}}, "its arguments were cut off"},
		{Step{Calls: []Call{{Name: "write", Args: `{"path"`}}}, "its arguments are not valid JSON"},
	} {
		msg, _, err := play(t.Context(), New(&Scenario{Steps: []Step{c.step}}), hello())
		if err != nil || len(msg.Calls()) != 1 || msg.Calls()[0].Broken != c.want {
			t.Fatalf("got %+v, %v", msg, err)
		}
		if _, err := json.Marshal(msg); err != nil {
			t.Error(err)
		}
	}
}

func TestDelaysAndStallsEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, step := range []Step{
			{Text: "ab", Chunk: 1, Delay: Duration(time.Second)},
			{Text: "ab", Chunk: 1, Fault: &Fault{Cut: "stall"}},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			msg, streamed, err := play(ctx, New(&Scenario{Steps: []Step{step}}), hello())
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || streamed != "[|a]" || msg.Text() != "a" {
				t.Errorf("%+v: got %q, %q, %v", step, msg.Text(), streamed, err)
			}
		}
		start := time.Now()
		if _, _, err := play(t.Context(), New(&Scenario{Steps: []Step{{Text: "abc", Chunk: 1, Delay: Duration(time.Second)}}}), hello()); err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("took %v, %v", time.Since(start), err)
		}
	})
}
