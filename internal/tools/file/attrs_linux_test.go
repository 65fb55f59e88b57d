package file

import (
	le "encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// acl is the access list u::rwx,u:1234:r--,g::r--,m::r--,o::--- as the kernel
// stores it, see acl(5) and linux/posix_acl_xattr.h.
func acl() []byte {
	b := le.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 7, ^uint32(0)}, {2, 4, 1234}, {4, 4, ^uint32(0)}, {0x10, 4, ^uint32(0)}, {0x20, 0, ^uint32(0)}} {
		b = le.LittleEndian.AppendUint16(b, e.tag)
		b = le.LittleEndian.AppendUint16(b, e.perm)
		b = le.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}

// give sets an attribute, or skips the test where the file system has none.
func give(t *testing.T, path, name string, value []byte) {
	t.Helper()
	err := unix.Setxattr(path, name, value, 0)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM) {
		t.Skipf("this file system has no %s", name)
	}
	must(t, err)
}

func attrOf(path, name string) string {
	buf := make([]byte, 1<<10)
	n, err := unix.Getxattr(path, name, buf)
	if err != nil {
		return err.Error()
	}
	return string(buf[:n])
}

func TestAttributesAndAccessListsAreKept(t *testing.T) {
	for name, value := range map[string]string{"user.zuno.test": "a\x00b", "user.empty": "", accessList: string(acl())} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.put("f", "1\n")
			must(t, os.Chmod(b.path("f"), 0o740))
			give(t, b.path("f"), name, []byte(value))
			b.ok("read", args{"filePath": "f"})
			b.ok("edit", args{"filePath": "f", "oldString": "1", "newString": "2"})
			b.ok("apply_patch", patchOf("*** Update File: f\n@@\n-2\n+3"))
			b.ok("write", args{"filePath": "f", "content": "4\n"})
			b.ok("cp", args{"source": "f", "destination": "g"})
			b.ok("apply_patch", patchOf("*** Update File: f\n*** Move to: h\n@@\n-4\n+5"))
			b.ok("mv", args{"source": "h", "destination": "i"})
			for _, f := range []string{"g", "i"} {
				if got := attrOf(b.path(f), name); got != value {
					t.Errorf("%s has %q", f, got)
				}
				if st, err := os.Stat(b.path(f)); err != nil || st.Mode() != 0o740 {
					t.Errorf("%s has %v, %v", f, st.Mode(), err)
				}
			}
			if p := b.proposed("rm", args{"path": "i"}); !strings.Contains(body(p), "extended attributes or access list would not come back") {
				t.Errorf("%q", body(p))
			}
		})
	}
}

func TestAFolderThatGivesAListDoesNotLendIt(t *testing.T) {
	b := newBench(t)
	b.put("d/f", "1\n")
	must(t, os.Chmod(b.path("d/f"), 0o600))
	give(t, b.path("d"), "system.posix_acl_default", acl())
	b.ok("apply_patch", patchOf("*** Update File: d/f\n@@\n-1\n+2"))
	if got := attrOf(b.path("d/f"), accessList); got != unix.ENODATA.Error() {
		t.Errorf("it has a list now: %q", got)
	}
	if st, err := os.Stat(b.path("d/f")); err != nil || st.Mode() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

func TestAnAttributeThatCannotBeKeptStopsTheChange(t *testing.T) {
	fd, err := unix.MemfdCreate("x", 0)
	must(t, err)
	defer func() { _ = unix.Close(fd) }()
	if err := setAttrs(fd, []attr{{"user.", ""}}); err == nil || !strings.Contains(err.Error(), "its extended attribute user. could not be kept") {
		t.Errorf("%v", err)
	}
	if err := setAttrs(fd, []attr{{accessList, "bad"}}); err == nil || !strings.Contains(err.Error(), "access list (POSIX ACL) could not be kept") {
		t.Errorf("%v", err)
	}
	if err := setAttrs(fd, []attr{{"security.selinux", "bad"}}); err != nil {
		t.Errorf("%v", err)
	}
}
