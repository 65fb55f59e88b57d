//go:build unix

package config

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// mistake returns what decoding and applying a trusted file complains about.
func mistake(text string) string {
	settings, err := decode(newSource("z", []byte(text)))
	if err == nil {
		l := loader{config: Default()}
		err = l.apply(settings, File{Trusted: true})
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestEveryMistakeHasAPlaceAndAWayOut(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// malformed
		{"", "z:1:1: the file is empty: write {} for no settings"},
		{" \n ", "z:1:1: the file is empty: write {} for no settings"},
		{"{\n  \"model\": \"a/b\"", "z:2:17: the file ends early"},
		{"{\n  \"model\" \"a/b\"}", "z:2:11: invalid character '\"' after object name"},
		{"{'a': 1}", `z:1:2: invalid character '\'' at start of value`},
		{"{} x", "z:1:4: invalid character 'x' after top-level value"},
		{`{"model": tru}`, "z:1:11: this is no JSON value: strings stand in double quotes"},
		{"{\"model\": \"a\nb\"}", "z:1:11: the string has a line break, a control character or an unknown escape"},
		{"{\"a\": \"\xff\"}", "z:1:8: the text is not valid UTF-8"},
		{"/* open", "z:1:1: the file ends early"},
		{strings.Repeat("[", maxNodes+1), "z:1:1: the file has more than 10000 objects and lists"},
		{`[1]`, "z:1:1: the file must be an object, not a list"},
		{`null`, "z:1:1: the file must be an object, not null"},
		// unknown keys
		{`{"modle": "a/b"}`, `z:1:2: unknown key "modle" (did you mean "model"?)`},
		{`{"Model": "a/b"}`, `z:1:2: unknown key "Model" (did you mean "model"?)`},
		{`{"providers": {}}`, `z:1:2: unknown key "providers" (did you mean "provider"?)`},
		{`{"env_allowlist": []}`, `z:1:2: unknown key "env_allowlist" (did you mean "envAllowlist"?)`},
		{`{"mcpServers": {}}`, `z:1:2: unknown key "mcpServers"`},
		{`{"policy": "strict"}`, `z:1:2: unknown key "policy" (did you mean "approval.policy"?)`},
		{`{"rules": {}}`, `z:1:2: unknown key "rules" (did you mean "permission.rules"?)`},
		{`{"approval.policy": "strict"}`, `z:1:2: unknown key "approval.policy" (nest the objects: its dots are levels)`},
		{`{"provider.*": {}}`, `z:1:2: unknown key "provider.*" (nest the objects: its dots are levels)`},
		{`{"*": {}}`, `z:1:2: unknown key "*"`},
		{`{"": 1}`, `z:1:2: unknown key ""`},
		{"{\n  \"provider\": {\n    \"x\": {\"base_url\": \"http://h\"}\n  }\n}", `z:3:11: unknown key "base_url" (did you mean "baseURL"?)`},
		{`{"tool_output": {"max_byte": 1}}`, `z:1:18: unknown key "max_byte" (did you mean "max_bytes"?)`},
		{`{"agents": {"a": {"promtp": ""}}}`, `z:1:19: unknown key "promtp" (did you mean "prompt"?)`},
		{`{"permission": {"mode": "strict"}}`, `z:1:17: unknown key "mode"`},
		{`{"\u001b]0;x\u0007": 1}`, `z:1:2: unknown key "\x1b]0;x\a"`},
		{`{"` + strings.Repeat("k", 100) + `": 1}`, `z:1:2: unknown key "` + strings.Repeat("k", 60) + `…"`},
		{`{"model": "a/b", "model": "a/c"}`, `z:1:18: key "model" is given twice`},
		{`{"permission": {"rules": {"shell": "ask", "shell": "deny"}}}`, `z:1:43: key "shell" is given twice`},
		// wrong types
		{`{"model": 5}`, "z:1:11: model must be a string, not 5"},
		{`{"model": null}`, "z:1:11: model must be a string, not null"},
		{`{"model": {}}`, "z:1:11: model must be a string, not an object"},
		{`{"provider": []}`, "z:1:14: provider must be an object, not a list"},
		{`{"provider": {"x": "http://h"}}`, "z:1:20: provider.x must be an object, not a string"},
		{`{"tools": {"shell": "off"}}`, "z:1:21: tools.shell must be true or false, not a string"},
		{`{"envAllowlist": "A"}`, "z:1:18: envAllowlist must be a list of strings, not a string"},
		{`{"envAllowlist": ["A", 1]}`, "z:1:24: envAllowlist must be a list of strings, not of 1"},
		{`{"permission": {"rules": []}}`, "z:1:26: permission.rules must be an object, not a list"},
		{`{"concurrency": {"tool_calls": "8"}}`, "z:1:32: concurrency.tool_calls must be a whole number from 1 to 64, not a string"},
		{`{"concurrency": {"tool_calls": 1.5}}`, "z:1:32: concurrency.tool_calls must be a whole number from 1 to 64, not 1.5"},
		// wrong values
		{`{"concurrency": {"tool_calls": 0}}`, "z:1:32: concurrency.tool_calls must be a whole number from 1 to 64, not 0"},
		{`{"concurrency": {"lsp_requests": 65}}`, "z:1:34: concurrency.lsp_requests must be a whole number from 1 to 64, not 65"},
		{`{"concurrency": {"delegations": 99999999999999999999}}`, "z:1:33: concurrency.delegations must be a whole number from 1 to 64, not 99999999999999999999"},
		{`{"tool_output": {"max_lines": -1}}`, "z:1:31: tool_output.max_lines must be a whole number from 1 to 1000000, not -1"},
		{`{"approval": {"policy": "lowrisk"}}`, `z:1:25: approval.policy must be one of strict, read-only, low-risk, high-risk, yolo, not "lowrisk" (did you mean "low-risk"?)`},
		{`{"approval": {"policy": ""}}`, `z:1:25: approval.policy must be one of strict, read-only, low-risk, high-risk, yolo, not ""`},
		{`{"provider": {"x": {"api": "bedrock"}}}`, `z:1:28: provider.x.api must be one of anthropic, openai, openai-compatible, google, not "bedrock"`},
		{`{"provider": {"a b": {}}}`, `z:1:15: "a b" is not a provider id (letters, digits, . _ -)`},
		{`{"provider": {"x": {"models": {"": {}}}}}`, `z:1:32: "" is not a model id`},
		{`{"provider": {"x": {"models": {"m": {"price": {"input": -1}}}}}}`, "z:1:57: provider.x.models.m.price.input must be a number that is not negative, not -1"},
		{`{"provider": {"x": {"baseURL": "ftp://h"}}}`, "z:1:32: provider.x.baseURL must be an http or https address"},
		{`{"provider": {"x": {"baseURL": "/v1"}}}`, "z:1:32: provider.x.baseURL must be an http or https address"},
		{`{"provider": {"x": {"baseURL": "https://me:pw@h"}}}`, "z:1:32: provider.x.baseURL must not hold a password: name the key's variable in apiKeyEnv"},
		{`{"provider": {"x": {"apiKeyEnv": "sk-secret"}}}`, "z:1:34: provider.x.apiKeyEnv must be the name of an environment variable (letters, digits, _)"},
		{`{"provider": {"x": {"headers": {"a b": ""}}}}`, `z:1:33: "a b" is not the name of a header`},
		{`{"provider": {"x": {"headers": {"a": "b\r\nc: d"}}}}`, `z:1:38: provider.x.headers.a must be one line of text`},
		{`{"model": "sonnet"}`, `z:1:11: model must be PROVIDER/MODEL, not "sonnet"`},
		{`{"small_model": "a/"}`, `z:1:17: small_model must be PROVIDER/MODEL, not "a/"`},
		{`{"envAllowlist": ["SSH_AUTH_SOCK"]}`, `z:1:19: envAllowlist: an element cannot have "SSH_AUTH_SOCK": variables named SSH_* are always hidden`},
		{`{"envAllowlist": ["*_TOKEN"]}`, "z:1:19: envAllowlist: an element must be the name of an environment variable (letters, digits, _)"},
		{`{"permission": {"rules": {"shell": "Allow"}}}`, `z:1:36: permission.rules.shell must be one of allow, ask, deny or an object, not "Allow" (did you mean "allow"?)`},
		{`{"permission": {"rules": {"shell": {"ls": true}}}}`, "z:1:43: permission.rules.shell.ls must be one of allow, ask, deny or an object, not true"},
		{`{"permission": {"rules": {"shell": {"ls": ["allow"]}}}}`, "z:1:43: permission.rules.shell.ls must be one of allow, ask, deny or an object, not a list"},
		{`{"permission": {"rules": {"shell": {"ls": {}}}}}`, "z:1:43: permission.rules.shell.ls has no action"},
		{`{"permission": {"rules": {"shell": {"ls": {"match": ["ls"]}}}}}`, "z:1:43: permission.rules.shell.ls has no action"},
		{`{"permission": {"rules": {"shell": {"ls": {"action": "yes"}}}}}`, `z:1:54: permission.rules.shell.ls.action must be one of allow, ask, deny, not "yes"`},
		{`{"permission": {"rules": {"shell": {"ls": {"action": "allow", "match": "ls"}}}}}`, "z:1:72: permission.rules.shell.ls.match must be a list of strings, not a string"},
		{`{"permission": {"rules": {"shell": {"ls": {"action": "allow", "not_match": ["x", " "]}}}}}`, "z:1:82: permission.rules.shell.ls.not_match: an element must not be empty"},
		{`{"permission": {"rules": {"shell": {"ls": {"action": "allow", "notMatch": []}}}}}`, `z:1:63: unknown key "notMatch" (did you mean "not_match"?)`},
		{`{"permission": {"rules": {"shell": {"ls": {"action": "allow", "action": "deny"}}}}}`, `z:1:63: key "action" is given twice`},
		{`{"permission": {"rules": {"shell": {"action": "deny"}}}}`, `z:1:37: "action" stands behind a pattern: write {"*": {"action": …}}`},
		{`{"permission": {"rules": {"shell": {"match": "deny"}}}}`, `z:1:37: "match" stands behind a pattern: write {"*": {"action": …}}`},
		{`{"permission": {"rules": {"shell": {"": "deny"}}}}`, `z:1:37: "" matches nothing`},
		{`{"permission": {"rules": {"web fetch": "deny"}}}`, `z:1:27: "web fetch" is neither a tool's name nor a wildcard`},
		{`{"agents": {"x/y": {}}}`, `z:1:13: "x/y" is not an agent's name (up to 64 letters, digits, _ -)`},
		{`{"agents": {"x": {"mode": "main"}}}`, `z:1:27: agents.x.mode must be one of primary, subagent, all, not "main"`},
		{`{"agents": {"x": {"tools": ["read", "*"]}}}`, "z:1:37: agents.x.tools: an element is not a tool's name (up to 64 letters, digits, _ -)"},
		// what somebody relies on and cannot be had
		{`{"sandbox": {"mode": "strict"}}`, `z:1:22: sandbox.mode must be one of read-only, workspace-write, off, not "strict"`},
		{`{"agents": {"x": {"temperature": {}}}}`, "z:1:34: agents.x.temperature: no temperature is sent by this version: models that reason refuse one"},
		// several
		{`{"modle": 1, "tools": 2, "x": 3}`, `z:1:2: unknown key "modle" (did you mean "model"?) (and 2 more)`},
	} {
		if got := mistake(tt.text); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", clip(tt.text), got, tt.want)
		}
	}
}

