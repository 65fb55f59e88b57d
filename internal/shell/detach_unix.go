//go:build unix

package shell

import "syscall"

// detached gives a program a session of its own, and lets it outlive zuno.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
