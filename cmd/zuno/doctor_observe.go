package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/zuno-dev/zuno/internal/debuglog"
	"github.com/zuno-dev/zuno/internal/telemetry"
)

// lookedOnFindings says where debug logs are, and whether spans are exported.
// Nothing is sent.
func lookedOnFindings(p *plan) []finding {
	words := "none; --debug writes one into " + debugDir(p.paths)
	if runs := debuglog.Runs(debugDir(p.paths)); len(runs) > 0 {
		words = fmt.Sprintf("%s, and %d older beside it; --debug writes another", runs[0], len(runs)-1)
	}
	return []finding{fine("debug log", words), telemetryFinding(p)}
}

func telemetryFinding(p *plan) finding {
	t := p.config.Telemetry
	if !t.Enabled {
		words := "off"
		for _, n := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"} {
			if os.Getenv(n) != "" {
				words = "off; " + n + " is set, and does not switch it on (telemetry.enabled does)"
			}
		}
		return fine("telemetry", words)
	}
	c, err := telemetry.FromEnv(os.Getenv, t.Endpoint, versionText())
	switch {
	case errors.Is(err, telemetry.ErrOff):
		return noted("telemetry", "telemetry.enabled is true, and "+err.Error(), "")
	case err != nil:
		return wrong("telemetry", "it is off: "+err.Error(), "correct what is named, or take telemetry.enabled out of zuno.json")
	}
	to := c.Endpoint
	if u, err := url.Parse(to); err == nil {
		to = u.Scheme + "://" + u.Host + u.Path
	}
	return fine("telemetry", "spans without any text of yours go to "+to)
}
