package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Restoring is the name of the calls that put files back. Their arguments are
// those of a [Restore].
const Restoring = "rewind"

// A Restore is the arguments of a call that puts files back: as they were
// before the prompt of that Turn, or, of a Redo, before the restoration that
// the call of that ID was.
type Restore struct {
	Turn int64  `json:"turn,omitempty"`
	Redo string `json:"redo,omitempty"`
}

// A Turn is one prompt of a session and what came of it.
type Turn struct {
	// Seq identifies it in its session and grows with time.
	Seq    int64
	Prompt string
	At     time.Time
	// Calls is how many calls its messages made, and Changes the files that
	// these changed, in order.
	Calls   int
	Changes []tools.Change
}

// A Point is the state of a file to go back to.
type Point struct {
	Path, Name string
	// Held is what zuno left there: one of these is there unless somebody else
	// changed it.
	Held []tools.FileState
	// Want is what stood there, with its content where that is still kept.
	Want tools.FileState
	// Mixed says that somebody else changed the file in between.
	Mixed bool
}

// A Restoration is what going back comes to.
type Restoration struct {
	Points []Point // in the order in which to put them back
	// Effects are the calls since that changed, or may have changed, something
	// that cannot be put back.
	Effects []tools.Record
}

const (
	// live is true of the message m when it was not taken back.
	live = ` NOT EXISTS (SELECT 1 FROM rewind w WHERE w.session = m.session AND w.undone_at IS NULL AND m.seq BETWEEN w.from_seq AND w.to_seq) `

	selectPrompts   = `SELECT m.seq, m.parts, m.text, m.at FROM message m WHERE m.session = ?1 AND m.role = 'user' AND (?2 OR` + live + `) ORDER BY m.seq`
	selectCallsMade = `SELECT c.message, r.changes FROM call c JOIN message m ON m.session = c.session AND m.seq = c.message
	LEFT JOIN call_result r ON r.call = c.n AND c.outcome IN ('ok', 'uncertain') WHERE c.session = ?1 AND (?2 OR` + live + `) ORDER BY c.n`
)

// Turns returns the turns of the session that were not taken back, oldest
// first.
func (j *Session) Turns() ([]Turn, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list, err := j.store.turns(j.n, false)
	return list, doing(err, "list the turns of session %s", j.meta.ID)
}

