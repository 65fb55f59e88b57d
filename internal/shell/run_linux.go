package shell

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// sysProcAttr gives a command its own session and process group without a
// terminal, and has the program killed when zuno is.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

func signalName(n int) string { return unix.SignalName(syscall.Signal(n)) }

// processTable reads /proc. It may miss what begins meanwhile.
func processTable() []process {
	ids := processIDs()
	table := make([]process, 0, len(ids))
	for _, pid := range ids {
		if p, ok := readStat(pid); ok {
			table = append(table, p)
		}
	}
	return table
}

// processIDs lists all processes but this one.
func processIDs() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	self := os.Getpid()
	ids := make([]int, 0, len(names))
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil && pid != self {
			ids = append(ids, pid)
		}
	}
	return ids
}

// readStat reads /proc/PID/stat (proc_pid_stat(5)): the name, in parentheses,
// may contain anything; the fields after it are numbered from 3.
func readStat(pid int) (process, bool) {
	var buf [1024]byte
	b := readProc(pid, "stat", buf[:])
	i := bytes.LastIndexByte(b, ')')
	if i < 0 {
		return process{}, false
	}
	f := bytes.Fields(b[i+1:])
	if len(f) < 20 {
		return process{}, false
	}
	p := process{pid: pid, zombie: f[0][0] == 'Z' || f[0][0] == 'X'}
	for _, n := range []struct {
		to   *int
		from []byte
	}{{&p.ppid, f[1]}, {&p.pgid, f[2]}, {&p.sid, f[3]}} {
		*n.to, _ = strconv.Atoi(string(n.from))
	}
	p.start, _ = strconv.ParseUint(string(f[19]), 10, 64)
	return p, true
}

// readProc reads a file of /proc/PID into buf, without the poller that os.File
// brings: a look around reads hundreds of them.
func readProc(pid int, name string, buf []byte) []byte {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n := 0
	for n < len(buf) {
		m, err := unix.Read(fd, buf[n:])
		if err == unix.EINTR {
			continue
		}
		if m <= 0 {
			break
		}
		n += m
	}
	return buf[:n]
}

// startTime returns when a process started, 0 when it is gone.
func startTime(pid int) uint64 {
	p, _ := readStat(pid)
	return p.start
}

// environMark returns the value of the mark in the environment a process was
// started with, "" when there is none or it cannot be seen.
func environMark(pid int) string {
	key := []byte("\x00" + markName + "=")
	for size := 4 << 10; ; size *= 8 { // few are larger, and a look around reads hundreds
		buf := make([]byte, size)
		env := readProc(pid, "environ", buf[1:]) // after a NUL, as every variable
		full := len(env) == size-1
		if i := bytes.Index(buf[:len(env)+1], key); i >= 0 {
			value, _, ended := bytes.Cut(buf[i+len(key):len(env)+1], []byte{0})
			if ended || !full {
				return string(value)
			}
		}
		if !full || size > 1<<20 {
			return ""
		}
	}
}

func commandLine(pid int) string {
	var buf [4096]byte
	b := bytes.TrimRight(readProc(pid, "cmdline", buf[:]), "\x00")
	return string(bytes.ReplaceAll(b, []byte{0}, []byte{' '}))
}
