package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	Dir     exact
	Rules   *landlockRules
	Sockets socketRule
	Ready   bool // say so before the command begins, for who cannot see the status closed
	Check   *sandboxCheck
	Path    exact
	Args    []exact
}

// An exact is a string that survives JSON also when it is not UTF-8, as paths
// and arguments need not be.
type exact string

// MarshalText quotes the string as Go does.
func (e exact) MarshalText() ([]byte, error) { return strconv.AppendQuoteToASCII(nil, string(e)), nil }

// UnmarshalText undoes MarshalText.
func (e *exact) UnmarshalText(text []byte) error {
	s, err := strconv.Unquote(string(text))
	*e = exact(s)
	return err
}

func convert[To, From ~string](list []From) []To {
	all := make([]To, len(list))
	for i, s := range list {
		all[i] = To(s)
	}
	return all
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
		return told(err, p)
	}
	return nil
}

// told adds to an error of bubblewrap what it printed. The end of the pipe that
// this is read from is opened anew, because that of the caller is not ours.
func told(err error, p *exec.Cmd) error {
	pipe, ok := p.Stderr.(*os.File)
	if !errors.Is(err, errUnsettled) || !ok {
		return err
	}
	r, openErr := unix.Open("/proc/self/fd/"+strconv.Itoa(int(pipe.Fd())), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if openErr != nil {
		return err
	}
	defer unix.Close(r)
	var buf [1024]byte
	n, _ := unix.Read(r, buf[:])
	if n <= 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.Join(strings.Fields(plain(buf[:n])), " "))
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
			return fmt.Errorf("bubblewrap did not start the command: %w", errUnsettled)
		default:
			return nil
		}
	}
}

const readyWord = "ready\n"

// specFile returns a file in memory with the specification.
func specFile(spec sandboxSpec) (*os.File, error) {
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), "sandbox")
	if _, err := f.WriteAt(text, 0); err != nil {
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
		Parent: os.Getpid(), Dir: exact(p.Dir), Path: exact(p.Path), Args: convert[exact](p.Args), Check: b.check,
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
