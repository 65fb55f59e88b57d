//go:build unix

package shell

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// pipeFrom returns a pipe whose reading end is ours, and pipeTo one whose
// writing end is.
func pipeFrom() (r, w *os.File, err error) { return os.Pipe() }

func pipeTo() (r, w *os.File, err error) { return os.Pipe() }

// pipeMax is what a pipe holds at most, unless an administrator allowed more
// (pipe(7), F_SETPIPE_SZ).
const pipeMax = 1 << 20

// drain reads what is in the pipe without waiting for more. What the program
// wrote before it ended is at most what a pipe holds. It reports whether
// somebody still holds the pipe.
func (k *capture) drain(f *os.File, room func() []byte, took func(int), take func([]byte)) bool {
	_ = f.SetReadDeadline(time.Time{})
	c, err := f.SyscallConn()
	if err != nil {
		return true
	}
	for rest := pipeMax; rest > 0; {
		buf := room()
		buf = buf[:min(len(buf), rest)]
		n := 0
		var rerr error
		err := c.Read(func(fd uintptr) bool {
			n, rerr = unix.Read(int(fd), buf)
			return true
		})
		switch {
		case err != nil, errors.Is(rerr, unix.EAGAIN):
			return true
		case errors.Is(rerr, unix.EINTR):
			continue
		case rerr != nil, n == 0:
			return false
		}
		take(buf[:n])
		took(n)
		rest -= n
	}
	return true
}
