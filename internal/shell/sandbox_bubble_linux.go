package shell

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// findBubblewrap returns the path of bwrap in the folders of the system, where
// only root puts programs; "" for none.
func findBubblewrap() string {
	for _, p := range []string{"/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"} {
		fi, err := os.Stat(p)
		if err != nil || !isProgram(p) || fi.Mode()&0o022 != 0 {
			continue
		}
		if st, ok := fi.Sys().(*syscall.Stat_t); ok && st.Uid == 0 {
			return p
		}
	}
	return ""
}

// wrapBubble makes p bwrap, which runs the helper in what it has set up
// (bwrap(1)). It takes the steps in the order of its arguments.
func (b *box) wrapBubble(p *exec.Cmd) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if !isProgram(self) {
		return errors.New("zuno's own program is gone: it was replaced while it ran; start it again")
	}
	args := []string{"bwrap", "--die-with-parent", "--unshare-user-try"}
	if !b.Network {
		args = append(args, "--unshare-net")
	}
	args = append(args, "--ro-bind", "/", "/", "--dev", "/dev")
	for _, s := range b.mounts() {
		args = append(args, s.bubble()...)
	}
	args = append(args, "--chdir", p.Dir, "--", self, helperWord)
	p.Path, p.Args = b.ability.bwrap, args
	return nil
}

// bubble returns the step as arguments of bwrap.
func (s mountStep) bubble() []string {
	path := string(s.Path)
	switch s.Do {
	case mountWritable, mountPinned:
		return []string{"--bind", path, path}
	case mountFixed:
		return []string{"--ro-bind", path, path}
	case mountPrivate:
		if path == "/dev/shm" {
			return nil // --dev has made one
		}
		return []string{"--perms", "0700", "--tmpfs", path}
	case mountHidden:
		if fi, err := os.Stat(path); err == nil && fi.IsDir() {
			return []string{"--perms", "0000", "--tmpfs", path, "--remount-ro", path}
		}
		if inside("/dev", path) {
			return nil // --dev has left it out
		}
		return []string{"--ro-bind", "/dev/null", path}
	}
	return nil
}
