//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), ioctlTermios)
	return err == nil
}

// windowSize returns the columns and rows of a terminal, 0 when they are not
// known.
func windowSize(f *os.File) (cols, rows int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Col), int(size.Row)
}

// noFollow refuses to open a symbolic link.
const noFollow = unix.O_NOFOLLOW

// lockFile keeps other zunos waiting until f is closed.
func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX) }

// tryLockFile is lockFile, but reports false when somebody else has the lock.
func tryLockFile(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, err
}

// othersRead reports whether other accounts can read a file.
func othersRead(_ string, info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// privateCommand is what keeps a file from other accounts.
const privateCommand = "chmod 600"

func makePrivate(path string) string { return privateCommand + " " + path }

// bashFindings says nothing of the shell for commands: there always is one.
func bashFindings(*plan) []finding { return nil }
