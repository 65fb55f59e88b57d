package store_test

import (
	"slices"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
)

func TestModelsUsedLastAreFirst(t *testing.T) {
	db := openNew(t)
	for _, models := range [][]string{{"p/a", "p/b"}, {"p/c", "p/a"}} {
		s, err := db.NewSession(store.Meta{Dir: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			for _, msg := range []*llm.Message{llm.UserText("hello"), {Role: llm.Assistant, Model: m, Parts: []llm.Part{{Kind: llm.Text, Text: "hi"}}}} {
				if err := s.Append(msg); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := s.Models()
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(models)
		if !slices.Equal(got[:2], models) {
			t.Errorf("got %v, want %v first", got, models)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
