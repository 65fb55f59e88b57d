package skills

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// load returns instructions as they were when the session began: those that
// somebody trusted, whatever the file says now.
func (k kit) load(a args) (string, error) {
	s, err := k.find(a.Name, a.Source)
	if err != nil {
		return "", err
	}
	var tail string
	if names, more := s.Resources(); len(names) > 0 {
		if tail = "[files of the skill, for read_resource: " + strings.Join(names, ", "); more {
			tail += " and more"
		}
		tail = k.Show(tools.Clip(tail, headRoom/2)) + "]\n"
	}
	return k.page(fmt.Sprintf("skill %s from %s, in the folder %s", s.Name, k.Show(s.Source), k.Show(s.Dir)), s.Body, a.Cursor, tail)
}

func (k kit) resource(a args) (string, error) {
	s, err := k.find(a.Name, a.Source)
	if err != nil {
		return "", err
	}
	if a.Path == "" {
		return "", tools.Refuse(tools.InvalidArguments, "invalid arguments: path is missing")
	}
	text, err := s.Resource(a.Path)
	if err != nil {
		section, ok := s.Section(a.Path)
		if !ok {
			return "", fmt.Errorf("%s", k.Show(err.Error()))
		}
		text = section
	}
	return k.page(fmt.Sprintf("%s of the skill %s from %s", k.Show(tools.Clip(a.Path, 200)), s.Name, k.Show(s.Source)), text, a.Cursor, "")
}

// page returns a part of a text between a line that says what it is and one
// that says whether it is all.
func (k kit) page(what, text, at, tail string) (string, error) {
	from, err := offset(at, text, len(text))
	if err != nil {
		return "", err
	}
	part := head(text[from:], max(256, min(maxPage, k.Limit.MaxBytes-headRoom)), max(8, k.Limit.MaxLines-8))
	to := from + len(part)
	state := "complete: true"
	if from > 0 || to < len(text) {
		state = fmt.Sprintf("bytes %d to %d of %d", from, to, len(text))
	}
	if to < len(text) {
		state = fmt.Sprintf("NOT complete: %s; call again with cursor %s", state, cursor(to, text))
	} else if from > 0 {
		state += "; complete: true, with the pages before"
	}
	if part != "" && !strings.HasSuffix(part, "\n") {
		part += "\n"
	}
	return fmt.Sprintf("[%s]\n%s%s[%s]", what, part, tail, state), nil
}

// head returns what of text has at most so many bytes and lines, ending with a
// line where it can, and with a character always. It is never empty where text
// is not.
func head(text string, bytes, lines int) string {
	if len(text) > bytes {
		text = strings.ToValidUTF8(text[:bytes], "")
		if at := strings.LastIndexByte(text, '\n'); at > 0 {
			text = text[:at+1]
		}
	}
	for i := range len(text) {
		if text[i] == '\n' {
			if lines--; lines == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

// cursor is a place in a text, which counts for this text only.
func cursor(at int, text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%d-%s", at, hex.EncodeToString(sum[:6]))
}

// offset is the place of a cursor, 0 for "".
func offset(at, text string, most int) (int, error) {
	if at == "" {
		return 0, nil
	}
	number, _, _ := strings.Cut(at, "-")
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 0:
		return 0, tools.Refuse(tools.InvalidArguments, "invalid arguments: cursor is none that a result named")
	case at != cursor(n, text):
		return 0, tools.Refuse(tools.Stale, "the text has changed since that cursor was named: begin again without one")
	case n > most:
		return 0, tools.Refuse(tools.InvalidArguments, "invalid arguments: cursor is past the end")
	}
	return n, nil
}
