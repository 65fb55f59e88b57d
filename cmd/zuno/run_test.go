package main

import (
	"context"
	"os"
	"strings"
	"testing"
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
