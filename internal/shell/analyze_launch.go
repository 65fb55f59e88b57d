package shell

import (
	"strings"
	"sync"
)

// A launcher runs the command that its words name, behind words of its own: a
// language's tool that sets the environment first, a measurer, a terminal that
// goes on by itself.
type launcher struct {
	subs     []string // its first operand is one of these; nil: whatever it is
	operands int      // its own words before the command
	scripts  bool     // each of its operands is a command line of its own
}

// launcherRows lists them: programs, their subcommands, and how many operands
// stand before the command. Which options take a value is not listed, see
// [scan.launches].
var launcherRows = []struct {
	words    string
	operands int
	scripts  bool
}{
	{"uv|rye|poetry|pipenv|pdm|hatch|conda|mamba|micromamba|pixi|pipx|doppler|op|infisical|teller|dotenvx|devbox|flox run", 0, false},
	{"npm exec|x", 0, false},
	{"pnpm exec|dlx|x", 0, false},
	{"yarn exec|dlx", 0, false},
	{"bun x", 0, false},
	{"npx|bunx|pnpx|uvx|pkgx|cross-env|dotenv|env-cmd", 0, false},
	{"bundle|composer|asdf|mise|rtx|rbenv|pyenv|nodenv|goenv|jenv|opam|fnm|volta|lxc|incus|distrobox exec|x|run|enter", 0, false},
	{"direnv|aws-vault|chamber exec", 1, false},
	{"nix develop|shell|run", 0, false},
	{"vagrant ssh", 0, false},
	{"perf stat|record|trace", 0, false},
	{"rr record", 0, false},
	{"gdb|lldb|heaptrack|chronic|ifne|sem|retry|eatmydata|setpriv|capsh|dbus-launch|winpty|wsl|pexec|daemonize|daemon|setuidgid|gosu|su-exec|chpst|softlimit", 0, false},
	{"gosu|su-exec|setuidgid|faketime|runcon|cgexec", 1, false},
	{"sops exec-env|exec-file", 1, false},
	{"ip netns|vrf", 2, false},
	{"ssh-agent|timelimit|trickle|tini|dumb-init|catatonit|i386|i486|i586|i686|x86_64|uname26|systemd-inhibit|xterm|uxterm|urxvt|gnome-terminal|konsole|alacritty|kitty|foot|wezterm|xfce4-terminal|x-terminal-emulator|gpg-agent", 0, false},
	{"sshpass|logsave|setlock|envdir|s6-setuidgid|s6-envdir|s6-softlimit|setuser|sg|schroot|lxc-attach|machinectl", 1, false},
	{"bwrap|proot|firejail", 6, false},
	{"pee", 0, true},
	{"cargo watch", 0, false},
	{"dotenv run", 0, false},
	{"lxc exec", 1, false},
	{"tmux new|new-session|neww|new-window|splitw|split-window|send|send-keys|run|run-shell|respawn-pane|if-shell|pipe-pane", 0, false},
	{"screen|zellij|dtach|abduco", 0, false},
	{"hyperfine|concurrently|cross-env-shell|mprocs", 0, true},
}

// launcherIndex is launcherRows by program.
var launcherIndex = sync.OnceValue(func() map[string][]launcher {
	out := map[string][]launcher{}
	for _, row := range launcherRows {
		programs, subs, some := strings.Cut(row.words, " ")
		l := launcher{operands: row.operands, scripts: row.scripts}
		if some {
			l.subs = strings.Split(subs, "|")
		}
		for _, p := range strings.Split(programs, "|") {
			out[p] = append(out[p], l)
		}
	}
	return out
})

// launches reports whether words, the program first, run what the rest of them
// names.
func launches(words []string) bool {
	for _, l := range launcherIndex()[words[0]] {
		if l.subs == nil || len(words) > 1 && oneOf(words[1], l.subs...) {
			return true
		}
	}
	return false
}

// launched follows what a launcher runs.
func (s *scan) launched(c *call) {
	for _, l := range launcherIndex()[c.name] {
		s.launchedBy(c, l)
	}
	if strings.HasPrefix(c.name, "ld-linux") || strings.HasPrefix(c.name, "ld-musl") || c.name == "ld.so" { // the loader, which starts what it is given
		s.launchedBy(c, launcher{})
	}
}

// launchedBy visits every word that may be the command: the first that is not
// an option, and the one after it for as long as an option stands before it
// that may take it as its value.
func (s *scan) launchedBy(c *call, l launcher) {
	args := c.args
	if l.subs != nil {
		for len(args) > 0 && args[0].flag() {
			args = args[1:]
		}
		if len(args) == 0 || !args[0].is(l.subs...) {
			return
		}
		args = args[1:]
	}
	s.strange(c.name, " runs another command")
	skip := l.operands
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.is("--"):
			skip = 0
			continue
		case w.flag():
			continue
		case strings.ContainsAny(w.text, " \t\n"):
			s.subshell(func() { s.scriptOf(c, []word{w}, c.name) })
		case !l.scripts:
			s.inside(c, args[i:])
		}
		valued := i > 0 && args[i-1].flag() && !args[i-1].is("--")
		if l.scripts || valued || strings.ContainsAny(w.text, "=@ \t\n") {
			continue
		}
		if skip--; skip < 0 {
			return
		}
	}
}

// keeps remembers the text that a call writes to a file, for the case that the
// same line runs the file.
func (s *scan) keeps(c *call) {
	text := input{}
	var files []word
	switch c.name {
	case "cat":
		if len(c.args) == 0 {
			text = c.stdin
		}
	case "echo", "printf":
		text = spoken(c)
	case "tee":
		text, files = c.stdin, c.operands()
	}
	if text.kind != textInput {
		return
	}
	for _, r := range c.redirs {
		if strings.Contains(r.op, ">") && !r.dup {
			files = append(files, r.to)
		}
	}
	for _, w := range files {
		if w.known() && w.text != "" {
			if s.scripts == nil {
				s.scripts = map[string]string{}
			}
			s.scripts[base(w.text)] += text.text
		}
	}
}

// runsFile follows a file that is run as a script, where this line has written
// or downloaded it.
func (s *scan) runsFile(c *call, file string) {
	name := base(file)
	if s.fetched[name] {
		s.hit("remote.curl-then-run", c.shown())
	}
	if s.decoded[name] {
		s.hit("inline.decoded", c.shown())
	}
	text, ok := s.scripts[name]
	if !ok {
		return
	}
	delete(s.scripts, name) // it may run itself
	s.subshell(func() { s.script(text, name) })
	s.scripts[name] = text
}
