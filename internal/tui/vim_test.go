package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
)

// viPress types keys as the composer does: in normal mode they are commands, in
// insert mode text. <esc>, <cr>, <bs> and <redo> are keys that have names.
func viPress(v *vim, b *buffer, keys string) {
	for keys != "" {
		key := firstCluster(keys)
		keys = keys[len(key):]
		name := key
		if key == "<" {
			if end := strings.IndexByte(keys, '>'); end > 0 && slices.Contains([]string{"esc", "cr", "bs", "redo"}, keys[:end]) {
				name, key, keys = map[string]string{"esc": "esc", "cr": "enter", "bs": "backspace", "redo": "ctrl+r"}[keys[:end]], "", keys[end+1:]
			}
		}
		viKeyPressed(v, b, name, key)
	}
}

func firstCluster(s string) string { return cellsOf(s)[0].text }

func viKeyPressed(v *vim, b *buffer, name, text string) {
	cmd := map[string]command{"backspace": cmdErase, "enter": cmdSubmit, "ctrl+r": cmdSearch}[name]
	if name == "esc" {
		v.leave(b)
		return
	}
	used, by := v.key(name, text, cmd, b, false)
	for ; used && by != 0; by += map[bool]int{true: -1, false: 1}[by > 0] {
		b.vertical(map[bool]int{true: 1, false: -1}[by > 0], 1000)
		v.settle(b)
	}
	switch {
	case used:
	case name == "enter":
		b.insert("\n") // so that it shows
	case cmd != cmdNone:
		edit(b, cmd)
	case text != "":
		b.insert(text)
	}
}

// A viCase is a text with a bar at the cursor, and what keys make of it.
type viCase struct{ text, keys, want string }

func viTable(t *testing.T, cases []viCase) {
	t.Helper()
	for _, c := range cases {
		b := viOf(c.text)
		viPress(&vim{on: true}, b, c.keys)
		if got := viShow(b); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.text, c.keys, got, c.want)
		}
	}
}

// viOf makes a buffer of a text with a bar at the cursor, and viShow the reverse.
func viOf(text string) *buffer {
	left, right, _ := strings.Cut(text, "|")
	b := &buffer{}
	b.set(left + right)
	b.at = len(cellsOf(left))
	b.undos = undos{}
	return b
}

func viShow(b *buffer) string { return textOf(b.cells[:b.at]) + "|" + textOf(b.cells[b.at:]) }

