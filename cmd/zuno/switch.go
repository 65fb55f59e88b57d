package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// A shelf is the session on the screen and those beside it.
type shelf struct {
	p     *plan
	s     *session
	asker approval.Asker
	left  *[]string
}

// shown bounds the list of sessions to go to, and looked what is looked
// through for it.
const (
	shown  = 20
	looked = 1000
)

func (l *shelf) List(words []string) ([]tui.SessionRow, error) {
	list, err := l.s.db.SessionsIn(l.p.dir, looked)
	var rows []tui.SessionRow
	for _, m := range list {
		if m.ID == l.s.id || len(rows) == shown || !hasAll(m.Title+" "+m.Branch+" "+m.ID, words) {
			continue
		}
		rows = append(rows, tui.SessionRow{ID: m.ID, Title: titleOf(m), Detail: detail(m, time.Now())})
	}
	return rows, err
}

func titleOf(m store.Summary) string {
	if m.Title == "" {
		return m.ID
	}
	return m.Title
}

func hasAll(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return true
}

// detail is what beside its title tells a session from others.
func detail(m store.Summary, now time.Time) string {
	parts := []string{age(now.Sub(m.Updated))}
	if m.Branch != "" {
		parts = append(parts, m.Branch)
	}
	parts = append(parts, counted(m.Messages, "message"))
	if w := peculiar(m); w != "" {
		parts = append(parts, w)
	}
	return strings.Join(parts, ", ")
}

// age is how long ago something was, in words.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// Open opens another session with the flags of this one, but with its own model. This one says no more
// of what ends with it: the person was asked.
func (l *shelf) Open(ctx context.Context, id string) (tui.Ready, error) {
	f := l.p.flags
	f.cont, f.session = false, id
	if id != "" { // it has its own
		f.model = ""
	}
	p, err := newPlan(f)
	if err != nil {
		return tui.Ready{}, err
	}
	s, err := open(ctx, p, l.asker, true, nil)
	if err != nil {
		return tui.Ready{}, hintOnScreen(err)
	}
	l.s.told = true
	return ready(ctx, p, s, l.asker, l.left), nil
}

// Running lists the jobs, and what ended commands left running.
func (l *shelf) Running() []string {
	lines := l.s.running()
	for _, p := range l.s.procs.Left() {
		lines = append(lines, fmt.Sprintf("process %d: %s", p.PID, tools.CleanLine(tools.Clip(p.Command, 200))))
	}
	return lines
}

func (l *shelf) Fork() (string, error) {
	id, err := l.s.db.Fork(l.s.id, 0)
	if errors.Is(err, store.ErrNoSession) {
		return "", errors.New("there is nothing to copy yet")
	}
	return id, err
}

func (l *shelf) Rename(title string) error { return l.s.journal.Rename(oneLine(title)) }

// Export writes the session as Markdown, or as JSON to a file of that name. The
// word --redact before or behind the file takes out more than secrets.
func (l *shelf) Export(file string) (string, error) {
	file, share := redacting(file)
	switch {
	case strings.HasPrefix(file, "--"):
		return "", fmt.Errorf("%s: there is only --redact, before the file", tools.CleanLine(file))
	case file == "":
		dir := filepath.Join(l.p.paths.Data, "exports")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("make %s: %s", dir, plainError(err))
		}
		file = filepath.Join(dir, l.s.id+"-"+time.Now().Format("20060102-150405")+".md")
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(l.p.dir, file)
	}
	format := "markdown"
	if strings.EqualFold(filepath.Ext(file), ".json") {
		format = "json"
	}
	b, err := exported(l.s.db, l.s.id, format, share)
	if errors.Is(err, store.ErrNoSession) {
		return "", errors.New("there is nothing to export yet")
	}
	if err != nil {
		return "", err
	}
	return tools.CleanLine(file), writeNew(file, b)
}

// redacting takes the word --redact off a line, and reports whether it was there.
func redacting(line string) (file string, is bool) {
	line = " " + strings.TrimSpace(line) + " "
	const word = " --redact "
	before, is := strings.CutPrefix(line, word)
	behind, too := strings.CutSuffix(before, word)
	return strings.TrimSpace(behind), is || too
}

func (l *shelf) Cost() ([]string, error) {
	spent, err := l.s.db.Spent(l.s.id)
	return spending(spent), err
}
