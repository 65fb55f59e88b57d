//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

// TestEveryDialectOfAStreamMeansTheSame is C095, and C085 where the pieces of
// calls are told apart in other ways than by an index: it runs one job, two reads in one message
// and an answer, over every wire in every form that servers are known to send
// it in. The strict server checks what comes back.
func TestEveryDialectOfAStreamMeansTheSame(t *testing.T) {
	common := []string{"crlf", "nospace", "comments", "bom", "no_final_blank", "text_plain", "json_body"}
	chatOnly := []string{"no_done", "done_space", "no_index", "no_id", "same_index", "same_index+whole_calls", "no_index+whole_calls", "object_args", "double_args", "null_choices", "whole_calls"}
	for model, quirks := range map[string][]string{
		"anthropic/claude-haiku-4-5": common, "openai/gpt-5.5": common, "google/gemini-2.5-pro": common,
		"mine/m": slices.Concat(common, chatOnly),
	} {
		for _, quirk := range quirks {
			t.Run(strings.ReplaceAll(model, "/", "_")+"/"+quirk, func(t *testing.T) {
				t.Parallel()
				script := fmt.Sprintf(`{"steps":[
				 {"text":"I look.","calls":[{"id":"A","name":"read","args":{"filePath":"a.txt"}},{"id":"B","name":"read","args":{"filePath":"b.txt"}}],"fault":{"quirks":["%[1]s"]}},
				 {"expect":["alpha","beta"],"text":"They say alpha and beta.","fault":{"quirks":["%[1]s"]}}]}`, strings.ReplaceAll(quirk, "+", `","`))
				dir := t.TempDir()
				for name, text := range map[string]string{"a.txt": "alpha\n", "b.txt": "beta\n"} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				sc, err := scripted.Parse([]byte(script))
				if err != nil {
					t.Fatal(err)
				}
				s := serve.New(sc)
				url, stop := serve.Start(s)
				defer stop()
				cmd := exec.Command("zuno", "run", "-C", dir, "--model", model, "what do they say?")
				cmd.Env = zunoEnv(t, url)
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); err != nil || stdout.String() != "They say alpha and beta.\n" {
					t.Errorf("%v: %q\n%s\n%v", err, stdout.String(), stderr.String(), s.Violations())
				}
				if strings.Count(stderr.String(), "ok        read") != 2 || len(s.Violations()) > 0 {
					t.Errorf("%s\n%v", stderr.String(), s.Violations())
				}
				if r := s.Requests(); len(r) != 2 || !inOrder(string(r[1].Body), "a.txt", "b.txt", "alpha", "beta") {
					t.Errorf("%d requests; calls and results are not in order", len(r))
				}
			})
		}
	}
}

// inOrder reports whether each of words comes after the one before it.
func inOrder(text string, words ...string) bool {
	for _, w := range words {
		_, rest, found := strings.Cut(text, w)
		if !found {
			return false
		}
		text = rest
	}
	return true
}
