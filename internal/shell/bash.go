package shell

import (
	"path"
	"strings"
)

// installBash says what is missing on Windows and how to get it.
const installBash = "there is no bash for command lines: install Git for Windows (https://git-scm.com/download/win, or winget install Git.Git), which brings one; " +
	"the bash of WSL does not do, because it has another file system"

// bashesOnWindows lists where bash may be on Windows, the best first: that of
// Git for Windows, in the folders where it says that it is installed, in the
// usual ones and beside git, and then any in PATH. The one in Windows' own
// folders starts WSL, which sees other files under other names than zuno, and
// never counts. Variables are looked up in upper case.
func bashesOnWindows(env func(string) string, installed []string) []string {
	var list []string
	in := func(folder, below string) {
		if len(folder) > 2 && folder[1] == ':' {
			list = append(list, strings.TrimRight(folder, `\/`)+below)
		}
	}
	const bash = `\bin\bash.exe`
	for _, folder := range installed {
		in(folder, bash)
	}
	for _, name := range []string{"PROGRAMFILES", "PROGRAMW6432", "PROGRAMFILES(X86)"} {
		in(env(name), `\Git`+bash)
	}
	in(env("LOCALAPPDATA"), `\Programs\Git`+bash)
	dirs := strings.Split(env("PATH"), ";")
	for _, dir := range dirs {
		dir = strings.Trim(dir, `"`)
		if git, ok := strings.CutSuffix(strings.ToLower(strings.TrimRight(dir, `\/`)), `\cmd`); ok {
			in(dir[:len(git)], bash)
		}
	}
	for _, dir := range dirs {
		in(strings.Trim(dir, `"`), `\bash.exe`)
	}
	kept := list[:0]
	for _, p := range list {
		if !startsWSL(p, env("SYSTEMROOT")) {
			kept = append(kept, p)
		}
	}
	return kept
}

// startsWSL reports programs of Windows itself, and the aliases of its store.
func startsWSL(program, systemRoot string) bool {
	slashed := func(s string) string { return path.Clean(strings.ToLower(strings.ReplaceAll(s, `\`, "/"))) }
	p := slashed(program)
	if strings.Contains(p, "/microsoft/windowsapps/") {
		return true
	}
	for _, root := range []string{systemRoot, `c:\windows`} {
		if root != "" && strings.HasPrefix(p, slashed(root)+"/") {
			return true
		}
	}
	return false
}
