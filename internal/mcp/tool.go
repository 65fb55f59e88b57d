package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Class is what a person has ratified one definition of one tool as.
type Class int

// The classes. Unratified is the zero value: the tool has effects, happens at
// most once, runs alone and is high-risk.
const (
	Unratified Class = iota
	LowRisk          // has effects, but none that needs asking under a low-risk policy
	ReadOnly         // changes nothing: it may run beside others, and again
)

// maxOffered bounds the tools of all servers together: each is sent with every
// request, and providers take no more than about this many.
const maxOffered = 100

// Tools returns the tools of all servers, in the order of the servers. First it
// asks the connected ones whose lists have changed for the new ones. It starts
// no server. It is called on the goroutine of the turn.
func (c *Client) Tools(ctx context.Context) []tools.Tool {
	done := make(chan struct{}, len(c.links))
	for _, l := range c.links {
		go func() { l.renew(ctx); done <- struct{}{} }()
	}
	for range c.links {
		<-done
	}
	offered, _ := c.offered()
	list := make([]tools.Tool, 0, len(offered)+1)
	for _, t := range offered {
		list = append(list, t)
	}
	if r := c.reader(); r != nil {
		list = append(list, r)
	}
	return list
}

// A surface is what all servers offer together, as of some listings.
type surface struct {
	of   []*Listing
	list []*tool
	left []string
}

// offered returns the tools that are on offer, and a line for each that is not.
// They are made anew when a listing is another.
func (c *Client) offered() (list []*tool, left []string) {
	of := make([]*Listing, len(c.links))
	for i, l := range c.links {
		of[i] = l.listing()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(of, c.made.of) {
		list, left = c.surface(of)
		c.made = surface{of, list, left}
	}
	return c.made.list, c.made.left
}

func (c *Client) surface(of []*Listing) (list []*tool, left []string) {
	n := namer{taken: map[string]bool{}}
	for _, l := range c.links {
		n.servers = append(n.servers, l.server.Name)
	}
	for i, l := range c.links {
		offers := of[i]
		if offers == nil {
			continue
		}
		for _, line := range offers.Left {
			left = append(left, "MCP server "+short(l.server.Name)+": "+line)
		}
		first := true
		for _, d := range offers.Tools {
			if !l.server.offers(d.Name) {
				continue
			}
			name := n.name(l.server.Name, d.Name)
			if name == "" || len(list) >= maxOffered {
				left = append(left, fmt.Sprintf("MCP server %s: the tool %s is not offered: %s", short(l.server.Name), short(d.Name),
					map[bool]string{true: "its name cannot be told from another's", false: fmt.Sprintf("there are more than %d; disabled_tools and enabled_tools choose", maxOffered)}[name == ""]))
				continue
			}
			t := &tool{link: l, def: d, name: name}
			if first {
				t.notes, first = offers.Instructions, false
			}
			t.spec = t.declare()
			list = append(list, t)
		}
	}
	return list, left
}

// offers reports whether the configuration leaves the tool on.
func (s Server) offers(name string) bool {
	return (s.Only == nil || slices.Contains(s.Only, name)) && !slices.Contains(s.Except, name)
}

// A tool is one tool of a server, as of one listing.
type tool struct {
	link  *link
	def   Def
	name  string // the wire name
	notes string // the server's instructions, with its first tool
	spec  tools.Spec
}

// key names this definition of the tool by this definition of the server: what a
// person ratifies.
func (t *tool) key() string { return ratifiedKey(t.link.server.Name, t.def.Name, t.version()) }

func (t *tool) version() string { return sum(t.link.hash, t.def.hash()) }

// ratifiedKey is what is remembered of a ratified tool.
func ratifiedKey(server, tool, version string) string {
	word := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return '_'
			}
			return r
		}, short(s))
	}
	return "mcp: " + word(server) + " " + word(tool) + " " + version
}

// Spec declares the strictest: what the person has ratified is asked for each
// call.
func (t *tool) Spec() tools.Spec { return t.spec }

