package shell

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ordinary is a user that is not root, for tests that root runs.
const ordinary = 65534

// TestConfinedCommandsOfAnOrdinaryUser runs the tests named TestConfined as
// somebody who is not root.
func TestConfinedCommandsOfAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("the tests run as an ordinary user already")
	}
	temp, err := os.MkdirTemp("", "y")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	if err := os.Chown(temp, ordinary, ordinary); err != nil {
		t.Skip("files cannot be given away here: ", err)
	}
	p := exec.Command("/proc/self/exe", "-test.run=^TestConfined[A-Z]", "-test.skip=OrdinaryUser|Builds|Submodule|Worktree|Noticed", "-test.count=1", "-test.v="+strconv.FormatBool(testing.Verbose()))
	p.Dir = temp
	p.Env = append(without(os.Environ(), "HOME", "TMPDIR", "GOCACHE", "XDG_RUNTIME_DIR"), "HOME="+temp, "TMPDIR="+temp, "ZUNO_TEST_HARDENED=1")
	p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	out, err := p.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if testing.Verbose() {
		t.Logf("%s", out)
	}
}

// everyBackend runs the test on each backend that works here.
func everyBackend(t *testing.T, test func(t *testing.T, a Ability)) {
	t.Helper()
	backends(t, false, test)
}

// backends is everyBackend; with all set it runs the test without a user
// namespace too although there is one to be had.
func backends(t *testing.T, all bool, test func(t *testing.T, a Ability)) {
	t.Helper()
	some := false
	for _, candidate := range sandboxCandidates() {
		if candidate.plain && some && !all {
			continue
		}
		a, err := candidate.probe(t.Context())
		name := a.Backend.String()
		if a.plain {
			name += " without a user namespace"
		}
		if err != nil {
			t.Logf("%s does not work here: %v", name, err)
			continue
		}
		some = true
		t.Run(name, func(t *testing.T) { test(t, a) })
	}
	if !some {
		t.Skip(Probe(t.Context()))
	}
}

// A yard is a workspace with things around it that a command should not reach.
type yard struct {
	t                         *testing.T
	ability                   Ability
	home, work, out, tmp, run string
	env                       []string
	edit                      func(*Confinement)
}

func newYard(t *testing.T, a Ability) *yard {
	t.Helper()
	base, err := os.MkdirTemp("", "y") // the names of sockets have to be short
	if err == nil {
		t.Cleanup(func() { os.RemoveAll(base) })
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		t.Fatal(err)
	}
	y := &yard{t: t, ability: a}
	for _, d := range []struct {
		to   *string
		name string
	}{{&y.home, "home"}, {&y.work, "home/work"}, {&y.out, "home/out"}, {&y.tmp, "tmp"}, {&y.run, "run"}} {
		*d.to = filepath.Join(base, d.name)
		y.mkdir(*d.to)
	}
	y.mkdir(y.home + "/.cache")
	y.write(y.home+"/.ssh/id_ed25519", "canary\n")
	y.write(y.home+"/.netrc", "canary\n")
	y.write(y.home+"/.bashrc", "# mine\n")
	y.write(y.out+"/file", "mine\n")
	y.write(y.work+"/.zuno/zuno.json", "{}\n")
	parent := without(os.Environ(), "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "GOPATH", "GOCACHE")
	y.env, _ = Environ(append(parent, "HOME="+y.home, "TMPDIR="+y.tmp, "XDG_RUNTIME_DIR="+y.run,
		"OUT="+y.out, "ZUNO_PID="+strconv.Itoa(os.Getpid()), "PTS="+y.terminal()), nil)
	return y
}

// terminal opens a pseudo-terminal for the time of the test.
func (y *yard) terminal() string {
	y.t.Helper()
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		y.t.Fatal(err)
	}
	y.t.Cleanup(func() { f.Close() })
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPTN)
	if err != nil {
		y.t.Fatal(err)
	}
	return "/dev/pts/" + strconv.Itoa(n)
}

