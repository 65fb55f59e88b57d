package main

import (
	"context"
	"errors"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/classifier"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newJudge returns the classifier over small.
func newJudge(small chosen, spend func(llm.Usage, time.Duration, error) error) *judgeOf {
	j := &judgeOf{}
	j.c = classifier.New(small.Model, func(u llm.Usage, took time.Duration, err error) { j.err = errors.Join(j.err, spend(u, took, err)) })
	return j
}

// A judgeOf adapts the classifier to what the gate asks for.
type judgeOf struct {
	c   *classifier.Classifier
	err error // of recording what it cost
}

// Classify returns the verdict; one whose cost could not be recorded does not
// count.
func (j *judgeOf) Classify(ctx context.Context, e approval.Evidence) tools.Risk {
	j.err = nil
	r := j.c.Judge(ctx, e.Command, e.UserRequests)
	if j.err != nil {
		return tools.High
	}
	return r
}
