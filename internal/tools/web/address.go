package web

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// A block is a range of addresses that is not the public Internet, and what it
// is. The ranges are those of the IANA registries of special-purpose addresses.
type block struct{ prefix, what string }

// blocks4 is everything of IPv4 that is refused.
var blocks4 = [...]block{
	{"0.0.0.0/8", "this machine"},
	{"10.0.0.0/8", "a private network"},
	{"100.64.0.0/10", "a provider's shared network"},
	{"127.0.0.0/8", "loopback"},
	{"168.63.129.16/32", "a cloud's platform service"},
	{"169.254.0.0/16", "link-local, where clouds serve credentials"},
	{"172.16.0.0/12", "a private network"},
	{"192.0.0.0/24", "reserved for protocols"},
	{"192.0.2.0/24", "reserved for documentation"},
	{"192.88.99.0/24", "a 6to4 relay"},
	{"192.168.0.0/16", "a private network"},
	{"198.18.0.0/15", "reserved for benchmarks"},
	{"198.51.100.0/24", "reserved for documentation"},
	{"203.0.113.0/24", "reserved for documentation"},
	{"224.0.0.0/4", "multicast"},
	{"240.0.0.0/4", "reserved"},
}

// blocks6 names ranges of IPv6. What is in none of them and outside of
// 2000::/3 is refused as well: nothing there is the public Internet.
var blocks6 = [...]block{
	{"::/128", "this machine"},
	{"::1/128", "loopback"},
	{"64:ff9b:1::/48", "a local NAT64"},
	{"2001::/23", "reserved for protocols"},
	{"2001:db8::/32", "reserved for documentation"},
	{"3fff::/20", "reserved for documentation"},
	{"fc00::/7", "a private network"},
	{"fe80::/10", "link-local"},
	{"fec0::/10", "a private network"},
	{"ff00::/8", "multicast"},
}

// embedded are the ranges of IPv6 whose addresses stand for one of IPv4, and
// the byte at which that begins.
var embedded = [...]struct {
	prefix string
	at     int
}{
	{"64:ff9b::/96", 12}, // NAT64
	{"2002::/16", 2},     // 6to4
	{"::ffff:0:0:0/96", 12},
	{"::/96", 12},
}

// refused says why nothing connects to a, "" when it is an address of the
// public Internet. An address that stands for another is judged by that one.
func refused(a netip.Addr) string {
	a = a.WithZone("").Unmap()
	switch {
	case !a.IsValid():
		return "no address"
	case a.Is4():
		return within(a, blocks4[:])
	}
	if what := within(a, blocks6[:]); what != "" {
		return what
	}
	b := a.As16()
	for _, e := range embedded {
		if netip.MustParsePrefix(e.prefix).Contains(a) {
			return refusedInside(b[e.at:])
		}
	}
	if b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe { // ISATAP
		return refusedInside(b[12:])
	}
	if b[0]>>5 != 1 {
		return "reserved"
	}
	return ""
}

func refusedInside(b []byte) string {
	in := netip.AddrFrom4([4]byte(b[:4]))
	if what := refused(in); what != "" {
		return fmt.Sprintf("a form of %s, %s", in, what)
	}
	return ""
}

func within(a netip.Addr, blocks []block) string {
	for _, b := range blocks {
		if netip.MustParsePrefix(b.prefix).Contains(a) {
			return b.what
		}
	}
	return ""
}

// never reports the addresses that a name which the user has allowed still must
// not lead to: nobody names a service of theirs and means one of these. Who
// does writes the address itself.
func never(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	return a.IsUnspecified() || a.IsMulticast() || a.IsLinkLocalUnicast() ||
		a == netip.AddrFrom4([4]byte{168, 63, 129, 16}) || a == netip.AddrFrom4([4]byte{100, 100, 100, 200})
}

// own reports whether a is an address of this machine, whose services are not
// the Internet even where the address is.
func own(a netip.Addr) bool {
	list, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(list, func(n net.Addr) bool {
		p, err := netip.ParsePrefix(n.String())
		return err == nil && p.Addr().Unmap() == a.WithZone("").Unmap()
	})
}
