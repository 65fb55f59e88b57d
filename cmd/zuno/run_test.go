package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAPipeThatStaysSilentDoesNotHoldThePromptUp(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got, err := promptOf(t.Context(), []string{"hi"}, r)
	if err != nil || got != "hi" {
		t.Errorf("prompt %q, %v", got, err)
	}
}

func TestAPipeThatSpeaksIsReadToItsEnd(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteString("some text"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan string)
	go func() {
		got, err := promptOf(ctx, []string{"review", "this"}, r)
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	if _, err := w.WriteString(" and more"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if got := <-done; !strings.HasPrefix(got, "review this\n\n<stdin>") || !strings.Contains(got, "some text and more") {
		t.Errorf("prompt %q", got)
	}
	cancel()
}

func TestOldOutputIsSweptAndNewOutputStays(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"old": 8 * 24 * time.Hour, "new": time.Hour} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := sweep(dir, now.Add(-spoolAge)); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 || filepath.Base(left[0]) != "new" {
		t.Errorf("left %v", left)
	}
	if err := sweep(filepath.Join(dir, "nosuch"), now); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}
