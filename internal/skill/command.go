package skill

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Command is a prompt that is kept in a file, with places for arguments.
type Command struct {
	// Name is the file's, without .md: up to 64 letters, digits, - and _.
	Name string
	// Description is the front matter's or else the first line of the text, and
	// Hint says what arguments it takes; each one line.
	Description, Hint string
	File
	Body string // the prompt
}

// maxSummary is the longest description of a command, in bytes.
const maxSummary = 200

// Commands returns the commands in places. Of several with one name the first
// is there. Notices say which files cannot be used, and why.
func Commands(places []Place) (list []Command, notices []string) {
	for _, p := range places {
		for _, file := range p.entries() {
			name, is := strings.CutSuffix(file, ".md")
			if !is {
				continue
			}
			c := Command{Name: name, File: File{Path: filepath.Join(p.Dir, file), Root: p.Root}}
			d, err := p.read(file)
			if err == nil && d != nil {
				err = c.fill(d.text)
			}
			switch {
			case err != nil:
				notices = append(notices, notice(c.Path, err))
			case d != nil && !slices.ContainsFunc(list, func(o Command) bool { return o.Name == name }):
				list = append(list, c)
			}
		}
	}
	return list, notices
}

func (c *Command) fill(text string) error {
	f, body, err := split(text)
	c.Text, c.Body = text, strings.TrimSpace(body)
	switch {
	case err != nil:
		return err
	case len(c.Name) > 64 || strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "":
		return errors.New("its name is none of a command: up to 64 letters, digits, - and _")
	case c.Body == "":
		return errors.New("there is no text in it")
	}
	c.Hint = f.text("argument-hint")
	if c.Description = f.text("description"); c.Description == "" {
		first, _, _ := strings.Cut(c.Body, "\n")
		c.Description = strings.Trim(first, "# ")
	}
	c.Description = clip(c.Description, maxSummary)
	return nil
}

// Expand returns the prompt with args in it: $ARGUMENTS is all of them, $1, $2
// and so on one word each, where quotes keep words together; the highest number
// takes what is left. Arguments that the text has no place for follow it. What
// is put in is not looked at again.
func (c Command) Expand(args string) string {
	args = strings.TrimSpace(args)
	words, highest, places := fields(args), 0, 0
	c.each(func(n int) string { highest, places = max(highest, n), places+1; return "" })
	text := c.each(func(n int) string {
		switch {
		case n == 0:
			return args
		case n > len(words):
			return ""
		case n == highest:
			return strings.Join(words[n-1:], " ")
		}
		return words[n-1]
	})
	if places == 0 && args != "" {
		text += "\n\n" + args
	}
	return text
}

// each replaces the places of the text by what put says: 0 is that of all
// arguments.
func (c Command) each(put func(n int) string) string {
	var b strings.Builder
	for rest := c.Body; ; {
		before, after, found := strings.Cut(rest, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if tail, ok := strings.CutPrefix(after, "ARGUMENTS"); ok {
			b.WriteString(put(0))
			rest = tail
			continue
		}
		tail := strings.TrimLeft(after, "0123456789")
		digits := after[:len(after)-len(tail)]
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && len(digits) <= 2 {
			b.WriteString(put(n))
			rest = tail
			continue
		}
		b.WriteByte('$')
		rest = after
	}
}

// fields splits at white space that is not between quotes, and takes the quotes
// away. A quote that is not closed is a character like others.
func fields(s string) []string {
	var words []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if q := s[0]; q == '"' || q == '\'' {
			if end := strings.IndexByte(s[1:], q); end >= 0 {
				words, s = append(words, s[1:1+end]), s[2+end:]
				continue
			}
		}
		at := strings.IndexAny(s, " \t\r\n")
		if at < 0 {
			at = len(s)
		}
		words, s = append(words, s[:at]), s[at:]
	}
	return words
}
