package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestAClockThatIsSetBackDoesNotChangeWhichSessionIsTheLatest(t *testing.T) {
	clock := time.Unix(1_700_000_000, 0)
	s, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	for _, id := range []string{"one", "two", "one", "two"} {
		j, err := s.OpenSession(id)
		if err != nil {
			j = newSession(t, s, store.Meta{ID: id, Dir: "/a"})
		}
		must(t, j.Append(llm.UserText("hello")))
		must(t, j.Close())
		clock = clock.Add(-time.Hour)
		if got, _, err := s.Latest("/a"); err != nil || got != id {
			t.Errorf("after %s the latest is %s, %v", id, got, err)
		}
	}
}

func TestTheListTellsOfEachSessionNewestFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	clock := time.Unix(1_700_000_000, 0)
	s, err := store.Open(path, func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	one := newSession(t, s, store.Meta{ID: "one", Dir: "/a", Repo: "/r", Model: "p/m", Agent: "build"})
	must(t, one.Append(&llm.Message{Role: llm.User, Parts: []llm.Part{
		{Kind: llm.Text, Text: "<recovery_notice>…"}, {Kind: llm.Text, Text: "\n  " + strings.Repeat("é", 80) + "\nmore"},
	}}))
	must(t, one.Used(llm.Expense{Purpose: "conversation", Model: "p/m", Usage: llm.Usage{Input: 10}, Cost: 0.25, Took: time.Second}))
	must(t, one.Used(llm.Expense{Purpose: "classifier", Model: "p/s", Usage: llm.Usage{Input: 10}, Cost: 0.5, Took: time.Second}))
	runCall(t, one, "c", nil, tools.Never, tools.Outcome{Kind: tools.Uncertain})
	clock = clock.Add(time.Minute)
	two := newSession(t, s, store.Meta{ID: "two", Dir: "/b", Title: "given"})
	must(t, two.Append(llm.UserText("not the title")))
	must(t, two.Close())
	child := newSession(t, s, store.Meta{ID: "child", Parent: "one", Dir: "/a"})
	must(t, child.Append(llm.UserText("sub")))
	must(t, child.Close())

	list, err := s.Sessions(0)
	must(t, err)
	want := []store.Summary{
		{ID: "two", Title: "given", Dir: "/b", Messages: 1, Created: clock, Updated: clock},
		{
			ID: "one", Title: strings.Repeat("é", 48) + "…", Dir: "/a", Repo: "/r", Model: "p/m", Agent: "build",
			Created: clock.Add(-time.Minute), Updated: clock.Add(-time.Minute), Messages: 2, Calls: 1, Uncertain: 1, Untold: 1, Cost: 0.75, Held: true,
		},
	}
	for i, w := range want {
		if len(list) != len(want) || list[i] != w {
			t.Fatalf("the list is\n%+v\nnot\n%+v", list, want)
		}
	}
	if list, err := s.Sessions(1); err != nil || len(list) != 1 || list[0].ID != "two" {
		t.Error(list, err)
	}
	for dir, want := range map[string]string{"/a": "one", "/b": "two", "/c": ""} {
		if id, ok, err := s.Latest(dir); err != nil || id != want || ok != (want != "") {
			t.Errorf("the latest of %s is %q, %v, %v", dir, id, ok, err)
		}
	}
	clock = clock.Add(time.Hour)
	must(t, one.Append(llm.UserText("again")))
	if list, err := s.Sessions(1); err != nil || len(list) != 1 || list[0].ID != "one" {
		t.Error(list, err)
	}
	must(t, one.Close())
	if list, err := s.Sessions(1); err != nil || list[0].Held {
		t.Error(list, err)
	}
}

func TestASessionIsFoundByTheBeginningOfItsID(t *testing.T) {
	s := openNew(t)
	for _, id := range []string{"abc", "abcd", "b%_", "bé"} {
		j := newSession(t, s, store.Meta{ID: id})
		must(t, j.Append(llm.UserText("x")))
		must(t, j.Close())
	}
	for _, c := range []struct{ given, want, err string }{
		{"abc", "abc", ""}, // an ID is itself, whatever else begins like it
		{"abcd", "abcd", ""},
		{"b%", "b%_", ""},
		{"bé", "bé", ""},
		{"ab", "", "more than one begins like that"},
		{"b", "", "more than one begins like that"},
		{"%", "", "zuno -c continues the newest one of a folder"},
		{"abcde", "", "zuno -c continues the newest one of a folder"},
		{"", "", "zuno -c continues the newest one of a folder"},
		{"\xff\n", "", "zuno -c continues the newest one of a folder"},
	} {
		j, err := s.OpenSession(c.given)
		if c.err != "" {
			if !errors.Is(err, store.ErrNoSession) || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: the error is %v", c.given, err)
			}
			if _, _, err := s.Read(c.given); !errors.Is(err, store.ErrNoSession) {
				t.Errorf("%q: the error of Read is %v", c.given, err)
			}
			continue
		}
		must(t, err)
		if j.ID() != c.want {
			t.Errorf("%q: found %q, not %q", c.given, j.ID(), c.want)
		}
		must(t, j.Close())
	}
}

func TestWhatIsAllowedIsAllowedInThatRepositoryOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	a, b := s.Allowlist("/a"), s.Allowlist("/b")
	a.Session = "s1"
	must(t, a.Allow("git status", "git status --short"))
	must(t, a.Allow("git status", "git status"))
	if err := a.Allow("", "x"); err == nil {
		t.Error("an empty key is allowed")
	}
	other := openAt(t, path) // as another process would
	must(t, other.Allowlist("/a").Allow("go test", "go test ./..."))
	for _, c := range []struct {
		list *store.Allowlist
		key  string
		want bool
	}{
		{a, "git status", true},
		{a, "go test", true},
		{a, "git statusfoo", false},
		{a, "git", false},
		{a, "GIT STATUS", false},
		{a, "", false},
		{b, "git status", false},
		{other.Allowlist("/a"), "git status", true},
	} {
		if got, err := c.list.Allowed(c.key); err != nil || got != c.want {
			t.Errorf("%q: %v, %v", c.key, got, err)
		}
	}
	if n := rawInt(t, path, `SELECT count(*) FROM allowed_command WHERE command = 'git status --short' AND session = 's1'`); n != 1 {
		t.Error("the occasion is not stored")
	}
}

func TestAMessageThatWasEditedByHandIsDamageAndNoPanic(t *testing.T) {
	onlyOne(t)
	for parts, whole := range map[string]bool{
		`[]`: true, `null`: true, `[{"kind":"image","image":true}]`: true, `[{"kind":"new"}]`: true,
		`{}`: false, `[{"kind":"call"}]`: false, `[{"kind":"text","call":{"id":"x"}}]`: false, `[{"kind":"text","bytes":99}]`: false, `[{"kind":"text","bytes":-1}]`: false, `x`: false, `["x"]`: false, `{"a":"b"}`: false,
	} {
		path := filepath.Join(t.TempDir(), "zuno.db")
		s := openAt(t, path)
		j := newSession(t, s, store.Meta{ID: "one"})
		must(t, j.Append(llm.UserText("hello")))
		must(t, j.Append(answer("hi")))
		rawExec(t, path, `UPDATE message SET parts = ?`, parts)
		p, err := j.Load()
		if (err == nil) != whole || err != nil && !errors.Is(err, store.ErrUnusable) || err == nil && len(p.Messages) != 2 {
			t.Errorf("%s: %d messages, %v", parts, len(p.Messages), err)
		}
		if _, err := s.Verify(); err != nil {
			t.Errorf("%s: %v", parts, err)
		}
	}
}
