package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/zuno-dev/zuno/internal/tools"
)

// usualPort is where a browser comes back to, when it is free.
const usualPort = 19876

// A callback is the page on this machine that a browser comes back to from a
// login.
type callback struct {
	address string // as the authorization server is told
	path    string
	line    net.Listener
	answers chan url.Values
}

// comeBack listens for the browser, on this machine only.
func comeBack(o OAuth) (*callback, error) {
	b := &callback{path: "/callback", answers: make(chan url.Values)}
	host, port := "127.0.0.1", strconv.Itoa(o.Port)
	if o.Redirect != "" {
		u, err := url.Parse(o.Redirect)
		if err != nil || u.Host == "" {
			return nil, errors.New("oauth.redirectUri is no address")
		}
		b.address, b.path, host = o.Redirect, u.EscapedPath(), u.Hostname()
		if port = u.Port(); port == "" {
			port = "80"
		}
	}
	var err error
	if port == "0" {
		if b.line, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(usualPort))); err != nil {
			b.line, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
		}
	} else {
		b.line, err = net.Listen("tcp", net.JoinHostPort(host, port))
	}
	if err != nil {
		return nil, fmt.Errorf("listen for the way back from the browser: %w", err)
	}
	if b.address == "" {
		b.address = "http://" + b.line.Addr().String() + b.path
	}
	return b, nil
}

func (b *callback) close() { _ = b.line.Close() }

// await shows the person the page and waits until their browser comes back from
// it with the given state, or they paste the address that it came back to.
func (b *callback) await(ctx context.Context, page, state string, v Visit) (*auth.AuthorizationResult, error) {
	server := &http.Server{Handler: b.handler(ctx, state), ReadHeaderTimeout: authLimit, MaxHeaderBytes: 64 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(b.line) // ends with it
	}()
	defer func() {
		down, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if server.Shutdown(down) != nil { // so that the page is read
			_ = server.Close()
		}
		<-done
	}()
	v.Show(page)
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case q := <-b.answers:
			return b.result(q)
		case text, open := <-v.Pasted:
			u, err := url.Parse(text)
			switch {
			case !open:
				v.Pasted = nil
			case err != nil || u.Query().Get("state") != state:
				v.Say("that is not the address that the browser came back to from this login")
			default:
				return b.result(u.Query())
			}
		}
	}
}

// handler takes what comes back from this login, once, and nothing else.
func (b *callback) handler(ctx context.Context, state string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Referrer-Policy", "no-referrer")
		q := r.URL.Query()
		if r.Method != http.MethodGet || r.URL.EscapedPath() != b.path || q.Get("state") != state {
			http.Error(w, "This is not the login that zuno waits for.", http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, "zuno goes on in its terminal. You can close this page.")
		select {
		case b.answers <- q:
		case <-ctx.Done():
		case <-r.Context().Done():
		}
	})
}

func (b *callback) result(q url.Values) (*auth.AuthorizationResult, error) {
	if code := q.Get("error"); code != "" {
		return nil, fmt.Errorf("the login was refused: %s", tools.CleanLine(tools.Clip(code+" "+q.Get("error_description"), 300)))
	}
	if q.Get("code") == "" {
		return nil, errors.New("the browser came back without a code")
	}
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}
