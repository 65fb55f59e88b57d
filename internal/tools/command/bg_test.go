package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestBgKeepsThePromisesOfATool(t *testing.T) {
	var jobs []*shell.Job
	tool := func(root string) (Config, tools.Tool) {
		c := withJobs(t)
		c.Workspace, c.Spool = root, filepath.Join(root, "spool")
		jobs = nil
		return c, New(c)[1]
	}
	for _, x := range []struct {
		args, line string
		mutate     func(string)
	}{
		{`{"action":"list"}`, "sleep 64", nil},
		{`{"action":"artifact","outputPath":"out.txt"}`, "", func(root string) { os.Remove(root + "/spool/out.txt") }},
	} {
		toolstest.Run(t, toolstest.Case{
			Args: x.args,
			New: func(root string) tools.Tool {
				c, bg := tool(root)
				if err := os.MkdirAll(c.Spool, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(c.Spool+"/out.txt", []byte(strings.Repeat("line\n", 20_000)), 0o600); err != nil {
					t.Fatal(err)
				}
				if x.line != "" {
					startJob(t, c, x.line)
				}
				return bg
			},
			Mutate: x.mutate,
		})
	}
	// The name of a job is not known before there is one: these tools know it as
	// "the job".
	for _, args := range []string{
		`{"action":"output","taskID":"the job"}`, `{"action":"wait","taskID":"the job","timeout":50}`, `{"action":"cancel","taskID":"the job"}`,
	} {
		var mutate func(string)
		if strings.Contains(args, "cancel") {
			mutate = func(string) { jobs[0].Stop(context.Canceled); <-jobs[0].Done() }
		}
		toolstest.Run(t, toolstest.Case{
			Args: args, Mutate: mutate,
			New: func(root string) tools.Tool {
				c, bg := tool(root)
				jobs = append(jobs, startJob(t, c, "echo up; sleep 64"))
				wrote(jobs[0], "up") // its output is in the tree
				return renamed{bg, jobs[0].ID()}
			},
		})
	}
}

// renamed calls a job "the job".
type renamed struct {
	tools.Tool
	id string
}

func (r renamed) Propose(ctx context.Context, call tools.Call) (*tools.Proposal, error) {
	call.Args = []byte(strings.ReplaceAll(string(call.Args), "the job", r.id))
	return r.Tool.Propose(ctx, call)
}

func TestOnlyCancelHasAnEffect(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "sleep 65")
	path, _ := j.File()
	id := `,"taskID":"` + j.ID() + `"}`
	for args, effect := range map[string]tools.Effect{
		`{"action":"list"}`:                                 tools.ReadOnly,
		`{"action":"output"` + id:                           tools.ReadOnly,
		`{"action":"wait"` + id:                             tools.ReadOnly,
		`{"action":"artifact","outputPath":"` + path + `"}`: tools.ReadOnly,
		`{"action":"cancel"` + id:                           tools.SideEffecting,
	} {
		p, err := proposeBg(c, args)
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		risk := tools.Low
		if effect == tools.ReadOnly {
			risk = tools.ReadOnlyRisk
		}
		if s := p.Spec; s.Effect != effect || s.Risk != risk || s.Replay != tools.Never || s.Concurrency != tools.Exclusive || p.Key != "" || p.Command != "" {
			t.Errorf("%s: %+v", args, s)
		}
	}
	if s := New(c)[1].Spec(); s.Effect != tools.SideEffecting || s.Replay != tools.Never || s.Risk != tools.Low || s.Timeout < maxWait {
		t.Errorf("%+v", s)
	}
}

