// Package reach knows how a request leaves this machine: through which proxy of
// the environment, and, when one fails on its way, what the matter is in one
// sentence that names what to do about it.
package reach

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Through makes t go through the proxies of the environment: HTTPS_PROXY and
// HTTP_PROXY, but not for what NO_PROXY names and never for this machine itself
// (localhost and loopback addresses). A proxy that fails is an error: nothing
// goes around it.
func Through(t *http.Transport) {
	t.Proxy = func(r *http.Request) (*url.URL, error) { return Proxy(r.URL) }
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, ask *http.Request, r *http.Response) error {
		if r.StatusCode == http.StatusOK {
			return nil
		}
		return refusal(proxy, "https", ask.Host, r.StatusCode)
	}
}

// Proxy returns the proxy that a request to u goes through, nil for none. A
// variable that cannot be used is an error, which the standard library takes
// for no proxy at all; it does not say what the variable holds, which may be a
// password.
func Proxy(u *url.URL) (*url.URL, error) {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u})
	name := Variable(u.Scheme)
	if err != nil || proxy == nil && !usable(os.Getenv(name)) && !here(u.Hostname()) {
		return nil, &Problem{Text: name + " is not an address that can be used: write it as http://HOST:PORT (in a name or password, percent-encode what is neither letter nor digit)", Lasting: true}
	}
	return proxy, nil
}

// usable reports whether the value of a variable names a proxy, or none.
func usable(value string) bool {
	if value == "" {
		return true
	}
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}

// here reports whether host is this machine itself, by its name or its address.
func here(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// Variable names the variable that holds the proxy for a scheme, as it is
// spelled in the environment.
func Variable(scheme string) string {
	name := strings.ToUpper(scheme) + "_PROXY"
	if os.Getenv(name) == "" && os.Getenv(strings.ToLower(name)) != "" {
		return strings.ToLower(name)
	}
	return name
}

// Shown is what may be said of a proxy: its address without name and password.
func Shown(proxy *url.URL) string {
	at := proxy.Scheme + "://" + proxy.Host
	if proxy.User != nil {
		at += " (with a name and a password)"
	}
	return at
}
