package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/debuglog"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/telemetry"
	"github.com/zuno-dev/zuno/internal/watch"
)

// An onlooker sees to it that one run of zuno is looked on at: by the debug log
// where --debug asks for it, and by telemetry where the person's configuration
// does. A nil one, as commands other than the screen and run have it, does
// nothing.
type onlooker struct {
	log   *debuglog.Log       // nil without --debug
	spans *telemetry.Exporter // nil when nothing is exported
	watch *watch.Watch        // nil when there is neither
	asked bool                // whether the configuration was looked at for telemetry
}

// debugDir is where the debug logs are.
func debugDir(p config.Paths) string { return filepath.Join(p.State, "log") }

// begin opens the debug log before anything else is read, and says where it is.
func (o *onlooker) begin(f flags, p config.Paths) error {
	if o == nil || o.log != nil || !f.debug {
		return nil
	}
	log, err := debuglog.Open(debugDir(p), time.Now(), unloggable(nil))
	if err != nil {
		return err
	}
	o.log, o.watch = log, watch.New(log.Logger, nil)
	fmt.Fprintln(os.Stderr, "zuno: the debug log is "+oneLine(log.Path()))
	o.watch.Note("zuno", "version", versionText(), "system", runtime.GOOS+"/"+runtime.GOARCH, "go", runtime.Version())
	return nil
}

// read takes up what a configuration says, and returns what is to look on at
// what runs by it.
func (o *onlooker) read(p *plan) *watch.Watch {
	if o == nil {
		return nil
	}
	if o.log != nil {
		o.log.Hide(unloggable(p.config))
	}
	for _, f := range p.config.Files {
		o.watch.Note("configuration file", "path", f.Path, "project", f.Project, "trusted", f.Trusted, "beyond", strings.Join(f.Beyond, " "))
	}
	for _, s := range p.config.Settings() {
		o.watch.Note("setting", "key", s.Path, "from", s.Place.String())
	}
	if t := p.config.Telemetry; t.Enabled && !o.asked {
		o.asked = true
		conf, err := telemetry.FromEnv(os.Getenv, t.Endpoint, versionText())
		if err != nil {
			p.notices = append(p.notices, "telemetry is off: "+err.Error())
			o.watch.Note("telemetry is off", "error", err)
			return o.watch
		}
		o.watch.Note("telemetry is on", "endpoint", conf.Endpoint)
		o.spans = telemetry.New(conf)
		if o.log != nil {
			o.watch = watch.New(o.log.Logger, o.spans)
		} else {
			o.watch = watch.New(nil, o.spans)
		}
	}
	return o.watch
}

// end sends the last spans, for a second at most, and closes the log. Err is how
// the run ended.
func (o *onlooker) end(err error) {
	if lost := o.spans.Close(); lost != nil {
		o.watch.Note("telemetry", "error", lost)
		fmt.Fprintln(os.Stderr, "zuno: "+oneLine(lost.Error()))
	}
	if o.log == nil {
		return
	}
	var done *codeOnly
	if errors.As(err, &done) {
		o.watch.Note("the end", "exit", done.code)
	} else {
		code, status := exitCode(err)
		attrs := []any{"exit", code, "status", status}
		if err != nil {
			attrs = append(attrs, "error", err)
		}
		o.watch.Note("the end", attrs...)
	}
	if err := o.log.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "zuno: the debug log is not whole: "+oneLine(err.Error()))
	}
}

// unloggable is what no line of the log may hold: every value that commands are
// not shown, whether or not it looks like a secret, stored keys, and what the
// configuration gives to servers. C may be nil.
func unloggable(c *config.Config) []redact.Secret {
	list := secrets()
	add := func(name, value string) { list = append(list, redact.Secret{Name: name, Value: value}) }
	_, hidden := shell.Environ(os.Environ(), nil)
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		if slices.Contains(hidden, name) && !strings.HasPrefix(value, "/") { // a path is none
			add(name, value)
		}
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		for pair := range strings.SplitSeq(os.Getenv(name), ",") {
			_, value, _ := strings.Cut(pair, "=")
			add(name, strings.TrimSpace(value))
		}
	}
	if c == nil {
		return list
	}
	for id, p := range c.Providers {
		for _, v := range p.Headers {
			add("provider."+id+".headers", v)
		}
	}
	for name, s := range c.MCP {
		for _, v := range s.Env {
			add("mcp."+name+".environment", v)
		}
		for _, v := range s.Headers {
			add("mcp."+name+".headers", v)
		}
	}
	return list
}

// lookedOn returns emit with a turn of s looked on at.
func (s *session) lookedOn(emit func(loop.Event)) func(loop.Event) {
	return s.plan.watch.Turn(watch.Session{ID: s.id, Agent: s.profile.Name, Model: s.using().info.ID}, emit)
}

// noteRecord notes that the record was opened, and what of it was migrated.
func (p *plan) noteRecord(db *store.Store, began time.Time) {
	now, found := db.Format()
	p.watch.Note("record opened", "format", now, "migrated_from", found, "ms", time.Since(began))
}

// noteServer notes what happens between zuno and MCP servers; nil when nobody
// looks on.
func (p *plan) noteServer() func(mcp.Note) {
	if p.watch == nil {
		return nil
	}
	return func(n mcp.Note) {
		p.watch.Note("mcp "+n.What, "server", n.Server, "text", n.Text, "ms", n.Took)
	}
}
