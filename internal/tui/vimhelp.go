package tui

// viHelp is the commands of vi as people read them. They have no names in the
// configuration: who wants them knows them.
func viHelp() []helpRow {
	row := func(keys, what string) helpRow { return helpRow{keys, "vi", what, ""} }
	return []helpRow{
		row("Esc", "from inserting to commands; ends a selection or half a command"),
		row("h l j k gj gk", "left, right; the row below or above, at the end of them newer and older prompts"),
		row("w b e ge, W B E gE", "by words, or by what stands between blanks"),
		row("0 ^ $ g_ _", "start of the line, first and last character of it"),
		row("gg G { }", "first and last line, or the line of the count; empty lines"),
		row("f F t T ; ,", "a character in the line, or before it; again, and the other way"),
		row("%", "the bracket that belongs to this one"),
		row("d c y > <", "cut, change, copy, shift what a movement or a text object says; twice for lines"),
		row("g~ gu gU", "the same, for swapped, small and capital letters"),
		row("iw aw iW aW ip ap", "text objects: words and paragraphs, with a for their blanks too"),
		row(`i" a" i' a' i`+"` a`", "between quotes, or with them"),
		row("i( a( i[ a[ i{ a{ i< a<", "between brackets, or with them; also ) ] } > b B"),
		row("x X s S D C Y", "cut a character or the one before; change it, the line; cut, change to its end; copy it"),
		row("p P", "put what was cut behind or before"),
		row("r ~ J", "another character, the other case, join the next line"),
		row("i a I A o O", "insert here, behind, at the start or the end of the line, below, above"),
		row("u, Ctrl+R or U", "undo and redo; Ctrl+R in an empty composer and while inserting searches older prompts"),
		row(".", "the last change again, with what was typed for it"),
		row("v V", "select characters or lines, for d c y x s R r p J ~ u U > <; o goes to the other end"),
		row("1 … 9", "a count before a command, a movement or a text object"),
	}
}
