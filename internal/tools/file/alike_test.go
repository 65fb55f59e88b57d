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
	b.refused("apply_patch", patchOf("*** Update File: "+composed+"\n@@\n-d\n+x"), tools.InvalidArguments, composed+" does not exist; did you mean "+decomposed)
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
