package media

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func fake(bound, manual string, models ...Model) Config {
	return Config{
		Open: func(path string) (Source, error) {
			return Source{Name: path, Manual: manual, Check: func() error {
				if path == "a.txt" {
					return errors.New("read a.txt: it is no image")
				}
				return nil
			}, Load: func() (tools.Image, error) {
				if path == "no.png" {
					return tools.Image{}, errors.New("read no.png: it does not exist")
				}
				return tools.Image{MIME: "image/png", Data: []byte(path)}, nil
			}}, nil
		},
		Models: func() []Model { return models },
		Bound:  bound,
		Ask: func(ctx context.Context, model string, image tools.Image, prompt string) (string, error) {
			switch {
			case ctx.Err() != nil:
				return "", ctx.Err()
			case prompt == "fail":
				return "", errors.New("overloaded")
			case prompt == "silence":
				return " ", nil
			}
			return model + " saw " + string(image.Data), nil
		},
	}
}

func propose(t *testing.T, c Config, args string) (*tools.Proposal, error) {
	t.Helper()
	return New(c).Propose(t.Context(), tools.Call{ID: "1", Tool: "analyze_media", Args: json.RawMessage(args)})
}

const args = `{"filePath":"a.png","prompt":"what is it?"}`

func TestAPersonPicksWhoSeesThePicture(t *testing.T) {
	p, err := propose(t, fake("", "", Model{ID: "p/one"}, Model{ID: "p/two"}), args)
	if err != nil || len(p.Options) != 2 || !strings.Contains(p.Unbound, Role) {
		t.Fatalf("%+v, %v", p, err)
	}
	if out := p.Execute(t.Context(), tools.Decision{Allowed: true, Choice: "1"}, nil); out.Kind != tools.OK || out.Text != "[p/two about a.png]\np/two saw a.png" {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Kind != tools.Blocked {
		t.Errorf("without a row: %v", out.Kind)
	}
}

func TestACompanionIsStandingConsentForTheModelAndNotForTheFile(t *testing.T) {
	p, err := propose(t, fake("p/one", "outside", Model{ID: "p/one"}), args)
	if err != nil || len(p.Options) != 0 || p.Manual != "outside" {
		t.Fatalf("%+v, %v", p, err)
	}
	if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Kind != tools.OK || !strings.Contains(out.Text, "p/one saw") {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
}

func TestWhatCannotBeLookedAtIsRefused(t *testing.T) {
	one := Model{ID: "p/one"}
	for _, c := range []struct {
		conf  Config
		args  string
		block tools.Block
		want  string
	}{
		{fake("p/gone", "", one), args, tools.Unavailable, "p/gone"},
		{fake("", ""), args, tools.Unavailable, "no configured model"},
		{fake("", "", one), `{"filePath":"a.txt","prompt":"x"}`, tools.InvalidArguments, "no image"},
		{fake("", ""), `{"filePath":"a.txt","prompt":"x"}`, tools.InvalidArguments, "no image"},
		{fake("", "", one), `{"filePath":"a.mp3","prompt":"x"}`, tools.Unavailable, "audio"},
		{fake("", "", one), `{"filePath":"a.webm","prompt":"x"}`, tools.Unavailable, "video"},
		{fake("", "", one), `{"filePath":"a.png","prompt":" "}`, tools.InvalidArguments, "prompt"},
	} {
		_, err := propose(t, c.conf, c.args)
		if o := tools.OutcomeOf(err); err == nil || o.Block != c.block || !strings.Contains(o.Text, c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	for a, want := range map[string]string{
		`{"filePath":"no.png","prompt":"x"}`: "does not exist", `{"filePath":"a.png","prompt":"fail"}`: "overloaded", `{"filePath":"a.png","prompt":"silence"}`: "nothing to say",
	} {
		p, err := propose(t, fake("p/one", "", one), a)
		if err != nil {
			t.Fatal(err)
		}
		if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Kind != tools.Error || !strings.Contains(out.Text, want) {
			t.Errorf("%s: %v %q", a, out.Kind, out.Text)
		}
	}
}

func TestItKeepsThePromises(t *testing.T) {
	for _, bound := range []string{"", "p/one"} {
		toolstest.Run(t, toolstest.Case{Args: args, New: func(string) tools.Tool { return New(fake(bound, "", Model{ID: "p/one"})) }})
	}
}
