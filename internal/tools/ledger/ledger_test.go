package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/ledger"
)

// A book notes what it is told.
type book struct {
	told  []string
	fails error
}

func (b *book) Reconcile(call string, f tools.Finding, by tools.Source, note string) error {
	if b.fails == nil {
		b.told = append(b.told, fmt.Sprintf("%s %s %s %s", call, f, by, note))
	}
	return b.fails
}

func call(t *testing.T, b *book, args string) (tools.Outcome, error) {
	t.Helper()
	p, err := ledger.New(b)[0].Propose(context.Background(), tools.Call{ID: "x", Tool: "reconcile", Args: json.RawMessage(args)})
	if err != nil {
		return tools.Outcome{}, err
	}
	if len(b.told) > 0 {
		t.Error("the proposal acted")
	}
	return p.Execute(context.Background(), tools.Decision{Allowed: true}, nil), nil
}

func TestAFindingIsRecordedAsTheModels(t *testing.T) {
	b := &book{}
	o, err := call(t, b, `{"call_id":" c1 ","finding":"did-not-happen","evidence":"git log shows no commit"}`)
	if err != nil || o.Kind != tools.OK || len(b.told) != 1 || b.told[0] != "c1 did-not-happen model git log shows no commit" {
		t.Errorf("%+v, %v, told %q", o, err, b.told)
	}
}

func TestWhatCannotBeRecordedIsSaid(t *testing.T) {
	o, err := call(t, &book{fails: errors.New("nothing was looked at since")}, `{"call_id":"c1","finding":"happened","evidence":"I am sure"}`)
	if err != nil || o.Kind != tools.Error || o.Text != "nothing was looked at since" {
		t.Errorf("%+v, %v", o, err)
	}
	for _, args := range []string{
		`{"call_id":"c1","finding":"perhaps","evidence":"x"}`,
		`{"call_id":"","finding":"happened","evidence":"x"}`,
		`{"call_id":"c1","finding":"happened","evidence":" "}`,
		`{"call_id":"c1","finding":"happened"}`,
	} {
		var r *tools.Refusal
		if _, err := call(t, &book{}, args); !errors.As(err, &r) || r.Block != tools.InvalidArguments {
			t.Errorf("%s: %v", args, err)
		}
	}
}
