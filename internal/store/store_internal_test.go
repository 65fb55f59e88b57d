package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/tools/work"
)

func steps(t *testing.T) []string {
	t.Helper()
	s, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReleasedMigrationsAreNotEdited(t *testing.T) {
	released := []string{
		"494fc7e2c0bdbee72a53b3a2b8926ecc9d2b1a07ed504c7b43f8e7e90c62ff31",
		"acd239661ed70da4a0e1cea04696416bae7a86c86fc0463db88e4ec50f3a3d6d",
		"ca3172570b31f197b4d361487adf659909dface39de3bb8c87f630e11b478c02",
		"f24ee066126b2ea8108d11ed58a6a08635dfb085402d2a77ea5e1ae07c670b3b",
		"7f5fa52452574c8e18e869fc22a14aef5cd4a7b97c38a76b8fea24824ae42be1",
		"38428031a1757fae1461c0ac23b215b29f49793d672eef324b464b67442d5d1c",
		"80fe2dc3b94dbbb74f24ded531635e5ab2cf29817e13c4af3d73a1cf00fa705c",
		"bb9da789e33495130f914a9e58cfe26224fbc137ccb91578a02410b7195060eb",
		"f71149d8ee8cc6d3a3f901ccee0c900a4d4361a88d2faeb6035c6c15af037a6a",
		"34d8ff8f5cc197c78577f08fca810c84820ee2350fb8f173f5bbbf933001a429",
		"5b2cc8b43fc406151604f9bfa43d0beec71151680e8f299366201828047247a1",
		"2ae379334189305bf47f489b0b97ce594e968fd4beaa704cbfcc39c0669232d7",
		"e2b573e02859747e2217fbac2417d7bfef137608e3d863e71173854696eda460",
		"b4fd26b913132712d52b2cdb4da62e15ab03b9dff1fd91dcc4e0919b74d2b486",
		"a1969773c4fa9853ce8d7ffa9ce6671f41f884854b1dfc42f8ebc3245573789a",
	}
	got := steps(t)
	if len(got) != len(released) {
		t.Fatalf("there are %d migrations; add the sum of a new one when it is released", len(got))
	}
	for i, s := range got {
		sum := sha256.Sum256([]byte(s))
		if hex.EncodeToString(sum[:]) != released[i] {
			t.Errorf("migration %d was changed (its sum is %x); write a new one instead", i+1, sum)
		}
	}
}

// v1 copies the database that the first version made, with one session in it.
func v1(t *testing.T) string { return version(t, 1) }

// version copies a database of the nth version: one that it made, or the last
// stored one as the nth version leaves it.
func version(t *testing.T, n int) string {
	t.Helper()
	const stored = 2
	if n > stored {
		path := version(t, stored)
		s, err := open(path, nil, steps(t)[:n])
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	b, err := os.ReadFile(fmt.Sprintf("testdata/v%d.db", n))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "zuno.db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestADatabaseOfTheFirstVersionIsBroughtUpToDate(t *testing.T) {
	path := v1(t)
	later := append(steps(t), `CREATE TABLE later (x INTEGER) STRICT`, `ALTER TABLE session ADD COLUMN y TEXT NOT NULL DEFAULT 'z'`)
	s, err := open(path, nil, later)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Sessions(0)
	if err != nil || len(list) != 1 || list[0].Title != "hello" || list[0].Uncertain != 1 {
		t.Errorf("the sessions are %+v, %v", list, err)
	}
	_, p, err := s.Read(list[0].ID)
	if err != nil || len(p.Messages) != 2 || p.Records["c1"].Outcome.Kind != tools.Uncertain {
		t.Errorf("the past is %+v, %v", p, err)
	}
	// What came later is there, and empty.
	j, err := s.OpenSession(list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	w, werr := j.Work()
	book, berr := s.Memory("/r").Book(memory.Project)
	if err := errors.Join(werr, berr, j.ChangeWork(func(w *work.Work) error { return w.SetGoal("x") }), j.Close()); err != nil || w.Revision != 0 || book.Revision != 0 {
		t.Errorf("the work is %+v, the memory %+v, %v", w, book, err)
	}
	var n int
	if err := s.readers.QueryRow(`SELECT count(*) FROM later, session WHERE y = 'z'`).Scan(&n); err != nil {
		t.Error(err)
	}
	// This version, which is the older one now, leaves it alone while the newer
	// runs and afterwards.
	for range 2 {
		if _, err := Open(path, nil); !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), "newer zuno") {
			t.Errorf("the error is %v", err)
		}
		_ = s.Close()
	}
}

func TestADatabaseOfEveryEarlierVersionIsBroughtUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for the race detector, under which it is slow")
	}
	for n := 1; n < len(steps(t)); n++ {
		s, err := Open(version(t, n), nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Sessions(0)
		if err != nil || len(list) != 1 {
			t.Fatalf("version %d: %+v, %v", n, list, err)
		}
		j, err := s.OpenSession(list[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		p, err := j.Load()
		if err != nil || len(p.Messages) != 2 || len(p.Records) != 1 {
			t.Errorf("version %d: %+v, %v", n, p, err)
		}
		word := "written"
		if n == 1 {
			word = "hello"
		}
		// It was there before there was an index.
		if hits, err := s.Search(word, "", 0); err != nil || len(hits) != 1 {
			t.Errorf("version %d: %q is found %d times, %v", n, word, len(hits), err)
		}
		// What was there is not chained; what comes is.
		c := tools.Call{ID: "new", Tool: "shell"}
		err = errors.Join(
			j.Propose(&tools.Proposal{Call: c}), j.Decide(c, tools.Decision{Allowed: true}), j.Start(c), j.Settle(c, tools.Outcome{Kind: tools.OK}, 1))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := s.Verify(); err != nil || v.Broken != nil || v.Unchained != 1 || v.Entries != 2 {
			t.Errorf("version %d: %+v, %v", n, v, err)
		}
		if err := errors.Join(s.Check(), j.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatWasFoundBeforeTheChainHadFindingsIsCountedAndNotMissed(t *testing.T) {
	const before = 13
	path := version(t, before)
	s, err := open(path, nil, steps(t)[:before])
	if err != nil {
		t.Fatal(err)
	}
	err = s.writer.run(`INSERT INTO reconciliation (call, finding, by, note, at) SELECT n, 'happened', 'you', '', 1 FROM call`)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path, nil); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil || v.UnchainedFindings != 1 {
		t.Errorf("%+v, %v", v, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestOnAFullDiskNothingStartsThatIsNotRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.NewSession(Meta{ID: "one"})
	c := tools.Call{ID: "c1", Tool: "write", Args: []byte(`{}`)}
	before := tools.StateOf(tools.Regular, 0o644, []byte(strings.Repeat("what stood there ", 5000)))
	err = errors.Join(err, j.Append(llm.UserText("go")),
		j.Propose(&tools.Proposal{Call: c, Touches: []tools.Touch{{Path: "/x", Before: before, After: before}}}), j.Decide(c, tools.Decision{Allowed: true}))
	if err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := (tx{s.writer}).row(`PRAGMA page_count`, nil, &pages); err != nil {
		t.Fatal(err)
	}
	full := func(n int) {
		if err := s.writer.run(fmt.Sprintf(`PRAGMA max_page_count = %d`, n)); err != nil {
			t.Fatal(err)
		}
	}
	full(pages)
	err = j.Start(c)
	if err == nil || !strings.Contains(err.Error(), "is full") || !strings.Contains(err.Error(), "zuno sessions gc") {
		t.Errorf("the error is %v", err)
	}
	full(1 << 30)
	// There is room again: it goes on where it was, and the call starts once.
	if err := errors.Join(j.Start(c), j.Settle(c, tools.Outcome{Kind: tools.OK}, 1)); err != nil {
		t.Error(err)
	}
	if v, err := s.Verify(); err != nil || v.Broken != nil {
		t.Error(v.Broken, err)
	}
	if err := errors.Join(s.Check(), j.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

func TestAMigrationThatFailsChangesNothing(t *testing.T) {
	path := v1(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(path, nil, append(steps(t), `CREATE TABLE later (x)`, `CREATE TABLE later (x)`))
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Fatalf("the error is %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !slices.Equal(before, after) {
		t.Error("the file was changed", err)
	}
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestAWriteIsTriedAgainUntilTheLockIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.writer.run(`PRAGMA busy_timeout = 0`); err != nil {
		t.Fatal(err)
	}
	other, err := openWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	tries := 0
	err = other.transact(func(tx) error {
		// Another connection holds the lock: one attempt fails, and says how.
		err := s.writer.transact(func(tx) error { return nil })
		var late interface{ Timeout() bool }
		if !locked(err) || !locked(explain(path, err)) || !errors.As(explain(path, err), &late) || !strings.Contains(explain(path, err).Error(), path+" has been locked by another program") {
			t.Errorf("the error is %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (tx{other}).exec(`BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	err = s.writer.retry(func() error {
		if tries++; tries == 3 {
			if _, err := (tx{other}).exec(`COMMIT`); err != nil {
				return err
			}
		}
		return s.writer.transact(func(tx) error { return nil })
	})
	if err != nil || tries < 3 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	if err := other.close(); err != nil {
		t.Error(err)
	}
}

func TestWhatDoesNotFitOnTheDiskIsNotRecordedAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.NewSession(Meta{})
	if err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := s.writer.conn.QueryRowContext(context.Background(), `PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if err := s.writer.run(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+4)); err != nil {
		t.Fatal(err)
	}
	m := &llm.Message{Role: llm.Assistant, Parts: []llm.Part{
		{Kind: llm.CallPart, Call: &llm.Call{ID: "c", Name: "shell"}}, {Kind: llm.Text, Text: strings.Repeat("x", 50_000)},
	}}
	if err := j.Append(m); err == nil || !strings.Contains(err.Error(), "the disk of the record "+path+" is full") {
		t.Errorf("the error is %v", err)
	}
	if list, err := s.Sessions(0); err != nil || len(list) != 0 {
		t.Errorf("the sessions are %+v, %v", list, err)
	}
	if err := s.writer.run(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	err = j.Append(m)
	if list, lerr := s.Sessions(0); err != nil || lerr != nil || len(list) != 1 || list[0].Calls != 1 {
		t.Errorf("with room again, the sessions are %+v, %v, %v", list, err, lerr)
	}
	if err := errors.Join(j.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

func TestTheConnectionsAreSetUpAsTheyShould(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "1", "busy_timeout": "5000", "foreign_keys": "1"} {
		var got string
		if err := s.writer.conn.QueryRowContext(context.Background(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, not %s (%v)", pragma, got, want, err)
		}
	}
	// A commit that survives a loss of power is made in FULL, the next is not.
	for d, want := range map[durability]int{powerLoss: 2, processDeath: 1} {
		var got int
		err := s.writer.write(d, func(t tx) error { return t.row(`SELECT synchronous FROM pragma_synchronous`, nil, &got) })
		if err != nil || got != want {
			t.Errorf("synchronous is %d, not %d (%v)", got, want, err)
		}
	}
	if _, err := s.readers.pool.Exec(`DELETE FROM session`); err == nil {
		t.Error("a reading connection writes")
	}
}

func TestOnlyAStartThatMayNotBeRepeatedWaitsForTheDisk(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "zuno.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.NewSession(Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for id, replay := range map[string]tools.Replay{"safe": tools.Safe, "never": tools.Never} {
		c := tools.Call{ID: id}
		if err := errors.Join(j.Propose(&tools.Proposal{Call: c, Spec: tools.Spec{Replay: replay}}), j.Decide(c, tools.Decision{Allowed: true})); err != nil {
			t.Fatal(err)
		}
		if got := j.startNeeds(c); (got == processDeath) != (replay == tools.Safe) {
			t.Errorf("the start of %s needs %v", id, got)
		}
		if err := j.Start(c); err != nil {
			t.Fatal(err)
		}
		if got := j.startNeeds(c); got != powerLoss {
			t.Errorf("the next start of %s needs %v", id, got)
		}
	}
	if err := errors.Join(j.Append(llm.UserText("x")), j.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

func TestAProcessIsAliveWhenItCanBeSeenOrWasHeardOf(t *testing.T) {
	self := thisProcess()
	if self.Start == "" {
		t.Skip("there is no /proc")
	}
	now := time.Now()
	with := func(change func(*process)) process {
		p := self
		change(&p)
		return p
	}
	for _, c := range []struct {
		name   string
		p      process
		silent time.Duration
		want   bool
	}{
		{"this one", self, time.Hour, true},
		{"this one, by another name of the host", with(func(p *process) { p.Host = "x" }), time.Hour, true},
		{"an earlier one of the same PID", with(func(p *process) { p.Start = "1" }), 0, false},
		{"one of a PID that is free", with(func(p *process) { p.PID = 1<<31 - 1 }), 0, false},
		{"one from before the boot", with(func(p *process) { p.Boot = "x" }), 0, false},
		{"one in another container, just heard of", with(func(p *process) { p.Space, p.Host = "x", "y" }), 29 * time.Second, true},
		{"one in another container, silent", with(func(p *process) { p.Space, p.Host = "x", "y" }), 30 * time.Second, false},
		{"one in another namespace of this host", with(func(p *process) { p.Space = "x" }), time.Second, true},
		{"one on another host, just heard of", with(func(p *process) { p.Boot, p.Host = "x", "y" }), time.Second, true},
		{"one on another host, silent", with(func(p *process) { p.Boot, p.Host = "x", "y" }), time.Minute, false},
		{"one of which no start is known", with(func(p *process) { p.Start = "" }), time.Hour, true},
	} {
		if got := c.p.alive(self, now.Add(-c.silent), now); got != c.want {
			t.Errorf("%s: alive is %v", c.name, got)
		}
	}
}

func TestAZombieIsNotAlive(t *testing.T) {
	p, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
	if err != nil {
		t.Skip(err)
	}
	self := thisProcess()
	z := self
	z.PID = p.Pid
	for state := byte(0); state != 'Z'; { // it ends, and nobody has asked how
		z.Start, state = startOf(p.Pid)
		if z.Start == "" {
			t.Skip("there is no /proc")
		}
	}
	if z.alive(self, time.Now(), time.Now()) {
		t.Error("a zombie is alive")
	}
	if _, err := p.Wait(); err != nil {
		t.Error(err)
	}
}

func TestIDsSortByTimeAndDiffer(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	last := ""
	for i := range 100 {
		id := newID(now.Add(time.Duration(i) * time.Millisecond))
		if len(id) != 16 || id <= last || strings.Trim(id, digits) != "" {
			t.Errorf("%q comes after %q", id, last)
		}
		last = id
		other := newID(now)
		if seen[other] {
			t.Errorf("%q was made twice", other)
		}
		seen[other] = true
	}
}

func TestTheRulesCoverEveryUnsettledCallOnce(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE job (session, call); INSERT INTO job VALUES (1, 'recorded');
		CREATE TABLE call (n, session, message, position); INSERT INTO call VALUES (8, 1, 5, 0)`); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"recorded", "not"} {
		for _, message := range []int{4, 5} { // only calls of the second made others
			coverOnce(t, db, id, message)
		}
	}
}

func coverOnce(t *testing.T, db *sql.DB, id string, message int) {
	for _, state := range []tools.State{tools.Requested, tools.Proposed, tools.Decided, tools.Started} {
		for _, allowed := range []bool{false, true} {
			for _, replay := range []tools.Replay{tools.Never, tools.Safe} {
				for _, effect := range []tools.Effect{tools.SideEffecting, tools.Delegating, tools.UserMediated, tools.ReadOnly} {
					matches := 0
					for _, r := range rules() {
						var ok bool
						q := `SELECT ` + r.found + ` FROM (SELECT ? AS state, ? AS allowed, ? AS replay, ? AS effect, 1 AS session, ? AS id, ? AS message, 0 AS position, 7 AS n) call`
						if err := db.QueryRow(q, string(state), allowed, replay.String(), effect.String(), id, message).Scan(&ok); err != nil {
							t.Fatal(err)
						}
						if ok {
							matches++
						}
					}
					if matches != 1 {
						t.Errorf("%s, allowed %v, replay %v, %v: %d rules", state, allowed, replay, effect, matches)
					}
				}
			}
		}
	}
}
