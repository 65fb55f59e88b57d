package shell

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// helperWord is the first argument by which zuno runs itself to confine itself
// and then become a command.
const helperWord = "__sandbox"

// helperFails is the exit status of a helper that could not become a command.
const helperFails = 125

// The file descriptors of the helper beyond the three usual ones.
const (
	specFD   = 3 // a sandboxSpec is read from it
	statusFD = 4 // an error is written to it; it is closed when the command begins
)

// maxArgument is how long an argument may be with its end (MAX_ARG_STRLEN of
// execve(2), 32 pages of the usual size).
const maxArgument = 32 * 4096

// launchFor is how long a command may take to begin.
const launchFor = 20 * time.Second

// A sandboxSpec tells the helper what to do, in this order.
type sandboxSpec struct {
	Parent  int   // its pid; 0 when that is another program
	IDs     []int // user and group, to be mapped to themselves
	Mounts  []mountStep
	Loop    bool // a loopback is to be turned on
	Dir     string
	Rules   *landlockRules
	Sockets socketRule
	Ready   bool // say so before the command begins, for who cannot see the status closed
	Check   *sandboxCheck
	Path    string
	Args    []string
}

// launch starts p through the helper, and returns when its program has begun.
func (b *box) launch(p *exec.Cmd) error {
	for _, a := range p.Args {
		if len(a) >= maxArgument {
			return errTooLong
		}
	}
	b.prepareGit()
	spec := b.spec(p)
	in, err := specFile(spec)
	if err != nil {
		return err
	}
	defer in.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	p.ExtraFiles = []*os.File{in, w}
	if err := b.wrap(p); err != nil {
		w.Close()
		return err
	}
	err = p.Start()
	w.Close()
	if err != nil {
		return err
	}
	if err := began(r, spec.Ready); err != nil {
		_ = p.Process.Kill()
		_ = p.Wait() // it ended as we wished
		return err
	}
	return nil
}

// began waits for the word of the helper.
func began(status *os.File, ready bool) error {
	_ = status.SetReadDeadline(time.Now().Add(launchFor))
	var said []byte
	buf := make([]byte, 4<<10)
	for {
		n, err := status.Read(buf)
		said = append(said, buf[:n]...)
		switch {
		case ready && string(said) == readyWord:
			return nil
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			return fmt.Errorf("it was not set up in %s", launchFor)
		case len(said) > 0:
			return errors.New(strings.TrimPrefix(string(said), readyWord))
		case ready:
			return errors.New("bubblewrap did not start the command")
		default:
			return nil
		}
	}
}

const readyWord = "ready\n"

// specFile returns a file in memory with the specification.
func specFile(spec sandboxSpec) (*os.File, error) {
	fd, err := unix.MemfdCreate("sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), "sandbox")
	if err := gob.NewEncoder(f).Encode(spec); err != nil { // a path need not be UTF-8
		f.Close()
		return nil, err
	}
	return f, nil
}

// prepareGit makes the folder of git hooks, as git itself does, where it is
// missing: only what is there can be kept as it is.
func (b *box) prepareGit() {
	hooks := filepath.Join(b.Workspace, ".git", "hooks")
	if _, missing := b.watched[hooks]; !missing || !b.ability.Protects || exists(hooks) || b.Mode != WorkspaceWrite {
		return
	}
	if os.Mkdir(hooks, 0o755) == nil {
		delete(b.watched, hooks)
		b.fixed = append(b.fixed, hooks)
	}
}

// spec says what the helper is to do before it becomes p.
func (b *box) spec(p *exec.Cmd) sandboxSpec {
	a := b.ability
	s := sandboxSpec{
		Parent: os.Getpid(), Dir: p.Dir, Path: p.Path, Args: p.Args, Check: b.check,
		Ready: a.Backend == Bubblewrap, Rules: b.rules(),
	}
	if a.Backend == Bubblewrap {
		s.Parent = 0
	}
	if a.Backend == Namespaces {
		s.Mounts = b.mounts()
		s.Loop = !b.Network
		if !a.plain && os.Geteuid() != 0 {
			s.IDs = []int{os.Geteuid(), os.Getegid()}
		}
	}
	switch {
	case b.Network:
	case a.Backend != Landlock:
		s.Sockets = socketsOfNamespace
	case a.ABI >= landlockUnixABI:
		s.Sockets = socketsLocal
	default:
		s.Sockets = socketsNone
	}
	return s
}

// wrap makes p the helper, in what the backend needs.
func (b *box) wrap(p *exec.Cmd) error {
	attr := *p.SysProcAttr
	p.SysProcAttr = &attr
	p.Path, p.Args = "/proc/self/exe", []string{"zuno", helperWord}
	switch b.ability.Backend {
	case Bubblewrap:
		return b.wrapBubble(p)
	case Namespaces:
		attr.Cloneflags |= unix.CLONE_NEWNS
		if !b.Network {
			attr.Cloneflags |= unix.CLONE_NEWNET
		}
		if b.ability.plain {
			return nil
		}
		attr.Cloneflags |= unix.CLONE_NEWUSER
		if os.Geteuid() != 0 {
			// The helper maps its own id. These are kept over its beginning.
			attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN}
			return nil
		}
		var err error
		if attr.UidMappings, err = sameIDs("/proc/self/uid_map"); err != nil {
			return err
		}
		if attr.GidMappings, err = sameIDs("/proc/self/gid_map"); err != nil {
			return err
		}
		attr.GidMappingsEnableSetgroups = true
	}
	return nil
}

