package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheCatalogueIsSound(t *testing.T) {
	var list []catalogueEntry
	dec := json.NewDecoder(strings.NewReader(catalogueJSON))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range list {
		id := e.Provider + "/" + e.Model
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id] = true
		p := e.Price
		if e.Context < 8192 || e.Output < 1024 || e.Output > e.Context || p.Input <= 0 || p.Output <= p.Input || p.CacheRead >= p.Input {
			t.Errorf("%s: %+v", id, e)
		}
	}
	if len(Catalogue()) != len(list) || len(list) < 40 {
		t.Errorf("%d models", len(list))
	}
}

func TestModelsAreLookedUp(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		known, priced   bool
		context         int
	}{
		{"anthropic", "claude-sonnet-4-5", true, true, 200000},
		{"anthropic", "claude-sonnet-4-5-20250929", true, true, 200000},
		{"anthropic", "claude-opus-5-5", true, true, 1000000},
		{"openai", "gpt-4o-2024-08-06", true, true, 128000},
		{"openrouter", "anthropic/claude-sonnet-4.5", true, false, 200000},
		{"work", "claude-haiku-4-5-latest", true, false, 200000},
		{"ollama", "qwen3:8b", false, false, 0},
		{"openai", "gpt", false, false, 0},
	} {
		got, ok := Lookup(c.provider, c.model)
		if ok != c.known || got.Context != c.context || !got.Tools || got.ID != c.provider+"/"+c.model || (got.Price != Price{}) != c.priced {
			t.Errorf("%s/%s: %+v, %t", c.provider, c.model, got, ok)
		}
	}
}
