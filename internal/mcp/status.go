package mcp

import (
	"fmt"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Status is what is known of one server now.
type Status struct {
	Server Server
	// State is one line: whether it is connected, and else why not.
	State string
	// Listing is what it offers, nil when that is not known.
	Listing *Listing
	Tools   []Tool
	Prompts []Prompt
}

// A Tool is one tool on offer.
type Tool struct {
	Name   string // the wire name
	Def    Def
	Key    string // what is remembered when it is ratified
	Schema string // as the model sees it
}

// Status says of every server what is known of it, in their order, and a line
// for each tool that is not on offer.
func (c *Client) Status() ([]Status, []string) {
	all := make([]Status, len(c.links))
	offered, left := c.offered()
	prompts := c.Prompts(nil)
	for i, l := range c.links {
		all[i] = Status{Server: l.server, State: l.state(), Listing: l.listing()}
		for _, p := range prompts {
			if p.Server == l.server.Name {
				all[i].Prompts = append(all[i].Prompts, p)
			}
		}
		for _, t := range offered {
			if t.link == l {
				all[i].Tools = append(all[i].Tools, Tool{Name: t.name, Def: t.def, Key: t.key(), Schema: string(t.Spec().Schema)})
			}
		}
	}
	return all, left
}

func (l *link) state() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := "not started; nothing is known of it yet"
	if l.list != nil {
		known = fmt.Sprintf("not started; known since %s", l.list.At.Local().Format("2006-01-02 15:04"))
	}
	switch {
	case l.conn != nil:
		return "connected"
	case l.attempt != nil:
		return "being connected to"
	case l.failed != nil:
		if left := time.Until(l.again); left > 0 {
			return tools.CleanLine(fmt.Sprintf("failed: %v (tried again at the next use, in %s at the earliest)", l.failed, left.Round(time.Second)))
		}
		return tools.CleanLine("failed: " + l.failed.Error())
	case l.wasLate != "":
		return tools.CleanLine(known + "; at an earlier start: " + l.wasLate)
	}
	return known
}

// Wanting lists the servers that are not used because they want a login, with
// what to do about each.
func (c *Client) Wanting() map[string]string {
	wanting := map[string]string{}
	for _, l := range c.links {
		l.mu.Lock()
		if l.access != nil && l.access.Login {
			wanting[l.server.Name] = fmt.Sprintf("MCP server %s: %v", short(l.server.Name), l.access)
		}
		l.mu.Unlock()
	}
	return wanting
}

// Absent says, a line each, which servers are not there, so that nothing is known
// of what they offer, and why.
func (c *Client) Absent() []string {
	var lines []string
	for _, l := range c.links {
		l.mu.Lock()
		switch {
		case l.list != nil:
		case l.attempt != nil || l.failed == nil:
			lines = append(lines, short(l.server.Name)+": not ready yet; its tools come with the step after it is")
		default:
			lines = append(lines, tools.CleanLine(short(l.server.Name)+": "+tools.Clip(l.failed.Error(), 300)))
		}
		l.mu.Unlock()
	}
	return lines
}

// Troubles says, a line each, which servers were to be connected to and are not
// ready, and why.
func (c *Client) Troubles() []string {
	var lines []string
	for _, l := range c.links {
		l.mu.Lock()
		switch {
		case l.conn != nil:
		case l.attempt != nil && l.list == nil:
			lines = append(lines, fmt.Sprintf("MCP server %s is not ready yet; its tools come with the next step after it is", short(l.server.Name)))
		case l.failed != nil:
			lines = append(lines, tools.CleanLine(fmt.Sprintf("MCP server %s: %v", short(l.server.Name), l.failed)))
		}
		l.mu.Unlock()
	}
	return lines
}
