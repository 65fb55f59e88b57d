package tui

import "time"

// armFor is how long a first press waits for the second.
const armFor = time.Second

// A press is a key that can stop or leave.
type press int

const (
	pressEsc    press = iota
	pressEscEsc       // both in one read: terminals report it as alt+esc
	pressCtrlC
	pressCtrlD
)

// An action is what a press leads to.
type action int

const (
	actNone  action = iota
	actArm          // say that a second press stops the turn
	actStop         // stop the turn
	actClear        // put the draft away
	actLeave        // say that a second press leaves
	actQuit
	actRewind // ask what to go back to
)

// escape is the state of the two-press machine: when the last press was that
// counts, and whether it armed stopping; else which key it was, for the second
// must be the same to leave or to go back.
type escape struct {
	at      time.Time
	leaving press
	stops   bool
}

// armed reports whether a second press would stop the turn.
func (e escape) armed(now time.Time) bool { return e.stops && now.Sub(e.at) <= armFor }

// leaves reports whether a second press would leave.
func (e escape) leaves(now time.Time) bool {
	return !e.stops && e.leaving != pressEsc && !e.at.IsZero() && now.Sub(e.at) <= armFor
}

// again reports whether a second press of Esc would put the draft away, or else
// ask what to go back to.
func (e escape) again(now time.Time) bool {
	return !e.stops && e.leaving == pressEsc && !e.at.IsZero() && now.Sub(e.at) <= armFor
}

// press is the machine: what k means at now, while busy or with a draft.
func (e escape) press(k press, busy, draft bool, now time.Time) (escape, action) {
	switch {
	case busy && k == pressCtrlD:
		return e, actNone
	case busy && (k == pressEscEsc || e.armed(now)):
		return escape{}, actStop
	case busy:
		return escape{at: now, stops: true}, actArm
	case k == pressEsc || k == pressEscEsc:
		switch twice := k == pressEscEsc || e.again(now); {
		case twice && draft:
			return escape{}, actClear
		case twice:
			return escape{}, actRewind
		}
		return escape{at: now, leaving: pressEsc}, actNone
	case k == pressCtrlD && draft:
		return e, actNone
	case e.leaves(now) && e.leaving == k:
		return escape{}, actQuit
	case draft:
		return escape{at: now, leaving: k}, actClear
	}
	return escape{at: now, leaving: k}, actLeave
}
