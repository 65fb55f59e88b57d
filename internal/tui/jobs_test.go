package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/tools"
)

// withJobs is a rig with n running jobs and one that has ended.
func withJobs(t *testing.T, w, n int) (*rig, *[]string) {
	t.Helper()
	r := newRig(t, w, 30).boot(approval.LowRisk)
	stopped := &[]string{}
	r.ready.Jobs = func() []Job {
		list := []Job{{ID: "bg-0", Command: "make", Status: "exit 2", Output: func(int) ([]string, error) { return []string{"make: *** [all] Error 2"}, nil }}}
		for i := range n {
			id := fmt.Sprint("bg-", i+1)
			status := map[bool]string{true: "ended", false: "running"}[slices.Contains(*stopped, id)]
			list = append(list, Job{
				ID: id, Command: "npm run dev -- --port 300" + fmt.Sprint(i), Status: status, Running: !slices.Contains(*stopped, id), Began: time.Unix(1_700_000_000, 0),
				Last:   "ready on \x1b[31mport\x1b[0m 3000\tok",
				Output: func(int) ([]string, error) { return nil, errors.New("gone") },
				Stop:   func() { *stopped = append(*stopped, id) },
			})
		}
		return list
	}
	return r, stopped
}

func TestJobsAreLanes(t *testing.T) {
	for _, w := range widths() {
		r, _ := withJobs(t, w, 2)
		r.pass(65 * time.Second)
		r.keys("x")
		var rows []string
		rows = append(append(rows, r.shown.rows...), strings.Repeat("=", 10))
		r, _ = withJobs(t, w, 6)
		begun(r, "go")
		r.pass(5 * time.Second)
		rows = append(append(rows, r.shown.rows...), strings.Repeat("=", 10))
		r.typed("/jobs")
		r.keys("enter")
		rows = append(rows, r.lines[len(r.lines)-10:]...)
		golden(t, fmt.Sprintf("jobs-%d", w), rows)
	}
}

// Work in the background does not simply vanish: how it ended stays in sight until
// somebody was told.
func TestWorkThatEndedStaysInSightUntilItIsTold(t *testing.T) {
	r := newRig(t, 80, 30).boot(approval.LowRisk)
	runs := true
	r.ready.Jobs = func() []Job {
		list := []Job{{Kind: "bg", ID: "bg-1", Command: "make all", Status: "exit 2", Running: runs, Began: r.clock}}
		if runs {
			list = append(list, Job{Kind: "explore", ID: "job_9", Command: "look around", Running: true, Began: r.clock})
		}
		return list
	}
	r.pass(2 * time.Second)
	r.keys("x", "backspace")
	r.shows("look around  running")
	runs = false
	r.pass(2 * time.Second)
	r.shows("make all  exit 2")
	r.shows("look around  ended")
	r.events(loop.Noticed{Text: "job_9 completed: look around"})
	r.hides("look around")
	r.shows("make all  exit 2")
	r.events(loop.Prompted{Text: "go on"})
	r.hides("make all")
	r.pass(2 * time.Second)
	r.hides("make all")
}

func TestALaneIsDrawnOnceASecond(t *testing.T) {
	r, stopped := withJobs(t, 80, 1)
	r.keys("x", "backspace")
	r.pass(3 * time.Second)
	r.shows("running 3s")
	if gap := r.wake.Sub(r.clock); gap <= 0 || gap > laneGap {
		t.Errorf("the next frame is due in %v", gap)
	}
	*stopped = []string{"bg-1"}
	r.pass(2 * time.Second)
	r.wake = time.Time{}
	r.keys("y")
	r.pass(2 * time.Second)
	if r.wake.After(r.clock) {
		t.Error("nothing runs, and the screen is drawn again and again")
	}
	r.shows("ended")
	r.hides("running")
}

