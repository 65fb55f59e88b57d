// Package skills holds the tool by which a model finds and reads skills:
// instructions that are kept in files. It only reads: what a skill says to do is
// done by other tools, each through the gate.
package skills

import (
	"context"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/tools"
)

// Config is what the tool reads.
type Config struct {
	// Skills are those that act. Those that are only for people are left out.
	Skills []skill.Skill
	// Show makes a text of a skill safe to stand among those of zuno; nil leaves
	// it as it is.
	Show func(string) string
	// Limit bounds a page; zero means [tools.DefaultTextLimit].
	Limit tools.TextLimit
}

const (
	// maxPage bounds a page in bytes, whatever the limit.
	maxPage = 60 << 10
	// headRoom is how many bytes of a limit are left for the lines around a page.
	headRoom = 2 << 10
	// listPage is how many skills a list has on a page, and shownNames how many
	// names a refusal lists.
	listPage, shownNames = 20, 40
	// maxSearch and usualSearch bound what a search returns.
	maxSearch, usualSearch = 20, 8
)

// New returns the tool.
func New(c Config) []tools.Tool {
	if c.Limit == (tools.TextLimit{}) {
		c.Limit = tools.DefaultTextLimit()
	}
	if c.Show == nil {
		c.Show = func(s string) string { return s }
	}
	k := kit{Config: c}
	k.Skills = nil
	for _, s := range c.Skills {
		if !s.ForPeople {
			k.Skills = append(k.Skills, s)
		}
	}
	spec := tools.Spec{
		Name: "skill",
		Description: "Find and read skills: instructions that the user or the project keeps for kinds of tasks. list names them, search finds some by words, " +
			"load returns the instructions of one, and read_resource a file of its folder. What is long comes in pages: as long as a result says that it is not complete, " +
			"call again with its cursor before you rely on it.",
		Effect: tools.ReadOnly, Replay: tools.Safe, Concurrency: tools.ParallelSafe, Risk: tools.ReadOnlyRisk,
	}
	return []tools.Tool{tools.New(spec, k.propose)}
}

type args struct {
	Action string `json:"action" enum:"list,search,load,read_resource" doc:"What to do"`
	Query  string `json:"query,omitempty" doc:"search: words that the name or the description should have"`
	Name   string `json:"name,omitempty" doc:"load, read_resource: name of the skill"`
	Source string `json:"source,omitempty" doc:"load, read_resource: where the skill is, when several have the name"`
	Path   string `json:"path,omitempty" doc:"read_resource: path of the file below the skill's folder, or a heading of its instructions"`
	Cursor string `json:"cursor,omitempty" doc:"list, load, read_resource: where to read on, as the result before said"`
	Limit  int    `json:"limit,omitempty" doc:"search: how many to return, 1 to 20; 8 when absent"`
}

type kit struct{ Config }

// fields says which arguments belong to an action.
func fields(action string) string {
	switch action {
	case "list":
		return "cursor"
	case "search":
		return "query limit"
	case "load":
		return "name source cursor"
	}
	return "name source path cursor"
}

// stray names an argument that does not belong to the action, "" for none.
func (a args) stray() string {
	for _, f := range []struct {
		name  string
		given bool
	}{{"query", a.Query != ""}, {"name", a.Name != ""}, {"source", a.Source != ""}, {"path", a.Path != ""}, {"cursor", a.Cursor != ""}, {"limit", a.Limit != 0}} {
		if f.given && !strings.Contains(" "+fields(a.Action)+" ", " "+f.name+" ") {
			return f.name
		}
	}
	return ""
}

func (k kit) propose(_ context.Context, _ tools.Spec, a args) (*tools.Proposal, error) {
	if name := a.stray(); name != "" {
		return nil, tools.Refuse(tools.InvalidArguments, "invalid arguments: %s is no argument of %s, which takes %s", name, a.Action, fields(a.Action))
	}
	var text string
	var err error
	subject := a.Name
	switch a.Action {
	case "list":
		text, err = k.list(a.Cursor)
	case "search":
		text, err = k.search(a.Query, a.Limit)
		subject = a.Query
	case "load":
		text, err = k.load(a)
	default:
		text, err = k.resource(a)
		subject = strings.TrimSuffix(a.Name+"/"+a.Path, "/")
	}
	if err != nil {
		return nil, err
	}
	return &tools.Proposal{
		Summary:  strings.TrimSpace(a.Action + " " + tools.CleanLine(tools.Clip(subject, 120))),
		Subjects: []string{a.Name},
		Do: func(context.Context, string, func(tools.Progress)) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, Text: text}
		},
	}, nil
}

// find returns the skill of that name, and of that source where there are
// several.
func (k kit) find(name, source string) (skill.Skill, error) {
	var found []skill.Skill
	for _, s := range k.Skills {
		if s.Name == strings.TrimSpace(name) && (source == "" || s.Source == source) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return skill.Skill{}, fmt.Errorf("there is no skill %q%s; %s", tools.CleanLine(tools.Clip(name, 64)), from(source), k.names())
	}
	var sources []string
	for _, s := range found {
		sources = append(sources, s.Source)
	}
	return skill.Skill{}, tools.Refuse(tools.InvalidArguments, "several skills are called %s: say which with source, one of %s", found[0].Name, strings.Join(sources, ", "))
}

func from(source string) string {
	if source == "" {
		return ""
	}
	return " in " + tools.CleanLine(tools.Clip(source, 120))
}

func (k kit) names() string {
	var names []string
	for _, s := range k.Skills {
		names = append(names, s.Name)
	}
	switch {
	case len(names) == 0:
		return "there are none"
	case len(names) > shownNames:
		return fmt.Sprintf("there are %s and %d more", strings.Join(names[:shownNames], ", "), len(names)-shownNames)
	}
	return "there are " + strings.Join(names, ", ")
}
