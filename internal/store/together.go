package store

// A transition is one change of the record that the turn makes.
type transition struct {
	what  string // said in its error, such as "record the start of c1"
	needs durability
	do    func(t tx, session int64) error // may be called more than once
	done  func()                          // called when it is committed; nil for nothing
}

// transit records one transition, or has it wait for the end of Together.
func (j *Session) transit(x transition) error {
	if j.gathered != nil {
		*j.gathered = append(*j.gathered, x)
		return nil
	}
	return j.commit([]transition{x})
}

// Together makes the transitions that f records one commit: when it returns nil
// all of them are on record, as durable as the one that needs it most, and
// otherwise none is. Within f they return nil whatever is to become of them. An
// error of f's own records nothing.
func (j *Session) Together(f func() error) error {
	list, err := j.gather(f)
	if err != nil || len(list) == 0 {
		return err
	}
	return j.commit(list)
}

// gather returns the transitions that f records. After a panic of f the next ones
// are recorded again, and not gathered for nobody.
func (j *Session) gather(f func() error) (list []transition, err error) {
	j.gathered = &list
	defer func() { j.gathered = nil }()
	err = f()
	return list, err
}

func (j *Session) commit(list []transition) error {
	needs, what := processDeath, list[0].what
	for _, x := range list {
		needs = max(needs, x.needs)
	}
	err := j.record(needs, func(t tx, session int64) error {
		for _, x := range list {
			what = x.what
			if err := x.do(t, session); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return doing(err, "%s", what)
	}
	for _, x := range list {
		if x.done != nil {
			x.done()
		}
	}
	return nil
}
