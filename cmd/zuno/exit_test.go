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

// Who sits at the screen is told what can be typed there, and who does not what
// the command takes. The model that was asked for is named.
func TestHintsNameWhatIsAtHand(t *testing.T) {
	for _, e := range []*llm.Error{
		{Kind: llm.NoModel, Provider: "anthropic", Model: "claude-gone-9", Status: 404, Message: "Not Found"},
		{Kind: llm.Quota, Provider: "anthropic", Status: 429},
		{Kind: llm.Overloaded, Provider: "anthropic", Status: 529},
	} {
		run, screen := hint(e).Error(), hintOnScreen(e).Error()
		if !strings.Contains(run, "--model") || strings.Contains(run, "/model ") {
			t.Errorf("at the command line: %s", run)
		}
		if !strings.Contains(screen, "/model") || strings.Contains(screen, "--model") || strings.Contains(screen, "zuno models") {
			t.Errorf("at the screen: %s", screen)
		}
		if strings.Count(run, e.Model) == 0 || strings.Count(screen, e.Model) == 0 {
			t.Errorf("%s and %s do not name the model", run, screen)
		}
	}
}