// sameIDs returns a mapping that keeps every id there is (user_namespaces(7)).
func sameIDs(file string) ([]syscall.SysProcIDMap, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []syscall.SysProcIDMap
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		first, err1 := strconv.Atoi(f[0])
		size, err2 := strconv.Atoi(f[2])
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%s has the line %q", file, line)
		}
		all = append(all, syscall.SysProcIDMap{ContainerID: first, HostID: first, Size: size})
	}
	return all, nil
}

// runtimeDir is where sockets of the user are when no variable says so.
func runtimeDir() string { return "/run/user/" + strconv.Itoa(os.Getuid()) }

// friendlySockets lists folders of sockets that only answer questions about
// users, or take messages for the log.
func friendlySockets() []string {
	return []string{
		"/run/nscd", "/var/run/nscd", "/var/lib/sss/pipes", "/run/systemd/userdb",
		"/run/systemd/journal", "/dev/log",
	}
}

// foreignSockets lists the sockets with a name in the file system that some
// program outside listens on and this user can connect to, from
// /proc/net/unix (proc_pid_net(5)). What confined commands listen on is not
// among them when they have a network of their own.
func foreignSockets() []string {
	text, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return nil
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		at := strings.Index(line, " /")
		if at < 0 {
			continue
		}
		name := strings.TrimSuffix(line[at+1:], "\n")
		f := strings.Fields(line[:at])
		if len(f) < 7 || !socketTakes(f[3], f[4]) {
			continue
		}
		if inAny(friendlySockets(), name) {
			continue
		}
		real, err := filepath.EvalSymlinks(name)
		if err == nil && unix.Access(real, unix.W_OK) == nil {
			all = append(all, real)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// socketTakes reports that a socket with these flags and this type, in
// hexadecimal, can be reached by its name: it listens, or takes datagrams.
func socketTakes(flags, kind string) bool {
	const acceptsConnections = 1 << 16 // __SO_ACCEPTCON of <linux/net.h>
	n, err := strconv.ParseUint(flags, 16, 64)
	return kind == "0002" || err == nil && n&acceptsConnections != 0
}

// writableOutside reports that zuno itself could write at path, or make it.
func writableOutside(path string) bool {
	for ; !exists(path); path = filepath.Dir(path) {
		if path == "/" {
			return false
		}
	}
	return unix.Access(path, unix.W_OK) == nil
}

// listensOutside reports that some program listens on a TCP port of zuno's own
// network, from /proc/net/tcp (proc_pid_net(5)).
func listensOutside(port string) bool {
	const listening = "0A" // TCP_LISTEN of <linux/tcp.h>
	n, err := strconv.Atoi(port)
	if err != nil {
		return false
	}
	suffix := fmt.Sprintf(":%04X", n)
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) > 3 && f[3] == listening && strings.HasSuffix(f[1], suffix) {
				return true
			}
		}
	}
	return false
}
