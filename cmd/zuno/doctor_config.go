package main

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/mcp"
)

// configFindings lists the files in force and where each value comes from.
func configFindings(p *plan) []finding {
	list := []finding{}
	if len(p.config.Files) == 0 {
		list = append(list, fine("configuration", "no file is in force; yours would be "+p.paths.Config+"/zuno.json (zuno config edit makes one)"))
	}
	for _, file := range p.config.Files {
		list = append(list, fine("configuration", file.Path+" ("+standing(p, file)+")"))
	}
	for _, line := range settingLines(p.config.Settings()) {
		list = append(list, fine("setting", line))
	}
	for _, n := range p.notices {
		if n == inert(p.untrusted()) {
			continue // it stands below
		}
		list = append(list, noted("configuration", n, ""))
	}
	return list
}

// mcpFindings lists the servers and what is known of their state. None is
// started.
func mcpFindings(p *plan) []finding {
	servers, notices := p.mcpEntries()
	var list []finding
	for _, n := range notices {
		list = append(list, wrong("MCP servers", n, "correct the file that is named"))
	}
	states := map[string]mcp.Status{}
	err := p.withServers(func(client *mcp.Client, _ *ratifications) error {
		if client != nil {
			all, _ := client.Status()
			for _, s := range all {
				states[s.Server.Name] = s
			}
		}
		return nil
	})
	if err != nil {
		list = append(list, wrong("MCP servers", err.Error(), "zuno mcp list shows them"))
	}
	for _, e := range servers {
		name := e.server.Name
		switch {
		case e.off:
			list = append(list, fine("MCP server", name+": switched off ("+e.server.From+")"))
		case !e.trusted:
			list = append(list, noted("MCP server", name+": the project's and not trusted, so it is not used ("+e.server.From+")", "zuno trust shows it and asks"))
		default:
			state := states[name].State
			if login := p.logins().words(e.server); login != "" {
				state += "; " + login
			}
			list = append(list, fine("MCP server", fmt.Sprintf("%s: %s (%s; zuno mcp test %s connects to it)", name, state, e.server.From, name)))
		}
	}
	return list
}

// trustFindings lists what of the project does not act.
func trustFindings(p *plan) []finding {
	all, not := found(p), p.untrusted()
	switch {
	case len(all) == 0:
		return []finding{fine("trust", "the folder brings nothing along that needs it")}
	case len(not) == 0:
		return []finding{fine("trust", counted(len(all), "thing")+" that the folder brings along: trusted")}
	}
	what, advice, _ := strings.Cut(inert(not), " (")
	return []finding{noted("trust", what, strings.TrimSuffix(advice, ")")+"; what makes zuno stricter is in force without")}
}
