package shell

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// tooLong is the error of a command line that is too long for the system.
const tooLong = windows.ERROR_FILENAME_EXCED_RANGE

// mayEnter is nil when dir can be a working directory.
func mayEnter(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return d.Close()
}

// inode is 0: a listing does not have the numbers of files.
func inode(fs.FileInfo) uint64 { return 0 }

// TopDir returns a folder that is always there.
func TopDir() string {
	if dir, err := windows.GetWindowsDirectory(); err == nil {
		return filepath.VolumeName(dir) + `\`
	}
	return `C:\`
}

// NoShell says why command lines cannot be run by the interpreter sh, and what
// to do about it; "" when they can.
func NoShell(sh string) string {
	if sh == "" {
		return installBash
	}
	return ""
}

// lineArgv is how bash is called with a line, which it gets in its environment:
// Windows hands over one text, in which this bash reads quotes, backslashes and
// patterns by rules of its own, so that it might see another line than the one
// that was judged. The text below has nothing that they change.
func lineArgv(sh, line string) (argv, env []string) {
	const run = `unset ZUNO_RUN; ZUNO_RUN=$ZUNO_LINE; unset ZUNO_LINE; eval "$ZUNO_RUN"`
	return []string{sh, "--noprofile", "--norc", "-o", "pipefail", "-c", run}, []string{lineName + "=" + line}
}

// Shell returns the interpreter of command lines, a bash that sees the same
// files as zuno; "" when there is none, see [NoShell].
func (l Lookup) Shell() string {
	for _, p := range bashesOnWindows(l.get, gitFolders()) {
		if isProgram(p) && !l.inWorkspace(p) {
			return p
		}
	}
	return ""
}

// gitFolders returns where Git for Windows says that it is installed.
func gitFolders() []string {
	var list []string
	for _, root := range []registry.Key{registry.CURRENT_USER, registry.LOCAL_MACHINE} {
		k, err := registry.OpenKey(root, `SOFTWARE\GitForWindows`, registry.QUERY_VALUE)
		if err != nil {
			continue
		}
		if folder, _, err := k.GetStringValue("InstallPath"); err == nil {
			list = append(list, folder)
		}
		_ = k.Close() // nothing was written through it
	}
	return list
}

// programIn returns the path of the program name in dir, "" when there is none.
// A batch file is none: what its arguments mean is worked out by an interpreter
// that has no safe way to quote them.
func programIn(dir, name string) string {
	for _, ext := range []string{"", ".exe", ".com"} {
		if p := filepath.Join(dir, name+ext); isProgram(p) {
			return p
		}
	}
	return ""
}

func isProgram(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".exe", ".com":
		fi, err := os.Stat(path)
		return err == nil && fi.Mode().IsRegular()
	}
	return false
}

// envName is the name of a variable as it is compared: case does not count.
func envName(name string) string { return strings.ToUpper(name) }

// usualEditor is the one of a person who named none.
const usualEditor = "notepad"

// byShell runs a line of the person's own, which gets args, paths without
// quotes, as its arguments.
func byShell(ctx context.Context, line string, args []string) *exec.Cmd {
	interpreter := os.Getenv("ComSpec")
	if interpreter == "" {
		interpreter = "cmd.exe"
	}
	c := exec.CommandContext(ctx, interpreter)
	text := line
	for _, a := range args {
		text += ` "` + strings.ReplaceAll(a, `"`, "") + `"`
	}
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + text + `"`}
	return c
}