func TestViCommands(t *testing.T) {
	viTable(t, []viCase{
		// Words, and what is one.
		{"|one.two three", "w", "one|.two three"},
		{"|one.two three", "W", "one.two |three"},
		{"|one.two three", "ww", "one.|two three"},
		{"|one two", "e", "on|e two"},
		{"on|e two", "e", "one tw|o"},
		{"one.two| three", "b", "one.|two three"},
		{"one.two |three", "B", "|one.two three"},
		{"one two|", "ge", "on|e two"},
		{"one.x |two b", "gE", "one.|x two b"},
		{"|a\n\nb", "w", "a\n|\nb"},
		{"a\n\n|b", "b", "a\n|\nb"},
		{"|日本ひらカナhan", "w", "日本|ひらカナhan"},
		{"|日本ひらカナhan", "3w", "日本ひらカナ|han"},
		{"|e\u0301te\u0301 x", "e", "e\u0301t|e\u0301 x"},
		{"|x👨‍👩‍👧y", "w", "x|👨‍👩‍👧y"},
		{"|one two three", "2e", "one tw|o three"},
		// Within the line and between lines.
		{"  one| two", "0", "|  one two"},
		{"  one| two", "^", "  |one two"},
		{"|one two", "$", "one tw|o"},
		{"|one  ", "g_", "on|e  "},
		{"|one\ntwo\nthree", "G", "one\ntwo\n|three"},
		{"one\ntwo\n|three", "gg", "|one\ntwo\nthree"},
		{"|one\ntwo\nthree", "2G", "one\n|two\nthree"},
		{"o|ne\ntwo\nthree", "2j", "one\ntwo\nt|hree"},
		{"one\ntwo\nt|hree", "k", "one\nt|wo\nthree"},
		{"a |(b [c] d) e", "%", "a (b [c] d|) e"},
		{"a (b [c] d|) e", "%", "a |(b [c] d) e"},
		{"|a (b\n[c)] e", "%", "a (b\n[c|)] e"},
		{"|a ( b", "%", "|a ( b"},
		{"|a\nb\n\n\nc\nd", "}", "a\nb\n|\n\nc\nd"},
		{"|a\nb\n\n\nc\nd", "}}", "a\nb\n\n\nc\n|d"},
		{"a\nb\n\nc\n|d", "{", "a\nb\n|\nc\nd"},
		// Searching for a character.
		{"|a.b.c.d", "f.", "a|.b.c.d"},
		{"|a.b.c.d", "2f.", "a.b|.c.d"},
		{"|a.b.c.d", "t.;", "a.|b.c.d"},
		{"|a.b.c.d", "f.;;,", "a.b|.c.d"},
		{"a.b.c|.d", "F.", "a.b|.c.d"},
		{"a.b.c|.d", "T.", "a.b.|c.d"},
		{"|a日b日", "f日;", "a日b|日"},
		{"|ab", "fx", "|ab"},
		{"a.b.c|", "dF.", "a.b|c"},
		{"|a.b.c", "dt.", "|.b.c"},
		{"|a.b.c", "f.d;", "a|c"},
		// Operators.
		{"|one two three", "dw", "|two three"},
		{"|one two three", "2dw", "|three"},
		{"|one two three four five six seven", "2d3w", "|seven"},
		{"one |two\nthree", "dw", "one| \nthree"},
		{"|one two", "cwx<esc>", "|x two"},
		{"|one two", "cex<esc>", "|x two"},
		{"o|ne two", "c2wx<esc>", "o|x"},
		{"on|e.two", "cwx<esc>", "on|x.two"},
		{"one| two", "cwx<esc>", "one|xtwo"},
		{"one |two", "db", "|two"},
		{"one\n|two", "db", "|two"},
		{" x one\n|two", "db", " x| \ntwo"},
		{"one two| three", "d0", "| three"},
		{"one |two three", "d$", "one| "},
		{"one |two three", "D", "one| "},
		{"one |two three", "Cx<esc>", "one |x"},
		{"a|b", "dl", "|a"},
		{"a|b", "dh", "|b"},
		{"x |(a\nb) y", "d%", "x | y"},
		{"one\nt|wo\nthree", "dd", "one\n|three"},
		{"one\ntwo\nt|hree", "dd", "one\n|two"},
		{"|one\ntwo\nthree", "2dd", "|three"},
		{"|one\ntwo\nthree", "dj", "|three"},
		{"one\n|two\nthree", "dk", "|three"},
		{"one\n|two\nthree", "dG", "|one"},
		{"one\n  t|wo\nthree", "ccx<esc>", "one\n|x\nthree"},
		{"one\nt|wo", "Sx<esc>", "one\n|x"},
		{"|a\nb\n\nc", "d}", "|\nc"},
		{"|abc", "xp", "b|ac"},
		{"|abc", "2x", "|c"},
		{"ab|c", "2X", "|c"},
		{"|abc", "sx<esc>", "|xbc"},
		{"|👨‍👩‍👧e\u0301日", "x", "|e\u0301日"},
		{"|abc", "rx", "|xbc"},
		{"|abc", "2r日", "日|日c"},
		{"|abc", "4rx", "|abc"},
		{"a|b", "r<cr>", "a\n|"},
		{"|aBc", "~~", "Ab|c"},
		{"|aBc", "9~", "Ab|C"},
		{"|one Two", "g~w", "|ONE Two"},
		{"one |TWO", "guiw", "one |two"},
		{"one |two", "gUU", "|ONE TWO"},
		{"|one\n  two\nthree", "J", "one| two\nthree"},
		{"|one\n  two\nthree", "3J", "one two| three"},
		{"|f(\n  )", "J", "f(|)"},
		{"one\nt|wo", "J", "one\nt|wo"},
		{"|one\n\ntwo", ">>", "    |one\n\ntwo"},
		{"|one\n\ntwo", ">G", "    |one\n\n    two"},
		{"    on|e", "<<", "|one"},
		{"\t  on|e", "<<", "  |one"},
		{"|a\nb", "3>>", "    |a\n    b"},
		// Putting.
		{"|one two", "ywP", "one| one two"},
		{"|one\ntwo", "yyp", "one\n|one\ntwo"},
		{"one\n|two", "yyp", "one\ntwo\n|two"},
		{"one\n|two", "yyP", "one\n|two\ntwo"},
		{"|one\ntwo", "ddp", "two\n|one"},
		{"|one\ntwo", "Y2p", "one\n|one\none\ntwo"},
		{"|ab", "x3p", "baa|a"},
		{"|ab", "dhp", "|ab"},
		{"", "p", "|"},
		{"", "dd", "|"},
		// Inserting.
		{"a|b", "ix<esc>", "a|xb"},
		{"a|b", "ax<esc>", "ab|x"},
		{"  a|b", "Ix<esc>", "  |xab"},
		{"|ab", "Ax<esc>", "ab|x"},
		{"a|b", "ox<esc>", "ab\n|x"},
		{"a|b", "Ox<esc>", "|x\nab"},
		{"|ab", "3ix<esc>", "xx|xab"},
		{"|ab", "2ox<esc>", "ab\nx\n|x"},
		{"|ab", "2Axy<esc>", "abxyx|y"},
		// Undoing: what a command changed and what was typed for it are one.
		{"|one two", "cwa b c<esc>u", "|one two"},
		{"|one two", "dwu<redo>", "|two"},
		{"|one two three", "dwdw2u", "|one two three"},
		{"|one", "xuU", "|ne"},
		// Again.
		{"|one two three", "dw.", "|three"},
		{"|one two three four", "dw2.", "|four"},
		{"|one two three", "cwx<esc>w.", "x |x three"},
		{"|a.b.c", "r-ll.", "-.|-.c"},
		{"|one\ntwo", "Ax<esc>j.", "onex\ntwo|x"},
		{"|one", "ox<esc>.", "one\nx\n|x"},
		{"|a", "2ix<esc>.", "xx|xxa"},
		{"|a", "ix<esc>3.", "xx|xxa"},
		{"|one\ntwo\nthree", "J.", "one two| three"},
		{"|ab", "xp.", "ba|a"},
		{"|ab", ".", "|ab"},
		{"|one\ntwo", ">>j.", "    one\n    |two"},
		{"|(a) (b)", "ci(x<esc>f(.", "(x) (|x)"},
		{"|one two", "yww.", "one |two"},
		// What is not whole does nothing, and neither does what is no command.
		{"|one", "d<esc>x", "|ne"},
		{"|one", "3<esc>x", "|ne"},
		{"|one", "d<cr>x", "|ne"},
		{"|one", "f<bs>x", "|ne"},
		{"|one", "dQqZ&", "|one"},
		{"o|ne", "<bs>", "|one"},
	})
}

