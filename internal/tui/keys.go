package tui

import "strings"

// A place is where a key means something.
type place int

const (
	anywhere place = iota
	inComposer
	inLine // a line of text that a card asks for
	inCard
)

// A command is what a key does.
type command int

const (
	cmdNone command = iota
	cmdPolicy
	cmdRepaint
	cmdSuspend
	cmdEsc
	cmdEscEsc
	cmdCtrlC
	cmdCtrlD
	cmdSubmit
	cmdNewline
	cmdComplete
	cmdUp
	cmdDown
	cmdUnqueue
	cmdHelp
	cmdLeft
	cmdRight
	cmdWordLeft
	cmdWordRight
	cmdStart
	cmdEnd
	cmdErase
	cmdEraseRight
	cmdEraseWord
	cmdEraseWordRight
	cmdKillLeft
	cmdKillRight
	cmdYank
	cmdNextRow
	cmdPageUp
	cmdPageDown
)

// A binding is one row of the table of keys. Keys are named as Bubble Tea
// names them. A binding without help is a second spelling of another.
type binding struct {
	keys  []string
	where place
	do    command
	when  string // in words
	help  string
}

// bindings is every key there is: what is shown and what is done come from
// these rows.
func bindings() []binding {
	return []binding{
		{[]string{"enter"}, inComposer, cmdSubmit, "composer", "send; while a turn runs, queue"},
		{[]string{"shift+enter", "alt+enter", "ctrl+j"}, inComposer, cmdNewline, "composer", `new line (also \ and Enter)`},
		{[]string{"tab"}, inComposer, cmdComplete, "composer", "complete a / command, or a path behind !"},
		{[]string{"?"}, inComposer, cmdHelp, "empty composer", "show these keys"},
		{[]string{"up"}, inComposer, cmdUp, "composer", "row above; from empty, older prompts"},
		{[]string{"down"}, inComposer, cmdDown, "composer", "row below; newer prompts"},
		{[]string{"alt+up"}, inComposer, cmdUnqueue, "", "take the newest queued message back"},
		{[]string{"esc"}, anywhere, cmdEsc, "", "twice within a second: stop the turn; idle, go back to an earlier prompt"},
		{[]string{"alt+esc"}, anywhere, cmdEscEsc, "", ""},
		{[]string{"ctrl+c"}, anywhere, cmdCtrlC, "", "twice: stop the turn; idle, leave"},
		{[]string{"ctrl+d"}, anywhere, cmdCtrlD, "idle, empty composer", "twice: leave"},
		{[]string{"shift+tab"}, anywhere, cmdPolicy, "", "next approval policy, for open cards too"},
		{[]string{"ctrl+l"}, anywhere, cmdRepaint, "", "draw the screen again"},
		{[]string{"ctrl+z"}, anywhere, cmdSuspend, "", "suspend zuno"},

		{[]string{"ctrl+a", "home"}, inLine, cmdStart, "editing", "start of the line"},
		{[]string{"ctrl+e", "end"}, inLine, cmdEnd, "editing", "end of the line"},
		{[]string{"left", "ctrl+b"}, inLine, cmdLeft, "", ""},
		{[]string{"right", "ctrl+f"}, inLine, cmdRight, "", ""},
		{[]string{"alt+left", "alt+b", "ctrl+left"}, inLine, cmdWordLeft, "editing", "a word to the left"},
		{[]string{"alt+right", "alt+f", "ctrl+right"}, inLine, cmdWordRight, "editing", "a word to the right"},
		{[]string{"backspace", "ctrl+h", "shift+backspace"}, inLine, cmdErase, "", ""},
		{[]string{"delete"}, inLine, cmdEraseRight, "", ""},
		{[]string{"ctrl+w", "alt+backspace"}, inLine, cmdEraseWord, "editing", "cut the word to the left"},
		{[]string{"alt+d"}, inLine, cmdEraseWordRight, "editing", "cut the word to the right"},
		{[]string{"ctrl+u"}, inLine, cmdKillLeft, "editing", "cut to the start of the line"},
		{[]string{"ctrl+k"}, inLine, cmdKillRight, "editing", "cut to the end of the line"},
		{[]string{"ctrl+y"}, inLine, cmdYank, "editing", "put what was cut back"},

		{[]string{"enter"}, inCard, cmdSubmit, "card", "answer with the chosen row"},
		{[]string{"up"}, inCard, cmdUp, "card", "scroll up; row above"},
		{[]string{"down"}, inCard, cmdDown, "card", "scroll down to the end, then choose a row"},
		{[]string{"tab"}, inCard, cmdNextRow, "card", "next row"},
		{[]string{"pgup"}, inCard, cmdPageUp, "card", "a page up"},
		{[]string{"pgdown", "space"}, inCard, cmdPageDown, "card", "a page down"},
	}
}

