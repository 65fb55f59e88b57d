package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// exactMark starts a key that covers one command word for word and nothing
// else.
const exactMark = "= "

// Covers reports whether a remembered key lets a line run at a place without
// asking. It goes by the same analysis that offered the key.
func Covers(key, line string, at Place) bool { return Analyze(line, at).CoveredBy(key) }

// CoveredBy reports whether a remembered key stands for the analysed line. A
// key covers the lines whose own key it is, and those whose key it begins on a
// word boundary, so that "npm run" covers "npm run x".
func (a Analysis) CoveredBy(key string) bool {
	switch {
	case a.Key == "" || key == "" || a.Denied != nil || a.Dynamic || len(a.Manual) > 0:
		return false
	case a.Key == key:
		return true
	case strings.HasPrefix(a.Key, exactMark) || plainKey(key) != nil:
		return false
	}
	return strings.HasPrefix(a.Key, key+" ")
}

// CheckKey returns a key in the form in which it is stored, or says why it
// could never match anything. It is for keys that a person typed or edited.
func CheckKey(key string, at Place) (string, error) {
	key = strings.TrimSpace(key)
	if line, exact := strings.CutPrefix(key, exactMark); exact {
		a := Analyze(line, at)
		if a.Key == "" {
			return "", fmt.Errorf("remember %q: %s", line, a.KeyWhyNot)
		}
		if a.Key != exactMark+strings.TrimPrefix(a.Key, exactMark) {
			return "", fmt.Errorf("remember %q: write it as %q", key, a.Key)
		}
		return a.Key, nil
	}
	key = strings.Join(strings.Fields(key), " ")
	if err := plainKey(key); err != nil {
		return "", fmt.Errorf("remember %q: %w", key, err)
	}
	return key, nil
}

func plainKey(key string) error {
	words := strings.Split(key, " ")
	for _, w := range words {
		if !plainName(w) {
			return fmt.Errorf("a key is a program and its subcommand in plain words; %q is not one", w)
		}
	}
	switch name := words[0]; {
	case exactOnly(name):
		return fmt.Errorf("what %s does depends on all of its words; only a whole command can be remembered, as \"= %s …\"", name, name)
	case wholeProgram(name) && len(words) > 1:
		return fmt.Errorf("%s has no subcommands; remember %q", name, name)
	case !wholeProgram(name) && len(words) == 1:
		return fmt.Errorf("name a subcommand of %s too", name)
	case len(words) > keyWords(words):
		return fmt.Errorf("only the first %d words can be remembered", keyWords(words))
	}
	return nil
}

// plainName reports a word that no shell and no program reads specially.
func plainName(w string) bool {
	if w == "" {
		return false
	}
	for i := range len(w) {
		c := w[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || strings.IndexByte("_-+.:", c) < 0) {
			return false
		}
	}
	return true
}

// exactOnly reports programs that do whatever their arguments say: a key of one
// or two words would cover anything.
func exactOnly(name string) bool {
	if _, wraps := wrapperOf(name); wraps || isShell(name) || isLanguage(name) {
		return true
	}
	return oneOf(name, "make", "gmake", "just", "task", "rake", "ninja", "xargs", "watch", "parallel", "script", "ssh", "npx", "bunx", "pnpx", "uvx", "awk", "gawk", "mawk", "nawk",
		"vim", "vi", "nvim", "emacs", "gdb", "lldb", "curl", "wget", "rsync", "scp", "sftp", "nix-shell", "nix", "entr", "nodemon", "watchexec", "su", "man", "tee", "dd", "sqlite3", "psql", "mysql", "tmux", "screen",
		"mv", "cp", "ln", "rm", "rmdir", "unlink", "install", "chmod", "chown", "chgrp", "kill", "open", "xdg-open", "code", "tar", "zip", "unzip", "gzip", "patch", "truncate")
}

