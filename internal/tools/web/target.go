package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/zuno-dev/zuno/internal/reach"
	"github.com/zuno-dev/zuno/internal/tools"
)

// maxURL bounds an address in bytes, so that all of it can be shown.
const maxURL = 4096

// A target is where one request goes, spelled in the one way that rules, the
// screen and the connection agree on.
type target struct {
	url  *url.URL
	host string     // lower case ASCII, without brackets and the last dot
	ip   netip.Addr // what host is when it is an address
	port string
}

// String returns the address without its fragment, which is never sent.
func (t target) String() string { return t.url.String() }

// site is what has to be the same for a request to stay where it was sent.
func (t target) site() string { return t.url.Scheme + "://" + t.host + ":" + t.port }

// parse reads an address. Its errors are refusals, and repeat nothing of an
// address that holds a password.
func parse(raw string) (target, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxURL {
		return target{}, tools.Refuse(tools.InvalidArguments, "url: it has %d bytes, and at most %d are sent", len(raw), maxURL)
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return target{}, tools.Refuse(tools.InvalidArguments, "url: it is no address: %v", reach.Plain(err))
	case u.Scheme == "":
		return target{}, tools.Refuse(tools.InvalidArguments, "url: it must be a whole address, such as https://example.com/page")
	}
	return of(u)
}

// of checks everything about u that needs no look-up.
func of(u *url.URL) (target, error) {
	if s := strings.ToLower(u.Scheme); s != "http" && s != "https" {
		return target{}, tools.Refuse(tools.Denied, "only http and https are fetched, not %s:; files are for the read tool", tools.CleanLine(tools.Clip(u.Scheme, 20)))
	}
	switch {
	case u.User != nil:
		return target{}, tools.Refuse(tools.Denied, "the address holds a user name or a password, which is never sent: leave out what stands before the @")
	case u.Opaque != "" || u.Host == "":
		return target{}, tools.Refuse(tools.InvalidArguments, "url: it names no host")
	}
	host, ip, err := hostOf(u.Hostname())
	if err != nil {
		return target{}, err
	}
	t := target{host: host, ip: ip, port: u.Port()}
	if t.port == "" {
		t.port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	if n, err := strconv.Atoi(t.port); err != nil || n < 1 || n > 65535 {
		return target{}, tools.Refuse(tools.InvalidArguments, "url: there is no port %q", tools.CleanLine(tools.Clip(t.port, 20)))
	} else {
		t.port = strconv.Itoa(n)
	}
	t.url = &url.URL{Scheme: strings.ToLower(u.Scheme), Host: bracketed(t.host), Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery, ForceQuery: u.ForceQuery}
	if t.url.Path == "" {
		t.url.Path = "/"
	}
	if standard := t.url.Scheme == "http" && t.port == "80" || t.url.Scheme == "https" && t.port == "443"; !standard {
		t.url.Host += ":" + t.port
	}
	return t, nil
}

// hostOf returns the one spelling of a host, and the address it is, if it is
// one. Other spellings of addresses than the usual are refused: systems differ
// in what they take them for.
func hostOf(s string) (string, netip.Addr, error) {
	none := netip.Addr{}
	name := strings.TrimSuffix(s, ".")
	if strings.Contains(name, ":") { // it stood in brackets
		ip, err := netip.ParseAddr(name)
		if err != nil || ip.Zone() != "" {
			return "", none, tools.Refuse(tools.Denied, "[%s] is no address that can be reached from anywhere", tools.CleanLine(tools.Clip(name, 60)))
		}
		return ip.String(), ip, nil
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil && isASCII(name) && plainHost(strings.ToLower(name)) {
		ascii, err = strings.ToLower(name), nil // names with an underscore, or hyphens where IDNA wants none, exist
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if err != nil || !plainHost(ascii) {
		return "", none, tools.Refuse(tools.InvalidArguments, "url: %q is no name of a host", tools.CleanLine(tools.Clip(s, 80)))
	}
	if ip, err := netip.ParseAddr(ascii); err == nil {
		return ip.String(), ip, nil
	}
	if last := ascii[strings.LastIndexByte(ascii, '.')+1:]; numeric(last) {
		return "", none, tools.Refuse(tools.Denied, "%s is a number in the place of a host name: write an address as four decimal numbers", ascii)
	}
	return ascii, none, nil
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }

// plainHost reports whether s has only what names and addresses consist of,
// and no empty label.
func plainHost(s string) bool {
	return s != "" && len(s) <= 253 && !strings.HasPrefix(s, ".") && !strings.Contains(s, "..") &&
		strings.IndexFunc(s, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_'
		}) < 0
}

// numeric reports a last label that makes systems take a host for an address:
// decimal, octal or hexadecimal.
func numeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// denied is a refusal to connect to t, and says what would allow it.
func denied(t target, what string) error {
	return &tools.Refusal{
		Block: tools.Denied, Summary: t.String(),
		Reason: fmt.Sprintf("%s: %s. Such addresses are not connected to, also not by a redirect. "+
			"The user can allow this one in their own configuration: {\"webfetch\": {\"allow\": [%q]}}", t.place(), what, t.place()),
	}
}

// place is the host and port as the configuration names them.
func (t target) place() string { return bracketed(t.host) + ":" + t.port }
