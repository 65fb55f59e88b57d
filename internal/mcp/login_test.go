package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/mcp/mcptest"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A book is logins in memory.
type book struct {
	mu  sync.Mutex
	all map[string]Login
}

func (b *book) Get(server, address string) (Login, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all[server+" "+address], nil
}

func (b *book) Change(_ context.Context, server, address string, f func(Login) (Login, error)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, err := f(b.all[server+" "+address])
	if err == nil {
		b.all[server+" "+address] = l
	}
	return err
}

// visitor is a person whose browser goes where it is told.
func visitor(t *testing.T, seen *string) Visit {
	return Visit{Say: func(line string) { t.Logf("said: %s", line) }, Show: func(address string) {
		*seen = address
		go func() {
			r, err := http.Get(address)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			if b, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(b), "You can close this page") {
				t.Errorf("the browser came to %s: %s, %v", r.Status, b, err)
			}
			http.DefaultClient.CloseIdleConnections()
		}()
	}}
}

func site(t *testing.T) *mcptest.Site {
	s := mcptest.Start()
	t.Cleanup(func() {
		s.Close()
		for _, p := range s.Problems() {
			t.Errorf("the site was used wrongly: %s", p)
		}
	})
	return s
}

func visiting(t *testing.T, s *mcptest.Site, b *book, o OAuth) *Client {
	return client(t, newProgram(), func(c *Config) {
		c.Servers = []Server{{Name: "x", URL: s.Resource, OAuth: o, Wait: 5 * time.Second}}
		c.Logins = b
	})
}

func again(c *Client) {
	c.links[0].mu.Lock()
	defer c.links[0].mu.Unlock()
	c.links[0].again = time.Time{}
}

func TestALoginIsForOneServerAndIsRenewed(t *testing.T) {
	for name, o := range map[string]OAuth{"registered": {}, "known": {ClientID: "zuno", ClientSecret: "s3cret words", Scope: "tools"}} {
		t.Run(name, func(t *testing.T) {
			s, b := site(t), &book{all: map[string]Login{}}
			s.Client, s.Secret, s.Closed, s.Lives = o.ClientID, o.ClientSecret, o.ClientID != "", 3600
			c := visiting(t, s, b, o)
			_, err := c.Connect(context.Background(), "x")
			if err == nil || err.Error() != "it asks for a login: run zuno mcp login x" || len(c.Wanting()) != 1 {
				t.Fatalf("without a login: %v, wanting %v", err, c.Wanting())
			}
			var page string
			if err := c.Login(context.Background(), "x", visitor(t, &page)); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(page, s.Issuer+"/authorize?") {
				t.Errorf("the page is %s", page)
			}
			again(c)
			act := known(t, c)[0]
			if o := run(t, act, `{}`); o.Kind != tools.OK || o.Text != "acted" || len(c.Wanting()) != 0 {
				t.Fatalf("%v %s", o.Kind, o.Text)
			}
			// One that the server does not take is renewed, and the call made once.
			s.Revoke(false)
			if o := run(t, act, `{}`); o.Kind != tools.OK || s.Calls() != 2 || s.Renewed() != 1 {
				t.Fatalf("%v %s, %d calls, %d renewals", o.Kind, o.Text, s.Calls(), s.Renewed())
			}
			// One that ends soon is renewed before it does.
			key := "x " + s.Resource
			l := b.all[key]
			l.Expires = time.Now()
			b.all[key] = l
			if o := run(t, act, `{}`); o.Kind != tools.OK || s.Renewed() != 2 {
				t.Fatalf("%v %s, %d renewals", o.Kind, o.Text, s.Renewed())
			}
			// One that has ended for good is forgotten, and the call was not made.
			s.Revoke(true)
			if o := run(t, act, `{}`); o.Kind != tools.Blocked || o.Block != tools.Unavailable || !strings.Contains(o.Text, "zuno mcp login x") || s.Calls() != 3 {
				t.Fatalf("%v %v %s", o.Kind, o.Block, o.Text)
			}
			if b.all[key].Access != "" {
				t.Error("a login that has ended is kept")
			}
			if was, err := c.Logout(context.Background(), "x"); was || err != nil {
				t.Errorf("logged out of nothing: %v %v", was, err)
			}
		})
	}
}

