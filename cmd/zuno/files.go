package main

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
)

// The bounds of one list of files.
const (
	maxListed = 100_000
	listTime  = 20 * time.Second
)

// listFiles returns the files of the workspace that git does not ignore, and
// their folders, which end in a slash, and what else can be mentioned. It holds
// maxListed files at most.
func (p *plan) listFiles(ctx context.Context, rg *ripgrep) ([]string, error) {
	program, err := rg.path(ctx)
	if err != nil {
		return nil, err
	}
	var names splitter
	r := shell.Run(ctx, shell.Cmd{
		Argv: []string{program, "--files", "--null", "--hidden", "--no-config", "--no-messages", "--glob", "!.git"},
		Dir:  p.root, Env: p.environ(), Limits: shell.Limits{Time: listTime}, Sink: names.take,
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !r.Started:
		return nil, fmt.Errorf("ripgrep: %w", r.Err)
	}
	// Its exit says only whether there were files, or that some folder could not
	// be read.
	list := withFolders(names.list)
	if inRepository(p.root) {
		list = append(list, mentionDiff, mentionStaged)
	}
	return list, nil
}

// A splitter collects the names that NUL bytes end.
type splitter struct {
	list []string
	rest []byte
}

func (s *splitter) take(chunk []byte) bool {
	s.rest = append(s.rest, chunk...)
	for {
		name, rest, ok := bytes.Cut(s.rest, []byte{0})
		if !ok {
			return true
		}
		s.rest = rest
		if s.list = append(s.list, string(name)); len(s.list) >= maxListed {
			return false
		}
	}
}

func withFolders(files []string) []string {
	seen := map[string]bool{}
	for _, f := range files {
		for d := path.Dir(f); d != "." && d != "/" && !seen[d]; d = path.Dir(d) {
			seen[d] = true
			files = append(files, d+"/")
		}
	}
	return files
}
