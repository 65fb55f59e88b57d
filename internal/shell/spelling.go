package shell

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"
)

// A spelling gives a path in a command the one form that the analysis compares,
// with slashes, or says why that cannot be told. Nil is that of Unix, where a
// path is what it says.
type spelling func(text string) (p, why string)

// onWindows spells a path as a bash of Windows and the programs that it starts
// read it: C:\Work, c:/work and /c/work are all /c/work. Case does not count.
// What Windows leaves out of a name, dots and blanks at its end and the name of
// a stream, is left out, so that it is no way around what is said of the file.
// Shares of the network begin with /unc.
func onWindows(text string) (p, why string) {
	p = strings.ToLower(strings.ReplaceAll(text, `\`, "/"))
	for _, device := range []string{"//?/", "//./"} {
		if rest, ok := strings.CutPrefix(p, device); ok {
			if p = rest; strings.HasPrefix(p, "unc/") {
				p = "/" + p[3:]
			} else if len(p) < 3 || p[1] != ':' {
				return "", "it names a device"
			}
		}
	}
	switch {
	case strings.HasPrefix(p, "//") && strings.Trim(p, "/") != "" && p[2] != '/':
		if strings.Contains(p, "$") {
			return "", "it names a drive by the network"
		}
		p = "/unc/" + p[2:]
	case len(p) >= 2 && p[1] == ':' && isLetter(p[0]):
		if len(p) < 3 || p[2] != '/' {
			return "", "it goes by the current folder of a drive"
		}
		p = "/" + p[:1] + p[2:]
	}
	for _, mount := range []string{"/proc/cygdrive/", "/cygdrive/"} {
		if rest, ok := strings.CutPrefix(p, mount); ok {
			p = "/" + rest
		}
	}
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if part == "" || part == "." || part == ".." {
			continue
		}
		part, _, _ = strings.Cut(part, ":")
		switch part = strings.TrimRight(part, ". "); {
		case part == "": // nothing but dots, as in the ./... of go
			part = "."
		case shortName.MatchString(part):
			return "", "it may be the short name of another file"
		case windowsDevice(part):
			return "", "it names a device"
		}
		parts[i] = part
	}
	return strings.Join(parts, "/"), ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// shortName matches the names of eight and three characters that files with
// longer ones have as well.
var shortName = regexp.MustCompile(`^[^.]{1,7}~[0-9]{1,6}(\.[^.]{0,3})?$`)

// windowsDevice reports the names that are devices in every folder.
func windowsDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.TrimRight(stem, " ")
	if oneOf(stem, "con", "prn", "aux", "nul", "conin$", "conout$", "clock$") {
		return true
	}
	digit, ok := strings.CutPrefix(stem, "com")
	if !ok {
		digit, ok = strings.CutPrefix(stem, "lpt")
	}
	return ok && oneOf(digit, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³")
}

// nativePath is a spelled path as Windows itself takes it, "" for one that only
// the files of bash have.
func (at Place) nativePath(p string) string {
	back := func(s string) string { return strings.ReplaceAll(s, "/", `\`) }
	if rest, ok := strings.CutPrefix(p, "/unc/"); ok {
		return `\\` + back(rest)
	}
	if len(p) >= 2 && p[0] == '/' && isLetter(p[1]) && (len(p) == 2 || p[2] == '/') {
		return p[1:2] + `:\` + back(strings.TrimPrefix(p[2:], "/"))
	}
	return ""
}

// spelled is at with paths as the analysis compares them, and a file system
// that is asked by these.
func (at Place) spelled() Place {
	for _, p := range []*string{&at.Dir, &at.Workspace, &at.Home, &at.Temp} {
		*p = at.spellOwn(*p)
	}
	for _, list := range []*[]string{&at.Own, &at.Secrets} {
		spelled := make([]string, len(*list))
		for i, p := range *list {
			spelled[i] = at.spellOwn(p)
		}
		*list = spelled
	}
	lstat, readlink := at.Lstat, at.Readlink
	at.Lstat = func(p string) (fs.FileInfo, error) {
		native := at.nativePath(p)
		if native == "" {
			return elsewhere{}, nil
		}
		info, err := lstat(native)
		if err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == fs.ModeIrregular {
			if _, err := readlink(native); err == nil { // a junction
				return junction{info}, nil
			}
		}
		return info, err
	}
	at.Readlink = func(p string) (string, error) {
		to, err := readlink(at.nativePath(p))
		if err != nil {
			return "", err
		}
		if to, why := at.spell(to); why == "" {
			return to, nil
		}
		return "/unc/unknown", nil
	}
	return at
}

// spellOwn spells a path that zuno itself knows. One that cannot be told is
// taken for a place where nothing else is.
func (at Place) spellOwn(p string) string {
	if p == "" {
		return ""
	}
	if to, why := at.spell(p); why == "" {
		return path.Clean(to)
	}
	return "/unc/unknown" + strings.ToLower(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")))
}

// program is the name of the program that a word starts on Windows.
func (at Place) program(word string) (written, name string) {
	if at.spell == nil {
		return word, base(word)
	}
	written = strings.ReplaceAll(word, `\`, "/")
	return written, strings.TrimSuffix(strings.ToLower(base(written)), ".exe")
}

// An elsewhere is something of bash's own files: it is there, for all we know.
type elsewhere struct{}

func (elsewhere) Name() string       { return "" }
func (elsewhere) Size() int64        { return 0 }
func (elsewhere) Mode() fs.FileMode  { return fs.ModeDir }
func (elsewhere) ModTime() time.Time { return time.Time{} }
func (elsewhere) IsDir() bool        { return true }
func (elsewhere) Sys() any           { return nil }

// A junction is one, which is followed like a symbolic link.
type junction struct{ fs.FileInfo }

func (j junction) Mode() fs.FileMode { return j.FileInfo.Mode() | fs.ModeSymlink }

// windowsDirs are the folders of Windows on the drive c or another, as they are
// spelled; a drive itself is one too.
var (
	windowsDir  = regexp.MustCompile(`^/[a-z](/(users|programdata|perflogs|recovery))?$`)
	windowsTree = regexp.MustCompile(`^/[a-z]/(windows|program files|program files \(x86\)|programdata/microsoft|boot|efi|system volume information|\$recycle\.bin)(/|$)`)
)
