package memory

import (
	"regexp"
	"strings"
	"unicode"
)

// A secretShape is a form that secrets have.
type secretShape struct {
	what    string
	pattern *regexp.Regexp
	// real, when not nil, tells from the matched value whether it is one: most
	// texts about secrets only say where they are.
	real func(value string) bool
}

// secretShapes is the table. The value is the last group of a pattern, or all
// of it.
func secretShapes() []secretShape {
	return []secretShape{
		{"a private key", regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY`), nil},
		{"a private key", regexp.MustCompile(`\bAGE-SECRET-KEY-1[0-9A-Z]{20,}`), nil},
		{"an AWS access key", regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), nil},
		{"a GitHub token", regexp.MustCompile(`\b(?:gh[pousr]_[0-9A-Za-z]{30,}|github_pat_[0-9A-Za-z_]{22,})`), nil},
		{"a GitLab token", regexp.MustCompile(`\bglpat-[0-9A-Za-z_-]{20,}`), nil},
		{"a Slack token", regexp.MustCompile(`\bxox[abeoprs]-[0-9A-Za-z-]{10,}`), nil},
		{"a Slack webhook", regexp.MustCompile(`\bhooks\.slack\.com/services/[0-9A-Za-z/]{20,}`), nil},
		{"a Google API key", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`), nil},
		{"a Stripe key", regexp.MustCompile(`\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}`), nil},
		{"an API key", regexp.MustCompile(`\bsk-[0-9A-Za-z_-]{16,}`), hasDigit},
		{"an npm token", regexp.MustCompile(`\bnpm_[0-9A-Za-z]{36}\b`), nil},
		{"a Hugging Face token", regexp.MustCompile(`\bhf_[0-9A-Za-z]{30,}`), nil},
		{"a PyPI token", regexp.MustCompile(`\bpypi-[0-9A-Za-z_-]{30,}`), nil},
		{"a JSON web token", regexp.MustCompile(`\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]*`), nil},
		{"a password in an address", regexp.MustCompile(`\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@]*:([^\s/@]{3,})@`), notPlaceholder},
		{"an Authorization header", regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([0-9A-Za-z+/._~-]{16,}=*)`), hasDigit},
		{"a password", regexp.MustCompile(`(?i)\b[\w-]*(?:password|passwd|passphrase|pwd)[\w-]*["']?\s*(?:\bis\b|=>|=|:)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{6,})`), guessable(6)},
		{"a key or token", regexp.MustCompile(`(?i)\b[\w-]*(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)[\w-]*["']?\s*(?:\bis\b|=>|=|:)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{10,})`), guessable(10)},
		{"a long random text", regexp.MustCompile(`[0-9A-Za-z+/_-]{32,}={0,2}`), random},
	}
}

// Secret names the kind of secret that text seems to hold, "" when it seems to
// hold none. It never returns any of the text.
func Secret(text string) string {
	for _, s := range secretShapes() {
		for _, m := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
			from, to := m[0], m[1]
			if last := len(m) - 2; last > 0 && m[last] >= 0 {
				from, to = m[last], m[last+1]
			}
			if hashed(text[:from], text[from:to]) {
				continue
			}
			if s.real == nil || s.real(text[from:to]) {
				return s.what
			}
		}
	}
	return ""
}

// hashed reports whether a value, or what comes before it, says that it is a
// checksum.
func hashed(before, value string) bool {
	for _, p := range []string{"sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha512:", "h1:"} {
		if strings.HasSuffix(strings.ToLower(before), p) || strings.HasPrefix(strings.ToLower(value), p) {
			return true
		}
	}
	return false
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// notPlaceholder reports whether s is a value and not a word for one.
func notPlaceholder(s string) bool {
	if strings.ContainsAny(s, "$<>{}[]()") || strings.Trim(s, "*x.…") == "" {
		return false
	}
	switch strings.ToLower(s) {
	case "pass", "password", "passwd", "pwd", "secret", "token", "changeme", "example", "your_password", "yourpassword":
		return false
	}
	return true
}

// guessable returns what reports a value of n characters at least that mixes
// letters and digits, as chosen passwords and keys do, and words do not.
func guessable(n int) func(string) bool {
	return func(s string) bool {
		path := strings.ContainsAny(s, "/\\") && !strings.ContainsAny(s, "=+")
		return len(s) >= n && notPlaceholder(s) && !path && hasDigit(s) && strings.ContainsFunc(s, unicode.IsLetter)
	}
}

// random reports whether s changes between upper case, lower case and digits as
// often as random text does, and names do not.
func random(s string) bool {
	class := func(r rune) int {
		switch {
		case unicode.IsDigit(r):
			return 0
		case unicode.IsUpper(r):
			return 1
		case unicode.IsLower(r):
			return 2
		}
		return 3
	}
	var count [4]int
	changes, last := 0, -1
	for _, r := range s {
		c := class(r)
		count[c]++
		if c != last {
			changes++
		}
		last = c
	}
	return count[0] >= len(s)/12 && count[1] >= len(s)/6 && count[2] >= len(s)/6 && count[3] <= len(s)/6 && changes >= len(s)*2/5
}
