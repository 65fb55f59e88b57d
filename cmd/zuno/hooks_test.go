package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/hook"
)

// The configuration names the events by itself; it may import nobody.
func TestTheConfigurationKnowsTheEventsThatHooksRunAt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "zuno.json")
	if err := os.WriteFile(file, []byte(`{"hooks": {"Nosuch": []}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := config.Load(config.Input{Home: t.TempDir(), Dir: t.TempDir(), File: file})
	if err == nil || !strings.HasSuffix(err.Error(), "there are "+strings.Join(hook.Events(), ", ")) {
		t.Errorf("got %v", err)
	}
}
