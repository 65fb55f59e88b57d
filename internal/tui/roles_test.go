package tui

import (
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/approval"
)

func TestThemesAreChecked(t *testing.T) {
	good := `{"dark": {"ok": "#00ff00 bold", "muted": "244"}, "light": {"ok": "green", "loud": "white bold on #a00000"}}`
	p, err := ParseTheme("mine", []byte(good))
	if err != nil || !p.halves() {
		t.Fatal(p, err)
	}
	for text, want := range map[string]string{
		``:                                   "theme mine",
		`[]`:                                 "theme mine",
		`{"dark": {"okay": "red"}}`:          `no role "okay"`,
		`{"dusk": {}}`:                       "dusk",
		`{"dark": {"ok": "puce"}}`:           `dark.ok: "puce"`,
		`{"dark": {"ok": "#12345"}}`:         "#12345",
		`{"dark": {"ok": "256"}}`:            "256",
		`{"light": {"ok": "red on"}}`:        `"on" wants a colour`,
		`{"light": {"ok": "red on red"}}`:    "cannot be seen",
		good + "x":                           "after the end",
		`{"dark": {"ok": "red \u001b[31m"}}`: "neither a colour",
	} {
		if _, err := ParseTheme("mine", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, b := range Builtin() {
		for _, half := range []map[string]string{b.Dark, b.Light} {
			for role, look := range half {
				if _, err := parseLook(look, 0, true); err != nil {
					t.Errorf("%s: %s: %v", b.Name, role, err)
				}
			}
		}
	}
}

func FuzzParseTheme(f *testing.F) {
	f.Add([]byte(`{"dark": {"ok": "red on 12"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseTheme("x", data)
		if err != nil {
			return
		}
		for _, light := range []bool{true, false} {
			th := look{env: []string{"TERM=xterm-256color"}, palette: p, light: light}.theme()
			for _, r := range th.roles() {
				if r.to.on != "" && (!strings.HasPrefix(r.to.on, "\x1b[") || !strings.HasSuffix(r.to.on, "m")) {
					t.Fatalf("%s: %q", r.name, r.to.on)
				}
			}
		}
	})
}

func TestColoursFollowTheTerminal(t *testing.T) {
	p := Palette{Name: "x", Dark: map[string]string{"ok": "#00ff00", "fail": "208"}}
	for env, want := range map[string]string{
		"TERM=xterm-256color COLORTERM=truecolor": "38;2;0;255;0",
		"TERM=xterm-256color":                     "38;5;46",
		"TERM=xterm":                              "92",
		"TERM=xterm NO_COLOR=1":                   "",
		"TERM=xterm CLICOLOR=0":                   "",
		"TERM=dumb":                               "",
	} {
		th := look{env: strings.Fields(env), palette: p}.theme()
		if got := th.ok.on; got != "" && got != "\x1b["+want+"m" || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %s", env, got, want)
		}
	}
	th := look{env: []string{"TERM=xterm", "NO_COLOR=1"}}.theme()
	if th.strong.on == "" || th.loud.on == "" || th.accent.on != "" {
		t.Error("NO_COLOR takes colours, and leaves bold and reverse")
	}
	if plain := (look{env: []string{"TERM=xterm"}, palette: Palette{Name: "plain"}}).theme(); plain.ok.on != "" || plain.strong.on == "" {
		t.Error("plain has colours, or nothing at all")
	}
}

// TestTheTerminalSaysWhatIsBehind: the reply to the question changes the theme,
// and what is configured is not overruled.
func TestTheTerminalSaysWhatIsBehind(t *testing.T) {
	vivid, _ := builtin("vivid")
	white := tea.BackgroundColorMsg{Color: mustColour("#ffffff")}
	r := newRig(t, 80, 24, "COLORTERM=truecolor").boot(approval.LowRisk)
	r.opts.Theme = vivid
	r.restyle()
	dark := r.th.ok.on
	r.send(white)
	if r.th.ok.on == dark || !r.composer.buf.empty() {
		t.Error("the light half is not used on white")
	}
	r.opts.UI.Background = "dark"
	r.restyle()
	r.send(white)
	if r.th.ok.on != dark {
		t.Error("the terminal overrules the configuration")
	}
}

func mustColour(s string) interface{ RGBA() (r, g, b, a uint32) } {
	c, err := parseColour(s)
	if err != nil {
		panic(err)
	}
	return c
}

func TestChangingTheTheme(t *testing.T) {
	r := newRig(t, 80, 24, "COLORTERM=truecolor").boot(approval.LowRisk)
	before := r.th.ok.on
	r.typed("/theme vivid")
	r.keys("enter")
	if r.th.ok.on == before || !strings.Contains(r.printedText(), "theme vivid: ✓ ok") {
		t.Errorf("nothing changed: %q", r.printedText())
	}
	r.typed("/theme nosuch")
	r.keys("enter")
	r.shows("there is no theme nosuch")
	r.typed("/theme")
	r.keys("enter")
	r.shows("colorblind")
	r.pass(400 * 1e6)
	r.keys("1")
	if r.th.ok.on != before {
		t.Error("the first row is not the default")
	}
}

// TestTheScreenReader: lines only, one an event, words for marks, and no
// movement of the cursor.
func TestTheScreenReader(t *testing.T) {
	env := []string{"TERM=xterm-256color"}
	th := look{env: env, reader: true}.theme()
	r := newRig(t, 80, 24, "TERM=dumb")
	*r.th = *th
	r.boot(approval.LowRisk)
	r.raw.Reset()
	r.events(everyReceipt()...)
	r.ask(shellRequest("rm x"))
	r.pass(1e9)
	raw := r.raw.String()
	if strings.ContainsAny(raw, "\x1b✓✗⊘■│•") {
		t.Errorf("marks or sequences: %q", raw)
	}
	for _, want := range []string{"you: do it all", "done: shell", "failed: webfetch", "blocked: ", "uncertain: shell", "\r\nready\r\n", "rm x"} {
		if !strings.Contains(raw, want) {
			t.Errorf("%q is not said:\n%s", want, raw)
		}
	}
	r.setPolicy(approval.Strict)
	r.keys("x")
	if !strings.Contains(r.raw.String(), "policy strict") {
		t.Error("a change of the policy is not said")
	}
}

// C082: where nothing says what the terminal is, nothing is assumed of it.
func TestATerminalWithoutANameIsDumb(t *testing.T) {
	for _, env := range [][]string{nil, {"TERM="}, {"TERM=dumb"}, {"TERM=xterm", "TERM="}} {
		if want := runtime.GOOS != "windows" || len(env) > 0; newTheme(env).dumb != want {
			t.Errorf("%q: dumb is %t", env, !want)
		}
	}
	if newTheme([]string{"TERM=vt100"}).dumb {
		t.Error("a vt100 is taken for less than it is")
	}
}
