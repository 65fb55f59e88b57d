package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// exactMark starts a key that covers one command word for word and nothing
// else.
const exactMark = "= "

// Covers reports whether a remembered key lets a line run at a place without
// asking. It goes by the same analysis that offered the key.
func Covers(key, line string, at Place) bool { return Analyze(line, at).CoveredBy(key) }

// CoveredBy reports whether a remembered key stands for the analysed line. A
// key covers the lines whose own key it is, and those whose key it begins on a
// word boundary, so that "npm run" covers "npm run x".
func (a Analysis) CoveredBy(key string) bool {
	return a.Denied == nil && !a.Dynamic && len(a.Manual) == 0 && KeyCovers(key, a.Key)
}

// KeyCovers reports whether a remembered key stands for the lines whose own key
// is the other one.
func KeyCovers(key, own string) bool {
	switch {
	case key == "" || own == "":
		return false
	case own == key:
		return true
	case strings.HasPrefix(own, exactMark) || plainKey(key) != nil:
		return false
	}
	return strings.HasPrefix(own, key+" ")
}

// CheckKey returns a key in the form in which it is stored, or says why it
// could never match anything. It is for keys that a person typed or edited.
func CheckKey(key string, at Place) (string, error) {
	key = strings.TrimSpace(key)
	if line, exact := strings.CutPrefix(key, exactMark); exact {
		a := Analyze(line, at)
		if a.Key == "" {
			return "", fmt.Errorf("remember %q: %s", line, a.KeyWhyNot)
		}
		if !strings.HasPrefix(a.Key, exactMark) {
			return "", fmt.Errorf("remember %q: write it as %q", key, a.Key)
		}
		return a.Key, nil
	}
	key = strings.Join(strings.Fields(key), " ")
	if err := plainKey(key); err != nil {
		return "", fmt.Errorf("remember %q: %w", key, err)
	}
	return key, nil
}

func plainKey(key string) error {
	words := strings.Split(key, " ")
	for _, w := range words {
		if !plainName(w) {
			return fmt.Errorf("a key is a program and its subcommand in plain words; %q is not one", w)
		}
	}
	switch name := words[0]; {
	case exactOnly(name):
		return fmt.Errorf("what %s does depends on all of its words; only a whole command can be remembered, as \"= %s …\"", name, name)
	case wholeProgram(name) && len(words) > 1:
		return fmt.Errorf("%s has no subcommands; remember %q", name, name)
	case !wholeProgram(name) && len(words) == 1:
		return fmt.Errorf("name a subcommand of %s too", name)
	case len(words) > keyWords(words):
		return fmt.Errorf("only the first %d words can be remembered", keyWords(words))
	}
	return nil
}

// keyFor works out what "always allow" would remember of the line.
func (s *scan) keyFor(line string, list []*syntax.Stmt) {
	key, why := s.key(line, list)
	s.out.Key, s.out.KeyWhyNot = key, why
}

func (s *scan) key(line string, list []*syntax.Stmt) (key, whyNot string) {
	out := s.out
	switch {
	case !out.Parsed:
		return "", "it cannot be parsed"
	case out.Denied != nil:
		return "", "it is blocked"
	case out.Dynamic:
		return "", out.DynamicWhy
	case len(out.Manual) > 0:
		return "", "it is asked about every time: " + out.Manual[0].String()
	}
	if why := plainLine(line, list); why != "" {
		return "", why
	}
	if len(s.calls) == 0 {
		return "", "it runs no command"
	}
	c := s.calls[0]
	if why := s.plainWords(c); why != "" {
		return "", why
	}
	if d := s.look(s.at.Dir); s.at.Dir == "" || !s.inWorkspace(d) {
		return "", "it would run outside the workspace"
	}
	if len(out.Outside) > 0 {
		return "", "it names " + out.Outside[0] + ", which is outside the workspace"
	}
	words := appendTexts(append(make([]string, 0, 1+len(c.args)), c.written), c.args)
	switch {
	case never(c.name):
		return "", c.name + " changes the shell and nothing else"
	case exactOnly(c.name) || runsAny(words):
		return exactly(c, words)
	case s.high != "" || s.odd != "":
		return "", firstOf(s.high, s.odd)
	case wholeProgram(c.name):
		return c.name, ""
	}
	n := keyWords(words)
	if c.changesBeyond(n) {
		return exactly(c, words)
	}
	if len(words) >= n && allPlain(words[:n]) && (n < 3 || len(words) == 3 || !scriptRunner(words)) {
		return strings.Join(words[:n], " "), ""
	}
	return exactly(c, words)
}

