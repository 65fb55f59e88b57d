//go:build unix

package pdf

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// limits sets the two limits, never above those that are in force.
func limits(space, seconds uint64, set func(int, *unix.Rlimit) error) error {
	for _, l := range []struct {
		what int
		most uint64
	}{{unix.RLIMIT_AS, space}, {unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_CORE, 0}} {
		var now unix.Rlimit
		if err := unix.Getrlimit(l.what, &now); err != nil {
			return fmt.Errorf("bound the process: %w", err)
		}
		most := min(l.most, uint64(now.Max))
		if err := set(l.what, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("bound the process: %w", err)
		}
	}
	return nil
}
