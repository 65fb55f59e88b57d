package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// An output is standard output as all commands write it. It keeps the first
// error of writing and writes nothing more after it, so that no command has to
// look after each line whether the disk is full: [ended] does.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(b)
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		err = p.Err // its path is of the system, not of the user
	}
	if err != nil {
		o.err = fmt.Errorf("write to standard output: %w; what was printed is not complete", err)
	}
	return n, o.err
}

// ended says what is left to say of the run of a command that err ended, and
// returns its exit code. A reader that has gone away has had enough, and is told
// nothing.
func ended(err error, out *output) int {
	code, _ := exitCode(err)
	if done := (*codeOnly)(nil); errors.As(err, &done) {
		code, err = done.code, nil
	}
	if out.err != nil && code == exitDone {
		code = exitFailed
	}
	lost := out.err
	if errors.Is(lost, syscall.EPIPE) {
		lost = nil
	}
	if err != nil && (out.err == nil || !errors.Is(err, out.err)) {
		complain(hint(err))
	}
	if lost != nil {
		complain(lost)
	}
	return code
}
