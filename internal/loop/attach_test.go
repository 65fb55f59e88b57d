package loop

import (
	"context"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
)

func TestWhatGoesAlongWithATextIsNotTheText(t *testing.T) {
	read := tool(readSpec, ok("content"))
	box := &mailbox{list: [][]Queued{{{7, "see b"}}}}
	b := newBench(script(calls("read"), says("done")), approval.LowRisk, func(c *Config) {
		c.Inbox = box
		c.Attach = func(_ context.Context, text string) ([]llm.Part, []string) {
			return []llm.Part{{Kind: llm.Text, Text: "<attached_file>" + text + "</attached_file>"}, {Kind: llm.Image, MIME: "image/png", Data: []byte{1}}}, []string{"sent along with " + text}
		}
	}, read)
	if err := b.run(context.Background(), "see a"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"see a", "see b"} {
		m := b.model.requests[i].Messages
		parts := m[len(m)-1].Parts
		if len(parts) != 3 || parts[2].Text != want || parts[0].Text != "<attached_file>"+want+"</attached_file>" || parts[1].Kind != llm.Image {
			t.Errorf("request %d ends with %+v", i, parts)
		}
	}
	told := func(events []Event) (prompts, notices []string) {
		for _, e := range events {
			switch e := e.(type) {
			case Prompted:
				prompts = append(prompts, e.Text)
			case Noticed:
				notices = append(notices, e.Text)
			}
		}
		return prompts, notices
	}
	if p, n := told(b.events); len(p) != 2 || len(n) != 2 || n[1] != "sent along with see b" {
		t.Errorf("prompted %q, noticed %q", p, n)
	}
	var again []Event
	if err := b.Replay(func(e Event) { again = append(again, e) }); err != nil {
		t.Fatal(err)
	}
	if p, _ := told(again); len(p) != 2 || p[0] != "see a" || p[1] != "see b" {
		t.Errorf("replayed prompts: %q", p)
	}
	b.whole(t)
}
