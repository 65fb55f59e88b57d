package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/debuglog"
	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// An mcpEntry is one configured server and what may be done with it.
type mcpEntry struct {
	server  mcp.Server
	project bool // it is the project's definition
	trusted bool
	off     bool
}

// use reports whether the server may be connected to.
func (e mcpEntry) use() bool { return e.trusted && !e.off }

// mcpEntries returns the servers of the configuration and of the project's
// .mcp.json, by name, and what is wrong with the latter.
func (p *plan) mcpEntries() (list []mcpEntry, notices []string) {
	shared, wrong := config.LoadMCP(p.root)
	for _, n := range wrong {
		notices = append(notices, n.String())
	}
	all, projects := config.MergeMCP(p.config.MCP, shared)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		e := mcpEntry{server: mcpServer(name, all[name], p.root), project: slices.Contains(projects, name), off: all[name].Off()}
		e.trusted = !e.project || p.trusts("mcp server", name, e.server.Text())
		list = append(list, e)
	}
	return list, notices
}

// projectServers lists the servers that a project defines and that are not
// switched off, with their exact definitions.
func projectServers(p *plan) []trustItem {
	var items []trustItem
	list, _ := p.mcpEntries()
	for _, e := range list {
		if e.project && !e.off {
			items = append(items, trustItem{"mcp server", e.server.Name, e.server.Text()})
		}
	}
	return items
}

func mcpServer(name string, c config.MCPServer, root string) mcp.Server {
	s := mcp.Server{
		Name: name, From: c.Place.String(), Command: c.Command, Env: c.Env, URL: c.URL, Headers: c.Headers, SSE: c.Type == "sse",
		Wait: time.Duration(c.Timeout) * time.Millisecond, Limit: time.Duration(c.CallTimeout) * time.Millisecond, Only: c.Only, Except: c.Except,
		OAuth: mcp.OAuth{ClientID: c.OAuth.ClientID, ClientSecret: c.OAuth.ClientSecret, Scope: c.OAuth.Scope, Port: c.OAuth.CallbackPort, Redirect: c.OAuth.RedirectURI},
	}
	if s.URL == "" {
		if s.Dir = c.Dir; !filepath.IsAbs(s.Dir) && !strings.HasPrefix(s.Dir, "$") && s.Dir != "~" && !strings.HasPrefix(s.Dir, "~/") {
			s.Dir = filepath.Join(root, s.Dir)
		}
	}
	return s
}

// newMCP returns a client of the servers that may be used, nil where there are
// none, and what a person should know of the others. people is those parts of
// conf that a person is behind; the rest of it is filled in.
func (p *plan) newMCP(procs *shell.Processes, people mcp.Config) (*mcp.Client, []string) {
	list, notices := p.mcpEntries()
	var servers []mcp.Server
	for _, e := range list {
		if e.use() {
			servers = append(servers, e.server)
		}
	}
	if len(servers) == 0 {
		return nil, notices
	}
	conf := people
	conf.Servers, conf.Version, conf.Env, conf.Lookup, conf.Escape = servers, versionText(), p.environ(), p.variable, agent.Escape
	conf.Cache, conf.Connections = filepath.Join(p.paths.Cache, "mcp"), p.config.Concurrency.MCPConnections
	conf.Launch, conf.Logins, conf.Note = launcher(procs), p.logins(), p.noteServer()
	conf.Clean = debuglog.Cleaner(append(unloggable(p.config), entrusted(servers)...))
	return mcp.New(conf), notices
}

// variable is os.LookupEnv for one who is where zuno works, and not where it was
// started.
func (p *plan) variable(name string) (string, bool) {
	if name == "PWD" {
		return p.dir, true
	}
	return os.LookupEnv(name)
}

// entrusted is what servers are given that no text about them may hold: the
// values of their environment and headers, and of the variables in these.
func entrusted(servers []mcp.Server) []redact.Secret {
	var list []redact.Secret
	for _, s := range servers {
		for what, values := range map[string]map[string]string{"environment": s.Env, "headers": s.Headers} {
			name := "mcp." + s.Name + "." + what
			for _, v := range values {
				list = append(list, redact.Secret{Name: name, Value: v})
				for _, m := range regexp.MustCompile(`\$\{(\w+)`).FindAllStringSubmatch(v, -1) {
					list = append(list, redact.Secret{Name: name, Value: os.Getenv(m[1])})
				}
			}
		}
	}
	return list
}

// serverGrace is how long a server gets between SIGTERM and SIGKILL: zuno is
// gone two seconds after it was told to leave.
const serverGrace = time.Second

