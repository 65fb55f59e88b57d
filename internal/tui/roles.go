package tui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// A Palette is a theme as data: what each role looks like on a dark and on a
// light background. A role that it does not name looks as in the theme ansi.
type Palette struct {
	Name        string
	Dark, Light map[string]string // looks, by role
}

// A role is one meaning that text can have, and how it looks by itself: in the
// terminal's own sixteen colours, so that it follows any background.
type role struct {
	name string
	to   *style
	look string
	what string
}

func (t *theme) roles() []role {
	return []role{
		{"muted", &t.muted, "faint", "what is less important"},
		{"strong", &t.strong, "bold", "names and what the person said"},
		{"accent", &t.accent, "cyan", "marks, keys, the policy"},
		{"user", &t.user, "cyan bold", "the mark of a prompt"},
		{"operator", &t.operator, "yellow bold", "the mark of a command that the person typed"},
		{"ok", &t.ok, "green", "a call that went well"},
		{"fail", &t.fail, "red", "a call that failed, an error"},
		{"warn", &t.warn, "yellow", "blocked, waiting, stopping"},
		{"uncertain", &t.uncertain, "magenta bold", "a call that may have happened"},
		{"heading", &t.heading, "bold underline", "headings of an answer"},
		{"bold", &t.bold, "bold", "emphasis of an answer"},
		{"italic", &t.italic, "italic", "emphasis of an answer"},
		{"strike", &t.strike, "strike", "what an answer strikes out"},
		{"code", &t.code, "cyan", "code"},
		{"link", &t.link, "underline", "links"},
		{"quote", &t.quote, "faint", "the bar of a quotation"},
		{"add", &t.add, "green", "added lines"},
		{"del", &t.del, "red", "removed lines"},
		{"add-word", &t.addWord, "green bold underline", "the words of an added line that differ"},
		{"del-word", &t.delWord, "red bold underline", "the words of a removed line that differ"},
		{"loud", &t.loud, "red bold reverse", "the policy yolo"},
		{"found", &t.found, "reverse", "what was searched for"},
	}
}

// Builtin returns the themes that need no file, the default first.
func Builtin() []Palette {
	return []Palette{
		{Name: "ansi"},
		{Name: "plain"}, // see newTheme: no colour at all
		{
			Name: "vivid",
			Dark: map[string]string{
				"accent": "#7dcfff", "user": "#7dcfff bold", "operator": "#e0af68 bold", "ok": "#9ece6a", "fail": "#f7768e", "warn": "#e0af68",
				"uncertain": "#d7a8ff bold", "code": "#7dcfff", "link": "#7aa2f7 underline", "add": "#9ece6a", "del": "#f7768e",
				"add-word": "#c3f08f bold underline", "del-word": "#ff9bae bold underline", "loud": "#ffffff bold on #a3122f", "muted": "#8b93b3", "quote": "#8b93b3",
			},
			Light: map[string]string{
				"accent": "#005f87", "user": "#005f87 bold", "operator": "#7a4f00 bold", "ok": "#2b6a00", "fail": "#a3122f", "warn": "#7a4f00",
				"uncertain": "#7a1fa2 bold", "code": "#005f87", "link": "#1f4fb5 underline", "add": "#2b6a00", "del": "#a3122f",
				"add-word": "#1e4d00 bold underline", "del-word": "#7d0c22 bold underline", "loud": "#ffffff bold on #a3122f", "muted": "#5c6370", "quote": "#5c6370",
			},
		},
		{
			Name: "colorblind", // blue and orange, which every common form tells apart
			Dark: map[string]string{
				"ok": "#56b4e9", "add": "#56b4e9", "add-word": "#8fd0f5 bold underline", "fail": "#e69f00", "del": "#e69f00", "del-word": "#ffc04d bold underline",
				"warn": "#f0e442", "uncertain": "#cc79a7 bold", "loud": "#000000 bold on #e69f00",
			},
			Light: map[string]string{
				"ok": "#0072b2", "add": "#0072b2", "add-word": "#004f7c bold underline", "fail": "#9c4a00", "del": "#9c4a00", "del-word": "#6e3400 bold underline",
				"warn": "#6b5d00", "uncertain": "#8b3a6b bold", "loud": "#ffffff bold on #9c4a00",
			},
		},
	}
}

