package file

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxImage is the size in bytes of the largest picture that is shown: providers
// take 5 MiB of the text that it is sent as, which is a third longer.
const maxImage = 5 << 20 / 4 * 3

func readImage(r io.Reader, place Place, mime string) tools.Outcome {
	data, err := io.ReadAll(io.LimitReader(r, maxImage+1))
	switch {
	case err != nil:
		return failed("read %s: %s", place.Name, explain(err))
	case len(data) > maxImage:
		return failed("read %s: the image has more than %d bytes: make a smaller one first", place.Name, maxImage)
	}
	if fault := tools.PictureFault(data); fault != "" {
		return failed("read %s: it begins like a picture (%s), but %s", place.Name, mime, fault)
	}
	return tools.Outcome{
		Kind: tools.OK, Text: fmt.Sprintf("%s is shown (%s, %d bytes)", place.Name, mime, len(data)),
		Images: []tools.Image{{MIME: mime, Data: data}},
	}
}

// binary says what a file is that is not text in UTF-8, judged by its first bytes:
// a NUL, or more than 30 % that no text has, decide.
func binary(head []byte) string {
	head = head[:min(len(head), sniffed)]
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return "a PDF document"
	}
	if text := utf16Text(head); text != "" {
		return text
	}
	odd, controls := 0, 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		i += n
		switch {
		case r == 0:
			return "a binary file"
		case r < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\x1b", r), r == 0x7f:
			odd, controls = odd+1, controls+1
		case r == utf8.RuneError && n == 1:
			odd++
		}
	}
	if odd*10 > len(head)*3 {
		if controls == 0 {
			return "text in another encoding than UTF-8"
		}
		return "a binary file"
	}
	return ""
}
