package main

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/tools/work"
)

// remembers reports whether sessions are told what is remembered. Who switches
// the tool on by its name means that too.
func (p *plan) remembers() bool { return p.config.Memory || p.config.Tools["memory_propose"] }

// switches are those of the configuration, with what they come to for memory.
func (p *plan) switches() map[string]bool {
	on := maps.Clone(p.config.Tools)
	if _, set := on["memory_propose"]; !set {
		on["memory_propose"] = p.config.Memory
	}
	return on
}

// targets are the two memories, in the order in which they are told.
func targets() []memory.Target { return []memory.Target{memory.Global, memory.Project} }

// memories returns what a session is told.
func memories(m *store.Memory) ([]agent.Memory, error) {
	var list []agent.Memory
	for _, t := range targets() {
		book, err := m.Book(t)
		if err != nil {
			return nil, err
		}
		told := agent.Memory{Scope: string(t), Revision: book.Revision}
		for _, e := range book.Entries {
			told.Entries = append(told.Entries, e.Text)
		}
		list = append(list, told)
	}
	return list, nil
}

// provenance says when and where an entry was accepted, and by whom.
func provenance(e memory.Entry) string {
	s := fmt.Sprintf("accepted by %s on %s", e.By, e.At.Local().Format("2006-01-02 15:04"))
	if e.Session != "" {
		s += " in session " + e.Session
	}
	if e.Reason != "" {
		s += ", because: " + oneLine(e.Reason)
	}
	return s
}

// memoryLines carries out /memory: it lists what sessions of this repository
// are told, or forgets an entry of it.
func memoryLines(p *plan, s *session, arg string) ([]string, error) {
	verb, rest, _ := strings.Cut(arg, " ")
	switch verb {
	case "":
		return listedMemory(p, s.memory)
	case "forget":
		return forgetHere(s.memory, strings.TrimSpace(rest))
	}
	return nil, fmt.Errorf("/memory lists the entries, and /memory forget N forgets one")
}

func listedMemory(p *plan, m *store.Memory) ([]string, error) {
	var lines []string
	if !p.remembers() {
		lines = append(lines, `memory is off: "memory": true in your configuration tells it to sessions`)
	}
	for _, t := range targets() {
		book, err := m.Book(t)
		if err != nil {
			return nil, err
		}
		used := 0
		for _, e := range book.Entries {
			used += len([]rune(e.Text))
		}
		lines = append(lines, fmt.Sprintf("%s memory, revision %d, %d of %d characters", t, book.Revision, used, t.Budget()))
		for _, e := range book.Entries {
			lines = append(lines, fmt.Sprintf("%d  %s", e.N, oneLine(e.Text)), "    "+provenance(e))
		}
		notes, err := m.Notes(t)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			lines = append(lines, fmt.Sprintf("note %s, %d bytes, written %d times, last on %s", n.Path, len(n.Text), n.Writes, n.Updated.Local().Format("2006-01-02 15:04")))
		}
	}
	return append(lines, "/memory forget N forgets an entry, or a note by its path; this session was told already"), nil
}

// forgetHere forgets an entry, by its number, or a note, by its path, of this
// repository or of all.
func forgetHere(m *store.Memory, what string) ([]string, error) {
	n, err := strconv.ParseInt(what, 10, 64)
	for _, t := range targets() {
		if err != nil {
			notes, err := m.Notes(t)
			if err != nil {
				return nil, err
			}
			for _, note := range notes {
				if note.Path == what {
					return []string{"forgotten: the note " + what}, m.DropNote(t, what, note.Writes)
				}
			}
			continue
		}
		book, err := m.Book(t)
		if err != nil {
			return nil, err
		}
		for _, e := range book.Entries {
			if e.N == n {
				_, err := m.Drop(t, book.Revision, n)
				return []string{"forgotten: " + oneLine(e.Text)}, err
			}
		}
	}
	return nil, fmt.Errorf("there is no entry or note %q here; /memory lists them", what)
}

// workLines carries out /plan, /todo and /goal.
func workLines(s work.Store, part, arg string) ([]string, error) {
	switch {
	case arg == "":
	case part != "goal":
		return nil, fmt.Errorf("/%s takes no arguments: tell the model what is to change", part)
	default:
		if arg == "clear" {
			arg = ""
		}
		if err := s.ChangeWork(func(w *work.Work) error { return w.SetGoal(arg) }); err != nil {
			return nil, err
		}
	}
	w, err := s.Work()
	return w.Lines(part), err
}
