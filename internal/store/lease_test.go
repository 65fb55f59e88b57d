package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func TestASessionThatALivingProcessHoldsIsRefused(t *testing.T) {
	clock := time.Unix(1_700_000_000, 0)
	s, err := store.Open(filepath.Join(t.TempDir(), "zuno.db"), func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	j := newSession(t, s, store.Meta{})
	must(t, j.Append(llm.UserText("x")))
	clock = clock.Add(time.Hour) // here it is the process that tells, not the heartbeat
	_, err = s.OpenSession(j.ID())
	host, _ := os.Hostname()
	if !errors.Is(err, store.ErrBusy) {
		t.Fatalf("the error is %v", err)
	}
	for _, want := range []string{j.ID(), fmt.Sprintf("process %d on %s", os.Getpid(), host), "last wrote 1h0m0s ago"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	must(t, j.Append(llm.UserText("y")))
	must(t, j.Close())
	j, err = s.OpenSession(j.ID())
	must(t, err)
	must(t, j.Append(llm.UserText("z")))
	must(t, j.Close())
}

func TestASessionThatWasTakenOverWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	old := newSession(t, s, store.Meta{})
	c, d := call("c"), call("d")
	must(t, old.Append(asks(c, d)))
	must(t, old.Propose(&tools.Proposal{Call: c}))
	must(t, old.Decide(c, allowed()))
	abandon(t, path)
	taker, err := s.OpenSession(old.ID())
	must(t, err)
	before := rowsOf(t, path)
	for name, err := range map[string]error{
		"append":  old.Append(llm.UserText("x")),
		"propose": old.Propose(&tools.Proposal{Call: d}),
		"new":     old.Propose(&tools.Proposal{Call: call("e")}),
		"decide":  old.Decide(d, allowed()),
		"start":   old.Start(c),
		"settle":  old.Settle(c, tools.Outcome{}, 0),
		"used":    old.Used(llm.Expense{Purpose: "conversation", Model: "m", Usage: llm.Usage{Input: 1}, Cost: 1, Took: 1}),
	} {
		if !errors.Is(err, store.ErrLost) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, old.Close()) // gives nothing back that is not its own
	if after := rowsOf(t, path); after != before {
		t.Errorf("something was written:\n%s\n%s", before, after)
	}
	if _, err := s.OpenSession(old.ID()); !errors.Is(err, store.ErrBusy) {
		t.Errorf("the taker does not hold it any more: %v", err)
	}
	must(t, taker.Close())
}

func TestEachTakingRaisesTheGeneration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s := openAt(t, path)
	j := newSession(t, s, store.Meta{})
	must(t, j.Append(llm.UserText("x")))
	for want := 2; want < 5; want++ {
		must(t, j.Close())
		var err error
		j, err = s.OpenSession(j.ID())
		must(t, err)
		if got := rawInt(t, path, `SELECT generation FROM session`); got != want {
			t.Errorf("the generation is %d, not %d", got, want)
		}
	}
	must(t, j.Close())
}

func TestASessionOfAnotherMachineIsTakenWhenItHasBeenSilent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	clock := time.Unix(1_700_000_000, 0)
	s, err := store.Open(path, func() time.Time { return clock })
	must(t, err)
	defer func() { must(t, s.Close()) }()
	j := newSession(t, s, store.Meta{})
	must(t, j.Append(llm.UserText("x")))
	clock = clock.Add(time.Minute)
	must(t, j.Append(llm.UserText("y"))) // a write renews the heartbeat
	rawExec(t, path, `UPDATE session SET owner_host = 'elsewhere', owner_boot = 'b', owner_space = 's'`)
	clock = clock.Add(29 * time.Second)
	if _, err := s.OpenSession(j.ID()); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "on elsewhere, which last wrote 29s ago") {
		t.Errorf("after 29 s: %v", err)
	}
	clock = clock.Add(time.Second)
	taker, err := s.OpenSession(j.ID())
	must(t, err)
	if err := j.Append(llm.UserText("z")); !errors.Is(err, store.ErrLost) {
		t.Errorf("the old holder can write: %v", err)
	}
	must(t, taker.Close())
	must(t, j.Close())
}

func TestTwoSessionsCannotHaveTheSameID(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{ID: "mine"})
	must(t, j.Append(llm.UserText("x")))
	other := newSession(t, s, store.Meta{ID: "mine"})
	if err := other.Append(llm.UserText("y")); err == nil || !strings.Contains(err.Error(), "there is a session of this ID already") {
		t.Errorf("the error is %v", err)
	}
	must(t, other.Close())
	must(t, j.Close())
}
