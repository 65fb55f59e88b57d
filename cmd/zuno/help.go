package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// helpAndCompletion words the two commands that the library brings along as the
// others are, and has them refuse what there is not.
func helpAndCompletion(root *cobra.Command) {
	root.CompletionOptions.HiddenDefaultCmd = true
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short, c.Long = "Show the help of a command", "help shows what a command does and takes, as --help behind the command does."
			c.Run, c.RunE = nil, help
		case "completion":
			c.Short = "Print a script that completes commands and flags"
			c.Long = "completion prints a script for a shell that completes zuno's commands, flags and\nnames. The help of each shell says where it goes."
			c.Args, c.RunE = noArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				name := shell.Name()
				shell.Args = noArgs
				shell.Short = "Print the script for " + name
				shell.Long = fmt.Sprintf("%s prints the script for %[1]s.%s", name, map[string]string{
					"bash":       " It needs the package bash-completion.\n\n  source <(zuno completion bash)     in this shell\n\nIn ~/.bashrc, the same line has it in every shell.",
					"zsh":        " It needs compinit.\n\n  source <(zuno completion zsh)      in this shell\n\nIn ~/.zshrc, the same line below compinit has it in every shell.",
					"fish":       "\n\n  zuno completion fish | source      in this shell\n\nWritten to ~/.config/fish/completions/zuno.fish it is there in every shell.",
					"powershell": "\n\n  zuno completion powershell | Out-String | Invoke-Expression\n\nIn your profile, the same line has it in every shell.",
				}[name])
			}
		}
	}
}

// help prints the help of the command that the words name.
func help(cmd *cobra.Command, words []string) error {
	of := cmd.Root()
	for _, w := range words {
		next, _, err := of.Find([]string{w})
		if err != nil || next == of {
			return noCommand(of, w)
		}
		of = next
	}
	of.InitDefaultHelpFlag()
	of.InitDefaultVersionFlag()
	return of.Help()
}
