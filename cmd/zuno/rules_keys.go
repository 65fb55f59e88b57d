package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A commandList is the allowlist of a repository as the gate asks it. What a
// stored key covers is for the shell to say: "npm run" lets "npm run test"
// through, which is stored nowhere.
type commandList struct{ *store.Allowlist }

// Allowed reports whether a stored key covers the given one.
func (l commandList) Allowed(key string) (bool, error) {
	if mcpKey(key) {
		return l.Allowlist.Allowed(key)
	}
	for _, k := range covering(key) {
		if ok, err := l.Allowlist.Allowed(k); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// covering lists the keys that cover the given one, which comes first.
func covering(key string) []string {
	analysed := shell.Analysis{Key: key}
	var keys []string
	for k := key; k != ""; k = k[:max(strings.LastIndexByte(k, ' '), 0)] {
		if analysed.CoveredBy(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func newRulesAdd() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "add [flags] KEY",
		Short: "Allow a command key for good in this repository",
		Long: `add allows the command lines that a key covers, for good and in this repository
only. A key is a program and its subcommand in plain words, such as git status,
or a program without subcommands, such as ls. It covers one plain command with
whatever arguments, but no line with an operator, a redirection or a variable,
and nothing that is asked about every time. Behind "= " stands one command that
is covered word for word: = make test. A rule that says ask or deny, and the
policy strict, come before any key.`,
		Example: `  zuno rules add git status
  zuno rules add = make test`,
		RunE: func(cmd *cobra.Command, args []string) error { return addKey(cmd.OutOrStdout(), f, args) },
	}
	placed(cmd, &f)
	return cmd
}

func newRulesRemove() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:        "remove [flags] KEY",
		Short:      "Take an allowed command key back",
		SuggestFor: []string{"rm", "delete", "forget"},
		Long:       `remove takes a key back, as zuno rules list shows it. Sessions that run go by it at once.`,
		Example:    `  zuno rules remove git status`,
		RunE:       func(cmd *cobra.Command, args []string) error { return removeKey(cmd.OutOrStdout(), f, args) },
	}
	placed(cmd, &f)
	return cmd
}

// keyOf returns the key that the arguments are: those of one command behind =,
// else plain words.
func keyOf(args []string) (string, error) {
	key := strings.TrimSpace(strings.Join(args, " "))
	if len(args) > 1 && args[0] == "=" {
		line, err := lineOf(args[1:])
		return "= " + line, err
	}
	if key == "" {
		return "", usageErrorf("there is no key: give one, such as git status")
	}
	return key, nil
}

func addKey(w io.Writer, f flags, args []string) error {
	if err := notAnAgent(); err != nil {
		return err
	}
	typed, err := keyOf(args)
	if err != nil {
		return err
	}
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	if mcpKey(typed) {
		return addMCPKey(w, p, typed)
	}
	key, err := shell.CheckKey(typed, p.place())
	if err != nil {
		return usageErrorf("%w", err)
	}
	covered, not := samples(key, p.place())
	if len(covered) == 0 {
		return usageErrorf("remember %q: it would let nothing through: %s", key, whyNothing(key, p.place()))
	}
	db, err := store.Open(p.recordPath(), time.Now)
	if err != nil {
		return err
	}
	list := db.Allowlist(p.root)
	known, err := list.Allowed(key)
	if err == nil && !known {
		err = list.Allow(key, "")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	verb := "allowed"
	if known {
		verb = "already allowed"
	}
	_, err = fmt.Fprintf(w, "%s in %s: %s\n  covers      %s\n  but not     %s\n",
		verb, tools.CleanLine(p.root), key, strings.Join(covered, "\n              "), strings.Join(not, "\n              "))
	return err
}

func removeKey(w io.Writer, f flags, args []string) error {
	key, err := keyOf(args)
	if err != nil {
		return err
	}
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	removed := false
	err = p.ifRecorded(func(db *store.Store) (err error) {
		list := db.Allowlist(p.root)
		if removed, err = list.Remove(key); removed || err != nil {
			return err
		}
		if plain, bad := shell.CheckKey(key, p.place()); bad == nil {
			key = plain
			removed, err = list.Remove(key)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case !removed:
		return fmt.Errorf("the key %q is not allowed in %s: zuno rules list shows those that are", key, p.root)
	}
	_, err = fmt.Fprintf(w, "no longer allowed in %s: %s\n", tools.CleanLine(p.root), tools.CleanLine(key))
	return err
}

// place is where a command of the model runs when it says nothing else.
func (p *plan) place() shell.Place {
	return shell.Place{Dir: p.root, Workspace: p.root, Home: os.Getenv("HOME")}
}

// samples lists two lines that key covers and three like them that it does not,
// by the analysis that goes by it later. There are none of the first for a key
// that lets nothing through.
func samples(key string, at shell.Place) (covered, not []string) {
	line, exact := strings.CutPrefix(key, "= ")
	try := []string{line, line + " -v", line + " list", line + " build", line + " a.txt", line + " -n 1p a.txt"}
	wrong := []string{line + "x", line + " && make", line + " > out.txt", "A=1 " + line}
	if exact {
		try = try[:1]
		wrong[0] = line + " x"
	}
	for _, l := range try {
		if len(covered) < 2 && shell.Covers(key, l, at) {
			covered = append(covered, l)
		}
	}
	for _, l := range wrong {
		if len(not) < 3 && !shell.Covers(key, l, at) {
			not = append(not, l)
		}
	}
	return covered, not
}

// whyNothing says why a key that is well formed lets nothing through.
func whyNothing(key string, at shell.Place) string {
	a := shell.Analyze(key, at)
	if a.Key != "" {
		return fmt.Sprintf("only a whole command can be remembered of it, as %q", a.Key+" …")
	}
	return a.KeyWhyNot
}