func TestStoppingAJob(t *testing.T) {
	r, stopped := withJobs(t, 80, 2)
	for what, want := range map[string]string{"stop bg-9": "there is no job bg-9", "stop bg-0": "bg-0 has ended: exit 2", "kill": "/jobs stop ID"} {
		r.composer.buf.clear()
		r.typed("/jobs " + what)
		r.keys("enter")
		r.shows(want)
	}
	r.composer.buf.clear()
	r.typed("/jobs stop bg-2")
	r.slow = true
	r.keys("enter")
	r.shows("stopping bg-2")
	if got := r.composer.buf.text(); got != "" {
		t.Errorf("the command was carried out, and %q is still to be sent", got)
	}
	r.slow = false
	r.answer()
	r.hides("stopping bg-2")
	if !slices.Equal(*stopped, []string{"bg-2"}) || !strings.Contains(r.printedText(), "stopped bg-2: npm run dev") {
		t.Errorf("stopped %v:\n%s", *stopped, r.printedText())
	}
}

// Agents that work in the background are lanes too, by their name, and /jobs
// lists and stops them.
func TestAgentsAreJobs(t *testing.T) {
	for _, w := range []int{40, 80} {
		r := newRig(t, w, 30).boot(approval.LowRisk)
		stopped := 0
		r.ready.Jobs = func() []Job {
			return []Job{{
				Kind: "council", ID: "job_1m8naae5843b7z2m", Command: "is it so", Status: "running", Running: stopped == 0, Began: r.clock.Add(-12 * time.Second),
				Last: "for: at work", Output: func(int) ([]string, error) { return []string{"for: at work"}, nil }, Stop: func() { stopped++ },
			}}
		}
		r.keys("x", "backspace")
		r.shows("│ council     is it so  running 12s")
		r.hides("bg council")
		r.hides("job_1m8")
		r.typed("/jobs")
		r.keys("enter")
		if got := r.printedText(); !strings.Contains(got, "job_1m8naae5843b7z2m council: is it so") || !strings.Contains(got, "for: at work") {
			t.Errorf("it is not listed:\n%s", got)
		}
		r.typed("/jobs stop job_1m8naae5843b7z2m")
		r.keys("enter")
		if got := strings.Join(strings.Fields(r.printedText()), " "); stopped != 1 || !strings.Contains(got, "stopped job_1m8naae5843b7z2m: council: is it so") {
			t.Errorf("stopped %d times:\n%s", stopped, got)
		}
		r.hides("council")
		r.ready.Jobs = nil
		r.typed("/jobs")
		r.keys("enter")
		if !strings.Contains(strings.Join(strings.Fields(r.printedText()), " "), "nothing runs in the background; /agents") {
			t.Errorf("printed:\n%s", r.printedText())
		}
	}
}

// A catalogue is models to choose from.
type catalogue struct {
	used []string
	now  InUse
}

func (s *catalogue) List() ([]tools.Option, error) {
	return []tools.Option{{ID: "a/one", Label: "a/one", Detail: "now"}, {ID: "b/two", Label: "b/two"}}, nil
}

func (s *catalogue) Use(model, effort string) (InUse, error) {
	if model == "nosuch" {
		return InUse{}, errors.New("model \"nosuch\" is not of the form provider/model")
	}
	s.used = append(s.used, model+" "+effort)
	s.now.Model, s.now.Effort = firstOf(model, s.now.Model), firstOf(effort, s.now.Effort)
	return s.now, nil
}

func TestChangingTheModel(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	s := &catalogue{now: InUse{Model: "a/one", Efforts: []string{"low", "high"}}}
	r.ready.Models = s
	begun(r, "go")
	r.events(loop.Prompted{Text: "go"})
	r.typed("/model b/two") // while a turn runs
	r.keys("enter")
	r.shows("b/two")
	if !strings.Contains(r.printedText(), "from the next request on: b/two") {
		t.Error("nobody says so")
	}
	r.typed("/model")
	r.keys("enter")
	r.pass(time.Second)
	r.keys("1")
	r.typed("/effort")
	r.keys("enter")
	r.pass(time.Second)
	r.keys("2")
	if r.ready.Model != "a/one" || r.ready.Effort != "high" {
		t.Errorf("in use is %s %s", r.ready.Model, r.ready.Effort)
	}
	r.shows("a/one high")
	r.typed("/model nosuch")
	r.keys("enter")
	r.shows("not of the form")
	if want := []string{"b/two ", "a/one ", " ", " high"}; !slices.Equal(s.used, want) {
		t.Errorf("asked for %q, want %q", s.used, want)
	}
}
