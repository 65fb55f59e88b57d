package tui

import (
	"io"

	tea "charm.land/bubbletea/v2"
)

// editedMsg is what the person made of the draft elsewhere.
type editedMsg struct {
	text string
	err  error
}

// A handover is a use of the terminal by something else, as Bubble Tea runs it.
// The terminal is the one that the process has.
type handover struct{ do func() error }

// Run, SetStdin, SetStdout and SetStderr are Bubble Tea's.
func (h *handover) Run() error        { return h.do() }
func (*handover) SetStdin(io.Reader)  {}
func (*handover) SetStdout(io.Writer) {}
func (*handover) SetStderr(io.Writer) {}

// editElsewhere gives the draft and the terminal to the person's editor.
func (s *screen) editElsewhere() tea.Cmd {
	edit := s.opts.Editor
	if edit == nil || s.th.dumb {
		s.hint = "there is no editor here"
		return nil
	}
	text, made := s.composer.buf.text(), ""
	s.suspended = true
	s.host.suspend()
	return s.host.run(func() (err error) {
		made, err = edit(text)
		return err
	}, func(err error) tea.Msg { return editedMsg{made, err} })
}

// edited takes the terminal and the draft back. An editor that failed leaves
// the draft as it was.
func (s *screen) edited(m editedMsg) {
	s.resumed()
	if m.err != nil {
		s.hint = plainLine(m.err.Error())
		return
	}
	if text := normalise(m.text); text != s.composer.buf.text() {
		s.composer.buf.set(text)
	}
	s.composer.back = 0
	s.repopup()
}
