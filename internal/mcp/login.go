package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

// An OAuth is how to log in to a remote server, as far as its definition says.
// Texts may hold ${VAR}.
type OAuth struct {
	ClientID, ClientSecret string
	Scope                  string // separated by blanks, "" for what the server asks for
	Port                   int    // on 127.0.0.1 for the way back, 0 for any
	Redirect               string // address of the way back, "" for the usual one
}

// A Login is what an authorization server gave for one server: secrets, which go
// to that server and to where they are renewed, and nowhere else.
type Login struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	Scopes  []string  `json:"scopes,omitempty"`
	// Resource is what it is for, and TokenURL where it is renewed by the client.
	Resource     string `json:"resource"`
	TokenURL     string `json:"token_url"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret,omitempty"`
	// Basic says that the client shows its secret in a header.
	Basic bool `json:"basic,omitempty"`
}

// Logins keep logins by the name of a server and its address: another address is
// another server. They may be used from any goroutine.
type Logins interface {
	// Get returns the login for a server, the zero value when there is none.
	Get(server, address string) (Login, error)
	// Change puts what f makes of the login in its place, alone among all
	// processes; the zero value removes it. When f fails nothing changes.
	Change(ctx context.Context, server, address string, f func(Login) (Login, error)) error
}

// An AccessError says that a server wants another login than it was shown, or
// none of what was asked. The request was not carried out.
type AccessError struct {
	Server string
	// Login says that logging in helps.
	Login bool
	words string
}

// Error says so, and what to do.
func (e *AccessError) Error() string {
	if !e.Login {
		return e.words
	}
	return fmt.Sprintf("%s: run zuno mcp login %s", e.words, e.Server)
}

func (l *link) accessError(words string, login bool) error {
	return &AccessError{Server: l.server.Name, Login: login, words: words}
}

// soon is how long before its end a login is renewed.
const soon = 30 * time.Second

func (l Login) stale(now time.Time) bool {
	return !l.Expires.IsZero() && now.Add(soon).After(l.Expires)
}

// A bearer shows a server the login that is kept for it. It is what the library
// asks for authorization, before a request and when one is refused; it never asks
// a person.
type bearer struct {
	link    *link
	address string
}

// TokenSource and Token return the login as it is kept now.
func (b *bearer) TokenSource(context.Context) (oauth2.TokenSource, error) { return b, nil }

// Token renews the login when it ends soon. It is nil when there is none.
func (b *bearer) Token() (*oauth2.Token, error) {
	login, err := b.logins().Get(b.link.server.Name, b.address)
	if err == nil && login.stale(time.Now()) && login.Refresh != "" {
		login, err = b.renew(b.link.client.ctx, login.Access)
	}
	switch {
	case err != nil:
		return nil, err
	case login.Access == "":
		return nil, nil
	}
	return &oauth2.Token{AccessToken: login.Access}, nil
}

func (b *bearer) logins() Logins { return b.link.client.conf.Logins }

// Authorize looks for another login than the one that was refused; nil means
// that there is one now, and the request is made once more.
func (b *bearer) Authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	resp.Body.Close()
	if resp.StatusCode == http.StatusForbidden {
		if challenges, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate")); err == nil {
			for _, c := range challenges {
				if c.Params["error"] == "insufficient_scope" {
					return b.link.accessError("its login does not allow this", true)
				}
			}
		}
		return b.link.accessError("it refuses the request (403 Forbidden)", false)
	}
	sent, _ := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	login, err := b.logins().Get(b.link.server.Name, b.address)
	if err == nil && login.Access == sent && sent != "" && login.Refresh != "" {
		login, err = b.renew(ctx, sent)
	}
	switch {
	case err != nil:
		return err
	case login.Access != "" && login.Access != sent:
		return nil
	case sent != "":
		return b.link.accessError("its login is not taken any more", true)
	}
	return b.link.accessError("it asks for a login", true)
}

// renew replaces the login whose token is old, unless somebody else has done so.
func (b *bearer) renew(ctx context.Context, old string) (now Login, err error) {
	ctx, cancel := context.WithTimeout(ctx, authLimit)
	defer cancel()
	var ended error
	err = b.logins().Change(ctx, b.link.server.Name, b.address, func(l Login) (Login, error) {
		if l.Access != old || l.Refresh == "" {
			now = l
			return l, nil
		}
		fresh, err := l.renewed(ctx)
		var no *grantError
		if errors.As(err, &no) && no.code == "invalid_client" && l.ClientSecret != "" {
			l.Basic = !l.Basic // not every server says where it looks for the secret
			fresh, err = l.renewed(ctx)
		}
		switch {
		case errors.As(err, &no):
			ended = b.link.accessError("its login has ended ("+no.Error()+")", true)
			return Login{}, nil
		case err != nil:
			return l, fmt.Errorf("renew its login: %w", err)
		}
		now = fresh
		return fresh, nil
	})
	return now, errors.Join(ended, err)
}

// authLimit bounds one exchange with an authorization server.
const authLimit = 30 * time.Second

// A grantError is an authorization server's refusal.
type grantError struct{ code string }

func (e *grantError) Error() string { return e.code }

// renewed asks for a new token in the place of l's.
func (l Login) renewed(ctx context.Context) (Login, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {l.Refresh}, "resource": {l.Resource}}
	if !l.Basic {
		form.Set("client_id", l.ClientID)
		if l.ClientSecret != "" {
			form.Set("client_secret", l.ClientSecret)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.TokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return l, errors.New("the address of the authorization server is none")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	if l.Basic {
		req.SetBasicAuth(url.QueryEscape(l.ClientID), url.QueryEscape(l.ClientSecret))
	}
	client := authClient()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return l, errors.New(tools.CleanLine(err.Error()))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return l, errors.New(tools.CleanLine(err.Error()))
	}
	return l.with(resp, body)
}

// with is l with what the authorization server answered. No word of the answer
// but the code of an error is quoted.
func (l Login) with(resp *http.Response, body []byte) (Login, error) {
	var got struct {
		Access  string      `json:"access_token"`
		Refresh string      `json:"refresh_token"`
		Expires json.Number `json:"expires_in"`
		Error   string      `json:"error"`
	}
	err := json.Unmarshal(body, &got)
	switch {
	case got.Error == "invalid_grant" || got.Error == "invalid_client" || got.Error == "unauthorized_client":
		return l, &grantError{got.Error}
	case resp.StatusCode != http.StatusOK:
		return l, fmt.Errorf("the authorization server answered %s", tools.CleanLine(tools.Clip(strings.TrimSpace(resp.Status+" "+got.Error), 100)))
	case err != nil || got.Access == "":
		return l, errors.New("the authorization server gave no token")
	}
	l.Access, l.Expires = got.Access, time.Time{}
	if s, err := got.Expires.Int64(); err == nil && s > 0 {
		l.Expires = time.Now().Add(time.Duration(min(s, 1<<31)) * time.Second)
	}
	if got.Refresh != "" {
		l.Refresh = got.Refresh
	}
	return l, nil
}

// authClient is for authorization servers. Its transport is a plain one, so that
// the library keeps what is discovered away from private networks.
func authClient() *http.Client {
	t := &http.Transport{ForceAttemptHTTP2: true, TLSHandshakeTimeout: wait, MaxIdleConns: 2}
	reach.Through(t)
	return &http.Client{Timeout: authLimit, Transport: t, CheckRedirect: sameHost}
}

// authorized reports whether the definition brings an authorization of its own.
func (s Server) authorized() bool {
	for k := range s.Headers {
		if strings.EqualFold(k, "Authorization") {
			return true
		}
	}
	return false
}
