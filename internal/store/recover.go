package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A rule says how a call is settled whose process died.
type rule struct {
	found string // the calls it is for, in SQL
	kind  tools.Kind
	block tools.Block
	began bool
	text  string
	by    tools.Source // set as the decision's source when not ""
}

// harmless calls change nothing that matters or may be attempted again.
const harmless = `(replay = 'safe' OR effect IN ('read-only', 'user-mediated'))`

// delegated calls have an agent whose work is recorded.
const delegated = `(effect = 'delegating' AND EXISTS (SELECT 1 FROM job j WHERE j.session = call.session AND j.call = call.id))`

// gathered calls have made others, which are recorded.
const gathered = `(effect = 'delegating' AND EXISTS (SELECT 1 FROM call m WHERE m.session = call.session AND m.message = call.message
	AND m.position = call.position AND m.n > call.n))`

// byOthers is what is known of calls whose work is recorded as that of others.
const byOthers = `(` + delegated + ` OR ` + gathered + `)`

// rules is the table of what becomes of calls without an outcome. Every state
// but settled is in it.
func rules() []rule {
	return []rule{
		{
			found: `state = 'requested'`, kind: tools.Cancelled,
			text: "zuno ended before this call began; it did not start",
		},
		{
			found: `state = 'proposed'`, kind: tools.Blocked, block: tools.Denied, by: tools.ByInterrupt,
			text: "interrupted: nobody answered; nothing was done",
		},
		{
			found: `state = 'decided' AND NOT allowed`, kind: tools.Blocked, block: tools.Denied,
			text: "it was not allowed; nothing was done",
		},
		{
			found: `state = 'decided' AND allowed`, kind: tools.Cancelled,
			text: "it was allowed, but zuno ended before it started; nothing was done",
		},
		{
			found: `state = 'started' AND ` + harmless + ` AND NOT ` + byOthers, kind: tools.Error, began: true,
			text: "zuno ended while this was running, and its result is lost; it may be called again",
		},
		{
			// What its agent did has a record of its own, and what of that is in doubt
			// is said of the calls that did it.
			found: `state = 'started' AND ` + delegated, kind: tools.Error, began: true,
			text: "zuno ended while the agent was at work. What it did until then is in the record of its session; calls of it that may have happened are named apart",
		},
		{
			found: `state = 'started' AND ` + gathered + ` AND NOT ` + delegated, kind: tools.Error, began: true,
			text: "zuno ended while the calls in this were being made. Each of them has a record of its own; those that may have happened are named apart, and those after them were not made",
		},
		{
			found: `state = 'started' AND NOT ` + harmless + ` AND NOT ` + byOthers, kind: tools.Uncertain, began: true,
			text: "zuno ended while this was running: it may have happened, in full, in part or not at all. Inspect the real state before any change; do not call it again until you know that it did not happen",
		},
	}
}

const (
	recoverResult = `INSERT INTO call_result (call, text, show, changes)
	SELECT n, CASE WHEN state = 'decided' AND NOT allowed AND reason <> '' THEN reason ELSE ?2 END, '', '' FROM call WHERE session = ?1 AND settled_at IS NULL AND `
	recoverCall = `UPDATE call SET state = 'settled', recovered = 1, settled_at = ?2, outcome = ?3, block = ?4, began = ?5,
	decided_by = coalesce(nullif(?6, ''), decided_by), reason = CASE WHEN ?6 = '' THEN reason ELSE ?7 END
	WHERE session = ?1 AND settled_at IS NULL AND `
	unsettledCalls = `SELECT n FROM call WHERE session = ? AND settled_at IS NULL ORDER BY n`
	hasUnsettled   = `SELECT EXISTS (SELECT 1 FROM call WHERE session = ? AND settled_at IS NULL)`
)

// recoverCalls settles what a session's last holder left unsettled.
func recoverCalls(t tx, session int64, now time.Time) error {
	var found bool
	if err := t.row(hasUnsettled, []any{session}, &found); err != nil || !found {
		return err
	}
	left, err := t.rows(unsettledCalls, session)
	if err != nil {
		return err
	}
	for _, r := range rules() {
		if _, err := t.exec(recoverResult+r.found, session, r.text); err != nil {
			return err
		}
		_, err := t.exec(recoverCall+r.found, session, stamp(now), r.kind.String(), r.block.String(), r.began, string(r.by), r.text)
		if err != nil {
			return err
		}
	}
	for _, n := range left {
		if err := attest(t, session, n, settled); err != nil {
			return err
		}
	}
	return nil
}

const interruptedRecords = recordColumns + `WHERE c.session = ? AND c.recovered = 1 AND c.settled_at = ? ORDER BY c.n`

// Interrupted returns the calls that the session's last holder left behind and
// that were settled when this one opened it.
func (j *Session) Interrupted() ([]tools.Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened.IsZero() {
		return nil, nil
	}
	list, err := j.store.records(interruptedRecords, j.n, stamp(j.opened))
	return list, doing(err, "list what was interrupted in session %s", j.meta.ID)
}

