//go:build unix

package store

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// where returns the boot of the machine and the PID namespace, "" where there is
// no /proc that tells.
func where() (boot, space string) {
	if b, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		boot = strings.TrimSpace(string(b))
	}
	space, _ = os.Readlink("/proc/self/ns/pid") // unknown stays ""
	return boot, space
}

// exists reports whether there is a process of that PID.
func exists(pid int) bool {
	found, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = found.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// startOf returns when the process began, in clock ticks since the boot, and
// its state: fields 22 and 3 of /proc/PID/stat (proc_pid_stat(5)). The fields
// are counted from behind the name, which may contain anything.
func startOf(pid int) (start string, state byte) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 20 {
		return "", 0
	}
	return f[19], f[0][0]
}

// syncDir flushes the names in dir to disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // one that cannot be listed cannot be flushed either
	}
	return errors.Join(d.Sync(), d.Close())
}

// opened reports whether a process has the database open: one that has holds a
// lock on a byte that lies at 1 GiB, whether there is one or not. See
// https://www.sqlite.org/fileformat2.html#the_lock_byte_page.
func opened(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: 1 << 30, Len: 512}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock)
	if cerr := f.Close(); err != nil || cerr != nil {
		return false
	}
	return lock.Type != syscall.F_UNLCK
}
