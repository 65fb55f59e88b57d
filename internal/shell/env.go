package shell

import (
	"slices"
	"strings"
)

// secretWords are the parts of a variable's name, in any case, that say that
// its value may be a secret.
func secretWords() []string {
	return []string{"API", "KEY", "SECRET", "TOKEN", "PASSWORD", "CREDENTIAL", "AUTH"}
}

// droppedNames and droppedPrefixes are variables that make a shell, git or
// ripgrep do something else than the command says: run a file first, shadow a
// program, read another repository or configuration.
func droppedNames() []string {
	return []string{
		"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH", "GLOBIGNORE", "OLDPWD", "PS4",
		"RIPGREP_CONFIG_PATH", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES",
		"LESS", "LESSOPEN", "LESSCLOSE", "LESSKEY", "GREP_OPTIONS",
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_PREFIX",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
		"GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND",
		"GIT_ATTR_SOURCE", "GIT_REPLACE_REF_BASE",
	}
}

func droppedPrefixes() []string { return []string{"BASH_FUNC_", "GIT_CONFIG", "GIT_TRACE"} }

// noEditor is run by git through a shell. It must fail: an editor that does
// nothing and succeeds would let `git rebase -i` rewrite history unseen.
const noEditor = `echo 'there is no editor here: give the text with -m or -F, or use a command that needs none' >&2; false`

// setVariables are what every child gets, whatever the parent had.
func setVariables() []string {
	return []string{
		"TERM=dumb",
		"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=",
		"GIT_EDITOR=" + noEditor, "GIT_SEQUENCE_EDITOR=" + noEditor, "EDITOR=false", "VISUAL=false",
		// Without a network npm may wait more than a minute to look for a newer npm.
		"NPM_CONFIG_UPDATE_NOTIFIER=false",
		"AI_AGENT=zuno", "AGENT=zuno", "ZUNO=1",
	}
}

// Environ returns the environment of every child process, made from that of
// zuno: without the variables whose name contains API, KEY, SECRET, TOKEN,
// PASSWORD, CREDENTIAL or AUTH in any case, without SSH_*, and without those
// that redirect a shell, git or ripgrep; with pagers, prompts and editors
// turned off. A name in allow, written exactly, is kept when parent has it,
// never one of SSH_*; it has no effect on what is set for every child. hidden
// lists the names that were taken away, sorted. PWD is set when a command is
// run.
func Environ(parent, allow []string) (env, hidden []string) {
	set := setVariables()
	fixed := map[string]bool{"PWD": true, markName: true}
	for _, e := range set {
		name, _, _ := strings.Cut(e, "=")
		fixed[envName(name)] = true
	}
	last := map[string]int{} // of two with one name, the last counts
	for i, e := range parent {
		name, _, _ := strings.Cut(e, "=")
		last[envName(name)] = i
	}
	for i, e := range parent {
		name, _, ok := strings.Cut(e, "=")
		switch {
		case !ok || name == "" || fixed[envName(name)] || last[envName(name)] != i:
		case isHidden(name, allow):
			hidden = append(hidden, name)
		default:
			env = append(env, e)
		}
	}
	slices.Sort(hidden)
	return append(env, set...), hidden
}

func isHidden(name string, allow []string) bool {
	upper := strings.ToUpper(name)
	if strings.HasPrefix(upper, "SSH_") {
		return true
	}
	if slices.Contains(allow, name) {
		return false
	}
	for _, p := range droppedPrefixes() {
		if strings.HasPrefix(envName(name), p) {
			return true
		}
	}
	for _, w := range secretWords() {
		if strings.Contains(upper, w) {
			return true
		}
	}
	return slices.Contains(droppedNames(), envName(name))
}