func TestViObjects(t *testing.T) {
	viTable(t, []viCase{
		{"one t|wo three", "diw", "one | three"},
		{"one t|wo three", "daw", "one |three"},
		{"one two thr|ee", "daw", "one tw|o"},
		{"one |  two", "diw", "one|two"},
		{"one | two three", "daw", "one| three"},
		{"on|e two three", "d2aw", "|three"},
		{"on|e two three", "d3iw", "| three"},
		{"a.b|-c d", "diw", "a.b|c d"},
		{"a.b|-c d", "diW", "| d"},
		{"x a.b|-c d", "daW", "x |d"},
		{"日本|語ひら", "diw", "|ひら"},
		{"x e\u0301|te\u0301 y", "ciwz<esc>", "x |z y"},
		{`say "he|llo there" now`, `ci"x<esc>`, `say "|x" now`},
		{`say "he|llo" now`, `da"`, `say |now`},
		{`|say "hello" now`, `di"`, `say "|" now`},
		{`a "x\"|y" b`, `di"`, `a "|" b`},
		{`"a" |b "c"`, `di"`, `"a" b "|"`},
		{"'a|b' `c`", "di'", "'|' `c`"},
		{"'ab' |`c`", "di`", "'ab' `|`"},
		{`"a|b`, `di"`, `"a|b`},
		{"f(a, (b|), c)", "di(", "f(a, (|), c)"},
		{"f(a, (b|), c)", "2di(", "f(|)"},
		{"f(a, (b|), c)", "dab", "f(a, |, c)"},
		{"f|(a)", "dib", "f(|)"},
		{"f(a|)", "di)", "f(|)"},
		{"a[b|c]", "di[", "a[|]"},
		{"a[b|c]", "da]", "|a"},
		{"{a|}", "diB", "{|}"},
		{"f {\n  a|\n  b\n}", "di{", "f {\n|}"},
		{"f {\n  a|\n  b\n}", "ci{x<esc>", "f {\n|x\n}"},
		{"f {\n  a|\n  b\n}", "da}", "f| "},
		{"<b|c>", "di<", "<|>"},
		{"<b|c>x", "da>", "|x"},
		{"(|a", "di(", "(|a"},
		{"a\nb|\n\nc\nd", "dip", "|\nc\nd"},
		{"a\nb|\n\n\nc\nd", "dap", "|c\nd"},
		{"a\n\nc|\nd", "dap", "|a"},
		{"a|\n\nc\n\nd", "d2ap", "|d"},
		{"a\n|\n\nc", "dip", "a\n|c"},
		{"a\nb|\n\nc", "yipP", "|a\nb\na\nb\n\nc"},
		{"a\n|b\n\nc", ">ip", "    |a\n    b\n\nc"},
		{"", "diw", "|"},
		{"", "dap", "|"},
		{"", "ciwx<esc>", "|"},
	})
}