// untold finds the uncertain calls of which the model was not told, with what a
// probe found out. The attempt counts the calls of the same tool and arguments
// that had started by then.
const untold = family + `SELECT c.n, CASE WHEN c.session = ?1 THEN '' ELSE (SELECT id || '/' FROM family WHERE n = c.session) END || c.id, c.tool, c.summary, a.args, c.recovered, c.started_at, r.text, coalesce(f.finding, ''), coalesce(f.note, ''),
	(SELECT count(*) FROM call d JOIN call_args b ON b.call = d.n
	 WHERE d.session = c.session AND d.n <= c.n AND d.tool = c.tool AND b.args = a.args AND d.started_at IS NOT NULL)
	FROM call c JOIN call_args a ON a.call = c.n JOIN call_result r ON r.call = c.n LEFT JOIN reconciliation f ON f.call = c.n
	WHERE c.session IN (SELECT n FROM family) AND c.told_at IS NULL AND c.outcome = 'uncertain' AND coalesce(f.by, 'probe') = 'probe' ORDER BY c.n`

// What a notice says around the calls it lists.
const (
	noticeUncertain = `The outcome of these calls is not known. Each may have happened in full, in part or not at all:
`
	noticeFound = `These calls were interrupted; what became of them shows in the files they touch:
`
	noticeChanged = `These files, which you changed, were changed by somebody else since; read them again before you rely on what they hold:
`
	noticePlace = `The session is not where it was left, so that files may hold something else than you have seen:
`
	noticeGone = `The user took the conversation back to this point. What was done in the part that is gone, which you do not see, stays:
`
	noticeGoneTail = `Read files again before you rely on what they hold.
`
	noticeTail = `Before any change, inspect the real state and find out what each of them did; reading is fine. Do not make one of these calls again until you know that it did not happen. Tell the user what you found, and record it with the tool reconcile.
`
)

// notice returns what the model must be told of a session's uncertain calls,
// and the rows of these calls.
func (s *Store) notice(session int64, news []News) (string, []int64, error) {
	var b, found strings.Builder
	var calls []int64
	err := s.each(untold, []any{session}, func(rows *sql.Rows) error {
		var id, tool, subject, args, text, finding, note string
		var recovered bool
		var started sql.NullInt64
		var n int64
		var attempt int
		if err := rows.Scan(&n, &id, &tool, &subject, &args, &recovered, &started, &text, &finding, &note, &attempt); err != nil {
			return err
		}
		if subject == "" {
			subject = args
		}
		when, known := "", "it was running when zuno ended; no result was recorded"
		if started.Valid {
			when = ", started " + timeOf(started).UTC().Format("2006-01-02 15:04:05 UTC")
		}
		if !recovered {
			known = "what it returned: " + quote(text, 300)
		}
		calls = append(calls, n)
		if finding != "" {
			fmt.Fprintf(&found, "- call %s, %s: %s: %s (%s)\n", quote(id, 64), quote(tool, 64), quote(subject, 300), strings.ReplaceAll(finding, "-", " "), quote(note, 200))
			return nil
		}
		fmt.Fprintf(&b, "- call %s, %s: %s; attempt %d%s; %s\n", quote(id, 64), quote(tool, 64), quote(subject, 300), attempt, when, known)
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	gone, err := s.gone(session)
	text := ""
	if b.Len() > 0 {
		text = noticeUncertain + b.String() + noticeTail
	}
	if found.Len() > 0 {
		text += noticeFound + found.String()
	}
	text += gone
	for _, n := range news {
		text += listed(noticeChanged, n.Files) + listed(noticePlace, n.Place)
	}
	if text == "" || err != nil {
		return "", nil, err
	}
	return "<recovery_notice>\n" + text + "</recovery_notice>", calls, nil
}

// listed is a list under its heading, "" for one of nothing.
func listed(heading string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	text := heading
	for _, l := range lines {
		text += "- " + quote(l, 300) + "\n"
	}
	return text
}

const lastGone = `SELECT w.from_seq FROM rewind w WHERE w.session = ?1 AND w.undone_at IS NULL
	AND w.to_seq = (SELECT max(seq) FROM message WHERE session = ?1) ORDER BY w.n DESC LIMIT 1`

// gone says what stays of a part of the conversation that was just taken back:
// the files that are not as they were before it, and what it did besides.
func (s *Store) gone(session int64) (string, error) {
	var from int64
	switch err := s.readers.QueryRow(lastGone, session).Scan(&from); {
	case errors.Is(err, errNoRows):
		return "", nil
	case err != nil:
		return "", explain(s.path, err)
	}
	r, err := s.since(session, from)
	var b strings.Builder
	for _, p := range r.Points {
		if len(p.Held) > 1 || !p.Held[0].Holds(p.Want) {
			fmt.Fprintf(&b, "- file %s\n", quote(p.Name, 300))
		}
	}
	for _, e := range r.Effects {
		fmt.Fprintf(&b, "- %s: %s (%s)\n", quote(e.Call.Tool, 64), quote(e.Summary, 300), e.Outcome.Kind)
	}
	if b.Len() == 0 || err != nil {
		return "", err
	}
	return noticeGone + b.String() + noticeGoneTail, nil
}

// quote makes s fit for a line of a tagged text: bounded, and unable to end
// the line or the tag.
func quote(s string, n int) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(tools.CleanLine(tools.Clip(strings.TrimSpace(s), n)))
}