// changesBeyond reports a call that is told to change something by what stands
// behind the words of its key: the key would cover what the person did not see.
func (c *call) changesBeyond(n int) bool {
	if c.name == "git" || c.traits.has(readerTrait|closedTrait|patternTrait) {
		return false
	}
	index := changingIndex()
	operands := 0
	for i := range c.args {
		w := &c.args[i]
		if w.text == "--" {
			return false
		}
		if name, _, _ := strings.Cut(strings.TrimLeft(w.text, "-"), "="); w.flag() && (index.options[name] || len(name) == 1 && oneOf(name, "i", "w", "o") && c.nextIsFile(i)) {
			return true
		} else if w.flag() {
			continue
		}
		if operands++; operands >= n && operands <= 3 && index.words[w.text] {
			return true
		}
	}
	return false
}

// exactly is the key of one command word for word.
func exactly(c *call, words []string) (key, whyNot string) {
	for _, w := range c.args {
		if w.glob {
			return "", "a pattern cannot be remembered word for word"
		}
	}
	return exactMark + quoteWords(words), ""
}

// plainLine says why a line is not exactly one simple command, as written.
func plainLine(line string, list []*syntax.Stmt) string {
	if len(list) != 1 {
		return "it is not exactly one command"
	}
	st := list[0]
	c, ok := st.Cmd.(*syntax.CallExpr)
	switch {
	case !ok || len(c.Args) == 0:
		return "it is not one plain command"
	case len(st.Redirs) > 0:
		return "it redirects its input or output"
	case st.Negated || st.Background || st.Coprocess || st.Disown:
		return "an operator stands with it"
	}
	from, to := int(c.Pos().Offset()), int(c.End().Offset())
	rest := line[:from] + line[to:]
	if strings.Trim(rest, " \t\n") != "" || strings.ContainsAny(line[from:to], "\n") {
		return "something stands beside the command"
	}
	for _, a := range c.Assigns {
		if a.Name == nil || !inertVar(a.Name.Value) {
			return "it sets a variable"
		}
		if v := a.Value; v != nil && v.Lit() == "" && len(v.Parts) > 0 {
			return "it sets a variable"
		}
	}
	return ""
}

// plainWords says why the words of a call are not what is written.
func (s *scan) plainWords(c *call) string {
	if c.shadow || c.dyn != "" || strings.Contains(c.written, "/") {
		return "the program is named by a path"
	}
	if why := plainWord(&word{text: c.written}); why != "" {
		return why
	}
	for i := range c.args {
		if why := plainWord(&c.args[i]); why != "" {
			return why
		}
	}
	if !plainName(c.written) || syntax.IsKeyword(c.written) {
		return "the program's name is not a plain word"
	}
	return ""
}

// plainWord says why a word is not what is written.
func plainWord(w *word) string {
	switch {
	case w.dyn != "" || w.expanded || w.temp || w.home:
		return "a word is only known when it runs"
	case w.glob && !safeGlob(w.text):
		return "a pattern could become an option"
	}
	for i := range len(w.text) {
		if w.text[i] >= 0x80 || w.text[i] < ' ' {
			return "it has characters that are not plain ASCII"
		}
	}
	return ""
}

// safeGlob reports a pattern whose matches all begin with a letter, a dot or a
// slash that was written, so that none can be read as an option.
func safeGlob(text string) bool {
	i := strings.IndexAny(text, "*?[")
	return i > 0 && text[0] != '-'
}

// quoteWords writes words so that a shell reads exactly them.
func quoteWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.:/,@%=") != "" {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
