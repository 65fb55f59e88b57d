package shell

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Browser returns the program, with the arguments before the address, that opens
// addresses in the user's browser on a kind of system as of runtime.GOOS: that of
// BROWSER, or the system's. The error says why there is none.
func (l Lookup) Browser(system string) ([]string, error) {
	if b := l.get("BROWSER"); b != "" {
		path, err := b, error(nil)
		if !filepath.IsAbs(b) {
			path, err = l.Find(b)
		} else if !isProgram(b) {
			err = fmt.Errorf("%s is no program", b)
		}
		if err != nil {
			return nil, fmt.Errorf("BROWSER names none: %w", err)
		}
		return []string{path}, nil
	}
	name, before := "xdg-open", []string(nil)
	switch {
	case system == "darwin":
		name = "open"
	case system == "windows":
		name, before = "rundll32", []string{"url.dll,FileProtocolHandler"}
	case l.get("DISPLAY") != "" || l.get("WAYLAND_DISPLAY") != "":
	case l.get("WSL_DISTRO_NAME") != "":
		name = "wslview"
	default:
		return nil, errors.New("there is no display here to open it on")
	}
	path, err := l.Find(name)
	if err != nil {
		return nil, err
	}
	return append([]string{path}, before...), nil
}
