// Package debuglog writes what zuno does into a file, for whoever looks for a
// fault: one JSON object a line, bounded in size, for its owner only, and
// without secrets. Each run has a file of its own, so that several may write at
// the same time, and the newest few are kept.
package debuglog

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/redact"
)

const (
	// maxBytes is how long a file gets before it is put aside, in bytes. A run
	// keeps its newest one or two of these.
	maxBytes = 4 << 20
	// kept is of how many runs the logs are kept, this one included.
	kept = 8
)

// A Log is the log of one run. Its Logger may be used from any goroutine.
type Log struct {
	*slog.Logger
	file  *file
	clean *cleaner
}

// Open makes a new file in dir, which it makes too, and takes away those of the
// oldest runs. Secrets are what no line may hold, beside what looks like one.
func Open(dir string, now time.Time, secrets []redact.Secret) (*Log, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the debug log: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", now.UTC().Format("20060102T150405.000"), os.Getpid()))
	f, err := create(path)
	if err != nil {
		return nil, fmt.Errorf("make the debug log: %w", err)
	}
	tidy(dir)
	c := &cleaner{}
	c.redact.Store(redact.New(secrets))
	h := slog.NewJSONHandler(&lines{clean: c, file: f}, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: c.attr})
	return &Log{slog.New(h).With("pid", os.Getpid()), f, c}, nil
}

// Hide puts other secrets in the place of those that it was opened with.
func (l *Log) Hide(secrets []redact.Secret) { l.clean.redact.Store(redact.New(secrets)) }

// Path is where the log is.
func (l *Log) Path() string { return l.file.path }

// Close ends the log. What could not be written is said here, once.
func (l *Log) Close() error { return l.file.close() }

// Runs returns the files of the runs in dir, the newest first. There are none
// when there is no such folder.
func Runs(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // none was written yet
	}
	var list []string
	for _, e := range entries { // sorted by name, and so by time
		if strings.HasSuffix(e.Name(), suffix) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	slices.Reverse(list)
	return list
}

const (
	suffix = ".jsonl"
	older  = ".1" // what comes behind the name of the part that was put aside
)

// tidy removes all but the newest runs. What cannot be removed stays.
func tidy(dir string) {
	runs := Runs(dir)
	for _, path := range runs[min(len(runs), kept):] {
		_ = errors.Join(os.Remove(path+older), os.Remove(path))
	}
}
