package web

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// run proposes a call and carries it out, allowed.
func run(t *testing.T, tool tools.Tool, args string) tools.Outcome {
	t.Helper()
	return runIn(t, t.Context(), tool, args)
}

func runIn(t *testing.T, ctx context.Context, tool tools.Tool, args string) tools.Outcome {
	t.Helper()
	p, err := tool.Propose(ctx, tools.Call{ID: "c", Tool: tool.Spec().Name, Args: json.RawMessage(args)})
	if err != nil {
		return tools.OutcomeOf(err)
	}
	return p.Execute(ctx, tools.Decision{Allowed: true, By: tools.ByPolicy, At: time.Unix(0, 0)}, nil)
}

// site serves a handler as every host name of the test: a name's address is a
// public one, which leads to the handler.
func site(t *testing.T, handler http.HandlerFunc) Config {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	g := newGuard(nil)
	g.lookUp = func(_ context.Context, host string) ([]netip.Addr, error) {
		if strings.HasPrefix(host, "inside.") {
			return []netip.Addr{netip.MustParseAddr("10.1.2.3")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	g.dial = func(ctx context.Context, d *net.Dialer, a netip.AddrPort) (net.Conn, error) {
		if err := d.Control("tcp", a.String(), nil); err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(srv.URL, "http://"))
	}
	return Config{guard: &g, Version: "1.2"}
}

func fetchTool(c Config) tools.Tool   { return New(c)[0] }
func requestTool(c Config) tools.Tool { return New(c)[2] }
