package shell

import "strings"

// operands returns the words that are not options; what follows "--" always
// counts. valued names the options that take the next word.
func (c *call) operands(valued ...string) []word {
	out := make([]word, 0, len(c.args))
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		if w.text == "--" && w.known() {
			return append(out, c.args[i+1:]...)
		}
		if !w.flag() {
			out = append(out, w)
		} else if oneOf(w.text, valued...) {
			i++
		}
	}
	return out
}

// rest returns the words after a call's own leading options.
func (c *call) rest(valued ...string) []word {
	args := c.args
	for len(args) > 0 && args[0].flag() {
		n := 1
		if oneOf(args[0].text, valued...) {
			n = 2
		}
		if args[0].is("--") {
			return args[1:]
		}
		args = args[min(n, len(args)):]
	}
	return args
}

// has reports an option by its long names (abbreviations count, as getopt_long
// reads them) or by its letter in any cluster of short ones.
func (c *call) has(letters string, longs ...string) bool { return c.option(letters, longs...) >= 0 }

// option is the index of the first such option, or -1.
func (c *call) option(letters string, longs ...string) int {
	for i := range c.args {
		text := c.args[i].text
		if text == "--" {
			return -1
		}
		if optionIs(text, letters, longs...) {
			return i
		}
	}
	return -1
}

func optionIs(text, letters string, longs ...string) bool {
	if len(text) < 2 || text[0] != '-' {
		return false
	}
	if text[1] != '-' {
		return letters != "" && strings.ContainsAny(text[1:], letters)
	}
	name, _, _ := strings.Cut(text[2:], "=")
	for _, l := range longs {
		if name != "" && strings.HasPrefix(l, name) {
			return true
		}
	}
	return false
}

// value returns what an option was given: after an equals sign, attached to
// its letter, or the next word.
func (c *call) value(letter string, longs ...string) (word, bool) {
	for i, w := range c.args {
		text := w.text
		if text == "--" {
			break
		}
		if optionIs(text, "", longs...) || len(longs) > 0 && oneOf(strings.TrimPrefix(text, "-"), longs...) && w.flag() {
			if _, v, ok := strings.Cut(text, "="); ok {
				w.text = v
				return w, true
			}
		} else if k := cluster(text, letter); k > 0 {
			if k < len(text) {
				w.text = text[k:]
				return w, true
			}
		} else {
			continue
		}
		if i+1 < len(c.args) {
			return c.args[i+1], true
		}
	}
	return word{}, false
}

// cluster returns the index after letter in a group of short options, or 0.
func cluster(text, letter string) int {
	if letter == "" || len(text) < 2 || text[0] != '-' || text[1] == '-' {
		return 0
	}
	i := strings.Index(text[1:], letter)
	if i < 0 {
		return 0
	}
	return i + 1 + len(letter)
}
