package main

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/approval"
)

// permissions says, a line each, what runs without asking in a session.
func permissions(p *plan, s *session) ([]string, error) {
	lines := []string{"policy " + s.gate.Policy().String() + ": " + policyWords(s.gate.Policy())}
	for _, t := range s.gate.Tools() {
		lines = append(lines, "tool "+t+": allowed in this session")
	}
	grants, err := s.allowed.List()
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		if mcpKey(g.Key) {
			continue // told with its tool
		}
		line := fmt.Sprintf("command %s: allowed in this repository since %s", g.Key, g.At.Format("2006-01-02"))
		if g.Command != "" && g.Command != strings.TrimPrefix(g.Key, "= ") {
			line += ", for " + oneLine(g.Command)
		}
		lines = append(lines, line)
	}
	for _, r := range p.config.Rules {
		lines = append(lines, fmt.Sprintf("rule %s %s: %s (%s)", r.Tool, r.Pattern, r.Action, r.Place))
	}
	servers, err := s.mcpPermissions(p)
	if err != nil {
		return nil, err
	}
	lines = append(lines, servers...)
	_, words, err := s.sandbox.confine()
	if err != nil {
		words = err.Error()
	}
	return append(lines, "sandbox: "+words, "zuno rules list, check, add and remove change what is remembered"), nil
}

// policyWords says what a policy runs without asking.
func policyWords(p approval.Policy) string {
	switch p {
	case approval.Strict:
		return "every effect asks, every time"
	case approval.ReadOnly:
		return "what only looks runs"
	case approval.LowRisk:
		return "what is read-only or low-risk runs"
	case approval.HighRisk:
		return "all runs but what only a person may allow"
	}
	return "everything runs that the denylist does not block"
}
