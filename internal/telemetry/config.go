package telemetry

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
)

// A Config says where spans go.
type Config struct {
	// Endpoint is the whole address that batches are posted to.
	Endpoint string
	Headers  map[string]string
	// Timeout bounds one request.
	Timeout time.Duration
	// Resource describes the program that the spans come from.
	Resource []Attr
	Client   *http.Client
}

// usualEndpoint is where a collector listens that nobody configured.
const usualEndpoint = "http://localhost:4318"

// ErrOff says that the environment switches the export off.
var ErrOff = errors.New("the environment switches telemetry off (OTEL_SDK_DISABLED or OTEL_TRACES_EXPORTER=none)")

// FromEnv returns what the standard variables of OpenTelemetry say. Base, when
// it is not "", comes before their endpoints. No error quotes a value.
func FromEnv(getenv func(string) string, base, version string) (Config, error) {
	c := Config{Timeout: 10 * time.Second}
	first := func(names ...string) (name, v string) {
		for _, n := range names {
			if v = strings.TrimSpace(getenv(n)); v != "" {
				return n, v
			}
		}
		return "", ""
	}
	if _, v := first("OTEL_SDK_DISABLED"); strings.EqualFold(v, "true") {
		return c, ErrOff
	}
	switch _, v := first("OTEL_TRACES_EXPORTER"); v {
	case "", "otlp":
	case "none":
		return c, ErrOff
	default:
		return c, errors.New("OTEL_TRACES_EXPORTER names an exporter that zuno does not have: it is otlp or none")
	}
	if name, v := first("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"); v != "" && !strings.HasPrefix(v, "http/") {
		return c, fmt.Errorf("%s asks for another protocol than HTTP: set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json, and the endpoint to the collector's port for HTTP (4318)", name)
	}
	if err := c.endpoint(first, base); err != nil {
		return c, err
	}
	if name, v := first("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"); v != "" {
		ms, err := strconv.Atoi(v)
		if err != nil || ms <= 0 {
			return c, fmt.Errorf("%s is a number of milliseconds over 0", name)
		}
		c.Timeout = time.Duration(ms) * time.Millisecond
	}
	name, v := first("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
	headers, err := pairs(v)
	if err != nil {
		return c, fmt.Errorf("%s %w", name, err)
	}
	c.Headers = map[string]string{}
	for _, h := range headers {
		c.Headers[h.Key] = h.Value.(string)
	}
	return c, c.resource(getenv, version)
}

// endpoint finds the address. One of traces alone is taken as it is; to a
// common one the path is added.
func (c *Config) endpoint(first func(...string) (string, string), base string) error {
	name := "telemetry.endpoint"
	if base == "" {
		name, c.Endpoint = first("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	}
	if c.Endpoint == "" {
		if base == "" {
			name, base = first("OTEL_EXPORTER_OTLP_ENDPOINT")
		}
		c.Endpoint = strings.TrimRight(cmp.Or(base, usualEndpoint), "/") + "/v1/traces"
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return fmt.Errorf("%s is not an http or https address", name)
	}
	if u.User != nil {
		return fmt.Errorf("%s must not hold a name or a password: they go into OTEL_EXPORTER_OTLP_HEADERS", name)
	}
	t := &http.Transport{TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute}
	reach.Through(t)
	c.Client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return nil
}

// resource describes this program. A name in the attributes counts less than
// that of its own variable.
func (c *Config) resource(getenv func(string) string, version string) error {
	more, err := pairs(getenv("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		return fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES %w", err)
	}
	service := "zuno"
	for _, a := range more {
		if a.Key == "service.name" {
			service = a.Value.(string)
			continue
		}
		c.Resource = append(c.Resource, a)
	}
	c.Resource = append([]Attr{{"service.name", cmp.Or(getenv("OTEL_SERVICE_NAME"), service)}, {"service.version", version}}, c.Resource...)
	return nil
}

// pairs reads key=value, with commas between; both are percent-encoded.
func pairs(s string) ([]Attr, error) {
	var list []Attr
	for p := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(p) == "" {
			continue
		}
		k, v, ok := strings.Cut(p, "=")
		k, kerr := url.PathUnescape(strings.TrimSpace(k))
		v, verr := url.PathUnescape(strings.TrimSpace(v))
		if !ok || k == "" || kerr != nil || verr != nil || strings.ContainsAny(k+v, "\r\n\x00") {
			return nil, errors.New("is not of the form key=value,key=value")
		}
		list = append(list, Attr{k, v})
	}
	return list, nil
}
