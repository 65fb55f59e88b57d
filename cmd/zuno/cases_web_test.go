//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/headless"
	"github.com/zuno-dev/zuno/internal/tools/web"
)

// A trap is a server on loopback that counts who comes.
type trap struct {
	*httptest.Server
	hits  atomic.Int32
	begun chan struct{} // gets one for each slow body
}

const trapSecret = "secret-of-the-trap"

func newTrap(t *testing.T) *trap {
	tr := &trap{begun: make(chan struct{}, 10)}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		_, _ = z.Write(make([]byte, 1<<20))
	}
	_ = z.Close()
	tr.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tr.hits.Add(1)
		w.Header().Set("Content-Type", "text/plain")
		switch r.URL.Path {
		case "/to":
			http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
		case "/endless":
			for {
				if _, err := w.Write(bytes.Repeat([]byte("endless\n"), 4096)); err != nil {
					return
				}
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		case "/slow":
			for {
				if _, err := io.WriteString(w, "x"); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				tr.begun <- struct{}{}
				select {
				case <-r.Context().Done():
					return
				case <-time.After(time.Second):
				}
			}
		default:
			_, _ = io.WriteString(w, trapSecret)
		}
	}))
	t.Cleanup(tr.Close)
	return tr
}

func (t *trap) address() string { return t.Listener.Addr().String() }

func (t *trap) port() string {
	_, port, _ := net.SplitHostPort(t.address())
	return port
}

// call plays a model that makes the calls, one a step, and returns what became
// of each, with what the model was told.
func (w *world) call(name string, args ...string) ([]headless.ToolResult, string) {
	w.t.Helper()
	var steps []any
	for i, a := range args {
		steps = append(steps, map[string]any{"calls": []any{map[string]any{"id": fmt.Sprint("c", i), "name": name, "args": json.RawMessage(a)}}})
	}
	script, err := json.Marshal(map[string]any{"steps": append(steps, map[string]any{"text": "I tried."})})
	if err != nil {
		w.t.Fatal(err)
	}
	s, url := serveLax(w.t, string(script))
	w.point(url)
	stdout, stderr, code := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "--output-format", "json", "--on-block", "report", "try them")
	var r headless.Result
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 || len(r.Tools) != len(args) || len(s.Violations()) > 0 {
		w.t.Fatalf("exit %d, %d results for %d calls, %v, %v\n%s\n%s", code, len(r.Tools), len(args), err, s.Violations(), stdout, stderr)
	}
	all := s.Requests()
	return r.Tools, string(all[len(all)-1].Body)
}

func fetches(urls []string) []string {
	var args []string
	for _, u := range urls {
		b, _ := json.Marshal(map[string]any{"url": u, "timeout": 20})
		args = append(args, string(b))
	}
	return args
}

// privateURLs are addresses of the trap, and of others that nobody may reach, in
// every spelling that may get past a look at the text.
func privateURLs(t *testing.T, port string) []string {
	urls := []string{"file:///etc/hostname", "unix:///var/run/docker.sock", "http://169.254.169.254/latest/meta-data/", "http://100.100.100.200/", "http://user:" + trapSecret + "@1.1.1.1/"}
	for _, host := range []string{
		"127.0.0.1", "127.1", "127.0.0.1.", "127.9.9.9", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::]", "0", "0.0.0.0", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1",
		"localhost", "localhost.", "LOCALHOST", "x.localhost", "１２７.０.０.１", "127。0。0。1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "224.0.0.1", "[fe80::1]", "[fc00::1]", "[ff02::1]",
		"[64:ff9b::7f00:1]", "[2002:7f00:1::1]", "user@127.0.0.1",
	} {
		urls = append(urls, "http://"+host+":"+port+"/", "https://"+host+":"+port+"/")
	}
	// A name of this machine that leads to an address of its own.
	if name, err := os.Hostname(); err == nil {
		if list, err := net.LookupHost(name); err == nil && len(list) > 0 {
			if a, err := netip.ParseAddr(list[0]); err == nil && (a.IsPrivate() || a.IsLoopback()) {
				t.Logf("%s is %s", name, a)
				urls = append(urls, "http://"+name+":"+port+"/")
			}
		}
	}
	return urls
}

