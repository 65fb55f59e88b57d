package telemetry

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/zuno-dev/zuno/internal/reach"
)

// maxReply bounds what is read of a collector's answer in bytes.
const maxReply = 64 << 10

// post delivers spans, once. The errors hold neither a header nor the query of
// the address.
func (e *Exporter) post(spans []*Span) {
	rejected, err := e.send(spans)
	if err != nil {
		e.lost(len(spans), err)
		return
	}
	e.sent.Add(int64(len(spans) - rejected))
	if rejected > 0 {
		e.lost(rejected, errors.New("the collector rejected them"))
	}
}

func (e *Exporter) send(spans []*Span) (rejected int, err error) {
	body, err := json.Marshal(e.document(spans))
	if err != nil {
		return 0, fmt.Errorf("write the spans: %w", err)
	}
	ctx, cancel := context.WithTimeout(e.ctx, e.conf.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.conf.Endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, errors.New("the address of the collector cannot be used")
	}
	for k, v := range e.conf.Headers {
		req.Header.Set(k, v)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "zuno")
	resp, err := e.conf.Client.Do(req)
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, fmt.Errorf("%s did not answer in time", req.URL.Host)
	case err != nil:
		if p := reach.Explain(err, req.URL); p != nil {
			return 0, p
		}
		return 0, fmt.Errorf("cannot reach %s: %w", req.URL.Host, reach.Plain(err))
	}
	defer func() { _ = resp.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if p := reach.Refused(resp, req.URL); p != nil {
		return 0, p
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return 0, fmt.Errorf("%s answers %d", req.URL.Host, resp.StatusCode)
	}
	if err != nil {
		return 0, nil // it has taken them
	}
	var partial struct {
		Success struct {
			Rejected json.RawMessage `json:"rejectedSpans"` // a number or a string
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(reply, &partial) != nil {
		return 0, nil // some answer with nothing, or with words
	}
	n, err := strconv.Atoi(string(bytes.Trim(partial.Success.Rejected, `"`)))
	if err != nil {
		return 0, nil
	}
	return min(max(n, 0), len(spans)), nil
}

// The JSON form of OTLP: identifiers are hexadecimal, and 64-bit numbers are
// strings.
type (
	document struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   resource     `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	resource struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope      `json:"scope"`
		Spans []spanJSON `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	spanJSON struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		Parent     string     `json:"parentSpanId,omitempty"`
		Name       string     `json:"name"`
		Kind       Kind       `json:"kind"`
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano"`
		Attributes []keyValue `json:"attributes,omitempty"`
		Status     *status    `json:"status,omitempty"`
	}
	status struct {
		Code int `json:"code"`
	}
	keyValue struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// statusError is STATUS_CODE_ERROR.
const statusError = 2

func (e *Exporter) document(spans []*Span) document {
	list := make([]spanJSON, len(spans))
	for i, s := range spans {
		list[i] = s.json()
	}
	return document{[]resourceSpans{{Resource: resource{values(e.conf.Resource)}, ScopeSpans: []scopeSpans{{scope{"zuno"}, list}}}}}
}

func (s *Span) json() spanJSON {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := spanJSON{
		TraceID: hex.EncodeToString(s.trace[:]), SpanID: hex.EncodeToString(s.id[:]), Name: s.name, Kind: s.kind,
		Start: nano(s.started), End: nano(s.ended), Attributes: values(s.attrs),
	}
	if s.parent != [8]byte{} {
		j.Parent = hex.EncodeToString(s.parent[:])
	}
	if s.failed {
		j.Status = &status{statusError}
	}
	return j
}

func nano(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func values(attrs []Attr) []keyValue {
	list := make([]keyValue, 0, len(attrs))
	for _, a := range attrs {
		list = append(list, keyValue{a.Key, value(a.Value)})
	}
	return list
}

func value(v any) map[string]any {
	switch v := v.(type) {
	case bool:
		return map[string]any{"boolValue": v}
	case int:
		return map[string]any{"intValue": strconv.Itoa(v)}
	case []string:
		var all []map[string]any
		for _, s := range v {
			all = append(all, value(s))
		}
		return map[string]any{"arrayValue": map[string]any{"values": all}}
	}
	return map[string]any{"stringValue": fmt.Sprint(v)}
}
