package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A Summary is one line of the list of sessions.
type Summary struct {
	ID, Title        string
	Dir, Repo        string
	Model, Agent     string
	Created, Updated time.Time
	Messages, Calls  int
	Branch           string  // as of Meta
	Forked           string  // as of Meta
	Uncertain        int     // calls that may have happened, and nobody found out
	Untold           int     // those of them that the model was not told of
	Unsettled        int     // calls that have no outcome yet
	Cost             float64 // of all model calls whose price is known, in US dollars
	Held             bool    // a living process has it
}

// listSessions works the families out once, for all of the list.
const listSessions = `WITH RECURSIVE top AS (SELECT * FROM session WHERE parent = '' AND (?1 = '' OR dir = ?1) ORDER BY updated_at DESC, n DESC LIMIT ?2),
	family (top, n, id) AS (SELECT n, n, id FROM top UNION ALL SELECT f.top, c.n, c.id FROM family f CROSS JOIN session c ON c.parent = f.id)
	SELECT s.id, s.title, s.dir, s.repo, s.model, s.agent, s.branch, s.forked, s.created_at, s.updated_at,
	(SELECT count(*) FROM message WHERE session = s.n),
	(SELECT count(*) FROM call WHERE session = s.n),
	coalesce(u.doubts, 0), coalesce(u.untold, 0), (SELECT count(*) FROM call WHERE session = s.n AND settled_at IS NULL), coalesce(p.cost, 0.0),
	s.owner <> '', s.owner_pid, s.owner_start, s.owner_boot, s.owner_space, s.owner_host, s.heartbeat
	FROM top s
	LEFT JOIN (SELECT f.top AS top, count(*) AS doubts, sum(c.session = f.top AND c.told_at IS NULL) AS untold
		FROM family f CROSS JOIN call c ON c.session = f.n WHERE` + unresolved + `GROUP BY f.top) u ON u.top = s.n
	LEFT JOIN (SELECT f.top AS top, sum(l.cost) AS cost FROM family f CROSS JOIN llm_usage l ON l.session = f.n GROUP BY f.top) p ON p.top = s.n
	ORDER BY s.updated_at DESC, s.n DESC`

// Sessions returns the newest sessions, at most limit of them, all when limit
// is not positive. Those that another session delegated to are left out.
func (s *Store) Sessions(limit int) ([]Summary, error) { return s.SessionsIn("", limit) }

// SessionsIn is Sessions for those that were started in dir; "" means all.
func (s *Store) SessionsIn(dir string, limit int) ([]Summary, error) {
	if limit <= 0 {
		limit = -1
	}
	var list []Summary
	now := s.now()
	err := s.each(listSessions, []any{plain(dir), limit}, func(rows *sql.Rows) error {
		var m Summary
		var p process
		var created, updated, heartbeat int64
		err := rows.Scan(&m.ID, &m.Title, &m.Dir, &m.Repo, &m.Model, &m.Agent, &m.Branch, &m.Forked, &created, &updated,
			&m.Messages, &m.Calls, &m.Uncertain, &m.Untold, &m.Unsettled, &m.Cost,
			&m.Held, &p.PID, &p.Start, &p.Boot, &p.Space, &p.Host, &heartbeat)
		m.Created, m.Updated = time.Unix(0, created), time.Unix(0, updated)
		m.Held = m.Held && p.alive(s.self, time.Unix(0, heartbeat), now)
		list = append(list, m)
		return err
	})
	return list, doing(err, "list the sessions")
}

// Messages are numbered as they are recorded: a clock that was set back does not
// make an older session the latest one.
const latestSession = `SELECT id FROM session s WHERE dir = ? AND parent = ''
	ORDER BY coalesce((SELECT m.n FROM message m WHERE m.session = s.n ORDER BY m.seq DESC LIMIT 1), 0) DESC, updated_at DESC, n DESC LIMIT 1`

// Latest returns the session of dir to which a message was added last, and
// whether there is any.
func (s *Store) Latest(dir string) (id string, ok bool, err error) {
	err = s.readers.QueryRow(latestSession, plain(dir)).Scan(&id)
	if errors.Is(err, errNoRows) {
		return "", false, nil
	}
	return id, err == nil, doing(explain(s.path, err), "find the latest session of %s", dir)
}

const findSessions = `SELECT id FROM session WHERE id >= ?1 AND id < ?1 || char(0x10ffff) ORDER BY id LIMIT 2`

// find returns the ID that is id or, of only one session, begins with it.
func (s *Store) find(id string) (string, error) {
	var found []string
	err := s.each(findSessions, []any{plain(id)}, func(rows *sql.Rows) error {
		var x string
		err := rows.Scan(&x)
		found = append(found, x)
		return err
	})
	switch {
	case err != nil:
		return id, err
	case id == "" || len(found) == 0:
		return id, fmt.Errorf("%w; zuno sessions lists them, and zuno -c continues the newest one of a folder", ErrNoSession)
	case found[0] != id && len(found) > 1:
		return id, fmt.Errorf("%w: more than one begins like that; give more of the ID", ErrNoSession)
	}
	return found[0], nil
}

// titleBytes bounds a title that is made from a prompt.
const titleBytes = 100

// titleOf returns the first line of the last text of a prompt: what comes
// before it is context that zuno added.
func titleOf(m *llm.Message, hide *redact.Redactor) string {
	title := ""
	for _, p := range m.Parts {
		if p.Kind == llm.Text {
			title = p.Text
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(hide.Text(plain(title))), "\n")
	return tools.CleanLine(tools.Clip(strings.TrimSpace(line), titleBytes))
}