func TestViSelects(t *testing.T) {
	viTable(t, []viCase{
		{"o|ne two", "ved", "o| two"},
		{"o|ne two", "vwy$p", "one twone |t"},
		{"one\nt|wo\nthree", "Vd", "one\n|three"},
		{"|one\ntwo\nthree", "Vjd", "|three"},
		{"|one\ntwo\nthree", "Vjcx<esc>", "|x\nthree"},
		{"|one two", "vecx<esc>", "|x two"},
		{"one (t|wo) x", "vi(d", "one (|) x"},
		{"one t|wo x", "viwU", "one |TWO x"},
		{"one t|wo x", "vawd", "one |x"},
		{"|one two", "ver-", "|--- two"},
		{"|a\nb", "v$r-", "|-\nb"},
		{"|one\ntwo", "vjJ", "one| two"},
		{"|one\ntwo", "Vj>", "    |one\n    two"},
		{"|one two", "vey$viwp", "one on|e"},
		{"|one\ntwo", "yyjviwp", "one\n\n|one\n"},
		{"|a\nb\nc", "yyjVp", "a\n|a\nc"},
		{"o|ne two", "v<esc>x", "o|e two"},
		{"o|ne two", "vvx", "o|e two"},
		{"o|ne two", "vVd", "|"},
		{"on|e two", "vohd", "o| two"},
		{"|one two three", "ved.", "|o three"},
		{"|a\nb\nc\nd", "Vjd.", "|"},
		{"|one\ntwo\nx", "vjD", "|x"},
		{"|one\ntwo", "vlY$p", "one\n|one\ntwo"},
		{"|abc", "v3ld", "|"},
		{"|a b c", "vtcd", "|c"},
	})
}

