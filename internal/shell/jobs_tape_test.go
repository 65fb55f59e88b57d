package shell

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestATapeGivesWhatItHasFromMemoryOrDisk(t *testing.T) {
	for _, x := range []struct {
		size int
		dir  string
		disk int64
	}{{100, "", 0}, {100, t.TempDir(), 1 << 20}, {100, t.TempDir(), 150}, {1 << 20, "", 0}} {
		k := &tape{size: x.size, spool: spool{dir: x.dir, from: 10, lines: 1000, disk: x.disk}}
		if x.dir != "" {
			k.keep()
		}
		var all []byte
		for range 200 {
			p := make([]byte, rand.IntN(1+rand.IntN(150)))
			for i := range p {
				p[i] = byte(len(all)*7 + i)
			}
			k.write(p)
			all = append(all, p...)
			total := int64(len(all))
			from, n := rand.Int64N(total+1), 1+rand.Int64N(200)
			kept := func(o int64) bool { return o >= total-int64(x.size) || o < min(x.disk, total) }
			w := k.window(from, n)
			at := from
			for at < total && !kept(at) {
				at++
			}
			if w.From != at || w.Lost != at-from || w.Total != total || !bytes.Equal(w.Data, all[at:at+int64(len(w.Data))]) || len(w.Data) == 0 && at < total {
				t.Fatalf("size %d, disk %d: from %d of %d: at %d, lost %d, %d bytes", x.size, x.disk, from, total, w.From, w.Lost, len(w.Data))
			}
			if w := k.window(-1, n); int64(len(w.Data)) != min(n, total) && x.disk == 1<<20 || w.Total != total || w.From < total-n {
				t.Fatalf("the newest %d of %d: %d from %d", n, total, len(w.Data), w.From)
			}
		}
		if _, _, err := k.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAFileThatIsGoneIsCountedAsLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	k := &tape{size: 10, spool: spool{dir: dir, disk: 1000}}
	k.write([]byte(strings.Repeat("x", 100)))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if w := k.window(20, 50); w.From != 90 || w.Lost != 70 || len(w.Data) != 10 {
		t.Errorf("%+v", w)
	}
	k.close()
}

func TestAWindowIsCutAtLinesAndCharacters(t *testing.T) {
	w := func(data string, from, total int64, ended bool) Window {
		return Window{Data: []byte(data), From: from, Total: total, Ended: ended}
	}
	for name, x := range map[string]struct {
		got  Window
		data string
		from int64
	}{
		"all of it":                       {w("a\nb", 0, 3, true).Head(9), "a\nb", 0},
		"the end of a line near by":       {w("aaa\nbbb\ncc", 0, 10, true).Head(9), "aaa\nbbb\n", 0},
		"the end of a line far back":      {w("a\nbbbbbbbb", 0, 10, true).Head(9), "a\nbbbbbbb", 0},
		"a character":                     {w("aé", 0, 3, true).Head(2), "a", 0},
		"one that is not complete yet":    {w("aaé"[:3], 0, 3, false).Head(9), "aa", 0},
		"one that will never be":          {w("aaé"[:3], 0, 3, true).Head(9), "aaé"[:3], 0},
		"only one, not complete yet":      {w("é"[:1], 5, 6, false).Head(9), "", 5},
		"one that the window cannot hold": {w("é"[:1], 5, 7, false).Head(9), "é"[:1], 5},
		"nothing":                         {w("", 5, 5, false).Head(9), "", 5},
		"the tail":                        {w("a\nb", 0, 3, true).Tail(9), "a\nb", 0},
		"the beginning of a line":         {w("aaa\nbbbbbb", 0, 10, true).Tail(9), "bbbbbb", 4},
		"one far ahead":                   {w("aaaaaaaa\nb", 0, 10, true).Tail(9), "aaaaaaa\nb", 1},
		"a character in the tail":         {w("éa", 0, 3, true).Tail(2), "a", 2},
		"a tail that is not complete":     {w("aaé"[:3], 0, 3, false).Tail(9), "aa", 0},
	} {
		if string(x.got.Data) != x.data || x.got.From != x.from {
			t.Errorf("%s: %q at %d", name, x.got.Data, x.got.From)
		}
	}
	if got := w("\x1b[31mred\x1b[0m\rgo\n", 0, 16, true).Text(); got != "go\n" {
		t.Errorf("%q", got)
	}
	if got := w(strings.Repeat("\x00\xff", 50), 0, 100, true).Text(); got != "[binary data, 100 bytes, not shown]\n" {
		t.Errorf("%q", got)
	}
}

func FuzzWindowsAreTheWholeOutput(f *testing.F) {
	f.Add([]byte("one\ntwo\r\nétrois\xff"), 5)
	f.Add([]byte("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), 4)
	f.Fuzz(func(t *testing.T, all []byte, n int) {
		if n < MinWindow || n > 1<<16 {
			return
		}
		total := int64(len(all))
		var got []byte
		for int64(len(got)) < total {
			from := int64(len(got))
			w := Window{Data: all[from:], From: from, Total: total, Ended: true}.Head(n)
			if len(w.Data) == 0 || len(w.Data) > n {
				t.Fatalf("%d bytes at %d", len(w.Data), from)
			}
			if utf8.Valid(all) && !utf8.Valid(w.Data) {
				t.Fatalf("a character is split at %d: %q", from, w.Data)
			}
			got = append(got, w.Data...)
		}
		if !bytes.Equal(got, all) {
			t.Error("it is another")
		}
		w := Window{Data: all, Total: total, Ended: true}.Tail(n)
		if len(w.Data) > n || w.Next() != total || total > 0 && utf8.Valid(all) && (!utf8.Valid(w.Data) || len(w.Data) == 0) {
			t.Errorf("the tail: %q", w.Data)
		}
	})
}