func TestALoginThatIsRefusedOrPastedOrStolen(t *testing.T) {
	s, b := site(t), &book{all: map[string]Login{}}
	c := visiting(t, s, b, OAuth{})
	s.Deny = true
	var page string
	if err := c.Login(context.Background(), "x", visitor(t, &page)); err == nil || err.Error() != `the login was refused: access_denied no \x1b[2J way` || len(b.all) != 0 {
		t.Fatalf("refused: %v, kept %v", err, b.all)
	}
	s.Deny = false
	// A page that does not know the state gets nowhere; the address that the browser
	// came back to can be pasted.
	pasted := make(chan string)
	said := make(chan string, 4)
	v := Visit{Pasted: pasted, Say: func(l string) { said <- l }, Show: func(address string) {
		go func() {
			u, _ := url.Parse(address)
			back := u.Query().Get("redirect_uri")
			for _, bad := range []string{"?code=evil", "?code=evil&state=no", "/other?code=evil&state=" + u.Query().Get("state")} {
				r, err := http.Get(back + bad)
				if err != nil || r.StatusCode != http.StatusBadRequest {
					t.Errorf("%s: %v %v", bad, r, err)
					continue
				}
				r.Body.Close()
			}
			pasted <- back + "?code=evil&state=no"
			h := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			r, err := h.Get(address)
			if err != nil {
				t.Error(err)
				return
			}
			r.Body.Close()
			h.CloseIdleConnections()
			http.DefaultClient.CloseIdleConnections()
			pasted <- r.Header.Get("Location")
		}()
	}}
	if err := c.Login(context.Background(), "x", v); err != nil || b.all["x "+s.Resource].Access == "" {
		t.Fatalf("pasted: %v", err)
	}
	if l := <-said; !strings.Contains(l, "not the address") {
		t.Errorf("said %q", l)
	}
	// Another name or another address is another server.
	for _, other := range []Server{{Name: "y", URL: s.Resource}, {Name: "x", URL: s.Resource + "/"}} {
		o := client(t, newProgram(), func(conf *Config) { conf.Servers, conf.Logins = []Server{other}, b })
		if _, err := o.Connect(context.Background(), other.Name); err == nil {
			t.Errorf("%+v has the login of another", other)
		}
	}
	if was, err := c.Logout(context.Background(), "x"); !was || err != nil || b.all["x "+s.Resource].Access != "" {
		t.Errorf("logged out: %v %v", was, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stopped")
	if err := c.Login(ctx, "x", Visit{Say: func(string) {}, Show: func(string) { cancel(stop) }}); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}

func TestWhereThereIsNothingToLogInTo(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	open := remote(t, p, nil)
	for want, s := range map[string]Server{
		"it is a program on this machine: there is nothing to log in to": {Command: []string{"x"}, Dir: "/"},
		"it speaks the older remote transport":                           {URL: "https://a.example/", SSE: true},
		"its headers set Authorization":                                  {URL: "https://a.example/", Headers: map[string]string{"authorization": "x"}},
		"its address is not https":                                       {URL: "http://a.example/"},
		"the variable NO is not set":                                     {URL: "${NO}"},
		ErrNoLogin.Error():                                               {URL: open},
	} {
		s.Name = "x"
		c := client(t, p, func(conf *Config) { conf.Servers, conf.Logins = []Server{s}, &book{all: map[string]Login{}} })
		err := c.Login(context.Background(), "x", Visit{Say: func(string) {}, Show: func(string) { t.Error("a page was shown") }})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v\ngot  %v\nwant %s", s, err, want)
		}
	}
	s := site(t)
	s.Closed = true
	err := visiting(t, s, &book{all: map[string]Login{}}, OAuth{}).Login(context.Background(), "x", Visit{Say: func(string) {}, Show: func(string) {}})
	if err == nil || !strings.Contains(err.Error(), "client registration") {
		t.Errorf("nobody is registered: %v", err)
	}
}

// A definition with a login is another definition; those without are what they
// were.
func TestALoginIsPartOfTheDefinition(t *testing.T) {
	look := func(string) (string, bool) { return "", false }
	a, b := Server{Name: "x", URL: "https://a/"}, Server{Name: "x", URL: "https://a/", OAuth: OAuth{ClientID: "me", ClientSecret: "s3cret"}}
	if a.hash(look) == b.hash(look) || !strings.Contains(b.Text(), "logs in with the client ID me") || strings.Contains(b.Text(), "s3cret") {
		t.Errorf("%s", b.Text())
	}
}
