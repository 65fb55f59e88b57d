package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The size of the pictures, in cells.
const (
	columns = 92
	rows    = 28
)

// Times of a terminal: how long anything may take, how long the screen must
// stand still to be drawn, and how often a key is pressed that a card does not
// take yet.
const (
	awaitTime = time.Minute
	stillTime = 500 * time.Millisecond
	pressGap  = 700 * time.Millisecond
)

// A terminal is the program on a pseudo-terminal with an emulator behind it.
type terminal struct {
	ctx  context.Context
	cmd  *exec.Cmd
	tty  *os.File
	home string
	done chan struct{}

	mu      sync.Mutex // guards what follows
	emu     *vt.Emulator
	changed time.Time
}

// start runs zuno with args in an empty home.
func start(ctx context.Context, zuno string, args ...string) (*terminal, error) {
	home, err := os.MkdirTemp("", "zuno-pictures-")
	if err != nil {
		return nil, err
	}
	t := &terminal{ctx: ctx, cmd: exec.Command(zuno, args...), home: home, done: make(chan struct{}), emu: vt.NewEmulator(columns, rows), changed: time.Now()}
	t.cmd.Dir = home
	t.cmd.Env = []string{
		"HOME=" + home, "ZUNO_HOME=" + filepath.Join(home, "zuno"), "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "ZUNO_RG=" + os.Getenv("ZUNO_RG"),
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}
	if t.tty, err = pty.StartWithSize(t.cmd, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		_ = os.RemoveAll(home) // err is the reason
		return nil, fmt.Errorf("start %s on a pseudo-terminal: %w", zuno, err)
	}
	go t.read()
	return t, nil
}

func (t *terminal) read() {
	defer close(t.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.tty.Read(buf)
		if err != nil {
			return // the program is gone
		}
		t.mu.Lock()
		_, _ = t.emu.Write(buf[:n]) // it takes everything
		t.changed = time.Now()
		t.mu.Unlock()
	}
}

// close ends the program and takes its home away.
func (t *terminal) close() {
	_ = t.cmd.Process.Signal(syscall.SIGTERM) // it may be gone
	_ = t.cmd.Wait()                          // ended by a signal, it exits with a code
	_ = t.tty.Close()
	<-t.done
	_ = os.RemoveAll(t.home)
}

// text is what stands on the screen, and whether it stands still.
func (t *terminal) text() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emu.String(), time.Since(t.changed) > stillTime
}

// reach presses the keys of a shot until the screen shows what it is to show,
// and stands still.
func (t *terminal) reach(s shot) error {
	end := time.Now().Add(awaitTime)
	pressed := time.Time{}
	for {
		text, still := t.text()
		missing := ""
		for _, want := range s.shows {
			if !strings.Contains(text, want) {
				missing = want
			}
		}
		switch {
		case missing == "" && still:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("the screen does not show %q:\n%s", missing, text)
		case missing != "" && s.keys != "" && strings.Contains(text, s.on) && time.Since(pressed) > pressGap:
			pressed = time.Now()
			if _, err := t.tty.WriteString(s.keys); err != nil {
				return fmt.Errorf("press %q: %w", s.keys, err)
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
}

// cells returns a copy of the screen.
func (t *terminal) cells() grid {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := make(grid, rows)
	for y := range g {
		g[y] = make([]cell, columns)
		for x := range g[y] {
			c := t.emu.CellAt(x, y)
			if c == nil {
				continue
			}
			g[y][x] = cell{c.Content, c.Style.Fg, c.Style.Bg, c.Style.Attrs, c.Style.Underline != 0}
		}
	}
	return g
}