func (y *yard) mkdir(dir string) {
	y.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) write(path, text string) {
	y.t.Helper()
	y.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) read(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

// confinement is the usual one, except that the temporary folder of the tests
// themselves is not writable.
func (y *yard) confinement(m Mode) *Confinement {
	y.t.Helper()
	u := Usual(m, y.work, y.env)
	u.Writable = slices.DeleteFunc(u.Writable, func(p string) bool { return p == "/tmp" || p == "/var/tmp" })
	if y.edit != nil {
		y.edit(&u)
	}
	c, err := y.ability.Confine(u)
	if err != nil {
		y.t.Fatal(err)
	}
	return c
}

func (y *yard) cmd(m Mode, line string) Cmd {
	y.t.Helper()
	return Cmd{Line: line, Shell: Lookup{Env: y.env}.Shell(), Dir: y.work, Env: y.env, Confine: y.confinement(m)}
}

func (y *yard) bash(line string) Result {
	y.t.Helper()
	return Run(y.t.Context(), y.cmd(WorkspaceWrite, line))
}

// A saying is what a line came to.
type saying struct {
	ok   bool
	text string
}

// each runs every line in a subshell of one confined command.
func (y *yard) each(m Mode, lines []string) []saying {
	y.t.Helper()
	var script strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&script, "(\n%s\n) 2>&1; echo \"\n=$?=\"\n", l)
	}
	res := Run(y.t.Context(), y.cmd(m, script.String()))
	rest := string(res.Stdout.Head)
	if !res.Confined || res.Err != nil || strings.Contains(rest, "canary") {
		y.t.Fatalf("%v: %s", res.Err, rest)
	}
	var all []saying
	for range lines {
		var text, status string
		text, rest, _ = strings.Cut(rest, "\n=")
		status, rest, _ = strings.Cut(rest, "=\n")
		if status == "" {
			y.t.Fatalf("the script ended early, after %d lines: %s", len(all), res.Stderr.Head)
		}
		all = append(all, saying{status == "0", text})
	}
	return all
}

// git makes the workspace a repository with one commit.
func (y *yard) git() {
	y.t.Helper()
	y.outside("git init -q . && git config user.name n && git config user.email e@example.com && echo x >x && git add x && git commit -qm one")
}

// outside runs a line without a confinement.
func (y *yard) outside(line string) {
	y.t.Helper()
	c := y.cmd(WorkspaceWrite, line)
	c.Confine = nil
	if res := Run(y.t.Context(), c); res.Exit != 0 {
		y.t.Fatalf("%s: %s: %s", line, res.Status(), res.Stderr.Head)
	}
}

