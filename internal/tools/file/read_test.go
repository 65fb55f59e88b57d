//go:build unix

package file

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
)

func TestReadShowsAFileInPages(t *testing.T) {
	b := newBench(t)
	b.put("f.txt", "one\r\ntwo\rthree\nfour")
	got := b.ok("read", args{"filePath": "f.txt"}).Text
	want := "<path>f.txt</path>\n<type>file</type>\n<content>\n1: one\n2: two\n3: three\n4: four\n</content>\n(end of file, 4 lines, no newline at the end)"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, c := range []struct {
		args  args
		lines string
		last  string
		cut   bool
	}{
		{args{"filePath": "f.txt", "offset": 2, "limit": 2}, "2: two\n3: three\n", "lines 2 to 3 of 4; go on with offset=4", true},
		{args{"filePath": "f.txt", "offset": 4}, "4: four\n", "end of file, 4 lines, no newline at the end", false},
		{args{"filePath": "f.txt", "offset": 0, "limit": 0}, "1: one\n2: two\n3: three\n4: four\n", "end of file, 4 lines, no newline at the end", false},
	} {
		out := b.ok("read", c.args)
		if !strings.HasSuffix(out.Text, "<content>\n"+c.lines+"</content>\n("+c.last+")") || out.Truncated != c.cut {
			t.Errorf("%v: %v %q", c.args, out.Truncated, out.Text)
		}
	}
	out := b.call("read", args{"filePath": "f.txt", "offset": 9})
	if out.Block != tools.InvalidArguments || out.Text != "offset 9 is past the end: f.txt has 4 lines" {
		t.Errorf("%v %q", out.Block, out.Text)
	}
	b.refused("read", args{"filePath": "f.txt", "offset": -1}, tools.InvalidArguments, "count from 1")
	b.put("empty", "")
	if out := b.ok("read", args{"filePath": "empty"}); !strings.HasSuffix(out.Text, "<content>\n</content>\n(the file is empty)") {
		t.Errorf("%q", out.Text)
	}
	b.put("nl", "\n")
	if out := b.ok("read", args{"filePath": "nl"}); !strings.HasSuffix(out.Text, "1: \n</content>\n(end of file, 1 lines)") {
		t.Errorf("%q", out.Text)
	}
}

func TestReadStaysWithinWhatAModelSees(t *testing.T) {
	b := newBench(t)
	limit := tools.DefaultTextLimit()
	b.put("many", strings.Repeat("x\n", 5000))
	b.put("wide", strings.Repeat(strings.Repeat("é", 700)+"\n", 500))
	for name, want := range map[string]string{"many": "lines 1 to 1995 of 5000; go on with offset=1996)", "wide": "lines 1 to 36 of 500; go on with offset=37)"} {
		out := b.ok("read", args{"filePath": name})
		if _, cut := limit.Bound(out.Text, ""); cut || !strings.HasSuffix(out.Text, want) {
			t.Errorf("%s: cut %v, %q", name, cut, out.Text[len(out.Text)-80:])
		}
	}
	b.put("long", "a\n"+strings.Repeat("é", 2001)+"\n"+strings.Repeat("b", 2000)+"\n")
	out := b.ok("read", args{"filePath": "long"})
	if !strings.Contains(out.Text, "\n2: "+strings.Repeat("é", 2000)+"… [line cut, 2 more bytes]\n3: "+strings.Repeat("b", 2000)+"\n") {
		t.Errorf("%q", out.Text)
	}
}

func TestReadShowsWhatIsNotUTF8AndSaysSo(t *testing.T) {
	b := newBench(t)
	b.put("latin1", "caf\xe9 \xff\xfe\nplain\n")
	out := b.ok("read", args{"filePath": "latin1"})
	if !strings.Contains(out.Text, "1: caf\ufffd \ufffd\ufffd\n") || !strings.HasSuffix(out.Text, "; bytes that are not UTF-8 are shown as \ufffd)") {
		t.Errorf("%q", out.Text)
	}
	b.ok("apply_patch", patchOf("*** Update File: latin1\n@@\n caf\ufffd \ufffd\ufffd\n-plain\n+changed"))
	b.holds("latin1", "caf\xe9 \xff\xfe\nchanged\n")
}

