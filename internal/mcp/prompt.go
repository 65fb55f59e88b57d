package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Prompt is a prepared request that a server offers. What is said of it are
// the server's words.
type Prompt struct {
	// Command is what a person types behind a / to send it: SERVER:PROMPT, in
	// letters, digits, - and _. It is set by [Client.Prompts].
	Command           string `json:"-"`
	Server            string `json:"-"`
	Name, Description string
	Arguments         []Argument
}

// An Argument is what a prompt takes.
type Argument struct {
	Name, Description string
	Required          bool
}

// maxArguments is how many arguments a prompt may have.
const maxArguments = 20

func (l *Listing) prompt(p *sdk.Prompt) {
	one := Prompt{Name: p.Name, Description: tools.Clip(p.Description, 500)}
	if strings.TrimSpace(p.Name) == "" || slices.ContainsFunc(l.Prompts, func(o Prompt) bool { return o.Name == p.Name }) {
		return // it could not be told from another
	}
	if len(p.Arguments) > maxArguments {
		l.Left = append(l.Left, fmt.Sprintf("the prompt %s is left out: it has more than %d arguments", short(p.Name), maxArguments))
		return
	}
	for _, a := range p.Arguments {
		if a != nil {
			one.Arguments = append(one.Arguments, Argument{a.Name, tools.Clip(a.Description, 200), a.Required})
		}
	}
	l.Prompts = append(l.Prompts, one)
}

// Prompts lists the prompts of all servers, as far as they are known, and starts
// none. Taken says which commands are somebody else's; nil means that none are.
func (c *Client) Prompts(taken func(command string) bool) []Prompt {
	var all []Prompt
	for _, l := range c.links {
		offers := l.listing()
		if offers == nil {
			continue
		}
		alike := map[string]int{}
		for _, p := range offers.Prompts {
			alike[plainName(p.Name)]++
		}
		prefix := c.prefix(l)
		for _, p := range offers.Prompts {
			// The name depends on what the servers are called and on what this one
			// offers, and not on which was ready first.
			name := plainName(p.Name)
			if alike[name] > 1 && name != p.Name || taken != nil && taken(prefix+":"+name) {
				name = suffixed(name, sum(l.server.Name, p.Name)[:8])
			}
			p.Server, p.Command = l.server.Name, prefix+":"+name
			all = append(all, p)
		}
	}
	return all
}

// prefix is what the commands of a server's prompts begin with.
func (c *Client) prefix(l *link) string {
	name := clean(l.server.Name)
	alike := func(o *link) bool { return o != l && clean(o.server.Name) == name }
	// /skill:NAME is zuno's own.
	if name == "skill" || name != l.server.Name && slices.ContainsFunc(c.links, alike) {
		name = suffixed(name, sum(l.server.Name)[:8])
	}
	return name
}

func plainName(s string) string {
	s = clean(s)
	return s[:min(len(s), maxName)]
}

// A Reply is what a server made of a prompt: its words, one message after the
// other, and the pictures in them.
type Reply struct {
	Text   string
	Images []tools.Image
	Cut    bool
}

// maxReply bounds the text of a reply in bytes: all of it goes to the model.
const maxReply = 128 << 10

// Prompt has a server make its prompt p with these arguments, and connects to it
// for that. Nothing that the reply names is fetched.
func (c *Client) Prompt(ctx context.Context, p Prompt, args map[string]string) (Reply, error) {
	l := c.link(p.Server)
	if l == nil {
		return Reply{}, fmt.Errorf("there is no MCP server %q", short(p.Server))
	}
	fail := func(err error) (Reply, error) {
		return Reply{}, fmt.Errorf("get the prompt %s of the MCP server %s: %w", short(p.Name), short(p.Server), err)
	}
	conn, err := l.connect(ctx)
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.server.limit(), errors.New("it did not answer in time"))
	defer cancel()
	arrived := l.depart()
	r, err := conn.session.GetPrompt(ctx, &sdk.GetPromptParams{Name: p.Name, Arguments: args})
	arrived()
	var said *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return fail(context.Cause(ctx))
	case l.dropped(conn, err):
		return fail(errors.New("the server no longer knows this session: try it again"))
	case errors.As(err, &said):
		return fail(errors.New(tools.CleanLine(tools.Clip(said.Message, 500))))
	case err != nil:
		return fail(errors.New(tools.CleanLine(plainError(err))))
	}
	reply := replyOf(r.Messages)
	if strings.TrimSpace(reply.Text) == "" && len(reply.Images) == 0 {
		return fail(errors.New("it has nothing to say"))
	}
	return reply, nil
}

// replyOf puts messages one after the other. Where not all are the user's, each
// is headed by whose it is.
func replyOf(messages []*sdk.PromptMessage) Reply {
	others := slices.ContainsFunc(messages, func(m *sdk.PromptMessage) bool { return m != nil && m.Role != "user" })
	b, o := &clipped{most: maxReply}, tools.Outcome{}
	for i, m := range messages {
		if i == maxItems {
			b.note("[%d more messages are left out]", len(messages)-i)
			break
		}
		if m == nil || m.Content == nil {
			continue
		}
		if others {
			b.note("[%s:]", m.Role)
		}
		content(b, &o, m.Content)
	}
	return Reply{Text: tools.Clean(b.String()), Images: o.Images, Cut: b.cut}
}

// completeLimit bounds the wait for a server's suggestions.
const completeLimit = 2 * time.Second

// Complete asks the server of p, when it is connected, what the argument could
// be that begins with value. Given are the other arguments. No server is started
// for it, and a failure is no suggestion.
func (c *Client) Complete(ctx context.Context, p Prompt, argument, value string, given map[string]string) []string {
	l := c.link(p.Server)
	if l == nil {
		return nil
	}
	l.mu.Lock()
	conn := l.conn
	l.mu.Unlock()
	if conn == nil {
		return nil
	}
	if caps := conn.session.InitializeResult().Capabilities; caps == nil || caps.Completions == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, completeLimit)
	defer cancel()
	params := &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: p.Name}, Argument: sdk.CompleteParamsArgument{Name: argument, Value: value}}
	if len(given) > 0 {
		params.Context = &sdk.CompleteContext{Arguments: given}
	}
	r, err := conn.session.Complete(ctx, params)
	if err != nil {
		return nil
	}
	return r.Completion.Values[:min(len(r.Completion.Values), maxSuggestions)]
}

// maxSuggestions is how many of a server's suggestions are taken.
const maxSuggestions = 100

// Named returns the server whose prompts are typed with that prefix, "" for
// none, and whether it is known what it offers.
func (c *Client) Named(prefix string) (server string, known bool) {
	for _, l := range c.links {
		if c.prefix(l) == prefix {
			return l.server.Name, l.listing() != nil
		}
	}
	return "", false
}
