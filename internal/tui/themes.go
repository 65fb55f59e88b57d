package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/zuno-dev/zuno/internal/tools"
)

// look is how the screen begins: COLORFGBG tells the background where the
// terminal sets it, and otherwise it is dark until the terminal says.
func (o Options) look() look {
	l := look{env: o.Env, palette: o.Theme, light: o.UI.Background == "light", reader: o.UI.Reader}
	if o.UI.Background != "light" && o.UI.Background != "dark" {
		v, _ := lookup(o.Env, "COLORFGBG")
		bg := v[strings.LastIndexByte(v, ';')+1:]
		l.light = bg == "7" || bg == "15"
	}
	return l
}

// onBackground takes what the terminal says of its background.
func (s *screen) onBackground(light bool) {
	if b := s.opts.UI.Background; b != "dark" && b != "light" {
		s.opts.UI.Background = map[bool]string{true: "light", false: "dark"}[light]
		s.restyle()
	}
}

// restyle makes the theme anew and draws everything of ours with it.
func (s *screen) restyle() {
	*s.th = *s.opts.look().theme()
	if s.pager != nil {
		s.pager.again()
	}
	s.dirty, s.urgent = true, true
}

// theme changes how the screen looks, for this run.
func (s *screen) theme(name string) string {
	if s.th.dumb {
		return "this terminal has no colours"
	}
	all := s.opts.Themes
	if all == nil {
		all = func() ([]Palette, error) { return Builtin(), nil }
	}
	s.host.fetch(func() tea.Msg {
		list, err := all()
		return fetchedMsg{func(s *screen) { s.chooseTheme(list, name, err) }}
	})
	return ""
}

func (s *screen) chooseTheme(list []Palette, name string, err error) {
	if err != nil {
		s.hint = plainLine(err.Error())
		if len(list) == 0 {
			return
		}
	}
	var options []tools.Option
	for _, p := range list {
		if p.Name == name {
			s.take(p)
			return
		}
		detail := ""
		if p.Name == s.opts.Theme.Name || s.opts.Theme.Name == "" && p.Name == "ansi" {
			detail = "now"
		}
		options = append(options, tools.Option{ID: p.Name, Label: p.Name, Detail: detail})
	}
	switch {
	case name != "":
		s.hint = "there is no theme " + plainLine(name)
	case s.busy || s.card() != nil:
		s.hint = "something else is going on: name the theme, as in /theme vivid"
	default:
		text := []tools.Section{{Kind: tools.Text, Body: `For this run; "ui": {"theme": NAME} in the configuration keeps it.`}}
		s.choose("theme", text, options, func(id string) { s.chooseTheme(list, id, nil) })
	}
}

func (s *screen) take(p Palette) {
	s.opts.Theme = p
	s.restyle()
	th := s.th
	sample := th.ok.render(th.glyph.ok+" ok") + " " + th.fail.render(th.glyph.fail+" failed") + " " + th.warn.render(th.glyph.blocked+" blocked") + " " +
		th.uncertain.render(th.glyph.uncertain+" uncertain") + " " + th.code.render("code") + " " + th.add.render("+added") + " " + th.del.render("-removed") + " " + th.muted.render("muted")
	s.print(s.script.put(blockNote, []string{clip("theme "+plainLine(p.Name)+": "+sample, s.script.w)}))
}
