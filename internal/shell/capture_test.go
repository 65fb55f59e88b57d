//go:build unix

package shell

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAStreamKeepsHeadAndTail(t *testing.T) {
	for _, total := range []int{0, 1, 99, 100, 101, 150, 199, 200, 201, 250, 299, 300, 301, 1000, 1234} {
		s := stream{half: 100}
		var all []byte
		for len(all) < total {
			buf := s.room()
			n := min(1+rand.IntN(len(buf)), total-len(all))
			for i := range n {
				buf[i] = byte(len(all)*7 + i)
			}
			all = append(all, buf[:n]...)
			s.took(n)
		}
		o := s.output()
		head, tail := all[:min(100, total)], all[max(min(100, total), total-100):]
		if !bytes.Equal(o.Head, head) || !bytes.Equal(o.Tail, tail) || o.Total != int64(total) || o.Cut() != int64(total-len(head)-len(tail)) {
			t.Errorf("%d: %d + %d of %d, cut %d", total, len(o.Head), len(o.Tail), o.Total, o.Cut())
		}
	}
}

func TestAFloodIsCutAndSpooled(t *testing.T) {
	c := testCmd(t, "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last; echo error >&2")
	c.Spool = filepath.Join(t.TempDir(), "spool")
	c.Limits.Disk = 2_000_000
	res := Run(t.Context(), c)
	want := int64(len("first\n") + 3_000_000 + len("\nlast\n"))
	if res.Stdout.Total != want || len(res.Stdout.Head)+len(res.Stdout.Tail) != 256<<10 {
		t.Errorf("%d bytes, kept %d + %d", res.Stdout.Total, len(res.Stdout.Head), len(res.Stdout.Tail))
	}
	if res.SpoolSize != 2_000_000 || res.Err != nil {
		t.Errorf("spooled %d, %v", res.SpoolSize, res.Err)
	}
	fi, err := os.Stat(res.SpoolPath)
	if err != nil || fi.Mode() != 0o600 || fi.Size() != res.SpoolSize {
		t.Errorf("%v, %v", fi, err)
	}
	text, cut := res.Text(1000, 100)
	if !cut || !strings.HasPrefix(text, "first\nxxx") || !strings.Contains(text, "\nlast\n") || !strings.HasSuffix(text, "stderr:\nerror\n") {
		t.Errorf("%v %q", cut, text)
	}
	for _, part := range []string{"3000012 bytes", res.SpoolPath, "the first 2000000 bytes"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not told", part)
		}
	}
}

func TestLittleOutputMakesNoFile(t *testing.T) {
	c := testCmd(t, "seq 100")
	c.Spool = filepath.Join(t.TempDir(), "spool")
	if res := Run(t.Context(), c); res.SpoolPath != "" || res.Stdout.Cut() != 0 {
		t.Errorf("%+v", res)
	}
	if _, err := os.Stat(c.Spool); err == nil {
		t.Error("a directory was made")
	}
}

func TestManyShortLinesAreSpooled(t *testing.T) {
	c := testCmd(t, "echo error >&2; sleep 0.05; yes '' | head -n 500; :")
	c.Spool = t.TempDir()
	c.Limits.SpoolLines = 200
	res := Run(t.Context(), c)
	b, err := os.ReadFile(res.SpoolPath)
	if err != nil || string(b) != "error\n"+strings.Repeat("\n", 500) {
		t.Errorf("%q, %v", b, err)
	}
}

func TestASpoolThatCannotBeWrittenIsSaid(t *testing.T) {
	c := testCmd(t, "seq 100000")
	c.Spool = filepath.Join(c.Dir, "file", "below")
	if err := os.WriteFile(filepath.Join(c.Dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	res := Run(t.Context(), c)
	if res.Exit != 0 || res.Err == nil || res.SpoolPath != "" {
		t.Errorf("%+v", res.Err)
	}
	if text, _ := res.Text(1000, 100); !strings.Contains(text, "was not kept") {
		t.Errorf("%q", text)
	}
}

func TestANeverEndingFloodIsBounded(t *testing.T) {
	for _, line := range []string{"yes", "yes 1>&2", "cat /dev/urandom"} {
		c := testCmd(t, line)
		ctx, cancel := context.WithCancel(t.Context())
		c.Report = func(_ string, n int64) {
			if n > 1<<20 {
				cancel()
			}
		}
		res := Run(ctx, c)
		cancel()
		if !res.Killed || res.Stdout.Total+res.Stderr.Total < 1<<20 {
			t.Errorf("%s: %v, %d bytes", line, res.Status(), res.Stdout.Total+res.Stderr.Total)
		}
		if n := len(res.Stdout.Head) + len(res.Stdout.Tail); n > 256<<10 {
			t.Errorf("%s: kept %d", line, n)
		}
		if text, cut := res.Text(51200, 2000); !cut || len(text) > 52200 {
			t.Errorf("%s: %d bytes of text, cut %v", line, len(text), cut)
		}
	}
}

func BenchmarkFlood200MB(b *testing.B) {
	for _, spool := range []bool{false, true} {
		b.Run(fmt.Sprint("spool=", spool), func(b *testing.B) {
			c := testCmd(b, "")
			c.Argv = []string{"/usr/bin/head", "-c", "200000000", "/dev/zero"}
			if spool {
				c.Spool = b.TempDir()
			}
			b.SetBytes(200_000_000)
			for b.Loop() {
				if res := Run(b.Context(), c); res.Stdout.Total != 200_000_000 {
					b.Fatal(res.Err)
				}
			}
		})
	}
}

func BenchmarkSpawn(b *testing.B) {
	c := testCmd(b, "")
	c.Argv = []string{"/bin/true"}
	b.Run("true", func(b *testing.B) {
		for b.Loop() {
			Run(b.Context(), c)
		}
	})
	c = testCmd(b, "true")
	b.Run("shell", func(b *testing.B) {
		for b.Loop() {
			Run(b.Context(), c)
		}
	})
}

func BenchmarkCancel(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		ctx, cancel := context.WithCancel(b.Context())
		c := testCmd(b, "echo up; sleep 300; :")
		c.Report = func(string, int64) { b.StartTimer(); cancel() }
		if res := Run(ctx, c); !res.Killed {
			b.Fatal(res.Status())
		}
	}
}

func BenchmarkProcessTable(b *testing.B) {
	for b.Loop() {
		processTable()
	}
}
