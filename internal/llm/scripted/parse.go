package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/zuno-dev/zuno/internal/llm"
)

// Parse reads a scenario file. An error names the place, like "steps[2].calls[0]".
func Parse(b []byte) (*Scenario, error) {
	s, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return s, nil
}

func parse(b []byte) (*Scenario, error) {
	plain, err := hujson.Standardize(bytes.Clone(b))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	var top struct {
		Scenario
		Steps      []json.RawMessage `json:"steps"`
		Tasks      []json.RawMessage `json:"tasks"`
		Classifier json.RawMessage   `json:"classifier"`
	}
	if err := decode(plain, &top, "the file"); err != nil {
		return nil, err
	}
	s := &top.Scenario
	if s.Steps, err = parseSteps(top.Steps, ""); err != nil {
		return nil, err
	}
	for i, raw := range top.Tasks {
		at := fmt.Sprintf("tasks[%d]", i)
		var t struct {
			Task
			Steps []json.RawMessage `json:"steps"`
		}
		if err := decode(raw, &t, at); err != nil {
			return nil, err
		}
		if t.Opening == "" {
			return nil, fmt.Errorf("%s: opening is missing", at)
		}
		if t.Task.Steps, err = parseSteps(t.Steps, at+"."); err != nil {
			return nil, err
		}
		s.Tasks = append(s.Tasks, t.Task)
	}
	if len(top.Classifier) > 0 {
		return s, parseClassifier(top.Classifier, &s.Classifier)
	}
	return s, nil
}

func parseSteps(list []json.RawMessage, at string) ([]Step, error) {
	var steps []Step
	for i, raw := range list {
		step, err := parseStep(raw, fmt.Sprintf("%ssteps[%d]", at, i))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func parseStep(raw json.RawMessage, at string) (Step, error) {
	var in struct {
		Step
		Calls []json.RawMessage `json:"calls"`
		Fault json.RawMessage   `json:"fault"`
	}
	if err := decode(raw, &in, at); err != nil {
		return Step{}, err
	}
	for i, raw := range in.Calls {
		at := fmt.Sprintf("%s.calls[%d]", at, i)
		var c Call
		if err := decode(raw, &c, at); err != nil {
			return Step{}, err
		}
		if c.Name == "" {
			return Step{}, fmt.Errorf("%s: name is missing", at)
		}
		in.Step.Calls = append(in.Step.Calls, c)
	}
	var err error
	if in.Step.Fault, err = parseFault(in.Fault, at+".fault"); err != nil {
		return Step{}, err
	}
	return in.Step, in.Step.check(at)
}

func (s *Step) check(at string) error {
	for i, list := range [][]string{s.Expect, s.ExpectNot} {
		for j, e := range list {
			if _, err := matches(expand(e, 1), ""); err != nil {
				return fmt.Errorf("%s.%s[%d]: %w", at, []string{"expect", "expect_not"}[i], j, err)
			}
		}
	}
	stops := []llm.Stop{"", llm.StopEnd, llm.StopCalls, llm.StopLength, llm.StopRefusal}
	switch {
	case !slices.Contains(stops, s.Stop):
		return fmt.Errorf("%s.stop: %q is none of end, calls, length, refusal", at, s.Stop)
	case s.Chunk < 0 || s.Repeat < 0:
		return fmt.Errorf("%s: chunk and repeat must not be negative", at)
	case s.Think == "" && s.Text == "" && len(s.Calls) == 0 && s.Fault == nil:
		return fmt.Errorf("%s says nothing: give it text, think, calls or a fault", at)
	}
	return nil
}

func parseFault(raw json.RawMessage, at string) (*Fault, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	f := new(Fault)
	if err := decode(raw, f, at); err != nil {
		return nil, err
	}
	kinds := 0
	for _, set := range []bool{f.Status != 0, f.Error != "", f.Cut != "", len(f.Quirks) > 0} {
		if set {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return nil, fmt.Errorf("%s: give exactly one of status, error, cut and quirks", at)
	case f.Status != 0 && (f.Status < 400 || f.Status > 599):
		return nil, fmt.Errorf("%s.status: %d is not an HTTP error", at, f.Status)
	case f.Error != "" && f.Error != "too_long" && f.Error != "quota":
		return nil, fmt.Errorf("%s.error: %q is none of too_long, quota", at, f.Error)
	case f.Cut != "" && !slices.Contains(Cuts(), f.Cut):
		return nil, fmt.Errorf("%s.cut: %q is none of %s", at, f.Cut, strings.Join(Cuts(), ", "))
	case f.After != nil && f.Cut == "":
		return nil, fmt.Errorf("%s.after: only a cut has it", at)
	case f.After != nil && (*f.After < -1 || *f.After == -1 && f.Cut != "reset" && f.Cut != "stall"):
		return nil, fmt.Errorf("%s.after: must be a number of deltas, or -1 with reset or stall", at)
	case f.Again < 0:
		return nil, fmt.Errorf("%s.again: must not be negative", at)
	}
	for _, q := range f.Quirks {
		if !slices.Contains(Quirks(), q) {
			return nil, fmt.Errorf("%s: %q is none of %s", at, q, strings.Join(append(Cuts(), Quirks()...), ", "))
		}
	}
	if f.Has("json_body") && slices.ContainsFunc(f.Quirks, func(q string) bool { return !slices.Contains([]string{"json_body", "empty", "blank"}, q) }) {
		return nil, fmt.Errorf("%s: json_body is no stream, so it goes with empty and blank only", at)
	}
	return f, nil
}

func parseClassifier(raw json.RawMessage, c *Classifier) error {
	var in struct {
		Classifier
		Rules []json.RawMessage `json:"rules"`
	}
	if err := decode(raw, &in, "classifier"); err != nil {
		return err
	}
	*c = in.Classifier
	for i, raw := range in.Rules {
		at := fmt.Sprintf("classifier.rules[%d]", i)
		var r struct {
			Rule
			Fault json.RawMessage `json:"fault"`
		}
		if err := decode(raw, &r, at); err != nil {
			return err
		}
		var err error
		if r.Rule.Fault, err = parseFault(r.Fault, at+".fault"); err != nil {
			return err
		}
		c.Rules = append(c.Rules, r.Rule)
	}
	return nil
}

// decode reads one JSON value and puts the place before what is wrong with it.
func decode(raw []byte, v any, at string) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
		return fmt.Errorf("%s.%s: %s is the wrong type", at, field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: %s is the wrong type", at, wrong.Value)
	}
	return fmt.Errorf("%s: %s", at, strings.TrimPrefix(err.Error(), "json: "))
}

// matches reports whether an expectation occurs in text.
func matches(expect, text string) (bool, error) {
	pattern, ok := strings.CutPrefix(expect, "re:")
	if !ok {
		return strings.Contains(text, expect), nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchString(text), nil
}
