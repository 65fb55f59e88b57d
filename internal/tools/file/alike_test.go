//go:build unix

package file

import (
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestNamesThatLookTheSameAreToldApart(t *testing.T) {
	const composed, decomposed = "caf\u00e9.txt", "cafe\u0301.txt"
	b := newBench(t)
	b.put(decomposed, "d\n")
	b.put("Readme.md", "r\n")
	b.refused("rm", args{"path": "README.MD"}, tools.InvalidArguments, "did you mean Readme.md?")
	for name, twin := range map[string]string{composed: decomposed, "readme.md": "Readme.md", "\uff32eadme.md": "Readme.md"} {
		p := b.proposed("write", args{"filePath": name, "content": "new\n"})
		if !strings.Contains(body(p), twin+" is there too") {
			t.Errorf("%q: %q", name, body(p))
		}
	}
	if p := b.proposed("write", args{"filePath": "reedme.md", "content": "new\n"}); strings.Contains(body(p), "is there too") {
		t.Errorf("%q", body(p))
	}
	if p := b.proposed("mv", args{"source": "Readme.md", "destination": "README.md"}); strings.Contains(body(p), "is there too") {
		t.Errorf("%q", body(p))
	}
	b.ok("write", args{"filePath": composed, "content": "c\n"})
	b.holds(decomposed, "d\n")
	b.holds(composed, "c\n")
}

// A model cannot write a name as the file system has it where the letters are
// the same: it is found by its letters, and changed under its own name.
func TestANameIsFoundByItsLetters(t *testing.T) {
	const composed, decomposed = "caf\u00e9.txt", "cafe\u0301.txt"
	b := newBench(t)
	b.put(decomposed, "d\n")
	b.put("Shot 1.04\u202fPM.txt", "s\n")
	b.put("it\u2019s.txt", "i\n")
	for said, is := range map[string]string{composed: decomposed, "Shot 1.04 PM.txt": "Shot 1.04\u202fPM.txt", "it's.txt": "it\u2019s.txt"} {
		b.ok("read", args{"filePath": said})
		b.ok("write", args{"filePath": said, "content": "w\n"})
		b.holds(is, "w\n")
		b.ok("apply_patch", patchOf("*** Update File: "+said+"\n@@\n-w\n+x"))
		b.holds(is, "x\n")
	}
	b.put(composed, "c\n") // from here on both are there
	b.ok("apply_patch", patchOf("*** Update File: "+composed+"\n@@\n-c\n+C"))
	b.holds(composed, "C\n")
	b.holds(decomposed, "x\n")
	b.put("a\u2002b", "1\n")
	b.put("a\u2003b", "2\n")
	b.refused("apply_patch", patchOf("*** Update File: a b\n@@\n-1\n+x"), tools.InvalidArguments, "a b does not exist")
}

func TestABinaryFileIsNotToBeReadFirst(t *testing.T) {
	b := newBench(t)
	b.put("f", "\xff\xfea\x00")
	b.refused("write", args{"filePath": "f", "content": "x\n"}, tools.InvalidArguments, "cannot be read here")
	b.ok("apply_patch", patchOf("*** Delete File: f\n*** Add File: f\n+x"))
	b.holds("f", "x\n")
}
