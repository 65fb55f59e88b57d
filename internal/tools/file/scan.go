package file

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

const (
	maxChars = 2000      // of a line, before it is cut
	maxScan  = 256 << 20 // bytes read on the way to a page of a big file
	sniffed  = 4096      // bytes that decide whether a file is text
)

// readFile shows a page of r, without ever holding more of it than the page.
func (f *files) readFile(ctx context.Context, r *reader, place Place, args readArgs) tools.Outcome {
	head := make([]byte, sniffed)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return failed("read %s: %s", place.Name, explain(err))
	}
	head = head[:n]
	if mime := tools.PictureType(head); mime != "" {
		return readImage(io.MultiReader(bytes.NewReader(head), r), place, mime)
	}
	if what := binary(head); what != "" {
		if strings.HasPrefix(what, "text ") {
			return failed("read %s: it is %s, of %d bytes%s", place.Name, what, r.stat.stamp.size, convert)
		}
		return failed("read %s: it is %s of %d bytes, not text", place.Name, what, r.stat.stamp.size)
	}
	s := &scan{page: newPage(place, "file", args), from: args.Offset, line: 1}
	hash := sha256.New()
	whole, err := s.run(ctx, io.TeeReader(io.MultiReader(bytes.NewReader(head), r), hash), r.stat.stamp.size)
	switch {
	case ctx.Err() != nil:
		return tools.Outcome{Kind: tools.Cancelled, Text: "stopped while " + place.Name + " was read"}
	case err != nil:
		return failed("read %s: %s", place.Name, explain(err))
	case whole && args.Offset > max(1, s.line-1):
		return pastEnd(place, args.Offset, s.line-1, "lines")
	case !whole && s.shown() == 0:
		return failed("read %s: line %d is more than %d bytes into a file of %d bytes: look for it with grep or a command", place.Name, args.Offset, maxScan, r.stat.stamp.size)
	}
	if whole {
		f.receipts.put(place.Real, sum(hash.Sum(nil)))
	}
	return s.outcome(whole, r.stat.stamp.size)
}

// A scan goes through a file line by line. Like package patch, it takes LF,
// CR LF and CR for line endings, and hides them and the byte order mark.
type scan struct {
	page    *page
	from    int
	line    int    // the line being read, counted from 1
	kept    []byte // its beginning, when it is to be shown
	size    int    // of the line so far
	afterCR bool   // an LF that comes now belongs to the CR before it
	ended   bool   // the last line had an ending
	next    int    // the first line after the page, 0 while it is not known
	unclean bool   // some bytes were not UTF-8
}

// run reads r, a file of that size, to its end, or only until the page is full
// when the file is big. It reports whether it saw everything.
func (s *scan) run(ctx context.Context, r io.Reader, size int64) (whole bool, err error) {
	buf := make([]byte, min(max(size+1, sniffed), 64<<10)) // 1 more than there is, to see the end
	for read := int64(0); ctx.Err() == nil; {
		n, err := r.Read(buf)
		s.bytes(buf[:n])
		read += int64(n)
		if errors.Is(err, io.EOF) {
			if s.size > 0 {
				s.endLine()
				s.ended = false
			}
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if done := s.next > 0 || s.page.full(); read >= maxScan || done && size > maxFile && read < size {
			if s.next == 0 {
				s.next = s.line
			}
			return false, nil
		}
	}
	return false, nil
}

func (s *scan) bytes(b []byte) {
	for len(b) > 0 {
		if s.afterCR {
			s.afterCR = false
			if b[0] == '\n' {
				b = b[1:]
				continue
			}
		}
		i := bytes.IndexByte(b, '\n')
		text := b
		if i >= 0 {
			text = b[:i]
		}
		if j := bytes.IndexByte(text, '\r'); j >= 0 {
			i, text = j, text[:j]
		}
		s.size += len(text)
		if room := 4*maxChars - len(s.kept); s.wanted() && room > 0 {
			s.kept = append(s.kept, text[:min(room, len(text))]...)
		}
		if i < 0 {
			return
		}
		s.endLine()
		s.afterCR = b[i] == '\r'
		b = b[i+1:]
	}
}

func (s *scan) wanted() bool { return s.line >= s.from && s.next == 0 }

func (s *scan) shown() int { return s.page.lines }

func (s *scan) endLine() {
	if s.wanted() && !s.page.add(fmt.Sprintf("%d: %s", s.line, s.text())) {
		s.next = s.line
	}
	s.line++
	s.size, s.kept, s.ended = 0, s.kept[:0], true
}

// text returns the line as it is shown.
func (s *scan) text() string {
	t := string(s.kept)
	if s.line == 1 {
		t = strings.TrimPrefix(t, "\ufeff")
	}
	cut := t
	if utf8.RuneCountInString(t) > maxChars || s.size > len(s.kept) {
		n := 0
		for i := range t {
			if n == maxChars {
				cut = t[:i]
				break
			}
			n++
		}
	}
	rest := s.size - len(s.kept) + len(t) - len(cut)
	if !utf8.ValidString(cut) {
		s.unclean = true
		cut = string([]rune(cut)) // U+FFFD for each byte, as package patch compares them
	}
	if rest > 0 {
		cut += fmt.Sprintf("… [line cut, %d more bytes]", rest)
	}
	return cut
}

func (s *scan) outcome(whole bool, size int64) tools.Outcome {
	last := s.from + s.shown() - 1
	var t string
	switch {
	case whole && s.line == 1:
		t = "the file is empty"
	case whole && s.next > 0:
		t = fmt.Sprintf("lines %d to %d of %d; go on with offset=%d", s.from, last, s.line-1, s.next)
	case whole:
		t = fmt.Sprintf("end of file, %d lines", s.line-1)
		if !s.ended {
			t += ", no newline at the end"
		}
	default:
		t = fmt.Sprintf("lines %d to %d of a file of %d bytes; go on with offset=%d", s.from, last, size, s.next)
	}
	if s.unclean {
		t += "; bytes that are not UTF-8 are shown as \ufffd"
	}
	return s.page.outcome(t, s.next > 0)
}
