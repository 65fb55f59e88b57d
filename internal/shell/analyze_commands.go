package shell

import (
	"slices"
	"strings"
)

// A Command is one simple command that a line would run.
type Command struct {
	// Name is the program without its directory, "" when it is not known. Path
	// is the program as given when it names a directory.
	Name, Path string
	// Words are the program and its arguments, quotes resolved. A word that is
	// not known stands as it was written.
	Words []string
	// Assigns are the variables set for this command only, as NAME=value.
	Assigns []string
	// Redirects are the files that its input and output are tied to.
	Redirects []Redirect
	// Via names what runs it: wrappers, interpreters and find, outermost first.
	Via []string
	// Source is the text of the command as written.
	Source string
	// Dynamic says that some word is only known when the line runs.
	Dynamic bool
}

// A Redirect is one redirection: the operator and its target, which is as
// written when it is not known.
type Redirect struct{ Op, Target string }

// Commands returns the simple commands at any depth, in the order of the text.
// They are put together anew each time.
func (a Analysis) Commands() []Command {
	shown := 0
	for _, c := range a.calls {
		if !c.hidden {
			shown++
		}
	}
	if shown == 0 {
		return nil
	}
	out, room := make([]Command, 0, shown), block[string]{}
	for _, c := range a.calls {
		if !c.hidden {
			out = append(out, c.command(&room))
		}
	}
	return out
}

func (c *call) command(room *block[string]) Command {
	words := append(room.take(1 + len(c.args))[:0], c.written)
	cmd := Command{Name: c.name, Words: appendTexts(words, c.args), Assigns: c.assigns, Via: c.via, Source: c.source}
	if strings.Contains(c.written, "/") {
		cmd.Path = c.written
	}
	cmd.Dynamic = c.dyn != "" || slices.ContainsFunc(c.args, func(w word) bool { return w.dyn != "" })
	for _, r := range c.redirs {
		t := r.to.text
		if r.to.dyn != "" {
			t = r.to.src
			cmd.Dynamic = true
		}
		cmd.Redirects = append(cmd.Redirects, Redirect{Op: r.fd + r.op, Target: t})
	}
	return cmd
}

// Texts returns the text of every command once: as it is written and, where
// that is another, as the program gets its words.
func (a Analysis) Texts() []string {
	var out []string
	have := map[string]bool{}
	add := func(text string) {
		if text != "" && !have[text] {
			have[text] = true
			out = append(out, text)
		}
	}
	var last *call
	var read []byte
	for _, c := range a.calls {
		if c.hidden || c == last {
			continue
		}
		last = c
		add(c.source)
		if read = c.read(read[:0]); !have[string(read)] {
			add(string(read))
		}
	}
	return out
}

// read appends the words of a call with a space between them; one that is not
// known stands as it was written.
func (c *call) read(out []byte) []byte {
	out = append(out, c.written...)
	for i := range c.args {
		text := c.args[i].text
		if c.args[i].dyn != "" {
			text = c.args[i].src
		}
		out = append(append(out, ' '), text...)
	}
	return out
}
