package main

import (
	"os"
	"path/filepath"
	"strings"
)

// The bounds of one completion.
const (
	maxEntries = 5000
	maxMatches = 200
)

// completePaths returns the paths that begin with word, as a shell takes them:
// relative to dir, blanks escaped, folders with a slash at the end. Names that
// begin with a dot are only found by one that does.
func completePaths(dir, word string) []string {
	plain := strings.ReplaceAll(word, `\`, "")
	at, prefix := filepath.Split(plain)
	look := at
	if rest, ok := strings.CutPrefix(look, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		look = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(look) {
		look = filepath.Join(dir, look)
	}
	f, err := os.Open(look)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxEntries) // what can be read of it
	var found []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, prefix) || name[0] == '.' && !strings.HasPrefix(prefix, ".") || strings.ContainsAny(name, "\n\x1b") {
			continue
		}
		if isDir(e, look) {
			name += "/"
		}
		if found = append(found, escapeWord(at+name)); len(found) == maxMatches {
			break
		}
	}
	return found
}

// isDir follows a link.
func isDir(e os.DirEntry, dir string) bool {
	if e.Type()&os.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// escapeWord writes s so that a shell takes it for one word. A tilde at its
// beginning stays.
func escapeWord(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(" \t'\"\\$`!*?[](){}<>|&;#", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
