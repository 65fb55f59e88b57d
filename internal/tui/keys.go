package tui

import (
	"strings"
	"unicode/utf8"
)

// A place is where a key means something.
type place int

const (
	anywhere place = iota
	inComposer
	inLine // a line of text that a card asks for
	inCard
	inPager
	inSearch // before all other keys, while older prompts are searched
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
	cmdYankPop
	cmdTranspose
	cmdUndo
	cmdRedo
	cmdSearch
	cmdScope
	cmdStash
	cmdEditor
	cmdExpand
	cmdNextRow
	cmdPageUp
	cmdPageDown
	cmdTranscript
	cmdResult
	cmdHalfUp
	cmdHalfDown
	cmdFirst
	cmdLast
	cmdFind
	cmdNextFound
	cmdPrevFound
	cmdNextCall
	cmdPrevCall
	cmdNextUncertain
	cmdCopy
	cmdLeave
	cmdTop
	cmdBottom
	cmdNextHunk
	cmdPrevHunk
	cmdNextFile
	cmdPrevFile
	cmdFull
	cmdBeside
)

// A binding is one row of the table of keys. Keys are named as Bubble Tea
// names them, two in a row with a blank between them.
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
		{[]string{"enter"}, inComposer, cmdSubmit, "composer", "send; while a turn runs, steer it at its next step"},
		{[]string{"shift+enter", "alt+enter", "ctrl+j", "ctrl+enter"}, inComposer, cmdNewline, "composer", `new line (also \ and Enter)`},
		{[]string{"tab"}, inComposer, cmdComplete, "composer", "complete; while a turn runs, send for after it"},
		{[]string{"?"}, inComposer, cmdHelp, "empty composer", "show these keys"},
		{[]string{"up", "ctrl+p"}, inComposer, cmdUp, "composer", "row above; from empty, older prompts"},
		{[]string{"down", "ctrl+n"}, inComposer, cmdDown, "composer", "row below; newer prompts"},
		{[]string{"alt+up"}, inComposer, cmdUnqueue, "", "take the newest waiting message back"},
		{[]string{"ctrl+r"}, inComposer, cmdSearch, "composer", "search older prompts; again for the next older one"},
		{[]string{"ctrl+t"}, inSearch, cmdScope, "search", "look in this folder, everywhere, in this session, in turn"},
		{[]string{"ctrl+s"}, inComposer, cmdStash, "composer", "put the draft aside; from empty, bring it back"},
		{[]string{"ctrl+g", "ctrl+x ctrl+e"}, inComposer, cmdEditor, "composer", "edit the draft in $VISUAL or $EDITOR"},
		{[]string{"alt+o"}, inComposer, cmdExpand, "composer", "show the text of the paste beside the cursor"},
		{[]string{"esc"}, anywhere, cmdEsc, "", "twice within a second: stop the turn; idle, put the draft away, or go back to an earlier prompt"},
		{[]string{"alt+esc"}, anywhere, cmdEscEsc, "", "the same as Esc twice"},
		{[]string{"ctrl+c"}, anywhere, cmdCtrlC, "", "twice: stop the turn; idle, leave"},
		{[]string{"ctrl+d"}, anywhere, cmdCtrlD, "idle, empty composer", "twice: leave; in a text, erase the character to the right"},
		{[]string{"shift+tab"}, anywhere, cmdPolicy, "", "next approval policy, for open cards too"},
		{[]string{"ctrl+o"}, anywhere, cmdResult, "", "print the whole result of the last call; again, of the one before"},
		{[]string{"ctrl+t"}, anywhere, cmdTranscript, "", "read the whole session, with every result"},
		{[]string{"ctrl+l"}, anywhere, cmdRepaint, "", "draw the screen again"},
		{[]string{"ctrl+z"}, anywhere, cmdSuspend, "", "suspend zuno"},

		{[]string{"ctrl+a", "home"}, inLine, cmdStart, "editing", "start of the line"},
		{[]string{"ctrl+e", "end"}, inLine, cmdEnd, "editing", "end of the line"},
		{[]string{"left", "ctrl+b"}, inLine, cmdLeft, "editing", "a character to the left"},
		{[]string{"right", "ctrl+f"}, inLine, cmdRight, "editing", "a character to the right"},
		{[]string{"alt+left", "alt+b", "ctrl+left"}, inLine, cmdWordLeft, "editing", "a word to the left"},
		{[]string{"alt+right", "alt+f", "ctrl+right"}, inLine, cmdWordRight, "editing", "a word to the right"},
		{[]string{"backspace", "ctrl+h", "shift+backspace"}, inLine, cmdErase, "editing", "erase the character to the left"},
		{[]string{"delete"}, inLine, cmdEraseRight, "editing", "erase the character to the right"},
		{[]string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, inLine, cmdEraseWord, "editing", "cut the word to the left"},
		{[]string{"alt+d", "ctrl+delete", "alt+delete"}, inLine, cmdEraseWordRight, "editing", "cut the word to the right"},
		{[]string{"ctrl+u"}, inLine, cmdKillLeft, "editing", "cut to the start of the line"},
		{[]string{"ctrl+k"}, inLine, cmdKillRight, "editing", "cut to the end of the line"},
		{[]string{"ctrl+y"}, inLine, cmdYank, "editing", "put what was cut back"},
		{[]string{"alt+y"}, inLine, cmdYankPop, "editing", "then: what was cut before it"},
		{[]string{"alt+t"}, inLine, cmdTranspose, "editing", "swap the characters beside the cursor"},
		{[]string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, inLine, cmdUndo, "editing", "undo"},
		{[]string{"alt+_", "alt+shift+-"}, inLine, cmdRedo, "editing", "redo"},

		{[]string{"enter"}, inCard, cmdSubmit, "card", "answer with the chosen row"},
		{[]string{"up"}, inCard, cmdUp, "card", "scroll up; row above"},
		{[]string{"down"}, inCard, cmdDown, "card", "scroll down to the end, then choose a row"},
		{[]string{"tab"}, inCard, cmdNextRow, "card", "next row"},
		{[]string{"pgup"}, inCard, cmdPageUp, "card", "a page up"},
		{[]string{"pgdown", "space"}, inCard, cmdPageDown, "card", "a page down"},
		{[]string{"home"}, inCard, cmdTop, "card", "to the top of what it shows"},
		{[]string{"end"}, inCard, cmdBottom, "card", "to the end of it"},
		{[]string{"]"}, inCard, cmdNextHunk, "card", "next hunk of a diff"},
		{[]string{"["}, inCard, cmdPrevHunk, "card", "hunk before"},
		{[]string{"}"}, inCard, cmdNextFile, "card", "next file of a diff"},
		{[]string{"{"}, inCard, cmdPrevFile, "card", "file before"},
		{[]string{"f"}, inCard, cmdFull, "card", "what it is about on the whole screen, and back"},
		{[]string{"s"}, inCard, cmdBeside, "card", "a diff side by side (split) or in one column (unified), from then on"},

		{[]string{"q", "esc", "ctrl+t", "ctrl+c"}, inPager, cmdLeave, "transcript", "back; the screen is as it was"},
		{[]string{"j", "down", "enter"}, inPager, cmdDown, "transcript", "a row down"},
		{[]string{"k", "up"}, inPager, cmdUp, "transcript", "a row up"},
		{[]string{"space", "pgdown", "ctrl+f"}, inPager, cmdPageDown, "transcript", "a page down"},
		{[]string{"b", "pgup", "ctrl+b"}, inPager, cmdPageUp, "transcript", "a page up"},
		{[]string{"ctrl+d"}, inPager, cmdHalfDown, "transcript", "half a page down"},
		{[]string{"ctrl+u"}, inPager, cmdHalfUp, "transcript", "half a page up"},
		{[]string{"g", "home"}, inPager, cmdFirst, "transcript", "the beginning"},
		{[]string{"G", "end"}, inPager, cmdLast, "transcript", "the end, and stay there"},
		{[]string{"/"}, inPager, cmdFind, "transcript", "search; small and capital letters are alike"},
		{[]string{"n"}, inPager, cmdNextFound, "transcript", "next place that was found"},
		{[]string{"N"}, inPager, cmdPrevFound, "transcript", "the one before"},
		{[]string{"]"}, inPager, cmdNextCall, "transcript", "next call"},
		{[]string{"["}, inPager, cmdPrevCall, "transcript", "the call before"},
		{[]string{"u"}, inPager, cmdNextUncertain, "transcript", "next call whose outcome is not known"},
		{[]string{"y"}, inPager, cmdCopy, "transcript", "copy the marked entry to the terminal's clipboard"},
		{[]string{"ctrl+o"}, inPager, cmdResult, "transcript", "calls in one row, or whole"},
	}
}

