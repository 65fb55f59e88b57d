package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Meta is what is known of a session besides what was said in it.
type Meta struct {
	// ID is made up when it is "". IDs sort by the time they were made.
	ID string
	// Parent is the ID of the session that delegated to this one. A session with
	// a parent is in no list.
	Parent string
	Dir    string // where it was started
	Repo   string
	// Model is "provider/model"; the newest message of a model changes it.
	Model string
	// Chosen is the model that the session is gone on with, "" for what the
	// configuration says; Effort how hard it is asked to think, "" for as it likes.
	Chosen, Effort string
	Agent          string
	// Branch is what was checked out when it was last opened, "" when that is not
	// known.
	Branch string
	// Forked is the ID of the session that it began as a copy of.
	Forked string
	// Title is taken from the first prompt when it is "".
	Title string
}

// A Session is the right to write one session. Its methods that record a turn
// are called by the goroutine of the turn; the others may be called from
// anywhere.
type Session struct {
	store *Store
	meta  Meta
	owner string // this Session's token
	// safe holds the calls not yet started that may be attempted again. Only the
	// goroutine of the turn uses it.
	safe map[string]bool
	// asked holds the arguments of the calls not yet proposed. Only the same
	// goroutine uses it.
	asked map[string]asked
	// touches holds what the calls not yet started would touch; untrimmed counts
	// the bytes kept since the bound on them was looked at. The same goroutine
	// uses them.
	touches   map[string][]tools.Touch
	untrimmed int64
	admitted  []int64  // by Admit; the same goroutine uses it
	telling   []string // by Tell; so does it this
	// gathered is what Together commits, nil outside of it; so does it this too.
	gathered *[]transition

	ended  atomic.Int64 // how many jobs were said to have ended
	silent atomic.Int64 // ended and 1 when there last was no untold report; 0 before

	mu         sync.Mutex // guards what follows
	n          int64      // row of the session; 0 until something is recorded
	generation int64
	beat       time.Time        // when the heartbeat was written
	opened     time.Time        // when OpenSession took it; zero for a new one
	notice     string           // what Load said must be told to the model
	named      []int64          // the rows of the calls in it
	queued     int64            // the latest ID that a message that waits was given
	waiting    map[int64]string // by ID, messages that wait of which not all is stored
	closed     bool
}

// NewSession returns a session of which nothing is stored until something is
// recorded in it.
func (s *Store) NewSession(m Meta) (*Session, error) {
	if m.ID == "" {
		m.ID = newID(s.now())
	}
	return s.session(m), nil
}

func (s *Store) session(m Meta) *Session {
	token := make([]byte, 8)
	_, _ = rand.Read(token) // never fails
	return &Session{store: s, meta: m, owner: hex.EncodeToString(token), safe: map[string]bool{}, asked: map[string]asked{}, touches: map[string][]tools.Touch{}, waiting: map[int64]string{}}
}

// OpenSession takes a stored session, named by its ID or the beginning of one.
// It fails with ErrBusy while a living process holds it. Calls that its last
// holder left unsettled are settled first, in the same transaction.
func (s *Store) OpenSession(id string) (*Session, error) {
	id, err := s.find(id)
	if err != nil {
		return nil, doing(err, "open session %s", tools.CleanLine(id))
	}
	j := s.session(Meta{ID: id})
	if err := s.writer.write(processDeath, j.acquire); err != nil {
		return nil, doing(err, "open session %s", id)
	}
	return j, nil
}

// Located notes which branch is checked out.
func (j *Session) Located(branch string) error {
	j.mu.Lock()
	same := j.n == 0 || j.meta.Branch == branch
	j.meta.Branch = branch
	j.mu.Unlock()
	if same {
		return nil
	}
	return doing(j.change(`UPDATE session SET branch = ?2 WHERE n = ?1`, plain(branch)), "note the branch of session %s", j.meta.ID)
}

// Move notes where the session goes on, when the folder that it was started in is
// gone.
func (j *Session) Move(dir, repo string) error {
	j.mu.Lock()
	stored := j.n != 0
	j.meta.Dir, j.meta.Repo = dir, repo
	j.mu.Unlock()
	if !stored {
		return nil
	}
	return doing(j.change(`UPDATE session SET dir = ?2, repo = ?3 WHERE n = ?1`, plain(dir), plain(repo)), "note the folder of session %s", j.meta.ID)
}

// Rename gives the session a title. One of which nothing is stored yet has it
// as soon as something is.
func (j *Session) Rename(title string) error {
	j.mu.Lock()
	stored := j.n != 0
	j.meta.Title = title
	j.mu.Unlock()
	if !stored {
		return nil
	}
	return doing(j.change(`UPDATE session SET title = ?2 WHERE n = ?1`, j.store.clean(title)), "rename session %s", j.meta.ID)
}

