package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

func all(t *testing.T) []tools.Tool {
	root := t.TempDir()
	ws, err := file.NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Workspace: ws, Files: file.New(ws), Command: command.Config{Workspace: root}, Rg: func(context.Context) (string, error) { return "", errors.New("no rg") }})
}

func TestTheDefaultSurfaceIsSmallAndEditIsOff(t *testing.T) {
	list := all(t)
	for _, c := range []struct {
		name     string
		switches map[string]bool
		exact    []string
		want     string
	}{
		{"default", nil, nil, "read write apply_patch glob grep shell bg task job job_cancel council_run question plan_get plan_update todo_get todo_update goal_get goal_update webfetch web_search skill"},
		{"edit on, shell off", map[string]bool{"edit": true, "shell": false}, nil, "read write apply_patch edit glob grep bg task job job_cancel council_run question plan_get plan_update todo_get todo_update goal_get goal_update webfetch web_search skill"},
		{"the names of files", map[string]bool{"rm": true, "mv": true}, nil, "read write apply_patch rm mv glob grep shell bg task job job_cancel council_run question plan_get plan_update todo_get todo_update goal_get goal_update webfetch web_search skill"},
		{"named by an agent", nil, []string{"mkdir", "cp"}, "mkdir cp"},
		{"nothing to search with", map[string]bool{"web_search": false, "http_request": true}, nil, "read write apply_patch glob grep shell bg task job job_cancel council_run question plan_get plan_update todo_get todo_update goal_get goal_update webfetch http_request skill"},
		{"an exact list replaces", nil, []string{"read", "edit"}, "read edit"},
		{"a switch outranks an exact list", map[string]bool{"read": false}, []string{"read", "grep"}, "grep"},
		{"an empty exact list is no tools", nil, []string{}, ""},
	} {
		got, unknown := Select(list, c.switches, c.exact)
		if unknown != "" || strings.Join(Names(got), " ") != c.want {
			t.Errorf("%s: %v, unknown %q", c.name, Names(got), unknown)
		}
	}
	if _, unknown := Select(list, nil, []string{"reed"}); unknown != "reed" {
		t.Errorf("unknown = %q", unknown)
	}
}

func TestEveryToolDeclaresItselfFitForEveryProvider(t *testing.T) {
	for _, tool := range all(t) {
		s := tool.Spec()
		var schema struct{ Type string }
		if err := json.Unmarshal(s.Schema, &schema); err != nil || schema.Type != "object" || s.Description == "" {
			t.Errorf("%s: schema %s, %v", s.Name, s.Schema, err)
		}
		if s.Effect != tools.ReadOnly && s.Replay != tools.Never {
			t.Errorf("%s has an effect and may be replayed", s.Name)
		}
	}
}

func TestAliasesSpeakTheToolsOwnSpelling(t *testing.T) {
	for _, c := range []struct{ name, args, tool, want string }{
		{"read", `{"path":"a"}`, "read", `{"path":"a"}`},
		{"read_file", `{"path":"a","startLine":3,"endLine":5}`, "read", `{"filePath":"a","offset":3,"limit":3}`},
		{"read_file", `{"path":"a","endLine":5}`, "read", `{"filePath":"a","limit":5}`},
		{"read_file", `{"path":"a","path":"b"}`, "read", `{"filePath":"a","filePath":"b"}`},
		{"head", `{"path":"a","lines":2}`, "read", `{"filePath":"a","limit":2}`},
		{"ls", `{}`, "read", `{"filePath":"."}`},
		{"find", `{"name":"x","path":"d"}`, "glob", `{"path":"d","pattern":"**/*x*"}`},
		{"find", `{"name":"*.go"}`, "glob", `{"pattern":"**/*.go"}`},
		{"write_file", `{"path":"a","content":"c","createDirs":true}`, "write", `{"filePath":"a","content":"c"}`},
		{"edit_file", `{"path":"a","edits":[{"type":"replace_pattern","pattern":"o","replacement":"n","count":-1}]}`, "edit", `{"filePath":"a","oldString":"o","newString":"n","replaceAll":true}`},
		{"edit_file", `{"path":"a","edits":[{"type":"insert","line":1,"content":"x"}]}`, "edit", `{"filePath":"a","edits":[{"type":"insert","line":1,"content":"x"}]}`},
		{"execute_command", `{"command":"ls","workingDirectory":"d"}`, "shell", `{"command":"ls","workdir":"d"}`},
		{"ask_user_question", `{"question":"?","suggested_responses":[{"value":"a"},{"value":"b","label":"B"}]}`, "question", `{"questions":[{"header":"Question","multiple":false,"options":[{"label":"a","description":""},{"label":"B","description":""}],"question":"?"}]}`},
		{"web_fetch", `{"url":"https://example.com/","max_length":9}`, "webfetch", `{"url":"https://example.com/"}`},
		{"load_skill", `{"skill_name":"s"}`, "skill", `{"action":"load","name":"s"}`},
		{"manage_todos", `{"todos":[{"content":"a","status":"pending","priority":"high"},{"content":"b","content":"c"}]}`, "todo_update", `{"changes":[{"action":"clear"},{"action":"add","subject":"a","status":"pending","priority":"high"},{"action":"add","subject":"b","subject":"c"}]}`},
		{"manage_todos", `{"todos":"x"}`, "todo_update", `{"todos":"x"}`},
		{"list_todos", `{}`, "todo_get", `{}`},
		{"write_file_execute", `{}`, "write_file_execute", `{}`},
		{"mv", `{"source":"a","destination":"b","force":true}`, "mv", `{"source":"a","destination":"b","overwrite":true}`},
		{"read_file", `[`, "read", `[`},
	} {
		tool, args := Resolve(c.name, json.RawMessage(c.args))
		if tool != c.tool || string(args) != c.want {
			t.Errorf("%s %s: %s %s, want %s", c.name, c.args, tool, args, c.want)
		}
	}
}

func TestNoAliasHidesATool(t *testing.T) {
	for _, a := range Aliases() {
		if slices.Contains(Names(all(t)), a.Name) && a.Name != a.Tool {
			t.Errorf("%s is a tool of its own", a.Name)
		}
	}
}
