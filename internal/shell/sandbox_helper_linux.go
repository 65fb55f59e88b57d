package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// SandboxMain is the first thing that main calls, with os.Args. When they say
// that zuno was started to confine a command, it confines this process and
// executes the command in its place, or ends the program: it does not return.
// Else it returns false at once.
func SandboxMain(args []string) bool {
	if len(args) < 2 || args[1] != helperWord {
		return false
	}
	// Landlock, seccomp, no_new_privs and capabilities belong to a thread, and
	// what it executes inherits them.
	runtime.LockOSThread()
	unix.CloseOnExec(specFD)
	unix.CloseOnExec(statusFD)
	err := become()
	if _, werr := unix.Write(statusFD, []byte(err.Error())); werr != nil {
		fmt.Fprintf(os.Stderr, "zuno: this is for zuno's own use: %v\n", err)
	}
	os.Exit(helperFails)
	return true
}

// become does what the specification says. It returns only when it cannot.
func become() error {
	spec, err := readSpec()
	if err != nil {
		return err
	}
	if err := spec.enter(); err != nil {
		return err
	}
	if spec.Check == nil {
		if err := unix.Access(string(spec.Path), unix.X_OK); err != nil {
			return fmt.Errorf("run %s: %w", spec.Path, err)
		}
	}
	if spec.Ready {
		if _, err := unix.Write(statusFD, []byte(readyWord)); err != nil {
			return err
		}
	}
	if spec.Check != nil {
		os.Exit(spec.Check.run())
	}
	err = syscall.Exec(string(spec.Path), convert[string](spec.Args), os.Environ())
	if errors.Is(err, unix.E2BIG) {
		err = errTooLong
	} else {
		err = fmt.Errorf("run %s: %w", spec.Path, err)
	}
	if spec.Ready { // nobody listens any more
		fmt.Fprintln(os.Stderr, "zuno:", err)
	}
	return err
}

func readSpec() (sandboxSpec, error) {
	var st unix.Stat_t
	if err := unix.Fstat(specFD, &st); err != nil {
		return sandboxSpec{}, errors.New("there is no specification")
	}
	text := make([]byte, st.Size)
	if _, err := unix.Pread(specFD, text, 0); err != nil {
		return sandboxSpec{}, fmt.Errorf("read the specification: %w", err)
	}
	var s sandboxSpec
	if err := json.Unmarshal(text, &s); err != nil {
		return sandboxSpec{}, fmt.Errorf("read the specification: %w", err)
	}
	return s, nil
}

// enter confines this thread.
func (s sandboxSpec) enter() error {
	if err := s.tie(); err != nil {
		return err
	}
	if s.IDs != nil {
		if err := mapOwnIDs(s.IDs[0], s.IDs[1]); err != nil {
			return err
		}
	}
	if err := doMounts(s.Mounts); err != nil {
		return err
	}
	if s.Loop {
		if err := loopbackUp(); err != nil {
			return err
		}
	}
	// The working directory was entered before the mounts.
	if err := unix.Chdir(string(s.Dir)); err != nil {
		return fmt.Errorf("enter %s: %w", s.Dir, err)
	}
	// Without this, what the user's session keeps in the kernel's keyrings
	// could be read. A kernel may come without them.
	_, _, _ = unix.Syscall(unix.SYS_KEYCTL, unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if s.Rules != nil {
		if err := s.Rules.enforce(); err != nil {
			return err
		}
	}
	return s.Sockets.enforce()
}

// tie has this thread killed when zuno is; executing a program from another
// thread than the first lost what the parent had set.
func (s sandboxSpec) tie() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("tie the command to zuno: %w", err)
	}
	if s.Parent != 0 && os.Getppid() != s.Parent {
		return errors.New("zuno has ended")
	}
	return nil
}

// mapOwnIDs keeps the user and the group of this process in its new user
// namespace. Others look like nobody from there (user_namespaces(7)).
func mapOwnIDs(uid, gid int) error {
	same := func(id int) string { return strconv.Itoa(id) + " " + strconv.Itoa(id) + " 1\n" }
	for _, f := range []struct{ name, text string }{
		{"setgroups", "deny"}, {"gid_map", same(gid)}, {"uid_map", same(uid)},
	} {
		if err := os.WriteFile("/proc/self/"+f.name, []byte(f.text), 0); err != nil {
			return fmt.Errorf("map the user: %w", err)
		}
	}
	return nil
}

// loopbackUp turns on the loopback of a new network namespace, which has
// nothing else.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("turn on the loopback: %w", err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("turn on the loopback: %w", err)
	}
	return nil
}

// keptCapabilities are what root needs to work with the files of others and to
// become another user. None of them reaches beyond the user namespace, or, for
// a root that has none, beyond what file permissions rule.
func keptCapabilities() []uintptr {
	return []uintptr{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL,
		unix.CAP_SETGID, unix.CAP_SETUID, unix.CAP_NET_BIND_SERVICE, unix.CAP_SETFCAP, unix.CAP_SYS_CHROOT,
	}
}

// dropCapabilities leaves this thread at most the kept ones: those it has as
// root, none else. Without new privileges nothing that it executes gets more
// (capabilities(7)).
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	var kept [2]uint32
	if os.Geteuid() == 0 {
		for _, c := range keptCapabilities() {
			kept[c/32] |= 1 << (c % 32)
		}
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has [2]unix.CapUserData
	if err := unix.Capget(&head, &has[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	for i := range has {
		has[i].Permitted &= kept[i]
		has[i].Effective = has[i].Permitted
		has[i].Inheritable = 0
	}
	if err := unix.Capset(&head, &has[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}
