package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	// connectTime bounds the connection to one address of a host.
	connectTime = 10 * time.Second
	// maxAddresses bounds how many addresses of a host are tried.
	maxAddresses = 8
)

// A guard knows where requests may go.
type guard struct {
	allow []string // host or host:port, as the user wrote them
	// lookUp returns the addresses of a name.
	lookUp func(ctx context.Context, host string) ([]netip.Addr, error)
	own    func(netip.Addr) bool
	// dial connects to an address that was checked.
	dial func(ctx context.Context, d *net.Dialer, address netip.AddrPort) (net.Conn, error)
	// proxy returns the proxy that an address is reached through, nil for none.
	proxy func(*url.URL) (*url.URL, error)
}

func newGuard(allow []string) guard {
	return guard{
		allow: allow, own: own, proxy: reach.Proxy,
		lookUp: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		},
		dial: func(ctx context.Context, d *net.Dialer, address netip.AddrPort) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", address.String())
		},
	}
}

// CheckAllow says what is wrong with an entry of the list of what the user
// allows, "" when nothing is: it is a host, or a host and a port.
func CheckAllow(entry string) string {
	if host, _, ok := splitAllowed(entry); !ok || host == "" {
		return `must be a host or host:port, such as "localhost" or "127.0.0.1:8080"`
	}
	return ""
}

// splitAllowed returns host and port, "" for any, of an entry.
func splitAllowed(entry string) (host, port string, ok bool) {
	if strings.ContainsAny(entry, "/@*?# ") {
		return "", "", false
	}
	raw := entry
	if ip, err := netip.ParseAddr(raw); err == nil && ip.Is6() {
		raw = "[" + raw + "]"
	}
	t, err := parse("http://" + raw + "/")
	if err != nil {
		return "", "", false
	}
	if i := strings.LastIndexByte(raw, ':'); i > strings.LastIndexByte(raw, ']') {
		port = t.port
	}
	return t.host, port, true
}

// allowed reports whether the user allows the host of t, as it is spelled.
func (g guard) allowed(t target) bool {
	for _, entry := range g.allow {
		if host, port, ok := splitAllowed(entry); ok && host == t.host && (port == "" || port == t.port) {
			return true
		}
	}
	return false
}

// early refuses what can be refused without asking anybody for an address.
func (g guard) early(t target) error {
	switch {
	case g.allowed(t):
		return nil
	case t.host == "localhost" || strings.HasSuffix(t.host, ".localhost"):
		return denied(t, "it is this machine")
	case t.ip.IsValid():
		return g.judge(t, t.ip)
	}
	return nil
}

// judge says why t must not be reached at address a; nil when it may be.
func (g guard) judge(t target, a netip.Addr) error {
	what := refused(a)
	if what == "" && g.own(a) {
		what = "this machine"
	}
	at := "it is " + what
	if !t.ip.IsValid() {
		at = fmt.Sprintf("it has the address %s, which is %s", a.Unmap(), what)
	}
	switch {
	case what == "":
		return nil
	case !g.allowed(t):
		return denied(t, at)
	case !t.ip.IsValid() && never(a):
		return tools.Refuse(tools.Denied, "%s: %s. It is allowed by its name, but no name may lead there", t.place(), at)
	}
	return nil
}

// addresses looks t up and returns where it may be reached. One address that is
// refused refuses them all: which of them is used is not ours to choose.
func (g guard) addresses(ctx context.Context, t target) ([]netip.AddrPort, error) {
	if err := g.early(t); err != nil {
		return nil, err
	}
	list := []netip.Addr{t.ip}
	if !t.ip.IsValid() {
		var err error
		if list, err = g.lookUp(ctx, t.host); err != nil {
			return nil, fmt.Errorf("find the address of %s: %w", t.host, noPort(err))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("find the address of %s: it has none", t.host)
	}
	var at []netip.AddrPort
	for _, a := range list {
		if err := g.judge(t, a); err != nil {
			return nil, err
		}
		if len(at) < maxAddresses {
			at = append(at, netip.MustParseAddrPort("0.0.0.0:"+t.port)) // for the port
			at[len(at)-1] = netip.AddrPortFrom(a.WithZone(""), at[len(at)-1].Port())
		}
	}
	return at, nil
}

// noPort shortens an error of the resolver: it names its server, which is of no
// use to a model.
func noPort(err error) error {
	var d *net.DNSError
	if errors.As(err, &d) {
		return errors.New(d.Err)
	}
	return err
}

// connect connects to the first of the checked addresses that answers. No name
// is looked up again, so that nothing else can have come of it meanwhile; what
// the kernel is about to connect to is checked once more.
func (g guard) connect(ctx context.Context, t target, at []netip.AddrPort) (net.Conn, error) {
	d := &net.Dialer{Timeout: connectTime, KeepAlive: -1, Control: func(_, address string, _ syscall.RawConn) error {
		a, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return g.judge(t, a.Addr())
	}}
	var errs error
	for _, a := range at {
		conn, err := g.dial(ctx, d, a)
		if err == nil {
			return conn, nil
		}
		errs = errors.Join(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errs
}
