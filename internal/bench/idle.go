//go:build unix

package main

import "time"

// idle watches a screen on which nothing happens.
func (l *lab) idle(t *terminal) error {
	if err := t.quiet(l.size.calm); err != nil {
		return err
	}
	pid := t.cmd.Process.Pid
	rss, err := memory(pid, "VmRSS")
	if err != nil {
		return err
	}
	before, err := effort(pid)
	if err != nil {
		return err
	}
	if err := t.pause(l.size.idle); err != nil {
		return err
	}
	after, err := effort(pid)
	if err != nil {
		return err
	}
	seconds := l.size.idle.Seconds()
	l.add("prompt.cpu", ms(before.cpu))
	l.add("prompt.rss", rss/mega)
	l.add("idle.cpu", ms(after.cpu-before.cpu)/seconds)
	l.add("idle.bytes", float64(after.bytes-before.bytes))
	l.add("idle.wakes", float64(after.wakes-before.wakes)/seconds)
	return nil
}

// A deed is what a process has done so far.
type deed struct {
	cpu          time.Duration
	bytes, wakes int64
}

func effort(pid int) (d deed, err error) {
	if d.cpu, err = cpuTime(pid); err != nil {
		return d, err
	}
	if d.bytes, err = writes(pid); err != nil {
		return d, err
	}
	d.wakes, err = threadSum(pid, "voluntary_ctxt_switches")
	return d, err
}
