package store_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// indexed fails the test unless the indexes hold exactly what is recorded; see
// https://www.sqlite.org/fts5.html#the_integrity_check_command.
func indexed(t *testing.T, s *store.Store, path string) {
	t.Helper()
	must(t, s.Index())
	for _, name := range []string{"message_search", "call_search"} {
		db := rawOpen(t, path)
		_, err := db.Exec(`INSERT INTO ` + name + ` (` + name + `, rank) VALUES ('integrity-check', 1)`)
		must(t, db.Close())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// TestTheIndexesFollowTheRecord records, settles late, forks and removes in many
// orders, with an index that is brought up to date now and then.
func TestTheIndexesFollowTheRecord(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() { // under the race detector
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 1))
			at := time.Unix(1_700_000_000, 0)
			path := filepath.Join(t.TempDir(), "zuno.db")
			s, err := store.Open(path, func() time.Time { return at })
			must(t, err)
			defer func() { must(t, s.Close()) }()
			var open []*store.Session
			left := map[*store.Session][]tools.Call{}
			n := 0
			for range 120 {
				at = at.Add(time.Minute)
				if len(open) == 0 || rnd.IntN(8) == 0 {
					open = append(open, newSession(t, s, store.Meta{Dir: "/dir"}))
				}
				j := open[rnd.IntN(len(open))]
				switch rnd.IntN(7) {
				case 0:
					must(t, j.Append(llm.UserText(fmt.Sprint("word", n))))
				case 1, 2: // one that is left open for a while
					n++
					c := call(fmt.Sprint("c", n))
					must(t, j.Append(asks(c)))
					left[j] = append(left[j], c)
				case 3:
					for _, c := range left[j] {
						must(t, j.Settle(c, tools.Outcome{Kind: tools.OK, Text: "late " + c.ID}, 1))
					}
					left[j] = nil
				case 4:
					indexed(t, s, path)
				case 5: // the newest go too, so that their numbers are given again
					for _, c := range left[j] {
						must(t, j.Settle(c, tools.Outcome{Kind: tools.OK, Text: "at last"}, 1))
					}
					delete(left, j)
					must(t, j.Close())
					open = slices.DeleteFunc(open, func(o *store.Session) bool { return o == j })
					if rnd.IntN(2) == 0 {
						_, err := s.Collect(store.Collection{Before: at.Add(time.Hour)})
						must(t, err)
					}
				case 6:
					if rnd.IntN(3) == 0 {
						must(t, s.Index())
					}
				}
			}
			indexed(t, s, path)
			for _, j := range open {
				must(t, j.Close())
			}
		})
	}
}

func TestWhatSettlesAfterASearchIsFoundByTheNext(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "zuno.db"))
	j := newSession(t, s, store.Meta{Dir: "/dir"})
	early, late := call("early"), call("late")
	must(t, j.Append(asks(early, late)))
	must(t, j.Settle(late, tools.Outcome{Kind: tools.OK, Text: "zebra"}, 1))
	for word, want := range map[string]int{"zebra": 1, "walrus": 0} {
		if hits, err := s.Search(word, "", 0); err != nil || len(hits) != want {
			t.Errorf("%s: %v, %v", word, hits, err)
		}
	}
	must(t, j.Settle(early, tools.Outcome{Kind: tools.OK, Text: "walrus"}, 1))
	if hits, err := s.Search("walrus", "", 0); err != nil || len(hits) != 1 {
		t.Errorf("walrus: %v, %v", hits, err)
	}
}
