package shell

import (
	"strings"
	"sync"
)

// valuedRows lists short options that take a value, by program and for git by
// its subcommands: what stands behind one in the same word is its value, and no
// more options. Only programs that read a group of letters so are here, and
// only letters that take a value in every version of them.
var valuedRows = []struct{ programs, letters string }{
	{"sort", "kStTo"},
	{"date", "dfrsIv"},
	{"fd fdfind", "dteSEoxXcjC"},
	{"rg", "ABCEMTdefgjmrt"},
	{"grep egrep fgrep", "ABCDdefm"},
	{"sed gsed", "efiI"},
	{"diff", "CDFILSUWXx"},
	{"file", "mfFeP"},
	{"shuf", "noi"},
	{"base64", "wbo"},
	{"xxd", "abcCeEghilnopRsuv"}, // which goes by the first letter
	{"yq", "Iop"},
	{"curl", "AbcCdDeEFHKmoPQrtTuUwxXyYz"},
	{"wget", "aABDeiIloOPQRtTUwX"},
	{"git commit", "mFCctSu"},
	{"git tag", "mFun"},
	{"git merge", "mFsXS"},
	{"git rebase", "sXxCS"},
	{"git cherry-pick revert", "mXS"},
	{"git am", "pCS"},
	{"git diff log show whatchanged", "USGlOXnL"},
	{"git grep", "efABCmO"},
	{"git clone", "oubcj"},
	{"git push", "o"},
	{"git branch", "u"},
	{"git checkout worktree", "bB"},
	{"git switch", "cC"},
	{"git restore", "sU"},
	{"git clean", "e"},
	{"git notes", "mFCc"},
	{"git format-patch", "ov"},
	{"git archive", "o"},
	{"git difftool", "tx"},
}

// valuedIndex is valuedRows by program, or by git and its subcommand.
var valuedIndex = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range valuedRows {
		words := strings.Fields(row.programs)
		before := ""
		if words[0] == "git" {
			before, words = "git ", words[1:]
		}
		for _, w := range words {
			out[before+w] = row.letters
		}
	}
	return out
})

// letters is a word without what in it is the value of a short option.
func (c *call) letters(text string) string {
	if c.valued == "" || len(text) < 3 || text[0] != '-' || text[1] == '-' {
		return text
	}
	if i := strings.IndexAny(text[1:], c.valued); i >= 0 {
		return text[:i+2]
	}
	return text
}

// is reports an option of the call, see [optionIs].
func (c *call) is(text, letters string, longs ...string) bool {
	return optionIs(c.letters(text), letters, longs...)
}

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
		if c.is(text, letters, longs...) {
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
	if all := c.valuesOf(1, letter, longs...); len(all) > 0 {
		return all[0], true
	}
	return word{}, false
}

// values is value for an option that is given more than once.
func (c *call) values(letter string, longs ...string) []word {
	return c.valuesOf(len(c.args), letter, longs...)
}

func (c *call) valuesOf(most int, letter string, longs ...string) (out []word) {
	for i := 0; i < len(c.args) && len(out) < most; i++ {
		w := c.args[i]
		text := w.text
		if text == "--" {
			break
		}
		if optionIs(text, "", longs...) || len(longs) > 0 && oneOf(strings.TrimPrefix(text, "-"), longs...) && w.flag() {
			if _, v, ok := strings.Cut(text, "="); ok {
				w.text = v
				out = append(out, w)
				continue
			}
		} else if k := cluster(c.letters(text), letter); k > 0 {
			if k < len(text) {
				w.text = text[k:]
				out = append(out, w)
				continue
			}
		} else {
			continue
		}
		if i+1 < len(c.args) {
			out = append(out, c.args[i+1])
			i++
		}
	}
	return out
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
