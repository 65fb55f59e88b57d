package file

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

// utf16Text says what the first bytes of a file are if they are text in UTF-16, "" if
// they are not: by its byte order mark, or by every other byte being zero.
func utf16Text(head []byte) string {
	zero := [2]int{}
	for i, b := range head {
		if b == 0 {
			zero[i%2]++
		}
	}
	pairs := len(head) / 2
	switch {
	case strings.HasPrefix(string(head), "\xff\xfe\x00\x00"), strings.HasPrefix(string(head), "\x00\x00\xfe\xff"):
		return "text in UTF-32"
	case strings.HasPrefix(string(head), "\xff\xfe"), strings.HasPrefix(string(head), "\xfe\xff"):
		return "text in UTF-16"
	case pairs >= 4 && (zero[0] == 0 && zero[1]*10 >= pairs*9 || zero[1] == 0 && zero[0]*10 >= pairs*9):
		return "text in UTF-16 (without a byte order mark)"
	}
	return ""
}

// convert tells how to get at a text that is not read here.
const convert = "; to work on it, convert it with a command (iconv -f ENCODING -t UTF-8) and back"

// beyondASCII counts the bytes that are not UTF-8 in b, and the characters beyond ASCII
// that are.
func beyondASCII(b []byte) (bad, wide int) {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			wide++
		}
		i += n
	}
	return bad, wide
}

// fits refuses a change of before that puts something into the file that it was only
// shown as, or shown with: the characters of another encoding, the mark of a line that
// was cut, the numbers of lines.
func (c *change) fits(before []byte) error {
	bad, wide := beyondASCII(before)
	if left, now := beyondASCII(c.after); bad > wide && left > 0 && now > wide { // else it is UTF-8, if damaged
		return tools.Refuse(tools.InvalidArguments, "%s is not in UTF-8, and what would be added to it is: it would have two encodings. Add nothing but ASCII%s", c.place.Name, convert)
	}
	if mark := cutLine.Find(c.after); mark != nil && !bytes.Contains(before, mark) && hasLong(before) {
		return tools.Refuse(tools.InvalidArguments, "%s: %q stands for the rest of a line that was too long to be shown, and would take its place: change such a line in part, with edit or a command", c.place.Name, mark)
	}
	if c.whole && patch.Pasted(before, string(c.after)) {
		return tools.Refuse(tools.InvalidArguments, "%s: %v", c.place.Name, patch.ErrNumbered)
	}
	return nil
}

// cutLine is how a line ends that was too long to be shown, see [scan.text].
var cutLine = regexp.MustCompile(`… \[line cut, [0-9]+ more bytes\]`)

// cutShort adds to why a text does not match that it is not all of a line.
func cutShort(err error, text string) error {
	if !cutLine.MatchString(text) {
		return err
	}
	return fmt.Errorf("%w\na line that ends in %q was too long to be shown: leave it out, or name a part of it", err, cutLine.FindString(text))
}

// hasLong reports whether a line of b is cut when it is shown.
func hasLong(b []byte) bool {
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		if len(line) > maxChars {
			return true
		}
	}
	return false
}
