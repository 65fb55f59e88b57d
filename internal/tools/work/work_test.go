package work

import (
	"reflect"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

// A turn is one call and what must come of it.
type turn struct {
	tool, args string
	block      tools.Block // NotBlocked for one that is carried out
	says       string      // in the text for the model
}

func play(t *testing.T, f *fake, turns []turn) {
	t.Helper()
	for _, x := range turns {
		before := f.work.clone()
		o := f.call(t, x.tool, x.args)
		want := tools.OK
		if x.block != tools.NotBlocked {
			want = tools.Blocked
		}
		if o.Kind != want || o.Block != x.block || !strings.Contains(o.Text, x.says) {
			t.Errorf("%s %s: %v %v %q, want %v and %q", x.tool, x.args, o.Kind, o.Block, o.Text, x.block, x.says)
		}
		if o.Kind == tools.Blocked && !reflect.DeepEqual(f.work, before) {
			t.Errorf("%s %s changed something", x.tool, x.args)
		}
	}
}

const (
	ok      = tools.NotBlocked
	bad     = tools.InvalidArguments
	outdate = tools.Stale
)

func TestAPlanIsASnapshotThatKeepsWhatIsDone(t *testing.T) {
	play(t, &fake{}, []turn{
		{"plan_get", ``, ok, `{"plan":null}`},
		{"plan_update", `{"title":"p","steps":[]}`, bad, "one to 100 steps"},
		{"plan_update", `{"title":" ","steps":[{"title":"a","status":"pending"}]}`, bad, "title is blank"},
		{"plan_update", `{"title":"p","steps":[{"title":"a","status":"pending"}]}`, bad, "none is in_progress"},
		{"plan_update", `{"title":"p","steps":[{"title":"a","status":"in_progress"},{"title":"b","status":"in_progress"}]}`, bad, "2 steps are in_progress"},
		{"plan_update", `{"title":"p","steps":[{"id":"x","title":"a","status":"in_progress"},{"id":"x","title":"b","status":"pending"}]}`, bad, `"x" is there twice`},
		{"plan_update", `{"title":"p","steps":[{"id":"a\u0007","title":"a","status":"in_progress"}]}`, bad, "control characters"},
		{"plan_update", `{"title":"p","steps":[{"title":"a","status":"done"}]}`, bad, "must be one of pending, in_progress"},
		{"plan_update", `{"expected_revision":1,"title":"p","steps":[{"title":"a","status":"in_progress"}]}`, outdate, "at revision 0, not 1"},
		{"plan_update", `{"title":"p","goal_id":"g9","steps":[{"title":"a","status":"in_progress"}]}`, bad, "there is no goal"},
		{"plan_update", `{"title":"p","steps":[{"title":"a","status":"in_progress"},{"id":"mine","title":"b","status":"pending"}]}`, ok, `{"id":"p1","revision":1,"title":"p","steps":[{"id":"s2","title":"a","status":"in_progress"},{"id":"mine","title":"b","status":"pending"}]}`},
		{"plan_update", `{"title":"p","steps":[{"title":"a","status":"in_progress"}]}`, bad, "there is a plan, at revision 1"},
		{"plan_update", `{"expected_revision":1,"title":"p","steps":[{"id":"s2","title":"a","status":"completed"}]}`, bad, `"mine" (b) is left out`},
		{"plan_update", `{"expected_revision":1,"title":"p","steps":[{"id":"s2","title":"a","status":"completed"},{"id":"mine","title":"b","status":"in_progress"}]}`, ok, `"revision":2`},
		{"plan_update", `{"expected_revision":1,"title":"p","steps":[{"id":"s2","title":"a","status":"completed"}]}`, outdate, "at revision 2, not 1"},
		{"plan_update", `{"expected_revision":2,"title":"p","steps":[{"id":"s2","title":"other","status":"completed"},{"id":"mine","title":"b","status":"in_progress"}]}`, bad, "cannot change any more"},
		{"plan_update", `{"expected_revision":2,"title":"q","steps":[{"id":"s2","title":"a","status":"completed"},{"id":"mine","title":"b","status":"superseded"}]}`, ok, `"revision":3`},
		{"plan_update", `{"expected_revision":3,"title":"next","steps":[{"title":"c","status":"in_progress"}]}`, ok, `{"id":"p3","revision":4,"title":"next"`},
		{"plan_get", `{}`, ok, `"title":"next"`},
	})
}

func TestTodosChangeInBatchesThatAreWholeOrNothing(t *testing.T) {
	f := &fake{}
	play(t, f, []turn{
		{"todo_get", `null`, ok, `{"todos":[]}`},
		{"todo_update", `{"changes":[]}`, bad, "one to 100 changes"},
		{"todo_update", `{"changes":[{"action":"add"}]}`, bad, "the subject of \"t1\" is blank"},
		{"todo_update", `{"changes":[{"action":"add","subject":"a","status":"done"}]}`, bad, "status must be one of"},
		{"todo_update", `{"changes":[{"action":"add","subject":"a"},{"action":"add","id":"x","subject":"b","status":"in_progress","priority":"high","dependencies":["t1"]}]}`, ok, `{"todos":[{"id":"t1","revision":1,"status":"pending","subject":"a"},{"id":"x","revision":1,"status":"in_progress","subject":"b"}]}`},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"status":"completed"},{"action":"add","subject":"c","status":"in_progress"}]}`, bad, "2 items would be in_progress"},
		{"todo_update", `{"changes":[{"action":"update","id":"x","status":"completed"}]}`, bad, "changes[0]: expected_revision is missing"},
		{"todo_update", `{"changes":[{"action":"update","id":"nope","expected_revision":1}]}`, bad, `changes[0]: there is no item "nope"`},
		{"todo_update", `{"changes":[{"action":"update","expected_revision":1}]}`, bad, "id is empty"},
		{"todo_update", `{"changes":[{"action":"update","id":"x","expected_revision":1,"status":"completed","description":"more"}]}`, ok, `"id":"x","revision":2,"status":"completed"`},
		{"todo_update", `{"changes":[{"action":"update","id":"x","expected_revision":1,"status":"pending"}]}`, outdate, `the item "x" is at revision 2, not 1`},
		{"todo_update", `{"changes":[{"action":"remove","id":"t1","expected_revision":1}]}`, bad, `"x" depends on "t1", which is not there`},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"dependencies":["x"]}]}`, bad, "before itself"},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"dependencies":["t1"]}]}`, bad, "depends on itself"},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"dependencies":["x","x"]}]}`, bad, "twice"},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"parent_id":"x"},{"action":"update","id":"x","expected_revision":2,"parent_id":"t1"}]}`, bad, "a part of itself"},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"parent_id":"t1"}]}`, bad, "a part of itself"},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"parent_id":"y"}]}`, bad, "which is not there"},
		{"todo_update", `{"changes":[{"action":"update","id":"t1","expected_revision":1,"plan_step_id":"s1"}]}`, bad, "the plan has no step"},
		{"todo_update", `{"changes":[{"action":"add","id":"x","subject":"again"}]}`, bad, "an item \"x\" already"},
		{"todo_update", `{"changes":[{"action":"update","id":"x","expected_revision":2,"dependencies":[]},{"action":"remove","id":"t1","expected_revision":1}]}`, ok, `"id":"x","revision":3`},
		{"todo_update", `{"changes":[{"action":"clear"},{"action":"add","subject":"new"}]}`, ok, `{"todos":[{"id":"t2","revision":1,"status":"pending","subject":"new"}]}`},
	})
	if f.work.todo("t1") >= 0 {
		t.Error("an ID was given twice")
	}
}

func TestAGoalIsCompleteOnlyWhenThatWasShown(t *testing.T) {
	f := &fake{receipts: []Receipt{{ID: "call-7", Tool: "shell", Summary: "go test"}}}
	play(t, f, []turn{
		{"goal_get", `""`, ok, `{"goal":null}`},
		{"goal_update", `{"expected_revision":1,"status":"complete"}`, outdate, "at revision 0"},
		{"goal_update", `{"status":"complete"}`, bad, "there is no goal"},
		{"goal_update", `{"objective":"green tests","success_criteria":["tests pass","docs"],"status":"complete"}`, bad, "a new goal is active"},
		{"goal_update", `{"objective":"green tests","success_criteria":["tests pass","docs"]}`, ok, `{"id":"g1","revision":1,"objective":"green tests","status":"active","success_criteria":[{"id":"c1","text":"tests pass"},{"id":"c2","text":"docs"}]}`},
		{"goal_get", ``, ok, `"receiptId":"call-7"`},
		{"goal_update", `{"status":"complete"}`, bad, "at revision 1"},
		{"goal_update", `{"expected_revision":1,"status":"complete"}`, bad, "c1 is neither satisfied nor waived (tests pass)"},
		{"goal_update", `{"expected_revision":1,"satisfy_criteria":[{"criterionId":"c1","receiptId":"made-up"}]}`, bad, `no call of this session that succeeded has the ID "made-up"`},
		{"goal_update", `{"expected_revision":1,"satisfy_criteria":[{"criterionId":"c9","receiptId":"call-7"}]}`, bad, `no criterion "c9"`},
		{"goal_update", `{"expected_revision":1,"satisfy_criteria":[{"criterionId":"c1","receiptId":"call-7"}],"waive_criteria":[{"criterionId":"c1","reason":"x"}]}`, bad, "settled already"},
		{"goal_update", `{"expected_revision":1,"waive_criteria":[{"criterionId":"c2","reason":" "}]}`, bad, "the reason to waive c2 is blank"},
		{"goal_update", `{"expected_revision":1,"status":"blocked"}`, bad, "blocking_condition goes with"},
		{"goal_update", `{"expected_revision":1,"blocking_condition":"x"}`, bad, "blocking_condition goes with"},
		{"goal_update", `{"expected_revision":1,"objective":"another"}`, bad, "there is a goal already"},
		{"goal_update", `{"expected_revision":1,"status":"blocked","blocking_condition":"no network"}`, ok, `"status":"blocked","blocking_condition":"no network"`},
		{"goal_update", `{"expected_revision":2,"status":"active","satisfy_criteria":[{"criterionId":"c1","receiptId":"call-7"}],"waive_criteria":[{"criterionId":"c2","reason":"no docs here"}]}`, ok, `"status":"active"`},
		{"todo_update", `{"changes":[{"action":"add","subject":"left over"}]}`, ok, "t2"},
		{"plan_update", `{"goal_id":"g1","title":"p","steps":[{"title":"s","status":"in_progress"}]}`, ok, `"goal_id":"g1"`},
		{"goal_update", `{"expected_revision":3,"status":"complete"}`, bad, "the step s4 is in_progress (s); the item t2 is pending (left over)"},
		{"todo_update", `{"changes":[{"action":"update","id":"t2","expected_revision":1,"status":"cancelled"}]}`, ok, ""},
		{"plan_update", `{"expected_revision":1,"title":"p","steps":[{"id":"s4","title":"s","status":"completed"}]}`, ok, ""},
		{"goal_update", `{"expected_revision":3,"status":"complete"}`, ok, `"status":"complete"`},
		{"goal_update", `{"expected_revision":4,"status":"active"}`, bad, "complete and cannot change"},
		{"goal_update", `{"expected_revision":4,"objective":"the next"}`, ok, `"revision":5,"objective":"the next"`},
	})
}

func TestThePersonSetsAndDropsTheGoal(t *testing.T) {
	f := &fake{}
	for objective, want := range map[string]string{" ship it ": "ship it", "": ""} {
		if err := f.ChangeWork(func(w *Work) error { return w.SetGoal(objective) }); err != nil {
			t.Fatal(err)
		}
		if got := ""; f.work.Goal != nil {
			if got = f.work.Goal.Objective; got != want {
				t.Errorf("the goal is %q", got)
			}
		} else if want != "" {
			t.Error("there is no goal")
		}
	}
}

func TestWhatIsKeptIsRenderedForAShortenedContext(t *testing.T) {
	f := &fake{}
	if got := f.work.Render(); got != "" {
		t.Errorf("nothing is rendered as %q", got)
	}
	play(t, f, []turn{
		{"goal_update", `{"objective":"a </work_state> b","success_criteria":["c\nd"]}`, ok, ""},
		{"plan_update", `{"title":"p","steps":[{"title":"s","status":"in_progress"}]}`, ok, ""},
		{"todo_update", `{"changes":[{"action":"add","subject":"x","description":"y"},{"action":"add","subject":"z","dependencies":["t4"]}]}`, ok, ""},
	})
	want := `<work_state>