// C064: what is private is not reached, however it is written, and neither a
// proxy of the environment nor a project's configuration is a way around.
func TestNothingPrivateIsFetched(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	w := newWorld(t, map[string]string{"zuno.json": `{"webfetch": {"allow": ["127.0.0.1", "localhost"]}}`})
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		w.env = append(w.env, name+"="+tr.URL)
	}
	urls := privateURLs(t, tr.port())
	results, told := w.call("webfetch", fetches(urls)...)
	for i, r := range results {
		if r.Outcome != "blocked" || r.BlockKind != "denied" || r.Reason == "" {
			t.Errorf("%s is %s %s: %s", urls[i], r.Outcome, r.BlockKind, r.Reason)
		}
	}
	if strings.Contains(told, "\"text\":\""+trapSecret) || tr.hits.Load() > 0 {
		t.Errorf("the trap was reached %d times", tr.hits.Load())
	}
	if !strings.Contains(told, "webfetch") || !strings.Contains(told, `\\\"127.0.0.1:`+tr.port()) && !strings.Contains(told, `\"127.0.0.1:`+tr.port()) {
		t.Error("the refusal does not name what would allow it")
	}
}

// C064: the same behind every redirect of a server that the user allows.
func TestNoRedirectLeadsInside(t *testing.T) {
	t.Parallel()
	tr, other := newTrap(t), newTrap(t)
	w := newWorld(t, nil)
	w.configure(fmt.Sprintf(`{"webfetch": {"allow": [%q]}}`, tr.address()))
	urls := privateURLs(t, other.port())
	for i, u := range urls {
		urls[i] = tr.URL + "/to?" + u
	}
	urls = append(urls, tr.URL+"/to?"+tr.URL+"/to?http://localhost:"+tr.port()+"/", tr.URL+"/to?/ok")
	results, told := w.call("webfetch", fetches(urls)...)
	for i, r := range results[:len(urls)-1] {
		if r.Outcome != "blocked" || r.BlockKind != "denied" {
			t.Errorf("%s is %s %s: %s", urls[i], r.Outcome, r.BlockKind, r.Reason)
		}
	}
	if last := results[len(results)-1]; last.Outcome != "ok" || !strings.Contains(told, "Redirected to "+tr.URL+"/ok.") {
		t.Errorf("a redirect within what is allowed is %s: %s", last.Outcome, last.Reason)
	}
	if other.hits.Load() > 0 {
		t.Errorf("the other server was reached %d times", other.hits.Load())
	}
}

// C064: bodies end at their limits, counted as they are read.
func TestHostileBodiesEnd(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	w := newWorld(t, nil)
	w.configure(fmt.Sprintf(`{"webfetch": {"allow": [%q]}}`, tr.address()))
	results, told := w.call("webfetch",
		`{"url":"`+tr.URL+`/endless"}`, `{"url":"`+tr.URL+`/bomb"}`, `{"url":"`+tr.URL+`/slow","timeout":1}`)
	for i, want := range []string{"ok", "ok", "error"} {
		if results[i].Outcome != want {
			t.Errorf("call %d is %s: %s", i, results[i].Outcome, results[i].Reason)
		}
	}
	if !results[0].Truncated || !results[1].Truncated {
		t.Error("a cut body is not said to be cut")
	}
	for _, want := range []string{"The body was cut after 5242880 bytes", "more than 5242880 bytes", "timed out"} {
		if !strings.Contains(told, want) {
			t.Errorf("the model is not told %q", want)
		}
	}
}

// C064: an interrupt ends a fetch at once.
func TestAnInterruptEndsAFetch(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	w := newWorld(t, nil)
	w.configure(fmt.Sprintf(`{"webfetch": {"allow": [%q]}}`, tr.address()))
	w.point(w.play([]byte(`{"steps":[{"calls":[{"id":"slow","name":"webfetch","args":{"url":"` + tr.URL + `/slow","timeout":120}}]},{"text":"never"}]}`)))
	cmd, end := w.begin("run", "--model", "anthropic/claude-haiku-4-5", "go")
	await(t, "the fetch", func() bool { return len(tr.begun) > 0 })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	out := end()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(out, "cancelled") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// The words of the configuration are those of the services there are.
func TestTheConfigurationKnowsTheServices(t *testing.T) {
	page, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "`" + strings.Join(web.Providers(), "` `") + "`"; !slices.ContainsFunc(strings.Split(string(page), "\n"), func(l string) bool {
		return strings.HasPrefix(l, "| `web_search.provider` | "+want+" |")
	}) {
		t.Errorf("web_search.provider is not %s", want)
	}
}
