package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/zuno-dev/zuno/internal/tools"
)

// ErrMissing is the error of a Mention of what does not exist.
var ErrMissing = errors.New("it does not exist")

// Mention reads what the user named in a prompt, as the tool read does: the
// lines from and to, all that fits when both are zero. Nobody is asked, so what
// lies outside the workspace is an error and is not read. The outcome is not
// ok when it could not be read or is not text; its name is as people see it.
func (t *Tools) Mention(ctx context.Context, name string, from, to int) (p Place, o tools.Outcome, err error) {
	f := t.files
	if p, err = f.ws.Resolve(name); err != nil {
		return p, o, err
	}
	switch {
	case secret(p.Real):
		return p, o, errors.New("it shows the environment or the memory of a process, which is never read")
	case !f.ws.reads(p):
		return p, o, errors.New(outside(p))
	}
	if _, err := os.Stat(p.Real); errors.Is(err, fs.ErrNotExist) {
		return p, o, ErrMissing
	}
	args := readArgs{FilePath: name, Offset: max(1, from)}
	if to > 0 {
		if to < args.Offset {
			return p, o, fmt.Errorf("lines %d to %d are none", from, to)
		}
		args.Limit = to - args.Offset + 1
	}
	return p, f.readPlace(ctx, p, args), nil
}

// MaxPicture is the size in bytes of the largest picture that is sent.
const MaxPicture = maxImage
