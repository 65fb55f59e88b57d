// Package zuno_test holds the rules of the house that are tests: who may
// import whom, what no package may do, and that every package says what it is.
package zuno_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/zuno-dev/zuno"

// doors lists, for each package under internal, the packages of ours that it
// may import. A package that is not listed may not exist.
var doors = map[string]string{
	"tools":              "",
	"tools/file":         "tools patch pdf",
	"tools/search":       "tools shell",
	"tools/command":      "tools shell",
	"tools/ask":          "tools",
	"tools/ledger":       "tools",
	"tools/work":         "tools",
	"tools/memory":       "tools patch",
	"tools/media":        "tools",
	"tools/page":         "tools",
	"tools/batch":        "tools",
	"tools/remind":       "tools",
	"tools/delegate":     "tools",
	"tools/web":          "reach tools",
	"tools/recall":       "tools",
	"tools/skills":       "tools skill",
	"tools/custom":       "tools shell",
	"tools/builtin":      "tools tools/file tools/search tools/command tools/ask tools/ledger tools/work tools/memory tools/delegate tools/web tools/media tools/page tools/batch tools/remind tools/recall tools/skills lsp shell patch",
	"tools/toolstest":    "tools",
	"llm":                "reach",
	"reach":              "",
	"debuglog":           "redact",
	"telemetry":          "reach",
	"watch":              "llm loop telemetry tools",
	"llm/anthropic":      "llm",
	"llm/openai":         "llm",
	"llm/chat":           "llm",
	"llm/google":         "llm",
	"llm/llmtest":        "llm",
	"llm/scripted":       "llm",
	"llm/scripted/serve": "llm llm/scripted",
	"shell":              "",
	"patch":              "",
	"redact":             "",
	"pdf":                "",
	"config":             "spelling",
	"spelling":           "",
	"skill":              "",
	"hook":               "shell",
	"mcp":                "reach tools",
	"mcp/mcptest":        "",
	"lsp":                "tools",
	"highlight":          "",
	"approval":           "spelling tools",
	"classifier":         "llm tools",
	"agent":              "config",
	"store":              "llm redact tools tools/work tools/memory tools/delegate tools/remind", // what satisfies a port may see it
	"compaction":         "llm tools",
	"loop":               "approval compaction llm tools",
	"loop/journaltest":   "llm tools",
	"headless":           "approval llm loop tools",
	"tui":                "approval highlight llm loop tools patch",
	"tour":               "llm llm/scripted",
	"testmodel":          "llm llm/scripted llm/scripted/serve",
	"pictures":           "",
	"bench":              "llm llm/scripted llm/scripted/serve",
}

// only lists imports that belong to a few packages.
var only = map[string][]string{
	"database/sql":                    {"store"},
	"modernc.org/sqlite":              {"store"},
	"charm.land/bubbletea":            {"tui"},
	"os/exec":                         {"shell", "bench", "pictures"},
	"github.com/modelcontextprotocol": {"mcp"},
	"golang.org/x/oauth2":             {"mcp"},
	"github.com/ledongthuc/pdf":       {"pdf"},
	"github.com/sourcegraph/jsonrpc2": {"lsp"},
}

type pkg struct {
	ImportPath, Dir, Doc string
	Imports, GoFiles     []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,Imports,GoFiles", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

func TestArchitectureDoors(t *testing.T) {
	for _, p := range packages(t) {
		name, internal := strings.CutPrefix(p.ImportPath, module+"/internal/")
		if len(p.GoFiles) > 0 && p.Doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
		for _, imp := range p.Imports {
			for path, owners := range only {
				if strings.HasPrefix(imp, path) && !slices.Contains(owners, name) {
					t.Errorf("%s imports %s, which only %s may", p.ImportPath, imp, strings.Join(owners, ", "))
				}
			}
		}
		if !internal {
			continue
		}
		allowed, known := doors[name]
		if !known {
			t.Errorf("%s has no row in the table of doors", name)
			continue
		}
		for _, imp := range p.Imports {
			ours, inside := strings.CutPrefix(imp, module+"/internal/")
			if inside && !slices.Contains(strings.Fields(allowed), ours) {
				t.Errorf("%s imports %s", name, ours)
			}
		}
	}
}

// heavy lists packages that cost every start, with what they do then.
var heavy = map[string]string{
	"github.com/alecthomas/chroma/v2/lexers": "reads the headers of all grammars",
	"github.com/alecthomas/chroma/v2/styles": "reads all styles",
}

// TestNothingHeavyIsLinked looks at what the program links: a package that works
// while the program begins does so for zuno version too.
func TestNothingHeavyIsLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/zuno").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, "github.com/alecthomas/chroma/v2") {
		t.Error("nothing is coloured any more: this test looks in vain")
	}
	for name, does := range heavy {
		if slices.Contains(linked, name) {
			t.Errorf("%s is linked: while the program begins, it %s", name, does)
		}
	}
}

// TestArchitectureHabits looks at the source for what no package may do.
func TestArchitectureHabits(t *testing.T) {
	does := 0
	for _, p := range packages(t) {
		for _, f := range p.GoFiles {
			path := filepath.Join(p.Dir, f)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			at := func(n ast.Node) string { return fset.Position(n.Pos()).String() }
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s: an init function", at(fn))
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, _ := sel.X.(*ast.Ident)
				switch {
				case x != nil && x.Name == "context" && sel.Sel.Name == "WithValue":
					t.Errorf("%s: context.WithValue", at(n))
				case x != nil && x.Name == "time" && sel.Sel.Name == "Sleep":
					t.Errorf("%s: time.Sleep", at(n))
				case x != nil && x.Name == "fmt" && strings.HasPrefix(sel.Sel.Name, "Print") && !strings.HasSuffix(p.ImportPath, "/internal/pictures"):
					t.Errorf("%s: fmt.%s; print to the output of the command, which knows when it could not", at(n), sel.Sel.Name)
				case sel.Sel.Name == "Do" && len(call.Args) == 3 && strings.HasSuffix(p.ImportPath, "/internal/tools"):
					does++
				case sel.Sel.Name == "Do" && len(call.Args) == 3:
					t.Errorf("%s: a proposal is carried out past Proposal.Execute", at(n))
				}
				return true
			})
			for name, line := range mutableVars(fset, file) {
				t.Errorf("%s:%d: package variable %s is written to", path, line, name)
			}
		}
	}
	if does != 1 {
		t.Errorf("Proposal.Do is called in %d places of package tools, want 1", does)
	}
}

// mutableVars returns the package variables of file that some function of the
// same file assigns to, and where.
func mutableVars(fset *token.FileSet, file *ast.File) map[string]int {
	vars := map[string]bool{}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, s := range g.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					vars[id.Name] = true
				}
			}
		}
	}
	written := map[string]int{}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		local := localNames(fn)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || assign.Tok == token.DEFINE {
				return true
			}
			for _, lhs := range assign.Lhs {
				if ix, ok := lhs.(*ast.IndexExpr); ok {
					lhs = ix.X
				}
				if id, ok := lhs.(*ast.Ident); ok && vars[id.Name] && !local[id.Name] {
					written[id.Name] = fset.Position(id.Pos()).Line
				}
			}
			return true
		})
	}
	return written
}

// localNames returns every name that fn declares, wherever in it.
func localNames(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && n.Tok == token.DEFINE {
					names[id.Name] = true
				}
			}
		}
		return true
	})
	return names
}
