package anthropic

import (
	"encoding/base64"
	"encoding/json"

	"github.com/zuno-dev/zuno/internal/llm"
)

// writeTurns appends the messages as turns that alternate, which the format
// demands, with cache marks at the end of the last two of the user: one finds
// what the previous request kept, one keeps this one's.
func writeTurns(b *llm.Body, ms []encoded) {
	last, previous := userEnds(ms)
	starts := [2][]byte{[]byte(`{"role":"user","content":[`), []byte(`{"role":"assistant","content":[`)}
	turns := [2][]byte{[]byte(`]},{"role":"user","content":[`), []byte(`]},{"role":"assistant","content":[`)}
	open := -1
	for i, m := range ms {
		if m.blocks == nil {
			continue
		}
		blocks := m.blocks
		if role := btoi(m.assistant); role != open {
			start := starts[role]
			if open >= 0 {
				start = turns[role]
			}
			b.Add(start)
			open, blocks = role, blocks[1:]
		}
		if i == last || i == previous {
			b.Add(blocks[:len(blocks)-1], []byte(cacheControl))
			continue
		}
		b.Add(blocks)
	}
	if open >= 0 {
		b.AddString("]}")
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// userEnds returns the indexes of the messages that end the last two turns of
// the user, -1 for none.
func userEnds(ms []encoded) (last, previous int) {
	last, previous = -1, -1
	after := true // the message after i that is sent is not the user's
	for i := len(ms) - 1; i >= 0; i-- {
		m := ms[i]
		if m.blocks == nil {
			continue
		}
		if !m.assistant && after {
			if last >= 0 {
				return last, i
			}
			last = i
		}
		after = m.assistant
	}
	return last, previous
}

func (m *model) encode(msg *llm.Message, thinks bool) encoded {
	out := encoded{assistant: msg.Role == llm.Assistant}
	var blocks [][]byte
	switch msg.Role {
	case llm.Assistant:
		blocks = m.assistant(msg, thinks)
	case llm.Tool:
		blocks = m.results(msg)
	default:
		for _, p := range msg.Parts {
			if b := m.visible(p); b != nil {
				blocks = append(blocks, b)
			}
		}
	}
	for _, b := range blocks {
		out.blocks = append(append(out.blocks, ','), b...)
	}
	return out
}

// visible encodes a text or an image, nil for what is blank or neither.
func (m *model) visible(p llm.Part) []byte {
	if p.Kind == llm.Image {
		p = m.e.Sendable(p)
	}
	switch {
	case p.Kind == llm.Image:
		return llm.JSON(imageBlock{"image", source{"base64", p.MIME, base64.StdEncoding.EncodeToString(p.Data)}})
	case p.Kind == llm.Text && !llm.Blank(p.Text):
		return llm.JSON(textBlock{"text", p.Text})
	}
	return nil
}

func (m *model) assistant(msg *llm.Message, thinks bool) [][]byte {
	var blocks [][]byte
	said := false // something besides thinking, without which a message is refused
	for _, p := range msg.Parts {
		var b []byte
		switch p.Kind {
		case llm.Thinking:
			if thinks && msg.Model == m.e.Name() {
				b = thought(p)
			}
		case llm.CallPart:
			b, said = llm.JSON(toolUse{"tool_use", llm.WireID(p.Call.ID), llm.WireName(p.Call.Name), p.Call.Replay()}), true
		default:
			b = m.visible(p)
			said = said || b != nil
		}
		if b != nil {
			blocks = append(blocks, b)
		}
	}
	if !said {
		return nil
	}
	return blocks
}

// thought returns a thinking block as it came: the signature covers the text,
// and a block without one is refused.
func thought(p llm.Part) []byte {
	if len(p.Opaque) == 0 || !json.Valid(p.Opaque) {
		return nil
	}
	switch p.Opaque[0] {
	case '{':
		return p.Opaque
	case '"':
		b := append([]byte(`{"type":"thinking","thinking":`), llm.JSON(p.Text)...)
		return append(append(append(b, `,"signature":`...), p.Opaque...), '}')
	}
	return nil
}

// results encodes the results of a message, each with the images after it. The
// format refuses images in a result that is marked as an error, so that the
// mark gives way: the text says what failed.
func (m *model) results(msg *llm.Message) [][]byte {
	var list []toolResult
	for _, p := range msg.Parts {
		if p.Kind == llm.Result {
			list = append(list, toolResult{
				Type: "tool_result", ToolUseID: llm.WireID(p.For), IsError: p.Failed,
				Content: []json.RawMessage{llm.JSON(textBlock{"text", p.ResultText()})},
			})
		} else if n := len(list); n > 0 {
			if b := m.visible(p); b != nil {
				list[n-1].Content = append(list[n-1].Content, b)
				list[n-1].IsError = false
			}
		}
	}
	var blocks [][]byte
	for _, r := range list {
		blocks = append(blocks, llm.JSON(r))
	}
	return blocks
}