func TestConfinedCommandsReachWhatTheyShould(t *testing.T) {
	t.Parallel()
	backends(t, true, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		y.git()
		cases := []struct {
			name, line string
			ok         bool
			certain    bool // with what this backend can do
		}{
			{"files in the workspace", "mkdir -p a/b && echo x >a/b/c && mv a/b/c d && ln d e && ln -s d f && rm -r a d e f", true, true},
			{"the temporary folder", `echo x >"$TMPDIR/t" && f=$(mktemp) && rm "$f"`, true, true},
			{"a cache", `mkdir -p ~/.cache/tool && echo x >~/.cache/tool/x`, true, true},
			{"devices", "echo x >/dev/null && head -c 1 /dev/urandom >/dev/null && test -c /dev/zero", true, true},
			{"shared memory", "echo x >/dev/shm/zuno-test-$$ && rm /dev/shm/zuno-test-$$", true, true},
			{"a terminal of its own", "command -v script >/dev/null || exit 0; script -qec 'test -t 0' /dev/null </dev/null", true, a.Protects},
			{"no terminal", "! (: >/dev/tty) 2>/dev/null", true, true},
			{"a here document", "cat <<E >x\n$(seq 20000)\nE", true, true},
			{"a read of the system", "cat /etc/passwd && ls / && ls ~ >/dev/null", true, true},
			{"a program of its own", "sh -c 'sh -c true' & wait", true, true},
			{"a signal to itself", "sleep 9 & kill $!; wait $!; test $? = 143", true, true},
			{"a commit", "echo y >>x && git add x && git commit -qm two && git log --oneline | wc -l | grep -q 2 && git status && git gc -q", true, true},
			{"a branch and a stash", "git switch -qc b && echo z >>x && git stash -q && git stash pop -q && git checkout -q x && git tag t", true, true},

			{"a file beside", `echo x >"$OUT/new"`, false, true},
			{"a file in the home", "echo x >~/new", false, true},
			{"a start-up file", "echo x >>~/.bashrc", false, true},
			{"a file of the system", "echo x >/etc/zuno-test", false, true},
			{"a way up", "cd .. && cd out && echo x >new", false, true},
			{"a link out", `ln -sfn "$OUT" l && echo x >l/new`, false, true},
			{"a link to a file", `ln -sf "$OUT/file" m && echo x >>m`, false, true},
			{"a hard link", `ln "$OUT/file" h && echo x >>h`, false, true},
			{"a move in", `mv "$OUT/file" moved`, false, true},
			{"a move out", `echo x >y && mv y "$OUT/y"`, false, true},
			{"a removal", `rm -f "$OUT/file"`, false, true},
			{"a mode", `chmod 666 "$OUT/file"`, false, a.Protects},
			{"the root of a process", `echo x >/proc/self/root"$OUT/new"`, false, true},
			{"the root of zuno", `echo x >/proc/$ZUNO_PID/root"$OUT/new"`, false, true},
			{"the folder of zuno", `cd /proc/$ZUNO_PID/cwd && echo x >new`, false, true},

			{"somebody's terminal", `echo x >"$PTS"`, false, true},
			{"a key", "cat ~/.ssh/id_ed25519", false, true},
			{"a key another way", "cat /proc/self/root/$HOME/.ssh/id_ed25519", false, true},
			{"a key by a link", "ln -sfn ~/.ssh k && cat k/id_ed25519", false, true},
			{"a moved key", "mv ~/.ssh s && cat s/id_ed25519", false, true},
			{"the name of a key", "ls -A ~/.ssh | grep id_", false, a.Protects},
			{"a password", "cat ~/.netrc", false, true},
			{"the environment of zuno", "cat /proc/$ZUNO_PID/environ", false, true},
			{"the memory of zuno", "head -c 1 /proc/$ZUNO_PID/mem", false, true},
			{"a signal to zuno", "kill -0 $ZUNO_PID", false, a.Signals},

			{"a hook", "echo x >.git/hooks/pre-commit", false, a.Protects},
			{"a hook from its folder", "cd .git/hooks && echo x >pre-commit", false, a.Protects},
			{"a hook moved there", "echo x >p && mv p .git/hooks/pre-commit", false, a.Protects},
			{"another folder of hooks", "mv .git/hooks .git/h && mkdir .git/hooks", false, a.Protects},
			{"another repository", "mv .git g && mkdir .git", false, a.Protects},
			{"git's configuration", "git config core.pager x", false, a.Protects},
			{"git's configuration by hand", "echo x >>.git/config", false, a.Protects},
			{"zuno's configuration", "cd .zuno && echo '{ }' >zuno.json", false, a.Protects},
			{"zuno's configuration moved away", "mv .zuno z", false, a.Protects},
			{"a mount", "mount -t tmpfs none /mnt", false, true},
			{"an unmount", "umount .git/hooks", false, true},
			{"an unmount in another namespace", "unshare -Urm sh -c 'umount .git/hooks && echo x >.git/hooks/post-commit'", false, a.Protects},
			{"the namespace of zuno", `nsenter -t $ZUNO_PID -m touch "$OUT/new"`, false, true},
		}
		var lines []string
		for _, c := range cases {
			lines = append(lines, c.line)
		}
		for i, got := range y.each(WorkspaceWrite, lines) {
			if c := cases[i]; got.ok != c.ok && c.certain {
				t.Errorf("%s: ok is %v: %s", c.name, got.ok, got.text)
			}
		}
		for path, want := range map[string]string{
			y.out + "/file": "mine\n", y.home + "/.bashrc": "# mine\n", y.home + "/.ssh/id_ed25519": "canary\n",
		} {
			if got := y.read(path); got != want {
				t.Errorf("%s is now %q", path, got)
			}
		}
		for _, p := range []string{y.out + "/new", y.home + "/new", "/etc/zuno-test"} {
			if exists(p) {
				t.Errorf("%s was made", p)
			}
		}
	})
}