// extraKeys are keys that belong to the rows of a card rather than to a place.
func extraKeys() []binding {
	return []binding{
		{[]string{"1 … 9"}, inCard, cmdNone, "card", "answer with that row"},
		{[]string{"y"}, inCard, cmdNone, "card", "run once"},
		{[]string{"a"}, inCard, cmdNone, "card", "run, and always allow this command"},
		{[]string{"t"}, inCard, cmdNone, "card", "run, and always allow this tool in this session"},
		{[]string{"n"}, inCard, cmdNone, "card", "do not run, and say why"},
	}
}

// A keymap finds the command of a key.
type keymap map[place]map[string]command

func newKeymap() keymap {
	m := keymap{}
	for _, b := range bindings() {
		if m[b.where] == nil {
			m[b.where] = map[string]command{}
		}
		for _, k := range b.keys {
			m[b.where][k] = b.do
		}
	}
	return m
}

// find looks a key up in the places, the first that knows it wins.
func (m keymap) find(key string, places ...place) command {
	for _, p := range places {
		if c, ok := m[p][key]; ok {
			return c
		}
	}
	return cmdNone
}

// keyNames spells the keys of a binding for people.
func keyNames(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		parts := strings.Split(k, "+")
		for j, p := range parts {
			if len(p) > 1 || len(parts) > 1 && p != "" {
				parts[j] = strings.ToUpper(p[:1]) + strings.NewReplacer("gdown", "gDn", "gup", "gUp").Replace(p[1:])
			}
		}
		out[i] = strings.Join(parts, "+")
	}
	return strings.Join(out, ", ")
}

// A helpRow is one line of the table of keys as people read it.
type helpRow struct{ keys, when, what string }

func helpRows(more []Command) []helpRow {
	var rows []helpRow
	for _, b := range append(bindings(), extraKeys()...) {
		if b.help != "" {
			rows = append(rows, helpRow{keyNames(b.keys), b.when, b.help})
		}
	}
	for _, c := range slashCommands() {
		rows = append(rows, helpRow{strings.TrimSpace("/" + c.name + " " + c.arg), "composer", c.help})
	}
	for _, c := range more {
		rows = append(rows, helpRow{plainLine(strings.TrimSpace("/" + c.Name + " " + c.Arg)), "composer", plainLine(c.Help)})
	}
	return append(rows, helpRow{"! command", "composer", "run a command yourself, at once"})
}

// Keys returns the table of keys as Markdown.
func Keys() string {
	var b strings.Builder
	b.WriteString("| Key | Where | What |\n|---|---|---|\n")
	for _, r := range helpRows(nil) {
		b.WriteString("| " + r.keys + " | " + r.when + " | " + r.what + " |\n")
	}
	return b.String()
}

// keySheet returns the keys as rows for the screen; the short one leaves out
// those of editing and of cards, which say theirs.
func keySheet(th *theme, w int, short bool, more []Command) []string {
	var g grid
	for _, r := range helpRows(more) {
		if !short || r.when != "editing" && r.when != "card" {
			what := []span{{r.what, style{}}}
			if r.when != "" && r.when != "composer" {
				what = append(what, span{" (" + r.when + ")", th.muted})
			}
			g = append(g, [][]span{{{r.keys, th.accent}}, what})
		}
	}
	return g.plainRows(th, w)
}

// edit carries out an editing command on b, and reports whether it was one.
func edit(b *buffer, c command) bool {
	switch c {
	case cmdStart:
		b.at = b.lineStart()
	case cmdEnd:
		b.at = b.lineEnd()
	case cmdLeft:
		b.at = max(0, b.at-1)
	case cmdRight:
		b.at = min(len(b.cells), b.at+1)
	case cmdWordLeft:
		b.at = b.wordLeft()
	case cmdWordRight:
		b.at = b.wordRight()
	case cmdErase:
		b.erase(b.at-min(1, b.at), b.at)
	case cmdEraseRight:
		b.erase(b.at, min(len(b.cells), b.at+1))
	case cmdEraseWord:
		b.kill(b.wordLeft(), b.at)
	case cmdEraseWordRight:
		b.kill(b.at, b.wordRight())
	case cmdKillLeft:
		b.kill(b.lineStart(), b.at)
	case cmdKillRight:
		b.kill(b.at, b.lineEnd())
	case cmdYank:
		b.yank()
	default:
		return false
	}
	return true
}
