package store

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	insertMessage = `INSERT INTO message (session, seq, role, parts, text, model, stop, input, cache_read, cache_write, output, reasoning, at)
	SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM message WHERE session = ?1 RETURNING n, seq`
	insertImage  = `INSERT INTO message_image (message, position, data) VALUES (?, ?, ?)`
	touchSession = `UPDATE session SET updated_at = ?2, model = coalesce(nullif(?3, ''), model), title = coalesce(nullif(title, ''), ?4) WHERE n = ?1`
	insertCall   = `INSERT INTO call (session, id, message, position, tool, requested, state, requested_at) VALUES (?, ?, ?, ?, ?, '', 'requested', ?) RETURNING n`
	insertArgs   = `INSERT INTO call_args (call, args) VALUES (?, ?)`
	tellCall     = `UPDATE call SET told_at = ? WHERE n = ?`
)

// Append records a message of the user or the model, and the calls of an
// assistant message as requested ones, in one commit. A user message that
// contains the notice that Load returned also records that it was told.
func (j *Session) Append(m *llm.Message) error {
	row, err := encodeParts(j.store.redact, m.Parts)
	if err != nil {
		return doing(err, "record a message")
	}
	now, title := j.store.now(), ""
	if m.Role == llm.User {
		title = titleOf(m, j.store.redact)
	}
	told := false
	return j.transit(transition{what: "record a message", do: func(t tx, session int64) error {
		var n, seq int64
		u := m.Usage
		err := t.row(insertMessage, []any{
			session, string(m.Role), row.parts, row.text, plain(m.Model), plain(string(m.Stop)),
			u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning, stamp(now),
		}, &n, &seq)
		if err != nil {
			return err
		}
		for i, data := range row.images {
			if _, err := t.exec(insertImage, n, i, data); err != nil {
				return err
			}
		}
		if _, err := t.exec(touchSession, session, stamp(now), plain(m.Model), title); err != nil {
			return err
		}
		if told = j.notice != "" && m.Role == llm.User && strings.Contains(m.Text(), j.notice); told {
			for _, call := range j.named {
				if _, err := t.exec(tellCall, stamp(now), call); err != nil {
					return err
				}
			}
		}
		if err := errors.Join(j.admit(t, session), tellJobs(t, session, j.telling, now)); err != nil {
			return err
		}
		return request(t, session, seq, m, row.args, now)
	}, done: func() {
		j.admitted, j.telling = nil, nil
		if told {
			j.forget()
		}
		for i, c := range m.Calls() {
			j.asked[c.ID] = asked{c.Args, row.args[i]}
		}
	}})
}

func (j *Session) forget() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notice, j.named = "", nil
}

// request records the calls of an assistant message.
func request(t tx, session, seq int64, m *llm.Message, args []string, now time.Time) error {
	if m.Role != llm.Assistant {
		return nil
	}
	for i, c := range m.Calls() {
		var n int64
		err := t.row(insertCall, []any{session, plain(c.ID), seq, i, plain(c.Name), stamp(now)}, &n)
		if duplicate(err) {
			return fmt.Errorf("call %s is recorded already", c.ID)
		}
		if err != nil {
			return err
		}
		if _, err := t.exec(insertArgs, n, args[i]); err != nil {
			return err
		}
	}
	return nil
}

// asked is the arguments of a requested call, and how they are stored.
type asked struct {
	args   []byte
	stored string
}

// args is the arguments of a call as they are stored, and whether they are so
// already: as a rule they were written a moment ago, with the request.
func (j *Session) args(c tools.Call) (args string, stored bool) {
	a, ok := j.asked[c.ID]
	if ok && bytes.Equal(a.args, c.Args) {
		return a.stored, true
	}
	return j.store.redact.JSON(plain(string(c.Args))), false
}

// A call that another makes stands where that one does: with its message, and in
// its place among the calls of it.
const insertMade = `INSERT INTO call (session, id, message, position, tool, requested, state, requested_at)
	SELECT session, ?3, message, position, ?4, '', 'requested', ?5 FROM call WHERE session = ?1 AND id = ?2 AND state = 'started' RETURNING n`

