package skills

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

// found writes skills below root and finds them.
func found(t testing.TB, root string, bodies map[string]string) []skill.Skill {
	t.Helper()
	for name, body := range bodies {
		path := filepath.Join(root, name, "SKILL.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(fmt.Sprintf("---\nname: %s\ndescription: About %s.\n---\n%s", filepath.Base(name), filepath.Base(name), body)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, notices := skill.Find([]skill.Place{{Dir: filepath.Join(root, "a"), Label: "a"}, {Dir: filepath.Join(root, "b"), Label: "b"}})
	if len(notices) > 0 {
		t.Fatal(notices)
	}
	return list
}

func ask(t *testing.T, tool tools.Tool, args string) tools.Outcome {
	t.Helper()
	p, err := tool.Propose(t.Context(), tools.Call{ID: "x", Tool: "skill", Args: json.RawMessage(args)})
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return p.Execute(t.Context(), tools.Decision{Allowed: true}, nil)
}

func TestPromises(t *testing.T) {
	long := strings.Repeat("a line of text\n", 20000)
	for _, args := range []string{
		`{"action":"list"}`, `{"action":"search","query":"commit"}`, `{"action":"load","name":"commit"}`, `{"action":"read_resource","name":"commit","path":"SKILL.md"}`,
	} {
		toolstest.Run(t, toolstest.Case{Args: args, New: func(root string) tools.Tool {
			return New(Config{Skills: found(t, root, map[string]string{"a/commit": long})})[0]
		}})
	}
}

func TestASkillIsLoadedInPagesThatSaySo(t *testing.T) {
	body := strings.TrimSpace(strings.Repeat("äöü and more\n", 9000))
	root := t.TempDir()
	tool := New(Config{Skills: found(t, root, map[string]string{"a/commit": body}), Limit: tools.TextLimit{MaxBytes: 20000, MaxLines: 600}})[0]
	read, cursor := "", ""
	for range 60 {
		o := ask(t, tool, fmt.Sprintf(`{"action":"load","name":"commit","cursor":%q}`, cursor))
		if o.Kind != tools.OK || len(o.Text) > 20000 || strings.Count(o.Text, "\n") > 600 {
			t.Fatalf("%v, %d bytes: %.200s", o.Kind, len(o.Text), o.Text)
		}
		_, rest, _ := strings.Cut(o.Text, "]\n")
		at := strings.LastIndex(rest, "[")
		read += rest[:at]
		m := regexp.MustCompile(`NOT complete: .* cursor (\S+)\]$`).FindStringSubmatch(rest[at:])
		if m == nil {
			if !strings.Contains(rest[at:], "complete: true") {
				t.Error(rest[at:])
			}
			break
		}
		cursor = m[1]
	}
	if strings.TrimSpace(read) != body {
		t.Errorf("%d bytes of %d were read", len(read), len(body))
	}
	if o := ask(t, tool, `{"action":"load","name":"commit","cursor":"5-000000000000"}`); o.Block != tools.Stale {
		t.Errorf("a cursor of another text: %v %s", o.Kind, o.Text)
	}
}

func TestWhatIsLoadedIsWhatWasFound(t *testing.T) {
	root := t.TempDir()
	tool := New(Config{Skills: found(t, root, map[string]string{"a/commit": "as trusted"})})[0]
	if err := os.WriteFile(filepath.Join(root, "a/commit/SKILL.md"), []byte("swapped"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := ask(t, tool, `{"action":"load","name":"commit"}`); !strings.Contains(o.Text, "as trusted") || strings.Contains(o.Text, "swapped") {
		t.Error(o.Text)
	}
}

func TestWhatIsAskedForIsFoundOrNamed(t *testing.T) {
	list := found(t, t.TempDir(), map[string]string{"a/commit": "# How\none\n# Then\ntwo", "b/commit": "other", "a/review": "r", "a/people": "p"})
	for i := range list {
		list[i].ForPeople = list[i].Name == "people"
	}
	tool := New(Config{Skills: list, Show: func(s string) string { return strings.ReplaceAll(s, "About", "ABOUT") }})[0]
	for _, c := range []struct{ args, want, kind string }{
		{`{"action":"list"}`, "skills 1 to 3 of 3:\n- commit (a): ABOUT commit.", "ok"},
		{`{"action":"search","query":"REVIEW nothing"}`, "1 of 1 that match:\n- review", "ok"},
		{`{"action":"search","query":"zzz"}`, "no skill matches; there are commit, review, commit", "ok"},
		{`{"action":"search","query":" "}`, "must not be blank", "blocked"},
		{`{"action":"search","query":"a","limit":21}`, "1 to 20", "blocked"},
		{`{"action":"load","name":"commit"}`, "say which with source, one of a, b", "blocked"},
		{`{"action":"load","name":"commit","source":"b"}`, "other", "ok"},
		{`{"action":"load","name":"people"}`, `no skill "people"; there are`, "error"},
		{`{"action":"load","name":"review","source":"b"}`, `no skill "review" in b`, "error"},
		{`{"action":"load","name":"review","query":"x"}`, "query is no argument of load", "blocked"},
		{`{"action":"read_resource","name":"commit","source":"a","path":"then"}`, "# Then\ntwo", "ok"},
		{`{"action":"read_resource","name":"review","path":"../commit/SKILL.md"}`, "no path below", "error"},
		{`{"action":"read_resource","name":"review","path":"nosuch"}`, "has no file nosuch", "error"},
		{`{"action":"read_resource","name":"review"}`, "path is missing", "blocked"},
		{`{"action":"list","cursor":"x"}`, "cursor is none", "blocked"},
		{`{"action":"run"}`, "action", "blocked"},
	} {
		if o := ask(t, tool, c.args); o.Kind.String() != c.kind || !strings.Contains(o.Text, c.want) {
			t.Errorf("%s: %v %q, want %s %q", c.args, o.Kind, o.Text, c.kind, c.want)
		}
	}
	if o := ask(t, New(Config{})[0], `{"action":"list"}`); o.Text != "there are no skills" {
		t.Error(o.Text)
	}
}
