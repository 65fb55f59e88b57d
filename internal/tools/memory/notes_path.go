package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of notes.
const (
	mostDepth    = 4
	segmentRunes = 128
	noteBytes    = 256 << 10
	allBytes     = 10 << 20 // of one target
	mostNotes    = 500      // of one target
)

// trimmed is a path without what other memories put before theirs.
func trimmed(path string) string {
	path = strings.TrimPrefix(path, "/")
	return strings.TrimPrefix(path, "memories/")
}

// notePath returns path in the form in which notes have theirs, or says why no
// note can have it.
func notePath(what, path string) (string, error) {
	path = trimmed(path)
	if path == "" {
		return "", invalid("%s is missing", what)
	}
	segments := strings.Split(path, "/")
	if len(segments) > mostDepth {
		return "", invalid("%s has %d parts; at most %d", what, len(segments), mostDepth)
	}
	for _, s := range segments {
		switch {
		case s == "" || s == "." || s == "..":
			return "", invalid("%s has a part %q", what, s)
		case utf8.RuneCountInString(s) > segmentRunes:
			return "", invalid("a part of %s has more than %d characters", what, segmentRunes)
		case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
			return "", invalid("%s holds characters that cannot be seen", what)
		}
	}
	if len(segments) == 1 && segments[0] == string(Global) {
		return "", invalid("%s is global/NAME for a note of every project", what)
	}
	return path, nil
}

// targetOf returns whose note the one at path is.
func targetOf(path string) Target {
	if strings.HasPrefix(path, string(Global)+"/") {
		return Global
	}
	return Project
}
