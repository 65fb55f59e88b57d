// Package custom makes tools of the person's own programs: a call's arguments,
// checked against a schema, go to the program's standard input, and what it
// prints is the result. What the person does not declare counts as the
// strictest.
package custom

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// limit bounds a result: 16 KiB.
const limit, limitLines = 16 << 10, 2000

// A Definition is one tool.
type Definition struct {
	// Spec is what is declared; its zero values are the strictest. A Schema that is
	// nil is one without arguments.
	Spec tools.Spec
	// Command is the program and its arguments, which no shell sees.
	Command []string
	// Unconfined says that the sandbox does not hold it.
	Unconfined bool
}

// Config says where and how the programs run.
type Config struct {
	// Dir is the absolute path of the working directory, and Env the whole
	// environment, from shell.Environ.
	Dir string
	Env []string
	// Processes owns what programs leave running; nil leaves nothing.
	Processes *shell.Processes
	// Confine returns what commands are confined to, as that of package command
	// does; nil confines nothing.
	Confine func() (*shell.Confinement, string, error)
}

type tool struct {
	Definition
	conf   Config
	schema *jsonschema.Resolved
}

// New returns the tool of d, or says what of it cannot be used.
func New(c Config, d Definition) (tools.Tool, error) {
	switch {
	case len(d.Command) == 0:
		return nil, fmt.Errorf("it has no command: give the program and its arguments as a list")
	case strings.TrimSpace(d.Spec.Description) == "":
		return nil, fmt.Errorf("it has no description: say for the model what it does and when to use it")
	}
	if d.Spec.Schema == nil {
		d.Spec.Schema = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	s, err := compile(d.Spec.Schema)
	if err != nil {
		return nil, err
	}
	if d.Spec.Risk == tools.Unknown {
		d.Spec.Risk = tools.High // there is no command line that could be judged
	}
	if d.Spec.Schema, err = withProperties(d.Spec.Schema); err != nil {
		return nil, err
	}
	return &tool{d, c, s}, nil
}

// Spec returns what is declared.
func (t *tool) Spec() tools.Spec { return t.Definition.Spec }

// Propose checks the arguments and finds the program.
func (t *tool) Propose(_ context.Context, call tools.Call) (*tools.Proposal, error) {
	args, err := t.check(call.Args)
	if err != nil {
		return nil, err
	}
	program, err := shell.Program(t.Command[0], t.conf.Dir, t.conf.Env)
	if err != nil {
		return nil, tools.Refuse(tools.Unavailable, "the program of %s cannot be found: %v", t.Spec().Name, err)
	}
	box, words, err := t.confine()
	if err != nil {
		return nil, tools.Refuse(tools.Unavailable, "%s cannot be confined: %v", t.Spec().Name, err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, args, "", "  "); err != nil {
		return nil, err
	}
	p := &tools.Proposal{
		Call: call, Spec: t.Spec(), Summary: tools.CleanLine(tools.Clip(string(args), 200)),
		Version: t.version(), Subjects: []string{t.Spec().Name},
		Preview: []tools.Section{
			{Kind: tools.Text, Title: "arguments, on standard input", Body: tools.Clean(pretty.String())},
			{Kind: tools.Text, Title: "your program " + tools.CleanLine(words), Body: t.line()},
		},
	}
	argv := append([]string{program}, t.Command[1:]...)
	p.Do = func(ctx context.Context, _ string, report func(tools.Progress)) tools.Outcome {
		return t.run(ctx, shell.Cmd{
			Argv: argv, Dir: t.conf.Dir, Env: t.conf.Env, Stdin: append(args, '\n'), Confine: box,
			Limits: shell.Limits{Time: t.Spec().Limit()},
			Report: func(line string, n int64) { report(tools.Progress{Text: tools.CleanLine(line), Bytes: n}) },
		})
	}
	return p, nil
}

func (t *tool) confine() (*shell.Confinement, string, error) {
	if t.Unconfined {
		return nil, "(outside the sandbox)", nil
	}
	if t.conf.Confine == nil {
		return nil, "", nil
	}
	box, words, err := t.conf.Confine()
	return box, "(" + words + ")", err
}

// version tells this definition from others: a grant counts for one.
func (t *tool) version() string {
	b, err := json.Marshal(t.Definition)
	if err != nil {
		return ""
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:16])
}

// line is the program and its arguments, each in quotes where it is not a plain
// word.
func (t *tool) line() string {
	words := make([]string, len(t.Command))
	for i, w := range t.Command {
		if words[i] = w; w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+") != "" {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return tools.CleanLine(strings.Join(words, " "))
}

// run runs the program and says what became of it.
func (t *tool) run(ctx context.Context, c shell.Cmd) tools.Outcome {
	var res shell.Result
	if t.conf.Processes != nil {
		res = t.conf.Processes.Run(ctx, c)
	} else {
		res = shell.Run(ctx, c)
	}
	body, cut := res.Text(limit-512, limitLines-8)
	out := tools.Outcome{Kind: tools.OK, Started: res.Started, Truncated: cut, Text: strings.TrimRight(body, "\n")}
	safe := t.Spec().Effect == tools.ReadOnly || t.Spec().Replay == tools.Safe
	switch {
	case !res.Started && ctx.Err() != nil:
		return tools.Outcome{Kind: tools.Cancelled, Text: "stopped before the program was started"}
	case !res.Started:
		return tools.Outcome{Kind: tools.Blocked, Block: tools.Unavailable, Text: "the program was not started: " + res.Status()}
	case res.TimedOut && safe:
		out.Kind = tools.Error
	case res.TimedOut:
		out.Kind = tools.Uncertain
	case res.Killed:
		out.Kind = tools.Cancelled
	case res.Exit != 0:
		out.Kind, out.ExitCode = tools.Error, &res.Exit
	default:
		out.ExitCode = &res.Exit
	}
	if out.Kind != tools.OK {
		out.Text = strings.TrimRight(res.Status()+"\n"+out.Text, "\n")
	}
	if res.Stopped != "" {
		out.Text += "\n[the sandbox probably made it fail: " + res.Stopped + "]"
	}
	return out
}
