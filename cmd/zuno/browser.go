package main

import (
	"context"
	"errors"
	"os"
	"runtime"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools/page"
)

// pages is what create_web_app needs. Where nobody is attended to, nothing can be
// opened.
func (p *plan) pages(env []string, attended bool) page.Config {
	if !attended {
		return page.Config{}
	}
	return page.Config{
		Browser: func() ([]string, error) { return browser(p.lookup(), runtime.GOOS, os.Getenv) },
		Open:    func(ctx context.Context, argv []string) error { return shell.Detach(ctx, argv, p.root, env) },
	}
}

// browser returns the program of the system that opens a page.
func browser(find shell.Lookup, system string, env func(string) string) ([]string, error) {
	name := "xdg-open"
	switch {
	case system == "darwin":
		name = "open"
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
	case env("WSL_DISTRO_NAME") != "":
		name = "wslview"
	default:
		return nil, errors.New("there is no display here to open it on")
	}
	path, err := find.Find(name)
	if err != nil {
		return nil, err
	}
	return []string{path}, nil
}
