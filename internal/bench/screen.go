//go:build unix

package main

import (
	"errors"
	"slices"
	"time"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// What the screen shows at certain moments. The key is one that is part of
// nothing else that zuno writes.
const (
	promptMark = "›"
	readyMark  = "ask zuno anything"
	stopMark   = "interrupted"
	key        = "Q"
)

// typing is about how far apart the keys of a fast typist are. Keys that come
// much closer are taken for a paste.
const typing = 30 * time.Millisecond

// on runs f with zuno on a terminal in the workspace name.
func (l *lab) on(name string, steps []scripted.Step, f func(*terminal) error, args ...string) (err error) {
	dir, err := l.workspace(name, 0)
	if err != nil {
		return err
	}
	m, err := newModel(steps...)
	if err != nil {
		return err
	}
	defer m.stop()
	t, err := l.open(dir, m.url, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := f(t); err != nil {
		return err
	}
	return m.done()
}

// prompt measures the start of the screen, and then how it idles.
func (l *lab) prompt() error {
	return l.on("prompt", nil, func(t *terminal) error {
		drawn, err := t.await(0, promptMark)
		if err != nil {
			return err
		}
		from, _, err := t.send(key)
		if err != nil {
			return err
		}
		echoed, err := t.await(from, key)
		if err != nil {
			return err
		}
		if _, _, err := t.send("\x7f"); err != nil { // takes the key back
			return err
		}
		ready, err := t.await(0, readyMark)
		if err != nil {
			return err
		}
		l.add("prompt", ms(drawn.Sub(t.began)))
		l.add("prompt.key", ms(echoed.Sub(t.began)))
		l.add("prompt.ready", ms(ready.Sub(t.began)))
		return l.idle(t)
	})
}

// ready waits until the session is there.
func (t *terminal) ready() error {
	_, err := t.await(0, readyMark)
	return err
}

// submit types a line and sends it.
func (t *terminal) submit(line string) (from int, at time.Time, err error) {
	if from, _, err = t.send(line); err != nil {
		return from, at, err
	}
	if _, err := t.await(from, line); err != nil {
		return from, at, err
	}
	if err := t.pause(2 * typing); err != nil {
		return from, at, err
	}
	return t.send("\r")
}

// echo measures how long a key takes to show, on an empty screen and after a
// long answer.
func (l *lab) echo() error {
	return l.on("echo", []scripted.Step{{Text: markdown(l.size.talk)}}, func(t *terminal) error {
		if err := t.ready(); err != nil {
			return err
		}
		if err := l.keys(t, "echo"); err != nil {
			return err
		}
		if _, err := l.talk(t); err != nil {
			return err
		}
		return l.keys(t, "echo.after")
	})
}

// keys types and takes the composer's text back afterwards.
func (l *lab) keys(t *terminal, id string) error {
	var took []float64
	for range l.size.keys {
		if err := t.pause(typing); err != nil {
			return err
		}
		from, sent, err := t.send(key)
		if err != nil {
			return err
		}
		shown, err := t.await(from, key)
		if err != nil {
			return err
		}
		took = append(took, ms(shown.Sub(sent)))
	}
	slices.Sort(took)
	l.add(id, took[len(took)/2])
	l.add(id+".p95", took[len(took)*95/100])
	if err := t.pause(typing); err != nil {
		return err
	}
	if _, _, err := t.send("\x15"); err != nil { // ctrl+u
		return err
	}
	return t.quiet(l.size.calm)
}

// talk submits a prompt and returns how long the answer took to be there.
func (l *lab) talk(t *terminal) (time.Duration, error) {
	from, sent, err := t.submit("go")
	if err != nil {
		return 0, err
	}
	shown, err := t.await(from, endMark)
	if err != nil {
		return 0, err
	}
	return shown.Sub(sent), t.quiet(l.size.calm)
}

// markdown measures a long answer.
func (l *lab) markdown() error {
	return l.on("markdown", []scripted.Step{{Text: markdown(l.size.markdown)}}, func(t *terminal) error {
		if err := errors.Join(t.ready(), t.quiet(l.size.calm)); err != nil {
			return err
		}
		pid, from := t.cmd.Process.Pid, t.written()
		before, err := cpuTime(pid)
		if err != nil {
			return err
		}
		took, err := l.talk(t)
		if err != nil {
			return err
		}
		after, err := cpuTime(pid)
		if err != nil {
			return err
		}
		rss, err := memory(pid, "VmHWM")
		if err != nil {
			return err
		}
		l.add("markdown", took.Seconds())
		l.add("markdown.cpu", (after - before).Seconds())
		l.add("markdown.rss", rss/mega)
		l.add("markdown.bytes", float64(t.written()-from)/mega)
		return nil
	})
}

// resume measures how long a long session takes to be there again.
func (l *lab) resume() error {
	const name = "resume"
	if l.resumes == "" {
		n := l.size.steps[2]
		dir, err := l.workspace(name, n)
		if err != nil {
			return err
		}
		if _, err := l.loop(dir, n); err != nil {
			return err
		}
		l.resumes = dir
	}
	return l.on(name, nil, func(t *terminal) error {
		shown, err := t.await(0, answer)
		if err != nil {
			return err
		}
		from, _, err := t.send(key)
		if err != nil {
			return err
		}
		echoed, err := t.await(from, key)
		if err != nil {
			return err
		}
		if err := t.quiet(l.size.calm); err != nil {
			return err
		}
		cpu, err := cpuTime(t.cmd.Process.Pid)
		if err != nil {
			return err
		}
		l.add("resume", ms(shown.Sub(t.began)))
		l.add("resume.key", ms(echoed.Sub(t.began)))
		l.add("resume.cpu", ms(cpu))
		return nil
	}, "--continue")
}
