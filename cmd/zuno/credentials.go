package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/zuno-dev/zuno/internal/config"
)

// A keyring holds the keys of providers, by the name of the variable that each
// would be in. A variable of the environment comes before the file.
type keyring struct {
	path   string // of the file
	stored map[string]string
}

// keysFile is the file of keys, in the folder of the person's configuration.
const keysFile = "credentials.json"

const maxCredentials = 256 << 10 // bytes

// get returns the key for a variable, "" for none.
func (k keyring) get(name string) string {
	if v := os.Getenv(name); v != "" || name == "" {
		return v
	}
	return k.stored[name]
}

// from says where the key for a variable is, "" for nowhere.
func (k keyring) from(name string) string {
	switch {
	case name == "":
		return ""
	case os.Getenv(name) != "":
		return "the environment"
	case k.stored[name] != "":
		return k.path
	}
	return ""
}

// openKeyring reads the file of keys, which need not exist. A file that others
// can read, or that is none of ours, is an error, and no word of it is quoted.
func openKeyring() (keyring, error) {
	dir := configFolder()
	if dir == "" {
		return keyring{}, nil // who needs the folders says so
	}
	return readKeyring(filepath.Join(dir, keysFile))
}

// configFolder is where the person's configuration is, "" where that cannot be
// told.
func configFolder() string {
	home, _ := os.UserHomeDir()
	dir, _ := os.Getwd()
	paths, err := config.Input{Env: os.Getenv, Home: home, Dir: dir}.Paths()
	if err != nil {
		return ""
	}
	return paths.Config
}

func readKeyring(path string) (keyring, error) {
	k := keyring{path: path}
	b, err := readSecret(path, "stored keys")
	if err != nil || b == nil {
		return k, err
	}
	var keys map[string]string
	if json.Unmarshal(b, &keys) != nil { // its error may quote a key
		return k, fmt.Errorf(`the stored keys in %s are not used: it has to be an object from variables to keys, {"ANTHROPIC_API_KEY": "..."}: correct it or remove it`, path)
	}
	k.stored = keys
	return k, nil
}

// readSecret reads a file of secrets, nil when there is none. What they are is
// for the error, which quotes nothing.
func readSecret(path, what string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s in %s: %s", what, path, plainError(err))
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the %s in %s: %s", what, path, plainError(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the %s in %s are not used: it is not a regular file", what, path)
	case othersRead(path, info):
		return nil, fmt.Errorf("the %s in %s are not used: others can read the file: run %s on it, and think of new ones", what, path, privateCommand)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxCredentials))
	if err != nil {
		return nil, fmt.Errorf("read the %s in %s: %s", what, path, plainError(err))
	}
	return append([]byte{}, b...), nil
}

// store keeps a key for a variable. The file is its owner's only, and either as
// it was or with the new key, whenever the machine stops.
func (k keyring) store(name, key string) error {
	if problem := badKey(key); problem != "" {
		return errors.New(problem)
	}
	keys := maps.Clone(k.stored)
	if keys == nil {
		keys = map[string]string{}
	}
	keys[name] = key
	b, err := json.MarshalIndent(keys, "", "  ")
	if err != nil {
		return fmt.Errorf("store the key: %w", err)
	}
	return writeSecret(k.path, "key", b)
}

// writeSecret replaces a file of secrets, in one step and for its owner only.
func writeSecret(path, what string, b []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store the %s: make %s: %s", what, dir, plainError(err))
	}
	f, err := os.CreateTemp(dir, ".credentials-*") // mode 0600
	if err != nil {
		return fmt.Errorf("store the %s in %s: %s", what, dir, plainError(err))
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("store the %s in %s: %s", what, path, plainError(err)), os.Remove(f.Name()))
	}
	return nil
}

// names lists the variables that the file has keys for.
func (k keyring) names() []string { return slices.Sorted(maps.Keys(k.stored)) }

// badKey says why a text cannot be a key, "" when it can. It quotes nothing.
func badKey(key string) string {
	switch {
	case key == "":
		return "nothing was pasted"
	case len(key) < 8 || len(key) > 4096:
		return "that is no key: a key has 8 to 4,096 characters"
	case strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }):
		return "that is no key: it holds a space, a line break or a character that no key has"
	}
	return ""
}
