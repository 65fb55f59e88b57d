package tui

import (
	"os"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// draws makes the console f do what escape sequences say, and returns what
// undoes that. What is no console is left as it is.
func draws(f *os.File) (back func(), err error) {
	h := windows.Handle(f.Fd())
	var was uint32
	if err := windows.GetConsoleMode(h, &was); err != nil {
		return nil, nil
	}
	err = windows.SetConsoleMode(h, was|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING|windows.DISABLE_NEWLINE_AUTO_RETURN)
	if err != nil {
		return nil, os.NewSyscallError("this console is too old for zuno's screen (Windows 10 or newer, or Windows Terminal, is needed)", err)
	}
	return func() { _ = windows.SetConsoleMode(h, was) }, nil // a console that is gone needs no mode
}

// lookEvery is how often the size of the console is looked at: there is no
// signal for it.
const lookEvery = 200 * time.Millisecond

// watch calls resized on every change of size and ended when the console is
// closed or the system ends the program, until stop is called; stop waits.
// Nothing stops a process here, so none goes on.
func watch(resized, _ func(), ended func(os.Signal)) (stop func()) {
	return onSignals(func(c <-chan os.Signal, quit <-chan struct{}) {
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		w, h, _ := term.GetSize(os.Stdout.Fd()) // of what is no console it stays the same
		for {
			select {
			case s := <-c:
				ended(s)
			case <-look.C:
				if nw, nh, err := term.GetSize(os.Stdout.Fd()); err == nil && (nw != w || nh != h) {
					w, h = nw, nh
					resized()
				}
			case <-quit:
				return
			}
		}
	}, syscall.SIGTERM, syscall.SIGINT)
}

// noSuspend says why the process cannot be stopped and go on later.
const noSuspend = "Windows cannot suspend a program: open another tab or window for a shell"

// suspendProcess is not reached: see noSuspend.
func suspendProcess() tea.Msg { return tea.ResumeMsg{} }
