//go:build unix

// Bench measures the built zuno as a person or a script meets it, against a
// scripted model on loopback, and prints a table of medians beside what zuno
// aims at:
//
//	go run ./internal/bench -zuno bin/zuno
//
// Each round makes every measurement once, so that a machine that is slow for a
// while is slow for all of them. Times depend on the machine: an empty Go
// program is measured along, and times are also printed as multiples of it. CPU
// time, bytes and memory tell more than wall time. It needs Linux, since it
// reads /proc, and the go command.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"syscall"
)

func main() {
	helper(os.Args)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := bench(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// helper does not return when the program was started by itself, to be a part
// of a measurement.
func helper(args []string) {
	switch {
	case len(args) > 2 && args[1] == launchWord:
		os.Exit(launch(args[2:]))
	case len(args) == 4 && args[1] == bareWord:
		os.Exit(bare(args[2:]))
	}
}

// bench runs the whole program.
func bench(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	zuno := flags.String("zuno", "bin/zuno", "the `binary` to measure")
	rounds := flags.Int("n", 5, "how many `rounds` to make")
	asJSON := flags.Bool("json", false, "print JSON, with all values")
	smoke := flags.Bool("smoke", false, "make each measurement once and small, to see that it works")
	only := flags.String("run", "", "make only the measurements whose name matches this `regexp`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	switch {
	case err != nil:
		return fmt.Errorf("-run: %w", err)
	case *rounds < 1:
		return fmt.Errorf("-n %d: it is a number over 0", *rounds)
	case runtime.GOOS != "linux":
		return errors.New("this needs Linux: it reads /proc")
	}
	size := full()
	if *smoke {
		size, *rounds = small(), 1
	}
	l, err := newLab(ctx, *zuno, size)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	for round := range *rounds {
		fmt.Fprintf(stderr, "round %d of %d\n", round+1, *rounds)
		for _, m := range measurements() {
			if m.name != "floor" && !wanted.MatchString(m.name) {
				continue
			}
			if err := m.take(l); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Fprintf(stderr, "%d CPUs, load %.4s: on a busy machine trust CPU time, bytes and memory, not wall time\n", runtime.NumCPU(), load)
	}
	results := judge(rows(size), l.samples)
	if *asJSON {
		return printJSON(stdout, *rounds, results)
	}
	return printTable(stdout, *rounds, results)
}

// A measurement takes the samples of one or more rows.
type measurement struct {
	name string
	take func(*lab) error
}

// measurements is in the order in which they are made.
func measurements() []measurement {
	return []measurement{
		{"floor", (*lab).floor},
		{"version", (*lab).version},
		{"prompt", (*lab).prompt},
		{"oneshot", (*lab).oneShot},
		{"bare", (*lab).bare},
		{"steps", (*lab).steps},
		{"turn", (*lab).turn},
		{"echo", (*lab).echo},
		{"output", (*lab).output},
		{"markdown", (*lab).markdown},
		{"resume", (*lab).resume},
		{"escape", (*lab).escape},
		{"size", (*lab).binary},
	}
}
