package shell

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// sysProcAttr gives a command no console of ours, and has it wait until it is
// in a job: see newTree.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
	}
}

// signalName is "": there are no signals.
func signalName(int) string { return "" }

// A process is one process of a job.
type process struct {
	pid int
}

// processTable is empty: nothing outlives the zuno that started it, as its job
// ends with it.
func processTable() []process { return nil }

// startTime returns when a process started, 0 when it is gone.
func startTime(pid int) uint64 {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(h) }() // nothing was changed through it
	var made, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &made, &ended, &kernel, &user); err != nil {
		return 0
	}
	return uint64(made.HighDateTime)<<32 | uint64(made.LowDateTime)
}

// environMark is "": another process's environment is not looked at.
func environMark(int) string { return "" }

func processIDs() []int { return nil }

// commandLine returns the path of the program of a process.
func commandLine(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(h) }() // nothing was changed through it
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n := uint32(len(buf))
	if err := windows.QueryFullProcessImageName(h, 0, &buf[0], &n); err != nil {
		return ""
	}
	return windows.UTF16ToString(buf[:n])
}
