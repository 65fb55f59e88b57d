package shell

import "strings"

// maxReadings bounds how many readings of one line are made.
const maxReadings = 256

// Readings returns further texts of the commands of a line, for rules that
// forbid: what a person means by "curl" is also a curl that is named by its
// path, or that a program which nobody knows may start, and "git push" is one
// with options of git's before it. They say more than is certain, and are no
// ground to allow anything. What could not be parsed is read piece by piece.
func (a Analysis) Readings(line string) []string {
	var out []string
	have := map[string]bool{}
	add := func(words ...string) {
		text := strings.Join(words, " ")
		if text != "" && !have[text] && len(out) < maxReadings {
			have[text] = true
			out = append(out, text)
		}
	}
	for _, c := range a.calls {
		if len(out) >= maxReadings {
			break
		}
		if c.name == "" {
			continue
		}
		words := texts(c.args)
		if c.name != c.written {
			add(append([]string{c.name}, words...)...)
		}
		if c.name == "git" {
			if g := gitParts(c); g.sub != "" && len(g.c.args)+1 < len(words) {
				add(append([]string{"git", g.sub}, texts(g.c.args)...)...)
			}
		}
		for _, i := range c.starts() {
			add(append([]string{base(words[i])}, words[i+1:]...)...)
		}
	}
	if !a.Parsed {
		for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";&|(){}`\n\r", r) }) {
			add(strings.Fields(piece)...)
		}
	}
	return out
}

// mayStart asks by name about a program that nobody knows and that is given
// what the denylist would block, were it a command.
func (s *scan) mayStart(c *call) {
	for _, i := range c.starts() {
		in := c.inner(c.args[i:])
		if !in.traits.has(ruleTrait | languageTrait) {
			continue
		}
		b := denylist()
		for _, k := range b.by[ruleName(in.name)] {
			if m := b.rules[k].match(in); m != "" {
				s.touch("may run", clip(m, 120), b.rules[k].Reason)
			}
		}
	}
}

// maxStarts is how many first words of a program that nobody knows may be the
// program that it starts.
const maxStarts = 6

// starts lists the arguments that may be a program, where so little is known of
// the call that it may start one.
func (c *call) starts() []int {
	if c.name == "" || c.traits&^ruleTrait != 0 || c.builtin || c.shadow ||
		oneOf(c.name, "git", "cd", "export", "test", "printf", "mkdir", "touch", "chmod", "cp", "mv", "rm", "ln", "tee", "whatis", "apropos", "locate", "whereis") {
		return nil
	}
	var out []int
	for i := range c.args[:min(len(c.args), maxStarts)] {
		if w := &c.args[i]; w.known() && plainName(base(w.text)) {
			out = append(out, i)
		}
	}
	return out
}
