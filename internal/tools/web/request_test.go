package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func propose(t *testing.T, tool tools.Tool, args string) (*tools.Proposal, error) {
	t.Helper()
	return tool.Propose(t.Context(), tools.Call{ID: "c", Args: []byte(args)})
}

func TestOnlyGetAndHeadRead(t *testing.T) {
	tool := requestTool(Config{})
	if s := tool.Spec(); s.Effect != tools.SideEffecting || s.Replay != tools.Never || s.Risk != tools.High || s.Concurrency != tools.Exclusive {
		t.Errorf("it declares %+v", s)
	}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		p, err := propose(t, tool, `{"method":"`+method+`","url":"https://a.example/x?y=1","headers":{"x-api-key":"canary-1","X-Plain":"seen"}}`)
		if err != nil {
			t.Fatal(err)
		}
		reads := method == "GET" || method == "HEAD"
		if (p.Spec.Effect == tools.ReadOnly) != reads || (p.Spec.Replay == tools.Safe) != reads || (p.Spec.Risk == tools.ReadOnlyRisk) != reads {
			t.Errorf("%s is %+v", method, p.Spec)
		}
		if p.Summary != method+" https://a.example/x?y=1" || strings.Contains(p.Preview[0].Body, "canary-1") || !strings.Contains(p.Preview[0].Body, "X-Plain: seen") {
			t.Errorf("%s: %s: %+v", method, p.Summary, p.Preview)
		}
	}
}

