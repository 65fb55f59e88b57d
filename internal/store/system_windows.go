package store

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/windows"
)

// where is unknown: the time at which a process started says enough.
func where() (boot, space string) { return "", "" }

// exists reports whether there is a process of that PID. One that may not be
// looked at is there.
func exists(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer func() { _ = windows.CloseHandle(h) }() // nothing was changed through it
	return !ended(h)
}

// ended reports whether a process is over that somebody still has open.
func ended(h windows.Handle) bool {
	what, err := windows.WaitForSingleObject(h, 0)
	return err == nil && what == windows.WAIT_OBJECT_0
}

// startOf returns when the process began, in 100 ns since 1601, and 'Z' for
// one that is over; "" when it is gone or may not be looked at.
func startOf(pid int) (start string, state byte) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return "", 0
	}
	defer func() { _ = windows.CloseHandle(h) }() // nothing was changed through it
	var made, exit, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &made, &exit, &kernel, &user); err != nil {
		return "", 0
	}
	if ended(h) {
		state = 'Z'
	}
	return strconv.FormatUint(uint64(made.HighDateTime)<<32|uint64(made.LowDateTime), 10), state
}

// syncDir does nothing: Windows has no way to flush a folder.
func syncDir(string) error { return nil }

// opened reports whether a process has the database open: one that has holds a
// lock on bytes that lie at 1 GiB, whether there are any or not. See
// https://www.sqlite.org/fileformat2.html#the_lock_byte_page.
func opened(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	defer f.Close()
	const size = 512
	at := windows.Overlapped{Offset: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, size, 0, &at)
	if err == nil {
		err = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, size, 0, &at)
	}
	return err != nil
}
