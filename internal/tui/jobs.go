package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Job is a command or the work of agents that runs in the background, or did.
type Job struct {
	// Kind says who works: bg for a command, else the name of the agent.
	Kind        string
	ID, Command string // Command is what an agent's work is about
	Status      string // in words, such as "running" or "exit 1"
	Running     bool
	Began       time.Time
	Last        string // its latest line
	// Output returns the last n lines, and may read a file; Stop ends the job and
	// what it started, and waits. Both are called from goroutines of the UI's.
	Output func(n int) ([]string, error)
	Stop   func()
}

// bgJob is the kind of a command.
const bgJob = "bg"

// about says what the job is about, and who works on it where it is no command.
func (j Job) about() string {
	if j.Kind == "" || j.Kind == bgJob {
		return j.Command
	}
	return j.Kind + ": " + j.Command
}

// jobs returns the jobs of the session, none before there is one.
func (s *screen) jobs() []Job {
	if s.ready == nil || s.ready.Jobs == nil {
		return nil
	}
	return s.ready.Jobs()
}

// laneGap is how often the lanes are drawn while nothing else changes.
const laneGap = time.Second

// jobOutput is how many lines of each job /jobs shows.
const jobOutput = 5

// jobsCommand lists the jobs with the end of what they said; "stop ID" ends one.
func (s *screen) jobsCommand(arg string) string {
	list := s.jobs()
	if verb, id, _ := strings.Cut(arg, " "); verb == "stop" || verb == "cancel" {
		return s.stopJob(list, strings.TrimSpace(id))
	}
	switch {
	case arg != "":
		return "/jobs lists them, /jobs stop ID ends one"
	case len(list) == 0:
		s.print(s.script.note("nothing runs in the background; /agents lists what agents did"))
		return ""
	}
	now := s.now()
	s.host.fetch(func() tea.Msg {
		said := make([][]string, len(list))
		for i, j := range list {
			lines, err := j.Output(jobOutput)
			if err != nil {
				lines = []string{"its output cannot be read: " + err.Error()}
			}
			said[i] = lines
		}
		return fetchedMsg{func(s *screen) { s.listJobs(list, said, now) }}
	})
	return ""
}

func (s *screen) listJobs(list []Job, said [][]string, now time.Time) {
	var rows []string
	for i, j := range list {
		state := plainLine(j.Status)
		if j.Running {
			state += elapsed(now.Sub(j.Began))
		}
		spans := []span{{pad(plainLine(j.ID), 4) + " ", s.th.strong}, {plainLine(j.about()), style{}}, {"  " + state, s.th.muted}}
		rows = append(rows, wrap(spans, s.script.w, "", "  ")...)
		for _, l := range said[i] {
			rows = append(rows, s.th.muted.render(clip("  "+s.th.glyph.bar+" "+plainLine(expandTabs(l)), s.script.w)))
		}
	}
	s.paged("/jobs", rows)
}

func (s *screen) stopJob(list []Job, id string) string {
	for _, j := range list {
		if j.ID != id {
			continue
		}
		if !j.Running {
			return fmt.Sprintf("%s has ended: %s", plainLine(j.ID), plainLine(j.Status))
		}
		s.hint = "stopping " + plainLine(j.ID) + s.th.glyph.more
		s.host.fetch(func() tea.Msg {
			j.Stop()
			return fetchedMsg{func(s *screen) {
				s.hint = ""
				s.toldOf(j.ID)
				s.print(s.script.note("stopped " + j.ID + ": " + tools.Clip(j.about(), 200)))
			}}
		})
		return ""
	}
	return "there is no job " + plainLine(id) + ": /jobs lists them"
}
