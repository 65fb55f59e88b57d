package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

// A shelfOf is Sessions of given rows.
type shelfOf struct {
	rows    []SessionRow
	running []string
	did     []string
	refuses error
}

func (l *shelfOf) note(what string) error {
	l.did = append(l.did, what)
	return l.refuses
}

func (l *shelfOf) List(words []string) ([]SessionRow, error) {
	return l.rows, l.note("list " + strings.Join(words, "+"))
}

func (l *shelfOf) Open(_ context.Context, id string) (Ready, error) {
	return Ready{Session: &fake{}, Gate: approval.New(approval.Config{Policy: approval.LowRisk}), Sessions: l, Title: "the other one"}, l.note("open " + id)
}
func (l *shelfOf) Running() []string                  { return l.running }
func (l *shelfOf) Fork() (string, error)              { return "copy", l.note("fork") }
func (l *shelfOf) Rename(title string) error          { return l.note("rename " + title) }
func (l *shelfOf) Export(file string) (string, error) { return "/x/" + file, l.note("export " + file) }

func (l *shelfOf) Cost() ([]string, error) {
	return []string{"conversation  1 call  price unknown"}, l.note("cost")
}

func shelfRig(t *testing.T, l *shelfOf) *rig {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.ready.Sessions = l
	return r
}

func (r *rig) command(line string) {
	r.typed(line)
	r.keys("enter")
}

// opens delivers what the change that was asked for leads to, as the UI does.
func (r *rig) opens() {
	r.t.Helper()
	if len(r.changes) != 1 {
		r.t.Fatalf("%d changes", len(r.changes))
	}
	open := r.changes[0]
	r.changes = nil
	ready, err := open(context.Background())
	if err == nil {
		r.send(openedMsg{ready})
	}
	r.send(readyMsg{ready, err})
}

func TestResumeGoesToTheSessionThatIsChosen(t *testing.T) {
	l := &shelfOf{rows: []SessionRow{{"b", "fix the parser", "3 h ago, main, 12 messages, in use"}, {"a", "look around", "2 days ago"}}}
	r := shelfRig(t, l)
	r.setPolicy(approval.Strict)
	r.command("/resume fix it")
	r.shows("fix the parser")
	r.shows("12 messages, in use")
	r.pass(guard)
	r.keys("1")
	r.pass(time.Second)
	if r.ready != nil {
		t.Error("a turn could start meanwhile")
	}
	r.command("wait for it")
	if len(r.started) != 0 {
		t.Error("a turn started in between")
	}
	r.opens()
	if got := r.printedText(); !strings.Contains(got, "── session: the other one ──") {
		t.Errorf("printed:\n%s", got)
	}
	if len(r.started) != 1 || r.started[0].text != "wait for it" || r.policy != approval.Strict || r.ready.Gate.Policy() != approval.Strict {
		t.Errorf("started %+v, policy %v", r.started, r.policy)
	}
	if want := []string{"list fix+it", "open b"}; !slices.Equal(l.did, want) {
		t.Errorf("did %q", l.did)
	}
}

func TestASessionThatCannotBeOpenedLeavesThisOneAsItIs(t *testing.T) {
	l := &shelfOf{}
	r := shelfRig(t, l)
	r.events(loop.Used{Cost: 1})
	old := r.ready
	r.command("/new")
	l.refuses = errors.New("open session b: the session is in use by process 7")
	r.opens()
	if r.ready != old || !strings.Contains(r.hint, "in use by process 7") || r.script.cost != 1 || r.quit {
		t.Errorf("hint %q, ready %p, cost %v", r.hint, r.ready, r.script.cost)
	}
	begun(r, "on we go")
}

func TestWhatRunsIsNamedBeforeItEnds(t *testing.T) {
	l := &shelfOf{running: []string{"b1 (running): npm run dev"}}
	r := shelfRig(t, l)
	r.command("/new")
	r.shows("npm run dev")
	r.pass(guard)
	r.keys("1")
	r.pass(time.Second)
	if len(r.changes) != 0 || r.ready == nil {
		t.Fatal("it went although the person stays")
	}
	r.command("/fork")
	r.pass(guard)
	r.keys("2")
	r.pass(time.Second)
	r.opens()
	if want := []string{"fork", "open copy"}; !slices.Equal(l.did, want) {
		t.Errorf("did %q", l.did)
	}
}

func TestTheCommandsAboutTheSessionSayWhatCameOfThem(t *testing.T) {
	l := &shelfOf{}
	r := shelfRig(t, l)
	for line, want := range map[string]string{
		"/rename a better title": "the session is called a better title now", "/export out.md": "exported to /x/out.md", "/cost": "price unknown",
	} {
		r.command(line)
		if got := r.printedText(); !strings.Contains(got, want) {
			t.Errorf("%s printed:\n%s", line, got)
		}
	}
	r.command("/rename")
	if !strings.Contains(r.hint, "/rename TITLE") {
		t.Errorf("hint %q", r.hint)
	}
	r.composer.take()
	r.command("/resume nothing")
	if !strings.Contains(r.hint, "no other session") {
		t.Errorf("hint %q", r.hint)
	}
	l.refuses = errors.New("it is damaged")
	r.command("/cost")
	if !strings.Contains(r.hint, "it is damaged") {
		t.Errorf("hint %q", r.hint)
	}
	r.ready.Sessions = nil
	r.command("/new")
	if !strings.Contains(r.hint, "not kept") {
		t.Errorf("hint %q", r.hint)
	}
	r.composer.take()
	r.ready.Sessions, r.busy = l, true
	r.command("/new")
	if !strings.Contains(r.hint, "a turn is running") {
		t.Errorf("hint %q", r.hint)
	}
}