func (t *tool) declare() tools.Spec {
	escape := t.link.client.conf.Escape
	says := escape(t.def.Description)
	if strings.TrimSpace(says) == "" {
		says = "The tool " + escape(t.def.Name) + "."
	}
	text := fmt.Sprintf("[MCP server %s] %s", tools.CleanLine(t.link.server.Name), says)
	if notes := strings.TrimSpace(t.notes); notes != "" {
		text += "\n\nThe server says of all its tools: " + escape(tools.Clip(notes, 2<<10))
	}
	return tools.Spec{Name: t.name, Description: text, Schema: words(t.def.Schema, escape), Risk: tools.High, Timeout: t.link.server.Limit}
}

// Propose checks that the arguments are an object, and no more: they go to the
// server as they are.
func (t *tool) Propose(_ context.Context, call tools.Call) (*tools.Proposal, error) {
	args := bytes.TrimSpace(call.Args)
	var pretty bytes.Buffer
	if !utf8.Valid(args) || len(args) == 0 || args[0] != '{' || json.Indent(&pretty, args, "", "  ") != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: not a JSON object")
	}
	spec, class, err := t.ratified()
	if err != nil {
		return nil, err
	}
	server := t.link.server
	p := &tools.Proposal{
		Call: call, Spec: spec, Summary: short(server.Name) + " · " + short(t.def.Name),
		Key: t.key(), Version: t.version(), Subjects: []string{t.def.Name},
		Preview: []tools.Section{{Kind: tools.Text, Title: "arguments", Body: tools.Clean(pretty.String())}},
	}
	p.Preview = append(p.Preview, tools.Section{Kind: tools.Text, Title: "MCP server " + short(server.Name), Body: server.where()})
	p.Preview = append(p.Preview, tools.Section{Kind: tools.Text, Title: "the server says", Body: t.claims(class)})
	p.Do = func(ctx context.Context, _ string, report func(tools.Progress)) tools.Outcome {
		return t.call(ctx, spec, args, report)
	}
	return p, nil
}

// ratified is the spec with what the person has said of this definition.
func (t *tool) ratified() (tools.Spec, Class, error) {
	spec := t.Spec()
	if t.link.client.conf.Ratified == nil {
		return spec, Unratified, nil
	}
	class, err := t.link.client.conf.Ratified(t.key())
	if err != nil {
		return spec, class, fmt.Errorf("look up what %s is ratified as: %w", t.name, err)
	}
	switch class {
	case LowRisk:
		spec.Risk = tools.Low
	case ReadOnly:
		spec.Effect, spec.Replay, spec.Concurrency, spec.Risk = tools.ReadOnly, tools.Safe, tools.ParallelSafe, tools.ReadOnlyRisk
	}
	return spec, class, nil
}

// claims are the server's words about the tool, for the card.
func (t *tool) claims(class Class) string {
	text := tools.Clip(strings.TrimSpace(t.def.Description), 600)
	if t.def.Title != "" {
		text = t.def.Title + ": " + text
	}
	if text == "" {
		text = "nothing about it"
	}
	hints := "It claims nothing about effects."
	if len(t.def.Hints) > 0 {
		hints = "It claims: " + strings.Join(t.def.Hints, ", ") + ". A claim decides nothing."
	}
	if class != Unratified {
		hints += " You ratified it as " + class.String() + "."
	}
	return tools.Clean(text + "\n" + hints)
}

// String returns the word of the class.
func (c Class) String() string { return [...]string{"high-risk", "low-risk", "read-only"}[c] }

// call sends the call, if the server still has the tool that was shown.
func (t *tool) call(ctx context.Context, spec tools.Spec, args json.RawMessage, report func(tools.Progress)) tools.Outcome {
	l := t.link
	c, err := l.connect(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped while the server was being connected to; the call was not sent"}
		}
		return blocked(tools.Unavailable, "the MCP server %s cannot be used: %v. The call was not sent.", short(l.server.Name), err)
	}
	l.renew(ctx)
	switch now := l.listing().find(t.def.Name); {
	case now == nil:
		return blocked(tools.Unavailable, "the MCP server %s no longer has the tool %s. The call was not sent.", short(l.server.Name), short(t.def.Name))
	case now.hash() != t.def.hash():
		return blocked(tools.Stale, "the MCP server %s has changed the definition of %s since it was shown. The call was not sent; look at the new definition and call it again.", short(l.server.Name), short(t.def.Name))
	}
	params := &sdk.CallToolParams{Name: t.def.Name, Arguments: args}
	token, stop := l.client.routes.open(l, report)
	defer stop()
	params.SetProgressToken(token)
	arrived := l.depart()
	result, err := c.session.CallTool(ctx, params)
	arrived()
	if page := wantsPage(err); page != nil {
		return l.first(ctx, page, report)
	}
	if err != nil {
		return l.failure(ctx, c, spec, err)
	}
	return render(result)
}

