//go:build unix

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// floor measures a program that does nothing.
func (l *lab) floor() error {
	c, _, _, err := l.run(l.dir, l.environ(""), l.empty)
	if err != nil {
		return err
	}
	l.add("floor", c.wallMS())
	l.add("floor.cpu", c.cpuMS())
	return nil
}

func (l *lab) version() error {
	c, out, _, err := l.run(l.dir, l.environ(""), l.zuno, "--version")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(out, "zuno ") {
		return fmt.Errorf("zuno --version printed %q", out)
	}
	l.add("version", c.wallMS())
	l.add("version.cpu", c.cpuMS())
	return nil
}

// answer is the last thing that the model says.
const answer = "That is all there is to say."

// ask has zuno carry out a script to its end, in dir, and returns the cost. All
// of its calls, as many as given, have to succeed.
func (l *lab) ask(dir string, calls int, steps ...scripted.Step) (cost, error) {
	m, err := newModel(append(steps, scripted.Step{Text: answer})...)
	if err != nil {
		return cost{}, err
	}
	defer m.stop()
	c, out, errs, err := l.run(dir, l.environ(m.url), l.zuno, "run",
		"--approval-policy", "high-risk", "--max-steps", strconv.Itoa(calls+10), "hi")
	if err == nil {
		err = m.done()
	}
	if ok := strings.Count("\n"+errs, "\nok "); err == nil && (ok != calls || strings.TrimSpace(out) != answer) {
		err = fmt.Errorf("%d of %d calls went well, and the answer is %q:\n%s", ok, calls, tail([]byte(out), 200), tail([]byte(errs), 1000))
	}
	return c, err
}

func (l *lab) runOnce() (cost, error) {
	dir, err := l.workspace("oneshot", 0)
	if err != nil {
		return cost{}, err
	}
	return l.ask(dir, 0)
}

// oneShot measures a prompt that the model answers at once.
func (l *lab) oneShot() error {
	c, err := l.runOnce()
	if err != nil {
		return err
	}
	l.once, l.onceCPU = c.wallMS(), c.cpuMS()
	l.add("oneshot", l.once)
	l.add("oneshot.cpu", l.onceCPU)
	l.add("oneshot.rss", float64(c.RSS)/mega)
	return nil
}

// loop has the model read n files of dir, one in each step.
func (l *lab) loop(dir string, n int) (cost, error) {
	return l.ask(dir, n, readStep(n))
}

// steps measures loops of growing length: what a step costs must not grow.
func (l *lab) steps() error {
	if l.once == 0 {
		if err := l.oneShot(); err != nil {
			return err
		}
	}
	var cpu [3]float64
	for i, n := range l.size.steps {
		dir, err := l.workspace(fmt.Sprintf("loop%d", n), n)
		if err != nil {
			return err
		}
		c, err := l.loop(dir, n)
		if err != nil {
			return err
		}
		cpu[i] = (c.cpuMS() - l.onceCPU) / float64(n)
		l.add(stepID(i), (c.wallMS()-l.once)/float64(n))
		l.add(stepID(i)+".cpu", cpu[i])
		if i == 2 {
			l.add("loop", c.Wall.Seconds())
			l.add("loop.rss", float64(c.RSS)/mega)
		}
	}
	if cpu[0] > 0 {
		l.add("step.ratio", cpu[2]/cpu[0])
	}
	return nil
}

func stepID(i int) string { return fmt.Sprintf("step.%d", i) }

// turn measures one answer with many calls that may run together.
func (l *lab) turn() error {
	n := l.size.reads
	dir, err := l.workspace("turn", n)
	if err != nil {
		return err
	}
	var calls []scripted.Call
	for i := 1; i <= n; i++ {
		calls = append(calls, scripted.Call{Name: "read", Args: scripted.Args(fmt.Sprintf(`{"filePath":"f%d.txt"}`, i))})
	}
	c, err := l.ask(dir, n, scripted.Step{Calls: calls})
	if err != nil {
		return err
	}
	l.add("turn", c.wallMS())
	l.add("turn.cpu", c.cpuMS())
	return nil
}

// output measures a command that writes a lot.
func (l *lab) output() error {
	dir, err := l.workspace("output", 0)
	if err != nil {
		return err
	}
	args := fmt.Sprintf(`{"command":"yes | head -c %d","description":"write a lot"}`, l.size.output)
	c, err := l.ask(dir, 1, scripted.Step{Calls: []scripted.Call{{Name: "shell", Args: scripted.Args(args)}}})
	if err != nil {
		return err
	}
	l.add("output", c.Wall.Seconds())
	l.add("output.cpu", c.CPU.Seconds())
	l.add("output.rss", float64(c.RSS)/mega)
	return nil
}

// binary measures what has to be downloaded and kept.
func (l *lab) binary() error {
	info, err := os.Stat(l.zuno)
	if err != nil {
		return err
	}
	l.add("size", float64(info.Size())/mega)
	return nil
}
