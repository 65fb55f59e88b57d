package lsp

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The bounds of what a server is told.
const (
	maxFiles = 20_000
	maxText  = 4 << 20 // bytes of one file
	maxOpen  = 64
)

// A document is a file that the server was told the content of.
type document struct {
	version int
	text    string
}

// A stamp tells versions of a file apart.
type stamp struct {
	size int64
	at   time.Time
}

// snapshot looks at the files that the server knows about, but not into hidden
// folders.
func (l *link) snapshot() map[string]stamp {
	files := map[string]stamp{}
	_ = filepath.WalkDir(l.client.conf.Root, func(path string, d fs.DirEntry, err error) error { // what cannot be seen has no changes
		switch {
		case err != nil:
			return nil
		case len(files) >= maxFiles:
			return fs.SkipAll
		case d.IsDir() && path != l.client.conf.Root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular() && slices.Contains(l.server.Extensions, filepath.Ext(path)):
			if info, err := d.Info(); err == nil {
				files[path] = stamp{info.Size(), info.ModTime()}
			}
		}
		return nil
	})
	return files
}

// refresh tells the server what changed on the disk since it was last asked.
func (l *link) refresh(ctx context.Context) error {
	now := l.snapshot()
	var changes []map[string]any
	note := func(path string, kind int) {
		changes = append(changes, map[string]any{"uri": uriOf(path), "type": kind})
	}
	for path, s := range now {
		if was, ok := l.files[path]; !ok {
			note(path, 1)
		} else if was != s {
			note(path, 2)
		}
	}
	for path := range l.files {
		if _, ok := now[path]; !ok {
			note(path, 3)
		}
	}
	l.files = now
	if len(changes) > 0 {
		if err := l.conn.Notify(ctx, "workspace/didChangeWatchedFiles", map[string]any{"changes": changes}); err != nil {
			return err
		}
	}
	for path, d := range l.docs { // what is open counts in the place of the disk
		if text, err := readText(path); err == nil && text != d.text {
			if err := l.change(ctx, path, d, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// open tells the server the present content of a file, and returns it.
func (l *link) open(ctx context.Context, path string) (string, error) {
	text, err := readText(path)
	if err != nil {
		return "", err
	}
	if d, ok := l.docs[path]; ok {
		if d.text == text {
			return text, nil
		}
		return text, l.change(ctx, path, d, text)
	}
	for old := range l.docs {
		if len(l.docs) < maxOpen {
			break
		}
		delete(l.docs, old)
		if err := l.conn.Notify(ctx, "textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uriOf(old)}}); err != nil {
			return "", err
		}
	}
	l.docs[path] = &document{1, text}
	return text, l.conn.Notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uriOf(path), "languageId": language(path), "version": 1, "text": text,
	}})
}

func (l *link) change(ctx context.Context, path string, d *document, text string) error {
	d.version++
	d.text = text
	l.mu.Lock()
	delete(l.found, uriOf(path)) // it was about another text
	l.mu.Unlock()
	return l.conn.Notify(ctx, "textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uriOf(path), "version": d.version}, "contentChanges": []map[string]string{{"text": text}},
	})
}

// readText reads a regular file that is text.
func readText(path string) (string, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !st.Mode().IsRegular():
		return "", fmt.Errorf("%s is no file", filepath.Base(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxText+1))
	switch {
	case err != nil:
		return "", err
	case len(b) > maxText:
		return "", fmt.Errorf("%s has more than %d MiB", filepath.Base(path), maxText>>20)
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is not UTF-8 text", filepath.Base(path))
	}
	return string(b), nil
}

// language is the protocol's name of the language of a file.
func language(path string) string {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	names := map[string]string{
		"py": "python", "rs": "rust", "ts": "typescript", "tsx": "typescriptreact", "js": "javascript", "jsx": "javascriptreact",
		"rb": "ruby", "cc": "cpp", "cxx": "cpp", "h": "c", "hpp": "cpp", "cs": "csharp", "sh": "shellscript", "kt": "kotlin", "yml": "yaml", "md": "markdown",
	}
	if n, ok := names[ext]; ok {
		return n
	}
	return ext
}