func TestConfinedToReadingWritesNothing(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		lines := []string{
			"cat .zuno/zuno.json && echo x >/dev/null",
			"echo x >/dev/shm/x-$$ && rm /dev/shm/x-$$",
			"echo x >x",
			`echo x >"$TMPDIR/x"`,
			"echo x >~/.cache/x",
			"cat ~/.ssh/id_ed25519",
			": </dev/tcp/127.0.0.1/9",
		}
		for i, got := range y.each(ReadOnly, lines) {
			if got.ok != (i < 2) {
				t.Errorf("%s: ok is %v: %s", lines[i], got.ok, got.text)
			}
		}
	})
}

func TestConfinedCommandsHaveNoNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	u, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer u.Close()
	_, tcp, _ := net.SplitHostPort(l.Addr().String())
	_, udp, _ := net.SplitHostPort(u.LocalAddr().String())
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		if res := y.bash("exec 3<>/dev/tcp/127.0.0.1/" + tcp); res.Exit == 0 {
			t.Error("a connection was made")
		} else if a.Loopback && !strings.Contains(res.Stopped, "port "+tcp) || !a.Loopback && res.Stopped == "" {
			t.Errorf("not said why: %q, %s", res.Stopped, res.Stderr.Head)
		}
		y.bash("echo secret >/dev/udp/127.0.0.1/" + udp)
		y.bash("echo secret >/dev/udp/192.0.2.1/53")
		y.edit = func(c *Confinement) { c.Network = true }
		if res := y.bash("exec 3<>/dev/tcp/127.0.0.1/" + tcp); res.Exit != 0 {
			t.Errorf("no connection although it is allowed: %s", res.Stderr.Head)
		}
		if res := y.bash("echo allowed >/dev/udp/127.0.0.1/" + udp); res.Exit != 0 {
			t.Errorf("no datagram although it is allowed: %s", res.Stderr.Head)
		}
		var buf [32]byte
		n, _, err := u.ReadFrom(buf[:])
		if got := string(buf[:n]); err != nil || got != "allowed\n" {
			t.Errorf("received %q, %v", got, err)
		}
	})
}

func TestConfinedCommandsDoNotReachProgramsBySocket(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		for _, at := range []string{y.out + "/s", y.run + "/s", y.work + "/s"} {
			l, err := net.Listen("unix", at)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			y.copySelf()
			if res := y.bash("ZUNO_TEST_DIAL=" + at + " ./self"); res.Exit != 3 {
				t.Errorf("%s: %s: %s", at, res.Status(), res.Stderr.Head)
			}
		}
	})
}

// copySelf puts this program into the workspace.
func (y *yard) copySelf() {
	y.t.Helper()
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		y.t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(y.work+"/self", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700)
	if err != nil {
		y.t.Fatal(err)
	}
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil {
		y.t.Fatal(err)
	}
}

