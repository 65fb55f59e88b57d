package loop

import (
	"context"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// picky refuses every request that holds an image, as a provider does of which
// one is too large.
func picky(refused *int, kind llm.ErrorKind, status int, next func(n int) llm.Message) *model {
	n := 0
	return &model{answer: func(_ int, req llm.Request) (llm.Message, error) {
		if images(req.Messages) > 0 {
			*refused++
			return llm.Message{}, &llm.Error{Kind: kind, Status: status, Message: "image exceeds 5 MB maximum"}
		}
		n++
		return next(n - 1), nil
	}}
}

func TestAnImageThatIsRefusedDoesNotEndTheSession(t *testing.T) {
	for _, c := range []struct {
		kind   llm.ErrorKind
		status int
	}{{llm.BadImage, 400}, {llm.TooLong, 413}} {
		refused := 0
		m := picky(&refused, c.kind, c.status, func(n int) llm.Message {
			if n == 0 {
				return calls("shot")
			}
			return says("seen")
		})
		shot := tools.Spec{Name: "shot", Effect: tools.ReadOnly, Replay: tools.Safe, Risk: tools.ReadOnlyRisk}
		b := newBench(m, approval.LowRisk, nil, tool(shot, func(context.Context) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, Text: "a shot", Images: []tools.Image{{MIME: "image/png", Data: []byte("png")}, {MIME: "image/png", Data: []byte("png")}}}
		}))
		for range 2 { // the second turn is not refused any more
			if err := b.run(t.Context(), "look"); err != nil {
				t.Fatal(err)
			}
		}
		if refused != 1 || !strings.Contains(b.notices(), "2 images are left out of the conversation") {
			t.Errorf("%d requests were refused: %s", refused, b.notices())
		}
		last := m.requests[len(m.requests)-1].Messages
		if text := last[2].Parts[0].Text; len(last[2].Parts) != 1 || strings.Count(text, "was left out: the provider refused") != 2 || !strings.HasPrefix(text, "a shot\n") {
			t.Errorf("the result is shown as %+v", last[2].Parts)
		}
		strict(t, last)
		if n := images(b.resumed().messages); n != 2 {
			t.Errorf("%d images are recorded", n)
		}
		b.added(t)
	}
}

func TestAnImageOfThePersonThatIsRefusedLeavesTheirWords(t *testing.T) {
	refused := 0
	m := picky(&refused, llm.BadImage, 400, func(int) llm.Message { return says("ok") })
	b := newBench(m, approval.LowRisk, func(c *Config) {
		c.Attach = func(context.Context, string) ([]llm.Part, []string) {
			return []llm.Part{{Kind: llm.Image, MIME: "image/png", Data: []byte("png")}}, nil
		}
	})
	if err := b.run(t.Context(), "what is this?"); err != nil {
		t.Fatal(err)
	}
	parts := m.requests[len(m.requests)-1].Messages[0].Parts
	if len(parts) != 2 || !strings.Contains(parts[0].Text, "left out") || parts[1].Text != "what is this?" || refused != 1 {
		t.Errorf("sent %+v, refused %d", parts, refused)
	}
}

func TestARefusalOfImagesWithoutAnyIsAnError(t *testing.T) {
	n := 0
	m := &model{answer: func(int, llm.Request) (llm.Message, error) {
		n++
		return llm.Message{}, &llm.Error{Kind: llm.BadImage, Message: "bad image"}
	}}
	b := newBench(m, approval.LowRisk, nil)
	if err := b.run(t.Context(), "look"); err == nil || n != 1 {
		t.Errorf("%v after %d requests", err, n)
	}
}

func TestAnotherModelIsShownTheImagesAgain(t *testing.T) {
	refused := 0
	b := newBench(picky(&refused, llm.BadImage, 400, func(int) llm.Message { return says("ok") }), approval.LowRisk, func(c *Config) {
		c.Info.ID = "p/blind"
		c.Attach = func(_ context.Context, text string) ([]llm.Part, []string) {
			if text != "look" {
				return nil, nil
			}
			return []llm.Part{{Kind: llm.Image, MIME: "image/png", Data: []byte("png")}}, nil
		}
	})
	sees := script(says("a cat"), says("still a cat"))
	for _, c := range []struct {
		use  *Choice
		text string
	}{{nil, "look"}, {&Choice{Info: llm.Info{ID: "p/blind"}, Model: b.model, Effort: "low"}, "again"}, {&Choice{Info: llm.Info{ID: "p/sees"}, Model: sees}, "and you?"}} {
		if c.use != nil {
			b.Use(*c.use)
		}
		if err := b.run(t.Context(), c.text); err != nil {
			t.Fatal(err)
		}
	}
	if refused != 1 {
		t.Errorf("the model that takes none was sent images %d times", refused)
	}
	if n := images(sees.requests[0].Messages); n != 1 {
		t.Errorf("the other one was sent %d images", n)
	}
	b.added(t)
}