// extraKeys are keys that belong to the rows of a card rather than to a place.
func extraKeys() []binding {
	return []binding{
		{[]string{"1 … 9"}, inCard, cmdNone, "card", "answer with that row"},
		{[]string{"y"}, inCard, cmdNone, "card", "run once"},
		{[]string{"a"}, inCard, cmdNone, "card", "run, and always allow this command, by a key that can be edited"},
		{[]string{"t"}, inCard, cmdNone, "card", "run, and always allow this tool in this session"},
		{[]string{"e"}, inCard, cmdNone, "card", "edit it; what it is then is shown before it runs"},
		{[]string{"n"}, inCard, cmdNone, "card", "do not run, and say why"},
	}
}

// keyNames spells the keys of a binding for people.
func keyNames(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		chord := strings.Fields(k)
		for j, one := range chord {
			parts := strings.Split(one, "+")
			for n, p := range parts {
				if (len(p) > 1 || len(parts) > 1) && p != "" && p[0] < utf8.RuneSelf {
					parts[n] = strings.ToUpper(p[:1]) + strings.NewReplacer("gdown", "gDn", "gup", "gUp").Replace(p[1:])
				}
			}
			chord[j] = strings.Join(parts, "+")
		}
		out[i] = strings.Join(chord, " ")
	}
	return strings.Join(out, ", ")
}

