package tui

// names is what the commands are called in the configuration. Those of a card
// are called the same with "card." before it, those of the transcript with
// "transcript.".
func names() map[command]string {
	return map[command]string{
		cmdPolicy: "policy", cmdRepaint: "repaint", cmdSuspend: "suspend", cmdEsc: "escape", cmdEscEsc: "escape_twice",
		cmdCtrlC: "interrupt", cmdCtrlD: "leave", cmdSubmit: "submit", cmdNewline: "newline", cmdComplete: "complete",
		cmdUp: "up", cmdDown: "down", cmdUnqueue: "take_back", cmdHelp: "help", cmdLeft: "left", cmdRight: "right",
		cmdWordLeft: "word_left", cmdWordRight: "word_right", cmdStart: "line_start", cmdEnd: "line_end",
		cmdErase: "erase_left", cmdEraseRight: "erase_right", cmdEraseWord: "cut_word_left", cmdEraseWordRight: "cut_word_right",
		cmdKillLeft: "cut_line_left", cmdKillRight: "cut_line_right", cmdYank: "yank", cmdYankPop: "yank_pop",
		cmdTranspose: "transpose", cmdUndo: "undo", cmdRedo: "redo", cmdSearch: "search", cmdScope: "search_scope", cmdStash: "stash",
		cmdEditor: "editor", cmdExpand: "expand_paste", cmdNextRow: "next_row", cmdPageUp: "page_up", cmdPageDown: "page_down",
		cmdTop: "top", cmdBottom: "bottom", cmdNextHunk: "next_hunk", cmdPrevHunk: "previous_hunk", cmdNextFile: "next_file",
		cmdPrevFile: "previous_file", cmdFull: "full_screen", cmdBeside: "side_by_side",
		cmdTranscript: "transcript", cmdResult: "expand_result", cmdHalfUp: "half_page_up", cmdHalfDown: "half_page_down", cmdFirst: "beginning",
		cmdLast: "end", cmdFind: "search", cmdNextFound: "next_found", cmdPrevFound: "previous_found", cmdNextCall: "next_call",
		cmdPrevCall: "previous_call", cmdNextUncertain: "next_uncertain", cmdCopy: "copy", cmdLeave: "back",
	}
}

// name is what a binding is called in the configuration, "" when it cannot be
// changed there.
func (b binding) name() string {
	n := names()[b.do]
	switch {
	case n == "":
		return ""
	case b.where == inCard:
		return "card." + n
	case b.where == inPager:
		return "transcript." + n
	}
	return n
}
