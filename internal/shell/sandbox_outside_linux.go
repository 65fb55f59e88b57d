package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

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

// daemonSockets lists those of daemons that do whatever they are asked. In a
// container one may be there although its daemon is outside.
func daemonSockets() []string {
	return []string{
		"/run/docker.sock", "/var/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock",
		"/run/crio/crio.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/snapd.socket",
		"/var/lib/lxd/unix.socket", "/var/lib/incus/unix.socket", "/var/snap/lxd/common/lxd/unix.socket",
		"/run/libvirt/libvirt-sock",
	}
}

// foreignSockets lists the sockets with a name in the file system that some
// program outside listens on and this user can connect to, from
// /proc/net/unix (proc_pid_net(5)), and those of known daemons. What confined commands listen on is not
// among them when they have a network of their own.
func foreignSockets(env []string) []string {
	names := daemonSockets()
	if host, ok := strings.CutPrefix(homes{env}.get("DOCKER_HOST"), "unix://"); ok {
		names = append(names, host)
	}
	text, _ := os.ReadFile("/proc/net/unix")
	for line := range strings.Lines(string(text)) {
		at := strings.Index(line, " /")
		if at < 0 {
			continue
		}
		if f := strings.Fields(line[:at]); len(f) == 7 && socketTakes(f[3], f[4]) {
			names = append(names, strings.TrimSuffix(line[at+1:], "\n"))
		}
	}
	var all []string
	for _, n := range names {
		real, err := filepath.EvalSymlinks(n)
		if err == nil && !inAny(friendlySockets(), real) && unix.Access(real, unix.W_OK) == nil {
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
