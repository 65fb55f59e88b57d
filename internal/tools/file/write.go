package file

import (
	"context"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

type writeArgs struct {
	Content  string `json:"content" doc:"The whole content of the file"`
	FilePath string `json:"filePath" doc:"Path of the file, absolute or relative to the workspace; missing folders are made"`
}

const writeDoc = "Creates a file, or replaces one as a whole; to change a part of one, use apply_patch. " +
	"A file that exists must have been read before. Line endings and byte order mark of an existing file are kept."

func (f *files) write() tools.Tool {
	return tools.New(changing("write", writeDoc), func(_ context.Context, _ tools.Spec, args writeArgs) (*tools.Proposal, error) {
		p, err := f.proposeWrite(args)
		rewritable(p, "content", "the content of "+tools.CleanLine(args.FilePath), args.FilePath)
		return about(args.FilePath, p, err)
	})
}

// Put proposes to write a content, for a tool that makes what it writes itself:
// the change, its preview, its protections and its way back are those of write.
// It also returns the absolute path of the file. The error is a [tools.Refusal].
func (t *Tools) Put(path, content string) (p *tools.Proposal, real string, err error) {
	p, err = t.files.proposeWrite(writeArgs{Content: content, FilePath: path})
	if p, err = about(path, p, err); err != nil {
		return nil, "", err
	}
	place, err := t.files.ws.Resolve(path)
	if err != nil {
		return nil, "", tools.Refuse(tools.InvalidArguments, "%v", err)
	}
	return p, place.Real, nil
}

func (f *files) proposeWrite(args writeArgs) (*tools.Proposal, error) {
	place, now, err := f.find(args.FilePath)
	if err != nil {
		return nil, err
	}
	if !now.exists() { // a name that it was read by is the name of what was read
		other := f.asSpelt(place)
		if _, read := f.receipts.get(other.Real); read && other.Real != place.Real {
			if place, now, err = f.find(other.Real); err != nil {
				return nil, err
			}
		}
	}
	c := &change{kind: "A", place: place, before: now, after: []byte(args.Content), whole: true}
	if now.exists() {
		if err := changeable(place, now); err != nil {
			return nil, err
		}
		if err := f.receipts.check(place, now); err != nil {
			return nil, err
		}
		c.kind = "M"
		if !isBinary(now.data) {
			if c.after, err = patch.Adopt(now.data, args.Content); err != nil {
				return nil, tools.Refuse(tools.InvalidArguments, "write %s: %v", place.Name, err)
			}
			if err := c.fits(now.data); err != nil {
				return nil, err
			}
		}
	}
	return f.propose([]*change{c}), nil
}
