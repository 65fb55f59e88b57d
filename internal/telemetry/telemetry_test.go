package telemetry

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// collector takes what is posted.
type collector struct {
	mu     sync.Mutex
	bodies []string
	header http.Header
	answer func(w http.ResponseWriter, r *http.Request)
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	c.bodies, c.header = append(c.bodies, r.URL.Path+" "+string(body)), r.Header.Clone()
	c.mu.Unlock()
	if c.answer != nil {
		c.answer(w, r)
	}
}

func start(t *testing.T, c *collector, env map[string]string) *Exporter {
	t.Helper()
	s := httptest.NewServer(c)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	conf, err := FromEnv(func(n string) string { return env[n] }, s.URL, "v1")
	if err != nil {
		t.Fatal(err)
	}
	return New(conf)
}

func TestSpansArriveInTheFormOfOTLP(t *testing.T) {
	c := &collector{}
	e := start(t, c, map[string]string{
		"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic%20abc, x-team = a", "OTEL_RESOURCE_ATTRIBUTES": "team=core,service.name=other", "OTEL_SERVICE_NAME": "mine",
	})
	turn := e.Start("turn", Internal, nil, Attr{"n", 3}, Attr{"yes", true}, Attr{"why", []string{"end"}})
	call := e.Start("call", Client, turn)
	call.Set(Attr{"left out", ""}, Attr{"zero", 0}, Attr{"s", "v"})
	call.Fail("rate_limit")
	call.End()
	turn.End()
	turn.End()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if len(c.bodies) != 1 || !strings.HasPrefix(c.bodies[0], "/v1/traces ") {
		t.Fatalf("%q", c.bodies)
	}
	if c.header.Get("Authorization") != "Basic abc" || c.header.Get("X-Team") != "a" || c.header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", c.header)
	}
	var doc document
	if err := json.Unmarshal([]byte(strings.TrimPrefix(c.bodies[0], "/v1/traces ")), &doc); err != nil {
		t.Fatal(err)
	}
	r := doc.ResourceSpans[0]
	if got := fmt.Sprint(r.Resource.Attributes); got != "[{service.name map[stringValue:mine]} {service.version map[stringValue:v1]} {team map[stringValue:core]}]" {
		t.Error(got)
	}
	list := r.ScopeSpans[0].Spans
	if len(list) != 2 {
		t.Fatalf("%v", list)
	}
	a, b := list[0], list[1]
	if a.Name != "call" || a.Parent != b.SpanID || a.TraceID != b.TraceID || len(a.TraceID) != 32 || len(a.SpanID) != 16 || a.Kind != Client || b.Kind != Internal || b.Parent != "" {
		t.Errorf("%+v %+v", a, b)
	}
	if a.Status == nil || a.Status.Code != statusError || b.Status != nil || fmt.Sprint(a.Attributes) != "[{s map[stringValue:v]} {error.type map[stringValue:rate_limit]}]" {
		t.Errorf("%+v", a)
	}
	if got := fmt.Sprint(b.Attributes); got != "[{n map[intValue:3]} {yes map[boolValue:true]} {why map[arrayValue:map[values:[map[stringValue:end]]]]}]" {
		t.Error(got)
	}
	if a.Start > a.End || len(a.End) != 19 {
		t.Errorf("%s %s", a.Start, a.End)
	}
}

func TestACollectorThatHangsDelaysNobody(t *testing.T) {
	release := make(chan struct{})
	c := &collector{answer: func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}}
	e := start(t, c, nil)
	defer close(release)
	for range batch {
		e.Start("first", Internal, nil).End()
	}
	for len(func() []string { c.mu.Lock(); defer c.mu.Unlock(); return c.bodies }()) == 0 {
		time.Sleep(time.Millisecond)
	}
	// The collector answers when the test is over: whoever waited for it would wait
	// for ever.
	for range queued + 10 {
		e.Start("more", Internal, nil).End()
	}
	err := e.Close()
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d of %d spans were not delivered", batch+queued+10, batch+queued+10)) {
		t.Error(err)
	}
}

