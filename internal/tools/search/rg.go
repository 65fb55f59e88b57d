package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// maxCollected is how many results are sorted here. A search that has more is
// run once more, in order, and stopped after the first maxResults.
const maxCollected = 2000

// A hit is a file, or a line of it.
type hit struct {
	path string
	line int
	text string
}

// A found is what a search came to.
type found struct {
	hits   []hit    // in order, at most maxResults
	total  int      // how many there are, at least
	more   bool     // there are more than total
	binary int      // files that match and are not text
	failed []string // what ripgrep could not read
}

// A search is one thing to look for.
type search struct {
	rg     string
	args   []string // before the path; no value of the model's begins one
	root   root
	env    []string
	decode func(emit func(hit) bool, binary *int) decoder
	keep   func(hit) bool // nil for all
}

// A decoder takes what ripgrep prints.
type decoder interface {
	feed(chunk []byte) (more bool)
	end()
}

// errArguments wraps what ripgrep says against a pattern.
type errArguments struct{ reason string }

func (e errArguments) Error() string { return e.reason }

// run searches. The order is by path, component by component, and line.
func (s search) run(ctx context.Context) (found, error) {
	f, err := s.once(ctx, maxCollected)
	if err != nil || !f.more {
		slices.SortFunc(f.hits, compare)
	} else if f, err = s.once(ctx, maxResults, "--sort=path"); f.more {
		f.total = maxCollected
	}
	f.hits = f.hits[:min(len(f.hits), maxResults)]
	return f, err
}

func compare(a, b hit) int {
	if c := slices.Compare(strings.Split(a.path, "/"), strings.Split(b.path, "/")); c != 0 {
		return c
	}
	return cmp.Compare(a.line, b.line)
}

// once runs ripgrep until it ends or has printed more than most results.
func (s search) once(ctx context.Context, most int, extra ...string) (found, error) {
	var f found
	d := s.decode(func(h hit) bool {
		h.path = filepath.ToSlash(h.path)
		if s.keep != nil && !s.keep(h) {
			return true
		}
		if f.more = len(f.hits) == most; !f.more {
			f.hits = append(f.hits, h)
			f.total++
		}
		return !f.more
	}, &f.binary)
	dir := s.root.abs
	if s.root.file {
		dir = filepath.Dir(dir)
	}
	// ripgrep keeps what it found in a file until it has read the file. More than
	// is wanted in all need not be found in one.
	extra = append(slices.Clip(extra), fmt.Sprintf("--max-count=%d", most+1))
	argv := slices.Concat([]string{s.rg, "--no-config", "--color=never", "--null", "--hidden", "--glob=!.git"}, extra, s.args)
	if s.root.abs == "/" {
		argv = append(argv, "--one-file-system") // not into /proc
	}
	res := shell.Run(ctx, shell.Cmd{
		Argv: append(argv, "--", s.root.abs), Dir: filepath.FromSlash(dir), Env: s.env, Sink: d.feed,
		Limits: shell.Limits{Time: timeLimit, Memory: 32 << 10},
	})
	if !f.more {
		d.end()
	}
	return f, s.failure(ctx, res, &f)
}

// failure returns why there is no result. Files that could not be read are
// none: they are noted.
func (s search) failure(ctx context.Context, res shell.Result, f *found) error {
	switch {
	case ctx.Err() != nil && !res.TimedOut:
		return ctx.Err()
	case !res.Started:
		return fmt.Errorf("ripgrep %s", res.Status())
	case res.TimedOut:
		return fmt.Errorf("the search %s: narrow the path or the pattern", res.Status())
	case f.more, res.Exit == 0, res.Exit == 1:
		return nil
	case res.Exit != 2:
		return fmt.Errorf("ripgrep: %s", res.Status())
	}
	said, _ := res.Text(4<<10, 40)
	said = strings.TrimPrefix(strings.TrimSpace(said), "stderr:\n")
	if !filepath.IsAbs(strings.TrimPrefix(said, "rg: ")) { // else it is about a path
		return errArguments{strings.TrimPrefix(said, "rg: ")}
	}
	if strings.HasPrefix(said, "rg: "+s.root.abs+":") && len(f.hits) == 0 {
		return errors.New(strings.TrimPrefix(said, "rg: "))
	}
	for line := range strings.Lines(said) {
		if path, ok := strings.CutPrefix(line, "rg: "); ok && filepath.IsAbs(path) {
			f.failed = append(f.failed, strings.TrimSpace(path))
		}
	}
	return nil
}

// outcome turns an error of run into how the call ends.
func outcome(err error) tools.Outcome {
	var bad errArguments
	switch {
	case errors.As(err, &bad):
		return tools.Outcome{Kind: tools.Blocked, Block: tools.InvalidArguments, Text: "invalid arguments: pattern: " + tools.Clean(bad.reason)}
	case errors.Is(err, context.Canceled):
		return tools.Outcome{Kind: tools.Cancelled, Started: true, Text: "the search was cancelled"}
	}
	return tools.Outcome{Kind: tools.Error, Text: tools.Clean(err.Error())}
}

// truncated is the last line of a listing that was cut, "" of a whole one.
func (f found) truncated(what string) string {
	switch {
	case f.more:
		return fmt.Sprintf("[truncated: the first %d of more than %d %s; narrow the pattern or the path]\n", len(f.hits), f.total, what)
	case f.total > len(f.hits):
		return fmt.Sprintf("[truncated: the first %d of %d %s; narrow the pattern or the path]\n", len(f.hits), f.total, what)
	}
	return ""
}

// notes says what the listing cannot show.
func (f found) notes() string {
	var b strings.Builder
	odd := map[string]bool{}
	for _, h := range f.hits {
		if !valid(h.path) {
			odd[h.path] = true
		}
	}
	if n := len(odd); n > 0 {
		fmt.Fprintf(&b, "[%d of the names are not UTF-8 or have control characters; they are shown with escapes and cannot be used as they stand]\n", n)
	}
	if f.binary > 0 {
		fmt.Fprintf(&b, "[%d binary files match too; their lines are not shown]\n", f.binary)
	}
	if n := len(f.failed); n > 0 {
		fmt.Fprintf(&b, "[%d paths could not be read: %s]\n", n, tools.CleanLine(strings.Join(f.failed[:min(n, 3)], "; ")))
	}
	return b.String()
}

func valid(path string) bool { return tools.CleanLine(path) == path }

// appendBounded appends p as long as that stays within most.
func appendBounded(to, p []byte, most int) []byte {
	return append(to, p[:min(len(p), max(0, most-len(to)))]...)
}

// cutField splits chunk at the first sep.
func cutField(chunk []byte, sep byte) (field, rest []byte, ok bool) {
	i := bytes.IndexByte(chunk, sep)
	if i < 0 {
		return chunk, nil, false
	}
	return chunk[:i], chunk[i+1:], true
}
