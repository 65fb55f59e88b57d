package store

import (
	"errors"

	"github.com/zuno-dev/zuno/internal/tools"
)

// recentModels is how many models are remembered as recent.
const recentModels = 8

const modelsInUse = `SELECT model FROM message WHERE model <> '' GROUP BY model ORDER BY max(n) DESC LIMIT ?`

// Models returns the models that answered last, in any session, the latest
// first: at most eight, as "provider/model".
func (j *Session) Models() ([]string, error) {
	rows, err := j.store.readers.Query(modelsInUse, recentModels)
	if err != nil {
		return nil, doing(explain(j.store.path, err), "list the recent models")
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var m string
		if err := rows.Scan(&m); err != nil {
			return nil, doing(explain(j.store.path, err), "list the recent models")
		}
		list = append(list, m)
	}
	return list, doing(explain(j.store.path, rows.Err()), "list the recent models")
}

const chosenModel = `SELECT chosen, effort FROM session WHERE id = ?`

// Chosen returns what a session is gone on with, named by its ID or the
// beginning of one; see [Meta]. Both are "" for a session that there is not.
func (s *Store) Chosen(id string) (model, effort string, err error) {
	id, err = s.find(id)
	if errors.Is(err, ErrNoSession) {
		return "", "", nil
	}
	if err == nil {
		err = explain(s.path, s.readers.QueryRow(chosenModel, id).Scan(&model, &effort))
	}
	return model, effort, doing(err, "find the model of session %s", tools.CleanLine(id))
}
