package file

import (
	"errors"
	"fmt"
	"strings"
)

// judgeWindows returns why a name cannot be judged where Windows gives it its
// meaning, nil when it can. One file may have many names there, and some of
// them name no file: what is neither plain nor certain is refused, so that no
// name is a way around a protected path. Volume is that of the workspace, as in
// "C:" or `\\server\share`.
func judgeWindows(name, volume string) error {
	path := strings.ReplaceAll(name, "/", `\`)
	switch {
	case strings.HasPrefix(path, `\\?\`), strings.HasPrefix(path, `\\.\`), strings.HasPrefix(path, `\??\`):
		return fmt.Errorf("%s: a path for devices is not used here: name the file as in C:/folder/file", name)
	case strings.HasPrefix(path, `\\`):
		rest, same := cutFold(path, volume)
		if !strings.HasPrefix(volume, `\\`) || !same || rest != "" && rest[0] != '\\' {
			return fmt.Errorf("%s: what a path of the network stands for is not known here: only files of the workspace's own share are named so", name)
		}
		path = rest
	case strings.HasPrefix(path, `\`):
		return fmt.Errorf("%s: it does not say on which drive: name it relative to the workspace or as in C:/folder/file", name)
	case len(path) >= 2 && path[1] == ':' && isLetter(path[0]):
		if len(path) == 2 || path[2] != '\\' {
			return fmt.Errorf("%s: it goes by the current folder of a drive: name it relative to the workspace or as in C:/folder/file", name)
		}
		path = path[2:]
	}
	for part := range strings.SplitSeq(path, `\`) {
		if err := judgePart(part); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// judgePart judges one part of a path.
func judgePart(part string) error {
	switch {
	case part == "", part == ".", part == "..", part == "~":
		return nil
	case strings.Contains(part, ":"):
		return errors.New("a colon names a stream of a file, which is not read and not changed here")
	case strings.ContainsAny(part, `<>"|?*`), strings.ContainsFunc(part, func(r rune) bool { return r < ' ' }):
		return fmt.Errorf("no file of Windows has such a name: %q", part)
	case strings.TrimRight(part, ". ") != part:
		return fmt.Errorf("%q ends in dots or blanks, which Windows leaves out: leave them out", part)
	}
	stem, _, _ := strings.Cut(part, ".")
	if deviceName(strings.TrimRight(stem, " ")) {
		return fmt.Errorf("%s is the name of a device", part)
	}
	return nil
}

// deviceName reports the names that are devices in every folder, see
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file.
func deviceName(stem string) bool {
	switch up := strings.ToUpper(stem); up {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	default:
		digit, ok := strings.CutPrefix(up, "COM")
		if !ok {
			digit, ok = strings.CutPrefix(up, "LPT")
		}
		return ok && strings.Contains("0123456789¹²³", digit) && len([]rune(digit)) == 1
	}
}
