package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A trustItem is something that the project brings along and that acts only
// once a person has trusted it. Kind is "config", "mcp server" and the like,
// Name its path in the project or its own name. Text is the exact definition:
// what is shown, what the trust is for, and what acts. Another text is another
// item.
type trustItem struct{ Kind, Name, Text string }

// String returns what the item is called, as one safe line.
func (i trustItem) String() string { return tools.CleanLine(i.kind() + " " + i.Name) }

// kind is what people call things of the kind.
func (i trustItem) kind() string {
	if name, is := strings.CutPrefix(i.Kind, "mcp "); is { // as it is stored
		return "MCP " + name
	}
	return i.Kind
}

// A trustSource finds the items of one kind.
type trustSource struct {
	kind  string
	items func(*plan) []trustItem
	// says tells in a few words what trusting the item does; nil for none.
	says func(*plan, trustItem) string
}

// trustSources is what a project can bring along. A source only looks: nothing
// that it finds has acted before [plan.trusts] was asked about it.
func trustSources() []trustSource {
	return []trustSource{
		{"config", projectSettings, settingsWords},
		{"mcp server", projectServers, nil},
		{"skill", projectSkills, skillWords},
		{"command", projectCommands, commandWords},
		{"agent", projectAgents, agentWords},
	}
}

// found returns everything that the project of p brings along and that needs
// trust to act, whether it has it or not.
func found(p *plan) []trustItem {
	var items []trustItem
	for _, s := range trustSources() {
		items = append(items, s.items(p)...)
	}
	return items
}

// trustWords is what trusting an item does, "" where its text says it.
func trustWords(p *plan, i trustItem) string {
	for _, s := range trustSources() {
		if s.kind == i.Kind && s.says != nil {
			return s.says(p, i)
		}
	}
	return ""
}

// trusts reports whether a person has trusted exactly this. The record is
// opened once, when the first item is asked about; where it cannot be read,
// nothing is trusted.
func (p *plan) trusts(kind, name, text string) bool {
	list, _ := p.trusted() // whoever builds the plan reports the error
	return slices.ContainsFunc(list, func(t store.Trusted) bool { return t.Is(store.Item{Kind: kind, Name: name, Text: text}) })
}

// acts reports whether a file may act: one of the person's, or one of the
// project's that is trusted.
func (p *plan) acts(kind string, f skill.File) bool {
	return f.Root == "" || p.trusts(kind, p.inProject(f.Path), f.Text)
}

// broughtAlong lists what of list the project brings along.
func broughtAlong[T any](p *plan, kind string, list []T, file func(T) skill.File) []trustItem {
	var items []trustItem
	for _, x := range list {
		if f := file(x); f.Root != "" {
			items = append(items, trustItem{kind, p.inProject(f.Path), f.Text})
		}
	}
	return items
}

// untrusted returns what was found and does not act.
func (p *plan) untrusted() []trustItem {
	return slices.DeleteFunc(found(p), func(i trustItem) bool { return p.trusts(i.Kind, i.Name, i.Text) })
}

// readTrusted returns a function that reads what is trusted in p's project the
// first time that it is called. Most projects bring nothing along, and the
// record is then not opened for them.
func (p *plan) readTrusted() func() ([]store.Trusted, error) {
	return sync.OnceValues(func() (list []store.Trusted, err error) {
		err = p.ifRecorded(func(db *store.Store) error {
			list, err = db.Trust(p.root).List()
			return err
		})
		return list, err
	})
}

// trustNotices says what of the project does not act, and what to do about it.
func (p *plan) trustNotices() []string {
	items := p.untrusted()
	if len(items) == 0 {
		return nil
	}
	var lines []string
	if _, err := p.trusted(); err != nil {
		lines = append(lines, "nothing of the project is trusted: "+err.Error())
	}
	return append(lines, inert(items))
}

// inert says that items do not act, and what to do about it.
func inert(items []trustItem) string {
	if len(items) == 1 {
		return items[0].String() + " is not trusted and does not act (zuno trust shows it and asks)"
	}
	return tally(items) + " are not trusted and do not act (zuno trust shows them and asks)"
}

// tally says in one phrase what items are: those of a kind that has few by their
// names, and how many there are of another.
func tally(items []trustItem) string {
	const few = 2
	var words []string
	for _, s := range trustSources() {
		var of []string
		for _, i := range items {
			if i.Kind == s.kind {
				of = append(of, i.String())
			}
		}
		if len(of) > few {
			of = []string{fmt.Sprintf("%d %ss", len(of), trustItem{Kind: s.kind}.kind())}
		}
		words = append(words, of...)
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}

// trustLines says of everything that was found, and of what was trusted and is
// not there any more, whether it is trusted; a line each.
func trustLines(p *plan, list []store.Trusted) []string {
	var lines []string
	items := found(p)
	for _, i := range items {
		words := trustWords(p, i)
		if words != "" {
			words = "; it " + words
		}
		lines = append(lines, i.String()+": "+trustState(i, list)+words)
	}
	for _, t := range list {
		i := trustItem{Kind: t.Kind, Name: t.Name}
		if !slices.ContainsFunc(items, i.same) {
			lines = append(lines, i.String()+": trusted "+day(t)+", and not there now")
			items = append(items, i) // once, whatever texts of it were trusted
		}
	}
	return lines
}

// whatIsTrusted is what /trust shows of a session.
func whatIsTrusted(p *plan, s *session) ([]string, error) {
	list, err := s.trust.List()
	if err != nil {
		return nil, err
	}
	lines := trustLines(p, list)
	if len(lines) == 0 {
		lines = []string{"nothing in " + p.root + " needs trust"}
	}
	return append(lines, "zuno trust shows the texts, --remove takes trust back; both count from the next start"), nil
}

func (i trustItem) same(other trustItem) bool { return i.Kind == other.Kind && i.Name == other.Name }

func trustState(i trustItem, list []store.Trusted) string {
	state := "not trusted, it does not act"
	for _, t := range list {
		switch {
		case t.Is(store.Item(i)):
			return "trusted " + day(t)
		case i.same(trustItem{Kind: t.Kind, Name: t.Name}):
			state = "changed since it was trusted " + day(t) + ", it does not act"
		}
	}
	return state
}

func day(t store.Trusted) string { return "on " + t.At.Local().Format("2006-01-02") }

// projectSettings finds the configuration files of the project that say more
// than what makes zuno stricter.
func projectSettings(p *plan) []trustItem {
	var items []trustItem
	for _, f := range p.config.Files {
		if f.Project && f.Beyond != nil {
			items = append(items, trustItem{Kind: "config", Name: p.inProject(f.Path), Text: f.Text})
		}
	}
	return items
}

// settingsWords names the keys that a file sets once it is trusted.
func settingsWords(p *plan, i trustItem) string {
	at := slices.IndexFunc(p.config.Files, func(f config.File) bool { return f.Project && p.inProject(f.Path) == i.Name })
	if at < 0 {
		return ""
	}
	const shown = 6
	var keys []string
	for _, path := range p.config.Files[at].Beyond {
		top, rest, _ := strings.Cut(path, ".")
		next, _, _ := strings.Cut(rest, ".") // what is deeper, the text shows
		if key := strings.TrimSuffix(top+"."+next, "."); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	words := strings.Join(keys[:min(shown, len(keys))], ", ")
	if more := len(keys) - shown; more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return "sets " + tools.CleanLine(words)
}

// inProject is a path as it is named in the project, wherever that is.
func (p *plan) inProject(path string) string {
	rel, err := filepath.Rel(p.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}
