package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	// maxNodes bounds the objects and lists of a file, and with them how deeply
	// the parser recurses.
	maxNodes = 10_000
	// maxProblems bounds what is collected from one file.
	maxProblems = 50
)

// A setting is one value that a file gives.
type setting struct {
	key   *key
	names []string // what stands for the * of the key's path
	path  string   // the dotted path with the names
	value value
	top   member // the top-level key it stands in
}

// A member is a key as written.
type member struct {
	name  string
	place Place
}

// decode returns what a file says, in its order, or an *[Error].
func decode(src *source) ([]setting, error) {
	root, problem := parse(src)
	if problem != nil {
		return nil, &Error{Problems: []Problem{*problem}}
	}
	d := decoder{src: src}
	obj, ok := root.Value.(*hujson.Object)
	if !ok {
		d.problem(root.StartOffset, "the file must be an object, not %s", describe(root.Value))
	} else {
		d.object(obj, node{})
	}
	if len(d.problems) > 0 {
		return nil, &Error{Problems: d.problems}
	}
	return d.settings, nil
}

// parse checks what the parser does not, and gives its errors a place.
func parse(src *source) (hujson.Value, *Problem) {
	fail := func(offset int, format string, a ...any) (hujson.Value, *Problem) {
		return hujson.Value{}, &Problem{src.place(offset), fmt.Sprintf(format, a...)}
	}
	if i := invalid(src.text); i >= 0 {
		return fail(i, "the text is not valid UTF-8")
	}
	if len(bytes.TrimSpace(src.text)) == 0 {
		return fail(0, "the file is empty: write {} for no settings")
	}
	if bytes.Count(src.text, []byte("{"))+bytes.Count(src.text, []byte("[")) > maxNodes {
		return fail(0, "the file has more than %d objects and lists", maxNodes)
	}
	root, err := hujson.Parse(src.text)
	if errors.Is(err, io.ErrUnexpectedEOF) { // a comment may end the file, without a line break
		if whole, e := hujson.Parse(append(slices.Clip(src.text), '\n')); e == nil {
			root, err = whole, nil
		}
	}
	if err == nil {
		return root, nil
	}
	var line, column int
	if _, e := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); e != nil || line > len(src.starts) {
		return fail(0, "%s", visible(clip(err.Error())))
	}
	at := src.starts[line-1] + column - 1
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fail(at, "the file ends early")
	case strings.Contains(err.Error(), ": invalid literal: "): // its text may be a secret: not quoted
		if src.text[at] == '"' {
			return fail(at, "the string has a line break, a control character or an unknown escape")
		}
		return fail(at, "this is no JSON value: strings stand in double quotes")
	}
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return fail(at, "%s", visible(err.Error()))
}

func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

type decoder struct {
	src      *source
	settings []setting
	problems []Problem
}

// A node is where the decoder is: the path in the table, the same path as
// written, the names in it, the place of the last and the top-level key.
type node struct {
	row, path string
	names     []string
	at        Place
	top       member
}

func (n node) child(row, name string, at Place) node {
	c := node{row: join(n.row, row), path: join(n.path, name), names: n.names, at: at, top: n.top}
	if row == "*" {
		c.names = append(n.names[:len(n.names):len(n.names)], name)
	}
	if n.path == "" {
		c.top = member{name, at}
	}
	return c
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (d *decoder) problem(offset int, format string, a ...any) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, Problem{d.src.place(offset), fmt.Sprintf(format, a...)})
	}
}

func (d *decoder) emit(k *key, n node, v value) {
	d.settings = append(d.settings, setting{k, n.names, n.path, v, n.top})
}

func (d *decoder) object(obj *hujson.Object, n node) {
	open := find(join(n.row, "*")) != nil
	seen := map[string]bool{}
	for i := range obj.Members {
		m := &obj.Members[i]
		at, name := m.Name.StartOffset, unquote(m.Name.Value)
		if seen[name] {
			d.problem(at, "key %q is given twice", clip(name))
			continue
		}
		seen[name] = true
		row := name
		if open {
			row = "*"
		}
		k := find(join(n.row, row))
		if k == nil || !open && strings.Contains(name, ".") {
			d.problem(at, "unknown key %q%s", clip(name), suggest(n.row, name))
			continue
		}
		if k.name != nil {
			if p := k.name(name); p != "" {
				d.problem(at, "%q %s", clip(name), p)
				continue
			}
		}
		d.value(k, &m.Value, n.child(row, name, d.src.place(at)))
	}
}

