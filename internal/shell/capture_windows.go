package shell

import (
	"crypto/rand"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// pipeFrom returns a pipe whose reading end is ours, and pipeTo one whose
// writing end is. What is ours can be given up while somebody holds the other
// end, which an unnamed pipe of Windows cannot.
func pipeFrom() (r, w *os.File, err error) {
	return newPipe(windows.PIPE_ACCESS_INBOUND, windows.GENERIC_WRITE)
}

func pipeTo() (r, w *os.File, err error) {
	w, r, err = newPipe(windows.PIPE_ACCESS_OUTBOUND, windows.GENERIC_READ)
	return r, w, err
}

// pipeRoom is the size in bytes of the memory of a pipe.
const pipeRoom = 64 << 10

// newPipe returns a pipe's end that is ours and the other. Nobody else can have
// made one of that name before, nor take its only other end unnoticed.
func newPipe(mode, access uint32) (ours, theirs *os.File, err error) {
	path := `\\.\pipe\zuno-` + rand.Text()
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, nil, err
	}
	mode |= windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	h, err := windows.CreateNamedPipe(name, mode, windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, 1, pipeRoom, pipeRoom, 0, nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("make a pipe", err)
	}
	other, err := windows.CreateFile(name, access, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return nil, nil, errors.Join(os.NewSyscallError("open a pipe", err), windows.CloseHandle(h))
	}
	return os.NewFile(uintptr(h), path), os.NewFile(uintptr(other), path), nil
}

// drainStep is how long a read may take of which it is certain that what it is
// to return is there, or that nothing is.
const drainStep = 5 * time.Millisecond

// drain reads what is in the pipe without waiting for more. What the program
// wrote before it ended is at most what a pipe holds. It reports whether
// somebody still holds the pipe.
func (k *capture) drain(f *os.File, room func() []byte, took func(int), take func([]byte)) bool {
	defer func() { _ = f.SetReadDeadline(time.Time{}) }()
	for rest := pipeRoom; rest > 0; {
		_ = f.SetReadDeadline(time.Now().Add(drainStep))
		buf := room()
		n, err := f.Read(buf[:min(len(buf), rest)])
		if n > 0 {
			take(buf[:n])
			took(n)
			rest -= n
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return true
		case err != nil:
			return false
		}
	}
	return true
}
