package shell

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// sysProcAttr gives a command its own session and process group without a
// terminal.
func sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func signalName(n int) string { return unix.SignalName(syscall.Signal(n)) }

// processTable asks the kernel. The session of a process is not in the answer;
// its group stands in for it.
func processTable() []process {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	const zombie = 5 // SZOMB of <sys/proc.h>
	self := os.Getpid()
	table := make([]process, 0, len(all))
	for i := range all {
		k := &all[i]
		if pid := int(k.Proc.P_pid); pid != self {
			table = append(table, process{
				pid: pid, ppid: int(k.Eproc.Ppid), pgid: int(k.Eproc.Pgid), sid: int(k.Eproc.Pgid),
				start: micros(k.Proc.P_starttime), zombie: k.Proc.P_stat == zombie,
			})
		}
	}
	return table
}

func micros(t unix.Timeval) uint64 { return uint64(t.Sec)*1e6 + uint64(t.Usec) }

// startTime returns when a process started, 0 when it is gone.
func startTime(pid int) uint64 {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0
	}
	return micros(k.Proc.P_starttime)
}

// environMark is "": another process's environment cannot be seen.
func environMark(int) string { return "" }

func processIDs() []int { return nil }

func commandLine(int) string { return "" }
