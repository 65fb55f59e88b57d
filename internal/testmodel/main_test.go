package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func scenario(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestItPrintsItsAddressServesAndReportsViolations(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan error)
	go func() {
		done <- run(ctx, []string{"-scenario", scenario(t, `{"steps": [{"text": "hi"}]}`)}, w, &stderr)
	}()
	url, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(strings.TrimSpace(url)+"/v1/chat/completions", "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-done; resp.StatusCode != 400 || err == nil || err.Error() != "there were violations" {
		t.Errorf("got %d, %v", resp.StatusCode, err)
	}
	want := "request 1 (chat): model: must be a string\n1 requests, 0 of them the classifier's; all steps used: false\n"
	if stderr.String() != want {
		t.Errorf("got %q", stderr.String())
	}
}

func TestABadScenarioIsNamed(t *testing.T) {
	file := scenario(t, `{"steps": [{}]}`)
	err := run(t.Context(), []string{"-scenario", file}, io.Discard, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), file+": scenario: steps[0] says nothing") {
		t.Errorf("got %v", err)
	}
	if err := run(t.Context(), nil, io.Discard, io.Discard); err == nil {
		t.Error("no scenario is no error")
	}
}
