//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// draws makes f do what escape sequences say: terminals do anyway.
func draws(*os.File) (back func(), err error) { return nil, nil }

// watch calls resized on every change of size, goesOn when a process that may
// have been stopped goes on, and ended on a signal that ends the program, until
// stop is called; stop waits. A second SIGQUIT or SIGABRT has its default
// effect: the stacks of a program that does not end.
func watch(resized, goesOn func(), ended func(os.Signal)) (stop func()) {
	return onSignals(func(c <-chan os.Signal, quit <-chan struct{}) {
		for {
			select {
			case s := <-c:
				switch s {
				case syscall.SIGWINCH:
					resized()
					continue
				case syscall.SIGCONT:
					goesOn()
					continue
				case syscall.SIGQUIT, syscall.SIGABRT:
					signal.Reset(s)
				}
				ended(s)
			case <-quit:
				return
			}
		}
	}, append(endings(), syscall.SIGWINCH, syscall.SIGCONT)...)
}

// endings are the signals that end a program which does nothing about them and
// that can be attended to: after each the terminal is as it was.
func endings() []os.Signal {
	return []os.Signal{
		syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGXCPU,
	}
}

// noSuspend says why the process cannot be stopped and go on later; "" when it
// can.
const noSuspend = ""

// stopsWithin is longer than a process takes that the signal stops.
const stopsWithin = 200 * time.Millisecond

// suspendProcess stops the process and all that belongs to it, as a shell's
// user expects of ctrl+z, and returns when it goes on. Where no shell is there
// that could continue it the system ignores the signal, and so nothing stops.
func suspendProcess() tea.Msg {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	defer signal.Stop(c)
	began := time.Now()
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return unstoppedMsg{}
	}
	select {
	case <-c:
	case <-time.After(stopsWithin):
		if time.Since(began) < 2*stopsWithin && len(c) == 0 {
			return unstoppedMsg{}
		}
	}
	return tea.ResumeMsg{}
}
