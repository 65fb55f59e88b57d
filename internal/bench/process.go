//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns what the process has used so far, all of its threads
// together. The clock of a process is made of its ID: see
// clock_getcpuclockid(3) and MAKE_PROCESS_CPUCLOCK of the kernel.
func cpuTime(pid int) (time.Duration, error) {
	const sched = 2
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|sched, &ts); err != nil {
		return 0, fmt.Errorf("read the CPU time of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// threadSum sums a field of the status of every thread (proc_pid_status(5)).
func threadSum(pid int, field string) (sum int64, err error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		n, err := statusField(f, field)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// memory returns a field of the status of the process in bytes: VmRSS is what
// it has, VmHWM the most that it had.
func memory(pid int, field string) (float64, error) {
	n, err := statusField(fmt.Sprintf("/proc/%d/status", pid), field)
	return float64(n << 10), err
}

func statusField(path, field string) (int64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		if f := strings.Fields(value); name == field && len(f) > 0 {
			return strconv.ParseInt(f[0], 10, 64)
		}
	}
	return 0, fmt.Errorf("%s has no %s", path, field)
}

// writes returns how many bytes the process wrote, to whatever (proc_pid_io(5)).
func writes(pid int) (int64, error) {
	return statusField(fmt.Sprintf("/proc/%d/io", pid), "wchar")
}

// A child is a process below zuno.
type child struct {
	pid  int
	name string
}

// children returns the processes below pid, at any depth.
func children(pid int) ([]child, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	below := map[int][]child{}
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if s, ok := statOf(id); ok && s.state != 'Z' {
			below[s.parent] = append(below[s.parent], child{id, s.name})
		}
	}
	found := below[pid]
	for i := 0; i < len(found); i++ {
		found = append(found, below[found[i].pid]...)
	}
	return found, nil
}

// runs reports whether the process is there and has not ended.
func (c child) runs() bool {
	s, ok := statOf(c.pid)
	return ok && s.state != 'Z' && s.state != 'X'
}

type stat struct {
	name   string
	state  byte
	parent int
}

// statOf reads the first fields of proc_pid_stat(5). A name may contain
// anything, also the bracket that ends it.
func statOf(pid int) (s stat, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	open, end := strings.IndexByte(string(b), '('), strings.LastIndexByte(string(b), ')')
	if err != nil || open < 0 || end < open {
		return s, false
	}
	f := strings.Fields(string(b[end+1:]))
	if len(f) < 2 {
		return s, false
	}
	parent, err := strconv.Atoi(f[1])
	return stat{string(b[open+1 : end]), f[0][0], parent}, err == nil
}
