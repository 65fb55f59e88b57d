//go:build unix

package shell

import (
	"os"
	"strings"
	"syscall"
	"time"
)

// A process is one row of the system's process table.
type process struct {
	pid, ppid, pgid, sid int
	start                uint64 // in ticks since the system's start
	zombie               bool
}

// A tree is what belongs to one command, or to all commands of one owner.
type tree struct {
	leader   int    // the program of a command, which leads a session and a group
	sessions []int  // sessions whose leaders have ended and been waited for
	mark     string // begins the value of the mark
	since    uint64 // nothing that is older belongs to it
}

// newTree returns what belongs to a command that was just started.
func newTree(p *os.Process, mark string) (tree, error) {
	return tree{leader: p.Pid, mark: mark, since: startTime(p.Pid)}, nil
}

// treeOf returns what belongs to an owner: what its commands have left, and all
// that has its mark.
func treeOf(left []tree, mark string, since uint64) tree {
	t := tree{mark: mark, since: since}
	for _, l := range left {
		t.sessions = append(t.sessions, l.leader)
	}
	return t
}

// release gives up what the system holds for t: nothing.
func (t tree) release() {}

// members lists what is alive, descendants included.
func (t tree) members() []process {
	table := processTable()
	if len(table) == 0 && t.leader != 0 && t.groupAlive() {
		return []process{{pid: t.leader, pgid: t.leader}} // there is no table to be had
	}
	alive := map[int]bool{}
	for _, p := range table {
		alive[p.pid] = true
	}
	mine := map[int]bool{}
	for _, p := range table {
		if p.start >= t.since && t.owns(p, alive) {
			mine[p.pid] = true
		}
	}
	if len(mine) == 0 {
		return nil
	}
	for more := true; more; {
		more = false
		for _, p := range table {
			if !mine[p.pid] && mine[p.ppid] {
				mine[p.pid], more = true, true
			}
		}
	}
	var live []process
	for _, p := range table {
		if mine[p.pid] && !p.zombie {
			live = append(live, p)
		}
	}
	return live
}

// owns reports that p belongs to t by itself. The number of a session stays
// taken as long as it has a member; one whose leader lives although we have
// waited for ours is somebody else's by now.
func (t tree) owns(p process, alive map[int]bool) bool {
	if t.leader != 0 && (p.sid == t.leader || p.pgid == t.leader) {
		return true
	}
	for _, s := range t.sessions {
		if (p.sid == s || p.pgid == s) && !alive[s] {
			return true
		}
	}
	return t.mark != "" && strings.HasPrefix(environMark(p.pid), t.mark)
}

// groupAlive is a cheap look at whether the program's group has a member; it
// may be a zombie.
func (t tree) groupAlive() bool {
	err := syscall.Kill(-t.leader, 0)
	return err == nil || err == syscall.EPERM
}

// signal sends sig to every member and returns those there were.
func (t tree) signal(sig syscall.Signal) []process {
	if t.leader != 0 {
		_ = syscall.Kill(-t.leader, sig) // the group at once: looking around takes time
	}
	live := t.members()
	for _, p := range live {
		if t.leader == 0 || p.pgid != t.leader {
			_ = syscall.Kill(p.pid, sig)
		}
	}
	return live
}

// end stops every member: SIGTERM, and SIGKILL when grace has passed or force
// is closed. It returns the pids that are left, after killFor. exited, closed
// when the program ends, only hastens it.
func (t tree) end(grace time.Duration, force, exited <-chan struct{}) []int {
	if len(t.signal(syscall.SIGTERM)) == 0 {
		return nil
	}
	if left := poll(grace, force, exited, t.members); len(left) == 0 {
		return nil
	}
	return killed(exited, func() []process { return t.signal(syscall.SIGKILL) })
}
