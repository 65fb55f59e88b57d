package shell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A mountStep is one change to what a command sees of the file system.
type mountStep struct {
	Do   mountKind
	Path exact // real
}

type mountKind int

const (
	mountWritable mountKind = iota // as it is; everything that is not becomes read-only
	mountPinned                    // it cannot be moved or removed
	mountFixed                     // read-only
	mountHidden                    // not readable; a folder becomes an empty one
	mountPrivate                   // an empty folder to write in
	mountTerminal                  // pseudo-terminals of its own
)

// mounts lists the steps in the order they have to be taken in: those that
// cover others come first.
func (b *box) mounts() []mountStep {
	var all []mountStep
	add := func(do mountKind, paths ...string) {
		for _, p := range paths {
			all = append(all, mountStep{do, exact(p)})
		}
	}
	add(mountWritable, b.writable...)
	add(mountPinned, b.pinned...)
	add(mountPrivate, b.private...)
	if exists("/dev/pts") {
		add(mountTerminal, "/dev/pts")
	}
	add(mountFixed, b.fixed...)
	add(mountHidden, b.hidden...)
	add(mountHidden, b.sockets...)
	add(mountHidden, rawDisks()...)
	return all
}

// rawDisks lists the block devices that this user can read: every file is on
// one of them.
func rawDisks() []string {
	all, _ := os.ReadDir("/sys/class/block")
	var open []string
	for _, e := range all {
		dev := filepath.Join("/dev", e.Name())
		if unix.Access(dev, unix.R_OK) == nil {
			open = append(open, dev)
		}
	}
	return open
}

// doMounts takes the steps in this process's own mount namespace. The calls
// need Linux 5.12.
func doMounts(steps []mountStep) error {
	if len(steps) == 0 {
		return nil
	}
	// Nothing mounted here is seen outside, nor the other way round.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("separate the mounts: %w", err)
	}
	if err := seal(steps); err != nil {
		return err
	}
	for _, s := range steps {
		err := s.take()
		if err != nil && !(s.Do == mountHidden && errors.Is(err, unix.ENOENT)) {
			return fmt.Errorf("prepare %s: %w", s.Path, err)
		}
	}
	return nil
}

// seal makes everything read-only but what is to be writable. That may be
// everything.
func seal(steps []mountStep) error {
	trees := map[exact]int{}
	for _, s := range steps {
		if s.Do != mountWritable {
			continue
		}
		if s.Path == "/" {
			return nil
		}
		fd, err := unix.OpenTree(unix.AT_FDCWD, string(s.Path), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
		if err != nil {
			return fmt.Errorf("prepare %s: open_tree: %w", s.Path, err)
		}
		defer unix.Close(fd)
		trees[s.Path] = fd
	}
	if err := restrictMount("/", unix.MOUNT_ATTR_RDONLY); err != nil {
		return fmt.Errorf("make the file system read-only: %w", err)
	}
	for _, s := range steps {
		if fd, ok := trees[s.Path]; ok && s.Do == mountWritable {
			if err := unix.MoveMount(fd, "", unix.AT_FDCWD, string(s.Path), unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
				return fmt.Errorf("prepare %s: move_mount: %w", s.Path, err)
			}
		}
	}
	return nil
}

// restrictMount adds attributes to the mounts at path and below.
func restrictMount(path string, attr uint64) error {
	err := unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attr})
	return os.NewSyscallError("mount_setattr", err)
}

func (s mountStep) take() error {
	const plain = unix.MS_NOSUID | unix.MS_NODEV
	path := string(s.Path)
	switch s.Do {
	case mountPinned:
		return bind(path, path)
	case mountFixed:
		if err := bind(path, path); err != nil {
			return err
		}
		return restrictMount(path, unix.MOUNT_ATTR_RDONLY)
	case mountHidden:
		return s.hide()
	case mountPrivate:
		mode := "mode=0700"
		if path == "/dev/shm" {
			mode = "mode=1777"
		}
		return os.NewSyscallError("mount", unix.Mount("tmpfs", path, "tmpfs", plain, mode))
	case mountTerminal:
		return os.NewSyscallError("mount", unix.Mount("devpts", path, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0600"))
	}
	return nil
}

func bind(from, to string) error {
	return os.NewSyscallError("mount", unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""))
}

// hide covers a folder by an empty one, and anything else by a device that
// cannot be opened there, by root neither, and does not listen.
func (s mountStep) hide() error {
	path := string(s.Path)
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_RDONLY)
		return os.NewSyscallError("mount", unix.Mount("tmpfs", path, "tmpfs", flags, "mode=000,size=4k"))
	}
	if err := bind("/dev/null", path); err != nil {
		return err
	}
	return restrictMount(path, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NODEV)
}