// launcher starts the programs of servers among the processes of the session.
func launcher(procs *shell.Processes) func(mcp.Launch) (*mcp.Process, error) {
	return func(l mcp.Launch) (*mcp.Process, error) {
		program, err := shell.Program(l.Argv[0], l.Dir, l.Env)
		if err != nil {
			return nil, err
		}
		argv := append([]string{program}, l.Argv[1:]...)
		s, err := procs.Serve(shell.Cmd{Argv: argv, Dir: l.Dir, Env: l.Env, Limits: shell.Limits{Grace: serverGrace}}, l.Stderr)
		if err != nil {
			return nil, err
		}
		return &mcp.Process{In: s.In, Out: s.Out, Exited: s.Exited, Stop: s.Stop, Status: s.Status}, nil
	}
}

// servers gives the session its MCP client, and returns what offers its tools to
// the model; nil where there are no servers. Servers that nothing is known of
// are connected to in the background. Where nobody is there to write a second
// prompt, the first request waits for those of them that were never tried.
func (s *session) servers(p *plan, allowed *store.Allowlist, attended bool, said io.Writer) func(context.Context) []tools.Tool {
	people := mcp.Config{Ratified: ratifications{allowed}.class, Copy: s.copy}
	if attended {
		people.Ask = func(ctx context.Context, q *tools.Proposal) (tools.Decision, error) {
			return s.gate.Decide(ctx, q, nil)
		}
		if _, err := p.browser(); err == nil {
			people.Open = p.browse
		}
	} else {
		people.Said = func(line string) { fmt.Fprintln(said, "zuno: "+oneLine(line)) }
	}
	client, notices := p.newMCP(s.procs, people)
	s.notices = append(s.notices, notices...)
	if client == nil {
		return nil
	}
	s.mcp = client
	s.closers = append(s.closers, client.Close)
	client.Discover()
	awaited := attended
	s.await = func(ctx context.Context) {
		if awaited {
			return
		}
		awaited = true
		client.Await(ctx)
		told := slices.Collect(maps.Values(s.wants)) // when the server was quicker than the prompt
		for _, t := range client.Troubles() {
			if !slices.Contains(told, t) {
				fmt.Fprintln(said, "zuno: "+oneLine(t))
			}
		}
	}
	return func(ctx context.Context) []tools.Tool {
		s.await(ctx)
		return slices.DeleteFunc(client.Tools(ctx), func(t tools.Tool) bool { return !s.plan.offers(t.Spec().Name) })
	}
}

// wanting says, once for each, which servers want a login.
func (s *session) wanting() []string {
	if s.mcp == nil {
		return nil
	}
	now := s.mcp.Wanting()
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, told := s.wants[name]; !told {
			lines = append(lines, now[name])
		}
	}
	s.wants = now
	return lines
}

// offers reports whether the configuration and the agent leave a tool of a
// server on.
func (p *plan) offers(name string) bool {
	on, switched := p.config.Tools[name]
	return (!switched || on) && (p.profile.Tools == nil || slices.Contains(p.profile.Tools, name))
}

// isMCP reports whether name is that of a tool that a server brings.
func isMCP(name string) bool { return strings.HasPrefix(name, "mcp_") }

// mcpSpelling turns the mcp__server__tool of other agents into zuno's spelling.
func mcpSpelling(name string) string {
	rest, theirs := strings.CutPrefix(name, "mcp__")
	if !theirs {
		return name
	}
	return "mcp_" + strings.Replace(rest, "__", "_", 1)
}

// withoutMCP returns the names that are not of such tools; nil stays nil.
func withoutMCP(names []string) []string {
	if names == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(names), isMCP)
}

// mcpPermissions says, a line each, what the servers are doing and what runs of
// their tools without asking.
func (s *session) mcpPermissions(p *plan) ([]string, error) {
	if s.mcp == nil {
		return nil, nil
	}
	all, lines := s.mcp.Status()
	marks := ratifications{s.allowed}
	for _, st := range all {
		lines = append(lines, fmt.Sprintf("MCP server %s: %s", st.Server.Name, st.State))
		for _, t := range st.Tools {
			if !p.offers(t.Name) {
				continue
			}
			word, err := marks.words(t.Key)
			if err != nil {
				return nil, err
			}
			lines = append(lines, fmt.Sprintf("MCP tool %s (%s · %s): %s", t.Name, st.Server.Name, oneLine(t.Def.Name), word))
		}
	}
	return lines, nil
}
