package search

import (
	"context"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

type globArgs struct {
	Pattern string `json:"pattern" doc:"glob such as **/*.go, src/**/*.{ts,tsx} or README*; without a slash it is for the name in any directory"`
	Path    string `json:"path,omitempty" doc:"directory to search; the workspace when left out"`
}

func (c Config) glob() tools.Tool {
	s := spec("glob", fmt.Sprintf("Find files by name. Lists absolute paths, one a line, sorted, at most %d. "+
		"Hidden files are found; .git and what the ignore files name is not.", maxResults))
	return tools.New(s, func(ctx context.Context, _ tools.Spec, a globArgs) (*tools.Proposal, error) {
		r, err := c.find(a.Path)
		if err != nil {
			return nil, err
		}
		if r.file {
			return nil, tools.Refuse(tools.InvalidArguments, "path %s is a file, not a directory", tools.CleanLine(a.Path))
		}
		pat, err := compile(a.Pattern, r.abs)
		if err != nil {
			return nil, tools.Refuse(tools.InvalidArguments, "pattern: %v", err)
		}
		rg, err := c.Rg(ctx)
		if err != nil {
			return nil, tools.Refuse(tools.Unavailable, "%v", err)
		}
		p := r.propose(a.Pattern)
		below := strings.TrimSuffix(r.abs, "/") + "/"
		job := search{
			rg: rg, args: []string{"--files"}, root: r, env: c.Env, decode: newPaths,
			keep: func(h hit) bool { return pat.match(strings.TrimPrefix(h.path, below)) },
		}
		p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
			return globbed(job.run(ctx))
		}
		return p, nil
	})
}

func globbed(f found, err error) tools.Outcome {
	if err != nil {
		return outcome(err)
	}
	var b strings.Builder
	if len(f.hits) == 0 {
		b.WriteString("No files found\n")
	}
	var files []string
	for _, h := range f.hits {
		b.WriteString(tools.CleanLine(h.path) + "\n")
		files = append(files, h.path)
	}
	cut := f.truncated("files")
	b.WriteString(cut + f.notes())
	return tools.Outcome{Kind: tools.OK, Truncated: cut != "", Files: files, Text: strings.TrimSuffix(b.String(), "\n")}
}

// maxPath bounds what is kept of a name. PATH_MAX is 4096 on Linux; a message
// may stand before it.
const maxPath = 8 << 10

// paths decodes names that each end in NUL.
type paths struct {
	emit func(hit) bool
	name []byte
}

func newPaths(emit func(hit) bool, _ *int) decoder { return &paths{emit: emit} }

func (d *paths) feed(chunk []byte) bool {
	for len(chunk) > 0 {
		field, rest, ok := cutField(chunk, 0)
		d.name = appendBounded(d.name, field, maxPath)
		if !ok {
			return true
		}
		chunk = rest
		h := hit{path: string(d.name)}
		d.name = d.name[:0]
		if !d.emit(h) {
			return false
		}
	}
	return true
}

func (d *paths) end() {}
