package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newMCPCommand returns the commands about MCP servers.
func newMCPCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Show, try and ratify MCP servers and their tools",
		Long: `mcp shows the MCP servers of the configuration and of the project's .mcp.json,
where each comes from and what exactly it runs. list starts nothing. tools starts
a server only when nothing is known of it, test always does.

A remote server that asks for a login gets it by login: zuno shows the address of
the page, which you visit in your browser. Nothing is opened before you say so.

Every tool of a server is high-risk until you ratify it. What you ratify is one
definition of one tool by one definition of a server: when either changes, it is
asked about again.`,
		Example: `  zuno mcp list
  zuno mcp test github
  zuno mcp tools github
  zuno mcp login github
  zuno mcp ratify github search_code read-only`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		mcpSub("list", "List the servers, where each comes from and what it runs", 0, listServers),
		mcpSub("tools NAME", "List the tools of a server and what each is ratified as", 1, listServerTools),
		mcpSub("test NAME", "Connect to a server now, and say what it offers or why not", 1, testServer),
		mcpSub("login NAME", "Log in to a remote server in your browser, and keep the login for you alone", 1, loginServer),
		mcpSub("logout NAME", "Forget the login to a server", 1, logoutServer),
		mcpSub("ratify NAME TOOL WHAT", "Say of a tool, as it is defined now, that it is read-only, low-risk, always allowed (always) or high-risk", 3, ratifyTool),
	)
	return cmd
}

func mcpSub(use, short string, n int, run func(context.Context, io.Writer, *plan, []string) error) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use: use, Short: short, SuggestFor: map[string][]string{"list": {"ls", "show"}}[use],
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != n {
				return usageErrorf("%s (see %s --help)", "give "+strings.Join(append(strings.Fields(use)[1:], "and nothing else"), " "), cmd.CommandPath())
			}
			p, err := newPlan(f)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return run(ctx, cmd.OutOrStdout(), p, args)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
	return cmd
}

// withServers calls f with a client, which may be nil, and what is remembered.
func (p *plan) withServers(f func(*mcp.Client, *ratifications) error) error {
	procs := &shell.Processes{}
	client, _ := p.newMCP(procs, mcp.Config{})
	err := p.withRecord(func(db *store.Store) error {
		if db == nil {
			return f(client, nil)
		}
		return f(client, &ratifications{db.Allowlist(p.root)})
	})
	if client != nil {
		err = errors.Join(err, client.Close())
	}
	return errors.Join(err, procs.Close())
}

func (r *ratifications) say(key string) (string, error) {
	if r == nil {
		return "high-risk, not ratified", nil
	}
	return r.words(key)
}

