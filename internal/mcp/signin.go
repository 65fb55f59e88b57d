package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Visit is how a person gets to the page where they log in. Show is called
// with its address, and opens nothing by itself; Say with what they should know
// meanwhile. Pasted are addresses that their browser came back to, for those
// whose browser is on another machine.
type Visit struct {
	Show   func(address string)
	Say    func(line string)
	Pasted <-chan string
}

// ErrNoLogin is the error of a login to a server that asks for none.
var ErrNoLogin = errors.New("it lets zuno in without a login")

// Login logs in to the server called name and keeps what that gives: it connects
// without any login, goes where the server's refusal leads, and keeps the result
// once the server has taken it. It waits for the person as long as ctx lasts.
func (c *Client) Login(ctx context.Context, name string, v Visit) error {
	l := c.link(name)
	if l == nil {
		return errors.New("there is no server of that name")
	}
	address, err := l.server.LoginAddress(c.conf.Lookup)
	if err != nil {
		return err
	}
	got, err := l.signIn(ctx, address, v)
	if err != nil {
		return err
	}
	return c.conf.Logins.Change(ctx, name, address, func(Login) (Login, error) { return got, nil })
}

// Logout forgets the login to the server called name, and reports whether there
// was one.
func (c *Client) Logout(ctx context.Context, name string) (was bool, err error) {
	l := c.link(name)
	if l == nil {
		return false, errors.New("there is no server of that name")
	}
	address, err := expand(l.server.URL, c.conf.Lookup)
	if err != nil {
		return false, err
	}
	err = c.conf.Logins.Change(ctx, name, address, func(old Login) (Login, error) {
		was = old.Access != ""
		return Login{}, nil
	})
	return was, err
}

// LoginAddress is the address that a login to s would be for, with its variables
// looked up. The error says why there can be none: s is a program of this
// machine, speaks the older transport or has an authorization of its own.
func (s Server) LoginAddress(lookup func(string) (string, bool)) (string, error) {
	address, err := expand(s.URL, lookup)
	switch {
	case err != nil:
		return "", err
	case s.URL == "":
		return "", errors.New("it is a program on this machine: there is nothing to log in to")
	case s.SSE:
		return "", errors.New("it speaks the older remote transport (sse), which has no login: put a token into its headers")
	case s.authorized():
		return "", errors.New("its headers set Authorization, which would go in the place of a login: remove that header first")
	case !private(address):
		return "", errors.New("its address is not https: a login would go over the network for all to read")
	}
	return address, nil
}

// private reports whether what is sent to an address is read by nobody else: it
// is https, or this machine.
func private(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && ip.IsLoopback())
}

// signIn connects to the server and has the person log in where it asks for it.
func (l *link) signIn(ctx context.Context, address string, v Visit) (got Login, err error) {
	s := l.server
	back, err := comeBack(s.OAuth)
	if err != nil {
		return got, err
	}
	defer back.close()
	client := authClient()
	defer client.CloseIdleConnections()
	conf := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back.address, RequestRefreshToken: true, AcceptUnadvertisedIss: true, Client: client,
		NewTokenSource: func(_ context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			if !private(c.Endpoint.TokenURL) {
				return nil, errors.New("the authorization server gives tokens over a connection that is not https")
			}
			got.Access, got.Refresh, got.Expires, got.Scopes = t.AccessToken, t.RefreshToken, t.Expiry, c.Scopes
			got.TokenURL, got.ClientID, got.ClientSecret = c.Endpoint.TokenURL, c.ClientID, c.ClientSecret
			got.Basic = c.Endpoint.AuthStyle != oauth2.AuthStyleInParams && c.ClientSecret != ""
			return oauth2.StaticTokenSource(t), nil
		},
		AuthorizationCodeFetcher: func(ctx context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			u, err := url.Parse(a.URL)
			if err != nil || !private(a.URL) {
				return nil, errors.New("the page to log in at is not https: it is not opened")
			}
			got.Resource = u.Query().Get("resource")
			return back.await(ctx, a.URL, u.Query().Get("state"), v)
		},
	}
	if scopes := strings.Fields(s.OAuth.Scope); len(scopes) > 0 {
		conf.ScopeFilter = func([]string) []string { return scopes }
	}
	if err := s.OAuth.client(conf, l.client.conf.Lookup); err != nil {
		return got, err
	}
	handler, err := auth.NewAuthorizationCodeHandler(conf)
	if err != nil {
		return got, loginError(err)
	}
	if err := l.knock(ctx, address, handler); err != nil {
		return got, err
	}
	if got.Access == "" {
		return got, ErrNoLogin
	}
	return got, nil
}

