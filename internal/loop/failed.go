package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
)

// failedFor marks what a prompt tells the model of the turn before it, which did
// not come to its end. No call has such an ID.
const failedFor = "@failed"

// maxReason bounds why a turn failed, in bytes.
const maxReason = 500

// unexplained is said of a turn of which nobody could record how it ended.
const unexplained = "why is not recorded: zuno may have been killed"

// failed records, for the prompt that follows, that the turn that began at the
// message with the index from did not come to its end. The model sees what was said
// and done in it, and not that nothing else was.
func (s *Session) failed(from int, err error) {
	why := tools.CleanLine(tools.Clip(err.Error(), maxReason))
	if errors.Is(err, context.Canceled) {
		why = "the user interrupted it"
	}
	s.failure = failure(why, s.messages[min(from, len(s.messages)):])
	// When this cannot be recorded there is nobody else to tell: the turn has its
	// error, and this process knows.
	_ = s.conf.Journal.Failed(s.failure)
}

// failure is what the model is told: why, and what came of it.
func failure(why string, turn []*llm.Message) string {
	answered, called := false, false
	for _, m := range turn {
		answered = answered || m.Role == llm.Assistant
		called = called || m.Role == llm.Assistant && len(m.Calls()) > 0
	}
	came := "You had not answered, and made no call: nothing was done."
	switch {
	case called:
		came = "What you said and what your calls came to stands above; whatever else was asked for was not done."
	case answered:
		came = "What you had said stands above; you made no call, and nothing was done."
	}
	why = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(strings.TrimRight(why, "."))
	return fmt.Sprintf("<turn_failed>\nThe turn before this prompt did not come to its end: %s.\n%s\n</turn_failed>", why, came)
}

// unended is failure for a stored turn whose end is not recorded.
func (s *Session) unended() string {
	from := 0
	for i, m := range s.messages {
		if _, told := s.reports(m); m.Role == llm.User && !told && about(m) != hookFor {
			if _, ok := s.records[about(m)]; !ok {
				from = i
			}
		}
	}
	return failure(unexplained, s.messages[from:])
}
