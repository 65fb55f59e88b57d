package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// print writes the check for a person: what is known, the steps in order, what
// would happen under each policy, and the answer.
func (c *check) print(w io.Writer) error {
	var b strings.Builder
	c.printFacts(&b)
	b.WriteString("\nthe first step that applies decides:\n")
	for _, s := range c.Steps {
		mark := "   "
		switch {
		case s.Decides:
			mark = "→  "
		case s.Applies:
			mark = "·  "
		}
		fmt.Fprintf(&b, " %s%-18s %s\n", mark, s.Name, s.Does)
	}
	fmt.Fprintf(&b, "\n%-11s %-40s %s\n", "policy", "with a person", "headless")
	for _, p := range c.Policies {
		fmt.Fprintf(&b, "%-11s %-40s %s\n", p.Policy, p.attended(), p.Headless)
	}
	fmt.Fprintf(&b, "\n%s: %s\n", c.Policy, c.answer())
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *check) printFacts(b *strings.Builder) {
	c.row(b, "command", c.Command)
	c.row(b, "in", c.Dir)
	for i, x := range c.Commands {
		line := x.String()
		if len(x.Via) > 0 {
			line += "  (by " + strings.Join(x.Via, ", ") + ")"
		}
		c.row(b, label(i, "runs"), line)
	}
	if c.NotKnown != "" {
		c.row(b, "not known", c.NotKnown)
	}
	for i, h := range c.Denylist {
		c.row(b, label(i, "denylist"), fmt.Sprintf("%s: %s (%s)", h.ID, h.Reason, h.Match))
	}
	if len(c.Denylist) == 0 {
		c.row(b, "denylist", "no row matches")
	}
	for i, r := range c.Rules {
		s := r.String() + " matches " + r.Subject
		if !r.Decides {
			s += ", but does not count: another rule decides"
		}
		c.row(b, label(i, "rules"), s)
	}
	if len(c.Rules) == 0 {
		c.row(b, "rules", "no rule matches")
	}
	for i, m := range c.Manual {
		c.row(b, label(i, "manual-only"), m)
	}
	for i, o := range c.Outside {
		c.row(b, label(i, "outside"), o)
	}
	c.row(b, "effects", c.effects())
	c.printKey(b)
	c.row(b, "risk", c.Risk)
	floor := c.Floor
	if c.FloorWhy != "" {
		floor += ": " + c.FloorWhy
	}
	c.row(b, "floor", floor)
	if c.Decision.Attended == approval.Classify.String() {
		c.row(b, "classifier", "would be asked; here it is not")
	} else {
		c.row(b, "classifier", "would not be asked")
	}
}

// String is the command as the shell reads it, and as it is written where some
// of it is only known when it runs.
func (x checkCommand) String() string {
	line, err := lineOf(x.Words)
	if err != nil || x.Dynamic || len(x.Words) < 2 {
		return x.Source
	}
	return line
}

func (c *check) printKey(b *strings.Builder) {
	switch {
	case c.Key == "":
		c.row(b, "key", "none: "+c.KeyWhyNot)
	case len(c.AllowedBy) == 0:
		c.row(b, "key", c.Key+"  (not allowed here)")
	default:
		c.row(b, "key", c.Key)
	}
	for i, k := range c.AllowedBy {
		c.row(b, label(i, "allowed by"), k.String())
	}
}

// row writes one fact as one line that cannot drive a terminal.
func (c *check) row(b *strings.Builder, name, text string) {
	fmt.Fprintf(b, "%-12s %s\n", name, tools.CleanLine(text))
}

// label is name in the first of several rows.
func label(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

func (c *check) effects() string {
	s := c.Effect
	if c.Writes {
		s += "; may write files"
	}
	if c.Network {
		s += "; may talk to another machine"
	}
	return s
}

func (p checkPolicy) attended() string {
	switch {
	case p.Attended != approval.Classify.String():
		return fmt.Sprintf("%s (%s)", p.Attended, p.By)
	case len(p.RunsIf) == 0:
		return "classify: asks whatever it says"
	}
	return "classify: runs if " + strings.Join(p.RunsIf, ", ")
}

// answer says in words what would happen under the policy in force.
func (c *check) answer() string {
	d, reason := c.Decision, tools.CleanLine(c.Reason)
	switch d.Attended {
	case "run":
		return "it would run without asking: " + reason
	case "block":
		return "it would be blocked: " + reason
	case "classify":
		then := "the classifier would be asked, and whatever it says it would ask: "
		if len(d.RunsIf) > 0 {
			then = "the classifier would be asked; with " + strings.Join(d.RunsIf, " or ") + " it would run, else ask: "
		}
		return then + reason + "\nheadless: the same, but blocked where it would ask"
	}
	return "it would ask: " + reason + "\nheadless: " + tools.CleanLine(c.NobodyHere)
}