// builtin returns the built-in theme of that name.
func builtin(name string) (Palette, bool) {
	all := Builtin()
	if i := slices.IndexFunc(all, func(p Palette) bool { return p.Name == name }); i >= 0 {
		return all[i], true
	}
	return Palette{}, false
}

// ParseTheme reads a theme from the text of its file: an object with the halves
// "dark" and "light", each an object from roles to looks. Its error is of one
// line and says what is wrong.
func ParseTheme(name string, data []byte) (Palette, error) {
	var file struct{ Dark, Light map[string]string }
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return Palette{}, fmt.Errorf("theme %s: %w (a theme is {\"dark\": {ROLE: LOOK}, \"light\": {ROLE: LOOK}})", name, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Palette{}, fmt.Errorf("theme %s: there is something after the end of the object", name)
	}
	p := Palette{Name: name, Dark: file.Dark, Light: file.Light}
	var names []string
	for _, r := range new(theme).roles() {
		names = append(names, r.name)
	}
	for half, looks := range map[string]map[string]string{"dark": p.Dark, "light": p.Light} {
		for role, look := range looks {
			if !slices.Contains(names, role) {
				return Palette{}, fmt.Errorf("theme %s: %s: there is no role %q (there are %s)", name, half, role, strings.Join(names, " "))
			}
			if _, err := parseLook(look, colorprofile.TrueColor, true); err != nil {
				return Palette{}, fmt.Errorf("theme %s: %s.%s: %w", name, half, role, err)
			}
		}
	}
	return p, nil
}

// halves reports whether the theme needs to know what it is on.
func (p Palette) halves() bool { return len(p.Dark) > 0 && len(p.Light) > 0 }

// look returns how a role looks, "" for as in ansi.
func (p Palette) look(role string, light bool) string {
	if light && len(p.Light) > 0 || len(p.Dark) == 0 {
		return p.Light[role]
	}
	return p.Dark[role]
}

// parseLook reads a look such as "cyan bold" or "#ffffff on 52 underline".
// Colours become what the terminal has, or nothing where it has none.
func parseLook(look string, have colorprofile.Profile, colours bool) (style, error) {
	var st ansi.Style
	var fg, bg color.Color
	behind := false
	for _, word := range strings.Fields(look) {
		if attr, ok := attributes(st)[word]; ok && !behind {
			st = attr
			continue
		}
		if word == "on" && !behind {
			behind = true
			continue
		}
		c, err := parseColour(word)
		if err != nil {
			return style{}, err
		}
		to := &fg
		if behind {
			to = &bg
		}
		*to, behind = c, false
		if !colours {
			continue
		}
		if c = have.Convert(c); to == &bg {
			st = st.BackgroundColor(c)
		} else {
			st = st.ForegroundColor(c)
		}
	}
	switch {
	case behind:
		return style{}, errors.New(`"on" wants a colour behind it`)
	case fg != nil && fg == bg:
		return style{}, errors.New("it cannot be seen: the text has the colour of what is behind it")
	case len(st) == 0:
		return style{}, nil
	}
	return style{st.String(), ansi.ResetStyle}, nil
}

// attributes returns st with each of the words that are no colours.
func attributes(st ansi.Style) map[string]ansi.Style {
	st = slices.Clip(st)
	return map[string]ansi.Style{
		"bold": st.Bold(), "faint": st.Faint(), "italic": st.Italic(true), "underline": st.Underline(true),
		"strike": st.Strikethrough(true), "reverse": st.Reverse(true),
	}
}

// parseColour reads one of the sixteen names, a number up to 255 or #rrggbb.
func parseColour(word string) (color.Color, error) {
	names := []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
	if i := slices.Index(names, strings.TrimPrefix(word, "bright")); i >= 0 {
		if strings.HasPrefix(word, "bright") {
			i += 8
		}
		return ansi.BasicColor(i), nil
	}
	if hex, ok := strings.CutPrefix(word, "#"); ok && len(hex) == 6 {
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}, nil
		}
	}
	if n, err := strconv.ParseUint(word, 10, 8); err == nil {
		return ansi.IndexedColor(n), nil
	}
	return nil, fmt.Errorf("%q is neither a colour (red, brightblue, 208, #ff8700) nor bold, faint, italic, underline, strike or reverse", word)
}
