package store

import (
	"errors"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
)

const insertFailed = `INSERT INTO failed_turn (session, seq, text, at)
	SELECT ?1, coalesce(max(seq), 0), ?2, ?3 FROM message WHERE session = ?1`

// Failed records what the model is to be told of the turn that ends here, which did
// not come to its end.
func (j *Session) Failed(text string) error {
	return j.transit(transition{what: "record that the turn failed", do: func(t tx, session int64) error {
		_, err := t.exec(insertFailed, session, j.store.redact.Text(plain(text)), stamp(j.store.now()))
		return err
	}})
}

// lastFailed looks behind the last messages that are no part of a turn.
const lastFailed = `SELECT text FROM failed_turn WHERE session = ?1 AND seq >= (SELECT m.seq FROM message m WHERE m.session = ?1 AND` + live + `ORDER BY m.seq DESC LIMIT 1 OFFSET ?2)
	AND seq <= (SELECT max(m.seq) FROM message m WHERE m.session = ?1 AND` + live + `) ORDER BY n DESC LIMIT 1`

// failed returns what the model is to be told of the last turn of a session: "" for
// one that came to its end, and cut says that it did not, but that nobody could
// record why.
func (s *Store) failed(session int64, list []*llm.Message) (text string, cut bool, err error) {
	beside := 0
	for i := len(list) - 1; i >= 0 && aside(list[i]); i-- {
		beside++
	}
	if beside == len(list) {
		return "", false, nil
	}
	switch err := s.readers.QueryRow(lastFailed, session, beside).Scan(&text); {
	case err == nil:
		return text, false, nil
	case !errors.Is(err, errNoRows):
		return "", false, explain(s.path, err)
	}
	last := list[len(list)-1-beside]
	return "", last.Role != llm.Assistant || len(last.Calls()) > 0, nil
}

// aside reports whether a message tells of what the person did with their own hand,
// or of work in the background: neither is of a turn.
func aside(m *llm.Message) bool {
	if m.Role != llm.User || len(m.Parts) == 0 {
		return false
	}
	what := m.Parts[0].For
	// The marks of what goes along with a prompt, and of what a hook said in a turn,
	// are none that a call could have.
	return what != "" && !strings.HasPrefix(what, "@") && !strings.HasSuffix(what, ":")
}
