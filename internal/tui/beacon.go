package tui

import (
	"strings"
	"time"
)

// A Notify says when and how the person is called to the terminal. The zero
// value never does.
type Notify struct {
	When   string        // unfocused, always or never
	Method string        // auto, bell, osc9, osc99 or osc777
	Long   time.Duration // a turn that took this long calls at its end
}

// How a beacon judges whether somebody looks, and how often it calls.
const (
	awayAfter = 15 * time.Second // without a key, where the terminal says nothing of focus
	callGap   = 2 * time.Second
)

// A beacon tells the terminal around the screen what goes on: its title, and
// that the person is waited for.
type beacon struct {
	notify  Notify
	method  string // of notify, with auto resolved
	title   bool
	titled  string // the title that was set last
	told    bool   // the terminal says whether it has the focus
	blurred bool
	pressed time.Time // the last key
	called  time.Time
}

func newBeacon(o Options, th *theme, now time.Time) beacon {
	b := beacon{notify: o.Notify, method: o.Notify.Method, title: o.UI.Title && !th.dumb && titles(o.Env), pressed: now}
	if b.method == "auto" || b.method == "" {
		b.method = callMethod(o.Env)
	}
	return b
}

// titles reports whether the terminal has a title. The console of Linux has
// none, and takes the sequence for text.
func titles(env []string) bool {
	term, _ := lookup(env, "TERM")
	return term != "linux"
}

// callMethod is how the terminal shows notifications, as far as its name tells.
// Within tmux and screen only the bell comes through.
func callMethod(env []string) string {
	for _, name := range []string{"TMUX", "STY"} {
		if v, _ := lookup(env, name); v != "" {
			return "bell"
		}
	}
	term, _ := lookup(env, "TERM")
	program, _ := lookup(env, "TERM_PROGRAM")
	for _, m := range []struct{ part, method string }{
		{"kitty", "osc99"}, {"ghostty", "osc777"}, {"wezterm", "osc777"}, {"rxvt", "osc777"}, {"foot", "osc777"}, {"iterm", "osc9"},
	} {
		if strings.Contains(strings.ToLower(term+" "+program), m.part) {
			return m.method
		}
	}
	return "bell"
}

// focus notes what the terminal says of it.
func (b *beacon) focus(has bool, now time.Time) {
	b.told, b.blurred = true, !has
	if has {
		b.pressed = now
	}
}

// away reports whether the person looks elsewhere.
func (b *beacon) away(now time.Time) bool {
	if b.told {
		return b.blurred
	}
	return now.Sub(b.pressed) >= awayAfter
}

// call returns what calls the person, "" when nobody is to be called now.
func (b *beacon) call(text string, now time.Time) string {
	switch {
	case b.notify.When == "never", b.notify.When == "":
		return ""
	case b.notify.When == "unfocused" && !b.away(now):
		return ""
	case !b.called.IsZero() && now.Sub(b.called) < callGap:
		return ""
	}
	b.called = now
	text = strings.ReplaceAll(clip(plainLine(text), 120), ";", ",")
	switch b.method {
	case "osc9":
		return "\x1b]9;" + text + "\x07"
	case "osc99":
		return "\x1b]99;i=zuno:d=1;" + text + "\x1b\\"
	case "osc777":
		return "\x1b]777;notify;zuno;" + text + "\x1b\\"
	}
	return "\x07"
}

// retitle returns what sets the title to where and state, "" when that is what
// it is.
func (b *beacon) retitle(where, state string) string {
	if !b.title {
		return ""
	}
	t := "zuno"
	for _, part := range []string{where, state} {
		if part != "" {
			t += " · " + clip(plainLine(part), 60)
		}
	}
	if t == b.titled {
		return ""
	}
	b.titled = t
	return "\x1b]2;" + t + "\x07"
}

// beckon calls the person, where that is wanted.
func (s *screen) beckon(why string, now time.Time) {
	if seq := s.beacon.call(why, now); seq != "" {
		s.canvas.post(job{raw: seq})
	}
}

// state is what the title says of the session.
func (s *screen) state() string {
	switch {
	case s.card() != nil:
		return "needs you"
	case s.busy:
		return "working"
	case s.ready == nil:
		return "starting"
	}
	return "ready"
}

// entitle sets the terminal's title where it changed.
func (s *screen) entitle() {
	where := ""
	if s.ready != nil {
		where = firstOf(s.ready.Root, s.ready.Dir)
		where = where[strings.LastIndexByte(where, '/')+1:]
	}
	if seq := s.beacon.retitle(where, s.state()); seq != "" {
		s.canvas.post(job{raw: seq})
	}
}
