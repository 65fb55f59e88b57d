package file

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/pdf"
	"github.com/zuno-dev/zuno/internal/tools"
)

// fakePDF reads documents whose second word says what comes of them.
func fakePDF(ctx context.Context, data []byte, q pdf.Query) (pdf.Document, error) {
	if ctx.Err() != nil {
		return pdf.Document{}, ctx.Err()
	}
	d := pdf.Document{Count: 3}
	switch s := string(data); {
	case strings.Contains(s, "slow"):
		return d, context.DeadlineExceeded
	case strings.Contains(s, "locked"):
		return d, errors.New("the document needs a password\x1b")
	case q.MaxChars == 0:
	case strings.Contains(s, "long"):
		d.Pages, d.More = []pdf.Page{{Number: 1, Text: "one\x1b"}, {Number: 2, Failed: "bad\nfont"}}, true
	default:
		d.Pages = []pdf.Page{{Number: 2, Text: "two", Cut: true}, {Number: 3}}
	}
	return d, nil
}

func TestPDFTextSaysWhatItIsAndHowToGoOn(t *testing.T) {
	b := newBench(t)
	b.put("a.pdf", "%PDF-1.4 plain")
	b.put("long.pdf", "%PDF-1.4 long")
	for _, c := range []struct {
		path, want string
		cut        bool
	}{
		{"a.pdf", "<path>a.pdf</path>\n<type>pdf, 3 pages</type>\n--- page 2 ---\ntwo\n(this page has more text: raise maxChars)\n--- page 3 ---\n(no text: it may be a picture)\n(end)", true},
		{"long.pdf", "<path>long.pdf</path>\n<type>pdf, 3 pages</type>\n--- page 1 ---\none\\x1b\n--- page 2 ---\n(this page could not be read: bad\\nfont)\n" +
			"(not all that was asked for fits: page 2 was the last; ask for the pages after it)", true},
	} {
		if out := b.ok("read_pdf", args{"path": c.path}); out.Text != c.want || out.Truncated != c.cut {
			t.Errorf("%s: %v %q", c.path, out.Truncated, out.Text)
		}
	}
	if out := b.ok("pdf_page_count", args{"path": "a.pdf"}); out.Text != "a.pdf has 3 pages" {
		t.Errorf("%q", out.Text)
	}
}

func TestPDFObeysTheRulesOfReading(t *testing.T) {
	b := newBench(t)
	b.put("slow.pdf", "%PDF-1.4 slow")
	b.put("locked.pdf", "%PDF-1.4 locked")
	b.put("text.pdf", "text")
	for path, want := range map[string]string{
		"slow.pdf": "too much time or memory", "locked.pdf": `needs a password\x1b`, "text.pdf": "not a PDF document", "no.pdf": "does not exist", ".": "a directory",
	} {
		p := b.proposed("read_pdf", args{"path": path})
		if out := p.Execute(t.Context(), tools.Decision{Allowed: true}, nil); out.Kind != tools.Error || !strings.Contains(out.Text, want) {
			t.Errorf("%s: %v %q", path, out.Kind, out.Text)
		}
	}
	if p := b.proposed("pdf_page_count", args{"path": os.DevNull}); p.Manual == "" {
		t.Error("what lies outside does not ask")
	}
	for _, a := range []args{{"path": "a.pdf", "pages": []int{0}}, {"path": "a.pdf", "maxChars": 512001}, {"path": "a.pdf", "maxChars": -1}, {"path": "a.pdf", "pages": make([]int, 201)}, {"path": ""}} {
		if _, err := b.propose("read_pdf", a); tools.OutcomeOf(err).Block != tools.InvalidArguments {
			t.Errorf("%v: %v", a, err)
		}
	}
}