// never lists the shell's own words, which change the shell and run nothing.
func never(name string) bool {
	return oneOf(name, "cd", "pushd", "popd", "eval", "source", ".", "trap", "alias", "unalias", "set", "unset", "export", "readonly", "read", "exit", "return", "shift", "hash", "enable",
		"shopt", "umask", "ulimit", "wait", "bg", "fg", "jobs", "disown", "complete", "bind", "let", "local", "declare", "typeset", "getopts", "mapfile", "readarray", "break", "continue", "times")
}

// wholeProgram reports programs without subcommands, whose name is the key.
func wholeProgram(name string) bool {
	return reader(name) || oneOf(name, "sed", "gofmt", "goimports", "gofumpt", "mkdir", "touch", "staticcheck", "golint", "eslint", "prettier", "tsc", "pytest", "mypy", "flake8", "pylint",
		"shellcheck", "jest", "vitest", "mocha", "less", "more", "bat", "zcat", "ps", "lsof", "pgrep", "yq", "ctags", "golangci-lint")
}

// keyWords is how many words the key of a program with subcommands has.
func keyWords(words []string) int {
	if len(words) < 2 {
		return 2
	}
	for _, p := range []string{
		"npm run|config|pkg|cache|access", "pnpm run|config|store", "yarn run|config|workspace", "bun run|pm", "go mod|work|tool", "git stash|remote|config|worktree|submodule|notes|bisect|reflog|lfs|bundle",
		"docker compose|container|image|volume|network|system|buildx", "podman compose|container|image|volume|network|system", "gh pr|issue|repo|run|release|workflow|gist|label|search|cache",
		"glab mr|issue|repo|ci|release", "kubectl config|rollout", "helm repo", "terraform state|workspace", "uv pip|tool|python|cache", "poetry env|run|config", "bundle config|exec", "cargo xtask|nextest|make",
		"rustup toolchain|target|component", "dotnet tool|nuget", "rails db|generate", "conda env",
	} {
		program, subs, _ := strings.Cut(p, " ")
		if words[0] == program && oneOf(words[1], strings.Split(subs, "|")...) {
			return 3
		}
	}
	return 2
}

// runsAny reports subcommands that run what the rest of the line names.
func runsAny(words []string) bool {
	for _, p := range []string{"go run|generate", "npm exec|x|explore", "pnpm exec|dlx|x", "yarn exec|dlx|node", "bun x", "cargo run|xtask|make", "poetry run|shell", "uv run", "pipenv run|shell", "bundle exec",
		"git bisect|difftool|mergetool|filter-branch|submodule|instaweb|help", "docker run|exec|compose|build|buildx", "podman run|exec|build", "kubectl exec|run|debug", "hatch run", "tox run|exec", "nox run", "mise exec|run|x",
		"direnv exec", "dotnet run|exec", "rails runner|console", "composer exec|run-script|run", "deno run|task|eval|repl", "gh api|extension|alias", "conda run", "mamba run", "bazel run", "mix run"} {
		program, subs, _ := strings.Cut(p, " ")
		if words[0] == program && len(words) > 1 && oneOf(words[1], strings.Split(subs, "|")...) {
			return true
		}
	}
	return false
}

// keyFor works out what "always allow" would remember of the line.
func (s *scan) keyFor(line string, file *syntax.File) {
	key, why := s.key(line, file)
	s.out.Key, s.out.KeyWhyNot = key, why
}

