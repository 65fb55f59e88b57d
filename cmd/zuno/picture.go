package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	_ "image/gif" // their sizes are shown
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// picture makes a picture that the person dropped on the terminal something that
// a prompt can mention. One outside the workspace is copied to where zuno may
// read: that it was dropped says that it may be sent, and it may be gone when it
// is, as screenshots are.
func (p *plan) picture(s *session, path string) (mention, label string, err error) {
	if info := s.using().info; !info.Images {
		return "", "", fmt.Errorf("%s does not read images: the path is text", info.ID)
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", fmt.Errorf("read the picture: %w", err)
		}
		path = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.root, path)
	}
	data, err := readPicture(path)
	if err != nil {
		return "", "", err
	}
	mime := tools.PictureType(data)
	if mime == "" {
		return "", "", fmt.Errorf("%s is no png, jpeg, gif or webp: the path is text", filepath.Base(path))
	}
	if fault := tools.PictureFault(data); fault != "" {
		return "", "", fmt.Errorf("%s begins like a picture, but %s: the path is text", filepath.Base(path), fault)
	}
	label = filepath.Base(path)
	if size, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		label += fmt.Sprintf(" %d×%d", size.Width, size.Height)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if rel, err := filepath.Rel(p.root, real); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), label, nil
		}
	}
	sum := sha256.Sum256(data)
	kept := filepath.Join(p.paths.Cache, "spool", "image-"+hex.EncodeToString(sum[:8])+"."+strings.TrimPrefix(mime, "image/"))
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return "", "", fmt.Errorf("keep the picture: %w", err)
	}
	if err := os.WriteFile(kept, data, 0o600); err != nil {
		return "", "", fmt.Errorf("keep the picture: %w", err)
	}
	return kept, label, nil
}

// readPicture reads a regular file of a picture's size.
func readPicture(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the picture: %s: the path is text", plainError(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file: the path is text", filepath.Base(path))
	case info.Size() > file.MaxPicture:
		return nil, fmt.Errorf("%s has more than %.4g MiB: make it smaller first", filepath.Base(path), float64(file.MaxPicture)/(1<<20))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the picture: %s", plainError(err))
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, file.MaxPicture))
}