// A helpRow is one line of the table of keys as people read it.
type helpRow struct{ keys, when, what, name string }

// helpRows are the keys of the table, the commands and, where they are on, those
// of vi.
func helpRows(table []binding, more []Command, vi bool) []helpRow {
	var rows []helpRow
	for _, b := range append(table, extraKeys()...) {
		if len(b.keys) > 0 {
			rows = append(rows, helpRow{keyNames(b.keys), b.when, b.help, b.name()})
		}
	}
	for _, c := range slashCommands() {
		rows = append(rows, helpRow{strings.TrimSpace("/" + c.name + " " + c.arg), "composer", c.help + c.also(), ""})
	}
	for _, c := range more {
		rows = append(rows, helpRow{plainLine(strings.TrimSpace("/" + c.Name + " " + c.Arg)), "composer", plainLine(c.Help), ""})
	}
	rows = append(rows,
		helpRow{"/", "empty composer", "show the commands", ""},
		helpRow{"! command", "composer", "run a command yourself, at once", ""},
		helpRow{"@path, @path:10-20", "composer", "send a file, or lines of it, along", ""},
		helpRow{"@!diff, @!staged", "composer", "send along what differs from the last commit, or what is staged", ""})
	if vi {
		rows = append(rows, viHelp()...)
	}
	return rows
}

// Keys returns the table of keys as Markdown.
func Keys() string {
	var b strings.Builder
	b.WriteString("| Key | Where | What | Name in `keys` |\n|---|---|---|---|\n")
	for _, r := range helpRows(bindings(), nil, true) {
		name := r.name
		if name != "" {
			name = "`" + name + "`"
		}
		b.WriteString("| " + r.keys + " | " + r.when + " | " + r.what + " | " + name + " |\n")
	}
	return b.String()
}

// mostKeys is how many keys of a command the sheet names.
const mostKeys = 3

// keySheet returns the keys as rows for the screen; the short one leaves out
// those of editing and of cards, which say theirs.
func keySheet(th *theme, table []binding, w int, short, vi bool, more []Command) []string {
	var g grid
	for _, r := range helpRows(table, more, vi && !short) {
		if short && len(r.keys) > 1 && r.keys[0] == '/' {
			continue // typing / shows them
		}
		if !short || r.when != "editing" && r.when != "card" && r.when != "transcript" {
			what := []span{{r.what, style{}}}
			if r.when != "" && r.when != "composer" {
				what = append(what, span{" (" + r.when + ")", th.muted})
			}
			keys := strings.Split(r.keys, ", ")
			g = append(g, [][]span{{{strings.Join(keys[:min(len(keys), mostKeys)], ", "), th.accent}}, what})
		}
	}
	return g.plainRows(th, w)
}
