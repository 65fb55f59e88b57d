// Package file holds the tools that read and change files: read, write,
// apply_patch and edit. Each works out the whole change while it proposes,
// down to the byte, and carries it out only if the files are still as they
// were then. All of them ask one [Workspace] what a path means, and share what
// is known of which file contents the model has seen.
package file

import (
	"crypto/sha256"
	"errors"
	"sync"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/unix"
)

// New returns read, write, apply_patch and edit for one workspace and one
// session: a file read by one of them is known to the others.
func New(ws *Workspace) []tools.Tool {
	f := newFiles(ws)
	return []tools.Tool{f.read(), f.write(), f.applyPatch(), f.edit()}
}

// files is what the tools share.
type files struct {
	ws       *Workspace
	receipts *receipts
	disk     func(fd int, p []byte) (int, error) // unix.Write, but for a test of a full disk
}

func newFiles(ws *Workspace) *files {
	return &files{ws: ws, receipts: &receipts{seen: map[string]sum{}}, disk: unix.Write}
}

// changing is the declaration that the three changing tools have in common.
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

// check refuses to change a file whose present content was not seen.
func (r *receipts) check(p Place, now state) error {
	switch s, ok := r.get(p.Real); {
	case !ok:
		return tools.Refuse(tools.Stale, "%s exists and has not been read: read it first, so that nothing in it is lost unseen", p.Name)
	case s != now.sum:
		return tools.Refuse(tools.Stale, "%s changed since it was read: read it again and base the change on what it holds now", p.Name)
	}
	return nil
}