func (d *decoder) value(k *key, v *hujson.Value, n node) {
	at := v.StartOffset
	wrong := func() { d.problem(at, "%s must be %s, not %s", subject(n.path), k.wants(), describe(v.Value)) }
	switch k.kind {
	case object, named:
		obj, ok := v.Value.(*hujson.Object)
		if !ok {
			wrong()
			return
		}
		if k.set != nil {
			d.emit(k, n, value{place: d.src.place(at)})
		}
		d.object(obj, n)
	case anything:
		if v.Value.Kind() != '{' {
			wrong()
			return
		}
		plain := v.Clone()
		plain.Minimize() // without comments and the like
		d.emit(k, n, value{text: string(plain.Pack()), place: d.src.place(at)})
	case rule:
		d.rule(k, v, n)
	case list:
		arr, ok := v.Value.(*hujson.Array)
		if !ok {
			wrong()
			return
		}
		d.list(k, arr, n, at)
	case raw:
		c := v.Clone()
		c.Minimize()
		text := bytes.TrimSpace(c.Pack())
		if p := k.raw(text); p != "" {
			d.problem(at, "%s %s", subject(n.path), visible(p))
			return
		}
		d.emit(k, n, value{text: string(text), place: d.src.place(at)})
	case later:
		d.emit(k, n, value{place: d.src.place(at)})
	default:
		val, problem := k.read(v.Value)
		if problem != "" {
			d.problem(at, "%s %s", subject(n.path), problem)
			return
		}
		val.place = d.src.place(at)
		d.emit(k, n, val)
	}
}

func (d *decoder) list(k *key, arr *hujson.Array, n node, at int) {
	words := []string{}
	for i := range arr.Elements {
		e := &arr.Elements[i]
		if e.Value.Kind() != '"' {
			d.problem(e.StartOffset, "%s must be a list of strings, not of %s", subject(n.path), describe(e.Value))
			continue
		}
		s := unquote(e.Value)
		if p := k.judge(s); p != "" {
			d.problem(e.StartOffset, "%s: an element %s", subject(n.path), p)
			continue
		}
		words = append(words, s)
	}
	d.emit(k, n, value{list: words, place: d.src.place(at)})
}

// rule reads a word, or the object that may stand for it: one of names, or one
// of parts that make up one value.
func (d *decoder) rule(k *key, v *hujson.Value, n node) {
	obj, ok := v.Value.(*hujson.Object)
	switch {
	case !ok:
		val, problem := k.read(v.Value)
		if problem != "" {
			d.problem(v.StartOffset, "%s %s", subject(n.path), problem)
			return
		}
		val.place = n.at
		d.emit(k, n, val)
	case find(join(n.row, "*")) != nil:
		d.object(obj, n)
	default:
		d.whole(k, v, obj, n)
	}
}

// whole reads an object of parts as one value.
func (d *decoder) whole(k *key, v *hujson.Value, obj *hujson.Object, n node) {
	settings, problems := len(d.settings), len(d.problems)
	d.object(obj, n)
	val := value{place: n.at}
	for _, s := range d.settings[settings:] {
		s.key.part(&val, s.value)
	}
	d.settings = d.settings[:settings]
	switch {
	case len(d.problems) > problems:
	case val.text == "":
		d.problem(v.StartOffset, "%s has no action", subject(n.path))
	default:
		d.emit(k, n, val)
	}
}

// subject quotes a path for a message.
func subject(path string) string { return visible(clip(path)) }

// find returns the row of that path, or nil.
func find(path string) *key {
	for i := range table {
		if table[i].path == path {
			return &table[i]
		}
	}
	return nil
}
