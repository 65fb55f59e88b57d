// Testmodel serves a scripted scenario on a loopback port, so that zuno can be
// driven against it by hand:
//
//	go run ./internal/testmodel -scenario hello.json
//	ANTHROPIC_BASE_URL=http://127.0.0.1:PORT ANTHROPIC_API_KEY=x zuno run --model anthropic/m1 hello
//
// The first line on standard output is the base URL. Violations of a provider's
// rules and of the scenario go to standard error. The format of a scenario is
// described in package scripted. It stops on SIGINT and SIGTERM, and then exits
// with 1 if there was a violation.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "testmodel:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("testmodel", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("scenario", "", "the scenario `file`")
	addr := flags.String("addr", "127.0.0.1:0", "the `address` to listen on")
	lax := flags.Bool("lax", false, "do not validate requests that offer tools (for benchmarks)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	scenario, err := scripted.Parse(b)
	if err != nil {
		return fmt.Errorf("%s: %w", *file, err)
	}
	server := serve.New(scenario)
	server.KeepBodies(0)
	if *lax {
		server.Lax()
	}
	server.OnViolation(func(text string) { fmt.Fprintln(stderr, text) })
	url, stop, err := serve.StartAt(server, *addr)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintln(stdout, url)
	<-ctx.Done()
	fmt.Fprintf(stderr, "%d requests, %d of them the classifier's; all steps used: %t\n", len(server.Requests()), server.Classified(), server.Done())
	if len(server.Violations()) > 0 {
		return errors.New("there were violations")
	}
	return nil
}