// dialTest is the body of a program that connects to a socket.
func dialTest(path string) int {
	c, err := net.Dial("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	c.Close()
	return 0
}

func TestConfinedBuildsAndTestsRun(t *testing.T) {
	t.Parallel()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go")
	}
	cache, err := exec.Command(goTool, "env", "GOCACHE").Output()
	if err != nil || os.Geteuid() == ordinary {
		t.Skip("there is no build cache to be had; filling one takes too long")
	}
	everyBackend(t, func(t *testing.T, a Ability) {
		if a.Backend != Probe(t.Context()).Backend {
			t.Skip("it takes too long for more than one")
		}
		y := newYard(t, a)
		y.env = append(y.env, "GOCACHE="+strings.TrimSpace(string(cache)), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "PATH="+filepath.Dir(goTool)+":"+os.Getenv("PATH"))
		y.write(y.work+"/go.mod", "module m\n\ngo 1.24\n")
		y.write(y.work+"/main.go", `package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		c, err := net.Dial("tcp", os.Args[1])
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(c, "hello")
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	os.WriteFile("addr.part", []byte(l.Addr().String()), 0o600)
	os.Rename("addr.part", "addr")
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	var s string
	fmt.Fscan(c, &s)
	fmt.Println(s)
}
`)
		y.write(y.work+"/main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) { t.TempDir() }\n")
		if res := y.bash("go build -o m . && go vet . && go test ."); res.Exit != 0 {
			t.Fatalf("%s\n%s%s", res.Status(), res.Stdout.Head, res.Stderr.Head)
		}
		if !a.Loopback {
			t.Skip("there is no loopback with this backend")
		}
		res := y.bash("./m & while [ ! -e addr ]; do sleep 0.01; done; ./m $(cat addr) && wait")
		if string(res.Stdout.Head) != "hello\n" {
			t.Errorf("%s\n%s%s", res.Status(), res.Stdout.Head, res.Stderr.Head)
		}
	})
}

func TestConfinedEnvironmentAndStatusAreTheSame(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		env := func(c *Confinement) string {
			cmd := y.cmd(WorkspaceWrite, "pwd; echo $0; env | grep -v ^ZUNO_COMMAND= | sort; ls /proc/self/fd; ulimit -n; umask; trap")
			cmd.Confine = c
			return string(Run(t.Context(), cmd).Stdout.Head)
		}
		if in, out := env(y.confinement(WorkspaceWrite)), env(nil); in != out {
			t.Errorf("inside:\n%s\noutside:\n%s", in, out)
		}
		if res := y.bash("exit 7"); res.Exit != 7 || res.Stopped != "" {
			t.Errorf("%+v", res)
		}
		if res := y.bash("kill -9 $$"); res.Exit != 137 || a.Backend != Bubblewrap && res.Signal != "SIGKILL" {
			t.Errorf("%+v", res)
		}
		cmd := y.cmd(WorkspaceWrite, "printf 'a\\xffb' >$(printf 'a\\xffb'); : \xff; cat a?b")
		if res := Run(t.Context(), cmd); string(res.Stdout.Head) != "a\xffb" {
			t.Errorf("%+v", res)
		}
		cmd.Line = ": " + strings.Repeat("x", 3<<20)
		if res := Run(t.Context(), cmd); res.Started || res.Err == nil || !strings.Contains(res.Err.Error(), "script file") {
			t.Errorf("%v", res.Err)
		}
		cmd = y.cmd(WorkspaceWrite, "true")
		cmd.Shell = "/no/such/shell"
		if res := Run(t.Context(), cmd); res.Started || res.Err == nil || !strings.Contains(res.Err.Error(), "/no/such/shell") {
			t.Errorf("%+v", res)
		}
	})
}

func TestConfinedRootIsAlmostPowerless(t *testing.T) {
	t.Parallel()
	backends(t, true, func(t *testing.T, a Ability) {
		res := newYard(t, a).bash("grep -E '^(CapEff|NoNewPrivs)' /proc/self/status")
		var caps uint64
		for line := range strings.Lines(string(res.Stdout.Head)) {
			if hex, ok := strings.CutPrefix(line, "CapEff:"); ok {
				caps, _ = strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			}
		}
		var kept uint64
		for _, c := range keptCapabilities() {
			kept |= 1 << c
		}
		if caps&^kept != 0 || !strings.Contains(string(res.Stdout.Head), "NoNewPrivs:\t1") {
			t.Errorf("%s", res.Stdout.Head)
		}
		if os.Geteuid() != 0 && caps != 0 {
			t.Errorf("an ordinary user has capabilities: %x", caps)
		}
	})
}