func TestWhatIsNotDeliveredIsCounted(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		want   string
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "3 of 3 spans were not delivered: 127.0.0.1:"},
		"moved":   {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) }, "answers 302"},
		"partly": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"partialSuccess":{"rejectedSpans":"2"}}`)
		}, "2 of 3 spans were not delivered: the collector rejected them"},
		"a number": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"partialSuccess":{"rejectedSpans":1}}`) }, "1 of 3"},
		"words":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `fine`) }, ""},
		"aborted":  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "cannot reach 127.0.0.1:"},
	} {
		e := start(t, &collector{answer: c.answer}, nil)
		for range 3 {
			e.Start("x", Internal, nil).End()
		}
		err := e.Close()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
		if again := e.Close(); fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("%s: the second close says %v", name, again)
		}
	}
}

func TestNobodyListensAndNothingIsSaidOfTheAddress(t *testing.T) {
	conf, err := FromEnv(func(string) string { return "" }, "http://127.0.0.1:1/?token=s3cret", "v1")
	if err != nil {
		t.Fatal(err)
	}
	e := New(conf)
	e.Start("x", Internal, nil).End()
	if err := e.Close(); err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
	e.Start("late", Internal, nil).End()
}

func TestNothingIsDoneWhenItIsOff(t *testing.T) {
	var e *Exporter
	s := e.Start("x", Internal, nil)
	s.Set(Attr{"a", 1})
	s.Fail("x")
	s.End()
	if s != nil || e.Close() != nil {
		t.Error("a span is there")
	}
}

func TestTheStandardVariablesAreHonoured(t *testing.T) {
	for _, c := range []struct {
		base string
		env  map[string]string
		want string // endpoint, or what the error says
	}{
		{"", nil, "http://localhost:4318/v1/traces"},
		{"https://a.example/x/", nil, "https://a.example/x/v1/traces"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://b:4318"}, "http://b:4318/v1/traces"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://b:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c/in"}, "http://c/in"},
		{"http://a", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c/in"}, "http://a/v1/traces"},
		{"", map[string]string{"OTEL_SDK_DISABLED": "TRUE"}, ErrOff.Error()},
		{"", map[string]string{"OTEL_TRACES_EXPORTER": "none"}, ErrOff.Error()},
		{"", map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, "names an exporter"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf"}, "http://localhost:4318/v1/traces"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "ftp://s3cret"}, "is not an http or https address"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:s3cret@b"}, "must not hold a name or a password"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "s3cret"}, "OTEL_EXPORTER_OTLP_HEADERS is not of the form"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=s3cret%0d%0a"}, "is not of the form"},
		{"", map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "=x"}, "OTEL_RESOURCE_ATTRIBUTES is not of the form"},
		{"", map[string]string{"OTEL_EXPORTER_OTLP_TIMEOUT": "soon"}, "is a number of milliseconds"},
	} {
		conf, err := FromEnv(func(n string) string { return c.env[n] }, c.base, "v1")
		got := conf.Endpoint
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "s3cret") {
			t.Errorf("%q %v: %s", c.base, c.env, got)
		}
	}
	conf, err := FromEnv(func(n string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_TIMEOUT": "9", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "2500"}[n]
	}, "", "v1")
	if err != nil || conf.Timeout != 2500*time.Millisecond {
		t.Errorf("%s %v", conf.Timeout, err)
	}
}

func FuzzPairs(f *testing.F) {
	f.Add("a=b,c=d%20e")
	f.Add("=,=")
	f.Fuzz(func(t *testing.T, s string) {
		list, err := pairs(s)
		for _, a := range list {
			if err == nil && (a.Key == "" || strings.ContainsAny(a.Key+a.Value.(string), "\r\n")) {
				t.Errorf("%q: %q", s, a)
			}
		}
	})
}
