// Package tour is the built-in demonstration: a scratch repository with a test
// that really fails, and a scripted model that repairs it. It needs no network
// and no key.
package tour

import (
	"context"
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// Name stands where the name of a model would.
const Name = "tour/scripted"

// Prompt is what the tour asks of its model.
const Prompt = "The test of this project fails. Find out why and fix it."

// Welcome tells the person what they are looking at.
const Welcome = "This is the tour: the model is a script, everything else is real. It works in a scratch folder that is removed when you leave."

//go:embed scratch
var scratch embed.FS

//go:embed script.json
var script []byte

// Unpack writes the scratch repository into dir, which must exist.
func Unpack(dir string) error {
	return fs.WalkDir(scratch, "scratch", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := scratch.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, filepath.Base(path)), b, 0o644)
	})
}

// Model returns the scripted model, at its beginning.
func Model() (llm.Model, error) {
	s, err := scripted.Parse(script)
	if err != nil {
		return nil, err
	}
	return &model{script: scripted.New(s), steps: len(s.Steps)}, nil
}

// What the model says when the script does not fit what happened.
const (
	declined = "That step did not happen, so the script ends here: nothing further was changed. Leave with Ctrl+D twice, and take the tour again whenever you like."
	over     = "The script of the tour is over. With a key or a local server, zuno answers this for real."
)

// A model plays the script as long as every call of it succeeds.
type model struct {
	script llm.Model
	steps  int
	next   int
	ended  bool
}

// Stream answers with the next step of the script, or with why there is none.
func (m *model) Stream(ctx context.Context, req llm.Request, delta func(llm.Delta)) (llm.Message, error) {
	switch {
	case !m.ended && failed(req.Messages):
		m.ended = true
		return say(declined, delta), nil
	case m.ended || m.next == m.steps || req.NoTools:
		return say(over, delta), nil
	}
	msg, err := m.script.Stream(ctx, req, delta)
	if err == nil {
		m.next++
	}
	return msg, err
}

func failed(ms []*llm.Message) bool {
	if len(ms) == 0 {
		return false
	}
	for _, p := range ms[len(ms)-1].Parts {
		if p.Kind == llm.Result && p.Failed {
			return true
		}
	}
	return false
}

func say(text string, delta func(llm.Delta)) llm.Message {
	delta(llm.Delta{Text: text})
	return llm.Message{Role: llm.Assistant, Model: Name, Stop: llm.StopEnd, Parts: []llm.Part{{Kind: llm.Text, Text: text}}}
}