func TestWhatDoesNotBelongToTheActionIsRefused(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "sleep 66")
	outside := filepath.Join(filepath.Dir(c.Spool), "outside.txt")
	for path, link := range map[string]string{outside: "", c.Spool + "/link": outside, c.Spool + "/dir": "dir"} {
		var err error
		switch link {
		case "":
			err = os.WriteFile(path, []byte("secret"), 0o600)
		case "dir":
			err = os.Mkdir(path, 0o700)
		default:
			err = os.Symlink(link, path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	id := `"taskID":"` + j.ID() + `"`
	for args, want := range map[string]string{
		`{}`:                                                    "action is missing",
		`{"action":"kill"}`:                                     "must be one of",
		`{"action":"list",` + id + `}`:                          "taskID does not belong to bg list",
		`{"action":"list","limit":5}`:                           "limit does not belong",
		`{"action":"output"}`:                                   "bg output needs taskID",
		`{"action":"cancel"}`:                                   "bg cancel needs taskID",
		`{"action":"artifact"}`:                                 "bg artifact needs outputPath",
		`{"action":"output",` + id + `,"timeout":5}`:            "timeout does not belong",
		`{"action":"output",` + id + `,"outputPath":"x"}`:       "outputPath does not belong",
		`{"action":"output",` + id + `,"cursor":-1}`:            "negative",
		`{"action":"output",` + id + `,"cursor":1.5}`:           "whole number",
		`{"action":"output",` + id + `,"limit":0}`:              "at least 1",
		`{"action":"wait",` + id + `,"timeout":0}`:              "at least 1",
		`{"action":"cancel",` + id + `,"cursor":0}`:             "cursor does not belong",
		`{"action":"artifact",` + id + `,"outputPath":"x"}`:     "taskID does not belong",
		`{"action":"wait","taskID":"bg-0000-1"}`:                "not found for this session",
		`{"action":"cancel","taskID":"1"}`:                      "not found for this session",
		`{"action":"output","taskID":"\u001b[2J"}`:              "not found for this session",
		`{"action":"artifact","outputPath":"` + outside + `"}`:  "not an output that zuno kept",
		`{"action":"artifact","outputPath":"../outside.txt"}`:   "not an output that zuno kept",
		`{"action":"artifact","outputPath":".."}`:               "not an output that zuno kept",
		`{"action":"artifact","outputPath":"/etc/passwd"}`:      "not an output that zuno kept",
		`{"action":"artifact","outputPath":"` + c.Spool + `/"}`: "not an output that zuno kept",
		`{"action":"artifact","outputPath":"missing.txt"}`:      "does not exist",
		`{"action":"artifact","outputPath":"link"}`:             "is not a kept output",
		`{"action":"artifact","outputPath":"dir"}`:              "is not a kept output",
		`{"action":"artifact","outputPath":"dir/x"}`:            "not an output that zuno kept",
	} {
		out := bg(t, c, "%s", args)
		if out.Kind != tools.Blocked || out.Block != tools.InvalidArguments || !strings.Contains(out.Text, want) || strings.Contains(out.Text, "\x1b") {
			t.Errorf("%s: %+v", args, out)
		}
	}
	none := newConfig(t)
	if out := bg(t, none, `{"action":"list"}`); out.Kind != tools.OK || !strings.HasPrefix(out.Text, "There are no background jobs") {
		t.Errorf("%+v", out)
	}
	if out := bg(t, none, `{"action":"wait","taskID":"x"}`); out.Block != tools.InvalidArguments {
		t.Errorf("%+v", out)
	}
}

func TestListShowsTheJobsInOrder(t *testing.T) {
	c := withJobs(t)
	first := startJob(t, c, "echo one; "+waitFor("go")+"; exit 4")
	second := startJob(t, c, "sleep 67 # \u202e")
	touch(t, c, "go")
	<-first.Done()
	lines := strings.Split(bg(t, c, `{"action":"list"}`).Text, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], first.ID()+"  ended: exit code 4, 4 bytes of output: echo one;") ||
		!strings.HasPrefix(lines[1], second.ID()+"  running for ") || !strings.HasSuffix(lines[1], `bytes of output: sleep 67 # \u{202e}`) {
		t.Errorf("%q", lines)
	}
}

func TestWaitEndsWithTheJobAndNotBefore(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "echo up; "+waitFor("go")+"; echo down")
	out := bg(t, c, `{"action":"wait","taskID":%q,"timeout":1}`, j.ID())
	if out.Kind != tools.OK || out.ExitCode != nil || !strings.HasPrefix(out.Text, j.ID()+" running for ") {
		t.Errorf("%+v", out)
	}
	p, err := proposeBg(c, `{"action":"wait","taskID":"`+j.ID()+`","timeout":60000}`)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	out = p.Execute(t.Context(), tools.Decision{Allowed: true}, func(pr tools.Progress) {
		lines = append(lines, pr.Text)
		touch(t, c, "go")
	})
	if out.ExitCode == nil || *out.ExitCode != 0 || !strings.HasSuffix(out.Text, "\nup\ndown") || len(lines) == 0 {
		t.Errorf("%+v, %q", out, lines)
	}
	if out := bg(t, c, `{"action":"wait","taskID":%q}`, j.ID()); out.ExitCode == nil { // at once
		t.Errorf("%+v", out)
	}
}

