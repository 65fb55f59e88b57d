package lsp

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// The bounds of one answer.
const (
	maxRows  = 200
	maxBytes = 40 << 10
	maxDepth = 20
)

// A renderer writes places as path:line:column, within bounds.
type renderer struct {
	root  string
	b     strings.Builder
	rows  int
	cut   bool
	texts map[string][]string // lines of files
}

func (r *renderer) line(s string) {
	if r.rows >= maxRows || r.b.Len() >= maxBytes {
		r.cut = true
		return
	}
	if s != "" {
		r.rows++
		short := tools.Clip(s, maxBytes-r.b.Len())
		r.cut = r.cut || short != s
		r.b.WriteString(tools.Clean(short) + "\n")
	}
}

func (r *renderer) text(none string) (string, bool) {
	switch s := strings.TrimSuffix(r.b.String(), "\n"); {
	case s == "":
		return none, false
	case r.cut:
		return s + "\n(truncated)", true
	default:
		return s, false
	}
}

// at is a place as people and models read it.
func (r *renderer) at(path string, p position) string {
	name := path
	if rel, err := filepath.Rel(r.root, path); err == nil && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d:%d", tools.CleanLine(name), p.Line+1, p.Character+1)
}

func (r *renderer) locations(list []location) {
	for _, l := range list {
		path := pathOf(l.URI)
		if path == "" {
			r.line(tools.CleanLine(l.URI))
			continue
		}
		r.line(r.at(path, l.Range.Start) + r.source(path, l.Range.Start.Line))
	}
}

// source is the line itself, of files of the workspace only.
func (r *renderer) source(path string, n int) string {
	rel, err := filepath.Rel(r.root, path)
	if err != nil || !filepath.IsLocal(rel) || r.rows >= maxRows {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err != nil || real != path {
		return ""
	}
	if r.texts == nil {
		r.texts = map[string][]string{}
	}
	lines, ok := r.texts[path]
	if !ok {
		if text, err := readText(path); err == nil {
			lines = strings.Split(text, "\n")
		}
		r.texts[path] = lines
	}
	if n < 0 || n >= len(lines) {
		return ""
	}
	return ": " + tools.CleanLine(tools.Clip(strings.TrimSpace(lines[n]), 200))
}

func (r *renderer) symbols(path string, list []symbol, depth int) {
	if depth > maxDepth {
		return
	}
	for _, s := range list {
		at, file := s.Selection.Start, path
		if s.Location != nil {
			at = s.Location.Range.Start
			if p := pathOf(s.Location.URI); p != "" {
				file = p
			}
		}
		line := strings.Repeat("  ", depth) + r.at(file, at) + ": " + kind(s.Kind) + " " + tools.CleanLine(tools.Clip(s.Name, 200))
		if more := s.Detail + s.ContainerName; more != "" {
			line += " (" + tools.CleanLine(tools.Clip(more, 200)) + ")"
		}
		r.line(line)
		r.symbols(file, s.Children, depth+1)
	}
}

func (r *renderer) diagnostics(path string, list []diagnostic) {
	for _, d := range list {
		line := r.at(path, d.Range.Start) + ": " + severity(d.Severity) + ": " + tools.CleanLine(tools.Clip(d.Message, 500))
		if d.Source != "" {
			line += " [" + tools.CleanLine(tools.Clip(d.Source, 40)) + "]"
		}
		r.line(line)
	}
}

func severity(n int) string {
	if n < 1 || n > 4 {
		return "note"
	}
	return [...]string{"error", "warning", "information", "hint"}[n-1]
}

// kind is the name of a SymbolKind of the protocol.
func kind(n int) string {
	names := [...]string{
		"file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum", "interface", "function", "variable",
		"constant", "string", "number", "boolean", "array", "object", "key", "null", "enum member", "struct", "event", "operator", "type parameter",
	}
	if n < 1 || n > len(names) {
		return "symbol"
	}
	return names[n-1]
}
