package file

import (
	"errors"
	"io"

	"github.com/zuno-dev/zuno/internal/tools"
)

// A Picture is an image file that may be looked at.
type Picture struct {
	Name     string   // as people see it
	Subjects []string // what rules are matched with
	// Manual, when not "", says why only a person may allow to read it.
	Manual string
	place  Place
}

// Picture works out which file a name means, under the rules of read.
func (t *Tools) Picture(name string) (Picture, error) {
	place, err := t.files.ws.Resolve(name)
	if err != nil {
		return Picture{}, tools.Refuse(tools.InvalidArguments, "read %v", err)
	}
	if secret(place.Real) {
		return Picture{}, tools.Refuse(tools.Denied, "read %s: it shows the environment or the memory of a process, which is never read", place.Name)
	}
	p := Picture{Name: tools.CleanLine(place.Name), Subjects: subjects(place), place: place}
	if !t.files.ws.reads(place) {
		p.Manual = outside(place)
	}
	return p, nil
}

// Check reads the beginning of the file, and says why it cannot be looked at.
func (p Picture) Check() error {
	return p.read(func(string, []byte, io.Reader) error { return nil })
}

// Load reads the image.
func (p Picture) Load() (tools.Image, error) {
	var image tools.Image
	err := p.read(func(mime string, head []byte, r io.Reader) error {
		rest, err := io.ReadAll(io.LimitReader(r, maxImage))
		if err != nil {
			return errors.New(explain(err))
		}
		if len(head)+len(rest) > maxImage {
			return errors.New("the image has more than 3.75 MiB: make a smaller one first")
		}
		image = tools.Image{MIME: mime, Data: append(head, rest...)}
		if fault := tools.PictureFault(image.Data); fault != "" {
			return errors.New("it begins like a picture, but " + fault)
		}
		return nil
	})
	return image, err
}

// read opens the file, tells by its beginning that it is an image, and hands all
// of it to use.
func (p Picture) read(use func(mime string, head []byte, rest io.Reader) error) error {
	wrong := func(why string) error { return errors.New("read " + p.Name + ": " + why) }
	r, err := openFile(p.place.Real)
	if err != nil {
		return wrong(explain(err))
	}
	defer r.close()
	head := make([]byte, 16)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return wrong(explain(err))
	}
	mime := tools.PictureType(head[:n])
	if mime == "" {
		return wrong("it is no image, audio or video that can be looked at: png, jpeg, gif and webp images can")
	}
	if err := use(mime, head[:n:n], r); err != nil {
		return wrong(err.Error())
	}
	return nil
}

// Readable works out which file a name means, for others that read it: how
// people see it, its real path, and, when not "", why only a person may allow to
// read it.
func (t *Tools) Readable(name string) (shown, real, manual string, err error) {
	p, err := t.Picture(name)
	return p.Name, p.place.Real, p.Manual, err
}