// turns returns the turns of a session, with those that were taken back when
// all is set: what they changed may still be there.
func (s *Store) turns(session int64, all bool) ([]Turn, error) {
	var list []Turn
	err := s.each(selectPrompts, []any{session, all}, func(rows *sql.Rows) error {
		t := Turn{}
		var parts sql.RawBytes
		var text string
		var at int64
		if err := rows.Scan(&t.Seq, &parts, &text, &at); err != nil {
			return err
		}
		decoded, _, err := decodeParts(parts, text)
		if err != nil {
			return damaged(s.path, "a message: "+err.Error())
		}
		t.At = time.Unix(0, at)
		if last := len(decoded) - 1; last >= 0 && decoded[last].Kind == llm.Text && decoded[last].For == "" {
			t.Prompt = decoded[last].Text
			list = append(list, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, s.each(selectCallsMade, []any{session, all}, func(rows *sql.Rows) error {
		var seq int64
		var changes sql.NullString
		if err := rows.Scan(&seq, &changes); err != nil {
			return err
		}
		i := len(list) - 1
		for i >= 0 && list[i].Seq > seq {
			i--
		}
		if i < 0 {
			return nil
		}
		list[i].Calls++
		var o tools.Outcome
		if err := decodeResult("", changes.String, &o); err != nil {
			return damaged(s.path, "the changes of a call: "+err.Error())
		}
		list[i].Changes = append(list[i].Changes, o.Changes...)
		return nil
	})
}

const firstCall = `SELECT coalesce(min(n), 0) FROM call WHERE session = ? AND message >= ?`

// maxRow is above every row.
const maxRow = int64(^uint64(0) >> 1)

// Since returns what it comes to to go back to the state before a turn.
func (j *Session) Since(seq int64) (Restoration, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, err := j.store.since(j.n, seq)
	return r, doing(err, "work out what can be taken back in session %s", j.meta.ID)
}

func (s *Store) since(session, seq int64) (Restoration, error) {
	var first int64
	if err := s.readers.QueryRow(firstCall, session, seq).Scan(&first); err != nil {
		return Restoration{}, explain(s.path, err)
	}
	if first == 0 {
		return Restoration{}, nil
	}
	list, err := s.touches(session, first, maxRow)
	if err != nil {
		return Restoration{}, err
	}
	r := Restoration{Points: points(list)}
	for i := range r.Points {
		if err := s.recall(&r.Points[i].Want); err != nil {
			return Restoration{}, err
		}
	}
	r.Effects, err = s.records(effectRecords, session, first)
	return r, err
}

// effectRecords finds the calls that began and were neither harmless nor
// changes of files that are recorded. Of a call that delegated, those of the
// agent are found.
const effectRecords = family + recordColumns + `WHERE c.session IN (SELECT n FROM family) AND c.n >= ?2 AND c.started_at IS NOT NULL
	AND c.effect = 'side-effecting' AND 'read-only' NOT IN (c.risk, c.verdict)
	AND c.outcome <> 'blocked' AND NOT EXISTS (SELECT 1 FROM touch t WHERE t.call = c.n) ORDER BY c.n`

// points folds what was touched, in order, into one point a path: what stood
// there first, and what stands there now unless somebody else was at it.
func points(list []touched) []Point {
	var ps []Point
	at := map[string]int{}
	for _, t := range list {
		i, ok := at[t.Path]
		if !ok {
			i = len(ps)
			at[t.Path] = i
			ps = append(ps, Point{Path: t.Path, Name: t.Name, Want: t.Before, Held: []tools.FileState{t.Before}})
		}
		p := &ps[i]
		p.Mixed = p.Mixed || !slices.ContainsFunc(p.Held, t.Before.Holds)
		if t.applied {
			p.Held = []tools.FileState{t.After}
		} else {
			p.Held = []tools.FileState{t.Before, t.After}
		}
	}
	slices.Reverse(ps) // a folder goes after what was made in it, and comes before
	return ps
}

const lastSaid = `SELECT updated_at FROM session WHERE n = ?`

// Left returns what the session last left at the paths that it touched, and
// when something was last said in it.
func (j *Session) Left() ([]Point, time.Time, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var at int64
	list, err := j.store.touches(j.n, 0, maxRow)
	if err == nil {
		err = explain(j.store.path, j.store.readers.QueryRow(lastSaid, j.n).Scan(&at))
	}
	return points(list), time.Unix(0, at), doing(err, "look for what session %s left", j.meta.ID)
}

// Undoable returns the newest turn whose changes of files were not taken back.
// The second result is false when there is none.
func (j *Session) Undoable() (Turn, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t, ok, err := j.store.undoable(j.n)
	return t, ok, doing(err, "look for a turn to undo in session %s", j.meta.ID)
}

func (s *Store) undoable(session int64) (Turn, bool, error) {
	back, err := s.restores(session)
	if err != nil {
		return Turn{}, false, err
	}
	turns, err := s.turns(session, true)
	if err != nil {
		return Turn{}, false, err
	}
	for _, t := range slices.Backward(turns) {
		taken := slices.ContainsFunc(back, func(r restore) bool { return r.Turn != 0 && r.Turn <= t.Seq && t.Seq <= r.upto })
		if len(t.Changes) > 0 && !taken {
			return t, true, nil
		}
	}
	return Turn{}, false, nil
}

// Redoable returns the call of the newest restoration that stands and after
// which zuno changed no file. The second result is false when there is none.
func (j *Session) Redoable() (string, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	id, ok, err := j.store.redoable(j.n)
	return id, ok, doing(err, "look for what was undone in session %s", j.meta.ID)
}

func (s *Store) redoable(session int64) (string, bool, error) {
	back, err := s.restores(session)
	if err != nil || len(back) == 0 {
		return "", false, err
	}
	r := back[len(back)-1]
	var later int
	err = s.readers.QueryRow(changedSince, session, r.row).Scan(&later)
	return r.call, later == 0, explain(s.path, err)
}

const changedSince = family + `SELECT count(*) FROM call c WHERE c.session IN (SELECT n FROM family) AND c.n > ?2 AND c.tool <> '` + Restoring + `'
	AND c.outcome IN ('ok', 'uncertain') AND EXISTS (SELECT 1 FROM touch t WHERE t.call = c.n)`

// A restore is a restoration that stands: nobody took it back.
type restore struct {
	Restore
	call string
	row  int64
	upto int64 // seq of the newest message when it was made
}

const selectRestores = `SELECT c.n, c.id, a.args, coalesce((SELECT max(message) FROM call d WHERE d.session = c.session AND d.n < c.n), 0)
	FROM call c JOIN call_args a ON a.call = c.n WHERE c.session = ? AND c.message IS NULL AND c.tool = '` + Restoring + `' AND c.outcome = 'ok' ORDER BY c.n`

func (s *Store) restores(session int64) ([]restore, error) {
	var list []restore
	err := s.each(selectRestores, []any{session}, func(rows *sql.Rows) error {
		var r restore
		var args string
		if err := rows.Scan(&r.row, &r.call, &args, &r.upto); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(args), &r.Restore); err != nil {
			return damaged(s.path, "the arguments of call "+r.call+": "+err.Error())
		}
		if r.Redo != "" {
			list = slices.DeleteFunc(list, func(e restore) bool { return e.call == r.Redo })
			return nil
		}
		list = append(list, r)
		return nil
	})
	return list, err
}

const rowOfCall = `SELECT n FROM call WHERE session = ? AND id = ?`

// Before returns what it comes to to take a restoration back, which the call of
// that ID was.
func (j *Session) Before(call string) (Restoration, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, err := j.store.before(j.n, call)
	return r, doing(err, "work out how to take back what %s restored", call)
}

func (s *Store) before(session int64, call string) (Restoration, error) {
	var n int64
	if err := s.readers.QueryRow(rowOfCall, session, plain(call)).Scan(&n); err != nil {
		return Restoration{}, explain(s.path, err)
	}
	list, err := s.touches(session, n, n)
	r := Restoration{Points: points(list)}
	for i := range r.Points {
		err = errors.Join(err, s.recall(&r.Points[i].Want))
	}
	return r, err
}

const (
	insertRewind = `INSERT INTO rewind (session, from_seq, to_seq, at) SELECT ?1, ?2, max(seq), ?3 FROM message WHERE session = ?1 HAVING max(seq) >= ?2`
	undoRewind   = `UPDATE rewind SET undone_at = ?2 WHERE n = (SELECT max(n) FROM rewind WHERE session = ?1 AND undone_at IS NULL)
	AND to_seq = (SELECT max(seq) FROM message WHERE session = ?1)`
)

// ErrNothing is the error of taking back what is not there.
var ErrNothing = errors.New("there is nothing to take back")

// Rewind takes the conversation back to before the prompt of that seq: its
// message and all later ones stay stored and count no more.
func (j *Session) Rewind(seq int64) error {
	return doing(j.changeOne(insertRewind, seq, stamp(j.store.now())), "take the conversation back")
}

const lastRewind = `SELECT count(*) FROM rewind w JOIN message m ON m.session = w.session AND m.seq BETWEEN w.from_seq AND w.to_seq
	WHERE w.n = (SELECT max(n) FROM rewind WHERE session = ?1 AND undone_at IS NULL) AND w.to_seq = (SELECT max(seq) FROM message WHERE session = ?1)`

// Rewound returns how many messages Unrewind would bring back.
func (j *Session) Rewound() (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var n int
	err := j.store.readers.QueryRow(lastRewind, j.n).Scan(&n)
	return n, doing(explain(j.store.path, err), "look for what was taken back in session %s", j.meta.ID)
}

// Unrewind takes the last Rewind back, unless something was said since.
func (j *Session) Unrewind() error {
	return doing(j.changeOne(undoRewind, stamp(j.store.now())), "bring the conversation back")
}

func (j *Session) changeOne(query string, args ...any) error {
	return j.record(processDeath, func(t tx, session int64) error {
		rows, err := t.exec(query, append([]any{session}, args...)...)
		if err == nil && rows == 0 {
			return ErrNothing
		}
		return err
	})
}