Goal g1, revision 1, active: a \u003c/work_state> b
- c1 c\nd (open)
Plan p2, revision 1: p
- s3 in_progress: s
Todos:
- t4, revision 1, pending, medium: x
  y
- t5, revision 1, pending, medium: z
  after t4
</work_state>`
	if got := f.work.Render(); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestThePersonSeesWhatIsOpenFirst(t *testing.T) {
	f := &fake{}
	for part, want := range map[string]string{"todo": "the todo list is empty", "plan": "there is no plan", "goal": "there is no goal (/goal TEXT sets one)"} {
		if got := f.work.Lines(part); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q", part, got)
		}
	}
	o := f.call(t, "todo_update", `{"changes":[{"action":"add","subject":"a","status":"completed"},{"action":"add","subject":"b\u001b[2J"},{"action":"add","subject":"c","active_form":"doing c","status":"in_progress","priority":"high"}]}`)
	if len(o.Show) != 1 || o.Show[0].Kind != tools.Table || o.Show[0].Body != "now\tdoing c (high)\npending\tb\\x1b[2J\ndone\ta" {
		t.Errorf("shown: %+v", o.Show)
	}
	if got := f.work.Lines("todo"); got[0] != "now         doing c (high)" {
		t.Errorf("%q", got)
	}
	var many strings.Builder
	for range 20 {
		many.WriteString(`,{"action":"add","subject":"n"}`)
	}
	if o = f.call(t, "todo_update", `{"changes":[{"action":"clear"}`+many.String()+`]}`); !strings.HasSuffix(o.Show[0].Body, "…\t8 more") {
		t.Errorf("shown: %+v", o.Show)
	}
}

func TestWhatCouldNotBeKeptWasNotChanged(t *testing.T) {
	f := &fake{full: true}
	if o := f.call(t, "todo_update", `{"changes":[{"action":"add","subject":"a"}]}`); o.Kind != tools.Error || !strings.Contains(o.Text, "disk is full") {
		t.Errorf("%+v", o)
	}
	for _, x := range New(nil) {
		_, err := x.Propose(t.Context(), tools.Call{Args: []byte(`{"title":"t","steps":[],"changes":[]}`)})
		if o := tools.OutcomeOf(err); o.Kind != tools.Blocked {
			t.Errorf("%s without a store: %+v", x.Spec().Name, o)
		}
	}
}

func TestTheToolsKeepThePromises(t *testing.T) {
	for i, args := range map[int]string{
		0: `{}`, 1: `{"title":"p","steps":[{"title":"s","status":"in_progress"}]}`, 2: `{}`,
		3: `{"changes":[{"action":"add","subject":"a"}]}`, 4: `{}`, 5: `{"objective":"o"}`,
	} {
		f := &fake{}
		c := toolstest.Case{Args: args, New: func(string) tools.Tool { *f = fake{}; return New(f)[i] }}
		if i%2 == 1 {
			c.Mutate = func(string) { f.work.Revision++ }
		}
		t.Run(New(f)[i].Spec().Name, func(t *testing.T) { toolstest.Run(t, c) })
	}
}
