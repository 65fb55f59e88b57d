package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// batches reports whether g is a call that may make calls.
func (g *prepared) batches() bool {
	return g.outcome == nil && g.decision.Allowed && g.proposal.Batch != nil
}

// batch carries out a call that makes others. Each of these takes the road of
// every call: it is proposed, decided on, recorded and settled by itself. Its
// error is one of the journal.
func (s *Session) batch(ctx context.Context, g *prepared, emit func(Event)) ([]tools.Record, error) {
	r := record(g)
	finish := func(o tools.Outcome, failure error) ([]tools.Record, error) {
		r.Outcome = s.presentable(o)
		records := []tools.Record{r}
		return records, errors.Join(failure, s.settle(records, emit))
	}
	if o, settled := s.unrun(ctx, g, nil); settled {
		return finish(o, nil)
	}
	s.note(func() error { return s.conf.Journal.Start(g.call) }, func() { emit(Started{g.call}) })
	if err := s.commit(); err != nil {
		return finish(unstarted(err), err)
	}
	began := time.Now()
	var failure error
	for failure == nil && ctx.Err() == nil {
		calls := g.proposal.Batch.Next(g.made)
		if len(calls) == 0 {
			break
		}
		var records []tools.Record
		records, failure = s.makeCalls(ctx, g, calls, emit)
		g.made = append(g.made, records...)
	}
	r.Took = time.Since(began)
	return finish(g.proposal.Batch.Outcome(g.made, ctx.Err() != nil || failure != nil), failure)
}

// makeCalls makes calls for g, in order: those that may overlap run together, and an
// exclusive one is proposed when all before it have settled.
func (s *Session) makeCalls(ctx context.Context, g *prepared, calls []tools.Call, emit func(Event)) (all []tools.Record, err error) {
	var group []*prepared
	flush := func() error {
		records, err := s.execute(ctx, group, emit)
		all, group = append(all, records...), nil
		return err
	}
	for i, c := range calls {
		asked := &llm.Call{ID: s.newID(madeID(g.call.ID, len(g.made)+i+1)), Name: c.Tool, Args: c.Args}
		call, tool := s.lookUp(asked)
		alone := tool == nil || tool.Spec().Concurrency == tools.Exclusive
		if alone {
			if err := flush(); err != nil {
				return all, err
			}
		}
		s.note(func() error { return s.conf.Journal.Request(g.call, call) }, nil)
		var p *prepared
		if call.Tool == g.call.Tool {
			p = s.refuse(call, tools.Refuse(tools.InvalidArguments, "%s cannot be one of the calls in it", call.Tool), emit)
		} else {
			p, err = s.prepare(ctx, asked, call, tool, emit)
		}
		if err != nil {
			return all, errors.Join(err, flush())
		}
		p.inner = true
		group = append(group, p)
		if alone || p.proposal != nil && p.proposal.Spec.Concurrency == tools.Exclusive {
			if err := flush(); err != nil {
				return all, err
			}
		}
	}
	return all, flush()
}

// madeMark stands in the ID of a call that another makes, between the ID of that
// one and a number.
const madeMark = "_sub"

// madeID is the ID of the nth call that another makes, counted from 1.
func madeID(by string, n int) string { return madePrefix(by) + strconv.Itoa(n) }

// madePrefix is short enough for the number to stay in every ID.
func madePrefix(by string) string { return fmt.Sprintf("%.40s", by) + madeMark }

// madeBy returns the records of the calls that another made, in order.
func (s *Session) madeBy(id string) []tools.Record {
	var list []tools.Record
	order := func(r tools.Record) int {
		n, _, _ := strings.Cut(strings.TrimPrefix(r.Call.ID, madePrefix(id)), "_")
		i, err := strconv.Atoi(n)
		if err != nil {
			return -1
		}
		return i
	}
	for other, r := range s.records {
		if strings.HasPrefix(other, madePrefix(id)) && order(r) > 0 {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b tools.Record) int { return order(a) - order(b) })
	return list
}
