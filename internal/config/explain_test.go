package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryKeyIsExplained(t *testing.T) {
	c := Default()
	for _, k := range Keys() {
		e, err := c.Explain(k)
		if err != nil || e.Row != k || e.Meaning == "" || e.Project == "" || !e.Supported {
			t.Errorf("%s: %+v, %v", k, e, err)
		}
	}
}

func TestKeysWithNamesOfOnesOwnAreFound(t *testing.T) {
	c := Default()
	for name, row := range map[string]string{
		"provider.ollama.baseURL":                  "provider.ID.baseURL",
		"provider.a.models.gpt-6.2-sol.context":    "provider.ID.models.MODEL.context",
		"permission.rules.shell.git push *":        "permission.rules.TOOL.PATTERN",
		"permission.rules.shell.git.x":             "permission.rules.TOOL.PATTERN",
		"permission.rules.shell.git push *.action": "permission.rules.TOOL.PATTERN.action",
		"tools.bg": "tools.NAME",
		"sandbox":  "sandbox",
	} {
		if e, err := c.Explain(name); err != nil || e.Row != row {
			t.Errorf("%s is %q, %v; want %q", name, e.Row, err, row)
		}
	}
	for name, guess := range map[string]string{"modle": `"model"`, "policy": `"approval.policy"`, "\x1b[2J": "", "": ""} {
		_, err := c.Explain(name)
		if err == nil || !strings.Contains(err.Error(), guess) || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSettingsSayWhereAndNoSecret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "zuno.json")
	text := "{\n  \"model\": \"a/b\",\n  \"provider\": {\"a\": {\"headers\": {\"X-Key\": \"sekret-1\"}}},\n  \"mcp\": {\"m\": {\"command\": [\"x\"], \"environment\": {\"K\": \"sekret-2\"}}}\n}"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := Load(Input{Home: t.TempDir(), Dir: t.TempDir(), File: file})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range c.Settings() {
		all.WriteString(s.Path + " = " + s.Value + " " + s.Place.String() + "\n")
	}
	if got := all.String(); strings.Contains(got, "sekret") || !strings.Contains(got, `model = "a/b" `+file+":2:12") || !strings.Contains(got, "mcp.m.environment.K = (not shown)") {
		t.Errorf("settings:\n%s", got)
	}
}