func listServers(_ context.Context, w io.Writer, p *plan, _ []string) error {
	list, notices := p.mcpEntries()
	var lines []string
	err := p.withServers(func(client *mcp.Client, _ *ratifications) error {
		lines = p.serverLines(list, notices, client)
		return nil
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// serverLines says of every server what it is and what client, which may be nil,
// knows of it.
func (p *plan) serverLines(list []mcpEntry, notices []string, client *mcp.Client) []string {
	lines := slices.Clone(notices)
	if len(list) == 0 {
		lines = append(lines, "there are no MCP servers: add one to mcp in zuno.json, or to a project's .mcp.json")
	}
	states := map[string]mcp.Status{}
	var left []string
	if client != nil {
		var all []mcp.Status
		all, left = client.Status()
		for _, s := range all {
			states[s.Server.Name] = s
		}
	}
	for _, e := range list {
		fact := func(what, text string) {
			if text != "" {
				lines = append(lines, fmt.Sprintf("  %-9s %s", what, text))
			}
		}
		known := states[e.server.Name]
		state := known.State
		switch {
		case e.off:
			state = "switched off"
		case !e.trusted:
			state = "not used: it is the project's, and is not trusted (zuno trust shows it and asks)"
		}
		runs := "runs"
		if e.server.URL != "" {
			runs = "address"
		}
		lines = append(lines, e.server.Name)
		fact(runs, e.server.CommandLine())
		fact("from", e.server.From)
		fact("state", oneLine(state))
		if e.use() {
			fact("login", p.logins().words(e.server))
		}
		if l := known.Listing; l != nil {
			fact("offers", fmt.Sprintf("%s, %s, %s", counted(len(known.Tools), "tool"), counted(len(l.Resources), "resource"), counted(len(l.Prompts), "prompt")))
		}
		mine := leftOf(left, e.server.Name)
		for i, l := range mine {
			if i == mostLeft {
				fact("but", fmt.Sprintf("%d more, which zuno mcp tools %s lists", len(mine)-i, e.server.Name))
				break
			}
			fact("but", l)
		}
		fact("sets", keysOf(e.server.Env))
		fact("headers", keysOf(e.server.Headers))
	}
	return lines
}

// usable returns an error unless the server may be connected to.
func (p *plan) usable(name string) error {
	list, _ := p.mcpEntries()
	var names []string
	for _, e := range list {
		names = append(names, e.server.Name)
		switch {
		case e.server.Name != name:
		case e.off:
			return fmt.Errorf("the MCP server %s is switched off (%s)", name, e.server.From)
		case !e.trusted:
			return fmt.Errorf("the MCP server %s is the project's (%s) and is not trusted (zuno trust shows it and asks): %s", name, e.server.From, oneLine(e.server.Text()))
		default:
			return nil
		}
	}
	if len(names) == 0 {
		return usageErrorf("there is no MCP server %q: none is configured", tools.CleanLine(tools.Clip(name, 64)))
	}
	return usageErrorf("there is no MCP server %q; there are: %s", tools.CleanLine(tools.Clip(name, 64)), strings.Join(names, " "))
}

func listServerTools(ctx context.Context, w io.Writer, p *plan, args []string) error {
	if err := p.usable(args[0]); err != nil {
		return err
	}
	return p.withServers(func(client *mcp.Client, r *ratifications) error {
		st, left := statusOf(client, args[0])
		if st.Listing == nil {
			if _, err := client.Connect(ctx, args[0]); err != nil {
				return fmt.Errorf("the MCP server %s: %w", args[0], err)
			}
			st, left = statusOf(client, args[0])
		}
		return printTools(w, st, left, r)
	})
}

// mostLeft is how many tools that are not on offer a list of servers names.
const mostLeft = 5

// leftOf returns what is said of the server called name among the lines of all.
func leftOf(left []string, name string) []string {
	var mine []string
	for _, l := range left {
		if l, is := strings.CutPrefix(l, "MCP server "+name+": "); is {
			mine = append(mine, l)
		}
	}
	return mine
}

func statusOf(client *mcp.Client, name string) (mcp.Status, []string) {
	all, left := client.Status()
	left = leftOf(left, name)
	for _, s := range all {
		if s.Server.Name == name {
			return s, left
		}
	}
	return mcp.Status{}, left
}

func printTools(w io.Writer, st mcp.Status, left []string, r *ratifications) error {
	var b strings.Builder
	for _, t := range st.Tools {
		word, err := r.say(t.Key)
		if err != nil {
			return err
		}
		claims := "claims nothing"
		if len(t.Def.Hints) > 0 {
			claims = "claims: " + strings.Join(t.Def.Hints, ", ")
		}
		fmt.Fprintf(&b, "%s\n  as        %s\n  is        %s\n  says      %s\n  %s\n  key       %s\n", oneLine(t.Def.Name), t.Name, word, oneLine(tools.Clip(t.Def.Description, 300)), claims, t.Key)
	}
	for _, l := range left {
		fmt.Fprintf(&b, "%s\n", oneLine(l))
	}
	for _, x := range st.Listing.Resources {
		fmt.Fprintf(&b, "resource  %s\n", oneLine(x.URI))
	}
	for _, x := range st.Prompts {
		fmt.Fprintf(&b, "prompt    %s %s (/%s)\n", oneLine(x.Name), oneLine(x.Usage()), x.Command)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func testServer(ctx context.Context, w io.Writer, p *plan, args []string) error {
	if err := p.usable(args[0]); err != nil {
		return err
	}
	return p.withServers(func(client *mcp.Client, _ *ratifications) error {
		began := time.Now()
		list, err := client.Connect(ctx, args[0])
		if err != nil {
			return fmt.Errorf("the MCP server %s: %w", args[0], err)
		}
		st, left := statusOf(client, args[0])
		var b strings.Builder
		fmt.Fprintf(&b, "%s works: ready after %s; %d tools, %d resources, %d prompts\n", args[0], time.Since(began).Round(time.Millisecond), len(st.Tools), len(list.Resources), len(list.Prompts))
		for _, l := range left {
			fmt.Fprintf(&b, "%s\n", oneLine(l))
		}
		_, err = io.WriteString(w, b.String())
		return err
	})
}

func ratifyTool(ctx context.Context, w io.Writer, p *plan, args []string) error {
	name, tool, what := args[0], args[1], args[2]
	if err := notAnAgent(); err != nil {
		return err
	}
	said, ok := map[string]string{
		"read-only": "counts as read-only: it runs without asking, beside others, and may be tried again",
		"low-risk":  "counts as low-risk", "always": "runs without asking", "high-risk": "is high-risk again, and asks",
	}[what]
	if !ok {
		return usageErrorf("ratify a tool as read-only, low-risk, always or high-risk, not as %q", tools.CleanLine(tools.Clip(what, 40)))
	}
	if err := p.usable(name); err != nil {
		return err
	}
	key := ""
	err := p.withServers(func(client *mcp.Client, _ *ratifications) error {
		st, _ := statusOf(client, name)
		if st.Listing == nil {
			if _, err := client.Connect(ctx, name); err != nil {
				return fmt.Errorf("the MCP server %s: %w", name, err)
			}
			st, _ = statusOf(client, name)
		}
		for _, t := range st.Tools {
			if t.Def.Name == tool || t.Name == tool {
				key = t.Key
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case key == "":
		return usageErrorf("the MCP server %s has no tool %q (zuno mcp tools %s lists them)", name, tools.CleanLine(tools.Clip(tool, 80)), name)
	}
	return p.remember(w, func(r ratifications) error { return r.set(key, what) },
		fmt.Sprintf("the tool %s of the MCP server %s, as it is defined now, %s", tool, name, said))
}

// keysOf are the names in m, sorted: values may be secrets.
func keysOf(m map[string]string) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
