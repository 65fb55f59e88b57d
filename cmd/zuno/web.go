package main

import (
	"os"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/web"
)

// web says what the tools of the web need, and switches web_search off where
// there is nothing to search with.
func (p *plan) web(s *session, spool string, limit tools.TextLimit) (web.Config, error) {
	for _, host := range p.config.Webfetch.Allow {
		if problem := web.CheckAllow(host); problem != "" {
			return web.Config{}, configErrorf("%s: webfetch.allow: %q %s", p.config.Places["webfetch.allow"], tools.CleanLine(host), problem)
		}
	}
	search, err := p.searcher().Open()
	if err != nil {
		s.notices = append(s.notices, "web_search is off: "+err.Error())
	}
	s.switches = p.switches()
	if search == nil {
		s.switches["web_search"] = false
	}
	return web.Config{
		Allow: p.config.Webfetch.Allow, Version: versionText(), Limit: limit, Search: search,
		Keep: func(text string) (string, error) { return keep(spool, text) },
		Rule: func(tool, address string) string { return forbidden(s.rules, tool, address) },
	}, nil
}

func (p *plan) searcher() web.SearchConfig {
	c := p.config.WebSearch
	return web.SearchConfig{
		Provider: c.Provider, Endpoint: c.Endpoint, KeyEnv: c.APIKeyEnv,
		Results: c.MaxResults, Queries: c.MaxQueries, TimeMS: c.TimeoutMS, Getenv: os.Getenv,
	}
}

// forbidden says which rule keeps a tool from an address that a redirect leads
// to. Nobody is asked in the middle of a call, so that ask is no there too.
func forbidden(rules approval.Rules, tool, address string) string {
	switch rules.Match(&tools.Proposal{Spec: tools.Spec{Name: tool}, Subjects: []string{address}}) {
	case approval.RuleDeny:
		return "a deny rule of permission.rules forbids this address"
	case approval.RuleAsk:
		return "a rule of permission.rules says ask for this address: call it by itself"
	}
	return ""
}

// keep writes text that is too long to show into the spool, and returns where.
func keep(spool, text string) (string, error) {
	if err := os.MkdirAll(spool, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(spool, "page-*.txt") // mode 0600
	if err != nil {
		return "", err
	}
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), f.Close()
}
