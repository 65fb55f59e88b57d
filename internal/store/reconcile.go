package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/zuno-dev/zuno/internal/tools"
)

// unresolved is true of the call c when it may have happened and nobody has found
// out.
const unresolved = ` c.outcome = 'uncertain' AND NOT EXISTS (SELECT 1 FROM reconciliation f WHERE f.call = c.n) `

const (
	uncertainRecords = recordColumns + `WHERE c.session = ? AND` + unresolved + `ORDER BY c.n`
	doubtfulFamily   = family + `SELECT f.n, f.id FROM family f WHERE EXISTS (SELECT 1 FROM call c WHERE c.session = f.n AND` + unresolved + `) ORDER BY f.n`
)

// A Doubt is a call that may have happened, and what it would have changed.
type Doubt struct {
	tools.Record
	Touches []tools.Touch
	// Command is the command line that it was, "" for none, and Started when it
	// began.
	Command string
	Started time.Time
	row     int64
	key     string
}

// Uncertain returns the calls of the session that may have happened and of
// which nobody has found out, in the order of request, whether the model was
// told or not: its own, and those of the agents that it delegated to, whose ID
// has that of their session and a slash before it.
func (j *Session) Uncertain() ([]Doubt, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list, err := j.store.doubts(j.n)
	return list, doing(err, "list the uncertain calls of session %s", j.meta.ID)
}

const openColumns = `SELECT c.n, c.key, c.command, c.started_at FROM call c WHERE c.session = ? AND c.id = ?`

func (s *Store) doubts(session int64) ([]Doubt, error) {
	type member struct {
		n  int64
		id string
	}
	var members []member
	err := s.each(doubtfulFamily, []any{session}, func(rows *sql.Rows) error {
		var m member
		err := rows.Scan(&m.n, &m.id)
		members = append(members, m)
		return err
	})
	var all []Doubt
	for _, m := range members {
		list, err := s.own(m.n)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if m.n != session {
				list[i].Call.ID = m.id + "/" + list[i].Call.ID
			}
		}
		all = append(all, list...)
	}
	return all, err
}

// own returns the calls in doubt of one session alone.
func (s *Store) own(session int64) ([]Doubt, error) {
	records, err := s.records(uncertainRecords, session)
	if err != nil {
		return nil, err
	}
	list := make([]Doubt, len(records))
	for i, r := range records {
		o := Doubt{Record: r}
		var started sql.NullInt64
		if err := s.readers.QueryRow(openColumns, session, plain(r.Call.ID)).Scan(&o.row, &o.key, &o.Command, &started); err != nil {
			return nil, explain(s.path, err)
		}
		o.Started = timeOf(started)
		touched, err := s.touches(session, o.row, o.row)
		if err != nil {
			return nil, err
		}
		for _, t := range touched {
			o.Touches = append(o.Touches, t.Touch)
		}
		list[i] = o
	}
	return list, nil
}

const (
	insertFinding = `INSERT INTO reconciliation (call, finding, by, note, at, chained)
	SELECT c.n, ?3, ?4, ?5, ?6, c.origin IS NULL FROM call c WHERE c.session = ?1 AND c.id = ?2 AND` + unresolved + `RETURNING call, chained`
	// A look at the world after the call ended: what somebody who says what became
	// of it has to have taken.
	looked = `SELECT EXISTS (SELECT 1 FROM call d JOIN call c ON d.n > c.n WHERE d.session IN (c.session, ?3) AND c.session = ?1 AND c.id = ?2
	AND d.outcome = 'ok' AND (d.effect = 'read-only' OR 'read-only' IN (d.risk, d.verdict)))`
)

// ErrUnseen is the error of a model that says what became of a call without
// having looked at anything since.
var ErrUnseen = errors.New("nothing was looked at since that call: inspect the real state first, with read, grep or a command that only reads")

