package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// An Input is what loading depends on.
type Input struct {
	// Env looks up a variable of the process's real environment. zuno reads no
	// .env file, so that a repository can move neither its home nor an endpoint.
	Env func(name string) string
	// Home is the user's home folder, "" when there is none.
	Home string
	// Dir is the working directory, absolute.
	Dir string
	// Root is the folder of the project; "" means [Root] of Dir.
	Root string
	// File is the file named on the command line, "" for none; a relative one is
	// taken from Dir.
	File string
	// Trust reports whether a person has trusted the project's file at path with
	// exactly this text. Nil trusts none.
	Trust func(path, text string) bool
}

// Paths are the folders that zuno keeps things in. They need not exist.
type Paths struct {
	Config, Data, Cache, State string
}

// Paths returns the folders: those of the XDG base directory specification,
// which says that relative values of its variables are to be ignored, or
// sub-folders of ZUNO_HOME. A relative ZUNO_HOME is taken from the working
// directory.
func (in Input) Paths() (Paths, error) {
	if home := in.env("ZUNO_HOME"); home != "" {
		if !filepath.IsAbs(home) {
			home = filepath.Join(in.Dir, home)
		}
		at := func(name string) string { return filepath.Join(home, name) }
		return Paths{at("config"), at("data"), at("cache"), at("state")}, nil
	}
	var missing bool
	at := func(name, usual string) string {
		base := in.env(name)
		if !filepath.IsAbs(base) {
			missing = missing || in.Home == ""
			base = filepath.Join(in.Home, usual)
		}
		return filepath.Join(base, "zuno")
	}
	p := Paths{
		at("XDG_CONFIG_HOME", ".config"), at("XDG_DATA_HOME", ".local/share"),
		at("XDG_CACHE_HOME", ".cache"), at("XDG_STATE_HOME", ".local/state"),
	}
	if missing {
		return Paths{}, errors.New("find zuno's folders: there is no home folder: set HOME or ZUNO_HOME")
	}
	if in.Home != "" && !filepath.IsAbs(in.Home) { // it would be another one in every folder, and in the repository
		return Paths{}, fmt.Errorf("find zuno's folders: HOME is %q, which is not an absolute path: set it to one, or set ZUNO_HOME", in.Home)
	}
	return p, nil
}

func (in Input) env(name string) string {
	if in.Env == nil {
		return ""
	}
	return in.Env(name)
}

// Root returns the folder of the project that dir is in: the nearest one, going
// up, that has a .git, and dir itself where there is none.
func Root(dir string) string {
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}
