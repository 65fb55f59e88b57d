package reach

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"unicode"
)

// A Problem is a request that failed between this machine and the server.
type Problem struct {
	// Text says in one sentence what the matter is and what to do.
	Text string
	// Lasting says that asking again changes nothing.
	Lasting bool
	// Err is the cause; nil when a proxy's answer is.
	Err error
}

// Error returns the text.
func (p *Problem) Error() string { return p.Text }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Explain returns the Problem that the error of a request to u comes of: a
// proxy, a certificate, or a server without TLS. It is nil for every other error.
func Explain(err error, u *url.URL) *Problem {
	var known *Problem
	if errors.As(err, &known) {
		return known
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		return unreached(op.Err, u)
	}
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		return certificate(cert, u.Hostname())
	}
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) || errors.Is(err, http.ErrSchemeMismatch) {
		return &Problem{Text: fmt.Sprintf("what listens at %s does not speak TLS: write the address as http:// if it is meant, and see whether a login page of the network stands between", u.Host), Lasting: true, Err: err}
	}
	return nil
}

// Refused returns the Problem that an answer is when it comes from the proxy
// and not from the server; nil when it does not.
func Refused(r *http.Response, u *url.URL) *Problem {
	if r.StatusCode != http.StatusProxyAuthRequired {
		return nil
	}
	proxy, err := Proxy(u)
	if err != nil || proxy == nil {
		return nil
	}
	return refusal(proxy, u.Scheme, u.Host, r.StatusCode)
}

// refusal is a proxy that answers something else than that it connects.
func refusal(proxy *url.URL, scheme, target string, status int) *Problem {
	name := Variable(scheme)
	p := &Problem{Lasting: status < 500}
	switch {
	case status == http.StatusProxyAuthRequired && proxy.User != nil:
		p.Text = fmt.Sprintf("the proxy %s does not accept the name and password that %s holds (407): correct them, with what is neither letter nor digit percent-encoded", proxy.Host, name)
	case status == http.StatusProxyAuthRequired:
		p.Text = fmt.Sprintf("the proxy %s wants a name and a password (407): write them into %s as http://NAME:PASSWORD@%s", proxy.Host, name, proxy.Host)
	case p.Lasting:
		p.Text = fmt.Sprintf("the proxy %s does not let requests through to %s (%d): have it allowed there, or name the host in NO_PROXY if it can be reached without the proxy", proxy.Host, target, status)
	default:
		p.Text = fmt.Sprintf("the proxy %s that %s names cannot reach %s (%d)", proxy.Host, name, target, status)
	}
	return p
}

// unreached is a proxy that there is no connection to.
func unreached(err error, u *url.URL) *Problem {
	name := Variable(u.Scheme)
	at := "the proxy that " + name + " names"
	if proxy, perr := Proxy(u); perr == nil && proxy != nil {
		at = "the proxy " + proxy.Host + " that " + name + " names"
	}
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) {
		return &Problem{Text: at + " does not speak TLS itself: write it as http://, which is no less secret towards the server", Lasting: true, Err: err}
	}
	why := err
	var op *net.OpError
	if errors.As(err, &op) {
		why = op.Err
	}
	if sys := (*os.SyscallError)(nil); errors.As(why, &sys) {
		why = sys.Err
	}
	return &Problem{Text: fmt.Sprintf("cannot reach %s: %v; correct it, or take it away if there is none", at, why), Err: err}
}

// certificate is a server whose certificate does not hold.
func certificate(err *tls.CertificateVerificationError, host string) *Problem {
	p := &Problem{Lasting: true, Err: err}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err.Err, &unknown):
		p.Text = fmt.Sprintf("the certificate of %s is signed by %s, which this machine does not trust: if a proxy opens encrypted traffic here, %s", host, issuer(err.UnverifiedCertificates), trustIt())
	case errors.As(err.Err, &name):
		p.Text = fmt.Sprintf("the certificate that came from %s is for another host: check the address, and whether a proxy or a login page of the network stands between", host)
	case errors.As(err.Err, &invalid) && invalid.Reason == x509.Expired:
		p.Text = fmt.Sprintf("the certificate of %s does not hold today: check the clock of this machine; else its owner has to renew it", host)
	default:
		p.Text = fmt.Sprintf("the certificate of %s cannot be checked (%v): SSL_CERT_FILE names a file of the authorities to trust", host, err.Err)
	}
	return p
}

// trustIt says how an authority becomes a trusted one.
func trustIt() string {
	file := os.Getenv("SSL_CERT_FILE")
	switch {
	case runtime.GOOS == "darwin" || runtime.GOOS == "windows":
		return "add its authority to those that the system trusts"
	case file != "":
		return "its authority must be in SSL_CERT_FILE, which is " + line(file)
	}
	return "name the file of its authority in SSL_CERT_FILE"
}

// issuer names who signed the last certificate that was sent.
func issuer(chain []*x509.Certificate) string {
	if len(chain) == 0 {
		return "an authority"
	}
	by := chain[len(chain)-1].Issuer
	for _, name := range append([]string{by.CommonName}, by.Organization...) {
		if name = line(name); name != "" {
			return fmt.Sprintf("%q", name)
		}
	}
	return "an authority without a name"
}

// line is a text of somebody else's as one short line.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// Plain is the error of a request without its address, which may hold a secret.
func Plain(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}
