package tui

import (
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/approval"
)

// status is the last row: the policy, always; then as much as fits, the most
// important first.
func (s *screen) status(w int) string {
	policy := s.policy.String()
	row := s.th.accent.render(policy)
	switch s.policy {
	case approval.Yolo:
		policy = " yolo: everything runs, nothing is asked "
		if width(policy) > w {
			policy = "yolo"
		}
		row = s.th.loud.render(policy)
	case approval.HighRisk:
		row = s.th.warn.render(policy)
	}
	used := width(policy)
	list := s.facts()
	forms := make([]string, len(list))
	for _, grow := range []bool{false, true} { // first as many as possible, then as much of each
		for i, f := range list {
			tries := f.forms
			if !grow {
				tries = []string{f.forms[len(f.forms)-1], f.tiny}
			}
			for _, form := range tries {
				text := s.th.glyph.dot + form
				if form == s.th.glyph.shiftTab {
					text = " " + form
				}
				if form == "" || grow && forms[i] == "" {
					continue
				}
				if more := width(text) - width(forms[i]); used+more <= w {
					used += more
					forms[i] = text
					break
				}
			}
		}
	}
	for i, f := range list {
		row += f.st.render(forms[i])
	}
	return row
}

// A fact is a part of the status in its forms, the longest first: the first one
// that there is room for is shown. Where there is no room for any, tiny is.
type fact struct {
	st    style
	forms []string
	tiny  string
}

// facts are the parts of the status behind the policy, the most important
// first.
func (s *screen) facts() []fact {
	var list []fact
	add := func(st style, forms ...string) { list = append(list, fact{st: st, forms: forms}) }
	add(s.th.muted, s.th.glyph.shiftTab)
	if s.doubts > 0 {
		n := fmt.Sprintf("%s %d uncertain", s.th.glyph.uncertain, s.doubts)
		list = append(list, fact{s.th.uncertain, []string{n + " (/uncertain)", n}, fmt.Sprintf("%s%d", s.th.glyph.uncertain, s.doubts)})
	}
	if n := len(s.queue.list); n > 0 {
		add(s.th.muted, fmt.Sprintf("queued %d", n))
	}
	if r := s.ready; r != nil {
		if word := r.agentWord(); word != "" {
			add(s.th.muted, plainLine(word))
		}
		if model := plainLine(r.Model); model != "" {
			short := model[strings.LastIndexByte(model, '/')+1:]
			effort := ""
			if r.Effort != "" {
				effort = " " + plainLine(r.Effort)
			}
			add(s.th.muted, model+effort, short+effort)
		}
	}
	t := &s.script
	if word := t.filling.word(); word != "" {
		add(s.th.muted, word)
	}
	if n := t.usage.Input + t.usage.CacheRead + t.usage.CacheWrite + t.usage.Output; n > 0 {
		add(s.th.muted, tokensWord(n))
	}
	if t.cost > 0 {
		add(s.th.muted, money(t.cost))
	}
	if r := s.ready; r != nil {
		for _, p := range []string{s.confined, r.Branch} {
			if p != "" {
				add(s.th.muted, plainLine(p))
			}
		}
	}
	return list
}

// agentWord is the agent, where it is not the usual one.
func (r *Ready) agentWord() string {
	if r.Active == nil || r.Agent == "build" {
		return ""
	}
	return r.Agent
}

// money prints US dollars with as many digits as say something.
func money(d float64) string {
	if d < 0.01 {
		return strings.TrimRight(fmt.Sprintf("$%.4f", d), "0")
	}
	return fmt.Sprintf("$%.2f", d)
}
