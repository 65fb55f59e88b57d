package reach

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestWhatNamesAProxy(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, "proxy:3128": true, "http://proxy": true, "https://proxy:1": true, "socks5://127.0.0.1:1080": true, "http://a:b%20c@proxy:1": true,
		"http://a:b c@proxy:1": false, "http://a:b%@proxy:1": false, "http://": false, ":::": false, "ftp://proxy": false,
	} {
		if got := usable(value); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
	for host, want := range map[string]bool{"localhost": true, "LOCALHOST": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true, "10.0.0.1": false, "local": false, "": false} {
		if here(host) != want {
			t.Errorf("%q is here: %v", host, !want)
		}
	}
}

func TestAProxyIsShownWithoutItsPassword(t *testing.T) {
	u, err := url.Parse("http://ada:s3cr3t@proxy:3128/path?token=x")
	if err != nil {
		t.Fatal(err)
	}
	if got := Shown(u); got != "http://proxy:3128 (with a name and a password)" {
		t.Error(got)
	}
}

func TestAProxysAnswerIsASentence(t *testing.T) {
	plain, named := &url.URL{Scheme: "http", Host: "proxy:1"}, &url.URL{Scheme: "http", Host: "proxy:1", User: url.UserPassword("ada", "s3cr3t")}
	for _, c := range []struct {
		proxy   *url.URL
		status  int
		want    string
		lasting bool
	}{
		{plain, 407, "wants a name and a password (407): write them into HTTPS_PROXY", true},
		{named, 407, "does not accept the name and password that HTTPS_PROXY holds (407)", true},
		{plain, 403, "does not let requests through to a.example:443 (403)", true},
		{plain, 502, "cannot reach a.example:443 (502)", false},
	} {
		p := refusal(c.proxy, "https", "a.example:443", c.status)
		if !strings.Contains(p.Text, c.want) || p.Lasting != c.lasting || strings.Contains(p.Text, "s3cr3t") || len(p.Text) > 290 {
			t.Errorf("%d: %v %s", c.status, p.Lasting, p.Text)
		}
	}
}

func TestACertificateThatDoesNotHoldIsASentence(t *testing.T) {
	u := &url.URL{Scheme: "https", Host: "a.example"}
	leaf := &x509.Certificate{}
	leaf.Issuer.CommonName = "Corp\x1b]0;CA"
	for want, err := range map[string]error{
		`signed by "Corp]0;CA", which this machine does not trust`: x509.UnknownAuthorityError{Cert: leaf},
		"is for another host": x509.HostnameError{Certificate: leaf, Host: "a.example"},
		"check the clock":     x509.CertificateInvalidError{Cert: leaf, Reason: x509.Expired},
		"cannot be checked":   errors.New("odd"),
	} {
		p := Explain(&url.Error{Op: "Get", URL: "https://a.example/?token=x", Err: &tls.CertificateVerificationError{UnverifiedCertificates: []*x509.Certificate{leaf}, Err: err}}, u)
		if p == nil || !strings.Contains(p.Text, want) || !p.Lasting || strings.Contains(p.Text, "token") {
			t.Errorf("%v: %v", err, p)
		}
	}
	if p := Explain(&net.OpError{Op: "dial", Err: errors.New("refused")}, u); p != nil {
		t.Errorf("an ordinary error: %v", p)
	}
}

// A server that is not trusted, and a client that reaches it by the real way.
func TestAnUntrustedServerIsExplained(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	tr := &http.Transport{}
	Through(tr)
	resp, err := (&http.Client{Transport: tr}).Get(s.URL)
	if err == nil {
		resp.Body.Close()
		t.Fatal("it is trusted")
	}
	u, _ := url.Parse(s.URL)
	if p := Explain(err, u); p == nil || !strings.Contains(p.Text, "does not trust") {
		t.Errorf("%v: %v", err, p)
	}
}

func TestAServerWithoutTLSIsNamed(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	at, err := url.Parse("https://" + strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Client().Get(at.String())
	p := Explain(err, at)
	if p == nil || !p.Lasting || !strings.Contains(p.Text, at.Host+" does not speak TLS: write the address as http://") {
		t.Errorf("%v: %+v", err, p)
	}
}
