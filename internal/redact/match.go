package redact

import "strings"

// A charset is the bytes that a part of a secret is made of.
type charset func(c byte) bool

func alnumChars(c byte) bool { return isWord(c) && c != '_' }
func wordChars(c byte) bool  { return isWord(c) }
func nameChars(c byte) bool  { return isWord(c) || c == '-' }
func dotChars(c byte) bool   { return nameChars(c) || c == '.' }
func pathChars(c byte) bool  { return nameChars(c) || c == '/' }
func upperChars(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
func base64Chars(c byte) bool {
	return alnumChars(c) || c == '+' || c == '/' || c == '='
}
func tokenChars(c byte) bool { return dotChars(c) || base64Chars(c) || c == '~' }

// run returns where the bytes of c that begin at i end.
func (c charset) run(s string, i int) int {
	for i < len(s) && c(s[i]) {
		i++
	}
	return i
}

// digitWithin is how much of a secret is looked at for a digit. A text of many
// starts and no digit would otherwise be gone over again and again.
const digitWithin = 128

func digit(s string) bool {
	return strings.ContainsAny(s[:min(len(s), digitWithin)], "0123456789")
}

// after matches least or more bytes of chars behind the start, which is kept.
func after(chars charset, least int, digits bool) func(string, int) (int, int) {
	return func(s string, n int) (int, int) {
		e := chars.run(s, n)
		if e-n < least || digits && !digit(s[n:e]) {
			return 0, 0
		}
		return n, e
	}
}

// assigned matches a value that is assigned to the name that the start is: what
// stands between is kept.
func assigned(chars charset, least, most int) func(string, int) (int, int) {
	return func(s string, n int) (int, int) {
		from := n
		for from < len(s) && from < n+12 && strings.IndexByte(" \t:=\"'\\", s[from]) >= 0 {
			from++
		}
		e := chars.run(s, from)
		if from == n || e-from < least || e-from > most {
			return 0, 0
		}
		return from, e
	}
}

// The bounds of what is looked at.
const (
	maxPEM      = 16 << 10
	maxHeader   = 2 << 10
	maxUserinfo = 256
)

// pem matches a block of a private key to its end, or as far as it goes when
// that was cut off.
func pem(s string, n int) (int, int) {
	head := s[n:min(len(s), n+40)]
	i := strings.Index(head, "PRIVATE KEY")
	if i < 0 || strings.ContainsAny(head[:i], "-\n") {
		return 0, 0
	}
	i += n + len("PRIVATE KEY")
	if end := strings.Index(s[i:min(len(s), i+maxPEM)], "-----END "); end >= 0 {
		e := i + end + len("-----END ")
		if tail := strings.Index(s[e:min(len(s), e+40)], "-----"); tail >= 0 {
			return 0, e + tail + len("-----")
		}
	}
	e := charset(func(c byte) bool { return base64Chars(c) || strings.IndexByte("- \r\n\t\\", c) >= 0 }).run(s, i)
	return 0, len(strings.TrimRight(s[:e], `\`))
}

// jwt matches three parts of base64 with dots between, of which the first two
// are JSON objects.
func jwt(s string, n int) (int, int) {
	base64url := charset(nameChars)
	e := base64url.run(s[:min(len(s), maxHeader)], n)
	if e-n < 8 || !strings.HasPrefix(s[e:], ".eyJ") {
		return 0, 0
	}
	e = base64url.run(s, e+1)
	if !strings.HasPrefix(s[e:], ".") {
		return 0, 0
	}
	end := base64url.run(s, e+1)
	if end-e < 16 {
		return 0, 0
	}
	return 0, end
}

// userinfo matches the password of a URL, behind the :// of it.
func userinfo(s string, n int) (int, int) {
	plain := charset(func(c byte) bool { return c > ' ' && c < 0x7f && strings.IndexByte(`/@:"'<>[]{}$\`+"`", c) < 0 })
	s = s[:min(len(s), n+maxUserinfo)]
	user := plain.run(s, n)
	if user >= len(s) || s[user] != ':' {
		return 0, 0
	}
	e := plain.run(s, user+1)
	if e == user+1 || e >= len(s) || s[e] != '@' {
		return 0, 0
	}
	return user + 1, e
}
