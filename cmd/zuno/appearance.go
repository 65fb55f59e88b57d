package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/zuno-dev/zuno/internal/tui"
)

// maxTheme bounds a theme's file in bytes.
const maxTheme = 64 << 10

// appearance puts what is configured of the screen into o. The theme's file is
// part of the configuration, and is read as that is: before the first frame.
func (p *plan) appearance(o *tui.Options) error {
	ui, n := p.config.UI, p.config.Notifications
	o.UI = tui.Appearance{
		Background: ui.Background, Title: ui.Title, Compact: ui.Compact, Still: !ui.Animations || os.Getenv("ZUNO_NO_MOTION") != "",
		Reader: ui.ScreenReader || os.Getenv("ZUNO_SCREEN_READER") != "",
	}
	o.Notify = tui.Notify{When: n.When, Method: n.Method, Long: time.Duration(n.LongTurnSeconds) * time.Second}
	o.Themes = p.themes
	for _, b := range tui.Builtin() {
		if b.Name == ui.Theme {
			o.Theme = b
			return nil
		}
	}
	theme, err := p.readTheme(ui.Theme)
	if errors.Is(err, fs.ErrNotExist) {
		return configErrorf("%s: ui.theme: there is no theme %q: it is neither built in nor in %s", p.config.Places["ui.theme"], ui.Theme, p.themeDir())
	}
	if err != nil {
		return &codedError{exitConfig, err}
	}
	o.Theme = theme
	return nil
}

func (p *plan) themeDir() string { return filepath.Join(p.paths.Config, "themes") }

// readTheme reads one theme of the user's.
func (p *plan) readTheme(name string) (tui.Palette, error) {
	path := filepath.Join(p.themeDir(), name+".json")
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return tui.Palette{}, fmt.Errorf("read theme: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return tui.Palette{}, fmt.Errorf("read theme: %s is not a file", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxTheme+1))
	switch {
	case err != nil:
		return tui.Palette{}, fmt.Errorf("read theme: %w", err)
	case len(data) > maxTheme:
		return tui.Palette{}, fmt.Errorf("read theme: %s has more than %d KiB", path, maxTheme>>10)
	}
	theme, err := tui.ParseTheme(name, data)
	if err != nil {
		return theme, fmt.Errorf("%s: %w", path, err)
	}
	return theme, nil
}

// themes returns the themes that are built in and those of the user that can be
// read; the error is about the others.
func (p *plan) themes() ([]tui.Palette, error) {
	all := tui.Builtin()
	entries, err := os.ReadDir(p.themeDir())
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || slices.ContainsFunc(all, func(t tui.Palette) bool { return t.Name == name }) {
			continue
		}
		theme, terr := p.readTheme(name)
		if terr != nil {
			err = errors.Join(err, terr)
			continue
		}
		all = append(all, theme)
	}
	return all, err
}