func TestReadListsAFolder(t *testing.T) {
	b := newBench(t)
	b.put("b.txt", "")
	b.put("sub/x", "")
	b.put("a\nb", "")
	must(t, os.Symlink("sub", b.path("link")))
	got := b.ok("read", args{"filePath": "."}).Text
	want := "<path>.</path>\n<type>directory</type>\n<content>\na\\nb\nb.txt\nlink -> sub\nsub/\n</content>\n(end of directory, 4 entries)"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	out := b.ok("read", args{"filePath": ".", "offset": 2, "limit": 2})
	if !strings.HasSuffix(out.Text, "<content>\nb.txt\nlink -> sub\n</content>\n(entries 2 to 3 of 4; go on with offset=4)") || !out.Truncated {
		t.Errorf("%q", out.Text)
	}
	if out := b.call("read", args{"filePath": ".", "offset": 5}); out.Text != "offset 5 is past the end: . has 4 entries" {
		t.Errorf("%q", out.Text)
	}
	if out := b.ok("read", args{"filePath": "/"}); !strings.Contains(out.Text, "tmp/\n") {
		t.Errorf("the root folder: %q", out.Text)
	}
}

func TestReadTellsWhatIsThereInstead(t *testing.T) {
	b := newBench(t)
	b.put("sub/Reader.go", "")
	if out := b.call("read", args{"filePath": "sub/reader_test.go"}); out.Kind != tools.Error || out.Text != "read sub/reader_test.go: it does not exist; did you mean sub/Reader.go?" {
		t.Errorf("%v %q", out.Kind, out.Text)
	}
	for name, c := range map[string]struct{ content, says string }{
		"doc.pdf": {"%PDF-1.7\n", "a PDF document of 9 bytes"},
		"nul":     {"abc\x00def", "a binary file of 7 bytes"},
		"noise":   {strings.Repeat("ab\x01\x02\x03\x9f", 100), "a binary file of 600 bytes"},
		"utf16":   {"\xff\xfea\x00b\x00", "text in UTF-16, of 6 bytes; to work on it, convert it"},
		"bare16":  {"h\x00e\x00l\x00l\x00o\x00\n\x00", "text in UTF-16 (without a byte order mark), of 12 bytes"},
		"utf32":   {"\xff\xfe\x00\x00a\x00\x00\x00", "text in UTF-32"},
		"gbk":     {strings.Repeat("\xd6\xd0\xce\xc4", 50), "text in another encoding than UTF-8, of 200 bytes"},
		"cut.png": {onePixel[:40], "it begins like a picture (image/png), but it is cut off"},
		"too.png": {"\x89PNG\r\n\x1a\n" + strings.Repeat("x", maxImage), "more than 3932160 bytes"},
	} {
		b.put(name, c.content)
		if out := b.call("read", args{"filePath": name}); out.Kind != tools.Error || !strings.Contains(out.Text, c.says) {
			t.Errorf("%s: %v %q, want %q", name, out.Kind, out.Text, c.says)
		}
	}
}

