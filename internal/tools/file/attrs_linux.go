package file

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// attrsOf returns the attributes of an open file that replacing it carries
// over, in order of their names. A file system without attributes has none.
func attrsOf(fd int) []attr {
	names := make([]byte, 1<<10)
	n, err := unix.Flistxattr(fd, names)
	if errors.Is(err, unix.ERANGE) {
		names = make([]byte, 1<<16) // as long as a list can be, see xattr(7)
		n, err = unix.Flistxattr(fd, names)
	}
	if err != nil || n == 0 {
		return nil
	}
	var list []attr
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00") {
		if is, _ := carried(name); !is {
			continue
		}
		value := make([]byte, 1<<16)
		if n, err := unix.Fgetxattr(fd, name, value); err == nil {
			list = append(list, attr{name, string(value[:n])})
		}
	}
	slices.SortFunc(list, func(a, b attr) int { return strings.Compare(a.name, b.name) })
	return list
}

// setAttrs gives an open file attributes. One that must be carried over and
// cannot be is an error.
func setAttrs(fd int, want []attr) error {
	for _, a := range want {
		err := unix.Fsetxattr(fd, a.name, []byte(a.value), 0)
		if _, needed := carried(a.name); err == nil || !needed {
			continue
		}
		if a.name == accessList {
			return fmt.Errorf("its access list (POSIX ACL) could not be kept: %w", err)
		}
		return fmt.Errorf("its extended attribute %s could not be kept: %w", a.name, err)
	}
	return nil
}

// clearList takes an access list that came from the folder's default off an
// open file that is to have exactly the permissions of another.
func clearList(fd int) { _ = unix.Fremovexattr(fd, accessList) } // most files have none