// Reconcile records what somebody found out about an uncertain call. A model
// has to have looked at something since.
func (j *Session) Reconcile(call string, f tools.Finding, by tools.Source, note string) error {
	if !slices.Contains(tools.Findings(), f) {
		return fmt.Errorf("say what became of %s: %v", call, tools.Findings())
	}
	return doing(j.record(powerLoss, func(t tx, session int64) error {
		of, id, err := member(t, session, j.meta.ID, call)
		if err != nil {
			return err
		}
		if by == tools.ByModel {
			var seen bool
			if err := t.row(looked, []any{of, plain(id), session}, &seen); err != nil {
				return err
			}
			if !seen {
				return ErrUnseen
			}
		}
		var n int64
		var chained bool
		err = t.row(insertFinding, []any{of, plain(id), string(f), string(by), j.store.clean(note), stamp(j.store.now())}, &n, &chained)
		switch {
		case errors.Is(err, errNoRows):
			return errors.New("there is no such uncertain call")
		case err != nil || !chained:
			return err
		}
		return attest(t, of, n, reconciled)
	}), "record what became of %s", tools.CleanLine(call))
}

const findMember = family + `SELECT n FROM family WHERE id = ?2`

// member splits the ID of a call that may be an agent's: its session, and the ID
// in that.
func member(t tx, session int64, self, call string) (of int64, id string, err error) {
	agent, id, is := strings.Cut(call, "/")
	switch {
	case !is:
		return session, call, nil
	case agent == self:
		return session, id, nil
	}
	err = t.row(findMember, []any{session, agent}, &of)
	if errors.Is(err, errNoRows) {
		err = errors.New("there is no such uncertain call")
	}
	return of, id, err
}

// Held returns the uncertain call that holds p back: one that p would do again,
// or whose targets it would change. It is nil when nothing does.
func (j *Session) Held(p *tools.Proposal) (*Doubt, error) {
	if p.Spec.Effect == tools.ReadOnly || p.Spec.Effect == tools.UserMediated || p.Spec.Risk == tools.ReadOnlyRisk {
		return nil, nil
	}
	list, err := j.Uncertain()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	next := intent{
		tool: p.Call.Tool, args: sorted(j.store.redact.JSON(plain(string(p.Call.Args)))),
		command: j.store.clean(p.Command), key: j.store.clean(p.Key), touches: p.Touches,
	}
	for i := range list {
		if list[i].holds(next) {
			return &list[i], nil
		}
	}
	return nil, nil
}

// An intent is what a proposal is about, in the form in which it would be stored.
type intent struct {
	tool, args, command, key string
	touches                  []tools.Touch
}

// sorted is the text of a JSON value in its one form, so that the order of keys
// and white space make no difference.
func sorted(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return text
	}
	if out, err := encode(v); err == nil {
		return out
	}
	return text
}

// holds reports whether next is the call o once more, or may change what o may
// have changed.
func (o *Doubt) holds(next intent) bool {
	switch {
	case o.Call.Tool == next.tool && sorted(string(o.Call.Args)) == next.args:
		return true
	case o.Command != "" && o.Command == next.command, o.key != "" && o.key == next.key:
		return true
	case shares(o.Command, next.command), names(o.Command, next.touches), names(next.command, o.Touches):
		return true
	}
	for _, mine := range o.Touches {
		for _, t := range next.touches {
			if within(mine.Path, t.Path) || within(t.Path, mine.Path) {
				return true
			}
		}
	}
	return false
}

// words are the last elements of what could be paths in a command line. It is
// looked at as a text: what a shell makes of it does not matter for holding a
// call back.
func words(command string) []string {
	list := strings.FieldsFunc(command, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"`;|&<>(){}=,:$", r) })
	for i, w := range list {
		list[i] = filepath.Base(w)
	}
	return list
}

// names reports whether a command line names one of the files.
func names(command string, files []tools.Touch) bool {
	if command == "" || len(files) == 0 {
		return false
	}
	list := words(command)
	return slices.ContainsFunc(files, func(t tools.Touch) bool { return slices.Contains(list, filepath.Base(t.Path)) })
}

// shares reports whether two command lines name the same file: a word with the
// dot of an ending in it, which is not a number and no flag.
func shares(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	list := words(b)
	return slices.ContainsFunc(words(a), func(w string) bool {
		return strings.Contains(w, ".") && strings.ContainsFunc(w, unicode.IsLetter) && w[0] != '-' && slices.Contains(list, w)
	})
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
