package store_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
)

// trusts reports whether one of what t lists is i.
func trusts(tb testing.TB, t *store.Trust, i store.Item) bool {
	tb.Helper()
	list, err := t.List()
	must(tb, err)
	return slices.ContainsFunc(list, func(x store.Trusted) bool { return x.Is(i) })
}

func TestTrustCountsForOneExactTextInOneFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	a, b := s.Trust("/a"), s.Trust("/b")
	server := store.Item{Kind: "mcp server", Name: "x", Text: "npx good"}
	must(t, a.Add(server, store.Item{Kind: "config", Name: "zuno.json", Text: "{}"}))
	other := openAt(t, path).Trust("/a") // as another process would
	for _, c := range []struct {
		name string
		in   *store.Trust
		item store.Item
		want bool
	}{
		{"itself", a, server, true},
		{"seen by another process", other, server, true},
		{"its text was swapped", a, store.Item{Kind: "mcp server", Name: "x", Text: "npx evil"}, false},
		{"a blank more", a, store.Item{Kind: "mcp server", Name: "x", Text: "npx good "}, false},
		{"another name", a, store.Item{Kind: "mcp server", Name: "y", Text: "npx good"}, false},
		{"another kind", a, store.Item{Kind: "hook", Name: "x", Text: "npx good"}, false},
		{"another folder", b, server, false},
		{"a folder below", s.Trust("/a/sub"), server, false},
		{"no folder", s.Trust(""), server, false},
	} {
		if got := trusts(t, c.in, c.item); got != c.want {
			t.Errorf("%s: trusted is %v", c.name, got)
		}
	}
	// A second text of the item is trusted beside the first.
	swapped := store.Item{Kind: "mcp server", Name: "x", Text: "npx better"}
	must(t, a.Add(swapped))
	if !trusts(t, a, server) || !trusts(t, a, swapped) {
		t.Error("one of the two texts is not trusted")
	}
}

func TestTrustThatIsTakenBackIsGoneForEveryText(t *testing.T) {
	s := openNew(t)
	a, b := s.Trust("/a"), s.Trust("/b")
	one, two := store.Item{Kind: "hook", Name: "h", Text: "one"}, store.Item{Kind: "hook", Name: "h", Text: "two"}
	must(t, a.Add(one, two))
	must(t, b.Add(one))
	for _, c := range []struct {
		name string
		want bool
	}{{"other", false}, {"h", true}, {"h", false}} {
		if got, err := a.Remove("hook", c.name); got != c.want || err != nil {
			t.Errorf("remove %s: %v, %v", c.name, got, err)
		}
	}
	if trusts(t, a, one) || trusts(t, a, two) || !trusts(t, b, one) {
		t.Error("not exactly what was named was taken back")
	}
}

func TestTrustIsListedWithItsOccasion(t *testing.T) {
	clock := time.Unix(1_700_000_000, 7)
	s, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	a := s.Trust("/a")
	must(t, a.Add(store.Item{Kind: "config", Name: "z", Text: ""}))
	clock, a.Session = clock.Add(time.Second), "s1"
	must(t, a.Add(store.Item{Kind: "config", Name: "z", Text: ""}, store.Item{Kind: "config", Name: "a", Text: "x"})) // the first occasion stays
	got, err := a.List()
	must(t, err)
	want := []store.Trusted{
		{Root: "/a", Kind: "config", Name: "z", Hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", At: clock.Add(-time.Second)},
		{Root: "/a", Kind: "config", Name: "a", Hash: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", Session: "s1", At: clock},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestNothingIsTrustedHalf(t *testing.T) {
	s := openNew(t)
	a := s.Trust("/a")
	good := store.Item{Kind: "config", Name: "z", Text: "x"}
	for _, bad := range []store.Item{{Name: "n"}, {Kind: "config"}} {
		if err := a.Add(good, bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if trusts(t, a, good) {
		t.Error("a part of what was refused is trusted")
	}
}
