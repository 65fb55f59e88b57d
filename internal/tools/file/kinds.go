package file

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// special reports whether the change is about more than the content of a
// regular file.
func (c *change) special() bool {
	is := func(k tools.FileKind) bool { return k == tools.Folder || k == tools.Link }
	return is(c.before.kind) || is(c.source.kind) || is(c.what)
}

// showKinds says in words what becomes of a link, a folder, or a file that is
// not shown line by line.
func (c *change) showKinds(old state) {
	after := c.content()
	switch {
	case c.idle() && c.kind == "D":
		c.note("it is not there: nothing is done")
	case c.idle():
		c.note("it is there already: nothing is done")
	case c.kind == "M" && old.kind == tools.Link && after.kind == tools.Link:
		c.note("the symbolic link leads to %s and led to %s", tools.CleanLine(string(after.data)), tools.CleanLine(string(old.data)))
	case c.kind == "M" && old.kind != after.kind:
		c.note("%s takes the place of %s", article(after.kind), article(old.kind))
	case c.kind == "A" && after.kind == tools.Link:
		c.note("a symbolic link to %s", tools.CleanLine(string(after.data)))
	}
	switch data := max(len(old.data), len(c.after)); {
	case c.special():
	case isBinary(old.data) || isBinary(c.after) || data == 0:
		c.binary = data > 0
	case c.kind == "D":
		c.diff.Removed = linesOf(old.data)
	case c.kind == "A":
		c.diff.Added = linesOf(c.after)
	}
}

// theseFolders names folders that are made, and counts many.
func theseFolders(folders []Place) string {
	const most = 20
	if len(folders) > most {
		return fmt.Sprintf("%d directories, the first of them %s, are", len(folders), tools.CleanLine(folders[0].Name))
	}
	names := make([]string, len(folders))
	for i, p := range folders {
		names[i] = tools.CleanLine(p.Name)
	}
	if len(names) == 1 {
		return "the directory " + names[0] + " is"
	}
	return "the directories " + strings.Join(names, ", ") + " are"
}

// plain says what a change is that has nothing else to show.
func (c *change) plain() string {
	switch {
	case c.kind == "R":
		return "only the name changes"
	case c.kind == "D" && c.before.kind == tools.Link:
		return "a symbolic link to " + tools.CleanLine(string(c.before.data)) + ": what it leads to stays"
	case c.copied != nil && c.what == tools.Regular:
		return fmt.Sprintf("a copy of %s, %s", tools.CleanLine(c.copied.place.Name), weigh(c.after))
	case c.kind == "A":
		return "a new " + noun(c.what)
	case c.before.kind == tools.Regular:
		return weigh(c.before.data)
	}
	return article(c.before.kind)
}

// linesOf counts lines as a difference does.
func linesOf(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
