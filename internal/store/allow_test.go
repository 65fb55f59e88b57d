package store_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
)

func TestGrantsAreListedWithTheirOccasion(t *testing.T) {
	clock := time.Unix(1_700_000_000, 7)
	s, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	b, a := s.Allowlist("/b"), s.Allowlist("/a")
	a.Session = "s1"
	must(t, b.Allow("ls", ""))
	clock = clock.Add(time.Second)
	must(t, a.Allow("git status", "git status --short"))
	clock = clock.Add(time.Second)
	must(t, a.Allow("= awk '{print $1}' f", "awk '{print $1}' f"))
	must(t, a.Allow("git status", "git status -s")) // the first occasion stays
	inB := []store.Grant{{Key: "ls", Repo: "/b", At: clock.Add(-2 * time.Second)}}
	inA := []store.Grant{
		{Key: "git status", Repo: "/a", Command: "git status --short", Session: "s1", At: clock.Add(-time.Second)},
		{Key: "= awk '{print $1}' f", Repo: "/a", Command: "awk '{print $1}' f", Session: "s1", At: clock},
	}
	for _, c := range []struct {
		name string
		list func() ([]store.Grant, error)
		want []store.Grant
	}{
		{"a", a.List, inA},
		{"b", b.List, inB},
		{"neither", s.Allowlist("/c").List, nil},
		{"no repository", s.Allowlist("").List, nil},
		{"a by name", func() ([]store.Grant, error) { return s.Grants("/a") }, inA},
		{"all", func() ([]store.Grant, error) { return s.Grants("") }, slices.Concat(inA, inB)},
	} {
		if got, err := c.list(); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
}

func TestAGrantThatIsTakenBackCountsNoMore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	a, b := s.Allowlist("/a"), s.Allowlist("/b")
	must(t, a.Allow("git status", "git status"))
	must(t, b.Allow("git status", "git status"))
	other := openAt(t, path).Allowlist("/a") // as another process would
	for _, c := range []struct {
		list *store.Allowlist
		key  string
		want bool
	}{
		{a, "git", false},
		{a, "git stat%", false},
		{a, "", false},
		{other, "git status", true},
		{a, "git status", false}, // it is gone
	} {
		if got, err := c.list.Remove(c.key); got != c.want || err != nil {
			t.Errorf("remove %q: %v, %v", c.key, got, err)
		}
	}
	for list, want := range map[*store.Allowlist]bool{a: false, other: false, b: true} {
		if got, err := list.Allowed("git status"); got != want || err != nil {
			t.Errorf("allowed: %v, %v, want %v", got, err, want)
		}
	}
	must(t, a.Allow("git status", "git status -s"))
	if list, err := other.List(); err != nil || len(list) != 1 || list[0].Command != "git status -s" {
		t.Errorf("given again: %+v, %v", list, err)
	}
}
