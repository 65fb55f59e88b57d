package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tui"
)

// difference is what /diff shows: the working tree, compared with the last
// commit.
func (p *plan) difference() (tui.Difference, error) {
	ctx, cancel := context.WithTimeout(context.Background(), pageTime)
	defer cancel()
	d, err := p.readDiff(ctx, false)
	if err != nil {
		return tui.Difference{}, fmt.Errorf("compare with the last commit: %w", err)
	}
	return showDiff(d), nil
}

func showDiff(d diff) tui.Difference {
	var text strings.Builder
	out := tui.Difference{}
	add, del := 0, 0
	for _, f := range d.files {
		if f.binary {
			out.Notes = append(out.Notes, "binary, and different: "+f.name)
			continue
		}
		text.WriteString(f.text)
		add, del = add+f.add, del+f.del
	}
	out.Text = text.String()
	out.Told = fmt.Sprintf("compared with the last commit: %s, +%d -%d", counted(len(d.files), "file"), add, del)
	if len(d.files) == 0 {
		out.Told = "compared with the last commit, nothing differs of what git tracks"
	}
	if d.cut {
		out.Notes = append(out.Notes, fmt.Sprintf("there is more: only the first %s were looked at", bytesWord(maxDiffRead)))
	}
	for i, name := range d.untracked {
		if i == maxDiffNames {
			out.Notes = append(out.Notes, fmt.Sprintf("and %d more that git does not track", len(d.untracked)-i))
			break
		}
		out.Notes = append(out.Notes, "not tracked by git: "+name)
	}
	return out
}
