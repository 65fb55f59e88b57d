package web

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestWhatIsNotThePublicInternetIsRefused(t *testing.T) {
	for _, a := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255", "127.0.0.1", "127.255.0.1",
		"168.63.129.16", "169.254.169.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
		"192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::2", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe",
		"64:ff9b:1::1", "100::1", "2001::1", "2001:0:7f00:1::", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "3fff::1", "5f00::1",
		"fc00::1", "fd00:ec2::254", "fe80::1", "febf::1", "fec0::1", "ff02::1", "2a00::5efe:10.0.0.1", "2a00::200:5efe:127.0.0.1", "4000::1",
	} {
		if refused(netip.MustParseAddr(a)) == "" {
			t.Errorf("%s may be reached", a)
		}
	}
	for _, a := range []string{
		"1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1", "169.253.0.1", "172.15.0.1", "172.32.0.1",
		"192.0.1.1", "192.167.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "64:ff9b::1.1.1.1", "2002:101:101::1", "::ffff:1.1.1.1",
	} {
		if what := refused(netip.MustParseAddr(a)); what != "" {
			t.Errorf("%s is refused as %s", a, what)
		}
	}
	if refused(netip.Addr{}) == "" {
		t.Error("no address may be reached")
	}
}

// spellings are addresses of this machine and of others that nobody may reach,
// however they are written.
func spellings() []string {
	return []string{
		"http://127.0.0.1/", "http://127.0.0.1:8080/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:7f00:1]/",
		"http://0/", "http://0.0.0.0/", "http://127.1/", "http://127.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://017700000001/",
		"http://127.0.0.1./", "http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://a.localhost/", "http://ｌｏｃａｌｈｏｓｔ/", "http://１２７.０.０.１/", "http://127。0。0。1/", "http://①②⑦.0.0.1/",
		"http://169.254.169.254/latest/meta-data/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://100.100.100.200/", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.0.1/",
		"http://224.0.0.1/", "http://[ff02::1]/", "http://[fc00::1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://255.255.255.255/", "https://127.0.0.1/",
		"file:///etc/hostname", "unix:///var/run/docker.sock", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "FILE:///etc/hostname", "data:text/plain,x", "javascript:alert(1)",
		"http://user@1.1.1.1/", "http://user:hunter2@1.1.1.1/", "http://1.1.1.1@127.0.0.1/",
	}
}

func TestNoSpellingOfAPrivateAddressIsProposed(t *testing.T) {
	tool := New(Config{guard: unreachable(t)})[0]
	for _, s := range spellings() {
		_, err := tool.Propose(t.Context(), tools.Call{Args: []byte(`{"url":` + quoted(s) + `}`)})
		var r *tools.Refusal
		if !errors.As(err, &r) || r.Block != tools.Denied {
			t.Errorf("%s: %v, want a refusal: denied", s, err)
			continue
		}
		if strings.Contains(r.Reason, "hunter2") {
			t.Errorf("the password is repeated: %s", r.Reason)
		}
	}
}

func TestWhatIsNoAddressIsInvalid(t *testing.T) {
	tool := New(Config{guard: unreachable(t)})[0]
	for _, s := range []string{
		"", "example.com", "//example.com/", "http://", "http:///x", "http://exa mple.com/", "http://a..b/", "http://.a/", "http://[::1/", "http://example.com:0/", "http://example.com:99999/",
		"http://example.com:x/", "http://a\x00b/", "http://%6c%6f%63alhost/", "http://a/\n", "http:a.b", "http://" + strings.Repeat("a", 300) + ".com/", "http://a/" + strings.Repeat("x", maxURL),
	} {
		_, err := tool.Propose(t.Context(), tools.Call{Args: []byte(`{"url":` + quoted(s) + `}`)})
		var r *tools.Refusal
		if s == "http://a/\n" {
			if err != nil {
				t.Errorf("blanks around an address: %v", err)
			}
			continue
		}
		if !errors.As(err, &r) || r.Block != tools.InvalidArguments {
			t.Errorf("%q: %v, want a refusal: invalid arguments", s, err)
		}
	}
}

func TestAnAddressHasOneSpelling(t *testing.T) {
	for from, want := range map[string]string{
		"HTTP://Example.COM.:80/A?b#c": "http://example.com/A?b",
		"https://example.com:0443":     "https://example.com/",
		"https://bücher.example/ä":     "https://xn--bcher-kva.example/%C3%A4",
		"http://[2606:4700:0::1111]/":  "http://[2606:4700::1111]/",
		"http://my_host.example:81/":   "http://my_host.example:81/",
		"  https://example.com/a%2Fb ": "https://example.com/a%2Fb",
	} {
		got, err := parse(from)
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v; want %s", from, got.url, err, want)
		}
	}
}

func TestTheUserAllowsHostsAsTheyAreSpelled(t *testing.T) {
	for _, c := range []struct {
		allow, url string
		want       bool
	}{
		{"127.0.0.1:8080", "http://127.0.0.1:8080/x", true},
		{"127.0.0.1:8080", "http://127.0.0.1:8081/x", false},
		{"127.0.0.1:8080", "http://[::ffff:127.0.0.1]:8080/", false},
		{"127.0.0.1:8080", "http://localhost:8080/", false},
		{"127.0.0.1:8080", "http://2130706433:8080/", false},
		{"localhost", "http://localhost:3000/", true},
		{"localhost", "http://localhost./", true},
		{"LocalHost:80", "http://localhost/", true},
		{"localhost", "http://a.localhost/", false},
		{"[::1]:80", "http://[::1]/", true},
		{"::1", "http://[::1]:99/", true},
		{"10.0.0.1", "https://10.0.0.1/", true},
		{"10.0.0.1", "https://10.0.0.2/", false},
	} {
		if problem := CheckAllow(c.allow); problem != "" {
			t.Errorf("%s %s", c.allow, problem)
		}
		target, err := parse(c.url)
		if err == nil {
			err = newGuard([]string{c.allow}).early(target)
		}
		if (err == nil) != c.want {
			t.Errorf("%s with %s: %v", c.url, c.allow, err)
		}
	}
	for _, bad := range []string{"", "*", "http://localhost", "localhost/x", "user@host", "a b", "127.1", "localhost:99999", "10.0.0.0/8", "*.corp"} {
		if CheckAllow(bad) == "" {
			t.Errorf("%q is taken for a host", bad)
		}
	}
}

