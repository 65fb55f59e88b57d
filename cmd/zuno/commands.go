package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// A foundCommands is every command that there is in files, before anybody asked
// whether it is trusted.
type foundCommands struct {
	list    []skill.Command
	notices []string
}

// findCommands looks in each place by itself, so that one that does not act
// hides none that does.
func (p *plan) findCommands() foundCommands {
	var found foundCommands
	for _, place := range p.places("commands", p.config.Commands.Paths) {
		list, notices := skill.Commands([]skill.Place{place})
		found.notices = append(found.notices, notices...)
		for _, c := range list {
			switch {
			case slices.Contains(p.config.Commands.Disabled, c.Name):
			case tui.IsCommand(c.Name):
				found.notices = append(found.notices, c.Path+" is not used: /"+c.Name+" is zuno's own")
			default:
				found.list = append(found.list, c)
			}
		}
	}
	return found
}

// projectCommands lists the commands that the project brings along.
func projectCommands(p *plan) []trustItem {
	return broughtAlong(p, "command", p.commands().list, func(c skill.Command) skill.File { return c.File })
}

func commandWords(*plan, trustItem) string {
	return "is a prompt that you send by its name"
}

// usableCommands are those that act, the nearest of each name.
func (p *plan) usableCommands() []skill.Command {
	var list []skill.Command
	for _, c := range p.commands().list {
		if p.acts("command", c.File) && !slices.ContainsFunc(list, func(o skill.Command) bool { return o.Name == c.Name }) {
			list = append(list, c)
		}
	}
	return list
}

// canInit says why /init cannot be used now, "" when it can.
func (s *session) canInit() string {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.readOnly {
		return "the agent " + s.profile.Name + " changes nothing; /agents names others"
	}
	return ""
}

// expand returns the prompt that text stands for: that of the command which its
// first word names, else itself.
func (s *session) expand(text string) string {
	trimmed := strings.TrimSpace(text)
	end := strings.IndexAny(trimmed, " \t\n")
	if end < 0 {
		end = len(trimmed)
	}
	if trimmed[:end] == "/"+agent.InitName {
		return agent.Init(trimmed[end:])
	}
	for _, c := range s.prompts {
		if trimmed[:end] == "/"+c.Name {
			return c.Expand(trimmed[end:])
		}
	}
	return text
}

// slashCommands are the / commands of the session's own.
func (s *session) slashCommands() []tui.Command {
	var list []tui.Command
	for _, c := range s.prompts {
		list = append(list, tui.Command{Name: c.Name, Arg: cmp.Or(c.Hint, "[TEXT]"), Help: c.Description})
	}
	for _, k := range s.skills {
		if !k.ForModel {
			list = append(list, tui.Command{Name: "skill:" + k.Name, Arg: cmp.Or(k.Hint, "TEXT"), Help: tools.Clip(k.Description, 120)})
		}
	}
	return list
}
