package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/net/idna"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxAddress bounds the address of a page in bytes: a person is to read it.
const maxAddress = 4 << 10

// wantsPage returns the page that a server wants to be visited before it carries
// out what err is the refusal of; nil when that is not why.
func wantsPage(err error) *sdk.ElicitParams {
	var said *jsonrpc.Error
	if !errors.As(err, &said) || said.Code != sdk.CodeURLElicitationRequired {
		return nil
	}
	var data struct {
		Elicitations []*sdk.ElicitParams `json:"elicitations"`
	}
	if json.Unmarshal(said.Data, &data) != nil {
		return nil
	}
	for _, p := range data.Elicitations {
		if p != nil && p.Mode == "url" {
			return p // the next one comes with the next refusal
		}
	}
	return nil
}

// page answers a server that wants a page to be visited.
func (l *link) page(ctx context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	if _, err := pageAddress(p.URL); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	action, _ := l.visit(ctx, p)
	return &sdk.ElicitResult{Action: action}, nil
}

// pageAddress reads the address of a page that a person may be sent to.
func pageAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxAddress:
		return nil, fmt.Errorf("the address has more than %d bytes", maxAddress)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Opaque != "" || tools.CleanLine(text) != text || strings.ContainsAny(text, " \\"):
		return nil, errors.New("the address is none of a web page")
	case u.User != nil:
		return nil, errors.New("the address has a user name in it, which hides where it leads")
	}
	return u, nil
}

// hostOf is the host of an address for people, with what it is in plain letters
// where it has others.
func hostOf(u *url.URL) string {
	host := u.Host
	if plain, err := idna.Lookup.ToASCII(u.Hostname()); err == nil && plain != strings.ToLower(u.Hostname()) {
		host += " (in plain letters " + plain + ")"
	}
	return tools.CleanLine(host)
}

// visit asks the person whether they go to a page, and returns the answer for
// the server: accept, decline or cancel. Done is closed when the server says that
// they are done there; it is nil when that cannot be said. Nothing is opened that
// they did not choose.
func (l *link) visit(ctx context.Context, p *sdk.ElicitParams) (action string, done <-chan struct{}) {
	u, err := pageAddress(p.URL)
	switch {
	case err != nil:
		return "decline", nil
	case l.client.conf.Ask == nil:
		l.said(u)
		return "decline", nil
	}
	done = l.client.visits.begin(l, p.ElicitationID)
	if action = l.choose(ctx, p, u); action != "accept" {
		l.client.visits.end(l, p.ElicitationID)
	}
	return action, done
}

// choose puts the question, again where what was chosen did not work.
func (l *link) choose(ctx context.Context, p *sdk.ElicitParams, u *url.URL) (action string) {
	conf := &l.client.conf
	problem, open := "", conf.Open != nil
	for {
		d, err := conf.Ask(ctx, l.pageCard(p, u, problem, open))
		switch {
		case err != nil:
			return "cancel"
		case !d.Allowed:
			return "decline"
		}
		switch d.Choice {
		case "open":
			err, open = conf.Open(ctx, p.URL), false
		case "copy":
			err = conf.Copy(p.URL)
		case "self":
		default:
			return "decline"
		}
		if err == nil {
			return "accept"
		}
		problem = tools.CleanLine(tools.Clip(err.Error(), 300))
	}
}

// said tells whoever reads the output that nobody was there.
func (l *link) said(u *url.URL) {
	if l.client.conf.Said != nil {
		l.client.conf.Said(fmt.Sprintf("MCP server %s wants you to visit a page of %s; nobody is here, so that was declined: use zuno in a terminal for it", short(l.server.Name), hostOf(u)))
	}
}

// pageCard is the question whether to visit a page.
func (l *link) pageCard(p *sdk.ElicitParams, u *url.URL, problem string, open bool) *tools.Proposal {
	name, host := short(l.server.Name), hostOf(u)
	warning := "zuno has not opened it. What you do there is between you and that page."
	if u.Scheme != "https" {
		warning = "It is not https: others can read and change what you send and see. " + warning
	}
	if problem != "" {
		warning = "That did not work: " + problem + "\n" + warning
	}
	c := &tools.Proposal{
		Call:    tools.Call{ID: "mcp", Tool: "mcp"},
		Spec:    tools.Spec{Name: "mcp", Effect: tools.UserMediated, Risk: tools.ReadOnlyRisk},
		Summary: "the MCP server " + name + " wants you to visit " + host,
		Preview: []tools.Section{
			{Kind: tools.Text, Title: "the MCP server " + name + " wants you to visit a page of " + host + ", and says", Body: tools.Clean(tools.Clip(p.Message, 2000))},
			{Kind: tools.Address, Title: "the page, whose host is " + host, Body: p.URL},
			{Kind: tools.Text, Body: warning},
		},
	}
	if open {
		c.Options = append(c.Options, tools.Option{ID: "open", Label: "Open it in the browser"})
	}
	if l.client.conf.Copy != nil {
		c.Options = append(c.Options, tools.Option{ID: "copy", Label: "Copy the address", Detail: "and open it yourself"})
	} else {
		c.Options = append(c.Options, tools.Option{ID: "self", Label: "I open it myself"})
	}
	c.Options = append(c.Options, tools.Option{ID: "no", Label: "Decline", Detail: "the server is told"})
	return c
}
