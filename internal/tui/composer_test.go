package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/loop"
)

func TestEditingMovesByGraphemes(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"a b backspace", "a"},
		{"a b left left x", "xab"},
		{"日 本 👨‍👩‍👧 é backspace backspace", "日本"},
		{"日 本 left x", "日x本"},
		{"o n e ctrl+a x ctrl+e y", "xoney"},
		{"a shift+enter b up x", "ax\nb"},
		{"a ctrl+j b alt+enter c", "a\nb\nc"},
		{`a \ enter b`, "a\nb"},
		{"a b ctrl+u c", "c"},
		{"a b left ctrl+k c", "ac"},
		{"a b ctrl+u ctrl+y ctrl+y", "abab"},
		{"a alt+b x", "xa"},
		{"e \u0301 backspace", ""},
	} {
		r := newRig(t, 40, 20).boot(approval.LowRisk)
		r.pass(time.Second)
		r.keys(strings.Fields(c.keys)...)
		if got := r.composer.buf.text(); got != c.want {
			t.Errorf("%s gives %q, want %q", c.keys, got, c.want)
		}
	}
	r := newRig(t, 40, 20).boot(approval.LowRisk)
	r.typed("one two three")
	r.keys("ctrl+w", "alt+b", "alt+d")
	if got := r.composer.buf.text(); got != "one  " {
		t.Errorf("after cutting words: %q", got)
	}
}

func TestThePromptShowsWhatALineIs(t *testing.T) {
	for text, op := range map[string]bool{
		"! ls": true, "  !\tls": true, "!!! wow": false, "!important": false, "!": false, "! ": true, "say ! x": false, "a\n! b": false,
	} {
		if got := isOperator(text); got != op {
			t.Errorf("%q is an operator's line: %t", text, got)
		}
	}
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	r.typed("! go test")
	r.shows("› ! go test")
	r.keys("enter")
	if len(r.started) != 1 || r.started[0].text != "go test" || !r.started[0].operator {
		t.Errorf("started %+v", r.started)
	}
	r = newRig(t, 60, 20).boot(approval.LowRisk)
	r.typed("!")
	r.keys("enter")
	r.shows("write a space")
	if len(r.started) != 0 {
		t.Error("a lone exclamation mark starts a turn")
	}
}

func TestAMultiLineBurstNeverSubmits(t *testing.T) {
	for _, text := range []string{"aa\rbb\rcc\r", "one\r! touch OUT\r", "! touch OUT\r! touch OUT2\r", "/quit\r/quit\r", "a\r\rb"} {
		r := newRig(t, 60, 20).boot(approval.LowRisk)
		r.pass(time.Second)
		var keys []string
		for _, c := range strings.Split(text, "") {
			keys = append(keys, strings.Replace(c, "\r", "enter", 1))
		}
		r.burst(keys...)
		r.pass(time.Second)
		if len(r.started) != 0 || r.quit {
			t.Errorf("%q started %+v", text, r.started)
		}
		if got, want := strings.TrimRight(r.composer.buf.text(), "\n"), strings.TrimRight(strings.ReplaceAll(text, "\r", "\n"), "\n"); got != want {
			t.Errorf("%q is kept as %q", text, got)
		}
		r.keys("enter")
		if len(r.started) != 1 && !r.quit && !strings.HasPrefix(text, "/") {
			t.Errorf("%q: enter a tenth of a second later does not submit", text)
		}
	}
}

// What a program types as one line is sent, and what was offered for it goes.
func TestACommandThatIsTypedAtOnceLeavesNoPopup(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	r.pass(time.Second)
	r.burst("/", "p", "o", "l", "i", "c", "y", " ", "s", "t", "r", "i", "c", "t", "enter")
	r.pass(burstEnd)
	if !r.composer.buf.empty() || r.popup != nil {
		t.Errorf("%q is left, and a popup: %t", r.composer.buf.text(), r.popup != nil)
	}
	r.shows("strict")
	r.burst("/", "h", "e", "l", "p", "enter")
	r.pass(burstEnd)
	if !r.composer.buf.empty() || r.popup != nil {
		t.Errorf("%q is left, and a popup: %t", r.composer.buf.text(), r.popup != nil)
	}
}

