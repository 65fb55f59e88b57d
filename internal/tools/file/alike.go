package file

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/text/unicode/norm"
)

// alike maps names that people take for the same to one string: accents made
// of one character or of two, upper and lower case, wide and narrow forms.
// Files are told apart by bytes all the same.
func alike(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(name)))
}

// twins notes of each new file that another of nearly its name is there.
func (c *change) twins() {
	if c.kind == "D" || c.before.exists() || c.freed || len(c.folders) > 0 {
		return
	}
	entries, err := os.ReadDir(filepath.Dir(c.place.Real))
	if err != nil {
		return // its folder is yet to be made
	}
	base := filepath.Base(c.place.Real)
	for _, e := range entries {
		if e.Name() != base && alike(e.Name()) == alike(base) && e.Name() != filepath.Base(c.from.Real) {
			c.note("%s is there too: to look at, the names differ little or not at all", tools.CleanLine(e.Name()))
		}
	}
}
