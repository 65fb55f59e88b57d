package shell

import "time"

// markName is the variable by which the processes of a command are known. Its
// value is the pid and the start time of zuno, a random word and the number of
// the command, each followed by a dot.
const markName = "ZUNO_COMMAND"

// killFor is how long processes are killed again before they are given up: a
// process in the middle of a system call may take its time, and one that keeps
// forking may be ahead for a moment.
const killFor = 3 * time.Second

// poll asks again and again until there is nothing left, the time is over or
// force is closed, and returns the last answer.
func poll(d time.Duration, force, exited <-chan struct{}, ask func() []process) []process {
	over := time.NewTimer(d)
	defer over.Stop()
	pause := time.Millisecond
	for {
		var done bool
		select {
		case <-exited:
			exited = nil
		case <-time.After(pause):
			pause = min(2*pause, 20*time.Millisecond)
		case <-over.C:
			done = true
		case <-force:
			done = true
		}
		if left := ask(); done || len(left) == 0 {
			return left
		}
	}
}

// killed kills again and again until nothing is left or killFor has passed, and
// returns the pids that are left.
func killed(exited <-chan struct{}, kill func() []process) []int {
	if len(kill()) == 0 {
		return nil
	}
	var pids []int
	for _, p := range poll(killFor, nil, exited, kill) {
		pids = append(pids, p.pid)
	}
	return pids
}
