package store

import (
	"os"
	"time"
)

// heartbeatLimit is how old the last write of a holder may be that cannot be
// looked at, because it runs elsewhere, before it counts as dead.
const heartbeatLimit = 30 * time.Second

// A process is enough to find out later whether it still lives. Boot and
// Space are "" where the system does not tell, as Start may be.
type process struct {
	PID   int
	Start string // tells it from a later process of the same PID
	Boot  string // the boot of the machine
	Space string // the PID namespace: in another one the PID means another process
	Host  string
}

func thisProcess() process {
	p := process{PID: os.Getpid()}
	p.Start, _ = startOf(p.PID)
	p.Boot, p.Space = where()
	p.Host, _ = os.Hostname()
	return p
}

// alive reports whether p still runs, as seen from self, when it last wrote at
// heartbeat. Where p cannot be looked at, that is what tells.
func (p process) alive(self process, heartbeat, now time.Time) bool {
	switch {
	// A host may change its name while it runs; that only tells where nothing
	// better is known.
	case p.Boot == self.Boot && p.Space == self.Space && (p.Boot != "" || p.Host == self.Host):
		return p.runs()
	case p.Boot != self.Boot && p.Host == self.Host:
		return false // the machine was started again
	}
	return now.Sub(heartbeat) < heartbeatLimit
}

// runs reports whether a process of this PID and start time runs here.
func (p process) runs() bool {
	if start, state := startOf(p.PID); start != "" && p.Start != "" {
		return start == p.Start && state != 'Z' && state != 'X' // zombies and the dead
	}
	return exists(p.PID)
}
