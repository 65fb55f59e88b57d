package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// readerName is the tool that reads the resources of all servers.
const readerName = "mcp_resource"

type readArgs struct {
	Server string `json:"server" doc:"Name of the MCP server."`
	URI    string `json:"uri,omitempty" doc:"URI of the resource. Leave it out to list what the server has."`
}

// reader returns the tool that reads resources; nil when no server has any.
func (c *Client) reader() tools.Tool {
	var having []string
	for _, l := range c.links {
		if offers := l.listing(); offers != nil && len(offers.Resources) > 0 {
			having = append(having, l.server.Name)
		}
	}
	if len(having) == 0 {
		return nil
	}
	spec := tools.Spec{
		Name:        readerName,
		Description: "List the resources of an MCP server, or read one of them. Servers with resources: " + c.conf.Escape(strings.Join(having, ", ")) + ". Reading one that the server has listed asks nobody; any other URI asks the user.",
		Effect:      tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.Exclusive, Risk: tools.ReadOnlyRisk,
	}
	return tools.New(spec, c.proposeRead)
}

// proposeRead takes the read of a listed resource for what it is. A URI that the
// model made up may carry anything to the server, so it asks.
func (c *Client) proposeRead(_ context.Context, spec tools.Spec, a readArgs) (*tools.Proposal, error) {
	l := c.link(a.Server)
	if l == nil || l.listing() == nil {
		return nil, tools.Refuse(tools.InvalidArguments, "there is no MCP server %q with resources", short(a.Server))
	}
	p := &tools.Proposal{Spec: spec, Summary: short(a.Server) + " · " + short(a.URI), Subjects: []string{a.URI}}
	if a.URI == "" {
		p.Summary = short(a.Server) + " · resources"
		p.Do = func(context.Context, string, func(tools.Progress)) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, Text: l.listing().catalogue()}
		}
		return p, nil
	}
	if !l.listing().has(a.URI) {
		p.Spec.Effect, p.Spec.Replay, p.Spec.Risk = tools.SideEffecting, tools.Never, tools.High
		p.Preview = []tools.Section{{Kind: tools.Text, Title: "reads from the MCP server " + short(a.Server) + " what it has not listed", Body: tools.Clean(a.URI)}}
	}
	spec = p.Spec
	p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
		return l.read(ctx, spec, a.URI)
	}
	return p, nil
}

func (l *Listing) has(uri string) bool {
	for _, r := range l.Resources {
		if r.URI == uri && !r.Template {
			return true
		}
	}
	return false
}

// catalogue lists the resources, a line each.
func (l *Listing) catalogue() string {
	var b strings.Builder
	for _, r := range l.Resources {
		b.WriteString(tools.CleanLine(r.URI))
		if r.Template {
			b.WriteString(" (fill in the parts in braces)")
		}
		for _, s := range []string{r.Name, r.MIME, r.Description} {
			if s != "" {
				b.WriteString(" · " + tools.CleanLine(s))
			}
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "the server lists no resources"
	}
	return b.String()
}

func (l *link) read(ctx context.Context, spec tools.Spec, uri string) tools.Outcome {
	c, err := l.connect(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped while the server was being connected to"}
		}
		return blocked(tools.Unavailable, "the MCP server %s cannot be used: %v", short(l.server.Name), err)
	}
	arrived := l.depart()
	r, err := c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	arrived()
	if page := wantsPage(err); page != nil {
		return l.first(ctx, page, func(tools.Progress) {})
	}
	if err != nil {
		return l.failure(ctx, c, spec, err)
	}
	var o tools.Outcome
	b := &clipped{}
	for i, x := range r.Contents {
		if i == maxItems {
			b.note("[%d more items are left out]", len(r.Contents)-i)
			break
		}
		if x != nil {
			resource(b, &o, x)
		}
	}
	o.Kind, o.Text, o.Truncated = tools.OK, b.String(), b.cut
	return o
}