func TestARequestIsSentAsItWasShown(t *testing.T) {
	var got string
	c := site(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = fmt.Sprintf("%s %s %s %s %d %s", r.Method, r.URL, r.Header.Get("Content-Type"), r.Header.Get("X-A"), r.ContentLength, body)
		w.Header().Set("Set-Cookie", "id=canary")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"id":7}`)
	})
	for args, want := range map[string]string{
		`"method":"POST","body":{"json":{"b": [1,2]}}`:                                 `POST /x application/json  12 {"b": [1,2]}`,
		`"method":"PUT","body":{"text":"é"},"headers":{"x-a":"1"}`:                     "PUT /x text/plain; charset=utf-8 1 2 é",
		`"method":"PATCH","body":{"form":{"b":"2","a":"1 &"}}`:                         "PATCH /x application/x-www-form-urlencoded  11 a=1+%26&b=2",
		`"method":"POST","body":{"text":"<a/>"},"headers":{"content-type":"text/xml"}`: "POST /x text/xml  4 <a/>",
		`"method":"POST"`: "POST /x   0 ",
		`"method":"DELETE","query":{"b":"2","a":"ä"}`: "DELETE /x?a=%C3%A4&b=2   0 ",
		`"method":"OPTIONS"`:                          "OPTIONS /x   0 ",
	} {
		out := run(t, requestTool(c), `{"url":"http://a.example/x",`+args+`}`)
		if got != want || out.Kind != tools.OK {
			t.Errorf("%s: %v: %q, want %q", args, out.Kind, got, want)
		}
		if !strings.Contains(out.Text, `status="201 Created"`) || !strings.Contains(out.Text, "\n{\"id\":7}\n") || strings.Contains(out.Text, "canary") {
			t.Errorf("%s", out.Text)
		}
	}
}

func TestArgumentsOfARequestAreJudged(t *testing.T) {
	tool := requestTool(Config{guard: unreachable(t)})
	for args, want := range map[string]string{
		`"method":"GET","body":{"text":"x"}`:                               "GET has none",
		`"method":"TRACE"`:                                                 "must be one of",
		`"method":"get"`:                                                   "must be one of",
		`"method":"POST","body":{}`:                                        "one of json, text and form, not 0",
		`"method":"POST","body":{"text":"x","json":1}`:                     "not 2",
		`"method":"POST","followRedirects":true`:                           "is not followed",
		`"method":"GET","headers":{"Host":"b"}`:                            "not for a call to set",
		`"method":"GET","headers":{"a b":"c"}`:                             "not the name of a header",
		`"method":"GET","headers":{"a":"b\r\nc: d"}`:                       "one line",
		`"method":"GET","headers":{"Proxy-Authorization":"b"}`:             "not for a call to set",
		`"method":"GET","timeoutMs":0`:                                     "1 to 120000",
		`"method":"GET","timeoutMs":120001`:                                "1 to 120000",
		`"method":"GET","maxResponseBytes":5242881`:                        "1 to 5242880",
		`"method":"GET","query":{"a":"` + strings.Repeat("x", 5000) + `"}`: "at most 4096",
	} {
		if out := run(t, tool, `{"url":"http://a.example/",`+args+`}`); out.Block != tools.InvalidArguments || !strings.Contains(out.Text, want) {
			t.Errorf("%.80s: %v %v: %s", args, out.Kind, out.Block, out.Text)
		}
	}
	if out := run(t, tool, `{"method":"POST","url":"http://127.0.0.1/"}`); out.Block != tools.Denied {
		t.Errorf("loopback: %v: %s", out.Kind, out.Text)
	}
}

func TestSecretsDoNotLeaveTheirSite(t *testing.T) {
	var seen []string
	c := site(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Host+" "+r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")+r.Header.Get("Cookie")+" "+r.Header.Get("Accept"))
		switch r.URL.Path {
		case "/1":
			http.Redirect(w, r, "/2", http.StatusFound)
		case "/2":
			http.Redirect(w, r, "http://b.example/3", http.StatusTemporaryRedirect)
		case "/3":
			http.Redirect(w, r, "http://a.example/4", http.StatusFound)
		}
	})
	out := run(t, requestTool(c), `{"method":"GET","url":"http://a.example/1","headers":{"Authorization":"A","X-Api-Key":"B","cookie":"C","Accept":"text/x"}}`)
	want := "a.example ABC text/x, a.example ABC text/x, b.example  text/x, a.example  text/x"
	if got := strings.Join(seen, ", "); got != want || out.Kind != tools.OK {
		t.Errorf("%v: %s, want %s\n%s", out.Kind, got, want, out.Text)
	}
}

// A change is sent once. What is not known of it afterwards is uncertain, and
// what never left is an error that says so.
func TestALostAnswerIsUncertain(t *testing.T) {
	var got atomic.Int32
	c := site(t, func(w http.ResponseWriter, r *http.Request) {
		got.Add(1)
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that the client has gone
		switch r.URL.Path {
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/slow":
			<-r.Context().Done()
		case "/gateway":
			w.WriteHeader(http.StatusBadGateway)
		case "/wrong":
			w.WriteHeader(http.StatusConflict)
		case "/redirect":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/half":
			w.Header().Set("Content-Length", "10")
			fmt.Fprint(w, "done")
		}
	})
	for path, x := range map[string]struct {
		kind tools.Kind
		want string
	}{
		"/cut":      {tools.Uncertain, "POST http://a.example/cut was sent, or a part of it, and the connection ended"},
		"/slow":     {tools.Uncertain, "no answer came within 300ms"},
		"/gateway":  {tools.Uncertain, "may have been carried out"},
		"/wrong":    {tools.Error, "409 Conflict"},
		"/redirect": {tools.OK, "a redirect, which was not followed"},
		"/half":     {tools.OK, "ended early, after 4 bytes"},
		"/fine":     {tools.OK, "200 OK"},
	} {
		got.Store(0)
		out := run(t, requestTool(c), `{"method":"POST","url":"http://a.example`+path+`","timeoutMs":300,"body":{"text":"x"}}`)
		if out.Kind != x.kind || !strings.Contains(out.Text, x.want) || got.Load() != 1 {
			t.Errorf("%s: %v after %d requests: %s", path, out.Kind, got.Load(), out.Text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop := site(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if out := runIn(t, ctx, requestTool(stop), `{"method":"POST","url":"http://a.example/"}`); out.Kind != tools.Uncertain || !strings.Contains(out.Text, "interrupted before the answer came") {
		t.Errorf("interrupted: %v: %s", out.Kind, out.Text)
	}
}

func TestWhatNeverLeftIsNotSent(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()
	// It takes the connection and answers to no handshake.
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	c := Config{Allow: []string{address, mute.Addr().String()}}
	for _, x := range []struct{ url, want string }{
		{"http://" + address + "/", "was not sent: dial tcp " + address},
		{"https://" + mute.Addr().String() + "/", "was not sent: there was no connection within 300ms"},
	} {
		out := run(t, requestTool(c), `{"method":"DELETE","url":"`+x.url+`","timeoutMs":300}`)
		if out.Kind != tools.Error || !strings.Contains(out.Text, x.want) {
			t.Errorf("%s: %v: %s", x.url, out.Kind, out.Text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out := runIn(t, ctx, requestTool(c), `{"method":"DELETE","url":"http://`+address+`/"}`); out.Kind != tools.Cancelled || out.Started {
		t.Errorf("stopped before: %v, started %v: %s", out.Kind, out.Started, out.Text)
	}
	inside := site(t, func(http.ResponseWriter, *http.Request) { t.Error("it was reached") })
	if out := run(t, requestTool(inside), `{"method":"POST","url":"http://inside.example/"}`); out.Kind != tools.Blocked || out.Block != tools.Denied {
		t.Errorf("a private network: %v: %s", out.Kind, out.Text)
	}
}

// A server that answers with nonsense does not make a change certain.
func TestNonsenseIsNoAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = bufio.NewReader(conn).ReadString('\n')
			_, _ = io.WriteString(conn, "SSH-2.0-x\r\n")
			conn.Close()
		}
	}()
	out := run(t, requestTool(Config{Allow: []string{l.Addr().String()}}), `{"method":"POST","url":"http://`+l.Addr().String()+`/"}`)
	if out.Kind != tools.Uncertain {
		t.Errorf("%v: %s", out.Kind, out.Text)
	}
}

func TestHTTPRequestKeepsThePromises(t *testing.T) {
	srv := httptest.NewServer(serve("application/json", `{"a":1}`))
	defer srv.Close()
	for _, method := range []string{"GET", "POST"} {
		toolstest.Run(t, toolstest.Case{
			New: func(string) tools.Tool {
				return requestTool(Config{Allow: []string{strings.TrimPrefix(srv.URL, "http://")}})
			},
			Args: `{"method":"` + method + `","url":"` + srv.URL + `/","timeoutMs":20000,"maxResponseBytes":100,"headers":{"X-A":"b"}}`,
		})
	}
}
