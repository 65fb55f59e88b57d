package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestABriefingTellsWhatRanFromWhatDidNot(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	j, err := db.NewSession(store.Meta{ID: "one"})
	must(err)
	must(j.Append(llm.UserText("go")))
	m := &llm.Message{Role: llm.Assistant}
	for _, id := range []string{"waits", "reads", "writes"} {
		m.Parts = append(m.Parts, llm.Part{Kind: llm.CallPart, Call: &llm.Call{ID: id, Name: id, Args: json.RawMessage(`{}`)}})
	}
	must(j.Append(m))
	for _, id := range []string{"waits", "reads", "writes"} {
		c := tools.Call{ID: id, Tool: id, Args: json.RawMessage(`{}`)}
		p := &tools.Proposal{Call: c, Summary: "a.txt"}
		if id == "reads" {
			p.Spec = tools.Spec{Effect: tools.ReadOnly, Replay: tools.Safe}
		}
		must(j.Propose(p))
		if id != "waits" {
			must(j.Decide(c, tools.Decision{Allowed: true, By: tools.ByPolicy}))
			must(j.Start(c))
		}
	}
	must(j.Close())
	j, err = db.OpenSession("one")
	must(err)
	defer j.Close()
	lines, err := briefing(j, store.News{Files: []string{"b.txt"}, Place: []string{"elsewhere"}})
	must(err)
	want := []string{
		"interrupted when zuno ended, not run: waits a.txt",
		"interrupted when zuno ended, its result is lost: reads a.txt",
		"uncertain, it may have happened: writes a.txt (/uncertain settles it)",
		"changed by somebody else since: b.txt",
		"elsewhere",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}
