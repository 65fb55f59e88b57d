//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// draws makes f do what escape sequences say: terminals do anyway.
func draws(*os.File) (back func(), err error) { return nil, nil }

// watch calls resized on every change of size and ended on a signal that ends
// the program, until stop is called; stop waits. A second SIGQUIT has its
// default effect: the stacks of a program that does not end.
func watch(resized func(), ended func(os.Signal)) (stop func()) {
	return onSignals(func(c <-chan os.Signal, quit <-chan struct{}) {
		for {
			select {
			case s := <-c:
				switch s {
				case syscall.SIGWINCH:
					resized()
					continue
				case syscall.SIGQUIT:
					signal.Reset(s)
				}
				ended(s)
			case <-quit:
				return
			}
		}
	}, syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT)
}

// noSuspend says why the process cannot be stopped and go on later; "" when it
// can.
const noSuspend = ""

// suspendProcess stops the process and all that belongs to it, as a shell's
// user expects of ctrl+z, and returns when it goes on.
func suspendProcess() tea.Msg {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	defer signal.Stop(c)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return tea.ResumeMsg{}
	}
	<-c
	return tea.ResumeMsg{}
}
