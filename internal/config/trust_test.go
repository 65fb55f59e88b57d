//go:build unix

package config

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// all trusts every file of a project.
func all(string, string) bool { return true }

func TestATrustedProjectsSettingsAreInForce(t *testing.T) {
	for _, tt := range []struct {
		name, user, project string
		beyond              string // what of it needs trust
		notice              string // what stays ignored when it is trusted
		in                  func(c *Config) bool
	}{
		{"a looser policy", `{"approval": {"policy": "strict"}}`, `{"approval": {"policy": "high-risk"}}`, "approval.policy", "", func(c *Config) bool { return c.Policy == "high-risk" }},
		{
			"yolo stays the user's", `{}`, `{"approval": {"policy": "yolo"}}`, "",
			"~/work/zuno.json:1:25: approval.policy is ignored: a project may not set it to yolo",
			func(c *Config) bool { return c.Policy == "low-risk" },
		},
		{"rules that allow", `{}`, `{"permission": {"rules": {"shell": {"go": "allow", "go.x": "allow", "rm *": "deny"}}}}`, "permission.rules.shell.go permission.rules.shell.go.x", "", func(c *Config) bool { return len(c.Rules) == 3 }},
		{"models", `{}`, `{"model": "a/b", "small_model": "a/s"}`, "model small_model", "", func(c *Config) bool { return c.Model == "a/b" && c.SmallModel == "a/s" }},
		{"a tool", `{}`, `{"tools": {"edit": true, "bg": false}}`, "tools.edit", "", func(c *Config) bool { return c.Tools["edit"] }},
		{
			"agents", `{}`, `{"agents": {"review": {"prompt": "p", "policy": "high-risk"}, "bare": {}}, "default_agent": "review"}`,
			"agents.review.prompt agents.review.policy agents.bare default_agent", "",
			func(c *Config) bool {
				return c.Agents["review"].Policy == "high-risk" && c.DefaultAgent == "review" && len(c.Agents) == 2
			},
		},
		{
			"an agent without a policy of its own", `{}`, `{"agents": {"build": {"policy": "yolo", "mode": "all"}}}`, "agents.build.mode",
			"~/work/zuno.json:1:33: agents.build.policy is ignored: a project may not set it to yolo",
			func(c *Config) bool { return reflect.DeepEqual(c.Agents["build"], Agent{Mode: "all"}) },
		},
		{
			"what follows a change of files", `{}`, `{"formatter": {"go": {"command": ["gofmt", "-w", "$FILE"]}}, "check": {"t": {"command": ["make"], "extensions": [".go"]}}}`,
			"formatter.go.command check.t.command check.t.extensions", "",
			func(c *Config) bool { return c.Formatters["go"].Command[0] == "gofmt" && len(c.Checks) == 1 },
		},
		{"more at once, more output, more attempts", `{}`, `{"concurrency": {"lsp_requests": 9}, "tool_output": {"max_lines": 9000}, "retry": {"max_attempts": 9}}`, "concurrency.lsp_requests tool_output.max_lines retry.max_attempts", "", func(c *Config) bool {
			return c.Concurrency.LSPRequests == 9 && c.ToolOutput.MaxLines == 9000 && c.Retry.MaxAttempts == 9
		}},
		{
			"a network, and no way out of the sandbox", `{"sandbox": {"mode": "read-only"}}`, `{"sandbox": {"mode": "off", "network": true}}`, "sandbox.network",
			"~/work/zuno.json:1:22: sandbox.mode is ignored: a project may not set it to off",
			func(c *Config) bool { return c.Sandbox == Sandbox{"read-only", true} },
		},
		{"a wider sandbox", `{"sandbox": {"mode": "read-only"}}`, `{"sandbox": {"mode": "workspace-write"}}`, "sandbox.mode", "", func(c *Config) bool { return c.Sandbox.Mode == "workspace-write" }},
		{
			"endpoints, keys, secrets and denylist rows stay the user's", `{}`,
			`{"provider": {"openai": {"baseURL": "http://127.0.0.1:9/", "apiKeyEnv": "X", "headers": {"a": "b"}, "models": {"m": {"tools": false}}}}, "envAllowlist": ["A_TOKEN"], "permission": {"lift": ["inline.language"]}}`, "",
			"~/work/zuno.json:1:2: provider is ignored: a project may not set it\n" +
				"~/work/zuno.json:1:138: envAllowlist is ignored: a project may not set it\n" +
				"~/work/zuno.json:1:190: permission.lift is ignored: a project may not set it",
			func(c *Config) bool { return len(c.Providers)+len(c.EnvAllowlist)+len(c.Lift) == 0 },
		},
		{
			"what nothing acts on is not asked about", `{}`, `{"sandbox": {"backend": "touch OUT"}, "agents": {"a": {"variant": {"shell": "deny"}}}}`, "agents.a",
			"~/work/zuno.json:1:25: sandbox.backend is not supported by this version and has no effect\n" +
				"~/work/zuno.json:1:67: agents.a.variant: models have no variants in this version: name the model and its reasoning",
			func(c *Config) bool { return true },
		},
		{"what only tightens needs no trust", `{}`, `{"$schema": "x", "approval": {"policy": "strict"}, "permission": {"rules": {"shell": "ask"}}, "tools": {"bg": false}, "sandbox": {"network": false}}`, "", "", func(c *Config) bool { return c.Policy == "strict" && len(c.Rules) == 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.write(user, tt.user)
			path := b.write(project, tt.project)
			asked := 0
			b.trust = func(p, text string) bool {
				asked++
				return p == path && text == tt.project
			}
			c, notices := b.load()
			f := c.Files[1]
			if got := strings.Join(f.Beyond, " "); got != tt.beyond {
				t.Errorf("beyond tightening: %s, want %s", got, tt.beyond)
			}
			if needs := tt.beyond != ""; f.Trusted != needs || (asked == 1) != needs || !f.Project || needs && f.Text != tt.project {
				t.Errorf("asked %d times: %+v", asked, f)
			}
			if got := strings.Join(notices, "\n"); got != tt.notice {
				t.Errorf("notices:\n%s\nwant:\n%s", got, tt.notice)
			}
			if !tt.in(c) {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestAChangedFileIsNotTrusted(t *testing.T) {
	b := newBench(t)
	seen := `{"model": "a/b"}`
	b.trust = func(_, text string) bool { return text == seen }
	b.write(project, seen)
	if c, notices := b.load(); c.Model != "a/b" || len(notices) > 0 {
		t.Fatalf("the trusted text is not in force: %q, %q", c.Model, notices)
	}
	for _, text := range []string{`{"model": "a/c"}`, seen + " ", seen + "\n", "\ufeff" + seen, `{"model": "a/b"/**/}`} {
		b.write(project, text)
		if c, notices := b.load(); c.Model != "" || c.Files[0].Trusted || c.Files[0].Text != text || len(notices) != 1 {
			t.Errorf("%q is in force: %q, %q", text, c.Model, notices)
		}
	}
}

func TestEachFileOfAProjectIsTrustedByItself(t *testing.T) {
	b := newBench(t)
	b.write(project, `{"model": "a/root"}`)
	inner := b.write("work/.zuno/zuno.jsonc", `{"small_model": "a/inner"}`)
	b.trust = func(path, _ string) bool { return path == inner }
	c, notices := b.load()
	if c.Model != "" || c.SmallModel != "a/inner" || len(notices) != 1 {
		t.Errorf("got %q, %q, %q", c.Model, c.SmallModel, notices)
	}
	var trusted []bool
	for _, f := range c.Files {
		trusted = append(trusted, f.Trusted)
	}
	if !slices.Equal(trusted, []bool{false, true}) {
		t.Errorf("trusted: %v", trusted)
	}
}

func TestTheUsersOwnFilesAreNotAskedAbout(t *testing.T) {
	b := newBench(t)
	b.write(user, `{"model": "a/b"}`)
	b.file = b.write(project, `{"small_model": "a/c"}`)
	b.trust = func(path, _ string) bool {
		t.Errorf("asked about %s", path)
		return false
	}
	c, _ := b.load()
	want := []File{{Path: filepath.Join(b.home, user), Trusted: true}, {Path: b.file, Trusted: true}}
	if c.SmallModel != "a/c" || !reflect.DeepEqual(c.Files, want) {
		t.Errorf("got %+v", c.Files)
	}
}

// Trusting a project never gives it these: a new key is the user's until its
// row says otherwise.
func TestWhatStaysTheUsersWhateverIsTrusted(t *testing.T) {
	var got []string
	for i := range table {
		k := &table[i]
		if k.set != nil && k.trusted == "" && k.tightens == nil {
			top, _, _ := strings.Cut(k.path, ".")
			if top == "permission" {
				top = k.path
			}
			if !slices.Contains(got, top) {
				got = append(got, top)
			}
		}
	}
	if want := []string{"provider", "permission.lift", "envAllowlist", "mcp", "webfetch", "web_search", "companions", "skills", "custom_tools", "commands", "ui", "keys", "notifications", "telemetry"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	b := newBench(t)
	b.trust = all
	b.write(project, `{"approval": {"policy": "yolo"}, "sandbox": {"mode": "off"}, "agents": {"a": {"policy": "yolo"}}}`)
	if c, _ := b.load(); c.Policy != "low-risk" || c.Sandbox.Mode != "" || c.Agents["a"].Policy != "" {
		t.Errorf("got %+v", c)
	}
}
