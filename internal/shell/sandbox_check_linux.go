package shell

import (
	"encoding/json"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// sandboxCandidates lists the backends to try, the strongest first.
func sandboxCandidates() []Ability {
	abi := landlockABI()
	all := []Ability{{Backend: Namespaces, ABI: abi}}
	if os.Geteuid() == 0 {
		all = append(all, Ability{Backend: Namespaces, ABI: abi, plain: true})
	}
	if path := findBubblewrap(); path != "" {
		all = append(all, Ability{Backend: Bubblewrap, ABI: abi, bwrap: path})
	}
	if abi > 0 {
		all = append(all, Ability{Backend: Landlock, ABI: abi})
	}
	return all
}

// noCandidate says what else there could have been.
func noCandidate() string {
	var missing []string
	if landlockABI() == 0 {
		missing = append(missing, "the kernel has no Landlock")
	}
	if findBubblewrap() == "" {
		missing = append(missing, "bubblewrap is not installed")
	}
	return strings.Join(missing, ", ")
}

// run tries everything in this confined thread, prints the report and returns
// an exit status.
func (k *sandboxCheck) run() int {
	_, err := os.ReadFile(string(k.Hidden))
	r := sandboxReport{
		Inside:   canWrite(k.Inside),
		Outside:  canWrite(k.Outside),
		Fixed:    canWrite(k.Fixed),
		Hidden:   err == nil,
		TCP:      k.TCP != 0 && canConnect(k.TCP),
		Loopback: hasLoopback(),
		Signal:   unix.Kill(k.PID, 0) == nil,
	}
	if k.UDP != 0 {
		sendTo(k.UDP)
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		return 1
	}
	return 0
}

func canWrite(path exact) bool { return os.WriteFile(string(path), []byte("x"), 0o600) == nil }

func localhost(port int) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

// canConnect uses the bare calls, which do not wait for a listener's program.
func canConnect(port int) bool {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return unix.Connect(fd, localhost(port)) == nil
}

func sendTo(port int) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	_ = unix.Sendto(fd, []byte("x"), 0, localhost(port)) // what arrives is counted
}

func hasLoopback() bool {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if unix.Bind(fd, localhost(0)) != nil || unix.Listen(fd, 1) != nil {
		return false
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		return false
	}
	in4, ok := at.(*unix.SockaddrInet4)
	return ok && canConnect(in4.Port)
}
