package shell

import (
	"os"
	"os/exec"
)

// A stdin is what a command reads, through a pipe of its own. The zero value is
// a closed input.
type stdin struct {
	text   []byte
	theirs *os.File
	ours   *os.File
}

// newStdin gives p an input; nil text leaves it closed.
func newStdin(text []byte, p *exec.Cmd) (*stdin, error) {
	in := &stdin{text: text}
	if text == nil {
		return in, nil
	}
	var err error
	if in.theirs, in.ours, err = pipeTo(); err != nil {
		return nil, err
	}
	p.Stdin = in.theirs
	return in, nil
}

// started closes the end that is the command's.
func (in *stdin) started() {
	if in.theirs != nil {
		closeFiles(in.theirs)
	}
}

func (in *stdin) close() {
	if in.ours != nil {
		closeFiles(in.ours)
	}
}

// feed writes the text, and gives up when the program has ended: what it left
// running may hold the pipe open and never read.
func (in *stdin) feed(exited <-chan struct{}) {
	if in.ours == nil {
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = in.ours.Write(in.text) // a program need not read its input
		in.close()
	}()
	go func() {
		select {
		case <-exited:
			in.close() // ends the write
		case <-written:
		}
	}()
}
