package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zuno-dev/zuno/internal/spelling"
	"github.com/zuno-dev/zuno/internal/tools"
)

// meant says what somebody wants whose first word, alone or before a command
// that it has, is no command but would be taken for one: what other programs
// have, and a command misspelt. It is "" for a prompt.
func meant(root *cobra.Command, words []string) string {
	if len(words) == 0 {
		return ""
	}
	name := ""
	for _, n := range root.SuggestionsFor(words[0]) {
		if len(words[0]) >= 5 && n != "help" && n[0] == words[0][0] { // short words are too close to each other
			name = n
			break
		}
	}
	switch {
	case len(words) == 1 && elsewhereCommands()[words[0]] != "":
		return elsewhereCommands()[words[0]]
	case name == "":
		return ""
	case len(words) == 1:
		return "did you mean zuno " + name + "?"
	}
	for _, c := range root.Commands() {
		if c.Name() == name && slices.Contains(commandNames(c), words[1]) {
			return "did you mean zuno " + name + " " + words[1] + "?"
		}
	}
	return ""
}

// elsewhereCommands are commands of other programs, and what zuno has for them.
func elsewhereCommands() map[string]string {
	const newer, key, again = "get a newer zuno the way you got this one", "zuno doctor says which keys there are, and the first screen takes one", "zuno -c continues the newest session of this folder"
	return map[string]string{
		"update": newer, "upgrade": newer, "login": key, "auth": key, "resume": again, "continue": again,
		"version": "zuno --version says which this is",
	}
}

// elsewhereFlags are flags of other programs, and what zuno has for them.
func elsewhereFlags() map[string]string {
	const once, again, all = "zuno run PROMPT answers once", "-c continues the newest session, --session ID another", "--approval-policy yolo lets everything run"
	return map[string]string{
		"print": once, "p": once, "prompt": once, "exec": once, "resume": again, "r": again, "verbose": "--debug writes a log",
		"yolo": all, "dangerously-skip-permissions": all, "full-auto": all, "m": "--model names a model", "json": "--output-format json of zuno run",
	}
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// noArgs refuses arguments. Where a command has commands of its own, the first
// was meant for one.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return noCommand(cmd, args[0])
	}
	return usageErrorf("%s takes no arguments (see %[1]s --help)", cmd.CommandPath())
}

func noCommand(cmd *cobra.Command, word string) error {
	did, n := "", spelling.Nearest(word, commandNames(cmd))
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, word) {
			n = c.Name()
		}
	}
	if n != "" {
		did = "did you mean " + cmd.CommandPath() + " " + n + "? "
	}
	return usageErrorf("there is no command %q (%ssee %s --help)", tools.CleanLine(tools.Clip(word, 64)), did, cmd.CommandPath())
}

// flagError says in zuno's words what is wrong with a flag, and which was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	see := "see " + cmd.CommandPath() + " --help"
	switch {
	case errors.As(err, &unknown):
		// The flag may be one of a command that was misspelt.
		if args := cmd.Flags().Args(); cmd.HasParent() && cmd.HasSubCommands() && len(args) > 0 {
			return noCommand(cmd, args[0])
		}
		name, given := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
		if s := unknown.GetSpecifiedShortnames(); s != "" {
			name, given = s, "-"+s
		}
		see = meantFlag(cmd, name) + see
		return usageErrorf("unknown flag: %s (%s)", tools.CleanLine(tools.Clip(given, 64)), see)
	case errors.As(err, &missing):
		value, _ := pflag.UnquoteUsage(missing.GetFlag())
		return usageErrorf("--%s needs a value: --%[1]s %s (%s)", missing.GetFlag().Name, value, see)
	case errors.As(err, &invalid):
		return usageErrorf("--%s %s: it must be %s (%s)", invalid.GetFlag().Name, tools.CleanLine(tools.Clip(invalid.GetValue(), 64)), mustBe(invalid.GetFlag()), see)
	}
	return usageErrorf("%w (%s)", err, see)
}

// mustBe says what a flag takes.
func mustBe(f *pflag.Flag) string {
	if f.Value.Type() == "bool" {
		return "true or false, or have no value"
	}
	return "a number"
}

// meantFlag says in front of other words which flag somebody wants who gives one
// that the command does not have: one of another program, the nearest by its
// letters, one of which it is a part, one of zuno run. It is "" when there is no
// telling.
func meantFlag(cmd *cobra.Command, name string) string {
	var own []string
	part := ""
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		own = append(own, f.Name)
		if len(name) > 3 && slices.Contains(strings.Split(f.Name, "-"), name) || len(f.Name) > 3 && slices.Contains(strings.Split(name, "-"), f.Name) {
			part = f.Name
		}
	})
	if slices.Contains(own, "model") && !slices.Contains(own, name) { // it starts sessions, as other programs do
		if words := elsewhereFlags()[name]; words != "" {
			return words + "; "
		}
	}
	near := part
	if len(name) > 1 { // one letter is near to everything
		near = cmp.Or(spelling.Nearest(name, own), part)
	}
	if near != "" {
		return "did you mean --" + near + "? "
	}
	if run, _, err := cmd.Root().Find([]string{"run"}); err == nil && run.Flags().Lookup(name) != nil {
		return "zuno run has it; "
	}
	return ""
}
