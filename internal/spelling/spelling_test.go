package spelling_test

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/spelling"
)

func TestNearest(t *testing.T) {
	words := []string{"model", "small_model", "baseURL", "write", "run"}
	for word, want := range map[string]string{
		"modle": "model", "MODEL": "model", "smallModel": "small_model", "base_url": "baseURL", "base-url": "baseURL", "wrte": "write", "rnu": "run",
		"": "", "zzzzzz": "", "é": "", strings.Repeat("model", 30): "",
	} {
		if got := spelling.Nearest(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := spelling.Nearest("x", nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestHint(t *testing.T) {
	if got := spelling.Hint("modle", []string{"model"}); got != ` (did you mean "model"?)` {
		t.Error(got)
	}
	if got := spelling.Hint("zzzzzz", []string{"model"}); got != "" {
		t.Error(got)
	}
}
