package file

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A sum is the SHA-256 of a content.
type sum [sha256.Size]byte

// receipts remember the content of each file that the model has last seen, by
// real path. Content counts and time does not, so a formatter that touches a
// file without changing it takes nothing away.
type receipts struct {
	seenMu sync.Mutex
	seen   map[string]sum
	parts  map[string]part // of those that were not seen as a whole
}

// A part is what was shown of a content: lines, counted from 1, both ends
// included.
type part struct {
	lines int // of the content
	spans [][2]int
}

func newReceipts() *receipts { return &receipts{seen: map[string]sum{}, parts: map[string]part{}} }

// forget drops everything.
func (r *receipts) forget() {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	clear(r.seen)
	clear(r.parts)
}

// put notes a content that the model knows: the whole of it, or of some lines
// nobody knows which.
func (r *receipts) put(real string, s sum, whole bool) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	seen, ok := r.seen[real]
	if _, partly := r.parts[real]; !whole && ok && seen == s && !partly {
		return // all of it is known
	}
	r.seen[real] = s
	if delete(r.parts, real); !whole {
		r.parts[real] = part{}
	}
}

// show notes the lines that were shown of a content.
func (r *receipts) show(real string, s sum, from, last, lines int) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	p, partly := r.parts[real]
	if seen, ok := r.seen[real]; ok && seen == s && !partly {
		return // all of it is known
	} else if !ok || seen != s {
		p = part{}
	}
	r.seen[real] = s
	p.lines, p.spans = lines, joined(append(slices.Clone(p.spans), [2]int{from, last}))
	if delete(r.parts, real); lines > 0 && (p.spans[0][0] > 1 || p.spans[0][1] < lines) {
		r.parts[real] = p
	}
}

// joined sorts spans and joins those without a line between them.
func joined(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s[0] <= last[1]+1 {
			last[1] = max(last[1], s[1])
		} else {
			out = append(out, s)
		}
	}
	return out
}

func (r *receipts) get(real string) (sum, bool) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	s, ok := r.seen[real]
	return s, ok
}

// partly returns what was shown of a content that was not seen as a whole.
func (r *receipts) partly(real string) (part, bool) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	p, ok := r.parts[real]
	return p, ok
}

func (r *receipts) drop(real string) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	delete(r.seen, real)
	delete(r.parts, real)
}

// move gives what is known of one path to another.
func (r *receipts) move(from, to string) {
	s, ok := r.get(from)
	p, partly := r.partly(from)
	r.drop(from)
	r.drop(to)
	if !ok {
		return
	}
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	if r.seen[to] = s; partly {
		r.parts[to] = p
	}
}

// check refuses to change a file whose present content was not seen.
func (r *receipts) check(p Place, now state) error {
	switch s, ok := r.get(p.Real); {
	case !ok && isBinary(now.data):
		return tools.Refuse(tools.InvalidArguments, "%s is a binary file, which cannot be read here: to replace it as a whole, delete it and add it anew in one patch", p.Name)
	case !ok:
		return tools.Refuse(tools.Stale, "%s exists and has not been read: read it first", p.Name)
	case s != now.sum:
		return tools.Refuse(tools.Stale, "%s changed since it was read: read it again and base the change on what it holds now", p.Name)
	}
	return nil
}

// checkWhole refuses to replace a file of which lines were not seen.
func (r *receipts) checkWhole(p Place, now state) error {
	if err := r.check(p, now); err != nil {
		return err
	}
	if seen, partly := r.partly(p.Real); partly {
		return tools.Refuse(tools.Stale, "%s was read in part only%s, and this would replace all of it: read the rest first, or change a part with apply_patch", p.Name, seen)
	}
	return nil
}

// String names the lines.
func (p part) String() string {
	if len(p.spans) == 0 {
		return ""
	}
	text := fmt.Sprintf(" (lines %d to %d", p.spans[0][0], p.spans[0][1])
	if len(p.spans) > 1 {
		text += " and others"
	}
	return text + fmt.Sprintf(" of %d)", p.lines)
}
