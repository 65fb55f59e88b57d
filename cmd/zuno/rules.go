package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newRules returns the commands about what runs without asking. None of them
// asks a model or runs anything.
func newRules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Show and change what runs without asking",
		Long: `rules shows what decides on a call before anybody is asked: the rules of the
configuration and the command keys that were allowed for good in a repository.
Nothing runs and no model is asked.`,
		Example: `  zuno rules list
  zuno rules check -- 'git status && git push'
  zuno rules add npm run
  zuno rules remove npm run`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRulesList(), newRulesCheck(), newRulesAdd(), newRulesRemove())
	return cmd
}

// placed adds the flags that say which folder and configuration a command is
// about. What follows the flags is a command line with flags of its own.
func placed(cmd *cobra.Command, f *flags) {
	fl := cmd.Flags()
	fl.StringVarP(&f.cwd, "cwd", "C", "", "look from `DIR`")
	fl.StringVar(&f.config, "config", "", "read `FILE` over the user's configuration")
	fl.SetInterspersed(false)
}

func newRulesList() *cobra.Command {
	var f flags
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:        "list",
		Short:      "List the rules of the configuration and the allowed command keys",
		SuggestFor: []string{"ls", "show"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("list takes no arguments (see %s --help)", cmd.CommandPath())
			}
			return listRules(cmd.Context(), cmd.OutOrStdout(), f, all, asJSON)
		},
	}
	placed(cmd, &f)
	cmd.Flags().BoolVar(&all, "all", false, "list the keys of all repositories")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// A listedRule and a listedKey are what is printed of a rule and of a key.
type listedRule struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
	Action  string `json:"action"`
	Place   string `json:"place"`
}

func listedRuleOf(r config.Rule) listedRule {
	return listedRule{r.Tool, r.Pattern, r.Action, r.Place.String()}
}

func (r listedRule) String() string {
	return fmt.Sprintf("%-5s  %s %q  (%s)", r.Action, r.Tool, r.Pattern, r.Place)
}

type listedKey struct {
	Key     string    `json:"key"`
	Repo    string    `json:"repo"`
	Command string    `json:"command,omitempty"`
	Session string    `json:"session,omitempty"`
	At      time.Time `json:"at"`
}

func (k listedKey) String() string {
	s := fmt.Sprintf("%s  (%s, ", tools.CleanLine(k.Key), k.At.Local().Format("2006-01-02 15:04"))
	if k.Command == "" {
		return s + "typed)"
	}
	return s + fmt.Sprintf("for `%s` in session %s)", tools.CleanLine(tools.Clip(k.Command, 100)), k.Session)
}

type ruleList struct {
	V     int          `json:"v"`
	Rules []listedRule `json:"rules"`
	Keys  []listedKey  `json:"keys"`
}

func listRules(ctx context.Context, w io.Writer, f flags, all, asJSON bool) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	// A rule that no session would start with is not listed as one.
	if err := p.judging(ctx, func(approval.Rules, []tools.Tool) error { return nil }); err != nil {
		return err
	}
	out := ruleList{1, []listedRule{}, []listedKey{}}
	for _, r := range p.config.Rules {
		out.Rules = append(out.Rules, listedRuleOf(r))
	}
	repo := p.root
	if all {
		repo = ""
	}
	err = p.ifRecorded(func(db *store.Store) error {
		grants, err := db.Grants(repo)
		for _, g := range grants {
			out.Keys = append(out.Keys, listedKey(g))
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(w, out)
	}
	return out.print(w, repo)
}

// print writes the list for a person; repo is "" where it is of all.
func (l ruleList) print(w io.Writer, repo string) error {
	var b strings.Builder
	if len(l.Rules) == 0 {
		b.WriteString("permission.rules: none\n")
	} else {
		b.WriteString("permission.rules: the last match wins, and a deny is final\n")
	}
	for _, r := range l.Rules {
		fmt.Fprintf(&b, "  %s\n", r)
	}
	if len(l.Keys) == 0 && repo == "" {
		b.WriteString("allowed commands: none\n")
	} else if len(l.Keys) == 0 {
		fmt.Fprintf(&b, "commands allowed in %s: none\n", tools.CleanLine(repo))
	}
	last := ""
	for i, k := range l.Keys {
		if i == 0 || k.Repo != last {
			fmt.Fprintf(&b, "commands allowed in %s\n", tools.CleanLine(k.Repo))
		}
		fmt.Fprintf(&b, "  %s\n", k)
		last = k.Repo
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// judging calls f with the rules of the gate and with all tools, of which none
// is to run.
func (p *plan) judging(ctx context.Context, f func(approval.Rules, []tools.Tool) error) error {
	s := &session{}
	all, err := buildTools(p, s, &ripgrep{}, keeping{}) // nobody searches: none is looked for
	if err != nil {
		return errors.Join(err, s.Close())
	}
	rules, err := permissionRules(ctx, p.config, all.tools)
	if err == nil {
		err = f(rules, all.tools)
	}
	return errors.Join(err, s.Close())
}

// lineOf returns the command line that the arguments are: one is a whole line,
// several are the words of one command.
func lineOf(args []string) (string, error) {
	words := make([]string, len(args))
	for i, a := range args {
		if !utf8.ValidString(a) {
			return "", usageErrorf("the command is not valid UTF-8")
		}
		var err error
		if words[i], err = syntax.Quote(a, syntax.LangBash); err != nil {
			return "", usageErrorf("quote %q: %w", a, err)
		}
	}
	line := strings.Join(words, " ")
	if len(args) == 1 {
		line = args[0]
	}
	if strings.TrimSpace(line) == "" {
		return "", usageErrorf("there is no command: give one, such as git status")
	}
	return line, nil
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
