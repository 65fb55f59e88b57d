//go:build unix

package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdProxy starts a proxy on loopback, which it names in PROXY as host:port:
// proxy [-auth NAME:PASSWORD] [-status CODE]. What is asked of model.example it
// has the newest scripted server answer, what is asked of site.example the site;
// for https it opens the traffic with an authority of its own, whose certificate
// it writes to ca.pem. Each request is a line of proxy.log.
func cmdProxy(ts *testscript.TestScript, neg bool, args []string) {
	p := &proxy{ts: ts, log: ts.MkAbs("proxy.log")}
	for ; len(args) >= 2; args = args[2:] {
		switch args[0] {
		case "-auth":
			p.auth = "Basic " + base64.StdEncoding.EncodeToString([]byte(args[1]))
		case "-status":
			fmt.Sscan(args[1], &p.status)
		}
	}
	if neg || len(args) > 0 {
		ts.Fatalf("usage: proxy [-auth NAME:PASSWORD] [-status CODE]")
	}
	ts.Check(p.authority())
	ts.Check(os.WriteFile(p.log, nil, 0o600))
	srv := httptest.NewServer(p)
	ts.Defer(srv.Close)
	ts.Setenv("PROXY", strings.TrimPrefix(srv.URL, "http://"))
}

type proxy struct {
	ts        *testscript.TestScript
	auth, log string
	status    int
	mu        sync.Mutex // guards the file of the log
	cert      tls.Certificate
}

// authority makes the certificate of model.example and site.example, signed by
// an authority that nobody knows.
func (p *proxy) authority() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Corp Inspection CA"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	root, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		return err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{"model.example", "site.example"}, NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, key)
	p.cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	if err != nil {
		return err
	}
	return os.WriteFile(p.ts.MkAbs("ca.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root}), 0o600)
}

func (p *proxy) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := os.OpenFile(p.log, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		fmt.Fprintln(f, line)
		f.Close()
	}
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.note(r.Method + " " + r.Host)
	switch {
	case p.auth != "" && r.Header.Get("Proxy-Authorization") != p.auth:
		http.Error(w, "who are you?", http.StatusProxyAuthRequired)
	case p.status != 0:
		http.Error(w, "no", p.status)
	case r.Method == http.MethodConnect:
		p.open(w)
	default:
		p.forward(w, r)
	}
}

// open answers a CONNECT, and then as the server itself.
func (p *proxy) open(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "HTTP/1.1 200 Connected\r\n\r\n")
	inside := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{p.cert}})
	r, err := http.ReadRequest(bufio.NewReader(inside))
	if err != nil {
		return
	}
	r.URL.Scheme, r.URL.Host = "http", r.Host
	p.note("inside: " + r.Method + " " + r.Host)
	answer, err := http.DefaultTransport.RoundTrip(p.aim(r))
	if err != nil {
		return
	}
	defer answer.Body.Close()
	answer.Close = true
	_ = answer.Write(inside)
	_ = inside.Close()
}

func (p *proxy) forward(w http.ResponseWriter, r *http.Request) {
	answer, err := http.DefaultTransport.RoundTrip(p.aim(r))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	for k, v := range answer.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(flushing{w}, answer.Body)
}

// aim turns a request for a name of the examples to the server on loopback.
func (p *proxy) aim(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.Header.Del("Proxy-Authorization")
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	out.URL.Host = strings.TrimPrefix(p.ts.Getenv("URL"), "http://")
	if host == "site.example" {
		out.URL.Host = p.ts.Getenv("SITE")
	}
	return out
}

type flushing struct{ http.ResponseWriter }

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	_ = http.NewResponseController(f.ResponseWriter).Flush()
	return n, err
}
