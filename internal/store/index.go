package store

// What has to be done for the indexes to cover all that is recorded, in one
// transaction. See migrations/0012_search_later.sql.
func indexSteps() []string {
	return []string{
		`INSERT INTO message_search (rowid, text) SELECT m.n, m.text FROM message m WHERE m.n > (SELECT message FROM search_state)`,
		`INSERT INTO call_search (rowid, summary, text) SELECT w.n, w.summary, w.text FROM call_words w WHERE w.n > (SELECT call FROM search_state)`,
		`INSERT INTO call_search (rowid, summary, text) SELECT w.n, w.summary, w.text FROM search_missing x JOIN call_words w ON w.n = x.call`,
		`DELETE FROM search_missing WHERE call IN (SELECT call FROM call_result)`,
		`INSERT INTO search_missing SELECT c.n FROM call c WHERE c.n > (SELECT call FROM search_state) AND NOT EXISTS (SELECT 1 FROM call_result r WHERE r.call = c.n)`,
		`UPDATE search_state SET message = coalesce((SELECT max(n) FROM message), 0), call = coalesce((SELECT max(n) FROM call), 0)`,
	}
}

const unindexed = `SELECT coalesce((SELECT max(n) FROM message), 0) > message OR coalesce((SELECT max(n) FROM call), 0) > call
	OR EXISTS (SELECT 1 FROM search_missing x JOIN call_result r ON r.call = x.call) FROM search_state`

// Index puts what was recorded since the last time into the indexes that are
// searched. It takes some hundredths of a millisecond a message or call; nothing
// else can be recorded meanwhile. Search does it first too.
func (s *Store) Index() error {
	var some bool
	if err := s.readers.QueryRow(unindexed).Scan(&some); err != nil || !some {
		return doing(explain(s.path, err), "look what can be searched")
	}
	return doing(s.writer.write(processDeath, func(t tx) error {
		for _, query := range indexSteps() {
			if _, err := t.exec(query); err != nil {
				return err
			}
		}
		return nil
	}), "make what was recorded searchable")
}