func TestViKeysAreRead(t *testing.T) {
	for _, c := range []struct {
		keys   string
		visual bool
		want   viCommand
		state  viState
	}{
		{"2d3w", false, viCommand{n: 6, op: "d", key: "w"}, viDone},
		{"10j", false, viCommand{n: 10, key: "j"}, viDone},
		{"0", false, viCommand{key: "0"}, viDone},
		{"d0", false, viCommand{op: "d", key: "0"}, viDone},
		{"99999999w", false, viCommand{n: maxViCount, key: "w"}, viDone},
		{"9999d9999w", false, viCommand{n: maxViCount, op: "d", key: "w"}, viDone},
		{"gUgU", false, viCommand{op: "gU", key: "line"}, viDone},
		{"g~~", false, viCommand{op: "g~", key: "line"}, viDone},
		{"ci\"", false, viCommand{op: "c", key: `i"`}, viDone},
		{"r3", false, viCommand{key: "r", arg: "3"}, viDone},
		{"d", false, viCommand{op: "d"}, viMore},
		{"3", false, viCommand{n: 3}, viMore},
		{"di", false, viCommand{op: "d"}, viMore},
		{"df", false, viCommand{op: "d", key: "f"}, viMore},
		{"g", false, viCommand{}, viMore},
		{"dp", false, viCommand{op: "d"}, viBad},
		{"diz", false, viCommand{op: "d", key: "iz"}, viBad},
		{"dy", false, viCommand{op: "d"}, viBad},
		{"2iw", true, viCommand{n: 2, key: "iw"}, viDone},
		{"i", true, viCommand{}, viMore},
		{"gu", true, viCommand{op: "gu", key: "sel"}, viDone},
		{".", true, viCommand{}, viBad},
	} {
		got, state := parseVi(strings.Split(c.keys, ""), c.visual)
		if got != c.want || state != c.state {
			t.Errorf("%s: %+v, %d", c.keys, got, state)
		}
	}
}

// FuzzVi presses any keys on any text: nothing panics, the cursor stays on the
// text, no character and no paste is torn, and all of it can be undone.
func FuzzVi(f *testing.F) {
	for _, keys := range []string{"dawciwx<esc>..u", "2d3wp9999P", "Vjdvip>.", "qf(di(%~", "5ix<esc>.3.", "yyVGp<redo>", "ggVGJuRr日"} {
		f.Add("one (two)\n\n  \"日本 e\u0301\" 👨‍👩‍👧\n{\n x\n}", keys)
	}
	f.Fuzz(func(t *testing.T, text, keys string) {
		text, keys = normalise(text), normalise(keys)
		if len(text) > 200 || len(keys) > 40 || keys == "" {
			return
		}
		b := viOf(strings.ReplaceAll(text, "|", ""))
		b.insertToken("pasted\nlines\n", "[paste]")
		start := b.text()
		b.undos = undos{}
		v := &vim{on: true}
		v.settle(b)
		for range 2 {
			viPress(v, b, keys)
			if b.at < 0 || b.at > len(b.cells) || len(v.keys) > 40 {
				t.Fatalf("the cursor is at %d of %d, %q is not read", b.at, len(b.cells), v.keys)
			}
			if !v.insert && v.visual == 0 && b.at != viText(b.cells).rest(b.at) {
				t.Fatalf("the cursor rests at %q", viShow(b))
			}
			for _, c := range b.cells {
				if c.text == "" || c.token != "" && c != (cell{"pasted\nlines\n", "[paste]"}) || c.token == "" && c.text != "\n" && strings.Contains(c.text, "\n") {
					t.Fatalf("there is a cell %q", c)
				}
			}
			b.lay(10)
		}
		for range 3 {
			v.leave(b)
		}
		if v.insert || v.visual != 0 || len(v.keys) > 0 || b.undos.group != groupNone {
			t.Fatalf("not in normal mode: %+v", v)
		}
		for range maxUndos + 1 {
			b.undo()
		}
		kept := 0
		for _, s := range b.undos.forth {
			kept += len(s.cells)
		}
		if b.text() != start && kept < maxUndoCells/2 {
			t.Fatalf("all undone, %q is %q", start, b.text())
		}
	})
}

