package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A sandboxCheck is what a confined process tries instead of running a command.
type sandboxCheck struct {
	Inside, Outside, Fixed, Hidden exact // files to write, write, write and read
	TCP, UDP                       int   // ports of zuno's on 127.0.0.1
	PID                            int   // zuno's
}

// A sandboxReport is what came of it.
type sandboxReport struct {
	Inside, Outside, Fixed, Hidden bool // it could be done
	TCP, Loopback, Signal          bool
}

// Probe tries what this system offers to confine commands, by confining a
// process and having it try to do what it should not. It takes some ten
// milliseconds; the answer holds as long as zuno runs. Main must call
// [SandboxMain] first.
func Probe(ctx context.Context) Ability {
	var why []string
	for _, a := range sandboxCandidates() {
		got, err := a.probe(ctx)
		if err == nil {
			got.Why = why
			return got
		}
		why = append(why, fmt.Sprintf("%s: %v", a.Backend, err))
	}
	return Ability{Why: append(why, noCandidate())}
}

// probe tries one candidate. The error says why it is of no use.
func (a Ability) probe(ctx context.Context) (Ability, error) {
	ground, err := newProbeGround()
	if err != nil {
		return a, err
	}
	defer ground.close()
	tried := a
	tried.Writes, tried.Protects, tried.Network = true, a.Backend != Landlock, true
	c, err := tried.Confine(ground.confinement())
	if err != nil {
		return a, err
	}
	c.check = ground.check()
	env, _ := Environ(os.Environ(), nil)
	res := Run(ctx, Cmd{Argv: []string{"/"}, Dir: c.Workspace, Env: env, Confine: c, Limits: Limits{Time: 10 * time.Second}})
	var r sandboxReport
	if res.Err != nil {
		return a, errors.New(strings.TrimPrefix(res.Err.Error(), "not started: "))
	}
	if err := json.Unmarshal(res.Stdout.Head, &r); err != nil || res.Exit != 0 {
		return a, fmt.Errorf("the trial did not end well: %s: %s", res.Status(), strings.TrimSpace(plain(res.Stderr.Head)))
	}
	a.Writes, a.Protects, a.Hides = !r.Outside, !r.Fixed, !r.Hidden
	a.Network, a.Loopback, a.Signals = !r.TCP && !ground.received(), r.Loopback, !r.Signal
	switch {
	case r.Outside:
		return a, errors.New("a file outside could be written")
	case !r.Inside:
		return a, errors.New("a file inside could not be written")
	}
	return a, nil
}

// A probeGround is a folder to try things in, and two ports.
type probeGround struct {
	dir string
	tcp net.Listener
	udp net.PacketConn
}

func newProbeGround() (*probeGround, error) {
	dir, err := os.MkdirTemp("", "zuno-probe-")
	if err != nil {
		return nil, fmt.Errorf("make a folder to try it in: %w", err)
	}
	g := &probeGround{dir: dir}
	if g.dir, err = filepath.EvalSymlinks(dir); err == nil {
		err = g.furnish()
	}
	if err != nil {
		g.close()
		return nil, fmt.Errorf("prepare the trial: %w", err)
	}
	return g, nil
}

func (g *probeGround) furnish() error {
	for _, d := range []string{"in/fixed", "out", "hidden"} {
		if err := os.MkdirAll(filepath.Join(g.dir, d), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(g.dir, "hidden/file"), []byte("x"), 0o600); err != nil {
		return err
	}
	// Without a network outside there is none to be kept from.
	if l, err := net.Listen("tcp4", "127.0.0.1:0"); err == nil {
		g.tcp = l
	}
	if p, err := net.ListenPacket("udp4", "127.0.0.1:0"); err == nil {
		g.udp = p
	}
	return nil
}

func (g *probeGround) confinement() Confinement {
	return Confinement{
		Mode: WorkspaceWrite, Workspace: filepath.Join(g.dir, "in"),
		Protected: []string{filepath.Join(g.dir, "in/fixed")}, Hidden: []string{filepath.Join(g.dir, "hidden")},
	}
}

func (g *probeGround) check() *sandboxCheck {
	k := &sandboxCheck{
		Inside: exact(g.dir + "/in/file"), Outside: exact(g.dir + "/out/file"),
		Fixed: exact(g.dir + "/in/fixed/file"), Hidden: exact(g.dir + "/hidden/file"),
		PID: os.Getpid(),
	}
	if g.tcp != nil {
		k.TCP = g.tcp.Addr().(*net.TCPAddr).Port
	}
	if g.udp != nil {
		k.UDP = g.udp.LocalAddr().(*net.UDPAddr).Port
	}
	return k
}

// received reports that something came from inside.
func (g *probeGround) received() bool {
	if g.udp == nil {
		return false
	}
	_ = g.udp.SetReadDeadline(time.Now().Add(time.Millisecond)) // within a machine nothing is on its way for longer than the send takes
	var buf [8]byte
	n, _, _ := g.udp.ReadFrom(buf[:])
	return n > 0
}

func (g *probeGround) close() {
	if g.tcp != nil {
		g.tcp.Close()
	}
	if g.udp != nil {
		g.udp.Close()
	}
	os.RemoveAll(g.dir)
}
