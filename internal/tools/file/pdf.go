package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/pdf"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A PDFReader reads a document, data, and ends when ctx does.
type PDFReader func(ctx context.Context, data []byte, q pdf.Query) (pdf.Document, error)

// PDF returns read_pdf and pdf_page_count, which obey the same rules of reading
// as read.
func (t *Tools) PDF(reader PDFReader) []tools.Tool {
	return []tools.Tool{t.files.readPDF(reader), t.files.countPDF(reader)}
}

// The bounds of the text of one call, in characters. What is not asked for
// otherwise fits into one result.
const (
	pdfChars     = 45_000
	mostPDFChars = 512_000
	mostPDFPages = 200
)

// pdfTime bounds how long a document may take.
const pdfTime = time.Minute

type readPDFArgs struct {
	Path     string `json:"path" doc:"Path of the PDF file, absolute or relative to the workspace"`
	Pages    []int  `json:"pages,omitempty" doc:"Pages to read, counted from 1; all of them when absent"`
	MaxChars int    `json:"maxChars,omitempty" doc:"Most characters of text, 1 to 512000; 45000 when absent, which one result can show"`
}

type countPDFArgs struct {
	Path string `json:"path" doc:"Path of the PDF file, absolute or relative to the workspace"`
}

func readsPDF(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description, Timeout: pdfTime,
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
}

func (f *files) readPDF(reader PDFReader) tools.Tool {
	spec := readsPDF("read_pdf", "Read the text of a PDF file, page by page. Scanned pages have no text. Whole pages are shown as far as they fit; the last line says how to go on.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a readPDFArgs) (*tools.Proposal, error) {
		switch {
		case a.MaxChars < 0 || a.MaxChars > mostPDFChars:
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: maxChars must be 1 to %d", mostPDFChars)
		case len(a.Pages) > mostPDFPages:
			return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: read at most %d pages at once", mostPDFPages)
		}
		for _, n := range a.Pages {
			if n < 1 {
				return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: pages count from 1, there is no page %d", n)
			}
		}
		q := pdf.Query{Pages: a.Pages, MaxChars: a.MaxChars}
		if q.MaxChars == 0 {
			q.MaxChars = pdfChars
		}
		p, err := f.proposePDF(reader, a.Path, q)
		if err == nil && len(a.Pages) > 0 {
			p.Summary += ", pages " + tools.Clip(numbers(a.Pages), 60)
		}
		return about(a.Path, p, err)
	})
}

func (f *files) countPDF(reader PDFReader) tools.Tool {
	spec := readsPDF("pdf_page_count", "Say how many pages a PDF file has.")
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a countPDFArgs) (*tools.Proposal, error) {
		p, err := f.proposePDF(reader, a.Path, pdf.Query{})
		return about(a.Path, p, err)
	})
}

func (f *files) proposePDF(reader PDFReader, name string, q pdf.Query) (*tools.Proposal, error) {
	place, err := f.ws.Resolve(name)
	if err != nil {
		return nil, tools.Refuse(tools.InvalidArguments, "read %v", err)
	}
	if secret(place.Real) {
		return nil, tools.Refuse(tools.Denied, "read %s: it shows the environment or the memory of a process, which is never read", place.Name)
	}
	p := &tools.Proposal{Summary: tools.CleanLine(place.Name), Subjects: subjects(place)}
	if !f.ws.reads(place) {
		p.Manual = outside(place)
	}
	p.Do = func(ctx context.Context, _ string, _ func(tools.Progress)) tools.Outcome {
		data, out := pdfData(place)
		if out != nil {
			return *out
		}
		d, err := reader(ctx, data, q)
		switch {
		case errors.Is(err, context.Canceled):
			return tools.Outcome{Kind: tools.Cancelled, Text: "stopped while " + place.Name + " was read"}
		case errors.Is(err, context.DeadlineExceeded):
			return failed("read %s: %v", place.Name, pdf.ErrGaveUp)
		case err != nil:
			return failed("read %s: %s", place.Name, tools.CleanLine(tools.Clip(err.Error(), 300)))
		case q.MaxChars == 0:
			return tools.Outcome{Kind: tools.OK, Text: fmt.Sprintf("%s has %d %s", place.Name, d.Count, word(d.Count == 1, "page", "pages"))}
		}
		return pdfText(place, d)
	}
	return p, nil
}

// pdfData reads a document, or says why that cannot be done.
func pdfData(place Place) ([]byte, *tools.Outcome) {
	no := func(format string, a ...any) ([]byte, *tools.Outcome) {
		o := failed("read %s: "+format, append([]any{place.Name}, a...)...)
		return nil, &o
	}
	r, err := openFile(place.Real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return no("it does not exist%s", similarNames(place))
	case err != nil:
		return no("%s", explain(err))
	}
	defer r.close()
	data, err := io.ReadAll(io.LimitReader(r, pdf.MaxBytes+1))
	switch {
	case err != nil:
		return no("%s", explain(err))
	case len(data) > pdf.MaxBytes:
		return no("the document has more than %d MiB", pdf.MaxBytes>>20)
	case !strings.Contains(string(data[:min(len(data), 1024)]), "%PDF-"):
		return no("it is not a PDF document")
	}
	return data, nil
}

// pdfText shows the pages and says how to go on.
func pdfText(place Place, d pdf.Document) tools.Outcome {
	var b strings.Builder
	fmt.Fprintf(&b, "<path>%s</path>\n<type>pdf, %d %s</type>\n", tools.CleanLine(place.Name), d.Count, word(d.Count == 1, "page", "pages"))
	cut := d.More
	for _, p := range d.Pages {
		fmt.Fprintf(&b, "--- page %d ---\n", p.Number)
		switch {
		case p.Failed != "":
			fmt.Fprintf(&b, "(this page could not be read: %s)\n", tools.CleanLine(tools.Clip(p.Failed, 200)))
		case strings.TrimSpace(p.Text) == "":
			b.WriteString("(no text: it may be a picture)\n")
		default:
			b.WriteString(tools.Clean(p.Text) + "\n")
		}
		if p.Cut {
			b.WriteString("(this page has more text: raise maxChars)\n")
			cut = true
		}
	}
	switch last := 0; {
	case d.More:
		if n := len(d.Pages); n > 0 {
			last = d.Pages[n-1].Number
		}
		fmt.Fprintf(&b, "(not all that was asked for fits: page %d was the last; ask for the pages after it)", last)
	default:
		b.WriteString("(end)")
	}
	return tools.Outcome{Kind: tools.OK, Text: b.String(), Truncated: cut}
}

func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}
