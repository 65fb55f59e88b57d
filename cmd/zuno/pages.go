package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// pageTime bounds what a page looks at.
const pageTime = 30 * time.Second

// pageLines returns, a line each, what the screen shows for /NAME.
func pageLines(p *plan, s *session, name string) ([]string, error) {
	switch name {
	case "tools":
		return toolLines(s), nil
	case "config":
		lines := configLines(p)
		for _, key := range slices.Sorted(maps.Keys(p.config.Places)) {
			lines = append(lines, fmt.Sprintf("%s: %s", key, p.config.Places[key]))
		}
		return append(lines, p.notices...), nil
	case "hooks":
		return hookLines(p, s), nil
	case "mcp":
		list, notices := p.mcpEntries()
		lines := p.serverLines(list, notices, s.mcp)
		if len(list) > 0 {
			lines = append(lines, "/permissions has their tools and what runs without asking; zuno mcp test NAME, login NAME and ratify are commands of the shell")
		}
		return lines, nil
	case "doctor":
		ctx, cancel := context.WithTimeout(context.Background(), pageTime)
		defer cancel()
		var lines []string
		for _, x := range findings(ctx, p, nil) {
			lines = append(lines, x.lines()...)
		}
		return lines, nil
	}
	return nil, fmt.Errorf("there is no page %q", name)
}

// toolLines names the tools that the model has, with what they may do.
func toolLines(s *session) []string {
	all := slices.Clone(s.offered)
	slices.SortFunc(all, func(a, b tools.Tool) int { return cmp.Compare(a.Spec().Name, b.Spec().Name) })
	var lines []string
	for _, t := range all {
		sp := t.Spec()
		what, _, _ := strings.Cut(sp.Description, "\n")
		lines = append(lines, fmt.Sprintf("%s: %s (%s, %s)", sp.Name, tools.Clip(what, 160), sp.Effect, sp.Risk))
	}
	return append(lines, `"tools": {"NAME": false} in the configuration switches one off`)
}
