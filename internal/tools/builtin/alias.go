package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Alias is another name for a tool, with its own spelling of the arguments.
type Alias struct {
	Name, Tool string
	// Args renames arguments; one that is renamed to "" is dropped, for it says
	// what the tool does anyway.
	Args map[string]string
	// fix does what renaming cannot.
	fix func([]pair) []pair
}

// Aliases returns the names of a wide-spread second tool set, and of its tools
// that are called the same and only spell an argument differently. Arguments
// that are not listed keep their name, and the tool judges them.
func Aliases() []Alias {
	return []Alias{
		{Name: "read_file", Tool: "read", Args: map[string]string{"path": "filePath", "encoding": ""}, fix: lineRange},
		{Name: "head", Tool: "read", Args: map[string]string{"path": "filePath", "lines": "limit"}},
		{Name: "ls", Tool: "read", Args: map[string]string{"path": "filePath", "showHidden": ""}, fix: hereByDefault},
		{Name: "find", Tool: "glob", Args: map[string]string{"name": "pattern", "pathPattern": "pattern", "includeHidden": "", "smart": ""}, fix: anywhere},
		{Name: "write_file", Tool: "write", Args: map[string]string{"path": "filePath", "createDirs": ""}},
		{Name: "edit_file", Tool: "edit", Args: map[string]string{"path": "filePath"}, fix: oneEdit},
		{Name: "mv", Tool: "mv", Args: map[string]string{"force": "overwrite"}},
		{Name: "cp", Tool: "cp", Args: map[string]string{"force": "overwrite"}},
		{Name: "execute_command", Tool: "shell", Args: map[string]string{"workingDirectory": "workdir"}},
		{Name: "ask_user_question", Tool: "question", fix: oneQuestion},
		{Name: "web_fetch", Tool: "webfetch", Args: map[string]string{"max_length": ""}},
		{Name: "spawn_subagent", Tool: "task", Args: map[string]string{"task": "prompt", "name": "description", "persona": "subagent_type", "reasoningEffort": "effort"}},
		{Name: "manage_todos", Tool: "todo_update", fix: wholeList},
		{Name: "list_todos", Tool: "todo_get"},
		{Name: "find_skills", Tool: "skill", fix: action("search")},
		{Name: "load_skill", Tool: "skill", Args: map[string]string{"skill_name": "name"}, fix: action("load")},
		{Name: "load_skill_section", Tool: "skill", Args: map[string]string{"skill_name": "name", "section_name": "path"}, fix: action("read_resource")},
	}
}

// Resolve returns the tool that name means and the arguments in its spelling.
// What is no alias comes back as it is.
func Resolve(name string, args json.RawMessage) (string, json.RawMessage) {
	for _, a := range Aliases() {
		if a.Name != name {
			continue
		}
		pairs, ok := split(args)
		if !ok {
			return a.Tool, args // for the tool to refuse
		}
		var renamed []pair
		for _, p := range pairs {
			to, known := a.Args[p.key]
			switch {
			case !known:
				renamed = append(renamed, p)
			case to != "":
				renamed = append(renamed, pair{to, p.value})
			}
		}
		if a.fix != nil {
			renamed = a.fix(renamed)
		}
		return a.Tool, merge(renamed)
	}
	return name, args
}

// A pair is one argument. They are kept as a list so that an argument given
// twice stays visible.
type pair struct {
	key   string
	value json.RawMessage
}

func split(args json.RawMessage) ([]pair, bool) {
	dec := json.NewDecoder(bytes.NewReader(args))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	var pairs []pair
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, false
		}
		pairs = append(pairs, pair{k.(string), v})
	}
	_, err := dec.Token()
	return pairs, err == nil && !dec.More()
}

func merge(pairs []pair) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range pairs {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(p.key))
		b.WriteByte(':')
		b.Write(p.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return b
}

func get(pairs []pair, key string) (json.RawMessage, bool) {
	for _, p := range pairs {
		if p.key == key {
			return p.value, true
		}
	}
	return nil, false
}

func without(pairs []pair, keys ...string) []pair {
	var rest []pair
	for _, p := range pairs {
		if !slices.Contains(keys, p.key) {
			rest = append(rest, p)
		}
	}
	return rest
}

// lineRange turns startLine and endLine into offset and limit.
func lineRange(pairs []pair) []pair {
	var start, end int
	s, hasStart := get(pairs, "startLine")
	e, hasEnd := get(pairs, "endLine")
	if hasStart && json.Unmarshal(s, &start) != nil || hasEnd && json.Unmarshal(e, &end) != nil {
		return pairs
	}
	rest := without(pairs, "startLine", "endLine")
	if hasStart {
		rest = append(rest, pair{"offset", s})
	}
	if hasEnd && end >= max(start, 1) {
		rest = append(rest, pair{"limit", json.RawMessage(fmt.Sprint(end - max(start, 1) + 1))})
	}
	return rest
}

func hereByDefault(pairs []pair) []pair {
	if _, ok := get(pairs, "filePath"); !ok {
		pairs = append(pairs, pair{"filePath", quote(".")})
	}
	return pairs
}

// anywhere makes a glob for any depth of a bare name, which matches as a part
// of a file name.
func anywhere(pairs []pair) []pair {
	raw, ok := get(pairs, "pattern")
	name := ""
	if ok && json.Unmarshal(raw, &name) != nil || strings.HasPrefix(name, "re:") {
		return pairs
	}
	switch {
	case name == "":
		name = "**/*"
	case strings.Contains(name, "/"):
	case strings.ContainsAny(name, "*?[{"):
		name = "**/" + name
	default:
		name = "**/*" + name + "*"
	}
	return append(without(pairs, "pattern"), pair{"pattern", quote(name)})
}

// oneEdit turns a list of one literal replacement into the arguments of edit.
// Longer lists stay as they are, and are refused: they are apply_patch's work.
func oneEdit(pairs []pair) []pair {
	raw, _ := get(pairs, "edits")
	var edits []struct {
		Type, Pattern, Replacement string
		Count                      int
	}
	if json.Unmarshal(raw, &edits) != nil || len(edits) != 1 || edits[0].Type != "replace_pattern" || strings.HasPrefix(edits[0].Pattern, "re:") {
		return pairs
	}
	rest := append(without(pairs, "edits"), pair{"oldString", quote(edits[0].Pattern)}, pair{"newString", quote(edits[0].Replacement)})
	if edits[0].Count == -1 {
		rest = append(rest, pair{"replaceAll", json.RawMessage("true")})
	}
	return rest
}

// oneQuestion wraps a single question into the list that question takes.
func oneQuestion(pairs []pair) []pair {
	var q struct {
		Question  string `json:"question"`
		Multiple  bool   `json:"allow_multiple"`
		Responses []struct {
			Value       string `json:"value"`
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"suggested_responses"`
	}
	if json.Unmarshal(merge(pairs), &q) != nil || len(q.Responses) == 0 {
		return pairs
	}
	type option struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	}
	var options []option
	for _, r := range q.Responses {
		if r.Label == "" {
			r.Label = r.Value
		}
		options = append(options, option{r.Label, r.Description})
	}
	list, err := json.Marshal([]map[string]any{{"question": q.Question, "header": "Question", "options": options, "multiple": q.Multiple}})
	if err != nil {
		return pairs
	}
	return []pair{{"questions", list}}
}

// action puts the action of one merged tool in front of its arguments.
func action(name string) func([]pair) []pair {
	return func(pairs []pair) []pair { return append([]pair{{"action", quote(name)}}, pairs...) }
}
