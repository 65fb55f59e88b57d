//go:build unix

package store_test

import (
	"fmt"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func waiting(t *testing.T, j *store.Session) string {
	t.Helper()
	list, err := j.Queue()
	must(t, err)
	var texts []string
	for _, q := range list {
		texts = append(texts, fmt.Sprint(q.Text, " ", q.Steers))
	}
	return fmt.Sprint(texts)
}

func TestAMessageLeavesTheQueueInTheCommitThatTakesItUp(t *testing.T) {
	w := newTurns(t)
	w.prompt("first")
	a, err := w.Enqueue("a", true)
	must(t, err)
	b, err := w.Enqueue("b", false)
	must(t, err)
	c, err := w.Enqueue("c", false)
	must(t, err)
	if got := waiting(t, w.Session); got != "[a true b false c false]" {
		t.Fatalf("queue: %s", got)
	}
	if is, err := w.Raise(c); !is || err != nil {
		t.Errorf("raise: %v, %v", is, err)
	}
	if got := waiting(t, w.Session); got != "[c false a true b false]" {
		t.Errorf("queue: %s", got)
	}
	w.Admit(a)
	if got := waiting(t, w.Session); got != "[c false a true b false]" {
		t.Errorf("it left before it was recorded: %s", got)
	}
	must(t, w.Append(llm.UserText("a")))
	if got := waiting(t, w.Session); got != "[c false b false]" {
		t.Errorf("queue: %s", got)
	}
	w.Admit(b)
	must(t, w.Propose(&tools.Proposal{Call: tools.Call{ID: "operator_1", Tool: "shell"}}))
	must(t, w.Append(llm.UserText("another")))
	if got := waiting(t, w.Session); got != "[c false]" {
		t.Errorf("queue: %s", got)
	}
	for _, want := range []bool{true, false} {
		if is, err := w.Dequeue(c); is != want || err != nil {
			t.Errorf("dequeue: %v, %v", is, err)
		}
	}
	if is, err := w.Raise(a); is || err != nil {
		t.Errorf("raised what was taken up: %v, %v", is, err)
	}
}

func TestTheQueueOutlivesTheProcess(t *testing.T) {
	s := openNew(t)
	j := newSession(t, s, store.Meta{Dir: "/w"})
	_, err := j.Enqueue("later", false)
	must(t, err)
	must(t, j.Close())
	again, err := s.OpenSession(j.ID())
	must(t, err)
	if got := waiting(t, again); got != "[later false]" {
		t.Errorf("queue: %s", got)
	}
}

// A number that was free again would have the words of one message taken for
// those of another.
func TestAMessageThatWaitsKeepsItsNumberForItself(t *testing.T) {
	w := newTurns(t)
	w.prompt("first")
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	gone, err := w.Enqueue("use "+secret, false)
	must(t, err)
	if is, err := w.Dequeue(gone); !is || err != nil {
		t.Fatal(is, err)
	}
	id, err := w.Enqueue("use another", false)
	must(t, err)
	if got := waiting(t, w.Session); id == gone || got != "[use another false]" {
		t.Errorf("%d after %d: %s", id, gone, got)
	}
}
