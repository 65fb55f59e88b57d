package pdf

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// confine bounds the memory in bytes that this process may add to what it has
// mapped, and the seconds of processor time that it may use.
func confine(memory, seconds uint64) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return fmt.Errorf("bound the memory: %w", err)
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return fmt.Errorf("bound the memory: %w", err)
	}
	return limits(pages*uint64(os.Getpagesize())+memory, seconds, unix.Setrlimit)
}