func (s *scan) key(line string, file *syntax.File) (key, whyNot string) {
	out := s.out
	switch {
	case !out.Parsed:
		return "", "it cannot be parsed"
	case out.Denied != nil:
		return "", "it is blocked"
	case out.Dynamic:
		return "", out.DynamicWhy
	case len(out.Manual) > 0:
		return "", "it is asked about every time: " + out.Manual[0].String()
	}
	if why := plainLine(line, file); why != "" {
		return "", why
	}
	if len(s.calls) == 0 {
		return "", "it runs no command"
	}
	c := s.calls[0]
	if why := s.plainWords(c); why != "" {
		return "", why
	}
	if d := s.look(s.at.Dir); s.at.Dir == "" || !s.inWorkspace(d) {
		return "", "it would run outside the workspace"
	}
	if len(out.Outside) > 0 {
		return "", "it names " + out.Outside[0] + ", which is outside the workspace"
	}
	words := append([]string{c.written}, texts(c.args)...)
	switch {
	case never(c.name):
		return "", c.name + " changes the shell and nothing else"
	case exactOnly(c.name) || runsAny(words):
		return exactly(c, words)
	case s.high != "" || s.odd != "":
		return "", firstOf(s.high, s.odd)
	case wholeProgram(c.name):
		return c.name, ""
	}
	n := keyWords(words)
	if len(words) >= n && allPlain(words[:n]) && (n < 3 || len(words) == 3 || !scriptRunner(words)) {
		return strings.Join(words[:n], " "), ""
	}
	return exactly(c, words)
}

// exactly is the key of one command word for word.
func exactly(c *call, words []string) (key, whyNot string) {
	for _, w := range c.args {
		if w.glob {
			return "", "a pattern cannot be remembered word for word"
		}
	}
	return exactMark + quoteWords(words), ""
}

// scriptRunner reports a named script that is given more than its name.
func scriptRunner(words []string) bool {
	return words[1] == "run" && oneOf(words[0], "npm", "pnpm", "yarn", "bun")
}

// plainLine says why a line is not exactly one simple command, as written.
func plainLine(line string, file *syntax.File) string {
	if len(file.Stmts) != 1 {
		return "it is not exactly one command"
	}
	st := file.Stmts[0]
	c, ok := st.Cmd.(*syntax.CallExpr)
	switch {
	case !ok || len(c.Args) == 0:
		return "it is not one plain command"
	case len(st.Redirs) > 0:
		return "it redirects its input or output"
	case st.Negated || st.Background || st.Coprocess || st.Disown:
		return "an operator stands with it"
	}
	from, to := int(c.Pos().Offset()), int(c.End().Offset())
	rest := line[:from] + line[to:]
	if strings.Trim(rest, " \t\n") != "" || strings.ContainsAny(line[from:to], "\n") {
		return "something stands beside the command"
	}
	for _, a := range c.Assigns {
		if a.Name == nil || !inertVar(a.Name.Value) {
			return "it sets a variable"
		}
		if v := a.Value; v != nil && v.Lit() == "" && len(v.Parts) > 0 {
			return "it sets a variable"
		}
	}
	return ""
}

// plainWords says why the words of a call are not what is written.
func (s *scan) plainWords(c *call) string {
	if c.shadow || c.dyn != "" || strings.Contains(c.written, "/") {
		return "the program is named by a path"
	}
	for _, w := range append([]word{{text: c.written}}, c.args...) {
		switch {
		case w.dyn != "" || w.expanded || w.temp || w.home:
			return "a word is only known when it runs"
		case w.glob && !safeGlob(w.text):
			return "a pattern could become an option"
		}
		for i := range len(w.text) {
			if w.text[i] >= 0x80 || w.text[i] < ' ' {
				return "it has characters that are not plain ASCII"
			}
		}
	}
	if !plainName(c.written) {
		return "the program's name is not a plain word"
	}
	return ""
}

// safeGlob reports a pattern whose matches all begin with a letter, a dot or a
// slash that was written, so that none can be read as an option.
func safeGlob(text string) bool {
	i := strings.IndexAny(text, "*?[")
	return i > 0 && text[0] != '-'
}

func allPlain(words []string) bool {
	for i, w := range words {
		if !plainName(w) || i > 0 && strings.Contains(w, ".") {
			return false
		}
	}
	return true
}

// quoteWords writes words so that a shell reads exactly them.
func quoteWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.:/,@%=") != "" {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
