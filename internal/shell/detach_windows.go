package shell

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// detached gives a program no console, and lets it outlive zuno.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