func TestConfinedTreesAreStopped(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		for name, line := range map[string]string{
			"children":         "echo before; bash -c 'sleep N & sleep N & wait'",
			"an own session":   "echo before; setsid sleep N & setsid -w sleep N",
			"an orphan daemon": "echo before; (setsid sleep N >/dev/null 2>&1 &); sleep N",
		} {
			n := unique(t)
			c := y.cmd(WorkspaceWrite, strings.ReplaceAll(line, "N", n))
			if res := cancelled(t, c, n, 2); !res.Started || !res.Killed || res.Err != nil || string(res.Stdout.Head) != "before\n" {
				t.Errorf("%s: %+v", name, res)
			}
		}
		n := unique(t)
		var ps Processes
		res := ps.Run(t.Context(), y.cmd(WorkspaceWrite, "sleep "+n+" & echo done"))
		if !res.Left || len(sleeping(n)) != 1 {
			t.Errorf("%+v", res)
		}
		if err := ps.Close(); err != nil || len(sleeping(n)) > 0 {
			t.Errorf("left after Close: %v", err)
		}
		c := y.cmd(WorkspaceWrite, "sleep "+n)
		c.Limits.Time = 50 * time.Millisecond
		if res := Run(t.Context(), c); !res.TimedOut || len(sleeping(n)) > 0 {
			t.Errorf("%+v", res)
		}
	})
}

// beConfined is what this program does instead of testing when a test says so.
func beConfined() {
	if os.Getenv("ZUNO_TEST_HARDENED") != "" { // as zuno is
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	}
	if path := os.Getenv("ZUNO_TEST_DIAL"); path != "" {
		os.Exit(dialTest(path))
	}
	if n := os.Getenv("ZUNO_TEST_CONFINED_PARENT"); n != "" {
		beConfinedParent(n)
		os.Exit(0)
	}
}

// beConfinedParent is the body of a zuno that will be killed.
func beConfinedParent(n string) {
	a := Probe(context.Background())
	env, _ := Environ(os.Environ(), nil)
	c, err := a.Confine(Usual(ReadOnly, "/", env))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var ps Processes
	ps.Run(context.Background(), Cmd{Line: "exec sleep " + n, Dir: "/", Env: env, Confine: c})
}

func TestConfinedCommandsDieWithZuno(t *testing.T) {
	t.Parallel()
	if Probe(t.Context()).Backend == NoBackend {
		t.Skip(Probe(t.Context()))
	}
	n := unique(t)
	parent := exec.Command("/proc/self/exe")
	parent.Env = append(os.Environ(), "ZUNO_TEST_CONFINED_PARENT="+n)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it runs", func() bool { return len(sleeping(n)) == 1 })
	parent.Process.Kill()
	parent.Wait()
	eventually(t, "it is gone", func() bool { return len(sleeping(n)) == 0 })
}

func BenchmarkConfinedStart(b *testing.B) {
	env, _ := Environ(os.Environ(), nil)
	c := Cmd{Argv: []string{"/bin/true"}, Dir: b.TempDir(), Env: env}
	run := func(b *testing.B) {
		for b.Loop() {
			if res := Run(b.Context(), c); res.Exit != 0 {
				b.Fatal(res.Err)
			}
		}
	}
	b.Run("unconfined", run)
	for _, candidate := range sandboxCandidates() {
		a, err := candidate.probe(b.Context())
		if err != nil {
			continue
		}
		if c.Confine, err = a.Confine(Usual(WorkspaceWrite, c.Dir, env)); err != nil {
			b.Fatal(err)
		}
		b.Run(a.Backend.String(), run)
	}
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			c.Confine.plan(c.Dir, env)
		}
	})
}
