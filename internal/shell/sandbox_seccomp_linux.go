package shell

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A socketRule says which sockets a command may have.
type socketRule int

const (
	socketsAny socketRule = iota
	// socketsOfNamespace refuses the kinds that network namespaces do not hold,
	// such as those between a virtual machine and its host.
	socketsOfNamespace
	// socketsLocal leaves only sockets within the machine.
	socketsLocal
	// socketsNone leaves only pairs: nothing can be connected to.
	socketsNone
)

// A machine is a system call interface of a processor, with the numbers of the
// calls that make a connection.
type machine struct {
	arch                           uint32
	socket, connect, uring, packed uint32 // 0 for none; packed is socketcall(2)
}

// machines returns the interfaces that a kernel of this processor has; nil when
// they are not known here.
func machines() []machine {
	switch runtime.GOARCH {
	case "amd64":
		return []machine{
			{unix.AUDIT_ARCH_X86_64, 41, 42, 425, 0},
			{unix.AUDIT_ARCH_I386, 359, 362, 425, 102},
		}
	case "arm64":
		return []machine{
			{unix.AUDIT_ARCH_AARCH64, 198, 203, 425, 0},
			{unix.AUDIT_ARCH_ARM, 281, 283, 425, 102},
		}
	case "riscv64":
		return []machine{{unix.AUDIT_ARCH_RISCV64, 198, 203, 425, 0}}
	}
	return nil
}

// families lists the kinds of sockets that remain.
func (r socketRule) families() []uint32 {
	if r == socketsOfNamespace {
		return []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	}
	return []uint32{unix.AF_UNIX}
}

// enforce has the kernel refuse the system calls that make other sockets, for
// this thread (seccomp(2)). io_uring goes too: it makes sockets by itself.
func (r socketRule) enforce() error {
	if r == socketsAny {
		return nil
	}
	all := machines()
	if all == nil {
		if r == socketsOfNamespace {
			return nil // the namespace does without
		}
		return fmt.Errorf("refuse sockets: not known how on %s", runtime.GOARCH)
	}
	filter := r.filter(all)
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("refuse sockets: seccomp: %w", errno)
	}
	return nil
}

// Offsets in struct seccomp_data, on the little-endian processors above.
const (
	dataNumber = 0
	dataArch   = 4
	dataFirst  = 16 // the lower half of the first argument
)

// x32 is set in the numbers of an interface that nobody uses any more.
const x32 = 0x40000000

// filter returns the program for the given machines. Calls of any other, which
// the kernel does not have, are refused.
func (r socketRule) filter(all []machine) []unix.SockFilter {
	const allow = unix.SECCOMP_RET_ALLOW
	refuse := func(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	ret := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	// unless goes past the next n instructions unless the value is k.
	unless := func(k uint32, n int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(n), K: k}
	}
	prog := []unix.SockFilter{load(dataArch)}
	for _, m := range all {
		body := []unix.SockFilter{load(dataNumber)}
		if m.arch == unix.AUDIT_ARCH_X86_64 {
			below := unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: x32}
			body = append(body, below, ret(refuse(unix.ENOSYS)))
		}
		body = append(body, unless(m.uring, 1), ret(refuse(unix.ENOSYS)))
		if m.packed != 0 {
			body = append(body, unless(m.packed, 1), ret(refuse(unix.ENETUNREACH)))
		}
		if r == socketsNone {
			body = append(body, unless(m.connect, 1), ret(refuse(unix.ENETUNREACH)))
		}
		families := r.families()
		body = append(body, unless(m.socket, 2+2*len(families)), load(dataFirst))
		for _, f := range families {
			body = append(body, unless(f, 1), ret(allow))
		}
		body = append(body, ret(refuse(unix.ENETUNREACH)), ret(allow))
		prog = append(prog, unless(m.arch, len(body)))
		prog = append(prog, body...)
	}
	return append(prog, ret(refuse(unix.ENOSYS)))
}
