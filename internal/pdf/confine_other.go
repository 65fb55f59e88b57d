//go:build unix && !linux

package pdf

import "golang.org/x/sys/unix"

// confine bounds the address space in bytes, where the system has such a bound,
// and the seconds of processor time of this process.
func confine(memory, seconds uint64) error {
	return limits(64*memory, seconds, unix.Setrlimit) // a Go program maps far more than it uses
}
