package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/hook"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A hookRun is how a hook came out the last time that it ran.
type hookRun struct {
	at   time.Time
	took time.Duration
	says string
}

// ran notes how a hook came out; hooks run on any goroutine.
func (h *hooks) ran(i int, a hook.Answer, took time.Duration) {
	says, trouble := "let it pass", ""
	if len(a.Troubles) > 0 { // the list has named the hook
		trouble = strings.TrimPrefix(a.Troubles[0], h.run.Hooks[i].Name()+": ")
	}
	switch {
	case a.Block:
		says = "blocked: " + a.Reason
	case a.Ask && trouble != "":
		says = "asked for a person: " + trouble
	case a.Ask:
		says = "asked for a person: " + a.Reason
	case trouble != "":
		says = "failed: " + trouble
	case a.Context != "":
		says = "told the model something"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last[i] = hookRun{time.Now(), took, says}
}

// hookLines is what /hooks shows: the hooks that are in force, in the order in
// which they run, and which of the project's are not.
func hookLines(p *plan, s *session) []string {
	var lines []string
	for i, c := range p.config.Hooks {
		lines = append(lines, tools.CleanLine(hookTitle(c)), "    "+tools.CleanLine(hookFacts(p, s, i)))
	}
	lines = append(lines, idleHooks(p)...)
	if len(lines) == 0 {
		return []string{`there are no hooks; "hooks" in the configuration adds some (zuno config explain hooks)`}
	}
	return append(lines, "hooks only tighten: they can block or have you asked. A change of them counts from the next start")
}

func hookTitle(c config.Hook) string {
	about := ""
	if c.Matcher != "" && c.Matcher != "*" {
		about = " " + c.Matcher
	}
	return c.Event + about + ": " + c.Command
}

// hookFacts says where a hook is from, whether it acts and how it came out last.
func hookFacts(p *plan, s *session, i int) string {
	c := p.config.Hooks[i]
	whose := "yours"
	if slices.ContainsFunc(p.config.Files, func(f config.File) bool { return f.Project && f.Path == c.Place.File }) {
		whose = "the project's, which you trusted"
	}
	facts := []string{whose, c.Place.String()}
	if c.Timeout > 0 {
		facts = append(facts, "at most "+c.Timeout.String())
	}
	switch last, ran := s.lastRun(i); {
	case s.hooks == nil:
		facts = append(facts, "does not act here")
	case !ran:
		facts = append(facts, "did not run in this session yet")
	default:
		facts = append(facts, fmt.Sprintf("last %s, %s: %s", last.at.Format("15:04:05"), last.took.Round(time.Millisecond), last.says))
	}
	return strings.Join(facts, " · ")
}

func (s *session) lastRun(i int) (hookRun, bool) {
	if s.hooks == nil {
		return hookRun{}, false
	}
	s.hooks.mu.Lock()
	defer s.hooks.mu.Unlock()
	r, is := s.hooks.last[i]
	return r, is
}

// idleHooks names the events that files of the project have hooks for which do
// not act, because nobody trusted the file.
func idleHooks(p *plan) []string {
	var lines []string
	for _, f := range p.config.Files {
		if !f.Project || f.Beyond == nil || p.trusts("config", p.inProject(f.Path), f.Text) {
			continue
		}
		for _, path := range f.Beyond {
			if event, is := strings.CutPrefix(path, "hooks."); is {
				lines = append(lines, tools.CleanLine(event+" in "+p.inProject(f.Path)+": not trusted, does not act (zuno trust shows it and asks)"))
			}
		}
	}
	return lines
}
