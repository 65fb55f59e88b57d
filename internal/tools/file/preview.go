package file

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

// isBinary reports whether a content cannot be shown as a difference of lines.
func isBinary(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }

// show works out the difference, and in words what a difference does not show.
func (c *change) show() {
	old, was := c.before, c.place
	if c.kind == "R" {
		old, was = c.source, c.from
	}
	for _, p := range []Place{c.from, c.place} {
		if p.Linked {
			c.note("%s leads through a symbolic link to %s", p.named(), p.target)
		}
		if p.Real != "" && !p.Inside {
			c.note("%s", outside(p))
		}
	}
	c.twins()
	if len(c.folders) > 0 {
		c.note("%s made for it", theseFolders(c.folders))
	}
	if c.special() || c.brief || c.kind == "R" && c.whole || c.kind == "D" && c.idle() {
		c.showKinds(old)
		return
	}
	c.binary = isBinary(old.data) || isBinary(c.after)
	if !c.binary {
		o := patch.DiffOptions{Old: was.Name, New: c.place.Name}
		if !old.exists() {
			o.Old = ""
		}
		if c.kind == "D" {
			o.New = ""
		}
		a, b := old.data, c.after
		if onlyCR(a, b) { // as lines, or the whole file would be the one that changes
			a, b = lines(a), lines(b)
		}
		c.diff = patch.Diff(a, b, o)
	}
	switch {
	case c.binary && c.kind == "D":
		c.note("binary content, %s", weigh(old.data))
	case c.binary:
		c.note("binary content, %s, becomes %s", weigh(old.data), weigh(c.after))
	case c.kind != "D":
		c.describe(old)
	}
	switch {
	case c.idle():
		c.note("it holds this content already: nothing is written")
	case c.diff.Text == "" && c.kind == "R":
		c.note("only the name changes")
	case c.diff.Text == "" && !c.binary:
		c.note("it is empty")
	}
}

// onlyCR reports whether CR is what ends the lines of a and b, LF being in neither.
func onlyCR(a, b []byte) bool {
	was, now := patch.TraitsOf(a).Endings, patch.TraitsOf(b).Endings
	return (was == "CR" || was == "") && (now == "CR" || now == "") && was != now || was == "CR" && now == "CR"
}

func lines(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r"), []byte("\n")) }

// idle reports whether the change is none.
func (c *change) idle() bool {
	switch c.kind {
	case "M":
		return c.before.kind == c.content().kind && bytes.Equal(c.before.data, c.after)
	case "D":
		return !c.before.exists()
	}
	return c.kind == "A" && c.what == tools.Folder && c.before.exists()
}

func (c *change) note(format string, a ...any) { c.notes = append(c.notes, fmt.Sprintf(format, a...)) }

func (c *change) describe(old state) {
	now := patch.TraitsOf(c.after)
	if !old.exists() {
		if now.BOM {
			c.note("it begins with a byte order mark")
		}
		if now.Endings != "" && now.Endings != "LF" {
			c.note("its line endings are %s", now.Endings)
		}
		return
	}
	was := patch.TraitsOf(old.data)
	if was.BOM != now.BOM {
		c.note("the byte order mark is %s", word(now.BOM, "added", "removed"))
	}
	if was.Endings == "CR" && now.Endings == "CR" {
		c.note("its line endings are CR")
	}
	if was.Endings != now.Endings && was.Endings != "" && now.Endings != "" {
		c.note("the line endings change from %s to %s", was.Endings, now.Endings)
	}
	if was.Final != now.Final {
		c.note("the newline at the end of the file is %s", word(now.Final, "added", "removed"))
	}
	if lost := old.mode &^ 0o777; lost != 0 {
		c.note("its permissions become %04o: setuid, setgid and sticky bits are not given again", old.mode&0o777)
	}
}

func word(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// weigh names a content by size and hash.
func weigh(b []byte) string {
	s := sha256.Sum256(b)
	return fmt.Sprintf("%d bytes (SHA-256 %x…)", len(b), s[:6])
}

// counts is the part of a title that says how many lines come and go.
func (c *change) counts() string {
	kind := c.what
	if c.kind == "D" || kind == tools.Absent {
		kind = c.before.kind
	}
	if c.kind == "R" {
		kind = c.source.kind
	}
	switch {
	case kind == tools.Folder || kind == tools.Link:
		return "(" + noun(kind) + ")"
	case c.kind == "R" && c.whole:
		return fmt.Sprintf("(%d bytes)", len(c.source.data))
	case c.binary:
		return "(binary)"
	}
	return fmt.Sprintf("+%d −%d", c.diff.Added, c.diff.Removed)
}

func (c *change) title() string {
	name := tools.CleanLine(c.place.Name)
	if c.kind == "R" {
		name = tools.CleanLine(c.from.Name) + " → " + name
	}
	return fmt.Sprintf("%s %s %s", c.kind, name, c.counts())
}

func (c *change) record() tools.Change {
	t := tools.Change{Path: c.place.Name, Kind: c.kind, Added: c.diff.Added, Removed: c.diff.Removed}
	if c.kind == "R" {
		t.From = c.from.Name
	}
	return t
}

// sections shows each change: its notes, then its difference.
func sections(changes []*change) []tools.Section {
	var s []tools.Section
	for _, c := range changes {
		title := c.title()
		if len(c.notes) > 0 {
			s = append(s, tools.Section{Kind: tools.Text, Title: title, Body: strings.Join(c.notes, "\n")})
		}
		if c.diff.Text != "" {
			s = append(s, tools.Section{Kind: tools.Diff, Title: title, Body: c.diff.Text})
		}
	}
	return s
}

func summary(changes []*change) string {
	if len(changes) == 1 {
		c := changes[0]
		name := tools.CleanLine(c.place.Name)
		switch c.kind {
		case "A":
			name = "new " + name
		case "D":
			name = "delete " + name
		case "R":
			name = tools.CleanLine(c.from.Name) + " → " + name
		}
		return name + " " + c.counts()
	}
	var names []string
	var total change
	for _, c := range changes {
		total.diff.Added += c.diff.Added
		total.diff.Removed += c.diff.Removed
		if len(names) < 3 {
			names = append(names, tools.CleanLine(path.Base(c.place.Name)))
		}
	}
	if len(changes) > len(names) {
		names = append(names, "…")
	}
	return fmt.Sprintf("%d files %s: %s", len(changes), total.counts(), strings.Join(names, ", "))
}