// client says who zuno is: the client that the definition names, or one that is
// registered now.
func (o OAuth) client(conf *auth.AuthorizationCodeHandlerConfig, lookup func(string) (string, bool)) error {
	if o.ClientID == "" {
		conf.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "zuno", RedirectURIs: []string{conf.RedirectURL}, TokenEndpointAuthMethod: "none",
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, Scope: o.Scope,
		}}
		return nil
	}
	id, err := expand(o.ClientID, lookup)
	if err != nil {
		return fmt.Errorf("oauth.clientId: %w", err)
	}
	secret, err := expand(o.ClientSecret, lookup)
	if err != nil {
		return fmt.Errorf("oauth.clientSecret: %w", err)
	}
	conf.PreregisteredClient = &oauthex.ClientCredentials{ClientID: id}
	if secret != "" {
		conf.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: secret}
	}
	return nil
}

// knock connects to the server and asks for what it offers, with the login that
// handler gets on the way.
func (l *link) knock(ctx context.Context, address string, handler auth.OAuthHandler) error {
	headers, err := expandAll(l.server.Headers, l.client.conf.Lookup)
	if err != nil {
		return fmt.Errorf("the header %w", err)
	}
	to, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("the address: %w", err)
	}
	wires := &lines{open: map[net.Conn]struct{}{}}
	defer wires.hangUp()
	client := &http.Client{Transport: sender{to, headers, wires.transport()}, CheckRedirect: sameHost}
	zuno := sdk.NewClient(&sdk.Implementation{Name: "zuno", Version: l.client.conf.Version}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, release, err := connectWithin(ctx, zuno, &sdk.StreamableClientTransport{Endpoint: address, HTTPClient: client, MaxRetries: -1, MaxEventSize: maxLine, DisableStandaloneSSE: true, OAuthHandler: handler}, protocol)
	switch {
	case ctx.Err() != nil:
		if err == nil {
			_ = session.Close()
		}
		release()
		return context.Cause(ctx)
	case err != nil:
		return loginError(err)
	}
	c := &conn{session: session, release: release, lines: wires, stderr: &tail{clean: l.client.conf.Clean}}
	defer c.end()
	if _, err := list(ctx, session); err != nil {
		return loginError(err)
	}
	return nil
}

// loginError is err without what an authorization server sent along with it: it
// may hold secrets.
func loginError(err error) error {
	var refused *oauth2.RetrieveError
	var unknown *oauthex.ClientRegistrationError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode != "":
		return fmt.Errorf("the authorization server refuses the login: %s", tools.CleanLine(tools.Clip(refused.ErrorCode+" "+refused.ErrorDescription, 300)))
	case errors.As(err, &refused) && refused.Response != nil:
		return fmt.Errorf("the authorization server answered %s", tools.CleanLine(tools.Clip(refused.Response.Status, 100)))
	case errors.As(err, &unknown):
		return fmt.Errorf("the authorization server does not register zuno: %s (oauth.clientId names a client that it knows)", tools.CleanLine(tools.Clip(unknown.ErrorCode+" "+unknown.ErrorDescription, 300)))
	}
	text, _, _ := strings.Cut(plainError(err), "{")
	return errors.New(tools.CleanLine(tools.Clip(text, 500)))
}
