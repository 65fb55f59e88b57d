package store_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestWhatAPersonMadeOfACallAndWhatItWasAreBothKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{ID: "s", Repo: "/r"})
	c := call("c1")
	must(t, j.Append(asks(c)))
	must(t, j.Propose(&tools.Proposal{Call: c, Spec: tools.Spec{Replay: tools.Safe}, Summary: "make", Key: "make", Command: "make"}))
	for _, line := range []string{"make test", "make lint"} {
		c.Args = json.RawMessage(`{"command":"` + line + `"}`)
		must(t, j.Revise(&tools.Proposal{Call: c, Summary: line, Spec: tools.Spec{Risk: tools.High}, Key: "= " + line, Command: line, Edited: true}))
	}
	must(t, j.Decide(c, allowed()))
	must(t, j.Start(c))
	must(t, j.Settle(c, tools.Outcome{Kind: tools.OK, Text: "ok"}, 1))
	past, err := j.Load()
	must(t, err)
	r := past.Records["c1"]
	if string(r.Was) != `{"command":"make"}` || string(r.Call.Args) != `{"command":"make lint"}` || r.Summary != "make lint" || r.Risk != tools.High || r.Replay != tools.Never {
		t.Errorf("stored %+v, was %s, is %s", r, r.Was, r.Call.Args)
	}
	if got := past.Messages[0].Calls()[0]; string(got.Args) != `{"command":"make"}` {
		t.Errorf("the message asks for %s", got.Args)
	}
	list, err := s.Allowlist("/r").Past(10)
	must(t, err)
	if want := []store.PastCommand{{Command: "make lint", Key: "= make lint"}}; !slices.Equal(list, want) {
		t.Errorf("past commands %+v, want %+v", list, want)
	}
}

func TestPastCommandsAreOfOneRepositoryEachOnceTheNewestFirst(t *testing.T) {
	s := openNew(t)
	for _, x := range []struct{ repo, id, line, key string }{
		{"/r", "a", "git status", "git status"}, {"/r", "b", "ls", "ls"}, {"/other", "c", "pwd", "pwd"}, {"/r", "d", "git status", "git status"}, {"/r", "e", "", ""},
	} {
		j := newSession(t, s, store.Meta{ID: "s" + x.id, Repo: x.repo})
		c := call(x.id)
		must(t, j.Append(asks(c)))
		must(t, j.Propose(&tools.Proposal{Call: c, Key: x.key, Command: x.line}))
	}
	for limit, want := range map[int][]store.PastCommand{
		10: {{"git status", "git status"}, {"ls", "ls"}}, 1: {{"git status", "git status"}},
	} {
		if got, err := s.Allowlist("/r").Past(limit); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d: %+v, %v", limit, got, err)
		}
	}
}