// Choose notes which model the session is gone on with, and the effort; see
// [Meta].
func (j *Session) Choose(model, effort string) error {
	j.mu.Lock()
	stored, same := j.n != 0, j.meta.Chosen == model && j.meta.Effort == effort
	if !stored { // it is with the first that is recorded
		j.meta.Chosen, j.meta.Effort = model, effort
	}
	j.mu.Unlock()
	if !stored || same {
		return nil
	}
	err := j.change(`UPDATE session SET chosen = ?2, effort = ?3 WHERE n = ?1`, plain(model), plain(effort))
	if err != nil {
		return doing(err, "note the model of session %s", j.ID())
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.meta.Chosen, j.meta.Effort = model, effort
	return nil
}

func (j *Session) change(query string, args ...any) error {
	return j.record(processDeath, func(t tx, session int64) error {
		_, err := t.exec(query, append([]any{session}, args...)...)
		return err
	})
}

// ID returns the session's ID.
func (j *Session) ID() string { return j.meta.ID }

// Meta returns what is known of the session.
func (j *Session) Meta() Meta {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.meta
}

const sessionMeta = `SELECT n, parent, dir, repo, model, chosen, effort, agent, branch, forked, title, generation,
	owner, owner_pid, owner_start, owner_boot, owner_space, owner_host, heartbeat FROM session WHERE id = ?`

const takeSession = `UPDATE session SET owner = ?, generation = ?, owner_pid = ?, owner_start = ?, owner_boot = ?, owner_space = ?,
	owner_host = ?, heartbeat = ? WHERE n = ?`

// acquire takes the lease, unless a living process has it, and settles what
// the last holder left.
func (j *Session) acquire(t tx) error {
	var holder process
	var owner string
	var n, generation, heartbeat int64
	m, now := &j.meta, j.store.now()
	err := t.row(sessionMeta, []any{m.ID}, &n, &m.Parent, &m.Dir, &m.Repo, &m.Model, &m.Chosen, &m.Effort, &m.Agent, &m.Branch, &m.Forked, &m.Title, &generation,
		&owner, &holder.PID, &holder.Start, &holder.Boot, &holder.Space, &holder.Host, &heartbeat)
	if errors.Is(err, errNoRows) {
		return ErrNoSession
	}
	if err != nil {
		return err
	}
	last := time.Unix(0, heartbeat)
	if owner != "" && holder.alive(j.store.self, last, now) {
		return fmt.Errorf("%w by process %d on %s, which last wrote %s ago; use that one, end it, or begin another session",
			ErrBusy, holder.PID, holder.Host, now.Sub(last).Round(time.Second))
	}
	p := j.store.self
	if _, err := t.exec(takeSession, j.owner, generation+1, p.PID, p.Start, p.Boot, p.Space, p.Host, stamp(now), n); err != nil {
		return err
	}
	j.mu.Lock()
	j.n, j.generation, j.beat, j.opened = n, generation+1, now, now
	j.mu.Unlock()
	if err := recoverCalls(t, n, now); err != nil {
		return err
	}
	return recoverFamily(t, n, p, now)
}

const insertSession = `INSERT INTO session (id, parent, dir, repo, model, agent, branch, forked, title, created_at, updated_at,
	owner, generation, owner_pid, owner_start, owner_boot, owner_space, owner_host, heartbeat, chosen, effort)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11, 1, ?12, ?13, ?14, ?15, ?16, ?10, ?17, ?18) RETURNING n`

// record runs f in a transaction of the session, whose row it makes when there
// is none. Without the lease it returns ErrLost and f does not run.
func (j *Session) record(d durability, f func(t tx, session int64) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return errors.New("the session is closed")
	}
	n, generation, now := j.n, j.generation, j.store.now()
	err := j.store.writer.write(d, func(t tx) (err error) {
		if n, generation = j.n, j.generation; n == 0 {
			n, err = j.create(t, now)
			generation = 1
		} else {
			err = j.hold(t, now)
		}
		if err != nil {
			return err
		}
		return f(t, n)
	})
	if err != nil {
		return err
	}
	if j.n == 0 || now.Sub(j.beat) >= beatEvery {
		j.beat = now
	}
	j.n, j.generation = n, generation
	return nil
}

func (j *Session) create(t tx, now time.Time) (n int64, err error) {
	m, p := j.meta, j.store.self
	err = t.row(insertSession, []any{
		m.ID, plain(m.Parent), plain(m.Dir), plain(m.Repo), plain(m.Model), plain(m.Agent), plain(m.Branch), m.Forked,
		j.store.clean(m.Title), stamp(now),
		j.owner, p.PID, p.Start, p.Boot, p.Space, p.Host, plain(m.Chosen), plain(m.Effort),
	}, &n)
	if duplicate(err) {
		err = errors.New("there is a session of this ID already")
	}
	return n, doing(err, "begin session %s", m.ID)
}

// beatEvery is how old the heartbeat may become before a write renews it.
const beatEvery = 5 * time.Second

const (
	holdSession = `SELECT 1 FROM session WHERE n = ? AND owner = ? AND generation = ?`
	beatSession = `UPDATE session SET heartbeat = ?4 WHERE n = ?1 AND owner = ?2 AND generation = ?3`
	freeSession = `UPDATE session SET owner = '' WHERE n = ? AND owner = ? AND generation = ?`
)

// hold returns ErrLost when the session is not this Session's any more. It runs
// under the database's write lock, so the answer holds until the commit.
func (j *Session) hold(t tx, now time.Time) error {
	if now.Sub(j.beat) < beatEvery {
		var one int
		err := t.row(holdSession, []any{j.n, j.owner, j.generation}, &one)
		if errors.Is(err, errNoRows) {
			return ErrLost
		}
		return err
	}
	rows, err := t.exec(beatSession, j.n, j.owner, j.generation, stamp(now))
	if err == nil && rows == 0 {
		return ErrLost
	}
	return err
}

// Close gives the session back. Nothing can be recorded afterwards.
func (j *Session) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || j.n == 0 {
		j.closed = true
		return nil
	}
	j.closed = true
	err := j.store.writer.write(processDeath, func(t tx) error {
		_, err := t.exec(freeSession, j.n, j.owner, j.generation)
		return err
	})
	if gone := (*goneError)(nil); errors.As(err, &gone) {
		return nil // whoever wanted to record something was told
	}
	return doing(err, "close session %s", j.meta.ID)
}
