// Pictures makes the pictures of the documentation: it runs the real program on
// the scripted tour in a virtual terminal, presses keys, and draws what stands
// on the screen:
//
//	go run ./internal/pictures -zuno bin/zuno -out docs/pictures
//
// Nothing outside of this program is needed to draw them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	zuno := flag.String("zuno", "bin/zuno", "the `program` to show")
	out := flag.String("out", "docs/pictures", "the `directory` for the pictures")
	flag.Parse()
	if err := run(ctx, *zuno, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// A shot is a picture: what is typed before it while on is on the screen, and
// what is there then.
type shot struct {
	keys, on, name string
	shows          []string
}

// shots are the pictures, in the order in which the tour comes to them. One
// without a name is only waited for.
func shots() []shot {
	return []shot{
		{name: "card", shows: []string{"approve · apply_patch", "Run once"}},
		{keys: "y", on: "approve · apply_patch", shows: []string{"approve · shell", "sh test.sh"}},
		{keys: "y", on: "approve · shell", name: "turn", shows: []string{"All three tests pass.", "This was a script."}},
		{keys: "\x14", on: "ask zuno", name: "transcript", shows: []string{"q back"}},
	}
}

func run(ctx context.Context, zuno, out string) error {
	zuno, err := filepath.Abs(zuno)
	if err != nil {
		return err
	}
	pen, err := newPen()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	t, err := start(ctx, zuno, "tour")
	if err != nil {
		return err
	}
	defer t.close()
	for _, s := range shots() {
		if err := t.reach(s); err != nil {
			return err
		}
		if s.name == "" {
			continue
		}
		path := filepath.Join(out, s.name+".png")
		if err := pen.write(path, t.cells()); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}
