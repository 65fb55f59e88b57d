package main

import (
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/zuno-dev/zuno/internal/lsp"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// languages returns a client of the configured language servers. Those of a
// project's file are in the configuration only when the file is trusted.
func (p *plan) languages(files *file.Tools, procs *shell.Processes, env []string) (*lsp.Client, error) {
	var servers []lsp.Server
	for _, name := range slices.Sorted(maps.Keys(p.config.Languages)) {
		c := p.config.Languages[name]
		switch at := p.config.Places["lsp."+name]; {
		case len(c.Command) == 0:
			return nil, configErrorf("%s: lsp.%s has no command", at, name)
		case len(c.Extensions) == 0:
			return nil, configErrorf("%s: lsp.%s has no extensions: which files does it know?", at, name)
		}
		s := lsp.Server{Name: name, Command: c.Command, Extensions: c.Extensions}
		if c.Options != "" {
			s.Options = json.RawMessage(c.Options)
		}
		servers = append(servers, s)
	}
	return lsp.New(lsp.Config{
		Root: p.root, Servers: servers, Requests: p.config.Concurrency.LSPRequests,
		Resolve: func(path string) (lsp.Place, error) {
			name, real, manual, err := files.Readable(path)
			return lsp.Place{Name: name, Real: real, Manual: manual}, err
		},
		Launch: func(l lsp.Launch) (*lsp.Process, error) {
			program, err := shell.Program(l.Argv[0], l.Dir, env)
			if err != nil {
				return nil, err
			}
			s, err := procs.Serve(shell.Cmd{Argv: append([]string{program}, l.Argv[1:]...), Dir: l.Dir, Env: env, Limits: shell.Limits{Grace: serverGrace}}, io.Discard)
			if err != nil {
				return nil, err
			}
			return &lsp.Process{In: s.In, Out: s.Out, Exited: s.Exited, Stop: s.Stop, Status: s.Status}, nil
		},
	}), nil
}
