package ask

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

const two = `{"questions":[
 {"question":"Which database?","header":"Database","options":[{"label":"SQLite","description":"a file"},{"label":"Postgres","description":"a server"}]},
 {"question":"Which extras?","header":"Extras","multiple":true,"options":[{"label":"FTS","description":"search"},{"label":"JSON","description":"columns"}]}]}`

func TestAQuestionIsAPickerThatRunsOnlyWithItsOwnRows(t *testing.T) {
	p, err := New()[0].Propose(t.Context(), tools.Call{ID: "1", Tool: "question", Args: json.RawMessage(two)})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Options) != 6 || p.Spec.Effect != tools.UserMediated || !p.Spec.LongRunning {
		t.Fatalf("%d rows, %+v", len(p.Options), p.Spec)
	}
	for choice, want := range map[string]string{
		"0.1\n1.0\n1.1":             `"Which database?" = "Postgres"` + "\n" + `"Which extras?" = "FTS, JSON"`,
		"0.other:DuckDB: in memory": `"Which database?" = "DuckDB: in memory"` + "\n" + `"Which extras?" = "Unanswered"`,
	} {
		o := p.Execute(t.Context(), tools.Decision{Allowed: true, Choice: choice}, nil)
		if o.Kind != tools.OK || !strings.Contains(o.Text, want) {
			t.Errorf("choice %q: %v %q", choice, o.Kind, o.Text)
		}
	}
	for _, choice := range []string{"", "0.7", "0.1\n9.9", "0.other", "0.1:text"} {
		if o := p.Execute(t.Context(), tools.Decision{Allowed: true, Choice: choice}, nil); o.Kind != tools.Blocked {
			t.Errorf("choice %q: %v", choice, o.Kind)
		}
	}
}

func TestAQuestionThatCannotBeAskedIsRefused(t *testing.T) {
	for _, args := range []string{
		`{}`, `{"questions":[]}`, `{"questions":[{"question":"?","header":"h","options":[{"label":"one","description":""}]}]}`,
		`{"questions":[{"question":" ","header":"h","options":[{"label":"a","description":""},{"label":"b","description":""}]}]}`,
		`{"questions":[{"question":"?","header":"a label that is longer than thirty","options":[{"label":"a","description":""},{"label":"b","description":""}]}]}`,
		`{"questions":[{"question":"?","header":"h","custom":true,"options":[{"label":"a","description":""},{"label":"b","description":""}]}]}`,
	} {
		_, err := New()[0].Propose(t.Context(), tools.Call{Args: json.RawMessage(args)})
		if o := tools.OutcomeOf(err); o.Kind != tools.Blocked || o.Block != tools.InvalidArguments {
			t.Errorf("%s: %v", args, err)
		}
	}
}
