package main

import (
	"fmt"
	"net/url"
	"os"
	"runtime"
	"strings"

	"github.com/zuno-dev/zuno/internal/reach"
)

// proxies names the variables that send requests through a proxy. Their values
// may hold a password.
func proxies() string {
	var names []string
	for _, scheme := range []string{"https", "http"} {
		if n := reach.Variable(scheme); os.Getenv(n) != "" {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

// wayFindings says how requests leave this machine: the proxies, without their
// passwords, and the file of trusted authorities.
func wayFindings() []finding {
	var list []finding
	for _, scheme := range []string{"https", "http"} {
		name := reach.Variable(scheme)
		if os.Getenv(name) == "" {
			continue
		}
		// A name of the documentation, which no NO_PROXY has.
		proxy, err := reach.Proxy(&url.URL{Scheme: scheme, Host: "zuno.invalid"})
		switch {
		case err != nil:
			list = append(list, wrong("proxy", err.Error(), "correct "+name+": no provider can be reached until then"))
		case proxy == nil:
			list = append(list, noted("proxy", name+" is set and NO_PROXY is *, so that no proxy is used", ""))
		default:
			list = append(list, fine("proxy", name+": "+reach.Shown(proxy)+", not for this machine itself"+except()))
		}
	}
	if len(list) == 0 && (os.Getenv("ALL_PROXY") != "" || os.Getenv("all_proxy") != "") {
		list = append(list, noted("proxy", "ALL_PROXY is set and not used", "set HTTPS_PROXY (and HTTP_PROXY) to the same address, socks5:// included"))
	}
	return append(list, authorityFindings()...)
}

// except names what no proxy is used for.
func except() string {
	for _, n := range []string{"NO_PROXY", "no_proxy"} {
		if v := os.Getenv(n); v != "" {
			return ", nor for " + v
		}
	}
	return ""
}

// authorityFindings says which file of authorities is trusted, where one is
// named.
func authorityFindings() []finding {
	file := os.Getenv("SSL_CERT_FILE")
	switch {
	case file == "":
		return nil
	case runtime.GOOS == "darwin" || runtime.GOOS == "windows":
		return []finding{noted("certificates", "SSL_CERT_FILE is set, and not used on this system", "add the authority to those that the system trusts")}
	}
	text, err := os.ReadFile(file)
	n := strings.Count(string(text), "-----BEGIN CERTIFICATE-----")
	switch {
	case err != nil:
		return []finding{wrong("certificates", fmt.Sprintf("SSL_CERT_FILE is %s: %s", file, plainError(err)), "name a file of certificates (PEM) that zuno may read")}
	case n == 0:
		return []finding{wrong("certificates", fmt.Sprintf("SSL_CERT_FILE is %s, which holds no certificate", file), "name a file of certificates (PEM)")}
	}
	return []finding{fine("certificates", fmt.Sprintf("SSL_CERT_FILE is %s, with %s", file, counted(n, "certificate")))}
}
