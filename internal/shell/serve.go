package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Server is a program that is talked to through its standard input and
// output, until it ends or is stopped. It may be used from any goroutine.
type Server struct {
	In  *os.File // its standard input
	Out *os.File // its standard output; the caller closes it
	// Exited is closed when the program has ended and nothing of it is left.
	Exited <-chan struct{}

	once sync.Once
	quit chan struct{}
	st   *os.ProcessState // readable after Exited
	err  error            // so is this
}

// Serve starts c, which is Argv, Dir and Env, as a server: with a session of its
// own, known by the mark, and dead when zuno is, as a command. What it writes to
// its standard error goes to stderr, from one goroutine. It ends with Stop, by
// itself, or with ps; then everything that it started is ended too, and Limits
// says how much grace it gets.
func (ps *Processes) Serve(c Cmd, stderr io.Writer) (*Server, error) {
	c.Limits = c.Limits.withDefaults()
	in, err := ps.enter(context.Background(), c, false)
	if err != nil {
		return nil, err
	}
	s, p, theirs, err := c.serverPipes()
	if err != nil {
		ps.leave()
		return nil, fmt.Errorf("not started: %w", err)
	}
	p.Env = append(p.Env, markName+"="+in.mark)
	errR := theirs[len(theirs)-1]
	theirs = theirs[:len(theirs)-1]
	started, exited := make(chan error, 1), make(chan struct{})
	s.Exited = exited
	go func() {
		defer ps.leave()
		defer close(exited)
		s.attend(c, p, in, theirs, errR, stderr, started)
	}()
	if err := <-started; err != nil {
		<-exited
		return nil, startError(c, err)
	}
	return s, nil
}

// serverPipes returns the program, not started, with its three pipes: those that
// are the program's, and last the reading end of its standard error.
func (c Cmd) serverPipes() (*Server, *exec.Cmd, []*os.File, error) {
	var ends []*os.File
	for _, pipe := range []func() (r, w *os.File, err error){pipeTo, pipeFrom, pipeFrom} {
		r, w, err := pipe()
		if err != nil {
			closeFiles(ends...)
			return nil, nil, nil, err
		}
		ends = append(ends, r, w)
	}
	p := &exec.Cmd{
		Path: c.Argv[0], Args: append([]string{filepath.Base(c.Argv[0])}, c.Argv[1:]...), Dir: c.Dir,
		Env:   append(without(c.Env, "PWD", markName), "PWD="+c.Dir),
		Stdin: ends[0], Stdout: ends[3], Stderr: ends[5], SysProcAttr: sysProcAttr(),
	}
	return &Server{In: ends[1], Out: ends[2], quit: make(chan struct{})}, p, []*os.File{ends[0], ends[3], ends[5], ends[4]}, nil
}

// attend starts the program and stays with it to its end.
func (s *Server) attend(c Cmd, p *exec.Cmd, in entry, theirs []*os.File, errR *os.File, stderr io.Writer, started chan<- error) {
	// As for a command: the death of this thread would be the program's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.Start()
	closeFiles(theirs...)
	if err != nil {
		closeFiles(s.In, s.Out, errR)
		started <- err
		return
	}
	t, err := newTree(p.Process, in.mark)
	if err != nil {
		_ = p.Wait() // it has not run
		closeFiles(s.In, s.Out, errR)
		started <- err
		return
	}
	defer t.release()
	drained, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(stderr, errR) // ends when the last writer does, or below
	}()
	go func() {
		defer close(gone)
		_ = p.Wait() // the status is in ProcessState
	}()
	started <- nil
	select {
	case <-gone:
	case <-s.quit:
	case <-in.quit:
	}
	s.In.Close() // a program that reads it to the end may leave by itself
	if left := t.end(c.Limits.Grace, c.Force, gone); len(left) > 0 {
		s.err = fmt.Errorf("could not be killed: processes %v", left)
	} else {
		<-gone
		s.st = p.ProcessState
	}
	// What it said last can still be read; who holds the pipes now has left the
	// tree and says nothing more.
	end := time.Now().Add(time.Second)
	_, _ = errR.SetReadDeadline(end), s.Out.SetReadDeadline(end)
	<-drained
	errR.Close()
}

// Stop ends the server and what it started, and waits.
func (s *Server) Stop() error {
	s.once.Do(func() { close(s.quit) })
	<-s.Exited
	return s.err
}

// Status says how the program ended, once it has.
func (s *Server) Status() string {
	select {
	case <-s.Exited:
	default:
		return "still running"
	}
	if s.st == nil {
		return "not known to have ended"
	}
	return s.st.String()
}

// Program returns the absolute path of the program that name means to whoever
// runs it in dir: name itself where it has a slash, else what is found for it in
// the PATH of env.
func Program(name, dir string, env []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if !isProgram(name) {
			return "", fmt.Errorf("%s is not a program", name)
		}
		return name, nil
	}
	return Lookup{Env: env}.Find(name)
}
