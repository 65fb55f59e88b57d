package main

import "testing"

func TestRedactIsReadOnEitherSideOfTheFile(t *testing.T) {
	for line, want := range map[string]struct {
		file   string
		redact bool
	}{
		"": {"", false}, "--redact": {"", true}, " --redact  a b.md": {"a b.md", true}, "a b.md --redact ": {"a b.md", true},
		"a.md": {"a.md", false}, "--redacted": {"--redacted", false}, "a--redact": {"a--redact", false},
	} {
		file, redact := redacting(line)
		if file != want.file || redact != want.redact {
			t.Errorf("%q is read as %q, %v", line, file, redact)
		}
	}
}
