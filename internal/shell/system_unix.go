//go:build unix

package shell

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// tooLong is the error of a command line that is too long for the system.
const tooLong = syscall.E2BIG

// mayEnter is nil when dir can be a working directory.
func mayEnter(dir string) error { return unix.Access(dir, unix.X_OK) }

// inode is the number of a file in its file system, 0 when it is not known.
func inode(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// TopDir returns a folder that is always there.
func TopDir() string { return "/" }

// NoShell says why command lines cannot be run by the interpreter sh, and what
// to do about it; "" when they can. On Unix there always is one.
func NoShell(string) string { return "" }

// lineArgv is how the interpreter sh is called with a line, and what it gets in
// its environment besides.
func lineArgv(sh, line string) (argv, env []string) {
	switch {
	case sh == "":
		return []string{"/bin/sh", "-c", "--", line}, nil
	case filepath.Base(sh) == "bash":
		return []string{sh, "--noprofile", "--norc", "-o", "pipefail", "-c", "--", line}, nil
	}
	return []string{sh, "-c", "--", line}, nil
}

// Shell returns the interpreter of command lines: bash where there is one, else
// /bin/sh.
func (l Lookup) Shell() string {
	found, _ := l.all("bash")
	for _, p := range append([]string{"/bin/bash", "/usr/bin/bash"}, found...) {
		if isProgram(p) {
			return p
		}
	}
	return "/bin/sh"
}

// programIn returns the path of the program name in dir, "" when there is none.
func programIn(dir, name string) string {
	if p := filepath.Join(dir, name); isProgram(p) {
		return p
	}
	return ""
}

func isProgram(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0
}

// envName is the name of a variable as it is compared: every letter counts.
func envName(name string) string { return name }

// usualEditor is the one of a person who named none.
const usualEditor = "vi"

// byShell runs a line of the person's own, which gets args as its arguments.
func byShell(ctx context.Context, line string, args []string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", line + ` "$@"`, line}, args...)...)
}