// Request records a call that the call by makes.
func (j *Session) Request(by, c tools.Call) error {
	args, _ := j.args(c)
	return j.transit(transition{what: "record the call " + c.ID, do: func(t tx, session int64) error {
		var n int64
		err := t.row(insertMade, []any{session, plain(by.ID), plain(c.ID), plain(c.Tool), stamp(j.store.now())}, &n)
		switch {
		case duplicate(err):
			return fmt.Errorf("call %s is recorded already", c.ID)
		case errors.Is(err, errNoRows):
			return refused(t, session, by.ID)
		case err != nil:
			return err
		}
		_, err = t.exec(insertArgs, n, args)
		return err
	}, done: func() { j.asked[c.ID] = asked{c.Args, args} }})
}

const (
	proposeCall = `UPDATE call SET state = 'proposed', tool = ?3, requested = ?4, summary = ?5, effect = ?6, replay = ?7, risk = ?8,
	key = ?9, command = ?10, proposed_at = ?11 WHERE session = ?1 AND id = ?2 AND state = 'requested'`
	proposeOperator = `INSERT INTO call (session, id, message, position, tool, requested, state, summary, effect, replay, risk, key, command, requested_at, proposed_at)
	VALUES (?1, ?2, NULL, 0, ?3, ?4, 'proposed', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)`
	proposeArgs = `INSERT INTO call_args (call, args) SELECT n, ?3 FROM call WHERE session = ?1 AND id = ?2
	ON CONFLICT (call) DO UPDATE SET args = excluded.args WHERE args <> excluded.args`
)

// Propose records what a requested call would do. A call that no message
// requested becomes one of the operator.
func (j *Session) Propose(p *tools.Proposal) error {
	c, now, clean := p.Call, p.At, j.store.clean
	if now.IsZero() {
		now = j.store.now()
	}
	values := []any{
		plain(c.Tool), plain(c.Requested), clean(p.Summary),
		p.Spec.Effect.String(), p.Spec.Replay.String(), p.Spec.Risk.String(), clean(p.Key), clean(p.Command), stamp(now),
	}
	given, stored := j.args(c)
	j.expect(p)
	return j.transit(transition{what: "record the proposal of " + c.ID, do: func(t tx, session int64) error {
		args := append([]any{session, plain(c.ID)}, values...)
		rows, err := t.exec(proposeCall, args...)
		if err == nil && rows == 0 {
			if _, err = t.exec(proposeOperator, args...); duplicate(err) {
				return refused(t, session, c.ID)
			}
		}
		if err != nil {
			return err
		}
		if rows == 0 || !stored {
			if _, err = t.exec(proposeArgs, session, plain(c.ID), given); err != nil {
				return err
			}
		}
		return j.admit(t, session)
	}, done: func() {
		j.admitted = nil
		delete(j.asked, c.ID)
	}})
}

// expect notes what the start of a proposed call will need. It does so before
// the proposal is on record: both may become so in one commit.
func (j *Session) expect(p *tools.Proposal) {
	j.forgetStart(p.Call.ID)
	if p.Spec.Replay == tools.Safe {
		j.safe[p.Call.ID] = true
	}
	if len(p.Touches) > 0 {
		j.touches[p.Call.ID] = p.Touches
	}
}

func (j *Session) forgetStart(id string) {
	delete(j.safe, id)
	delete(j.touches, id)
}

const decideCall = `UPDATE call SET state = 'decided', allowed = ?3, decided_by = ?4, reason = ?5, choice = ?6, verdict = ?7, decided_at = ?8,
	summary = CASE summary WHEN '' THEN ?9 ELSE summary END
	WHERE session = ?1 AND id = ?2 AND (state = 'proposed' OR state = 'requested' AND NOT ?3) RETURNING n`

