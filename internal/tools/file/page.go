package file

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// frame is the number of lines of output around the content of a page.
const frame = 5

// A page is the part of a file or folder that one result shows. With its frame
// it stays within what the model sees of a result, so that nothing is cut out
// of its middle.
type page struct {
	b           strings.Builder
	lines       int
	bytes, most int
}

func newPage(place Place, kind string, args readArgs) *page {
	p := &page{}
	fmt.Fprintf(&p.b, "<path>%s</path>\n<type>%s</type>\n<content>\n", tools.CleanLine(place.Name), kind)
	limit := tools.DefaultTextLimit()
	p.most = limit.MaxLines - frame
	if args.Limit > 0 {
		p.most = min(p.most, args.Limit)
	}
	p.bytes = limit.MaxBytes - p.b.Len() - 400 // the trailer
	return p
}

// add shows one more line, and reports false when it does not fit.
func (p *page) add(line string) bool {
	if p.full() || p.bytes < len(line)+1 {
		return false
	}
	p.b.WriteString(line)
	p.b.WriteByte('\n')
	p.lines++
	p.bytes -= len(line) + 1
	return true
}

func (p *page) full() bool { return p.lines >= p.most }

func (p *page) outcome(trailer string, truncated bool) tools.Outcome {
	return tools.Outcome{Kind: tools.OK, Text: p.b.String() + "</content>\n(" + trailer + ")", Truncated: truncated}
}
