package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Main(os.Args)
	os.Exit(m.Run())
}

// build returns a document of the given objects, the first of which is the
// catalogue.
func build(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}

func stream(dict, content string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(content), dict, content)
}

// pages returns a document with one page for each content.
func pages(contents ...string) []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	var kids []string
	for _, c := range contents {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", n+1), stream("", c))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " "))
	return build(objects...)
}

func text(lines ...string) string {
	s := "BT /F1 12 Tf 72 720 Td"
	for _, l := range lines {
		s += fmt.Sprintf(" (%s) Tj 0 -14 Td", l)
	}
	return s + " ET"
}

func TestTextComesPageByPageInLines(t *testing.T) {
	doc := pages(text("Hello world", "second line"), text("page two"), "q Q")
	d, err := read(doc, Query{MaxChars: 1000})
	if err != nil || d.Count != 3 || len(d.Pages) != 3 || d.More {
		t.Fatalf("%+v, %v", d, err)
	}
	for i, want := range []string{"Hello world\nsecond line", "page two", ""} {
		if p := d.Pages[i]; p.Text != want || p.Number != i+1 || p.Failed != "" {
			t.Errorf("page %d: %+v, want %q", i+1, p, want)
		}
	}
	if d, err = read(doc, Query{Pages: []int{2}, MaxChars: 1000}); err != nil || len(d.Pages) != 1 || d.Pages[0].Text != "page two" {
		t.Errorf("one page: %+v, %v", d, err)
	}
	if d, err = read(doc, Query{}); err != nil || d.Count != 3 || d.Pages != nil {
		t.Errorf("the count: %+v, %v", d, err)
	}
	if _, err = read(doc, Query{Pages: []int{4}, MaxChars: 9}); err == nil || !strings.Contains(err.Error(), "no page 4") {
		t.Errorf("a page that is not there: %v", err)
	}
}

func TestWholePagesAreShownAsFarAsTheyFit(t *testing.T) {
	doc := pages(text("0123456789"), text("0123456789"), text("x"))
	d, err := read(doc, Query{MaxChars: 15})
	if err != nil || len(d.Pages) != 1 || !d.More || d.Pages[0].Cut {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = read(doc, Query{MaxChars: 4})
	if err != nil || len(d.Pages) != 1 || d.Pages[0].Text != "0123" || !d.Pages[0].Cut {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestDamagedDocumentsAreErrors(t *testing.T) {
	doc := pages(text("Hello"))
	for n := range doc {
		if _, err := read(doc[:n], Query{MaxChars: 100}); err == nil && n < len(doc)-8 {
			t.Errorf("the first %d bytes of %d are taken for a document", n, len(doc))
		}
	}
	d, err := read(pages("BT (x) (y) Tj 1 Tf ET", text("fine")), Query{MaxChars: 100})
	if err != nil || len(d.Pages) != 2 || d.Pages[1].Text != "fine" {
		t.Errorf("a damaged page takes the others with it: %+v, %v", d, err)
	}
}

// child starts this test as the process that reads.
func child(t *testing.T) func() (*Process, error) {
	return func() (*Process, error) {
		inR, inW, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		outR, outW, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(os.Args[0], Args()...)
		cmd.Stdin, cmd.Stdout = inR, outW
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		inR.Close()
		outW.Close()
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := cmd.Wait(); err != nil {
				t.Log(err)
			}
		}()
		return &Process{In: inW, Out: outR, Stop: func() error {
			select {
			case <-done:
			case <-time.After(0):
				_ = cmd.Process.Kill()
			}
			<-done
			return nil
		}}, nil
	}
}

func TestAnotherProcessReads(t *testing.T) {
	d, err := Ask(t.Context(), child(t), pages(text("Hello"), text("you")), Query{MaxChars: 100})
	if err != nil || d.Count != 2 || len(d.Pages) != 2 || d.Pages[1].Text != "you" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err = Ask(t.Context(), child(t), []byte("%PDF-1.4 no"), Query{}); err == nil || errors.Is(err, ErrGaveUp) {
		t.Errorf("a damaged document: %v", err)
	}
}

// endless has a tree of pages that leads back to itself.
func endless() []byte {
	return build("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 9 /Kids [2 0 R] >>")
}

func TestADocumentWithoutEndIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := Ask(ctx, child(t), endless(), Query{MaxChars: 100}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := Ask(ctx, child(t), endless(), Query{MaxChars: 100}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestADocumentThatTakesAllMemoryIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	// Every flushed piece but the first is packed into the same bytes.
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	piece := func(text []byte) string {
		t.Helper()
		packed.Reset()
		if _, err := z.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil {
			t.Fatal(err)
		}
		return packed.String()
	}
	chunk := bytes.Repeat([]byte("a"), 1<<20)
	content := piece([]byte("BT (")) + piece(chunk) + strings.Repeat(piece(chunk), 2<<10)
	doc := build("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>", stream("/Filter /FlateDecode", content))
	if _, err := Ask(t.Context(), child(t), doc, Query{MaxChars: 100}); !errors.Is(err, ErrGaveUp) {
		t.Errorf("%v", err)
	}
}

func TestAQueryIsOneLineBeforeTheDocument(t *testing.T) {
	for _, in := range []string{"", "{", "{}", "[]\n", "{\"pages\":\"x\"}\n"} {
		if err := serve(strings.NewReader(in), io.Discard); err == nil {
			t.Errorf("%q is taken for a query", in)
		}
	}
	var out bytes.Buffer
	if err := serve(io.MultiReader(strings.NewReader("{}\n"), bytes.NewReader(pages("q Q"))), &out); err != nil || !slices.Equal(out.Bytes(), []byte(`{"count":1}`)) {
		t.Errorf("%s, %v", out.String(), err)
	}
}