// Decide records the gate's answer on a proposed call, or the refusal of one
// that could not be proposed.
func (j *Session) Decide(c tools.Call, d tools.Decision) error {
	reason, choice, about := j.store.clean(d.Reason), j.store.clean(d.Choice), j.store.clean(d.About)
	return j.transit(transition{what: "record the decision on " + c.ID, do: func(t tx, session int64) error {
		var n int64
		err := t.row(decideCall, []any{
			session, plain(c.ID), d.Allowed, plain(string(d.By)), reason, choice, d.Verdict.String(), stampOrNull(d.At), about,
		}, &n)
		if errors.Is(err, errNoRows) {
			return refused(t, session, c.ID)
		}
		if err != nil {
			return err
		}
		return attest(t, session, n, decided)
	}})
}

const startCall = `UPDATE call SET state = 'started', started_at = ?3 WHERE session = ?1 AND id = ?2 AND state = 'decided' AND allowed = 1`

// Start records that an allowed call may begin now, once, and what stands at
// the paths that it touches. Unless the call may be attempted again, the record
// survives a loss of power when it returns.
func (j *Session) Start(c tools.Call) error {
	touches := j.touches[c.ID]
	return j.transit(transition{needs: j.startNeeds(c), what: "record the start of " + c.ID, do: func(t tx, session int64) error {
		if err := move(t, session, c.ID, startCall, stamp(j.store.now())); err != nil {
			return err
		}
		return j.keep(t, session, c.ID, touches)
	}, done: func() { j.forgetStart(c.ID) }})
}

func (j *Session) startNeeds(c tools.Call) durability {
	if j.safe[c.ID] {
		return processDeath
	}
	return powerLoss
}

// move makes one transition, or none and an error.
func move(t tx, session int64, id, query string, args ...any) error {
	rows, err := t.exec(query, append([]any{session, plain(id)}, args...)...)
	if err == nil && rows == 0 {
		return refused(t, session, id)
	}
	return err
}

const (
	settleCall = `UPDATE call SET state = 'settled', settled_at = ?3, outcome = ?4, block = ?5, truncated = ?6, began = ?7, exit_code = ?8, took = ?9
	WHERE session = ?1 AND id = ?2 AND state <> 'settled' RETURNING n`
	insertResult      = `INSERT INTO call_result (call, text, show, changes) VALUES (?, ?, ?, ?)`
	insertResultImage = `INSERT INTO call_image (call, position, mime, data) VALUES (?, ?, ?, ?)`
)

// Settle records the one outcome of a call, whatever its state.
func (j *Session) Settle(c tools.Call, o tools.Outcome, took time.Duration) error {
	show, changes, err := encodeResult(j.store.redact, o)
	if err != nil {
		return doing(err, "record the outcome of %s", c.ID)
	}
	text := j.store.clean(o.Text)
	return j.transit(transition{what: "record the outcome of " + c.ID, do: func(t tx, session int64) error {
		var n int64
		err := t.row(settleCall, []any{
			session, plain(c.ID), stamp(j.store.now()), o.Kind.String(), o.Block.String(), o.Truncated, o.Started, o.ExitCode, int64(took),
		}, &n)
		if errors.Is(err, errNoRows) {
			return refused(t, session, c.ID)
		}
		if err != nil {
			return err
		}
		if _, err := t.exec(insertResult, n, text, show, changes); err != nil {
			return err
		}
		for i, p := range o.Images {
			if _, err := t.exec(insertResultImage, n, i, plain(p.MIME), nonNil(p.Data)); err != nil {
				return err
			}
		}
		if err := attest(t, session, n, settled); err != nil {
			return err
		}
		if err := tellJobs(t, session, o.Reports, j.store.now()); err != nil {
			return err
		}
		return j.keep(t, session, c.ID, o.Touches)
	}, done: func() {
		delete(j.asked, c.ID)
		j.forgetStart(c.ID)
	}})
}

const callState = `SELECT state, allowed FROM call WHERE session = ? AND id = ?`

// refused says why a call could not make a transition.
func refused(t tx, session int64, id string) error {
	var state string
	var allowed bool
	err := t.row(callState, []any{session, plain(id)}, &state, &allowed)
	switch {
	case errors.Is(err, errNoRows):
		return errors.New("there is no such call")
	case err != nil:
		return err
	case tools.State(state) == tools.Decided && !allowed:
		return errors.New("it was decided against")
	}
	return fmt.Errorf("it is %s", state)
}