func TestACommentMayEndTheFile(t *testing.T) {
	for _, text := range []string{`{"model": "a/b"} // mine`, "{\"model\": \"a/b\"}\n// mine"} {
		if got := mistake(text); got != "" {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := mistake(`{"model": // mine`); got != "z:1:11: the file ends early" {
		t.Errorf("got %s", got)
	}
}

func TestAllProblemsCanBeListed(t *testing.T) {
	_, err := decode(newSource("z", []byte("{\"modle\": 1,\n \"model\": 2}")))
	var e *Error
	if !errors.As(err, &e) || len(e.Problems) != 2 || e.Problems[1].Place != (Place{"z", 2, 11}) {
		t.Errorf("got %v", err)
	}
}

func TestSecretsAreNotQuoted(t *testing.T) {
	for _, text := range []string{
		`{"provider": {"x": {"apiKeyEnv": "sk-hunter2"}}}`, `{"provider": {"x": {"baseURL": "https://me:hunter2@h"}}}`,
		`{"provider": {"x": {"baseURL": "hunter2"}}}`, `{"provider": {"x": {"headers": {"a": "hunter2\n"}}}}`,
		`{"provider": {"x": {"headers": {"a": "hunter2\q"}}}}`, "{\"provider\": {\"x\": {\"headers\": {\"a\": \"hunter2\n\"}}}}",
		`{"provider": {"x": {"apiKeyEnv": hunter2}}}`, `{"provider": {"x": {"headers": "hunter2"}}}`, `{"tools": {"x": "hunter2"}}`, `{"envAllowlist": ["sk-hunter2"]}`,
	} {
		if got := mistake(text); got == "" || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestKeysThatNothingActsOnAreNoticed(t *testing.T) {
	for i := range table {
		k := &table[i]
		if k.kind != later || k.refuse != nil {
			continue
		}
		path := strings.ReplaceAll(k.path, "*", "x")
		text := "1"
		for _, name := range reversed(strings.Split(path, ".")) {
			text = `{"` + name + `": ` + text + `}`
		}
		settings, err := decode(newSource("z", []byte(text)))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		l := loader{config: Default()}
		if err := l.apply(settings, File{Trusted: true}); err != nil || len(l.notices) != 1 || l.notices[0].Key != path {
			t.Errorf("%s: %v, %v", text, l.notices, err)
		}
	}
}

func reversed(s []string) []string {
	r := make([]string, 0, len(s))
	for i := range s {
		r = append(r, s[len(s)-1-i])
	}
	return r
}

func TestAByteOrderMarkIsSkipped(t *testing.T) {
	b := newBench(t)
	b.write(user, "\ufeff{\"model\": \"a/b\"}")
	if c, _ := b.load(); c.Model != "a/b" {
		t.Errorf("got %+v", c)
	}
}

// Whatever a file holds, reading it ends with settings or with an error of one
// line that has a place in the file.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `{"model": "a/b"}`, `{"permission": {"rules": {"a": {"b": "deny"}, "*": "ask"}}}`, `{"permission": {"rules": {"a": {"b": {"action": "ask", "match": ["c"]}}}}}`, `{"provider": {"x": {"models": {"m": {"price": {"input": 1e9}}}}}}`,
		`{"tools": {"a": true, }, /* c */ "envAllowlist": ["A"]} // d`, `{"agents": {"a": {"tools": []}}}`, `[[[[`, "{\"\xff\": 1}", `{"a": "\ud800"}`, "\ufeff{}",
		"{\"model\":\n\n\"\u2028\"}", `{"concurrency": {"tool_calls": 1e1}}`, `{"sandbox": {"mode": "off"}}`,
	} {
		f.Add(text)
	}
	place := regexp.MustCompile(`^z:[1-9][0-9]*:[1-9][0-9]*: .`)
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := decode(newSource("z", []byte(text)))
		for _, file := range []File{{Trusted: true}, {Project: true}, {Project: true, Trusted: true}} {
			l := loader{config: Default()}
			if err == nil {
				err = l.apply(settings, file)
			}
			if err != nil && (!place.MatchString(err.Error()) || strings.ContainsAny(err.Error(), "\n\r\x1b")) {
				t.Errorf("error %q", err)
			}
			for _, n := range l.notices {
				if s := n.String(); !place.MatchString(s) || strings.ContainsAny(s, "\n\r\x1b") {
					t.Errorf("notice %q", s)
				}
			}
			if file.Project && (len(l.config.Providers)+len(l.config.EnvAllowlist)+len(l.config.Lift) > 0 || l.config.Policy == "yolo" || l.config.Sandbox.Mode == "off") {
				t.Errorf("a project set what is the user's: %+v", l.config)
			}
			if file.Project && !file.Trusted && (l.config.Model != "" || len(l.config.Agents) > 0 || index(policies, l.config.Policy) > 2) {
				t.Errorf("a project set %+v", l.config)
			}
			l.config.complete()
		}
	})
}
