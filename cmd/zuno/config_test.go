package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/zuno-dev/zuno/internal/config"
)

// What the template suggests has to be right when its slashes are taken away.
func TestTheTemplateIsAConfiguration(t *testing.T) {
	texts := []string{configTemplate()}
	for _, e := range templateExamples() {
		texts = append(texts, "{"+e[1]+",}")
	}
	for _, text := range texts {
		file := filepath.Join(t.TempDir(), "zuno.jsonc")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := config.Check(file); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
}
