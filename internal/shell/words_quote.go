package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// hasGlob reports an unescaped glob character in an unquoted literal.
func hasGlob(v string) bool {
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		}
	}
	return false
}

// ansiC decodes the inside of $'…' as bash does.
func ansiC(v string) string {
	var out strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] != '\\' || i+1 >= len(v) {
			out.WriteByte(v[i])
			continue
		}
		i++
		const names, values = "abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
		if k := strings.IndexByte(names, v[i]); k >= 0 {
			out.WriteByte(values[k])
			continue
		}
		switch c := v[i]; {
		case (c == 'x' || c == 'u' || c == 'U') && (i+1 == len(v) || !isHex(v[i+1])):
			out.WriteByte('\\')
			out.WriteByte(c)
		case c == 'x':
			i += number(&out, v[i+1:], 2, 16, false)
		case c == 'u':
			i += number(&out, v[i+1:], 4, 16, true)
		case c == 'U':
			i += number(&out, v[i+1:], 8, 16, true)
		case c >= '0' && c <= '7':
			i += number(&out, v[i:], 3, 8, false) - 1
		case c == 'c' && i+1 < len(v):
			i++
			out.WriteByte(v[i] & 0x1f)
		default:
			out.WriteByte('\\')
			out.WriteByte(c)
		}
	}
	return out.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// number writes the character whose code starts v and returns how many digits
// it took.
func number(out *strings.Builder, v string, most, radix int, isRune bool) int {
	n := 0
	for n < most && n < len(v) {
		if _, err := strconv.ParseUint(v[n:n+1], radix, 8); err != nil {
			break
		}
		n++
	}
	code, err := strconv.ParseUint(v[:n], radix, 32)
	if err != nil {
		return n
	}
	if !isRune {
		out.WriteByte(byte(code))
		return n
	}
	var buf [4]byte
	out.Write(buf[:utf8.EncodeRune(buf[:], rune(code))])
	return n
}
