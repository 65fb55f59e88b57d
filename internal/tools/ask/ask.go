// Package ask holds the tools whose whole point is the person: question.
package ask

import (
	"context"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/tools"
)

// New returns the tools of this family.
func New() []tools.Tool { return []tools.Tool{question()} }

type questionArgs struct {
	Questions []item `json:"questions" doc:"One to three questions, asked one after the other."`
}

type item struct {
	Question string   `json:"question" doc:"The whole question."`
	Header   string   `json:"header" doc:"A short label, at most 30 characters."`
	Options  []choice `json:"options" doc:"Two to five answers to choose from; put the one you recommend first. The user can always type another."`
	Multiple bool     `json:"multiple,omitempty" doc:"Whether several answers may be chosen."`
}

type choice struct {
	Label       string `json:"label" doc:"One to five words."`
	Description string `json:"description" doc:"What choosing it means."`
}

// The bounds of one call.
const (
	mostQuestions = 3
	mostOptions   = 10
	headerRunes   = 30
)

// other is the row, in every group, that asks for the person's own words.
const other = "other"

func question() tools.Tool {
	spec := tools.Spec{
		Name: "question",
		Description: "Ask the user one to three questions with suggested answers, and wait. Use it when you cannot go on without a decision that is theirs " +
			"(a choice between designs, a missing fact), not to ask for permission: every action is shown to the user by itself. When nobody is there to answer it is refused.",
		Effect: tools.UserMediated, Concurrency: tools.Exclusive, Risk: tools.ReadOnlyRisk, LongRunning: true,
	}
	return tools.New(spec, func(_ context.Context, _ tools.Spec, a questionArgs) (*tools.Proposal, error) {
		if err := check(a); err != nil {
			return nil, err
		}
		p := &tools.Proposal{Summary: a.Questions[0].Header, Options: rows(a.Questions)}
		if n := len(a.Questions); n > 1 {
			p.Summary += fmt.Sprintf(" (and %d more)", n-1)
		}
		p.Do = func(_ context.Context, picked string, _ func(tools.Progress)) tools.Outcome {
			return tools.Outcome{Kind: tools.OK, Text: answers(a.Questions, picked)}
		}
		return p, nil
	})
}

func check(a questionArgs) error {
	if n := len(a.Questions); n == 0 || n > mostQuestions {
		return tools.Refuse(tools.InvalidArguments, "invalid arguments: ask one to %d questions, not %d", mostQuestions, n)
	}
	for i, q := range a.Questions {
		switch {
		case strings.TrimSpace(q.Question) == "":
			return tools.Refuse(tools.InvalidArguments, "invalid arguments: questions[%d].question is blank", i)
		case len([]rune(q.Header)) > headerRunes:
			return tools.Refuse(tools.InvalidArguments, "invalid arguments: questions[%d].header has more than %d characters", i, headerRunes)
		case len(q.Options) < 2 || len(q.Options) > mostOptions:
			return tools.Refuse(tools.InvalidArguments, "invalid arguments: questions[%d] needs two to %d options, not %d", i, mostOptions, len(q.Options))
		}
		for j, o := range q.Options {
			if strings.TrimSpace(o.Label) == "" {
				return tools.Refuse(tools.InvalidArguments, "invalid arguments: questions[%d].options[%d].label is blank", i, j)
			}
		}
	}
	return nil
}

// rows makes one group of rows of each question.
func rows(questions []item) []tools.Option {
	var list []tools.Option
	for i, q := range questions {
		for j, o := range q.Options {
			list = append(list, tools.Option{ID: fmt.Sprintf("%d.%d", i, j), Label: o.Label, Detail: o.Description, Group: q.Question, Many: q.Multiple})
		}
		list = append(list, tools.Option{ID: fmt.Sprintf("%d.%s", i, other), Label: "Type your own answer", Group: q.Question, Many: q.Multiple, Write: true})
	}
	return list
}

// answers tells the model what was chosen. A question without an answer says
// so: nothing is made up.
func answers(questions []item, picked string) string {
	var b strings.Builder
	b.WriteString("The user answered:\n")
	for i, q := range questions {
		var got []string
		for _, line := range strings.Split(picked, "\n") {
			id, text, _ := strings.Cut(line, ":")
			row, mine := strings.CutPrefix(id, fmt.Sprintf("%d.", i))
			switch {
			case !mine:
			case row == other:
				got = append(got, text)
			default:
				var j int
				if _, err := fmt.Sscan(row, &j); err == nil && j < len(q.Options) {
					got = append(got, q.Options[j].Label)
				}
			}
		}
		if got == nil {
			got = []string{"Unanswered"}
		}
		fmt.Fprintf(&b, "%q = %q\n", q.Question, strings.Join(got, ", "))
	}
	return b.String()
}
