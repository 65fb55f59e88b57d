//go:build unix

package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A bench is a home with a project in it.
type bench struct {
	t             *testing.T
	home, project string
	env           map[string]string
	file          string
	trust         func(path, text string) bool
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, home: filepath.Join(t.TempDir(), "home"), env: map[string]string{}}
	b.project = filepath.Join(b.home, "work")
	b.mkdir(".git")
	return b
}

func (b *bench) mkdir(name string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Join(b.project, name), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// write writes a file below the home and returns its path.
func (b *bench) write(name, text string) string {
	b.t.Helper()
	path := filepath.Join(b.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bench) input() Input {
	return Input{Env: func(n string) string { return b.env[n] }, Home: b.home, Dir: b.project, File: b.file, Trust: b.trust}
}

// load returns the configuration and its notices, with the home written as ~.
func (b *bench) load() (*Config, []string) {
	b.t.Helper()
	c, notices, err := Load(b.input())
	if err != nil {
		b.t.Fatal(err)
	}
	var lines []string
	for _, n := range notices {
		lines = append(lines, b.short(n.String()))
	}
	return c, lines
}

func (b *bench) fails() string {
	b.t.Helper()
	_, _, err := Load(b.input())
	if err == nil {
		b.t.Fatal("no error")
	}
	if strings.Contains(err.Error(), "\n") {
		b.t.Errorf("the error has several lines: %s", err)
	}
	return b.short(err.Error())
}

func (b *bench) short(s string) string { return strings.ReplaceAll(s, b.home, "~") }

const (
	user    = ".config/zuno/zuno.json"
	project = "work/zuno.json"
)

func TestNothingConfiguredIsTheDefaults(t *testing.T) {
	c, notices := newBench(t).load()
	want := Default()
	want.Files = nil
	if !reflect.DeepEqual(c, want) || len(notices) > 0 {
		t.Errorf("got %+v, %v", c, notices)
	}
	if c.Policy != "low-risk" || c.ToolOutput != (ToolOutput{51200, 2000}) || c.Concurrency != (Concurrency{8, 8, 8, 4}) || c.Retry != (Retry{3}) {
		t.Errorf("the defaults are %+v", c)
	}
}

func TestEveryKeyOfTheUserArrives(t *testing.T) {
	b := newBench(t)
	b.write(user, `{
		// comments and trailing commas are fine
		"$schema": "https://example.org/zuno.json",
		"model": "local/meta/llama", "small_model": "anthropic/small",
		"provider": {
			"local": {"api": "openai-compatible", "baseURL": "http://127.0.0.1:8080/v1", "apiKeyEnv": "LOCAL_KEY", "headers": {"X-Team": "a"},
				"models": {"meta/llama": {"context": 8192, "output": 1024, "tools": false, "images": true, "reasoning": true,
					"price": {"input": 1, "output": 2.5, "cache_read": 0.1, "cache_write": 1.25}}, "bare": {}}},
			"anthropic": {}, "mine": {"baseURL": "https://example.org"},
		},
		"approval": {"policy": "strict"},
		"permission": {"rules": {"webfetch": "deny", "shell": {"git push *": "ask", "ls": {"not_match": ["rm x"], "action": "allow", "match": ["ls", "ls -l"]}}, "*": "ask"}},
		"tools": {"edit": true, "bg": false},
		"tool_output": {"max_bytes": 10, "max_lines": 5},
		"concurrency": {"tool_calls": 1, "delegations": 2, "mcp_connections": 3, "lsp_requests": 64},
		"envAllowlist": ["GITHUB_TOKEN"],
		"agents": {"plan": {"description": "d", "mode": "all", "prompt": "p", "tools": [], "model": "a/b", "policy": "read-only",
			"permission": {"rules": {"shell": {"git *": "ask"}, "webfetch": "deny"}}, "delegates": ["explore"], "disable": true, "hidden": true, "reasoning": "low", "steps": 7}},
		"subagent_depth": 3,
		"default_agent": "plan",
		"mcp": {"db": {"command": ["db", "-x"], "environment": {"A": "b"}, "cwd": "/srv", "enabled": false, "timeout": 5, "call_timeout": 6, "enabled_tools": ["q"], "disabled_tools": []},
			"far": {"type": "remote", "url": "https://example.org/mcp", "headers": {"X-A": "${B}"}}},
		"retry": {"max_attempts": 1},
		"skills": {"paths": ["~/s"], "disabled": ["a"]}, "commands": {"paths": ["c"], "disabled": ["b"]},
		"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}], "PreToolUse": [{"matcher": "write", "hooks": [{"type": "command", "command": "b", "timeout": 2.5}, {"type": "command", "command": "c"}]}]},
		"custom_tools": {"deploy": {"description": "d", "command": ["./x"], "schema": {"type": "object", /* so */ }, "effect": "read-only", "replay": "safe", "concurrency": "parallel-safe", "risk": "low-risk", "timeout_ms": 9, "sandbox": false}},
		"sandbox": {"mode": "off"},
		"webfetch": {"allow": ["localhost", "127.0.0.1:8080"]},
		"web_search": {"provider": "searxng", "endpoint": "http://127.0.0.1:8888", "apiKeyEnv": "SEARCH_KEY", "max_results": 5, "max_queries": 2, "timeout_ms": 1000},
		"companions": {"analyze:image": "a/eyes"},
		"lsp": {"go": {"command": ["gopls", "serve"], "extensions": [".go"], "initializationOptions": {"a": [1, /* two */ true,], "b": {"c": "d"}}}},
		"compaction": {"auto": false, "warn_percent": 50, "clear_percent": 40, "threshold_percent": 60, "tail_turns": 3, "model": "a/small"},
		"keys": {"submit": ["enter", "ctrl+x ctrl+s"], "card.up": []},
		"ui": {"theme": "mine", "background": "light", "title": false, "compact": true, "animations": false, "screen_reader": true, "vim": true},
		"notifications": {"when": "always", "method": "bell", "long_turn_seconds": 60},
	}`)
	c, notices := b.load()
	if len(notices) > 0 {
		t.Errorf("notices: %q", notices)
	}
	no := false
	file := filepath.Join(b.home, user)
	want := &Config{
		Model: "local/meta/llama", SmallModel: "anthropic/small", Policy: "strict",
		Providers: map[string]Provider{
			"local": {
				API: "openai-compatible", BaseURL: "http://127.0.0.1:8080/v1", APIKeyEnv: "LOCAL_KEY", Headers: map[string]string{"X-Team": "a"},
				Models: map[string]Model{"meta/llama": {Context: 8192, Output: 1024, Tools: &no, Images: true, Reasoning: true, Price: Price{1, 2.5, 0.1, 1.25}}, "bare": {}},
			},
			"anthropic": {API: "anthropic"},
			"mine":      {API: "openai-compatible", BaseURL: "https://example.org"},
		},
		Rules: []Rule{
			{Tool: "webfetch", Pattern: "*", Action: "deny", Place: Place{file, 12, 28}},
			{Tool: "shell", Pattern: "git push *", Action: "ask", Place: Place{file, 12, 58}},
			{Tool: "shell", Pattern: "ls", Action: "allow", Place: Place{file, 12, 79}, Match: []string{"ls", "ls -l"}, NotMatch: []string{"rm x"}},
			{Tool: "*", Pattern: "*", Action: "ask", Place: Place{file, 12, 156}},
		},
		Tools:        map[string]bool{"edit": true, "bg": false},
		ToolOutput:   ToolOutput{10, 5},
		Concurrency:  Concurrency{1, 2, 3, 64},
		EnvAllowlist: []string{"GITHUB_TOKEN"},
		Agents: map[string]Agent{"plan": {
			Description: "d", Mode: "all", Prompt: "p", Tools: []string{}, Model: "a/b", Policy: "read-only",
			Rules:     []Rule{{Tool: "shell", Pattern: "git *", Action: "ask", Place: Place{file, 18, 48}}, {Tool: "webfetch", Pattern: "*", Action: "deny", Place: Place{file, 18, 56}}},
			Delegates: []string{"explore"}, Disable: true, Hidden: true, Reasoning: "low", Steps: 7,
		}},
		MCP: map[string]MCPServer{
			"db": {
				Type: "local", Command: []string{"db", "-x"}, Env: map[string]string{"A": "b"}, Dir: "/srv", Enabled: &no,
				Timeout: 5, CallTimeout: 6, Only: []string{"q"}, Except: []string{}, Place: Place{file, 21, 17},
			},
			"far": {Type: "remote", URL: "https://example.org/mcp", Headers: map[string]string{"X-A": "${B}"}, Place: Place{file, 22, 11}},
		},
		DefaultAgent: "plan", Depth: 3, Sandbox: Sandbox{Mode: "off"},
		Skills: Found{[]string{"~/s"}, []string{"a"}}, Commands: Found{[]string{"c"}, []string{"b"}},
		Hooks:       []Hook{{"Stop", "", "a", 0, nil, Place{file, 25, 21}}, {"PreToolUse", "write", "b", 2500 * time.Millisecond, nil, Place{file, 25, 87}}, {"PreToolUse", "write", "c", 0, nil, Place{file, 25, 87}}},
		CustomTools: map[string]CustomTool{"deploy": {"d", []string{"./x"}, `{"type":"object"}`, "read-only", "safe", "parallel-safe", "low-risk", 9, true, Place{file, 26, 30}}},
		Webfetch:    Webfetch{Allow: []string{"localhost", "127.0.0.1:8080"}},
		WebSearch:   WebSearch{"searxng", "http://127.0.0.1:8888", "SEARCH_KEY", 5, 2, 1000},
		Retry:       Retry{1}, Compaction: Compaction{Warn: 50, Clear: 40, Threshold: 60, Tail: 3, Model: "a/small"},
		Formatters: map[string]Follower{}, Checks: map[string]Follower{},
		UI: UI{Vim: true, Theme: "mine", Background: "light", Compact: true, ScreenReader: true}, Notifications: Notifications{"always", "bell", 60},
		Keys:       map[string][]string{"submit": {"enter", "ctrl+x ctrl+s"}, "card.up": {}},
		Companions: map[string]string{"analyze:image": "a/eyes"},
		Languages:  map[string]LanguageServer{"go": {[]string{"gopls", "serve"}, []string{".go"}, `{"a":[1,true],"b":{"c":"d"}}`}},
		Files:      []File{{Path: file, Trusted: true}},
	}
	if at := c.Places["provider.local.baseURL"]; at != (Place{file, 6, 53}) {
		t.Errorf("provider.local.baseURL is at %v", at)
	}
	c.Places, c.values, want.values = nil, nil, nil
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestTheFileOfTheCommandLineIsAboveTheUsers(t *testing.T) {
	b := newBench(t)
	b.write(user, `{"model": "a/one", "approval": {"policy": "strict"}, "tools": {"x": true, "y": true},
		"permission": {"rules": {"shell": "allow"}}, "provider": {"a": {"baseURL": "http://h/", "headers": {"A": "1"}}}, "envAllowlist": ["A_KEY"]}`)
	b.write("work/sub/my.json", `{"model": "a/two", "approval": {"policy": "yolo"}, "tools": {"y": false},
		"permission": {"rules": {"shell": "ask"}}, "provider": {"a": {"headers": {"B": "2"}}}, "envAllowlist": ["B_KEY"]}`)
	b.file = "sub/my.json"
	c, notices := b.load()
	if c.Model != "a/two" || c.Policy != "yolo" || !c.Tools["x"] || c.Tools["y"] || len(notices) > 0 {
		t.Errorf("got %+v, %q", c, notices)
	}
	if p := c.Providers["a"]; p.BaseURL != "http://h/" || !reflect.DeepEqual(p.Headers, map[string]string{"A": "1", "B": "2"}) {
		t.Errorf("objects are not merged: %+v", p)
	}
	if !reflect.DeepEqual(c.EnvAllowlist, []string{"B_KEY"}) {
		t.Errorf("lists are not replaced: %v", c.EnvAllowlist)
	}
	if len(c.Rules) != 2 || c.Rules[0].Action != "allow" || c.Rules[1].Action != "ask" {
		t.Errorf("rules are not appended: %v", c.Rules)
	}
}

func TestAProjectMayOnlyTighten(t *testing.T) {
	for _, tt := range []struct{ name, user, project, notice string }{
		{"a stricter policy counts", `{}`, `{"approval": {"policy": "read-only"}}`, ""},
		{"the same policy counts", `{"approval": {"policy": "high-risk"}}`, `{"approval": {"policy": "high-risk"}}`, ""},
		{
			"a looser policy does not", `{"approval": {"policy": "strict"}}`, `{"approval": {"policy": "yolo"}}`,
			"~/work/zuno.json:1:25: approval.policy is ignored: a project may not set it to yolo",
		},
		{
			"a looser policy than the default does not", `{}`, `{"approval": {"policy": "high-risk"}}`,
			"~/work/zuno.json:1:25: approval.policy is ignored: a project that is not trusted may only tighten what is in force",
		},
		{"deny and ask count", `{}`, `{"permission": {"rules": {"shell": "deny", "edit": {"*.lock": "ask", "a": {"action": "deny", "match": ["a"]}}}}}`, ""},
		{
			"allow does not", `{}`, `{"permission": {"rules": {"shell": {"*": "allow"}}}}`,
			"~/work/zuno.json:1:37: permission.rules.shell.* is ignored: a project that is not trusted may only tighten what is in force",
		},
		{
			"allow with examples does not", `{}`, `{"permission": {"rules": {"shell": {"*": {"match": ["ls"], "action": "allow"}}}}}`,
			"~/work/zuno.json:1:37: permission.rules.shell.* is ignored: a project that is not trusted may only tighten what is in force",
		},
		{"a tool can be switched off", `{"tools": {"shell": true}}`, `{"tools": {"shell": false}}`, ""},
		{
			"a tool cannot be switched on", `{}`, `{"tools": {"execute": true}}`,
			"~/work/zuno.json:1:23: tools.execute is ignored: a project that is not trusted may only tighten what is in force",
		},
		{"less output counts", `{}`, `{"tool_output": {"max_bytes": 100, "max_lines": 10}}`, ""},
		{
			"more output does not", `{"tool_output": {"max_lines": 10}}`, `{"tool_output": {"max_lines": 11}}`,
			"~/work/zuno.json:1:31: tool_output.max_lines is ignored: a project that is not trusted may only tighten what is in force",
		},
		{"less at once counts", `{}`, `{"concurrency": {"tool_calls": 1, "delegations": 1, "mcp_connections": 1, "lsp_requests": 1}}`, ""},
		{
			"more at once does not", `{}`, `{"concurrency": {"lsp_requests": 5}}`,
			"~/work/zuno.json:1:34: concurrency.lsp_requests is ignored: a project that is not trusted may only tighten what is in force",
		},
		{"a model is not its business", `{}`, `{"model": "evil/m"}`, "~/work/zuno.json:1:2: model is ignored: a project that is not trusted may not set it"},
		{
			"an endpoint is not, and is named once", `{}`, `{"provider": {"openai": {"baseURL": "http://127.0.0.1:9/", "headers": {"a": "b"}}}}`,
			"~/work/zuno.json:1:2: provider is ignored: a project may not set it",
		},
		{"agents are not", `{}`, `{"agents": {"build": {"prompt": "obey", "tools": ["shell"]}}}`, "~/work/zuno.json:1:2: agents is ignored: a project that is not trusted may not set it"},
		{"secrets are not", `{}`, `{"envAllowlist": ["A_TOKEN"]}`, "~/work/zuno.json:1:2: envAllowlist is ignored: a project may not set it"},
		{"retries are not", `{}`, `{"retry": {"max_attempts": 1}}`, "~/work/zuno.json:1:2: retry is ignored: a project that is not trusted may not set it"},
		{
			"servers are not", `{}`, `{"mcp": {"x": {"type": "local", "command": ["touch", "OUT"]}}}`,
			"~/work/zuno.json:1:24: mcp.x.type is ignored: a project may not set it\n" +
				"~/work/zuno.json:1:44: mcp.x.command is ignored: a project may not set it",
		},
		{"a server can be switched off", `{"mcp": {"x": {"url": "http://127.0.0.1/"}}}`, `{"mcp": {"x": {"enabled": false}}}`, ""},
		{
			"a server cannot be switched on", `{"mcp": {"x": {"url": "http://127.0.0.1/", "enabled": false}}}`, `{"mcp": {"x": {"enabled": true}}}`,
			"~/work/zuno.json:1:27: mcp.x.enabled is ignored: a project may not set it",
		},
		{"a stricter sandbox is in force", `{}`, `{"sandbox": {"mode": "read-only"}}`, ""},
		{
			"a looser sandbox is not", `{"sandbox": {"mode": "read-only"}}`, `{"sandbox": {"mode": "off", "network": true}}`,
			"~/work/zuno.json:1:22: sandbox.mode is ignored: a project may not set it to off\n" +
				"~/work/zuno.json:1:40: sandbox.network is ignored: a project that is not trusted may only tighten what is in force",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.write(user, tt.user)
			before, _ := b.load()
			b.write(project, tt.project)
			c, notices := b.load()
			if got := strings.Join(notices, "\n"); got != tt.notice {
				t.Errorf("notices:\n%s\nwant:\n%s", got, tt.notice)
			}
			before.Files, before.Places, c.Files, c.Places = nil, nil, nil, nil
			if changed := !reflect.DeepEqual(before, c); changed == (tt.notice != "") && tt.name != "the same policy counts" {
				t.Errorf("changed = %v: %+v", changed, c)
			}
		})
	}
}

func TestAProjectsRulesComeLast(t *testing.T) {
	b := newBench(t)
	b.write(user, `{"permission": {"rules": {"shell": "allow"}}}`)
	b.write(project, `{"permission": {"rules": {"shell": "ask"}}}`)
	b.write("work/.zuno/zuno.jsonc", `{"permission": {"rules": {"shell": "deny"}}}`)
	c, _ := b.load()
	var got []string
	for _, r := range c.Rules {
		got = append(got, r.Action)
	}
	if strings.Join(got, " ") != "allow ask deny" {
		t.Errorf("got %v", got)
	}
	if len(c.Files) != 3 || !c.Files[0].Trusted || c.Files[1].Trusted || c.Files[2].Trusted {
		t.Errorf("files: %+v", c.Files)
	}
}

func TestAProjectsFileThatTheUserNamesIsTrusted(t *testing.T) {
	b := newBench(t)
	b.file = b.write(project, `{"model": "a/b"}`)
	if c, notices := b.load(); c.Model != "a/b" || len(notices) > 0 || len(c.Files) != 1 {
		t.Errorf("got %+v, %q", c, notices)
	}
}

func TestASubfolderUsesTheFileOfTheRoot(t *testing.T) {
	b := newBench(t)
	b.mkdir("a/b")
	b.write(project, `{"approval": {"policy": "strict"}}`)
	b.write("work/a/b/zuno.json", `{"approval": {"policy": "nonsense"}}`)
	in := b.input()
	in.Dir = filepath.Join(b.project, "a/b")
	c, _, err := Load(in)
	if err != nil || c.Policy != "strict" {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestNoEnvironmentFileIsRead(t *testing.T) {
	b := newBench(t)
	b.write("work/.env", "ZUNO_HOME=./.zuno\nXDG_CONFIG_HOME=./x\n")
	b.write("work/.zuno/config/zuno.json", `{"model": "evil/m"}`)
	b.write("work/x/zuno/zuno.json", `{"model": "evil/m"}`)
	if c, _ := b.load(); c.Model != "" {
		t.Errorf("the model is %q", c.Model)
	}
}

func TestFilesThatCannotBeReadAreOneLine(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(b *bench)
		want string
	}{
		{
			"both spellings", func(b *bench) { b.write(user, `{}`); b.write(user+"c", `{}`) },
			"read configuration: ~/.config/zuno/zuno.json and ~/.config/zuno/zuno.jsonc both exist: keep one of them",
		},
		{
			"both spellings in .zuno", func(b *bench) { b.write("work/.zuno/zuno.json", `{}`); b.write("work/.zuno/zuno.jsonc", `{}`) },
			"read configuration: ~/work/.zuno/zuno.json and ~/work/.zuno/zuno.jsonc both exist: keep one of them",
		},
		{"a named file that is missing", func(b *bench) { b.file = "none.json" }, "read configuration ~/work/none.json: no such file or directory"},
		{"a folder", func(b *bench) { b.mkdir("zuno.json") }, "read configuration ~/work/zuno.json: it is a folder"},
		{"a pipe", func(b *bench) {
			if err := syscall.Mkfifo(filepath.Join(b.project, "zuno.jsonc"), 0o600); err != nil {
				b.t.Skip(err)
			}
		}, "read configuration ~/work/zuno.jsonc: it is not a regular file"},
		{"a device", func(b *bench) { b.link("/dev/zero") }, "read configuration ~/work/zuno.json: it is not a regular file"},
		{"a dangling link", func(b *bench) { b.link("nowhere") }, "read configuration ~/work/zuno.json: no such file or directory"},
		{"a loop of links", func(b *bench) { b.link("zuno.json") }, "read configuration ~/work/zuno.json: too many levels of symbolic links"},
		{"a huge file", func(b *bench) { b.write(project, strings.Repeat(" ", maxFile+1)) }, "read configuration ~/work/zuno.json: it has more than 1024 KiB"},
		{"no permission", func(b *bench) {
			path := b.write(project, `{}`)
			if os.Geteuid() == 0 {
				b.t.Skip("root may read everything")
			}
			if err := os.Chmod(path, 0); err != nil {
				b.t.Fatal(err)
			}
		}, "read configuration ~/work/zuno.json: permission denied"},
		{"a newline in its name", func(b *bench) { b.file = "a\nb" }, `read configuration ~/work/a\nb: no such file or directory`},
		{"no home", func(b *bench) { b.home = "" }, "find zuno's folders: there is no home folder: set HOME or ZUNO_HOME"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			tt.make(b)
			if b.home == "" {
				if _, _, err := Load(b.input()); err == nil || err.Error() != tt.want {
					t.Errorf("got %v", err)
				}
				return
			}
			if got := b.fails(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func (b *bench) link(to string) {
	b.t.Helper()
	if err := os.Symlink(to, filepath.Join(b.project, "zuno.json")); err != nil {
		b.t.Skip(err)
	}
}

func TestAFileInThePlaceOfTheProjectsFolderIsNotAnError(t *testing.T) {
	b := newBench(t)
	b.write("work/.zuno", "")
	b.load()
}

func TestPaths(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		home string
		want Paths
	}{
		{"usual", nil, "/h", Paths{"/h/.config/zuno", "/h/.local/share/zuno", "/h/.cache/zuno", "/h/.local/state/zuno"}},
		{
			"xdg",
			map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/k", "XDG_STATE_HOME": "/s"},
			"",
			Paths{"/c/zuno", "/d/zuno", "/k/zuno", "/s/zuno"},
		},
		{"a relative xdg value is ignored", map[string]string{"XDG_CONFIG_HOME": "c"}, "/h", Paths{"/h/.config/zuno", "/h/.local/share/zuno", "/h/.cache/zuno", "/h/.local/state/zuno"}},
		{"zuno's own", map[string]string{"ZUNO_HOME": "/z", "XDG_CONFIG_HOME": "/c"}, "", Paths{"/z/config", "/z/data", "/z/cache", "/z/state"}},
		{"zuno's own, relative", map[string]string{"ZUNO_HOME": "z"}, "/h", Paths{"/w/z/config", "/w/z/data", "/w/z/cache", "/w/z/state"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Input{Env: func(n string) string { return tt.env[n] }, Home: tt.home, Dir: "/w"}.Paths()
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestRootIsTheNearestFolderWithGit(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"repo/.git", "repo/a/b", "repo/nested/x", "plain/a"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "repo/nested/.git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"repo": "repo", "repo/a/b": "repo", "repo/nested/x": "repo/nested", "plain/a": "plain/a"} {
		if got := Root(filepath.Join(top, dir)); got != filepath.Join(top, want) {
			t.Errorf("Root(%s) = %s", dir, got)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	home := b.TempDir()
	dir := filepath.Join(home, ".config/zuno")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	text := `{"model": "a/b", "provider": {"a": {"baseURL": "http://127.0.0.1:1", "models": {"b": {"context": 1000, "output": 10}}}},
		"permission": {"rules": {"shell": {"git push *": "ask", "rm *": "deny"}, "webfetch": "ask"}}, "tools": {"edit": true}}`
	if err := os.WriteFile(filepath.Join(dir, "zuno.json"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := Load(Input{Home: home, Dir: home}); err != nil {
			b.Fatal(err)
		}
	}
}

// A relative home would be another one in every folder.
func TestAHomeThatIsNotAbsoluteIsRefused(t *testing.T) {
	env := map[string]string{}
	in := Input{Env: func(n string) string { return env[n] }, Home: "here", Dir: "/w"}
	if _, err := in.Paths(); err == nil || !strings.Contains(err.Error(), `HOME is "here", which is not an absolute path`) {
		t.Error(err)
	}
	env["ZUNO_HOME"] = "/z"
	if p, err := in.Paths(); err != nil || p.Data != "/z/data" {
		t.Errorf("%+v, %v", p, err)
	}
}