func blocked(b tools.Block, format string, args ...any) tools.Outcome {
	return tools.Outcome{Kind: tools.Blocked, Block: b, Text: fmt.Sprintf(format, args...)}
}

// answer returns the error that the server itself answered with. The library's
// own errors, of a transport that failed, have the same type and these codes.
func answer(err error) (*jsonrpc.Error, bool) {
	var said *jsonrpc.Error
	if !errors.As(err, &said) {
		return nil, false
	}
	own := []int64{-32001, -32003, -32004, -32005}
	return said, !slices.Contains(own, said.Code)
}

// maxData bounds what is told of the data of an error, in bytes.
const maxData = 2 << 10

// why is what a server says of an error, with the data that it gives along.
func why(said *jsonrpc.Error) string {
	text := said.Message
	if strings.TrimSpace(text) == "" {
		text = fmt.Sprintf("it does not say why (code %d)", said.Code)
	}
	if data := strings.TrimSpace(string(said.Data)); data != "" && data != "null" && !strings.Contains(text, strings.Trim(data, `"`)) {
		text += "\n" + tools.Clip(data, maxData)
	}
	return text
}

// tooLate reports whether a call met a connection that had ended, so that nothing
// was written, or the pipe of a program that was gone, which read no more. Only the
// words tell the first from an answer of the server with that code.
func tooLate(err error) bool {
	return errors.Is(err, errEnded) || errors.Is(err, sdk.ErrConnectionClosed) && strings.Contains(err.Error(), "client is closing")
}

// failure is the outcome of a call without a result. Only what the server itself
// answers is known: when the answer is lost, the effect may have happened.
func (l *link) failure(ctx context.Context, c *conn, spec tools.Spec, err error) tools.Outcome {
	said, answered := answer(err)
	var access *AccessError
	var refusal *refusal
	text := tools.Clean(plainError(err))
	switch {
	case ctx.Err() != nil:
		// The loop says whether it was stopped or took too long.
		return tools.Outcome{Kind: tools.Error, Text: "the server was told to stop", Started: true}
	case errors.As(err, &access):
		return blocked(tools.Unavailable, "the MCP server %s did not carry it out: %v", short(l.server.Name), access)
	case l.dropped(c, err) && errors.As(err, &refusal):
		return blocked(tools.Unavailable, "the MCP server %s no longer knows this session (%v) and carried nothing out. zuno connects anew at the next call: call again.", short(l.server.Name), refusal)
	case tooLate(err):
		return blocked(tools.Unavailable, "the MCP server %s had ended when it was to be called. The call was not sent; the next one starts it again.", short(l.server.Name))
	case errors.As(err, &refusal) && refusal.unsent != nil:
		return blocked(tools.Unavailable, "the MCP server %s cannot be reached: %v. The call was not sent.", short(l.server.Name), plainError(refusal))
	case errors.As(err, &refusal):
		return blocked(tools.Unavailable, "the MCP server %s did not carry it out: %v", short(l.server.Name), refusal)
	case answered:
		return tools.Outcome{Kind: tools.Error, Text: "the server refused the call: " + tools.Clean(why(said))}
	case spec.Replay == tools.Safe:
		return tools.Outcome{Kind: tools.Error, Text: "the answer was lost: " + text, Started: true}
	}
	if s := c.stderr.String(); s != "" {
		text += "; its standard error: " + s
	}
	return tools.Outcome{Kind: tools.Uncertain, Text: "the call was sent and the answer was lost: " + text, Started: true}
}
