package file

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

// onePixel is a whole PNG.
const onePixel = "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0d\x49\x44\x41\x54\x78\xda\x63\x64\xf8\xcf\x50\x0f\x00\x03\x86\x01\x80\x5a\x34\x7d\x6b\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82"

func TestAMentionIsReadByTheSameAuthority(t *testing.T) {
	root, other, spool := t.TempDir(), t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(root, "a.txt"): "one\ntwo\nthree\n", filepath.Join(root, "bin"): "a\x00b",
		filepath.Join(root, "pic.png"): onePixel, filepath.Join(other, "out.txt"): "out\n", filepath.Join(spool, "kept.txt"): "kept\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(other, "out.txt"), filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	ws, err := NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	files := New(ws.Readable(spool))
	for _, c := range []struct {
		name     string
		from, to int
		err      string
		fails    bool
		text     string
	}{
		{name: "a.txt", text: "2: two"},
		{name: "./a.txt", from: 2, to: 2, text: "<content>\n2: two\n</content>"},
		{name: "a.txt", from: 3, to: 99, text: "3: three"},
		{name: "a.txt", from: 9, to: 12, fails: true, text: "past the end"},
		{name: "a.txt", from: 3, to: 2, err: "are none"},
		{name: "bin", fails: true, text: "binary file"},
		{name: "pic.png", text: "is shown"},
		{name: ".", text: "a.txt"},
		{name: "none.txt", err: ErrMissing.Error()},
		{name: "link.txt", err: "outside the workspace"},
		{name: "../x", err: "outside the workspace"},
		{name: filepath.Join(other, "out.txt"), err: "outside the workspace"},
		{name: filepath.Join(spool, "kept.txt"), text: "kept"},
		{name: "/proc/self/environ", err: "never read"},
		{name: "a\x00b", err: "NUL"},
		{name: "", err: "empty"},
	} {
		_, o, err := files.Mention(t.Context(), c.name, c.from, c.to)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		if err == nil && ((o.Kind != tools.OK) != c.fails || !strings.Contains(o.Text, c.text)) {
			t.Errorf("%q: %v %q", c.name, o.Kind, o.Text)
		}
	}
	if _, _, err := files.Mention(t.Context(), "none", 0, 0); !errors.Is(err, ErrMissing) {
		t.Errorf("what is missing is told as %v", err)
	}
}
