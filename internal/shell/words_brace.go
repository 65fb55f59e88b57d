package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds how many words one brace expansion may become.
const maxBraces = 256

func hasBrace(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") {
			return true
		}
	}
	return false
}

func hasBraceExp(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if _, ok := p.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

// braces lists the alternatives of a word whose braces were split.
func braces(parts []syntax.WordPart, limit int) ([][]syntax.WordPart, bool) {
	out := [][]syntax.WordPart{nil}
	for _, p := range parts {
		b, isBrace := p.(*syntax.BraceExp)
		if !isBrace {
			for i := range out {
				out[i] = append(out[i][:len(out[i]):len(out[i])], p)
			}
			continue
		}
		var alts [][]syntax.WordPart
		if b.Sequence {
			items, ok := sequence(b, limit)
			if !ok {
				return nil, false
			}
			for _, it := range items {
				alts = append(alts, []syntax.WordPart{&syntax.SglQuoted{Value: it}})
			}
		} else {
			for _, e := range b.Elems {
				sub, ok := braces(e.Parts, limit)
				if !ok {
					return nil, false
				}
				alts = append(alts, sub...)
			}
		}
		if len(out)*len(alts) > limit {
			return nil, false
		}
		next := make([][]syntax.WordPart, 0, len(out)*len(alts))
		for _, head := range out {
			for _, tail := range alts {
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		out = next
	}
	return out, true
}

// sequence lists {from..to[..step]}.
func sequence(b *syntax.BraceExp, limit int) ([]string, bool) {
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	step := 1
	if len(b.Elems) > 2 {
		n, err := strconv.Atoi(b.Elems[2].Lit())
		if err != nil {
			return nil, false
		}
		if step = max(n, -n); step == 0 {
			step = 1
		}
	}
	x, errX := strconv.Atoi(from)
	y, errY := strconv.Atoi(to)
	letters := errX != nil || errY != nil
	if letters {
		if len(from) != 1 || len(to) != 1 {
			return nil, false
		}
		x, y = int(from[0]), int(to[0])
	}
	if (x > y && (x-y)/step > limit) || (x <= y && (y-x)/step > limit) || step < 0 {
		return nil, false
	}
	var out []string
	add := func(i int) {
		if letters {
			out = append(out, string(rune(i)))
		} else {
			out = append(out, strconv.Itoa(i))
		}
	}
	if x <= y {
		for i := x; i <= y; i += step {
			add(i)
		}
	} else {
		for i := x; i >= y; i -= step {
			add(i)
		}
	}
	return out, true
}
