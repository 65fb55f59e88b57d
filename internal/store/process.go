package store

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// heartbeatLimit is how old the last write of a holder may be that cannot be
// looked at, because it runs elsewhere, before it counts as dead.
const heartbeatLimit = 30 * time.Second

// A process is enough to find out later whether it still lives. Start, Boot
// and Space come from /proc and are "" where there is none.
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
	if b, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		p.Boot = strings.TrimSpace(string(b))
	}
	p.Space, _ = os.Readlink("/proc/self/ns/pid") // unknown stays ""
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
	found, err := os.FindProcess(p.PID)
	if err != nil {
		return false
	}
	err = found.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// startOf returns when the process began, in clock ticks since the boot, and
// its state: fields 22 and 3 of /proc/PID/stat (proc_pid_stat(5)). The fields
// are counted from behind the name, which may contain anything.
func startOf(pid int) (start string, state byte) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 20 {
		return "", 0
	}
	return f[19], f[0][0]
}
