package store

import (
	"database/sql"
	"errors"
	"strings"
	"time"
)

// A Hit is a place at which a search found its words.
type Hit struct {
	ID, Title, Dir, Branch string // of the session
	// Who is user or assistant for what was said, and the tool for what a call was
	// about or returned.
	Who  string
	At   time.Time
	Text string // some words around
}

// maxHits bounds what one search looks at, the newest first.
const maxHits = 500

const (
	searchAll = `SELECT s.id, s.title, s.dir, s.branch, h.said, h.n, h.who, h.at FROM (
	SELECT * FROM (SELECT m.session, 1 AS said, m.n, m.role AS who, m.at FROM message_search f JOIN message m ON m.n = f.rowid
		WHERE message_search MATCH ?1 AND` + live + `ORDER BY f.rowid DESC LIMIT ?4)
	UNION ALL
	SELECT * FROM (SELECT c.session, 0, c.n, c.tool, c.requested_at FROM call_search f JOIN call c ON c.n = f.rowid
		WHERE call_search MATCH ?1 ORDER BY f.rowid DESC LIMIT ?4)
	) h JOIN session s ON s.n = h.session WHERE s.parent = '' AND (?2 = '' OR s.dir = ?2) ORDER BY h.at DESC LIMIT ?3`
	// The words around a place are worked out for the few that are returned: it
	// takes long.
	saidAround = `SELECT snippet(message_search, 0, '', '', '…', 16) FROM message_search WHERE message_search MATCH ? AND rowid = ?`
	callAround = `SELECT snippet(call_search, -1, '', '', '…', 16) FROM call_search WHERE call_search MATCH ? AND rowid = ?`
)

// Search returns where all words of query occur together, in what was said, in
// the subject of a call, or in the head or tail of what it returned; the newest
// first, at most limit of them (all of the newest 500 when it is not positive).
// The last word may be the beginning of one. A dir that is not "" restricts it
// to the sessions started there.
func (s *Store) Search(query, dir string, limit int) ([]Hit, error) {
	words := matching(query)
	if words == "" {
		return nil, nil
	}
	if limit <= 0 || limit > maxHits {
		limit = maxHits
	}
	if err := s.Index(); err != nil {
		return nil, err
	}
	type place struct {
		said bool
		row  int64
	}
	var list []Hit
	var places []place
	err := s.each(searchAll, []any{words, plain(dir), limit, maxHits}, func(rows *sql.Rows) error {
		var h Hit
		var p place
		var at int64
		err := rows.Scan(&h.ID, &h.Title, &h.Dir, &h.Branch, &p.said, &p.row, &h.Who, &at)
		h.At = time.Unix(0, at)
		list, places = append(list, h), append(places, p)
		return err
	})
	for i, p := range places {
		query := callAround
		if p.said {
			query = saidAround
		}
		if err != nil {
			break
		}
		if err = s.readers.QueryRow(query, words, p.row).Scan(&list[i].Text); errors.Is(err, errNoRows) {
			err = nil // it was removed meanwhile
		}
	}
	return list, doing(explain(s.path, err), "search the sessions")
}

// matching is a query in the language of FTS5: each word a string, so that
// nothing in it is syntax, the last one a prefix.
func matching(query string) string {
	words := strings.Fields(plain(query))
	for i, w := range words {
		words[i] = `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " ") + "*"
}
