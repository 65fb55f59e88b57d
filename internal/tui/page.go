package tui

import "strings"

// paged prints what a command was asked for, under what was typed for it: the
// scrollback has no other trace of it.
func (s *screen) paged(command string, rows []string) {
	if len(rows) == 0 {
		return
	}
	if command != "" {
		rows = append([]string{s.th.muted.render(clip(command, s.script.w))}, rows...)
	}
	s.print(s.script.put(blockPage, rows))
}

// columns lays out lines that are no part of the conversation. What does not fit
// goes on below the last of the columns that they have.
func (s *screen) columns(lines []string) []string {
	var rows []string
	for _, l := range lines {
		text := plainLine(l)
		rows = append(rows, wrap([]span{{text, style{}}}, s.script.w, "", strings.Repeat(" ", hang(text, s.script.w)))...)
	}
	return rows
}

// hang is where the last column of a line begins, as far as columns are set apart
// by blanks and there is room behind them.
func hang(line string, w int) int {
	at := 2
	for i := 0; i+1 < len(line); i++ {
		if line[i] != ' ' || line[i+1] != ' ' {
			continue
		}
		for i < len(line) && line[i] == ' ' {
			i++
		}
		column := width(line[:i])
		if column > w/2 {
			break
		}
		at = column
	}
	return at
}
