package llm

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readAll(t *testing.T, r io.Reader) (names, data []string) {
	t.Helper()
	events := newEvents(r)
	for {
		ev, err := events.Next()
		if errors.Is(err, io.EOF) {
			return names, data
		}
		if err != nil {
			t.Fatal(err)
		}
		names, data = append(names, ev.Name), append(data, string(ev.Data))
	}
}

// TestEveryDialectReadsAlike is C095.
func TestEveryDialectReadsAlike(t *testing.T) {
	for name, stream := range map[string]string{
		"plain":                "data: a\n\ndata: b\n\n",
		"CR LF":                "data: a\r\n\r\ndata: b\r\n\r\n",
		"CR":                   "data: a\r\rdata: b\r\r",
		"no space":             "data:a\n\ndata:b\n\n",
		"comments":             ": hi\n\ndata: a\n: ping\n\n:\n\ndata: b\n\n: bye\n\n",
		"other fields":         "id: 1\nretry: 10\nfoo: bar\ndata: a\n\nid: 2\ndata: b\n\n",
		"byte order mark":      "\ufeffdata: a\n\ndata: b\n\n",
		"no last blank line":   "data: a\n\ndata: b\n",
		"no last line end":     "data: a\n\ndata: b",
		"space behind":         "data: a \n\ndata: b\t\n\n",
		"blank lines first":    "\n\n\ndata: a\n\ndata: b\n\n",
		"empty data between":   "data: a\n\ndata:\n\ndata: b\n\n",
		"event without a data": "event: x\n\ndata: a\n\ndata: b\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream))} {
				names, data := readAll(t, r)
				if !slices.Equal(data, []string{"a", "b"}) {
					t.Errorf("read %q", data)
				}
				if !slices.Equal(names, []string{"", ""}) {
					t.Errorf("names %q", names)
				}
			}
		})
	}
}

func TestDataLinesAreJoinedAndNamesKept(t *testing.T) {
	names, data := readAll(t, strings.NewReader("event: one\ndata: a\ndata: b\n\ndata: c\n\n"))
	if !slices.Equal(data, []string{"a\nb", "c"}) || !slices.Equal(names, []string{"one", ""}) {
		t.Errorf("read %q named %q", data, names)
	}
}

func TestAReaderDoesNotWaitForTheLineFeedAfterACarriageReturn(t *testing.T) {
	r, w := io.Pipe()
	defer func() { _ = r.Close() }()
	go func() { _, _ = w.Write([]byte("data: a\r\r")) }()
	ev, err := newEvents(r).Next()
	if err != nil || string(ev.Data) != "a" {
		t.Errorf("read %q, %v", ev.Data, err)
	}
}

// TestLongLinesArriveWholeAndEndlessOnesFail is C097.
func TestLongLinesArriveWholeAndEndlessOnesFail(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	_, data := readAll(t, strings.NewReader("data: "+long+"\n\n"))
	if len(data) != 1 || data[0] != long {
		t.Error("a line of 3 MiB did not arrive whole")
	}
	_, err := newEvents(endless{}).Next()
	if !errors.Is(err, errTooLarge) {
		t.Errorf("an endless line gave %v", err)
	}
	_, err = newEvents(io.MultiReader(strings.NewReader("data: "), &endlessLines{})).Next()
	if !errors.Is(err, errTooLarge) {
		t.Errorf("an endless event gave %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type endlessLines struct{}

func (endlessLines) Read(p []byte) (int, error) {
	n := copy(p, "\ndata:")
	for ; n < len(p); n++ {
		p[n] = 'x'
	}
	return n, nil
}

func TestAReadErrorIsNotTheEndOfTheStream(t *testing.T) {
	broken := errors.New("reset")
	_, err := newEvents(io.MultiReader(strings.NewReader("data: a"), iotest.ErrReader(broken))).Next()
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("\ufeffevent: x\r\ndata:{}\r\n\r\n: c\n\ndata: [DONE] "))
	f.Add([]byte("data: a\rdata: b\r\r\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		events := newEvents(strings.NewReader(string(stream)))
		slow := newEvents(iotest.OneByteReader(strings.NewReader(string(stream))))
		for {
			a, errA := events.Next()
			b, errB := slow.Next()
			if (errA == nil) != (errB == nil) || string(a.Data) != string(b.Data) || a.Name != b.Name {
				t.Fatalf("reading by bytes differs: %q %v, %q %v", a.Data, errA, b.Data, errB)
			}
			if errA != nil {
				return
			}
			if len(a.Data) == 0 {
				t.Fatal("an event without data")
			}
		}
	})
}
