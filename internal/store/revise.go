package store

import (
	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	keepEdited = `INSERT INTO call_edit (call, position, args, at)
	SELECT c.n, (SELECT count(*) FROM call_edit e WHERE e.call = c.n), a.args, ?3 FROM call c JOIN call_args a ON a.call = c.n
	WHERE c.session = ?1 AND c.id = ?2 AND c.state = 'proposed'`
	reviseCall = `UPDATE call SET summary = ?3, effect = ?4, replay = ?5, risk = ?6, key = ?7, command = ?8, proposed_at = ?9
	WHERE session = ?1 AND id = ?2 AND state = 'proposed'`
)

// Revise records that a person rewrote the arguments of a proposed call, and
// what it would do now. The arguments that it had before are kept.
func (j *Session) Revise(p *tools.Proposal) error {
	c, now, clean := p.Call, stamp(j.store.now()), j.store.clean
	j.expect(p)
	return j.transit(transition{what: "record what a person made of " + c.ID, do: func(t tx, session int64) error {
		if err := move(t, session, c.ID, keepEdited, now); err != nil {
			return err
		}
		err := move(t, session, c.ID, reviseCall, clean(p.Summary), p.Spec.Effect.String(), p.Spec.Replay.String(), p.Spec.Risk.String(),
			clean(p.Key), clean(p.Command), now)
		if err != nil {
			return err
		}
		_, err = t.exec(proposeArgs, session, plain(c.ID), j.store.redact.JSON(plain(string(c.Args))))
		return err
	}})
}
