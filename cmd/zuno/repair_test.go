//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/headless"
)

// The job that is done on every road: a real module with a planted bug, found
// by its own test.
const (
	repairModule = "github.com/google/uuid"
	repairFile   = "uuid.go"
	repairSound  = "hex.Encode(dst[9:13], uuid[4:6])"
	repairBroken = "hex.Encode(dst[9:13], uuid[6:8])"
	repairTest   = "go test -vet=off -run 'TestCoding|TestConstants' ."
	repairPrompt = "a test of this module fails; find out why and fix it"
	repairAnswer = "The second group was encoded from the wrong bytes; the test passes now."
)

// repairScript is what the scripted model does about it. Each step says what
// the result of the one before must have shown.
const repairScript = `{"key": "` + key + `", "steps": [
 {"think": "The test comes first.", "text": "I run the test.", "calls": [{"id": "t1", "name": "shell", "args": {"command": "` + repairTest + `"}}]},
 {"expect": ["--- FAIL: TestCoding"], "calls": [
   {"id": "g1", "name": "grep", "args": {"pattern": "func encodeHex", "include": "*.go"}},
   {"id": "r1", "name": "read", "args": {"filePath": "uuid.go", "offset": 255, "limit": 20}}]},
 {"expect": ["dst[9:13], uuid[6:8]"], "think": "Bytes 4 and 5 belong there.", "calls": [{"id": "p1", "name": "apply_patch", "args": {"patchText": "*** Begin Patch\n*** Update File: uuid.go\n@@ func encodeHex(dst []byte, uuid UUID) {\n \tdst[8] = '-'\n-\thex.Encode(dst[9:13], uuid[6:8])\n+\thex.Encode(dst[9:13], uuid[4:6])\n \tdst[13] = '-'\n*** End Patch"}}]},
 {"calls": [{"id": "t2", "name": "shell", "args": {"command": "` + repairTest + `"}}]},
 {"expect": ["ok  \tgithub.com/google/uuid"], "text": "` + repairAnswer + `"}
]}`

// brokenModule copies the module out of the module cache and plants the bug.
func brokenModule(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", repairModule).Output()
	if err != nil {
		t.Fatal(err)
	}
	from, to := strings.TrimSpace(string(out)), t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %q: %v", from, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // a directory
		}
		if filepath.Base(f) == repairFile {
			if !bytes.Contains(b, []byte(repairSound)) {
				t.Fatalf("%s has no %q", f, repairSound)
			}
			b = bytes.Replace(b, []byte(repairSound), []byte(repairBroken), 1)
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(f)), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// sound fails the test unless the planted bug is gone.
func sound(t *testing.T, dir string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, repairFile))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(repairSound)) || bytes.Contains(b, []byte(repairBroken)) {
		t.Error("the bug is still there")
	}
}

func TestARealModuleIsRepairedOverEachWire(t *testing.T) {
	for _, model := range []string{"anthropic/claude-sonnet-5-5", "openai/gpt-6.2-sol", "google/gemini-3.1-pro-preview", "mine/some-model"} {
		t.Run(strings.ReplaceAll(model, "/", "_"), func(t *testing.T) {
			url, dir := play(t, repairScript), brokenModule(t)
			cmd := exec.Command("zuno", "run", "-C", dir, "--model", model, "--approval-policy", "high-risk", "--output-format", "json", repairPrompt)
			cmd.Env = zunoEnv(t, url)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s\n%s", err, stdout.String(), stderr.String())
			}
			sound(t, dir)
			var r headless.Result
			if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r.Text != repairAnswer || r.Status != "done" || len(r.Tools) != 5 {
				t.Errorf("%+v", r)
			}
			if c := r.Tools[3].Changes; len(c) != 1 || c[0].Path != repairFile || c[0].Added != 1 || c[0].Removed != 1 {
				t.Errorf("changes %+v", c)
			}
			if strings.Contains(stdout.String()+stderr.String(), key) {
				t.Error("the key is printed")
			}
		})
	}
}