// Every key of vi is in the reference.
func TestViKeysAreTold(t *testing.T) {
	var told strings.Builder
	for _, r := range viHelp() {
		told.WriteString(" " + strings.NewReplacer(", ", " ", " or ", " ").Replace(r.keys) + " " + strings.ReplaceAll(r.what, ";", " ") + " ")
	}
	for _, list := range []string{viOperators, viCases, viMoves, viFinds, viActs, viSelected} {
		for key := range strings.FieldsSeq(list) {
			if !strings.Contains(told.String(), " "+key+" ") {
				t.Errorf("%s is not told of", key)
			}
		}
	}
}

func viRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, 60, 20)
	r.composer.vim = vim{on: true, insert: true}
	return r.boot(approval.LowRisk)
}

// Ctrl+R is what the hands of vi's users mean by it where there is a text to go
// back in.
func TestViRedoesAndSearches(t *testing.T) {
	r := viRig(t)
	r.typed("one")
	r.keys("esc", "x", "u", "ctrl+r")
	if got := r.composer.buf.text(); got != "on" || r.composer.search != nil {
		t.Errorf("%q", got)
	}
	r.keys("d", "d", "ctrl+r")
	r.shows("search older prompts")
	r.keys("esc", "i")
	r.typed("two")
	r.keys("ctrl+r")
	r.shows("search older prompts")
}

// Rows are as they are seen, and at their ends there is the history.
func TestViGoesThroughRowsAndTheHistory(t *testing.T) {
	r := viRig(t)
	r.composer.history.add("older")
	r.composer.history.add("newer one")
	r.keys("esc", "k")
	if got := r.composer.buf.text(); got != "newer one" {
		t.Errorf("k shows %q", got)
	}
	r.keys("k")
	r.keys("k", "j")
	if got := viShow(&r.composer.buf); got != "newer on|e" {
		t.Errorf("k, k, j show %q", got)
	}
	r.keys("x", "k")
	if got := r.composer.buf.text(); got != "newer on" {
		t.Errorf("a changed prompt is left for %q", got)
	}
	r.keys("d", "d", "i")
	r.typed(strings.Repeat("long ", 30))
	r.keys("esc", "2", "k", "x")
	if got := r.composer.buf.text(); len(got) != 149 || strings.HasSuffix(got, "lon") {
		t.Errorf("2k in wrapped rows leaves %q", got)
	}
	if len(r.started) > 0 {
		t.Error("something is sent")
	}
}

func TestViSelectionsAreShown(t *testing.T) {
	r := viRig(t)
	r.typed("one two")
	r.keys("shift+enter", "shift+enter")
	r.typed("日本 three")
	var rows []string
	for _, keys := range [][]string{{"esc"}, {"g", "g", "w", "v", "G"}, {"V"}, {"k", "k"}, {"esc"}} {
		r.keys(keys...)
		lines, _, _ := r.composer.rows(6, "")
		rows = append(append(rows, lines...), "")
	}
	golden(t, "vi-60", rows)
}

// Half a command sends nothing.
func TestViEnterWithHalfACommandSendsNothing(t *testing.T) {
	r := viRig(t)
	r.typed("one")
	r.keys("esc", "d", "enter", "r", "enter")
	if got := r.composer.buf.text(); got != "on\n" || len(r.started) > 0 {
		t.Errorf("%q, sent %v", got, r.started)
	}
	r.keys("enter")
	if len(r.started) != 1 {
		t.Error("Enter sends no more")
	}
}

// The keys of vi are on the sheet where they are on.
func TestViIsOnTheSheet(t *testing.T) {
	r := viRig(t)
	r.typed("/keys")
	r.keys("enter")
	if !strings.Contains(r.printedText(), "text objects") {
		t.Error("the sheet has no text objects")
	}
	r = newRig(t, 60, 20).boot(approval.LowRisk)
	r.typed("/keys")
	r.keys("enter")
	if strings.Contains(r.printedText(), "text objects") {
		t.Error("the sheet has text objects without vi")
	}
}
