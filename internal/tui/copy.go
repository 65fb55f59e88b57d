package tui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// maxCopy bounds what is sent to the terminal's clipboard, in bytes: terminals
// drop longer sequences without a word.
const maxCopy = 74_000

// copyText sends text to the terminal's clipboard, which works over ssh too,
// and says so. Nothing tells whether the terminal took it.
func (s *screen) copyText(text string) string {
	switch {
	case s.th.dumb:
		return "this terminal has no clipboard that zuno could reach"
	case text == "":
		return "there is nothing to copy"
	case len(text) > maxCopy:
		return fmt.Sprintf("not copied: %d kB is more than terminals take (%d kB)", len(text)/1000, maxCopy/1000)
	}
	s.canvas.post(job{raw: clipboard(text, inScreen(s.opts.Env))})
	return fmt.Sprintf("%s sent to the terminal's clipboard", count(strings.Count(text, "\n")+1, "line"))
}

// copyMsg asks for a text to be sent to the terminal's clipboard.
type copyMsg struct{ text string }

// Copy sends a text to the terminal's clipboard and says so on the screen. It may
// be called from any goroutine.
func (u *UI) Copy(text string) error {
	switch {
	case u.scr.th.dumb:
		return errors.New("this terminal has no clipboard that zuno could reach")
	case len(text) > maxCopy:
		return errors.New("it is longer than terminals take")
	}
	u.prog.Send(copyMsg{text})
	return nil
}

// screenChunk is how much GNU screen passes on at once, in bytes: it drops a
// string that is longer than 768.
const screenChunk = 512

// clipboard is the sequence that sends text to the terminal's clipboard. GNU
// screen does not know it: there it goes through in pieces, of which the terminal
// sees the contents only. Tmux knows it.
func clipboard(text string, screen bool) string {
	seq := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text))
	if !screen {
		return seq + "\x1b\\"
	}
	seq += "\x07" // an ESC \ would end the piece that it is in
	var b strings.Builder
	for seq != "" {
		n := min(screenChunk, len(seq))
		b.WriteString("\x1bP" + seq[:n] + "\x1b\\")
		seq = seq[n:]
	}
	return b.String()
}

// inScreen reports whether the terminal is GNU screen's, and not tmux within it.
func inScreen(env []string) bool {
	v, _ := lookup(env, "STY")
	return v != "" && !inTmux(env)
}

// copyCommand copies the last answer, the last block of code in it, or the
// result of the last call.
func (s *screen) copyCommand(what string) string {
	text := ""
	switch what {
	case "", "answer", "code":
		i := s.log.find(len(s.log.list), func(e *entry) bool { return e.kind == entryAnswer })
		if i >= 0 {
			text = s.log.copied(i)
		}
		if what == "code" {
			text = lastCode(text)
		}
	case "result":
		if i := s.log.find(len(s.log.list), isCall); i >= 0 {
			text = s.log.copied(i)
		}
	default:
		return "copy what? answer, code or result"
	}
	s.print(s.script.note(s.copyText(text)))
	return ""
}

// lastCode returns the body of the last fenced block of Markdown.
func lastCode(text string) string {
	var body, last []string
	fence := ""
	for _, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimLeft(l, " ")
		switch mark := fenceOf(trimmed); {
		case fence != "" && closes(trimmed, fence):
			fence, last = "", body
		case fence != "":
			body = append(body, l)
		case mark != "":
			fence, body = mark, nil
		}
	}
	if fence != "" {
		last = body
	}
	return strings.Join(last, "\n")
}

// expand prints the whole result of the last call; again, of the one before.
func (s *screen) expand(string) string {
	i := len(s.log.list)
	for range s.unfolded + 1 {
		if i = s.log.find(i, isCall); i < 0 {
			break
		}
	}
	if i < 0 {
		if s.unfolded > 0 {
			return "there is no call before that one"
		}
		return "there is no call yet whose result could be shown"
	}
	s.unfolded++
	v := entryView{th: s.th, md: s.script.answer.md, w: s.script.w}
	s.print(s.script.closeExplored())
	s.print(s.script.put(blockNote, v.rows(s.log.list[i], "")))
	return ""
}
