package tools

import (
	"bytes"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

func TestPicturesThatAreNotWholeAreTold(t *testing.T) {
	drawn := image.NewPaletted(image.Rect(0, 0, 40, 30), palette.Plan9)
	for i := range drawn.Pix {
		drawn.Pix[i] = byte(i * 7)
	}
	encoded := func(f func(b *bytes.Buffer) error) string {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	webp := "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	for mime, data := range map[string]string{
		"image/png":  encoded(func(b *bytes.Buffer) error { return png.Encode(b, drawn) }),
		"image/jpeg": encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, drawn, nil) }),
		"image/gif":  encoded(func(b *bytes.Buffer) error { return gif.Encode(b, drawn, nil) }),
		"image/webp": webp,
	} {
		if got := PictureType([]byte(data)); got != mime {
			t.Errorf("%s is %q", mime, got)
		}
		if fault := PictureFault([]byte(data)); fault != "" {
			t.Errorf("%s: %s", mime, fault)
		}
		if fault := PictureFault([]byte(data + "\x00more")); fault != "" {
			t.Errorf("%s with something behind it: %s", mime, fault)
		}
		for _, n := range []int{12, 20, len(data) / 2} {
			if mime == "image/gif" && n > 20 {
				continue // what shows of it shows
			}
			if n < len(data) && PictureFault([]byte(data[:n])) == "" && PictureType([]byte(data[:n])) != "" {
				t.Errorf("%d bytes of %d of %s are whole", n, len(data), mime)
			}
		}
	}
	bad := []byte(encoded(func(b *bytes.Buffer) error { return png.Encode(b, drawn) }))
	bad[40]++
	if fault := PictureFault(bad); fault != "it is damaged" {
		t.Errorf("a changed byte: %q", fault)
	}
	if fault := PictureFault([]byte("<svg/>")); fault != "it is no picture" {
		t.Errorf("no picture: %q", fault)
	}
}

func FuzzPictureFaultDoesNotPanic(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x00IEND\xae\x42\x60\x82"))
	f.Add([]byte("\xff\xd8\xff\xe0\x00\x10\xff\xda\x00\x00\xff\xd9"))
	f.Fuzz(func(_ *testing.T, data []byte) { PictureFault(data) })
}
