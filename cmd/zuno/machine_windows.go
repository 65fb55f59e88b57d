package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/zuno-dev/zuno/internal/shell"
)

func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}

// windowSize returns the columns and rows of a console, 0 when they are not
// known.
func windowSize(f *os.File) (cols, rows int) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0, 0
	}
	return int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1
}

// noFollow opens a link itself and not what it leads to.
const noFollow = windows.FILE_FLAG_OPEN_REPARSE_POINT

// lockFile keeps other zunos waiting until f is closed.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 1<<30, &windows.Overlapped{})
}

// tryLockFile is lockFile, but reports false when somebody else has the lock.
func tryLockFile(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 1<<30, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// othersRead reports whether the access list of a file lets other accounts read
// it: anybody but its user, the system and administrators. A list that cannot
// be read lets everybody.
func othersRead(path string, _ fs.FileInfo) bool {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return true
	}
	list, _, err := sd.DACL()
	if err != nil || list == nil {
		return true
	}
	for i := range uint32(list.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &ace); err != nil {
			return true
		}
		const reads = windows.FILE_READ_DATA | windows.GENERIC_READ | windows.GENERIC_ALL
		if ace.Header.AceType == windows.ACCESS_ALLOWED_ACE_TYPE && ace.Mask&reads != 0 && !trusted((*windows.SID)(unsafe.Pointer(&ace.SidStart))) {
			return true
		}
	}
	return false
}

// trusted reports the accounts that can read everything of this user's anyway.
func trusted(sid *windows.SID) bool {
	for _, kind := range []windows.WELL_KNOWN_SID_TYPE{windows.WinLocalSystemSid, windows.WinBuiltinAdministratorsSid, windows.WinCreatorOwnerSid, windows.WinCreatorOwnerRightsSid} {
		if sid.IsWellKnown(kind) {
			return true
		}
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && sid.Equals(user.User.Sid)
}

// privateCommand is what keeps a file from other accounts.
const privateCommand = "icacls FILE /inheritance:r /grant:r %USERNAME%:F"

func makePrivate(path string) string {
	return "icacls " + syscall.EscapeArg(path) + " /inheritance:r /grant:r %USERNAME%:F"
}

// bashFindings says which bash runs commands, or what to install.
func bashFindings(p *plan) []finding {
	sh := p.lookup().Shell()
	if why := shell.NoShell(sh); why != "" {
		return []finding{wrong("bash", "none that can be used", why)}
	}
	return []finding{fine("bash", sh)}
}
