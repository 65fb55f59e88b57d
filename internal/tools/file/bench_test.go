package file

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

type args map[string]any

// A bench is a workspace with its tools on it, and calls that are allowed.
type bench struct {
	t     *testing.T
	root  string
	all   *Tools
	files *files
	tools map[string]tools.Tool
}

func newBench(t *testing.T) *bench {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return benchAt(t, root)
}

func benchAt(t *testing.T, root string) *bench {
	t.Helper()
	ws, err := NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	all := New(ws)
	b := &bench{t: t, root: root, all: all, files: all.files, tools: map[string]tools.Tool{}}
	for _, tool := range append(append(all.List(), all.PDF(fakePDF)...), all.Picker()) {
		b.tools[tool.Spec().Name] = tool
	}
	return b
}

func (b *bench) propose(tool string, a args) (*tools.Proposal, error) {
	b.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.tools[tool].Propose(context.Background(), tools.Call{ID: "1", Tool: tool, Args: raw})
}

// proposed is propose for a call that must become a proposal.
func (b *bench) proposed(tool string, a args) *tools.Proposal {
	b.t.Helper()
	p, err := b.propose(tool, a)
	if err != nil {
		b.t.Fatalf("%s %v: %v", tool, a, err)
	}
	return p
}

func run(p *tools.Proposal) tools.Outcome {
	return p.Execute(context.Background(), tools.Decision{Allowed: true, By: tools.ByPerson, At: time.Unix(0, 0)}, nil)
}

// call proposes and carries out.
func (b *bench) call(tool string, a args) tools.Outcome {
	b.t.Helper()
	p, err := b.propose(tool, a)
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return run(p)
}

// ok is call for a call that must succeed.
func (b *bench) ok(tool string, a args) tools.Outcome {
	b.t.Helper()
	out := b.call(tool, a)
	if out.Kind != tools.OK {
		b.t.Fatalf("%s %v: %v %v: %s", tool, a, out.Kind, out.Block, out.Text)
	}
	return out
}

// refused checks that a call is refused before there is a card, for a reason.
func (b *bench) refused(tool string, a args, block tools.Block, reason string) {
	b.t.Helper()
	p, err := b.propose(tool, a)
	var r *tools.Refusal
	if !errors.As(err, &r) || r.Block != block || !strings.Contains(r.Reason, reason) {
		b.t.Errorf("%s %v gave %+v, %v; want a refusal, %v, with %q", tool, a, p, err, block, reason)
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.root, name) }

func (b *bench) put(name, content string) {
	b.t.Helper()
	put(b.t, b.path(name), content)
}

// holds checks the content of a file.
func (b *bench) holds(name, want string) {
	b.t.Helper()
	got, err := os.ReadFile(b.path(name))
	if err != nil || string(got) != want {
		b.t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

// missing checks that there is no such file.
func (b *bench) missing(name string) {
	b.t.Helper()
	if _, err := os.Lstat(b.path(name)); !errors.Is(err, os.ErrNotExist) {
		b.t.Errorf("%s is there (%v)", name, err)
	}
}

// tidy checks that no staged file was left behind.
func (b *bench) tidy() {
	b.t.Helper()
	err := filepath.WalkDir(b.root, func(path string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".zuno-") {
			b.t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		b.t.Error(err)
	}
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// patchOf wraps sections in an envelope.
func patchOf(sections string) args {
	return args{"patchText": "*** Begin Patch\n" + sections + "\n*** End Patch\n"}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
