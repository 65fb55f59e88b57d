package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
)

// Every failure of a provider that a person can do something about says what,
// once. The kinds that are left out say it themselves.
func TestEveryFailureOfAProviderSaysWhatToDo(t *testing.T) {
	says := map[llm.ErrorKind]bool{llm.Rejected: true, llm.TooLong: true, llm.Barred: true, llm.BadImage: true}
	for kind := llm.Rejected; kind.String() != "unknown"; kind++ {
		err := &llm.Error{Kind: kind, Provider: "anthropic", Status: 400, Message: "no"}
		got := hint(err).Error()
		if says[kind] != (got == err.Error()) || strings.Count(got, err.Error()) != 1 {
			t.Errorf("%s: %s", kind, got)
		}
		if !errors.Is(hint(err), err) {
			t.Errorf("%s: the cause is lost", kind)
		}
	}
	if got := hint(&llm.Error{Kind: llm.Auth, Provider: "anthropic", Status: 403}).Error(); !strings.Contains(got, "check the key in ANTHROPIC_API_KEY, and what it may do") {
		t.Error(got)
	}
}
