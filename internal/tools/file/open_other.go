//go:build unix && !linux

package file

import "golang.org/x/sys/unix"

// searchOnly opens a folder for reading: there is no flag for less that all
// systems share.
const searchOnly = unix.O_RDONLY

// renameNew moves what is at from to a name that must be free.
func renameNew(d dir, from string, in dir, to string) error { return linkNew(d, from, in, to) }
