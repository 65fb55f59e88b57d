// Package file holds the tools that read and change files: read, write,
// apply_patch and edit, and those that work on names: mkdir, rm, mv and cp.
// Each works out the whole change while it proposes, down to the byte, and
// carries it out only if the files are still as they were then. All of them ask
// one [Workspace] what a path means, and share what is known of which file
// contents the model has seen. What they change can be put back, see
// [Tools.Restore].
package file

import (
	"crypto/sha256"
	"errors"
	"path/filepath"
	"sync"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Tools are the tools for files of one session.
type Tools struct{ files *files }

// New returns the tools for one workspace and one session: a file read by one
// of them is known to the others.
func New(ws *Workspace) *Tools { return &Tools{newFiles(ws)} }

// List returns the tools.
func (t *Tools) List() []tools.Tool {
	f := t.files
	return []tools.Tool{f.read(), f.write(), f.applyPatch(), f.edit(), f.mkdir(), f.rm(), f.mv(), f.cp()}
}

// Forget drops what is known of the contents that the model has seen, for a
// conversation that was taken back: it has to read files again.
func (t *Tools) Forget() {
	r := t.files.receipts
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	clear(r.seen)
}

// files is what the tools share.
type files struct {
	ws       *Workspace
	receipts *receipts
	entries  int                                 // at most of one removal, move or copy
	disk     func(fd int, p []byte) (int, error) // write, but for a test of a full disk
}

func newFiles(ws *Workspace) *files {
	return &files{ws: ws, receipts: &receipts{seen: map[string]sum{}}, entries: maxEntries, disk: write}
}

// changing is the declaration that the changing tools have in common.
func changing(name, description string) tools.Spec {
	return tools.Spec{
		Name: name, Description: description,
		Effect: tools.SideEffecting, Replay: tools.Never, Concurrency: tools.Exclusive, Risk: tools.High,
	}
}

// about names in a refusal the file that it is about.
func about(name string, p *tools.Proposal, err error) (*tools.Proposal, error) {
	var r *tools.Refusal
	if errors.As(err, &r) && r.Summary == "" {
		r.Summary = tools.CleanLine(name)
	}
	return p, err
}

// rewritable says what of a call a person may rewrite before they allow it.
// There is no proposal where there was an error.
func rewritable(p *tools.Proposal, arg, what, path string) {
	if p != nil {
		p.Edit = &tools.Edit{Arg: arg, What: what, Name: filepath.Base(path)}
	}
}

// A sum is the SHA-256 of a content.
type sum [sha256.Size]byte

// receipts remember the content of each file that the model has last seen, by
// real path. Content counts and time does not, so a formatter that touches a
// file without changing it takes nothing away.
type receipts struct {
	seenMu sync.Mutex
	seen   map[string]sum
}

func (r *receipts) put(real string, s sum) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	r.seen[real] = s
}

func (r *receipts) get(real string) (sum, bool) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	s, ok := r.seen[real]
	return s, ok
}

func (r *receipts) drop(real string) {
	r.seenMu.Lock()
	defer r.seenMu.Unlock()
	delete(r.seen, real)
}

// move gives what is known of one path to another.
func (r *receipts) move(from, to string) {
	if s, ok := r.get(from); ok {
		r.drop(from)
		r.put(to, s)
	} else {
		r.drop(to)
	}
}

// check refuses to change a file whose present content was not seen.
func (r *receipts) check(p Place, now state) error {
	switch s, ok := r.get(p.Real); {
	case !ok && binary(now.data) != "":
		return tools.Refuse(tools.InvalidArguments, "%s is %s, which cannot be read here: to replace it as a whole, delete it and add it anew in one patch", p.Name, binary(now.data))
	case !ok:
		return tools.Refuse(tools.Stale, "%s exists and has not been read: read it first", p.Name)
	case s != now.sum:
		return tools.Refuse(tools.Stale, "%s changed since it was read: read it again and base the change on what it holds now", p.Name)
	}
	return nil
}