func TestWaitWithACursorReturnsWithNewOutput(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "echo up; "+waitFor("go")+"; seq 5000; sleep 68")
	out := bg(t, c, `{"action":"wait","taskID":%q,"cursor":0,"timeout":60000}`, j.ID())
	h, _, _ := header(t, out.Text)
	if j.Ended() || out.ExitCode != nil || !strings.HasSuffix(out.Text, "\nup") || h.cursor != 3 {
		t.Errorf("%+v", out)
	}
	touch(t, c, "go")
	out = bg(t, c, `{"action":"wait","taskID":%q,"cursor":3,"timeout":60000,"limit":100}`, j.ID())
	if h, more, _ := header(t, out.Text); !more || h.from != 3 || !strings.Contains(out.Text, "\n1\n2\n3\n") {
		t.Errorf("%+v", out)
	}
}

func TestAnInterruptOnlyEndsTheWaiting(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "echo up; sleep 69")
	p, err := proposeBg(c, `{"action":"wait","taskID":"`+j.ID()+`","timeout":60000}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out := p.Execute(ctx, tools.Decision{Allowed: true}, func(tools.Progress) { cancel() })
	if out.Kind != tools.Cancelled || out.Started || j.Ended() || !strings.Contains(out.Text, "nothing was done to "+j.ID()+", which is running for") {
		t.Errorf("%+v", out)
	}
}

func TestCancelStopsTheTreeAndOnlyOnce(t *testing.T) {
	c := withJobs(t)
	j := startJob(t, c, "setsid sleep 70 & echo up; sleep 70")
	wrote(j, "up")
	cancel := func() (*tools.Proposal, error) { return proposeBg(c, `{"action":"cancel","taskID":"`+j.ID()+`"}`) }
	p, err := cancel()
	if err != nil || !strings.Contains(p.Preview[1].Body, "stops\t"+j.ID()) || p.Preview[0].Kind != tools.Command || !strings.HasPrefix(p.Summary, "cancel "+j.ID()+": setsid") {
		t.Fatalf("%+v, %v", p, err)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if out := execute(t, gone, p); out.Kind != tools.Cancelled || out.Started || j.Ended() {
		t.Errorf("%+v", out)
	}
	late, err := cancel()
	if err != nil {
		t.Fatal(err)
	}
	if out := execute(t, t.Context(), p); out.Kind != tools.OK || !j.Ended() || !strings.Contains(out.Text, "was stopped after") {
		t.Errorf("%+v", out)
	}
	if out := execute(t, t.Context(), late); out.Block != tools.Stale || !strings.Contains(out.Text, "nothing was done") {
		t.Errorf("%+v", out)
	}
	if _, err := cancel(); tools.OutcomeOf(err).Block != tools.Stale {
		t.Errorf("%v", err)
	}
	if out := bg(t, c, `{"action":"output","taskID":%q}`, j.ID()); out.Kind != tools.OK || !strings.Contains(out.Text, "ended: was stopped after") || !strings.HasSuffix(out.Text, "\nup") {
		t.Errorf("%+v", out)
	}
}
