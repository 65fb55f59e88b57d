//go:build unix

package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestAMistakeInAServerOfTheUserHasAPlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcp": {"x": {"type": "local"}}}`:                                                        `~/.config/zuno/zuno.json:1:15: mcp.x is local and has no command`,
		`{"mcp": {"x": {"type": "remote", "command": ["a"]}}}`:                                     `~/.config/zuno/zuno.json:1:15: mcp.x is remote and has no url`,
		`{"mcp": {"x": {"command": ["a"], "url": "http://a/"}}}`:                                   `~/.config/zuno/zuno.json:1:15: mcp.x has a command and a url: keep one of them`,
		`{"mcp": {"x": {"url": "ftp://a/"}}}`:                                                      `~/.config/zuno/zuno.json:1:15: mcp.x has a url that must be an http or https address`,
		`{"mcp": {"x": {"url": "http://a:b@c/"}}}`:                                                 `~/.config/zuno/zuno.json:1:15: mcp.x has a url that must not hold a password: name the key's variable in headers`,
		`{"mcp": {"x": {"comand": ["a"]}}}`:                                                        `~/.config/zuno/zuno.json:1:16: unknown key "comand" (did you mean "command"?)`,
		`{"mcp": {"x": {"command": "a b"}}}`:                                                       `~/.config/zuno/zuno.json:1:27: mcp.x.command must be a list of strings, not a string`,
		`{"mcp": {"a b": {}}}`:                                                                     `~/.config/zuno/zuno.json:1:10: "a b" is not the name of a server (up to 64 letters, digits, . _ - / @)`,
		`{"mcp": {"x": {"command": ["a"], "oauth": {"scope": "a"}}}}`:                              `~/.config/zuno/zuno.json:1:15: mcp.x has oauth, which is for a remote server`,
		`{"mcp": {"x": {"url": "http://a/", "oauth": {"clientSecret": "a"}}}}`:                     `~/.config/zuno/zuno.json:1:15: mcp.x has a clientSecret without a clientId`,
		`{"mcp": {"x": {"url": "http://a/", "oauth": {"redirectUri": "http://evil.example/cb"}}}}`: `~/.config/zuno/zuno.json:1:61: mcp.x.oauth.redirectUri must be an http address of this machine, such as http://127.0.0.1:19876/callback`,
		`{"mcp": {"x": {"command": ["a"], "environment": {"A-B": ""}}}}`:                           `~/.config/zuno/zuno.json:1:50: "A-B" must be the name of an environment variable (letters, digits, _)`,
	} {
		b := newBench(t)
		b.write(user, text)
		if got := b.fails(); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestTheSharedFormatIsRead(t *testing.T) {
	b := newBench(t)
	b.write("work/.mcp.json", `{"mcpServers": {
		"fs": {"args": ["-y", "server"], "command": "npx", "env": {"KEY": "${KEY:-none}"}},
		"web": {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${T}"}, "timeout": 9,
			"oauth": {"clientId": "me", "clientSecret": "${S}", "scopes": ["a", "b"], "callbackPort": 9, "redirectUri": "http://localhost:9/cb", "other": 1}},
		"old": {"type": "sse", "url": "${BASE}/sse", "disabled": true, "alwaysAllow": ["x"]},
		"team.db/prod": {"type": "stdio", "command": "db", "cwd": "sub", "headersHelper": "x"}
	}}`)
	got, notices := LoadMCP(b.input().Dir)
	off := false
	want := map[string]MCPServer{
		"fs":           {Type: "local", Command: []string{"npx", "-y", "server"}, Env: map[string]string{"KEY": "${KEY:-none}"}},
		"web":          {Type: "remote", URL: "https://example.org/mcp", Headers: map[string]string{"Authorization": "Bearer ${T}"}, CallTimeout: 9, OAuth: MCPLogin{"me", "${S}", "a b", "http://localhost:9/cb", 9}},
		"old":          {Type: "sse", URL: "${BASE}/sse", Enabled: &off},
		"team.db/prod": {Type: "local", Command: []string{"db"}, Dir: "sub"},
	}
	for name, s := range got {
		if s.Place.Line == 0 {
			t.Errorf("%s has no place", name)
		}
		s.Place = Place{}
		got[name] = s
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if len(notices) != 2 || b.short(notices[0].String()) != "~/work/.mcp.json:4:137: oauth.other has no effect" ||
		b.short(notices[1].String()) != "~/work/.mcp.json:6:68: headersHelper is not supported by this version and has no effect" {
		t.Errorf("notices: %v", notices)
	}
}

func TestAMistakeInTheSharedFormatLeavesTheEntryOut(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers": {"x": {"command": "a", "cmd": "b"}}}`:                   `1:39: unknown key "cmd" (did you mean "cwd"?); 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {"command": ["a"]}}}`:                             `1:34: command must be a string, not a list; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {"command": "a", "args": "b"}}}`:                  `1:47: args must be a list of strings, not a string; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {"command": "a", "env": {"A": 5}}}}`:              `1:52: env.A must be a string, not 5; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {"type": "carrier-pigeon", "url": "b"}}}`:         `1:31: type must be stdio, http or sse, not "carrier-pigeon"; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {}}}`:                                             `1:17: server "x" has neither a command nor a url; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {"command": "a", "disabled": "no"}}}`:             `1:51: disabled must be true or false, not a string; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": {"url": "http://a/", "oauth": {"clientId": 1}}}}`: `1:65: oauth.clientId must be a string, not 1; 1:17: server "x" is left out`,
		`{"mcpServers": {"x": 1}}`:                                              `1:22: server "x" must be an object, not 1; 1:17: server "x" is left out`,
		`{"mcpServers": []}`:                                                    `1:16: mcpServers must be an object, not a list`,
		`{"servers": {}}`:                                                       `1:2: unknown key "servers": it has no effect`,
		`[]`:                                                                    `1:1: the file must be an object, not a list`,
		`{`:                                                                     `1:2: the file is not read: the file ends early`,
		``:                                                                      `1:1: the file is not read: the file is empty: write {} for no settings`,
	} {
		b := newBench(t)
		b.write("work/.mcp.json", text)
		found, notices := LoadMCP(b.input().Dir)
		var got []string
		for _, n := range notices {
			got = append(got, fmt.Sprintf("%d:%d: %s", n.Place.Line, n.Place.Column, n.Text))
		}
		if s := strings.Join(got, "; "); s != want || len(found) > 0 {
			t.Errorf("%s\ngot  %s (%v)\nwant %s", text, s, found, want)
		}
	}
}

func TestTheConfigurationIsAboveTheSharedFormat(t *testing.T) {
	off := false
	project := map[string]MCPServer{"a": {Type: "local", Command: []string{"a"}}, "b": {Type: "local", Command: []string{"b"}, Except: []string{"x"}}}
	own := map[string]MCPServer{
		"a": {Type: "local", Command: []string{"mine"}}, "b": {Enabled: &off, Timeout: 3, CallTimeout: 4, Only: []string{"z"}, Except: []string{"y"}}, "c": {Enabled: &off},
	}
	all, projects := MergeMCP(own, project)
	want := map[string]MCPServer{
		"a": own["a"], "b": {Type: "local", Command: []string{"b"}, Enabled: &off, Timeout: 3, CallTimeout: 4, Only: []string{"z"}, Except: []string{"x", "y"}},
	}
	if !reflect.DeepEqual(all, want) || !reflect.DeepEqual(projects, []string{"b"}) || !all["b"].Off() || all["a"].Off() {
		t.Errorf("got %+v, projects %v", all, projects)
	}
}

func FuzzLoadMCP(f *testing.F) {
	f.Add(`{"mcpServers": {"x": {"command": "a", "args": ["b"], "env": {"A": "b"}}}}`)
	f.Add(`{"mcpServers": {"x": {"type": "http", "url": "http://a/", "headers": {"A": "b"}, "timeout": 5}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		b := newBench(t)
		b.write("work/.mcp.json", text)
		found, _ := LoadMCP(b.input().Dir)
		for name, s := range found {
			if serverName(name) != "" || s.settle() != "" || s.Type == "" {
				t.Errorf("%q: %+v", name, s)
			}
		}
	})
}
