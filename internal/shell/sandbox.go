package shell

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Mode says how far commands are confined.
type Mode int

const (
	// Off confines nothing.
	Off Mode = iota
	// ReadOnly lets a command write nothing but devices such as /dev/null and
	// memory of its own in /dev/shm.
	ReadOnly
	// WorkspaceWrite lets it write in the workspace and in Confinement.Writable.
	WorkspaceWrite
)

// String returns the mode as it is configured.
func (m Mode) String() string {
	switch m {
	case ReadOnly:
		return "read-only"
	case WorkspaceWrite:
		return "workspace-write"
	}
	return "off"
}

// ParseMode returns the mode that is configured as s.
func ParseMode(s string) (Mode, error) {
	for _, m := range []Mode{Off, ReadOnly, WorkspaceWrite} {
		if m.String() == s {
			return m, nil
		}
	}
	return Off, fmt.Errorf("sandbox mode %q: it must be read-only, workspace-write or off", s)
}

// A Confinement says what a command can reach. What it cannot do, it cannot
// undo for the processes that it starts either. It is worked out anew for every
// command, so that folders that came or went are seen.
//
// [Usual] fills one in, [Ability.Confine] makes it ready for a [Cmd].
type Confinement struct {
	Mode Mode
	// Network leaves the network as it is. Without it there is none but a
	// loopback of the command's own.
	Network bool
	// Workspace is the real path of the folder that zuno works in.
	Workspace string
	// Writable lists further folders and files that WorkspaceWrite lets a
	// command write; what is missing is passed over. One inside another is
	// covered by that one and not resolved: a command could have made it a link
	// to somewhere else.
	Writable []string
	// Protected lists what stays as it is although it is inside something
	// writable. What is missing cannot be kept from being made; when it is, the
	// result says so: see [Result.Touched]. The parts of the workspace's git
	// directory that run programs, its hooks and its configuration, are always
	// among them.
	Protected []string
	// Hidden lists what cannot be read either. A folder that contains the
	// workspace stays visible.
	Hidden []string

	ability Ability
	check   *sandboxCheck // what to try instead of running a command
}

// on reports that there is something to do.
func (c *Confinement) on() bool { return c != nil && c.Mode != Off }

// String returns the confinement in a few words, as in "sandbox
// workspace-write, no network". It says nothing of what the system cannot do:
// see [Ability.Limits].
func (c *Confinement) String() string {
	switch {
	case !c.on():
		return "no sandbox"
	case c.Network:
		return "sandbox " + c.Mode.String() + ", network allowed"
	}
	return "sandbox " + c.Mode.String() + ", no network"
}

// A Backend is a way to confine a command.
type Backend int

const (
	// NoBackend means that commands cannot be confined.
	NoBackend Backend = iota
	// Landlock restricts a command by rules on files and system calls. It
	// cannot keep a path inside a writable folder as it is.
	Landlock
	// Bubblewrap runs a command in the namespaces that the program bwrap makes,
	// and under Landlock where there is that.
	Bubblewrap
	// Namespaces runs a command in user, mount and network namespaces of its
	// own, and under Landlock where there is that.
	Namespaces
)

func (b Backend) String() string {
	switch b {
	case Landlock:
		return "Landlock"
	case Bubblewrap:
		return "bubblewrap"
	case Namespaces:
		return "namespaces"
	}
	return "none"
}

// An Ability is what [Probe] found that this system can do. The zero value can
// do nothing.
type Ability struct {
	Backend Backend
	// ABI is the version of Landlock that the kernel speaks, 0 for none.
	ABI int
	// Writes says that what is not writable cannot be written, Protects that
	// this holds within a writable folder too, Hides that hidden files cannot be
	// read.
	Writes, Protects, Hides bool
	// Network says that the network can be taken away, Loopback that processes
	// can then still talk to each other over an own loopback.
	Network, Loopback bool
	// Signals says that processes outside cannot be signalled.
	Signals bool
	// Why says, for each backend that was tried before this one, why it does not
	// work here.
	Why []string

	bwrap string // the path of the program
	plain bool   // namespaces without a user namespace, for root
}

// String returns the ability in a line.
func (a Ability) String() string {
	name := a.Backend.String()
	switch {
	case a.Backend == NoBackend:
		return "no sandbox: " + strings.Join(a.Why, "; ")
	case a.Backend == Landlock:
		return fmt.Sprintf("Landlock (version %d) only", a.ABI)
	case a.bwrap != "":
		name += " (" + a.bwrap + ")"
	case a.plain:
		name += " (as root, without a user namespace)"
	}
	if a.ABI > 0 {
		name += fmt.Sprintf(" and Landlock (version %d)", a.ABI)
	}
	return name
}