// A dialled guard notes what is connected to, and connects to nothing.
type dialled struct{ to []netip.AddrPort }

var errNoDial = errors.New("the test connects to nothing")

func (d *dialled) guard(answers []netip.Addr, allow ...string) *guard {
	g := newGuard(allow)
	g.own = func(netip.Addr) bool { return false }
	g.lookUp = func(context.Context, string) ([]netip.Addr, error) { return answers, nil }
	g.dial = func(_ context.Context, dialer *net.Dialer, a netip.AddrPort) (net.Conn, error) {
		if err := dialer.Control("tcp", a.String(), nil); err != nil {
			return nil, err
		}
		d.to = append(d.to, a)
		return nil, errNoDial
	}
	return &g
}

// unreachable fails the test when anything is looked up or connected to.
func unreachable(t *testing.T) *guard {
	g := newGuard(nil)
	g.lookUp = func(_ context.Context, host string) ([]netip.Addr, error) {
		t.Errorf("%s was looked up", host)
		return nil, errNoDial
	}
	g.dial = func(_ context.Context, _ *net.Dialer, a netip.AddrPort) (net.Conn, error) {
		t.Errorf("%s was connected to", a)
		return nil, errNoDial
	}
	return &g
}

func TestANameIsJudgedByAllOfItsAddresses(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		allow   string
		want    int // connections
		kind    tools.Kind
	}{
		{"public", []string{"93.184.216.34", "2606:4700::1111"}, "", 2, tools.Error},
		{"loopback", []string{"127.0.0.1"}, "", 0, tools.Blocked},
		{"one of two", []string{"93.184.216.34", "10.0.0.1"}, "", 0, tools.Blocked},
		{"mapped", []string{"::ffff:127.0.0.1"}, "", 0, tools.Blocked},
		{"allowed by name", []string{"127.0.0.1"}, "name.example", 1, tools.Error},
		{"allowed by name, metadata", []string{"169.254.169.254"}, "name.example", 0, tools.Blocked},
		{"allowed at another port", []string{"127.0.0.1"}, "name.example:81", 0, tools.Blocked},
		{"none", nil, "", 0, tools.Error},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &dialled{}
			var allow []string
			if c.allow != "" {
				allow = append(allow, c.allow)
			}
			var answers []netip.Addr
			for _, a := range c.answers {
				answers = append(answers, netip.MustParseAddr(a))
			}
			out := run(t, New(Config{guard: d.guard(answers, allow...)})[0], `{"url":"http://name.example/"}`)
			if out.Kind != c.kind || len(d.to) != c.want || out.Kind == tools.Blocked && out.Block != tools.Denied {
				t.Errorf("%v %v, connections to %v: %s", out.Kind, out.Block, d.to, out.Text)
			}
		})
	}
}

func TestThisMachinesOwnAddressesAreRefused(t *testing.T) {
	d := &dialled{}
	g := d.guard([]netip.Addr{netip.MustParseAddr("93.184.216.34")})
	g.own = func(a netip.Addr) bool { return a == netip.MustParseAddr("93.184.216.34") }
	if out := run(t, New(Config{guard: g})[0], `{"url":"http://name.example/"}`); out.Kind != tools.Blocked || len(d.to) > 0 {
		t.Errorf("%v, connections to %v: %s", out.Kind, d.to, out.Text)
	}
	if !own(netip.MustParseAddr("127.0.0.1")) || own(netip.MustParseAddr("93.184.216.34")) {
		t.Error("the machine does not know its own addresses")
	}
}

// Whatever is asked for and whatever a name server says, nothing is connected
// to but the public Internet.
func FuzzDial(f *testing.F) {
	for _, s := range spellings() {
		f.Add(s, []byte{127, 0, 0, 1})
	}
	f.Add("http://name.example/", []byte{93, 184, 216, 34})
	f.Add("http://name.example:8080/", append(make([]byte, 10), 0xff, 0xff, 127, 0, 0, 1))
	f.Fuzz(func(t *testing.T, address string, raw []byte) {
		var answers []netip.Addr
		for _, n := range []int{4, 16} {
			for rest := raw; len(rest) >= n; rest = rest[n:] {
				a, _ := netip.AddrFromSlice(rest[:n])
				answers = append(answers, a)
			}
		}
		target, err := parse(address)
		if err != nil {
			return
		}
		if again, err := parse(target.String()); err != nil || again.String() != target.String() || again.host != target.host || again.port != target.port {
			t.Fatalf("%q is %q, and that is %q, %v", address, target, again.url, err)
		}
		d := &dialled{}
		fetcher := fetcher{config: Config{guard: d.guard(answers)}, method: "GET"}
		_, _ = fetcher.send(t.Context(), target, 1)
		for _, to := range d.to {
			a := to.Addr().Unmap()
			if a.IsPrivate() || a.IsLoopback() || a.IsUnspecified() || a.IsLinkLocalUnicast() || a.IsMulticast() || refused(a) != "" {
				t.Fatalf("%q connects to %s", address, to)
			}
		}
	})
}