func TestReadShowsPictures(t *testing.T) {
	gif, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	must(t, err)
	b := newBench(t)
	for mime, content := range map[string]string{
		"image/gif": string(gif), "image/png": onePixel, "image/jpeg": "\xff\xd8\xff\xda\x00\x02x\xff\xd9", "image/webp": "RIFF\x0c\x00\x00\x00WEBPVP8Lxxxx",
	} {
		b.put("pic.txt", content) // the name does not matter
		out := b.ok("read", args{"filePath": "pic.txt"})
		if len(out.Images) != 1 || out.Images[0].MIME != mime || string(out.Images[0].Data) != content {
			t.Errorf("%s: %+v", mime, out)
		}
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestC020HugeFilesAreNotLoaded(t *testing.T) {
	b := newBench(t)
	b.put("zeros", "first\n")
	must(t, os.Truncate(b.path("zeros"), 3<<30))
	b.put("big", "first\n"+strings.Repeat("0123456789abcdef\n", 1000))
	must(t, os.Truncate(b.path("big"), 3<<30))
	b.put("min.js", strings.Repeat("0123456789abcde€", 30<<20/18))
	for _, c := range []struct {
		args args
		says string
	}{
		{args{"filePath": "zeros", "limit": 1}, "a binary file of 3221225472 bytes"},
		{args{"filePath": "big", "limit": 1}, "\n1: first\n</content>\n(lines 1 to 1 of a file of 3221225472 bytes; go on with offset=2)"},
		{args{"filePath": "big", "offset": 990, "limit": 2}, "\n990: 0123456789abcdef\n991: 0123456789abcdef\n</content>"},
		{args{"filePath": "big", "offset": 5000}, "line 5000 is more than 268435456 bytes into a file of 3221225472 bytes"},
		{args{"filePath": "min.js"}, "… [line cut, 31455"},
	} {
		var out tools.Outcome
		if n := allocated(func() { out = b.call("read", c.args) }); n > 8<<20 {
			t.Errorf("%v allocated %d bytes", c.args, n)
		}
		if !strings.Contains(out.Text, c.says) {
			t.Errorf("%v: %v …%q", c.args, out.Kind, out.Text[max(0, len(out.Text)-200):])
		}
	}
	b.refused("apply_patch", patchOf("*** Update File: big\n@@\n-first\n+second"), tools.InvalidArguments, "it is too big to change here")
	b.refused("write", args{"filePath": "big", "content": ""}, tools.InvalidArguments, "it is too big to change here")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := b.proposed("read", args{"filePath": "big", "offset": 5000})
	if out := p.Execute(ctx, tools.Decision{Allowed: true}, nil); out.Kind != tools.Cancelled {
		t.Errorf("cancelled: %v %q", out.Kind, out.Text)
	}
}

func TestC020PipesAndDevicesAreRefused(t *testing.T) {
	b := newBench(t)
	must(t, syscall.Mkfifo(b.path("p"), 0o666))
	must(t, os.Symlink("/dev/zero", b.path("z")))
	b.put("f", "x\n")
	for name, says := range map[string]string{"p": "it is a named pipe", "z": "it is a device"} {
		if out := b.call("read", args{"filePath": name}); out.Kind != tools.Error || !strings.Contains(out.Text, says) {
			t.Errorf("read %s: %v %q", name, out.Kind, out.Text)
		}
		b.refused("edit", args{"filePath": name, "oldString": "a", "newString": "b"}, tools.InvalidArguments, says)
		b.refused("write", args{"filePath": name, "content": "b"}, tools.InvalidArguments, says)
		b.refused("apply_patch", patchOf("*** Delete File: "+name), tools.InvalidArguments, says)
	}
	p := b.proposed("read", args{"filePath": "f"})
	must(t, os.Remove(b.path("f")))
	must(t, syscall.Mkfifo(b.path("f"), 0o666))
	if out := run(p); out.Kind != tools.Error || !strings.Contains(out.Text, "it is a named pipe") {
		t.Errorf("a pipe put there after the proposal: %v %q", out.Kind, out.Text)
	}
}

func TestSecretsOfProcessesAreNeverRead(t *testing.T) {
	b := newBench(t)
	must(t, os.Symlink("/proc/self/environ", b.path("env")))
	pid := fmt.Sprint(os.Getpid())
	for _, name := range []string{"/proc/self/environ", "/proc/" + pid + "/environ", "/proc/self/mem", "/proc/self/task/" + pid + "/environ", "/proc/kcore", "env", "/proc/self/root/proc/self/environ"} {
		if _, err := os.Stat("/proc/self"); err == nil {
			b.refused("read", args{"filePath": name}, tools.Denied, "never read")
		}
	}
	if secret(filepath.Join(b.root, "environ")) {
		t.Error("a file that is only called environ")
	}
}