// Limits lists what the sandbox does not do here although it would elsewhere,
// one sentence each, for the person to read.
func (a Ability) Limits() []string {
	var l []string
	add := func(missing bool, text string) {
		if missing {
			l = append(l, text)
		}
	}
	some := a.Backend != NoBackend
	add(some && !a.Protects, "nothing inside a writable folder can be protected or hidden: git hooks and configuration in the workspace can be changed, which is noticed afterwards")
	add(some && !a.Hides, "credentials can be read")
	add(a.Backend == Landlock, "the permissions and times of files elsewhere can be changed")
	add(some && !a.Network, "the network cannot be taken away")
	add(some && a.Network && !a.Loopback, "without the network there is no loopback and no local socket either")
	add(a.Backend == Landlock && a.ABI < 9, "when the network is allowed, programs outside can be reached by their sockets")
	add(some && !a.Signals, "processes outside the sandbox can be signalled")
	return l
}

// Confine returns c, ready for a [Cmd]; nil when its mode is Off. The error
// says why this system cannot do what c asks for.
func (a Ability) Confine(c Confinement) (*Confinement, error) {
	if c.Mode == Off {
		return nil, nil
	}
	fail := func(why string) (*Confinement, error) {
		return nil, fmt.Errorf("sandbox %s cannot be had here: %s; set sandbox.mode to off to run commands without", c.Mode, why)
	}
	switch {
	case a.Backend == NoBackend && len(a.Why) == 0:
		return fail("it was not tried")
	case a.Backend == NoBackend:
		return fail(strings.Join(a.Why, "; "))
	case !a.Writes:
		return fail("writing elsewhere is not refused")
	case !a.Network && !c.Network:
		return fail("the network cannot be taken away")
	}
	for _, list := range [][]string{{c.Workspace}, c.Writable, c.Protected, c.Hidden} {
		for _, p := range list {
			if !filepath.IsAbs(p) {
				return nil, fmt.Errorf("sandbox: %q is not an absolute path", p)
			}
		}
	}
	if real, err := filepath.EvalSymlinks(c.Workspace); err != nil {
		return nil, fmt.Errorf("sandbox: find the workspace: %w", err)
	} else {
		c.Workspace = real
	}
	c.ability = a
	return &c, nil
}

var errUnprepared = errors.New("the sandbox was not prepared: use Ability.Confine")

// start starts p, confined by c; a nil c confines nothing. When there is an
// error nothing of the command has run.
func (c *Confinement) start(p *exec.Cmd) (*box, error) {
	if !c.on() {
		return nil, p.Start()
	}
	if c.ability.Backend == NoBackend {
		return nil, errUnprepared
	}
	fresh := *p
	for tries := 1; ; tries++ {
		b := &box{Confinement: c, dir: p.Dir, plan: c.plan(p.Dir, p.Env)}
		err := b.launch(p)
		switch {
		case err == nil:
			return b, nil
		case tries == 3 || !errors.Is(err, errUnsettled):
			return nil, fmt.Errorf("sandbox: %w", err)
		}
		*p = fresh
	}
}

// errUnsettled says that something was gone again when the plan was carried
// out, perhaps the socket of a program that ended. Nothing has run.
var errUnsettled = errors.New("things changed while it was set up")

// A box is the confinement of one command that was started.
type box struct {
	*Confinement
	plan
	dir string
}

// A plan is what a confinement means for one command, in paths without
// symbolic links.
type plan struct {
	writable []string // nothing else is; none is inside another
	pinned   []string // folders above protected paths, which must not be moved away; parents first
	fixed    []string // protected paths that exist, and are in something writable
	hidden   []string // folders and files
	sockets  []string // of programs outside
	private  []string // folders that are replaced by empty ones
	watched  map[string]string
}

// fill says in res what the confinement had to do with how the command ended.
func (b *box) fill(res *Result) {
	if b == nil || b.check != nil {
		return
	}
	res.Confined = true
	res.Touched = b.touched()
	if res.Exit != 0 && !res.Killed {
		res.Stopped = b.stopped(res)
	}
}

// touched lists what is protected and is not any more what it was.
func (b *box) touched() []string {
	var all []string
	for p, before := range b.watched {
		if fingerprint(p) != before {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all
}

// exists reports that there is something at path, be it a broken link.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