// C074: what a terminal pastes without saying so is text, whatever runs and
// whatever it holds.
func TestABurstDoesNothingButType(t *testing.T) {
	for _, text := range []string{"@ma\tx\ry", "a\tb\r! touch OUT\rc", "/q\r/quit\r", "x\x07y\rz", "x\x12quit\ry", "x\x13y\rz", "see @ma\r\rb"} {
		for _, busy := range []bool{false, true} {
			r, q := withQueue(t)
			r.ready.Files = func() ([]string, error) { return []string{"main.go"}, nil }
			r.opts.Editor = func(string) (string, error) { t.Errorf("%q opens the editor", text); return "", nil }
			n := 0
			if busy {
				begun(r, "go")
				n = 1
			}
			r.pass(time.Second)
			var keys []string
			for _, c := range text {
				switch {
				case c == '\r':
					keys = append(keys, "enter")
				case c == '\t':
					keys = append(keys, "tab")
				case c < ' ':
					keys = append(keys, "ctrl+"+string(c+'a'-1))
				default:
					keys = append(keys, string(c))
				}
			}
			r.burst(keys...)
			r.pass(time.Second)
			if len(r.started) != n || r.quit || len(q.list) > 0 || len(r.composer.stash) > 0 || r.composer.search != nil {
				t.Errorf("%q, busy %t: started %+v, stored %s, quit %t", text, busy, r.started, q, r.quit)
			}
			want := strings.TrimRight(strings.Map(func(c rune) rune {
				if c == '\r' {
					return '\n'
				}
				if c < ' ' && c != '\t' {
					return -1
				}
				return c
			}, text), "\n")
			if got := strings.TrimRight(r.composer.buf.text(), "\n"); got != want {
				t.Errorf("%q, busy %t: kept as %q, want %q", text, busy, got, want)
			}
		}
	}
}

func TestAOneLineBurstSubmitsAsAProgramTypes(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	r.pass(time.Second)
	r.burst("h", "i", "enter")
	r.pass(20 * time.Millisecond)
	if len(r.started) != 0 {
		t.Error("it was not held back")
	}
	r.pass(time.Second)
	if len(r.started) != 1 || r.started[0].text != "hi" {
		t.Errorf("started %+v", r.started)
	}
}

// C075: what is pasted is kept, as text.
func TestPastes(t *testing.T) {
	for in, want := range map[string]string{
		"p1\r\np2\rp3\np4":            "p1\np2\np3\np4",
		"a\x1b[31mb\x1b]0;T\x07":      "a[31mb]0;T",
		"tab\there":                   "tab\there",
		"bad \xff utf8":               "bad \uFFFD utf8",
		strings.Repeat("x\n", 20_000): strings.TrimSpace(strings.Repeat("x\n", 20_000)),
	} {
		r := newRig(t, 60, 20).boot(approval.LowRisk)
		r.send(tea.PasteMsg{Content: in})
		if strings.Contains(r.raw.String(), "T\x07") {
			t.Errorf("%q reaches the terminal", in)
		}
		r.keys("enter")
		if len(r.started) != 1 || r.started[0].text != want {
			t.Errorf("%.30q is sent as %v", in, r.started)
		}
	}
}

func TestALongPasteIsAToken(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	big := strings.Repeat("0123456789", 100_000)
	linear(t, func(n int) { r.send(tea.PasteMsg{Content: big[:n]}) }, len(big))
	r.composer.take()
	r.typed("see ")
	r.send(tea.PasteMsg{Content: big})
	r.send(tea.PasteMsg{Content: strings.Repeat("line\n", 143)})
	r.shows("see [paste #1 · 1000000 characters][paste #2 · 143 lines]")
	r.keys("backspace", "left", "x", "enter")
	if got, want := r.started[0].text, "see x"+big; got != want {
		t.Errorf("sent %d bytes, want %d", len(got), len(want))
	}
}

func TestAPasteNeverAnswersACard(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	a := r.ask(shellRequest("go test"))
	r.pass(time.Second)
	r.send(tea.PasteMsg{Content: "y\ry\r1\r"})
	r.pass(time.Second)
	a.open(t)
	if got := r.composer.buf.text(); got != "y\ny\n1\n" {
		t.Errorf("the draft is %q", got)
	}
}

func TestHistoryIsWalkedFromAnEmptyLine(t *testing.T) {
	r := newRig(t, 60, 20).boot(approval.LowRisk)
	for _, s := range []string{"one", "two", "two", "three\nlines"} {
		r.composer.buf.set(s)
		r.composer.take()
	}
	want := func(s string) {
		t.Helper()
		if got := r.composer.buf.text(); got != s {
			t.Errorf("shows %q, want %q", got, s)
		}
	}
	r.keys("up")
	want("three\nlines")
	r.keys("up", "up")
	want("two")
	r.keys("up", "up", "up")
	want("one")
	r.keys("down")
	want("two")
	r.keys("down", "down", "down", "down")
	want("")
	r.typed("draft")
	r.keys("up")
	want("draft")
	r.keys("esc")
	want("draft")
	r.shows("Esc again puts the draft away")
	r.pass(2 * time.Second)
	r.hides("again puts")
	r.keys("esc", "esc")
	want("")
	r.shows("↑ brings the draft back")
	r.keys("up")
	want("draft")
	r.keys("left", "ctrl+d")
	want("draf")
	r.keys("ctrl+d", "ctrl+d")
	want("draf")
	if r.quit {
		t.Error("Ctrl+D leaves a draft")
	}
}

func TestTheCursorStaysInTheFrame(t *testing.T) {
	for w := 4; w < 30; w++ {
		b := buffer{}
		b.insert("日本語 text with 👨‍👩‍👧 and\nlines that are long enough to wrap")
		for b.at = range len(b.cells) + 1 {
			v := b.lay(w)
			if v.cx > w || v.cy >= len(v.rows) || v.cx < 0 {
				t.Fatalf("at width %d the cursor of cell %d is at %d,%d of %d rows", w, b.at, v.cx, v.cy, len(v.rows))
			}
		}
		for _, r := range b.lay(w).rows {
			if width(r) > w {
				t.Fatalf("at width %d the row %q is too long", w, r)
			}
		}
	}
}

