package mcp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestPromises(t *testing.T) {
	var p *program
	var c *Client
	done := func() { // what was cancelled may still be on its way
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		p.running.Wait()
	}
	toolstest.Run(t, toolstest.Case{Foreign: true, Args: `{"any":"thing"}`, Done: done, New: func(root string) tools.Tool {
		p = newProgram()
		p.add("act", touch(filepath.Join(root, "OUT")))
		c = client(t, p, nil)
		return known(t, c)[0]
	}})
	var change func()
	t.Run("a definition that has changed is not called", func(t *testing.T) {
		toolstest.Run(t, toolstest.Case{Foreign: true, Args: `{}`, Done: done, New: func(root string) tools.Tool {
			p = newProgram()
			p.add("act", touch(filepath.Join(root, "OUT")))
			c = client(t, p, nil)
			change = func() {
				p.server.RemoveTools("act")
				p.server.AddTool(tool2())
				for stale := false; !stale; time.Sleep(time.Millisecond) { // until the server has said so
					c.links[0].mu.Lock()
					stale = c.links[0].stale
					c.links[0].mu.Unlock()
				}
			}
			return known(t, c)[0]
		}, Mutate: func(string) { change() }})
	})
}

func TestAServerIsAProcessAfterItsFirstUse(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	cache := filepath.Join(t.TempDir(), "mcp")
	with := func(c *Config) { c.Cache = cache }
	if got := names(known(t, client(t, p, with))); got != "mcp_x_act" || p.count() != 1 {
		t.Fatalf("tools %q after %d starts", got, p.count())
	}
	c := client(t, p, with)
	list := known(t, c)
	if names(list) != "mcp_x_act" || p.count() != 1 {
		t.Fatalf("a known server was started: %d", p.count())
	}
	if o := run(t, list[0], `{}`); o.Kind != tools.OK || o.Text != "said" || p.count() != 2 {
		t.Errorf("%v %q after %d starts", o.Kind, o.Text, p.count())
	}
	info, err := os.Stat(cacheFile(cache, c.links[0].hash))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the cache: %v, %v", info, err)
	}
	if err := os.WriteFile(cacheFile(cache, c.links[0].hash), []byte(`{"v":1,"server":"x","listing":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := client(t, p, with); c.links[0].listing() != nil {
		t.Error("half a cache file is believed")
	}
}

func TestAServerThatDiedIsStartedAgainAfterAPause(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	c := client(t, p, nil)
	act := known(t, c)[0]
	if err := p.kill(); err != nil {
		t.Fatal(err)
	}
	for range 1000 { // until its end was noticed
		if c.links[0].state() != "connected" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	o := run(t, act, `{}`)
	if o.Kind != tools.Blocked || o.Block != tools.Unavailable || !strings.Contains(o.Text, "tried again in") {
		t.Fatalf("%v: %s", o.Kind, o.Text)
	}
	c.links[0].mu.Lock()
	c.links[0].again = time.Time{}
	c.links[0].mu.Unlock()
	if o := run(t, act, `{}`); o.Kind != tools.OK || p.count() != 2 {
		t.Errorf("%v %q after %d starts", o.Kind, o.Text, p.count())
	}
}

// A call that comes between the end of a server and its being noticed was not sent.
func TestACallThatComesTooLateWasNotSent(t *testing.T) {
	for range 100 {
		p := newProgram()
		p.add("act", said)
		c := client(t, p, nil)
		act := known(t, c)[0]
		if err := p.kill(); err != nil {
			t.Fatal(err)
		}
		if o := run(t, act, `{}`); o.Kind != tools.Blocked || o.Block != tools.Unavailable || !strings.Contains(o.Text, "The call was not sent") {
			t.Fatalf("%v: %s", o.Kind, o.Text)
		}
	}
}

func TestPausesGrow(t *testing.T) {
	p := newProgram()
	p.fail = errBroken
	c := client(t, p, nil)
	var got []string
	for range 8 {
		c.links[0].again = time.Time{}
		if _, err := c.Connect(context.Background(), "x"); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Fatalf("the error is %v", err)
		}
		got = append(got, c.links[0].pause.String())
	}
	if s := strings.Join(got, " "); s != "1s 2s 4s 8s 16s 32s 1m0s 1m0s" {
		t.Errorf("pauses %s", s)
	}
	if _, err := c.Connect(context.Background(), "x"); err == nil || p.count() != 8 {
		t.Errorf("it was started in the pause: %v", err)
	}
}

func TestNothingIsDeclaredBeforeItIsRatified(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	class := Unratified
	var asked string
	c := client(t, p, func(c *Config) { c.Ratified = func(key string) (Class, error) { asked = key; return class, nil } })
	act := known(t, c)[0]
	for want, s := range map[Class]tools.Spec{
		Unratified: {Risk: tools.High}, LowRisk: {Risk: tools.Low},
		ReadOnly: {Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk},
	} {
		class = want
		pr, err := act.Propose(context.Background(), tools.Call{ID: "c", Tool: "mcp_x_act", Args: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if pr.Spec.Effect != s.Effect || pr.Spec.Replay != s.Replay || pr.Spec.Concurrency != s.Concurrency || pr.Spec.Risk != s.Risk || pr.Key != asked {
			t.Errorf("%v: %+v, key %q", want, pr.Spec, pr.Key)
		}
	}
	if s := act.Spec(); s.Effect != tools.SideEffecting || s.Concurrency != tools.Exclusive || s.Risk != tools.High {
		t.Errorf("the tool declares %+v", s)
	}
}

func TestWhatIsRatifiedIsBoundToTheDefinition(t *testing.T) {
	base := tool{link: &link{server: Server{Name: "x"}, hash: "h"}, def: Def{Name: "a", Description: "d", Schema: json.RawMessage(`{}`)}}
	seen := map[string]string{base.key(): "base"}
	for name, change := range map[string]func(*tool){
		"server": func(t *tool) { t.link = &link{server: Server{Name: "x"}, hash: "h2"} },
		"schema": func(t *tool) { t.def.Schema = json.RawMessage(`{"a":1}`) }, "description": func(t *tool) { t.def.Description = "e" },
		"hints": func(t *tool) { t.def.Hints = []string{"only reads"} }, "title": func(t *tool) { t.def.Title = "t" }, "name": func(t *tool) { t.def.Name = "b" },
	} {
		c := base
		change(&c)
		if other, same := seen[c.key()]; same {
			t.Errorf("%s and %s have the same key", name, other)
		}
		seen[c.key()] = name
	}
	look := func(string) (string, bool) { return "v", true }
	servers := map[string]Server{
		"base": {Name: "x", Command: []string{"a", "b"}}, "args": {Name: "x", Command: []string{"a", "c"}}, "joined": {Name: "x", Command: []string{"a b"}},
		"env": {Name: "x", Command: []string{"a", "b"}, Env: map[string]string{"A": "${B}"}}, "dir": {Name: "x", Command: []string{"a", "b"}, Dir: "/d"},
		"url": {Name: "x", URL: "http://a/"}, "header": {Name: "x", URL: "http://a/", Headers: map[string]string{"A": "b"}}, "variable": {Name: "x", Command: []string{"${A}", "b"}},
	}
	hashes := map[string]string{}
	for name, s := range servers {
		if other, same := hashes[s.hash(look)]; same {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		hashes[s.hash(look)] = name
	}
	if servers["variable"].hash(look) == servers["variable"].hash(func(string) (string, bool) { return "w", true }) {
		t.Error("another program by the same variable is the same")
	}
}

func TestArgumentsThatAreNoObjectAreRefused(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	act := known(t, client(t, p, nil))[0]
	for _, args := range []string{``, `null`, `[]`, `"x"`, `{`, `{} {}`, "{\"a\":\"\xff\"}"} {
		if o := run(t, act, args); o.Block != tools.InvalidArguments {
			t.Errorf("%q: %v %v", args, o.Kind, o.Block)
		}
	}
}

func TestResourcesAreReads(t *testing.T) {
	p := newProgram()
	addResource(p)
	c := client(t, p, nil)
	list := known(t, c)
	if names(list) != "mcp_resource" {
		t.Fatalf("tools: %s", names(list))
	}
	for args, want := range map[string]struct {
		effect tools.Effect
		text   string
	}{
		`{"server":"x"}`:                      {tools.ReadOnly, "note://a · note\n"},
		`{"server":"x","uri":"note://a"}`:     {tools.ReadOnly, "[note://a]\nwhat it says"},
		`{"server":"x","uri":"note://other"}`: {tools.SideEffecting, ""},
	} {
		pr, err := list[0].Propose(context.Background(), tools.Call{ID: "c", Tool: "mcp_resource", Args: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		if pr.Spec.Effect != want.effect {
			t.Errorf("%s is %v", args, pr.Spec.Effect)
		}
		if want.text != "" {
			if o := run(t, list[0], args); o.Kind != tools.OK || o.Text != want.text {
				t.Errorf("%s: %v %q", args, o.Kind, o.Text)
			}
		}
	}
	if o := run(t, list[0], `{"server":"y"}`); o.Block != tools.InvalidArguments {
		t.Errorf("an unknown server: %+v", o)
	}
	p.server.AddResource(&sdk.Resource{URI: "note://other", Name: "other"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return nil, errBroken
	})
	for range 500 { // until the server has said so
		c.Tools(context.Background())
		if c.links[0].listing().has("note://other") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a resource that came later is not known")
}

func TestTheEnvironmentIsTheChildrensAndTheEntrys(t *testing.T) {
	p := newProgram()
	p.add("act", said)
	c := client(t, p, func(c *Config) {
		c.Servers[0].Env = map[string]string{"B": "own", "KEY": "${SECRET}", "D": "${NONE:-else}"}
		c.Env = []string{"A=1", "B=2"}
		c.Lookup = func(n string) (string, bool) { return map[string]string{"SECRET": "s3"}[n], n == "SECRET" }
	})
	known(t, c)
	got := map[string]bool{}
	for _, e := range p.env {
		got[e] = true
	}
	for _, want := range []string{"A=1", "B=own", "KEY=s3", "D=else"} {
		if !got[want] || len(got) != 4 {
			t.Errorf("the environment is %q", p.env)
		}
	}
	if text := c.conf.Servers[0].Text(); strings.Contains(text, "s3") || !strings.Contains(text, "KEY=${SECRET}") {
		t.Errorf("the definition is shown as %q", text)
	}
}

// A server that hangs is waited for once, however the first start ended, and not
// again at later ones.
func TestAServerThatHangsIsWaitedForOnce(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "mcp")
	silent := func() (*Client, *link) {
		c := client(t, newProgram(), func(conf *Config) {
			conf.Cache = cache
			conf.Servers[0].Wait = 50 * time.Millisecond
			conf.Launch = func(Launch) (*Process, error) {
				in, inW := io.Pipe()
				out, outW := io.Pipe()
				go func() { _, _ = io.Copy(io.Discard, in) }()
				exited := make(chan struct{})
				var once sync.Once
				return &Process{In: inW, Out: out, Exited: exited, Status: func() string { return "ended" }, Stop: func() error {
					once.Do(func() { inW.Close(); outW.Close(); close(exited) })
					return nil
				}}, nil
			}
		})
		return c, c.links[0]
	}
	c, l := silent()
	l.tardy("nobody tries") // as when it ends the moment that the patience does
	if l.late() {
		t.Fatal("it is late before it was tried")
	}
	c.Discover()
	c.Await(t.Context())
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c, l = silent()
	if !l.late() || !strings.Contains(l.state(), "not ready after 50ms") {
		t.Errorf("at the next start: late %v, %s", l.late(), l.state())
	}
	c.Discover()
	c.Await(t.Context())
	if c.link("x").attempting() == nil {
		t.Error("it is not tried in the background")
	}
}
