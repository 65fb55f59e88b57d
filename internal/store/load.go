package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Past is what is stored of a session.
type Past struct {
	Messages []*llm.Message
	Records  map[string]tools.Record // by call ID
	// Notice is what the next turn must tell the model; "" when there is nothing.
	Notice string
	// View is what the model was shown in the place of all messages.
	View View
	// Failed is what the model is to be told of the last turn, which did not come to
	// its end, and Cut says that it did not and that it is not recorded why.
	Failed string
	Cut    bool
}

// News is what is not as it was when a session was left, for its notice.
type News struct {
	// Files were changed by the session, and by somebody else since.
	Files []string
	// Place says, a line each, what else is not as it was, such as the branch.
	Place []string
}

// Load returns what is stored of the session. Its notice names every uncertain
// call of which the model was not told; [Session.Append] notes that it was when
// a user message contains the notice as it is. The notice has the news as well.
func (j *Session) Load(news ...News) (Past, error) {
	j.mu.Lock()
	n := j.n
	j.mu.Unlock()
	if n == 0 {
		return Past{Records: map[string]tools.Record{}}, nil
	}
	p, err := j.store.past(n)
	var named []int64
	if err == nil {
		p.Notice, named, err = j.store.notice(n, news)
	}
	if err == nil {
		p.Failed, p.Cut, err = j.store.failed(n, p.Messages)
	}
	if err != nil {
		return Past{}, doing(err, "load session %s", j.meta.ID)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notice, j.named = p.Notice, named
	return p, nil
}

// Ahead does what Load takes whatever the session, beside what the caller does
// until then: it opens the connections and has the queries understood.
func (s *Store) Ahead() {
	s.ahead.Go(func() { _, _ = s.past(0) }) // there is no such session; Load has the same error
}

// Read returns what is stored of a session, named by its ID or the beginning
// of one, without taking it: another process may be writing it.
func (s *Store) Read(id string) (Meta, Past, error) {
	id, err := s.find(id)
	if err != nil {
		return Meta{}, Past{}, doing(err, "read session %s", tools.CleanLine(id))
	}
	m, n := Meta{ID: id}, int64(0)
	err = s.readers.QueryRow(readMeta, id).Scan(&n, &m.Parent, &m.Dir, &m.Repo, &m.Model, &m.Agent, &m.Branch, &m.Forked, &m.Title)
	var p Past
	if err == nil {
		p, err = s.past(n)
	}
	return m, p, doing(explain(s.path, err), "read session %s", id)
}

const readMeta = `SELECT n, parent, dir, repo, model, agent, branch, forked, title FROM session WHERE id = ?`

// past reads messages and calls side by side, on a connection each.
func (s *Store) past(session int64) (p Past, err error) {
	var messages sync.WaitGroup
	var merr error
	messages.Go(func() { p.Messages, merr = s.messages(session) })
	records, err := s.byID(session)
	if err == nil {
		p.View, err = s.view(session)
	}
	messages.Wait()
	if err = cmp.Or(merr, err); err != nil {
		return Past{}, err
	}
	p.Records = records
	return p, nil
}

// byID returns the calls of a session, with their images.
func (s *Store) byID(session int64) (map[string]tools.Record, error) {
	records := map[string]tools.Record{}
	err := s.each(sessionRecords, []any{session}, func(rows *sql.Rows) error {
		r, err := s.scanRecord(rows)
		records[r.Call.ID] = r
		return err
	})
	if err != nil {
		return nil, err
	}
	return records, s.images(session, func(call string, image tools.Image) {
		if r, ok := records[call]; ok {
			r.Outcome.Images = append(r.Outcome.Images, image)
			records[call] = r
		}
	})
}

const sessionMessages = `SELECT n, role, parts, text, model, stop, input, cache_read, cache_write, output, reasoning
	FROM message m WHERE session = ? AND` + live + `ORDER BY seq`

func (s *Store) messages(session int64) ([]*llm.Message, error) {
	var list []*llm.Message
	images := map[int64]*llm.Message{} // those that have any, by row
	err := s.each(sessionMessages, []any{session}, func(rows *sql.Rows) error {
		var m llm.Message
		var n int64
		var parts sql.RawBytes
		var text string
		u := &m.Usage
		err := rows.Scan(&n, &m.Role, &parts, &text, &m.Model, &m.Stop, &u.Input, &u.CacheRead, &u.CacheWrite, &u.Output, &u.Reasoning)
		if err != nil {
			return err
		}
		var pictured bool
		if m.Parts, pictured, err = decodeParts(parts, text); err != nil {
			return damaged(s.path, "a message: "+err.Error())
		}
		if pictured {
			images[n] = &m
		}
		list = append(list, &m)
		return nil
	})
	if err != nil || len(images) == 0 {
		return list, err
	}
	return list, s.messageImages(session, images)
}

const sessionImages = `SELECT i.message, i.position, i.data FROM message m JOIN message_image i ON i.message = m.n WHERE m.session = ?`

func (s *Store) messageImages(session int64, messages map[int64]*llm.Message) error {
	return s.each(sessionImages, []any{session}, func(rows *sql.Rows) error {
		var n int64
		var position int
		var data []byte
		if err := rows.Scan(&n, &position, &data); err != nil {
			return err
		}
		if m := messages[n]; m != nil && position < len(m.Parts) {
			m.Parts[position].Data = data
		}
		return nil
	})
}

const (
	recordColumns = `SELECT c.id, c.tool, c.requested, a.args, c.message IS NULL, c.state, c.summary, c.effect, c.replay, c.risk,
	c.allowed, c.decided_by, c.reason, c.choice, c.verdict, c.decided_at,
	c.outcome, c.block, c.truncated, c.began, c.exit_code, c.took, coalesce(r.text, ''), coalesce(r.show, ''), coalesce(r.changes, ''),
	coalesce((SELECT e.args FROM call_edit e WHERE e.call = c.n AND e.position = 0), '')
	FROM call c JOIN call_args a ON a.call = c.n LEFT JOIN call_result r ON r.call = c.n `
	// To sort the rows is to write them all once more.
	sessionRecords = recordColumns + `WHERE c.session = ?`
	allRecords     = sessionRecords + ` ORDER BY c.n`
	resultImages   = `SELECT c.id, i.mime, i.data FROM call c JOIN call_image i ON i.call = c.n WHERE c.session = ? ORDER BY c.n, i.position`
)

// records returns the calls that a query of recordColumns finds.
func (s *Store) records(query string, session int64, more ...any) ([]tools.Record, error) {
	var list []tools.Record
	err := s.each(query, append([]any{session}, more...), func(rows *sql.Rows) error {
		r, err := s.scanRecord(rows)
		list = append(list, r)
		return err
	})
	if err != nil || len(list) == 0 {
		return list, err
	}
	return list, s.images(session, func(call string, image tools.Image) {
		i := slices.IndexFunc(list, func(r tools.Record) bool { return r.Call.ID == call })
		if i >= 0 {
			list[i].Outcome.Images = append(list[i].Outcome.Images, image)
		}
	})
}

// images calls f for the images in the results of a session, in order.
func (s *Store) images(session int64, f func(call string, image tools.Image)) error {
	return s.each(resultImages, []any{session}, func(rows *sql.Rows) error {
		var call string
		var image tools.Image
		err := rows.Scan(&call, &image.MIME, &image.Data)
		if err == nil {
			f(call, image)
		}
		return err
	})
}

// scanRecord reads the columns of recordColumns, and those behind them into
// more.
func (s *Store) scanRecord(rows *sql.Rows, more ...any) (tools.Record, error) {
	var r tools.Record
	var effect, replay, risk, verdict, kind, block, args, show, changes, was string
	var at, exit sql.NullInt64
	var took int64
	c, d, o := &r.Call, &r.Decision, &r.Outcome
	err := rows.Scan(append([]any{
		&c.ID, &c.Tool, &c.Requested, &args, &r.Operator, &r.State, &r.Summary, &effect, &replay, &risk,
		&d.Allowed, &d.By, &d.Reason, &d.Choice, &verdict, &at,
		&kind, &block, &o.Truncated, &o.Started, &exit, &took, &o.Text, &show, &changes, &was,
	}, more...)...)
	if err != nil {
		return r, err
	}
	if args != "" {
		c.Args = json.RawMessage(args)
	}
	if was != "" {
		r.Was = json.RawMessage(was)
	}
	r.Effect, r.Replay, r.Risk, r.Took = effectOf(effect), replayOf(replay), riskOf(risk), time.Duration(took)
	d.Verdict, d.At = riskOf(verdict), timeOf(at)
	o.Kind, o.Block = kindOf(kind), blockOf(block)
	if exit.Valid {
		code := int(exit.Int64)
		o.ExitCode = &code
	}
	if err := decodeResult(show, changes, o); err != nil {
		return r, damaged(s.path, "the result of call "+c.ID+": "+err.Error())
	}
	return r, nil
}

// each runs a query on a reading connection and calls f for each row.
func (s *Store) each(query string, args []any, f func(*sql.Rows) error) (err error) {
	rows, err := s.readers.Query(query, args...)
	if err != nil {
		return explain(s.path, err)
	}
	defer func() {
		if cerr := rows.Close(); err == nil {
			err = explain(s.path, cerr)
		}
	}()
	for rows.Next() {
		if err := f(rows); err != nil {
			return explain(s.path, err)
		}
	}
	return explain(s.path, rows.Err())
}
