package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/tools/memory"
)

// The bounds of what is kept of one workspace.
const (
	maxHistory      = 1000     // texts
	maxElsewhere    = 2000     // texts of all other workspaces
	maxHistoryText  = 16 << 10 // bytes of one
	maxHistoryBytes = 4 << 20  // of the file, from which it is written anew
)

// A history is what was sent in one workspace, a file that only the user can
// read. A line is a JSON string, so that no text can pass for two.
type history struct {
	path string
	mu   sync.Mutex // one writer of this process at a time
}

func (p *plan) history() *history {
	sum := sha256.Sum256([]byte(p.root))
	return &history{path: filepath.Join(p.paths.State, "history", hex.EncodeToString(sum[:8])+".jsonl")}
}

// load returns the texts, oldest first, each once. What cannot be read is left
// out: a history is no reason not to start.
func (h *history) load() []string {
	b, err := os.ReadFile(h.path)
	if err != nil {
		return nil
	}
	return textsOf(b)
}

func textsOf(b []byte) []string {
	var list []string
	seen := map[string]bool{}
	lines := bytes.Split(b, []byte("\n"))
	for i := len(lines) - 1; i >= 0 && len(list) < maxHistory; i-- {
		var text string
		if json.Unmarshal(lines[i], &text) != nil || text == "" || seen[text] {
			continue
		}
		seen[text] = true
		list = append(list, text)
	}
	slices.Reverse(list)
	return list
}

// elsewhere returns the texts of the other workspaces, oldest first, each once:
// of the one that was used last, the newest. There are maxElsewhere at most.
func (h *history) elsewhere() ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(h.path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	used := map[string]time.Time{}
	var names []string
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && filepath.Ext(e.Name()) == ".jsonl" && e.Name() != filepath.Base(h.path) {
			names = append(names, e.Name())
			used[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(names, func(a, b string) int { return used[b].Compare(used[a]) })
	var list []string
	seen := map[string]bool{}
	for _, name := range names {
		texts := (&history{path: filepath.Join(filepath.Dir(h.path), name)}).load()
		for _, text := range slices.Backward(texts) {
			if !seen[text] && len(list) < maxElsewhere {
				seen[text] = true
				list = append(list, text)
			}
		}
		if len(list) == maxElsewhere {
			break
		}
	}
	slices.Reverse(list)
	return list, nil
}

// add keeps a text, unless it seems to hold a secret or is very long.
func (h *history) add(text string) error {
	if text == "" || len(text) > maxHistoryText || memory.Secret(text) != "" {
		return nil
	}
	line, err := json.Marshal(text)
	if err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	f, err := h.open()
	if err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	defer f.Close() // and with it the lock
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	if info, err := f.Stat(); err != nil || info.Size() < maxHistoryBytes {
		return err
	}
	return h.shorten()
}

// open opens the file for appending and locks it against other zunos. One of
// them may have put another file in its place meanwhile: then it is opened again.
func (h *history) open() (*os.File, error) {
	for {
		f, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE|os.O_APPEND|noFollow, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lockFile(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		mine, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		now, err := os.Stat(h.path)
		if err == nil && os.SameFile(mine, now) {
			return f, f.Chmod(0o600)
		}
		if cerr := f.Close(); err != nil && !errors.Is(err, fs.ErrNotExist) || cerr != nil {
			return nil, errors.Join(err, cerr)
		}
	}
}

// shorten writes the file anew with what counts of it.
func (h *history) shorten() error {
	t, err := os.CreateTemp(filepath.Dir(h.path), "new-")
	if err != nil {
		return fmt.Errorf("shorten the history: %w", err)
	}
	w := bufio.NewWriter(t)
	size := 0
	list := h.load()
	for i := len(list) - 1; i >= 0; i-- { // the newest that take half of the room
		if size += len(list[i]) + 8; size > maxHistoryBytes/2 {
			list = list[i+1:]
			break
		}
	}
	for _, text := range list {
		line, _ := json.Marshal(text) // a string always can be
		_, _ = w.Write(append(line, '\n'))
	}
	if err := errors.Join(w.Flush(), t.Close(), os.Rename(t.Name(), h.path)); err != nil {
		_ = os.Remove(t.Name())
		return fmt.Errorf("shorten the history: %w", err)
	}
	return nil
}
