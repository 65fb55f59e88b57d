package custom

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const schema = `{"type":"object","properties":{"to":{"type":"string","minLength":1,"description":"where"},"n":{"type":"integer","maximum":3,"description":"how often"}},"required":["to"],"additionalProperties":false}`

// shTool is a tool whose program is a shell script.
func shTool(t testing.TB, dir, script string, change func(*Definition)) tools.Tool {
	t.Helper()
	d := Definition{Command: []string{"sh", "-c", script}, Spec: tools.Spec{Name: "deploy", Description: "Deploys.", Schema: json.RawMessage(schema)}}
	if change != nil {
		change(&d)
	}
	tool, err := New(Config{Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")}}, d)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func call(ctx context.Context, tool tools.Tool, args string) tools.Outcome {
	p, err := tool.Propose(ctx, tools.Call{ID: "c", Tool: "deploy", Args: json.RawMessage(args)})
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return p.Execute(ctx, tools.Decision{Allowed: true}, nil)
}

func TestPromises(t *testing.T) {
	toolstest.Run(t, toolstest.Case{
		Args: `{"to":"staging"}`, Limit: tools.TextLimit{MaxBytes: limit, MaxLines: limitLines},
		New: func(root string) tools.Tool {
			return shTool(t, root, `cat > got; i=0; while [ $i -lt 3000 ]; do echo "a line of the output of it"; i=$((i+1)); done`, nil)
		},
	})
}

func TestWhatIsNotDeclaredIsTheStrictest(t *testing.T) {
	s := shTool(t, t.TempDir(), "true", nil).Spec()
	if s.Effect != tools.SideEffecting || s.Replay != tools.Never || s.Concurrency != tools.Exclusive || s.Risk != tools.High {
		t.Errorf("%+v", s)
	}
}

func TestTheOutcomeSaysWhatIsKnown(t *testing.T) {
	quick := func(d *Definition) { d.Spec.Timeout = 50 * time.Millisecond }
	for _, c := range []struct {
		name, script, args, kind, want string
		change                         func(*Definition)
	}{
		{"ok", `printf 'got '; cat`, `{ "to" : "a b" }`, "ok", `got {"to":"a b"}`, nil},
		{"no shell sees the arguments", `cat`, `{"to":"$(touch x); 'a"}`, "ok", `$(touch x); 'a`, nil},
		{"a failure", `echo out; echo err >&2; exit 3`, `{"to":"a"}`, "error", "err", nil},
		{"a timeout", `sleep 60`, `{"to":"a"}`, "uncertain", "", quick},
		{"a timeout of what is safe", `sleep 60`, `{"to":"a"}`, "error", "", func(d *Definition) { quick(d); d.Spec.Effect = tools.ReadOnly }},
		{"missing", `cat`, `{}`, "blocked", `invalid arguments: required: missing properties: ["to"]`, nil},
		{"of another type", `cat`, `{"to":1}`, "blocked", `invalid arguments: to: type: 1 has type "integer", want "string"`, nil},
		{"more than declared", `cat`, `{"to":"a","x":1}`, "blocked", `unexpected additional properties ["x"]`, nil},
		{"twice", `cat`, `{"to":"a","to":"b"}`, "blocked", "given twice", nil},
		{"no object", `cat`, `[1]`, "blocked", "must be an object", nil},
		{"cut off", `cat`, `{"to":"a"`, "blocked", "ends early", nil},
		{"no such program", ``, `{"to":"a"}`, "blocked", "no-such-program", func(d *Definition) { d.Command = []string{"no-such-program"} }},
		{"control characters", `printf '\033[2J'`, `{"to":"a"}`, "ok", "", nil},
		{"nothing to say", `true`, `{"to":"a"}`, "ok", "", nil},
	} {
		o := call(t.Context(), shTool(t, t.TempDir(), c.script, c.change), c.args)
		if o.Kind.String() != c.kind || !strings.Contains(o.Text, c.want) || strings.Contains(o.Text, "\x1b") {
			t.Errorf("%s: %v %q, want %s %q", c.name, o.Kind, o.Text, c.kind, c.want)
		}
	}
}

func TestTheCardShowsProgramAndArguments(t *testing.T) {
	tool := shTool(t, t.TempDir(), "echo it's", func(d *Definition) { d.Unconfined = true })
	p, err := tool.Propose(t.Context(), tools.Call{Args: json.RawMessage(`{"to":"a\u202e"}`)})
	if err != nil {
		t.Fatal(err)
	}
	all := p.Preview[0].Body + "\n" + p.Preview[1].Title + "\n" + p.Preview[1].Body
	for _, want := range []string{`"to": "a`, "outside the sandbox", `sh -c 'echo it'\''s'`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %s", want, all)
		}
	}
	other, err := shTool(t, t.TempDir(), "echo its", nil).Propose(t.Context(), tools.Call{Args: json.RawMessage(`{"to":"a"}`)})
	if err != nil || p.Version == "" || other.Version == p.Version {
		t.Errorf("another definition has the version %q, %v", p.Version, err)
	}
}

func TestADefinitionThatCannotBeUsedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.json"), []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"$ref":"file://` + dir + `/s.json"}}}`: "only refer to itself",
		`{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:1/x"}}}`:      "only refer to itself",
		`{"type":"object","properties":{"a":{"type":"strin"}}}`:                     "cannot be used",
		`{"type":"object","required":"a"}`:                                          "cannot be used",
		`{`:                                                                         "unexpected end",
		`{"type":"object","properties":{"a":{"items":{"type":["string","nil"]}}}}`:  `there is no type "nil"`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`:     "draft-07",
	} {
		_, err := New(Config{}, Definition{Command: []string{"x"}, Spec: tools.Spec{Description: "d", Schema: json.RawMessage(schema)}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", schema, err)
		}
	}
	for want, d := range map[string]Definition{"no command": {Spec: tools.Spec{Description: "d"}}, "no description": {Command: []string{"x"}}} {
		if _, err := New(Config{}, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v", err)
		}
	}
}
