package file

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// remember notes the contents that the model knows now: those it gave as a
// whole, and those it changed a part of after it had seen the rest.
func (f *files) remember(changes []*change) {
	for _, c := range changes {
		at, before := c.place, c.before
		if c.kind == "R" {
			at, before = c.from, c.source
		}
		if c.kind == "R" && c.whole {
			for _, e := range c.tree {
				f.receipts.move(e.place.Real, c.place.join(e.rel).Real)
			}
			continue
		}
		seen, ok := f.receipts.get(at.Real)
		knows := c.whole || ok && seen == before.sum
		if c.kind == "D" || c.kind == "R" || c.blind {
			f.receipts.drop(at.Real)
		}
		if c.kind != "D" && knows && !c.blind && c.content().kind == tools.Regular {
			f.receipts.put(c.place.Real, hashOf(c.after))
		}
	}
}

// maxTold bounds how many changes a result names one by one.
const maxTold = 200

func (c *commit) success(changes []*change) tools.Outcome {
	out := tools.Outcome{Kind: tools.OK}
	var text []string
	for i, ch := range changes {
		if !ch.idle() {
			out.Changes = append(out.Changes, ch.record())
		}
		if i >= maxTold {
			continue
		}
		text = append(text, ch.title())
		for _, n := range ch.notes {
			text = append(text, "  "+n)
		}
	}
	if n := len(changes) - maxTold; n > 0 {
		text = append(text, fmt.Sprintf("and %d more", n))
	}
	out.Text = strings.Join(append(text, c.notes...), "\n")
	return out
}
