//go:build unix

package shell

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startJob starts a command that ends with the test.
func startJob(t testing.TB, ps *Processes, c Cmd) *Job {
	t.Helper()
	j, err := ps.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// owner returns Processes that leave nothing behind.
func owner(t testing.TB) *Processes {
	ps := &Processes{}
	t.Cleanup(func() {
		if err := ps.Close(); err != nil {
			t.Error(err)
		}
	})
	return ps
}

// untilFile is a line that waits until the file of that name is there.
func untilFile(name string) string { return "until [ -e " + name + " ]; do sleep 0.01; done" }

func touch(t testing.TB, c Cmd, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.Dir, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestHandingOverKeepsTheProcessAndStartsNoOther(t *testing.T) {
	ps := owner(t)
	c := testCmd(t, "echo $$ >> pids; echo $$; "+untilFile("go")+"; echo $$ >&2; exit 3")
	c.Spool = filepath.Join(c.Dir, "spool")
	j := startJob(t, ps, c)
	if len(ps.Jobs()) != 0 || j.ID() != "" {
		t.Errorf("listed before it is a job: %v", j.ID())
	}
	eventually(t, "it wrote", func() bool { return j.Window(0, 100).Total > 0 })
	for range 2 {
		if !j.HandOver() {
			t.Fatal("it runs, but cannot be handed over")
		}
	}
	pid := strings.TrimSpace(string(j.Window(0, 100).Data))
	if got, ok := ps.Job(j.ID()); !ok || got != j || len(ps.Running()) != 1 || !strings.HasPrefix(j.Status(), "running for ") {
		t.Errorf("%s: %v, %s", j.ID(), got, j.Status())
	}
	touch(t, c, "go")
	res := j.Result()
	if res.Exit != 3 || res.Killed || res.Err != nil || !j.Ended() || j.Status() != "exit code 3" || len(ps.Running()) != 0 {
		t.Errorf("%+v, %s", res, j.Status())
	}
	pids, _ := os.ReadFile(filepath.Join(c.Dir, "pids"))
	want := pid + "\n" + pid + "\n"
	if string(pids) != pid+"\n" || string(j.Window(0, 100).Data) != want {
		t.Errorf("pids %q, output %q", pids, j.Window(0, 100).Data)
	}
	path, err := j.File()
	if all, rerr := os.ReadFile(path); err != nil || rerr != nil || string(all) != want {
		t.Errorf("%v, %v, %q", err, rerr, all)
	}
	if _, ok := ps.Job(j.ID()); !ok {
		t.Error("it is forgotten at once")
	}
}

func TestNothingIsLostOrDoubledAcrossTheHandOver(t *testing.T) {
	ps := owner(t)
	c := testCmd(t, "seq 1 30000; "+untilFile("go")+"; seq 30001 60000")
	c.Spool = filepath.Join(c.Dir, "spool")
	j := startJob(t, ps, c)
	var got bytes.Buffer
	read := func() {
		w := j.Window(int64(got.Len()), 1+rand.Int64N(20_000))
		if w.From != int64(got.Len()) || w.Lost != 0 {
			t.Fatalf("the window after %d begins at %d, %d lost", got.Len(), w.From, w.Lost)
		}
		got.Write(w.Data)
	}
	for got.Len() < 10_000 {
		read()
	}
	j.HandOver()
	touch(t, c, "go")
	for !j.Ended() || j.Window(int64(got.Len()), 1).HasMore() || len(j.Window(int64(got.Len()), 1).Data) > 0 {
		read()
	}
	var want bytes.Buffer
	for i := 1; i <= 60_000; i++ {
		fmt.Fprintln(&want, i)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%d bytes of %d", got.Len(), want.Len())
	}
}

func TestWhatIsNoJobCannotBeHandedOver(t *testing.T) {
	ps := owner(t)
	j := startJob(t, ps, testCmd(t, "echo done"))
	if res := j.Result(); res.Exit != 0 || string(res.Stdout.Head) != "done\n" {
		t.Errorf("%+v", res)
	}
	if j.HandOver() || len(ps.Jobs()) != 0 {
		t.Error("it was handed over after its end")
	}
	if _, ok := ps.Job(""); ok {
		t.Error("a job without a name")
	}
	gone := testCmd(t, "true")
	gone.Dir += "/gone"
	if _, err := ps.Start(t.Context(), gone); err == nil {
		t.Error("started in a directory that is not there")
	}
	none := testCmd(t, "")
	none.Argv = []string{"/no/such/program"}
	if _, err := ps.Start(t.Context(), none); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ps.Start(ended, testCmd(t, "true")); err == nil {
		t.Error("started although the call had ended")
	}
}

func TestStoppingAJobReachesTheWholeTree(t *testing.T) {
	for name, line := range map[string]string{
		"children":         "bash -c 'sleep N & sleep N & wait'",
		"an own session":   "setsid sleep N & setsid -w sleep N",
		"an orphan daemon": "(setsid sleep N >/dev/null 2>&1 &); sleep N",
	} {
		n := unique(t)
		ps := owner(t)
		j := startJob(t, ps, testCmd(t, strings.ReplaceAll(line, "N", n)))
		eventually(t, name+" run", func() bool { return len(sleeping(n)) == 2 })
		j.HandOver()
		j.Stop(context.Canceled)
		res := j.Result()
		if left := running(n); len(left) > 0 || !res.Killed || res.TimedOut || res.Err != nil {
			t.Errorf("%s: left %v, %+v", name, left, res)
		}
		if s := j.Status(); !strings.HasPrefix(s, "was stopped after ") {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func TestACeilingEndsAJobAndSaysSo(t *testing.T) {
	n := unique(t)
	ps := owner(t)
	c := testCmd(t, "setsid sleep "+n+" & sleep "+n)
	c.Limits.Time = 20 * time.Millisecond
	j := startJob(t, ps, c)
	if res := j.Result(); !res.TimedOut || !strings.HasPrefix(j.Status(), "timed out after ") || len(running(n)) > 0 {
		t.Errorf("%+v, %s", res, j.Status())
	}
	j = startJob(t, ps, testCmd(t, "sleep "+n))
	j.Stop(context.DeadlineExceeded)
	if res := j.Result(); !res.TimedOut {
		t.Errorf("%+v", res)
	}
}

func TestCloseLeavesNoJob(t *testing.T) {
	n := unique(t)
	var ps Processes
	c := testCmd(t, "(setsid sleep "+n+" &); trap '' TERM; sleep "+n)
	c.Limits.Grace = 50 * time.Millisecond
	one, two := startJob(t, &ps, c), startJob(t, &ps, c)
	one.HandOver()
	eventually(t, "both run", func() bool { return len(sleeping(n)) == 4 })
	if got := ps.Running(); len(got) != 1 || got[0] != one || got[0].Line() != c.Line || got[0].Dir() != c.Dir || got[0].Began().IsZero() {
		t.Errorf("running %v", got)
	}
	if err := ps.Close(); err != nil {
		t.Error(err)
	}
	if !one.Ended() || !two.Ended() || !one.Result().Killed || len(running(n)) > 0 || len(ps.Running()) != 0 || len(ps.Jobs()) != 1 {
		t.Errorf("left %v, %+v", running(n), one.Result())
	}
	if _, err := ps.Start(t.Context(), c); err == nil {
		t.Error("started after Close")
	}
}

func TestJobsAreListedInOrderAndOnlyTheLastThatEndedAreKept(t *testing.T) {
	ps := owner(t)
	c := testCmd(t, ": < gate")
	gate := filepath.Join(c.Dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	first := startJob(t, ps, testCmd(t, "sleep "+unique(t)))
	first.HandOver()
	var jobs []*Job
	for range keptJobs + 3 {
		j := startJob(t, ps, c)
		j.HandOver()
		jobs = append(jobs, j)
	}
	open, err := os.OpenFile(gate, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for _, j := range jobs {
		j.Result()
	}
	eventually(t, "those over the limit are dropped", func() bool { return len(ps.Jobs()) == keptJobs+1 })
	list := ps.Jobs()
	if list[0] != first {
		t.Error("the running one is not the first")
	}
	seen := map[string]bool{}
	for i, j := range list {
		var word string
		var n int
		if _, err := fmt.Sscanf(strings.ReplaceAll(j.ID(), "-", " "), "bg %s %d", &word, &n); err != nil || len(word) != 4 || seen[j.ID()] {
			t.Errorf("%s: %v", j.ID(), err)
		}
		if seen[j.ID()] = true; i > 0 && n != i+4 {
			t.Errorf("%d: %s", i, j.ID())
		}
	}
	if _, ok := ps.Job(jobs[0].ID()); ok {
		t.Error("the oldest is still found")
	}
}

func TestAFloodOfAJobIsBoundedInMemoryAndOnDisk(t *testing.T) {
	ps := owner(t)
	c := testCmd(t, "echo first; head -c 200000000 /dev/zero | tr '\\0' x; echo last; "+untilFile("go"))
	c.Spool = filepath.Join(c.Dir, "spool")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	j := startJob(t, ps, c)
	j.HandOver()
	const total = 6 + 200_000_000 + 5
	eventually(t, "all is written", func() bool { return j.Window(-1, 0).Total == total })
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes of memory", grown)
	}
	path, err := j.File()
	if fi, serr := os.Stat(path); serr != nil || fi.Size() != 64<<20 || err == nil || !strings.Contains(err.Error(), "the first 67108864 bytes") {
		t.Errorf("%v, %v, %v", fi, serr, err)
	}
	for _, x := range []struct {
		from, at, lost int64
		text           string
	}{
		{0, 0, 0, "first\nxxxx"},
		{-1, total - 10, 0, "xxxxxlast\n"},
		{64<<20 - 4, 64<<20 - 4, 0, "xxxx"},
		{64 << 20, total - ringSize, total - ringSize - 64<<20, "xxxxxxxxxx"},
		{total - ringSize - 1, total - ringSize, 1, "xxxxxxxxxx"},
		{total - ringSize, total - ringSize, 0, "xxxxxxxxxx"},
		{total, total, 0, ""},
		{total + 9, total, 0, ""},
	} {
		if w := j.Window(x.from, 10); w.From != x.at || w.Lost != x.lost || string(w.Data) != x.text || w.Total != total {
			t.Errorf("from %d: %d, %d lost, %q of %d", x.from, w.From, w.Lost, w.Data, w.Total)
		}
	}
	touch(t, c, "go")
	if res := j.Result(); res.Exit != 0 || len(res.Stdout.Head)+len(res.Stdout.Tail) != 0 {
		t.Errorf("%+v", res.Exit)
	}
}

func TestProgressWakesWhoWaits(t *testing.T) {
	ps := owner(t)
	c := testCmd(t, "echo one; "+untilFile("go")+"; echo two; "+untilFile("end"))
	j := startJob(t, ps, c)
	told := func(want string) {
		t.Helper()
		for {
			line, n, next := j.Progress()
			if line == want {
				if n == 0 {
					t.Error("no bytes")
				}
				return
			}
			<-next
		}
	}
	told("one")
	touch(t, c, "go")
	told("two")
	touch(t, c, "end")
	<-j.Done()
}

func TestAJobSaysWhatItLeft(t *testing.T) {
	n := unique(t)
	ps := owner(t)
	c := testCmd(t, "sleep "+n+" & "+untilFile("go"))
	j := startJob(t, ps, c)
	j.HandOver()
	touch(t, c, "go")
	if res := j.Result(); !res.Left || res.Exit != 0 {
		t.Errorf("%+v", res)
	}
}
