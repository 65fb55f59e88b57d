package web

import (
	"bytes"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A kind is what a body is.
type kind int

const (
	binary kind = iota
	plain
	page    // HTML
	picture // one that models take
	pdf
)

// A content is a body that was looked at.
type content struct {
	kind kind
	mime string // of the content, without parameters; what was sniffed where none was told
	text string // UTF-8, of plain and page
}

// look says what body is, by its bytes first: servers err. Cut says that it does
// not go to its end.
func look(contentType string, body []byte, cut bool) content {
	told, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		told, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(contentType)), ";")
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	c := content{mime: told}
	if c.mime == "" {
		c.mime = sniffed
	}
	switch {
	case slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, sniffed):
		return content{kind: picture, mime: sniffed}
	case bytes.HasPrefix(body, []byte("%PDF-")):
		return content{kind: pdf, mime: "application/pdf"}
	case told != "" && !textual(told) && (told != "application/octet-stream" || !strings.HasPrefix(sniffed, "text/")):
		return c
	}
	if cut {
		body = whole(body)
	}
	text, ok := decode(body, contentType, params["charset"])
	if !ok {
		return c
	}
	c.kind, c.text = plain, text
	if told == "text/html" || told == "application/xhtml+xml" || sniffed == "text/html" && (told == "" || told == "application/octet-stream") {
		c.kind = page
	}
	return c
}

// textual reports the types whose content is text.
func textual(mime string) bool {
	main, sub, _ := strings.Cut(mime, "/")
	if main == "text" || strings.HasSuffix(sub, "+json") || strings.HasSuffix(sub, "+xml") || strings.HasSuffix(sub, "+yaml") {
		return true
	}
	return main == "application" && slices.Contains([]string{
		"json", "ld+json", "x-ndjson", "jsonlines", "xml", "javascript", "ecmascript", "x-javascript", "yaml", "x-yaml", "toml", "sql", "graphql",
		"x-sh", "x-httpd-php", "x-www-form-urlencoded", "rtf", "x-tex", "manifest+json",
	}, sub)
}

// decode returns body as UTF-8, and false when it is no text. A charset that
// was told counts; else valid UTF-8 is UTF-8, and what is left is judged as
// browsers do.
func decode(body []byte, contentType, told string) (string, bool) {
	enc, name, certain := charset.DetermineEncoding(body[:min(len(body), 1024)], contentType)
	if told == "" && !strings.HasPrefix(name, "utf-16") && utf8.Valid(body) {
		name = "utf-8"
	} else if !certain && bytes.IndexByte(body, 0) >= 0 {
		return "", false
	}
	var text []byte
	switch name {
	case "utf-8":
		text = bytes.TrimPrefix(body, []byte("\ufeff"))
	case "utf-16le", "utf-16be":
		endian := unicode.LittleEndian
		if name == "utf-16be" {
			endian = unicode.BigEndian
		}
		text, _, _ = transform.Bytes(unicode.UTF16(endian, unicode.UseBOM).NewDecoder(), body[:len(body)&^1])
	default:
		text, _, _ = transform.Bytes(enc.NewDecoder(), body) // what came before an error is kept
	}
	if bytes.IndexByte(text, 0) >= 0 || mostlyOdd(text) {
		return "", false
	}
	return string(text), true
}

// whole drops a character that a cut has split from the end of UTF-8.
func whole(body []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(body); n++ {
		b := body[len(body)-n]
		if utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(body[len(body)-n:]) {
				return body[:len(body)-n]
			}
			break
		}
	}
	return body
}

// mostlyOdd reports text of which over a tenth is no text at all.
func mostlyOdd(text []byte) bool {
	odd, all := 0, 0
	for i := 0; i < len(text) && all < 4096; all++ {
		r, n := utf8.DecodeRune(text[i:])
		i += n
		if r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\x1b", r) || r == 0x7f {
			odd++
		}
	}
	return odd*10 > all
}
