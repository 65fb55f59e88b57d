package tui

import "io"

// A handover is a use of the terminal by something else, as Bubble Tea runs it.
// The terminal is the one that the process has.
type handover struct{ do func() error }

// Run, SetStdin, SetStdout and SetStderr are Bubble Tea's.
func (h *handover) Run() error        { return h.do() }
func (*handover) SetStdin(io.Reader)  {}
func (*handover) SetStdout(io.Writer) {}
func (*handover) SetStderr(io.Writer) {}
