package loop

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/zuno-dev/zuno/internal/llm"
)

// overImages leaves out the images of the conversation when the provider refused
// them, or a body of the size that only images have. The first result is false
// where that is not what is wrong. What is recorded keeps them: a session that
// is resumed tries again, and another model may take them.
func (s *Session) overImages(refused error, emit func(Event)) (done bool, err error) {
	var e *llm.Error
	if !errors.As(refused, &e) || e.Kind != llm.BadImage && e.Status != http.StatusRequestEntityTooLarge {
		return false, nil
	}
	n := images(s.shown.messages)
	if n == 0 {
		return e.Kind == llm.BadImage, refused
	}
	s.shown.blind = len(s.messages)
	s.reshow()
	s.measure(emit)
	what := "an image is"
	if n > 1 {
		what = fmt.Sprintf("%d images are", n)
	}
	emit(Noticed{Text: fmt.Sprintf("%s left out of the conversation, for the provider refused it: %s", what, e.Message), Retry: true})
	return true, nil
}

// sighted forgets what was learned of the model before next takes its place, unless
// it is the same one: the images are shown again, and its limit is another.
func (s *Session) sighted(next llm.Info) {
	if next.ID == s.conf.Info.ID {
		return
	}
	s.pressure.limit, s.pressure.named, s.pressure.told = 0, 0, ""
	if s.shown.blind > 0 || s.shown.thoughtless > 0 {
		s.shown.blind, s.shown.thoughtless = 0, 0
		s.reshow()
	}
}

func images(ms []*llm.Message) int {
	n := 0
	for _, m := range ms {
		for _, p := range m.Parts {
			if p.Kind == llm.Image {
				n++
			}
		}
	}
	return n
}

const imageRefused = "[an image (%s, %d bytes) was left out: the provider refused to take it]"

// blinded returns m with words in the place of images: m itself when it has none.
func blinded(m *llm.Message) *llm.Message {
	if images([]*llm.Message{m}) == 0 {
		return m
	}
	out := *m
	out.Parts = nil
	for _, p := range m.Parts {
		if p.Kind != llm.Image {
			out.Parts = append(out.Parts, p)
			continue
		}
		note, last := fmt.Sprintf(imageRefused, p.MIME, len(p.Data)), len(out.Parts)-1
		if m.Role == llm.Tool && last >= 0 { // the result that it belongs to
			out.Parts[last].Text += "\n" + note
			continue
		}
		out.Parts = append(out.Parts, llm.Part{Kind: llm.Text, Text: note, For: attached})
	}
	out.Parts = slices.Clip(out.Parts)
	return &out
}