// /init is a turn of its own, with what was typed behind it, and says why not.
func TestInitIsSentAsATurn(t *testing.T) {
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	try := func(want string) {
		t.Helper()
		r.typed("/init in German ")
		r.keys("enter")
		r.shows(want)
		if len(r.started) > 0 || r.composer.buf.empty() {
			t.Fatalf("started %v, the draft is %q", r.started, r.composer.buf.text())
		}
		r.keys("ctrl+u")
	}
	try("this session writes no AGENTS.md")
	why := "the agent reader changes nothing"
	r.ready.Init = func() string { return why }
	try(why)
	why = ""
	r.typed("/init in German ")
	r.keys("enter")
	if len(r.started) != 1 || r.started[0].text != "/init in German" || !r.composer.buf.empty() {
		t.Fatalf("started %+v", r.started)
	}
	r.typed("/init")
	r.keys("enter") // while a turn runs, it waits for its own
	if len(r.started) != 1 || len(r.queue.list) != 1 || r.queue.list[0].steers {
		t.Errorf("started %+v, waiting %+v", r.started, r.queue.list)
	}
	r.events(loop.Ended{})
	r.send(turnDoneMsg{})
	if len(r.started) != 2 || r.started[1].text != "/init" {
		t.Errorf("started %+v", r.started)
	}
}

func TestSlashCommands(t *testing.T) {
	for text, want := range map[string]struct {
		hint    string
		started bool
		quit    bool
		policy  approval.Policy
	}{
		"/quit":              {quit: true, policy: approval.LowRisk},
		"/exit":              {quit: true, policy: approval.LowRisk},
		"/policy strict":     {policy: approval.Strict},
		"/policy yolo":       {policy: approval.Yolo},
		"/policy nonsense":   {hint: "unknown approval policy", policy: approval.LowRisk},
		"/policy":            {hint: "which policy?", policy: approval.LowRisk},
		"/polcy":             {hint: "did you mean /permissions or /plan or /policy?", policy: approval.LowRisk},
		"/usr/bin is broken": {started: true, policy: approval.LowRisk},
		"/tmp is full":       {started: true, policy: approval.LowRisk},
	} {
		r := newRig(t, 80, 24).boot(approval.LowRisk)
		r.typed(text)
		r.keys("enter")
		if r.quit != want.quit || (len(r.started) > 0) != want.started || r.policy != want.policy {
			t.Errorf("%s: quit %t, started %v, policy %s", text, r.quit, r.started, r.policy)
		}
		if want.hint != "" {
			r.shows(want.hint)
			if r.composer.buf.text() != text {
				t.Errorf("%s: the draft is lost", text)
			}
		}
	}
	r := newRig(t, 80, 24).boot(approval.LowRisk)
	r.typed("/po")
	r.keys("tab")
	if got := r.composer.buf.text(); got != "/policy " {
		t.Errorf("completed to %q", got)
	}
}

// What is typed is broken between words, and no character of it is lost or shown
// twice; the cursor goes on where the next character will stand.
func TestADraftIsBrokenBetweenWords(t *testing.T) {
	for in, want := range map[string]string{
		"one two three":     "one two|three",
		"one two  three":    "one two |three",
		"one two t":         "one two t",
		"one two th":        "one two th|",
		"onetwothreefour":   "onetwothre|efour",
		"a onetwothreefour": "a|onetwothre|efour",
		"日本語日本語 x":          "日本語日本|語 x",
		"one two三四":         "one two三|四",
		"one two\nthree":    "one two|three",
		"one two the\n":     "one two|the|",
		"exactly te ":       "exactly te|",
		"one two 👨‍👩‍👧👨‍👩‍👧": "one two 👨‍👩‍👧|👨‍👩‍👧",
	} {
		var b buffer
		b.insert(in)
		v := b.lay(10)
		rows := make([]string, len(v.rows))
		for i, r := range v.rows {
			rows[i] = strings.TrimRight(r, " ")
		}
		if got := strings.Join(rows, "|"); got != strings.ReplaceAll(strings.ReplaceAll(want, " |", "|"), " \n", "\n") {
			t.Errorf("%q is laid out as %q, want %q", in, got, want)
		}
		if v.cy != len(v.rows)-1 || v.cx > 10 || v.cx != width(v.rows[v.cy]) {
			t.Errorf("%q: the cursor is at %d in row %d of %q", in, v.cx, v.cy, v.rows)
		}
		for b.at > 0 { // every place has its own
			was := b.lay(10)
			b.move(b.at - 1)
			if now := b.lay(10); now.cx == was.cx && now.cy == was.cy {
				t.Errorf("%q: the cursor stands still before %d", in, b.at)
			}
		}
	}
}
