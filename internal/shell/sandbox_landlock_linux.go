package shell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockUnixABI is the first version that rules who is connected to by the
// name of a socket.
const landlockUnixABI = 9

// landlockABI asks the kernel which version of Landlock it speaks; 0 is none.
func landlockABI() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// landlockRules are what Landlock is to enforce.
type landlockRules struct {
	ABI     int
	Write   []exact // folders and files that can be written
	Reads   bool    // only what can be written, and Read, can be read
	Read    []exact // folders and files
	Connect []exact // sockets, and folders of sockets
}

// Rights on files by the version they came with (landlock(7)).
const (
	landlockCreate = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	landlockDevices = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
)

// writeRights returns the rights of writing that a kernel of this version
// knows: all of them, those that are granted in a folder, and on a file.
func writeRights(abi int) (handled, dir, file uint64) {
	file = unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	dir = landlockCreate
	for _, r := range []struct {
		since int
		on    *uint64
		right uint64
	}{
		{2, &dir, unix.LANDLOCK_ACCESS_FS_REFER},
		{3, &file, unix.LANDLOCK_ACCESS_FS_TRUNCATE},
		{5, &file, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
	} {
		if abi >= r.since {
			*r.on |= r.right
		}
	}
	return file | dir | landlockDevices, file | dir, file
}

// usualDevices lists what every program may write to.
func usualDevices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}
}

// rules returns what Landlock is to enforce of the plan, nil without it. Where
// there are mounts it enforces the same once more, except on what these hide.
func (b *box) rules() *landlockRules {
	if b.ability.ABI == 0 {
		return nil
	}
	r := &landlockRules{ABI: b.ability.ABI}
	write := slices.Concat(b.writable, usualDevices(), []string{"/dev/shm"})
	if b.ability.Backend == Landlock {
		// The terminals of the user are not for a command.
		r.Reads, r.Read = true, convert[exact](readable(b.hidden, rawDisks(), []string{"/dev/pts"}))
	} else {
		write = slices.Concat(write, b.private, []string{"/dev/ptmx", "/dev/pts"})
	}
	r.Write = convert[exact](write)
	r.Connect = convert[exact](slices.Concat(friendlySockets(), b.writable))
	return r
}

// readable lists what can be read when hidden cannot: everything beside the
// way to each of them. What is made beside the way later is not in it.
func readable(hidden ...[]string) []string {
	away := slices.Concat(hidden...)
	way := map[string]bool{}
	for _, h := range away {
		way[h] = true
		for d := filepath.Dir(h); !way[d]; d = filepath.Dir(d) {
			way[d] = true
		}
	}
	var all []string
	for d := range way {
		if slices.Contains(away, d) {
			continue
		}
		entries, _ := os.ReadDir(d)
		for _, e := range entries {
			if p := filepath.Join(d, e.Name()); !way[p] && e.Type()&os.ModeSymlink == 0 {
				all = append(all, p)
			}
		}
	}
	slices.Sort(all)
	return all
}

// enforce restricts this thread. It needs no_new_privs.
func (r *landlockRules) enforce() error {
	handled, dir, file := writeRights(r.ABI)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	if r.Reads {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	if r.ABI >= landlockUnixABI {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	size := unsafe.Offsetof(attr.Handled_access_net) // the first version knew no more
	if r.ABI >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		size = unsafe.Offsetof(attr.Quiet_access_fs)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("make Landlock rules: %w", errno)
	}
	defer unix.Close(int(fd))
	allow := func(paths []exact, inDir, onFile uint64) error {
		for _, p := range paths {
			if err := allowBelow(int(fd), string(p), inDir, onFile); err != nil {
				return fmt.Errorf("make a Landlock rule for %s: %w", p, err)
			}
		}
		return nil
	}
	err := allow(r.Write, dir, file)
	if r.Reads {
		const read = unix.LANDLOCK_ACCESS_FS_READ_FILE
		err = errors.Join(err, allow(r.Read, read, read), allow(r.Write, read, read))
	}
	if r.ABI >= landlockUnixABI {
		const reach = unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
		err = errors.Join(err, allow(r.Connect, reach, reach))
	}
	if err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("enforce the Landlock rules: %w", errno)
	}
	return nil
}

// allowBelow adds a rule for what is at path and below. What is missing, or
// cannot be looked at, stays forbidden.
func allowBelow(ruleset int, path string, inDir, onFile uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(at)
	var st unix.Stat_t
	if err := unix.Fstat(at, &st); err != nil {
		return err
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: onFile, Parent_fd: int32(at)}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		rule.Allowed_access = inDir
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
