package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/builtin"
)

// newRulesCheck returns the command that tells what would become of a command
// line, and why. It runs nothing of it.
func newRulesCheck() *cobra.Command {
	var f flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [flags] [--] COMMAND",
		Short: "Say what would become of a command line, and why",
		Long: `check takes a command line through every step of the decision, as if a model had
asked for it, and prints what is known of it, which steps apply and what would
happen under each policy. Nothing runs and no model is asked.

One argument is a whole command line; several are the words of one command.

Exit codes: 0 it would run without asking · 3 it would ask, be blocked, or depend
on the classifier · 2 usage · 78 configuration`,
		Example: `  zuno rules check -- git push --force-with-lease
  zuno rules check --approval-policy read-only 'git log | head'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := lineOf(args)
			if err != nil {
				return err
			}
			return checkRules(cmd.Context(), cmd.OutOrStdout(), f, line, asJSON)
		},
	}
	placed(cmd, &f)
	fl := cmd.Flags()
	fl.StringVar(&f.policy, "approval-policy", "", "decide under `POLICY` in the place of the configured one")
	fl.StringVar(&f.agent, "agent", "", "decide for the agent with this `NAME`")
	fl.BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// A check is everything that is known of a command line before it runs, and
// what follows from it.
type check struct {
	V          int            `json:"v"`
	Command    string         `json:"command"`
	Dir        string         `json:"dir"`
	Parsed     bool           `json:"parsed"`
	NotKnown   string         `json:"not_known,omitempty"` // why what would run is not fully known
	Commands   []checkCommand `json:"commands"`
	Denylist   []checkHit     `json:"denylist"`
	Rules      []checkRule    `json:"rules"`
	Manual     []string       `json:"manual_only"`
	Outside    []string       `json:"outside"`
	Writes     bool           `json:"writes"`
	Network    bool           `json:"network"`
	Key        string         `json:"key"`
	KeyWhyNot  string         `json:"key_why_not,omitempty"`
	AllowedBy  []listedKey    `json:"allowed_by"` // stored keys that cover it
	Effect     string         `json:"effect"`
	Risk       string         `json:"risk"`  // as declared for this command
	Floor      string         `json:"floor"` // the mildest verdict that counts
	FloorWhy   string         `json:"floor_why,omitempty"`
	Steps      []checkStep    `json:"steps"`
	Policies   []checkPolicy  `json:"policies"`
	Policy     string         `json:"policy"`
	Decision   checkPolicy    `json:"decision"`
	Reason     string         `json:"reason"`
	NobodyHere string         `json:"headless_reason,omitempty"`
	ExitCode   int            `json:"exit_code"`
}

type checkCommand struct {
	Words   []string `json:"words"`
	Source  string   `json:"source"`
	Via     []string `json:"via,omitempty"` // what runs it
	Dynamic bool     `json:"dynamic,omitempty"`
}

type checkHit struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Reason   string `json:"reason"`
	Match    string `json:"match"`
	Instead  string `json:"instead"`
}

type checkRule struct {
	listedRule
	Subject string `json:"subject"`
	Decides bool   `json:"decides"`
}

type checkStep struct {
	Name    string `json:"name"`
	By      string `json:"by"`
	Does    string `json:"does"` // where it applies: run, ask, block or classify
	Applies bool   `json:"applies"`
	Decides bool   `json:"decides"`
}

// A checkPolicy is what would happen under a policy, with a person at the
// keyboard and without.
type checkPolicy struct {
	Policy   string `json:"policy"`
	By       string `json:"by"`
	Attended string `json:"attended"`
	Headless string `json:"headless"`
	// RunsIf are the verdicts of the classifier with which it would run, when the
	// classifier is asked.
	RunsIf []string `json:"runs_if,omitempty"`
}

func checkRules(ctx context.Context, w io.Writer, f flags, line string, asJSON bool) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	c := &check{V: 1, Command: line, Dir: p.root, Policy: p.policy.String()}
	if err := p.judging(ctx, func(rules approval.Rules, all []tools.Tool) error {
		return c.fill(ctx, p, rules, all)
	}); err != nil {
		return err
	}
	if asJSON {
		err = printJSON(w, c)
	} else {
		err = c.print(w)
	}
	if err == nil && c.ExitCode != exitDone {
		return &codeOnly{c.ExitCode}
	}
	return err
}

func (c *check) fill(ctx context.Context, p *plan, rules approval.Rules, all []tools.Tool) error {
	proposal, err := proposeLine(ctx, all, c.Command)
	if err != nil {
		return usageErrorf("%s", tools.OutcomeOf(err).Text)
	}
	c.analysed(p.analyze(c.Command, p.place()), proposal)
	for _, m := range rules.Matches(proposal) {
		c.Rules = append(c.Rules, checkRule{listedRuleOf(p.config.Rules[m.Rule]), m.Subject, m.Decides})
	}
	offered, _ := builtin.Select(all, p.config.Tools, p.profile.Tools)
	available := slices.Contains(builtin.Names(offered), proposal.Spec.Name)
	return p.withRecord(func(db *store.Store) error {
		conf := approval.Config{Rules: rules, Classifier: unasked{}}
		if db != nil {
			list := db.Allowlist(p.root)
			conf.Commands = commandList{list}
			if err := c.granted(list); err != nil {
				return err
			}
		}
		return c.decided(approval.New(conf), proposal, available)
	})
}

// unasked stands for the classifier that a session has: what it would say is
// not known before it is asked.
type unasked struct{}

func (unasked) Classify(context.Context, approval.Evidence) tools.Risk { return tools.High }

// analysed notes what is known of the line. What decides is in the proposal;
// the analysis has the reasons.
func (c *check) analysed(a shell.Analysis, p *tools.Proposal) {
	c.Commands, c.Denylist, c.Rules, c.Manual, c.AllowedBy = []checkCommand{}, []checkHit{}, []checkRule{}, []string{}, []listedKey{}
	c.Parsed, c.NotKnown = a.Parsed, a.DynamicWhy
	for _, x := range a.Commands() {
		c.Commands = append(c.Commands, checkCommand{x.Words, x.Source, x.Via, x.Dynamic})
	}
	for _, h := range a.Hits {
		c.Denylist = append(c.Denylist, checkHit{h.Rule, h.Category, h.Reason, h.Match, h.Instead})
	}
	for _, t := range a.Manual {
		c.Manual = append(c.Manual, t.String())
	}
	c.Outside = append([]string{}, a.Outside...)
	c.Writes, c.Network = a.Writes, a.Network
	c.Key, c.KeyWhyNot = p.Key, a.KeyWhyNot
	c.Effect, c.Risk, c.Floor = p.Spec.Effect.String(), p.Spec.Risk.String(), p.Floor.String()
	_, c.FloorWhy = a.Tier()
}

// granted notes the stored keys that cover the line.
func (c *check) granted(list *store.Allowlist) error {
	grants, err := list.List()
	keys := covering(c.Key)
	for _, g := range grants {
		if slices.Contains(keys, g.Key) {
			c.AllowedBy = append(c.AllowedBy, listedKey(g))
		}
	}
	return err
}

// decided notes what the gate would do under each policy.
func (c *check) decided(gate *approval.Gate, p *tools.Proposal, available bool) error {
	for policy := approval.Strict; policy <= approval.Yolo; policy++ {
		gate.SetPolicy(policy)
		e, err := gate.Explain(p)
		if err != nil {
			return err
		}
		e = availability(e, available)
		row := checkPolicyOf(policy, e)
		c.Policies = append(c.Policies, row)
		if row.Policy != c.Policy {
			continue
		}
		c.Decision, c.Reason, c.NobodyHere = row, e.Reason, e.Nobody
		first := slices.IndexFunc(e.Steps, func(s approval.StepResult) bool { return s.Applies })
		for i, s := range e.Steps {
			c.Steps = append(c.Steps, checkStep{s.Name, string(s.By), s.Step.String(), s.Applies, i == first})
		}
		if e.Step != approval.Run {
			c.ExitCode = exitBlocked
		}
	}
	return nil
}

// availability puts in front what is asked before the gate is: whether the
// agent has the tool at all.
func availability(e approval.Explanation, available bool) approval.Explanation {
	row := approval.StepResult{Name: "unavailable tool", By: tools.ByAvailable, Step: approval.Block, Applies: !available}
	e.Steps = append([]approval.StepResult{row}, e.Steps...)
	if !available {
		e.Step, e.By, e.Nobody, e.Verdicts = row.Step, row.By, "", nil
		e.Reason = "the shell tool is switched off, or this agent does not have it"
	}
	return e
}

func checkPolicyOf(policy approval.Policy, e approval.Explanation) checkPolicy {
	row := checkPolicy{Policy: policy.String(), By: string(e.By), Attended: e.Step.String(), Headless: e.Step.String()}
	if e.Step == approval.Ask {
		row.Headless = approval.Block.String()
	}
	for _, v := range e.Verdicts {
		row.RunsIf = append(row.RunsIf, v.String())
	}
	return row
}
