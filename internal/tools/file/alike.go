package file

import (
	"errors"
	"io/fs"
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

// spelt maps names that are the same letters, written otherwise, to one string:
// accents of one character or of two, the kinds of spaces and of quotes. A
// model gets back to none of them from what it reads.
func spelt(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Zs, r):
			return ' '
		case r == '\u2018' || r == '\u2019':
			return '\''
		}
		return r
	}, norm.NFC.String(name))
}

// asSpelt returns the place that a name means: where nothing has it and one
// thing beside it is written with the same letters, that one.
func (f *files) asSpelt(place Place) Place {
	base := filepath.Base(place.path)
	if !place.Inside || place.Linked || !strings.ContainsFunc(base, func(r rune) bool { return r == ' ' || r == '\'' || r > unicode.MaxASCII }) {
		return place
	}
	if _, err := os.Lstat(place.Real); !errors.Is(err, fs.ErrNotExist) {
		return place
	}
	entries, err := os.ReadDir(filepath.Dir(place.Real))
	if err != nil {
		return place
	}
	found := ""
	for _, e := range entries {
		switch {
		case spelt(e.Name()) != spelt(base):
		case found != "":
			return place // nobody knows which is meant
		default:
			found = e.Name()
		}
	}
	if found == "" {
		return place
	}
	if other, err := f.ws.Resolve(filepath.Join(filepath.Dir(place.path), found)); err == nil {
		return other
	}
	return place
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
