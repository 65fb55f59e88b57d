package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

var errCut = errors.New("the stream was cut")

// An out writes one event stream, with the faults that the script asks for.
// After an error it writes nothing more.
type out struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	ctx   context.Context
	face  face
	fault *scripted.Fault
	delay time.Duration

	begun  bool
	deltas int
	events int
	err    error
}

func newOut(w http.ResponseWriter, r *http.Request, f face, m *message) *out {
	return &out{w: w, rc: http.NewResponseController(w), ctx: r.Context(), face: f, fault: m.Fault, delay: m.Delay}
}

// event sends v, under name where that is not "".
func (o *out) event(name string, v any) { o.send(name, v, false) }

// last sends the event that ends the stream.
func (o *out) last(name string, v any) { o.send(name, v, true) }

// delta sends a piece of content. Cuts are counted in these.
func (o *out) delta(name string, v any) {
	if o.begin(); o.cuts() && o.deltas >= *o.fault.After {
		o.cut()
	}
	o.wait()
	o.send(name, v, false)
	o.deltas++
}

// ending is called when the content is complete: a cut that did not come yet
// comes now, before the terminal marker.
func (o *out) ending() {
	if o.begin(); o.cuts() {
		o.cut()
	}
}

func (o *out) cuts() bool { return o.err == nil && o.fault != nil && o.fault.Cut != "" }

func (o *out) wait() {
	if o.err != nil || o.delay <= 0 {
		return
	}
	t := time.NewTimer(o.delay)
	defer t.Stop()
	select {
	case <-t.C:
	case <-o.ctx.Done():
		o.err = o.ctx.Err()
	}
}

// begin sends the header.
func (o *out) begin() {
	if o.begun || o.err != nil {
		return
	}
	o.begun = true
	if o.cuts() && *o.fault.After < 0 {
		o.cut()
		return
	}
	kind := "text/event-stream; charset=utf-8"
	if o.fault.Has("text_plain") {
		kind = "text/plain; charset=utf-8"
	}
	o.w.Header().Set("Content-Type", kind)
	o.w.Header().Set("Cache-Control", "no-cache")
	o.w.WriteHeader(http.StatusOK)
	if o.fault.Has("bom") {
		o.write([]byte("\ufeff"))
	}
	o.flush()
}

func (o *out) send(name string, v any, last bool) {
	if o.begin(); o.err != nil {
		return
	}
	sep, eol := ": ", "\n"
	if o.fault.Has("nospace") {
		sep = ":"
	}
	if o.fault.Has("crlf") {
		eol = "\r\n"
	}
	comment := ""
	if o.fault.Has("comments") {
		comment = ": keep-alive" + eol
	}
	var b bytes.Buffer
	b.WriteString(comment)
	if comment != "" && o.events == 0 {
		b.WriteString("retry" + sep + "3000" + eol + eol)
	}
	if name != "" {
		b.WriteString("event" + sep + name + eol)
	}
	if comment != "" {
		b.WriteString(comment + "id" + sep + "7" + eol)
	}
	b.WriteString("data" + sep)
	if s, ok := v.(raw); ok {
		b.WriteString(string(s))
	} else {
		b.Write(encode(v))
	}
	b.WriteString(eol)
	if !last || !o.fault.Has("no_final_blank") {
		b.WriteString(eol)
	}
	if last {
		b.WriteString(comment)
	}
	o.events++
	o.write(b.Bytes())
	o.flush()
}

// raw is the data of an event that is no JSON.
type raw string

func (o *out) write(b []byte) {
	if o.err == nil {
		_, o.err = o.w.Write(b)
	}
}

func (o *out) flush() {
	if o.err == nil {
		o.err = o.rc.Flush()
	}
}

// cut ends the stream in the way the script says.
func (o *out) cut() {
	switch o.fault.Cut {
	case "reset":
		o.reset()
	case "stall":
		<-o.ctx.Done()
		o.reset() // a server that is stopped must not end the answer cleanly
	case "endless":
		o.write([]byte("data: "))
		piece := bytes.Repeat([]byte("x"), 1<<16)
		for o.err == nil && o.ctx.Err() == nil {
			o.write(piece)
		}
		o.reset()
	case "error_event":
		f := o.fault
		bad := &refusal{kind: f.Type, message: f.Message, inStream: true, events: o.events}
		name, body := o.face.failure(bad)
		if f.Body != "" {
			body = raw(f.Body)
		}
		o.send(name, body, true)
	}
	if o.err == nil {
		o.err = errCut
	}
}

// reset drops the connection so that the client sees a reset and no end.
func (o *out) reset() {
	conn, _, err := o.rc.Hijack()
	if err != nil {
		o.err = err // the client is gone
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // what follows closes it either way
	}
	_ = conn.Close()
}

// encode returns v as JSON that keeps <, > and & as they are, like providers do.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte(`{"error":"the script cannot be encoded"}`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
