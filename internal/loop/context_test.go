package loop

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/compaction"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/loop/journaltest"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A crowd is a model with a window of 12,000 tokens, which counts three bytes a
// token. It answers what next says; a request for a summary with summary.
type crowd struct {
	next     func(n int) llm.Message
	summary  func() (llm.Message, error)
	limit    int // requests of more tokens are refused; zero for none
	named    llm.Limit
	requests []llm.Request
	asked    int // for a summary
	refused  int
}

func (c *crowd) Stream(ctx context.Context, req llm.Request, _ func(llm.Delta)) (llm.Message, error) {
	tokens := compaction.Text(req.System) + compaction.Specs(req.Tools) + compaction.Sizes(req.Messages)
	if c.limit > 0 && tokens > c.limit {
		c.refused++
		return llm.Message{}, &llm.Error{Kind: llm.TooLong, Message: "prompt is too long", Status: 400, Limit: c.named}
	}
	if len(req.Tools) == 0 {
		c.asked++
		m, err := c.summary()
		m.Usage = llm.Usage{Input: tokens, Output: 10}
		return m, errors.Join(err, ctx.Err())
	}
	c.requests = append(c.requests, req)
	m := c.next(len(c.requests) - 1)
	m.Usage = llm.Usage{Input: tokens, Output: compaction.Size(&m)}
	return m, ctx.Err()
}

func (c *crowd) last() llm.Request { return c.requests[len(c.requests)-1] }

const window = 14400 // of which a sixth is for the answer

// reads makes n calls of read, then answers.
func reads(n int) func(int) llm.Message {
	return func(i int) llm.Message {
		if i%(n+1) == n {
			return says("done")
		}
		return calls("read")
	}
}

func crowded(c *crowd, context int, change func(*Config)) *bench {
	if c.summary == nil {
		c.summary = func() (llm.Message, error) { return says("## Goal\nread everything"), nil }
	}
	b := newBench(nil, approval.LowRisk, func(conf *Config) {
		conf.Model, conf.Info.Context = c, context
		conf.Compaction = Compaction{Limits: compaction.Defaults(), Recall: tool(tools.Spec{Name: compaction.Recaller, Effect: tools.ReadOnly}, ok("it"))}
		if change != nil {
			change(conf)
		}
	}, tool(readSpec, ok(strings.Repeat("line of text\n", 300)))) // 1,300 tokens
	return b
}

func (b *bench) notices() string {
	var list []string
	for _, e := range b.events {
		if n, ok := e.(Noticed); ok {
			list = append(list, n.Text)
		}
	}
	return strings.Join(list, "\n")
}

func strict(t *testing.T, ms []*llm.Message) {
	t.Helper()
	var open []string
	for i, m := range ms {
		if (m.Role == llm.Tool) != (len(open) > 0) || i == 0 && m.Role != llm.User {
			t.Fatalf("message %d of %d is of %s, and %v wait for results", i, len(ms), m.Role, open)
		}
		for _, p := range m.Parts {
			if p.Kind == llm.Result {
				if open[0] != p.For || strings.TrimSpace(p.Text) == "" {
					t.Fatalf("message %d answers %s, and %v wait", i, p.For, open)
				}
				open = open[1:]
			}
		}
		for _, c := range m.Calls() {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		t.Fatalf("%v have no results", open)
	}
}

// resumed is the session that another process makes of what b recorded.
func (b *bench) resumed() *Session {
	conf := b.conf
	conf.History, conf.View = b.journal.Messages, View(b.journal.View)
	conf.Records = map[string]tools.Record{}
	for id, r := range b.journal.Records {
		conf.Records[id] = *r
	}
	return New(conf)
}

// same fails the test unless a resumed session shows the model the same.
func (b *bench) same(t *testing.T) {
	t.Helper()
	other := b.resumed()
	text := func(ms []*llm.Message) string {
		var sb strings.Builder
		for _, m := range ms {
			fmt.Fprintf(&sb, "%s:", m.Role)
			for _, p := range m.Parts {
				fmt.Fprintf(&sb, " %s %s %s;", p.Kind, p.For, p.Text)
			}
			sb.WriteByte('\n')
		}
		return sb.String()
	}
	if a, c := text(b.shown.messages), text(other.shown.messages); a != c {
		t.Errorf("shown:\n%s\nafter a resume:\n%s", a, c)
	}
	if a, c := b.Context(), other.Context(); a.Used/10 != c.Used/10 || a.Cleared != c.Cleared {
		t.Errorf("it took %+v, and after a resume %+v", a, c)
	}
	strict(t, other.shown.messages)
	b.added(t)
	other.added(t)
}

// added fails the test unless the sums that are kept are those of what is shown.
func (s *Session) added(t *testing.T) {
	t.Helper()
	results, sh := 0, &s.shown
	for i, m := range sh.messages {
		if m.Role == llm.Tool {
			results += compaction.Size(m)
		}
		if got, want := sh.size(i+1), compaction.Sizes(sh.messages[:i+1]); got != want {
			t.Fatalf("the first %d messages are said to take %d tokens, and take %d", i+1, got, want)
		}
	}
	if results != sh.results || len(sh.sums) != len(sh.messages) {
		t.Fatalf("results are said to take %d tokens, and take %d; %d sums of %d messages", sh.results, results, len(sh.sums), len(sh.messages))
	}
}

func TestAFullContextIsSummarizedInsideALongTurn(t *testing.T) {
	c := &crowd{next: reads(25)}
	b := crowded(c, window, nil)
	for range 2 {
		if err := b.run(t.Context(), "read all of it, please"); err != nil {
			t.Fatal(err)
		}
	}
	most := 0
	for _, r := range c.requests {
		strict(t, r.Messages)
		most = max(most, compaction.Sizes(r.Messages))
	}
	if c.asked < 2 || most > window || !strings.Contains(b.notices(), "context compacted: ") {
		t.Errorf("%d summaries, the longest request has %d tokens, and it was said: %s", c.asked, most, b.notices())
	}
	if got := c.last().Messages[0].Text(); !strings.Contains(got, "read everything") || !strings.Contains(got, "read all of it, please") {
		t.Errorf("the first message is %q", got)
	}
	b.whole(t)
	b.same(t)
	// The record lost nothing.
	if n := len(b.journal.Messages); n != 2*(1+25+1) {
		t.Errorf("%d messages are recorded", n)
	}
}

func TestATurnHasAsManySummariesAsItNeeds(t *testing.T) {
	m := &crowd{limit: window}
	m.next = func(n int) llm.Message {
		msg := reads(60)(n)
		msg.Parts = append([]llm.Part{{Kind: llm.Text, Text: strings.Repeat("thinking aloud ", 400)}}, msg.Parts...)
		return msg
	}
	b := crowded(m, window, nil)
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	if m.refused > 0 || m.asked <= mostTries {
		t.Errorf("%d requests were refused, %d summaries: %s", m.refused, m.asked, b.notices())
	}
}

func TestWhatTheAgentWorksOnStaysWhole(t *testing.T) {
	task := "Do all of this:" + strings.Repeat("\n- one more thing that matters", 100) // 2,900 bytes
	m := &crowd{next: func(n int) llm.Message {
		msg := reads(20)(n)
		msg.Parts = append([]llm.Part{{Kind: llm.Text, Text: strings.Repeat("thinking aloud ", 400)}}, msg.Parts...)
		return msg
	}}
	b := crowded(m, 4*window, nil)
	if err := b.run(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	first := m.last().Messages[0].Text()
	if m.asked == 0 || !strings.Contains(first, strings.ReplaceAll(task, "\n", "\n  ")) {
		t.Errorf("%d summaries, and the model is shown %s", m.asked, first)
	}
}

func TestOldResultsAreLeftOutInBatches(t *testing.T) {
	c := &crowd{next: reads(2)}
	b := crowded(c, window, func(conf *Config) { conf.Compaction.Compact = 95 })
	for range 4 {
		if err := b.run(t.Context(), "read"); err != nil {
			t.Fatal(err)
		}
	}
	clears := 0
	for _, l := range b.journal.Log {
		if strings.HasPrefix(l, "clear") {
			clears++
		}
	}
	if clears < 1 || clears > 2 || c.asked != 0 || !strings.Contains(b.notices(), "old results left out") {
		t.Fatalf("cleared %d times, %d summaries, and it was said: %s", clears, c.asked, b.notices())
	}
	var cleared, whole int
	for _, m := range c.last().Messages {
		for _, p := range m.Parts {
			if p.Kind == llm.Result {
				if strings.Contains(p.Text, compaction.Recaller) {
					cleared++
				} else {
					whole++
				}
			}
		}
	}
	if cleared < 2 || whole < 4 {
		t.Errorf("%d results are left out and %d shown", cleared, whole)
	}
	if n := len(c.last().Tools); n != 2 {
		t.Errorf("%d tools are on offer when there is something to read back", n)
	}
	if n := len(c.requests[0].Tools); n != 1 {
		t.Errorf("%d tools are on offer at first", n)
	}
	b.same(t)
	// The next request begins as the last one did, so that the provider's cache
	// counts.
	before := c.last().Messages
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	after := c.requests[len(c.requests)-3].Messages
	for i := range before {
		if before[i] != after[i] {
			t.Fatalf("message %d is not the same in the next request", i)
		}
	}
}

func TestASummaryThatIsOfNoUseChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		summary func() (llm.Message, error)
		says    string
	}{
		"it is blank":        {func() (llm.Message, error) { return says(" \n"), nil }, "wrote no summary"},
		"it is only a call":  {func() (llm.Message, error) { return calls("read"), nil }, "wrote no summary"},
		"it fails":           {func() (llm.Message, error) { return llm.Message{}, &llm.Error{Kind: llm.Rejected, Message: "no"} }, "could not be had"},
		"it breaks off":      {func() (llm.Message, error) { m := says("half"); m.Stop = llm.StopLength; return m, nil }, "broke off"},
		"it does not shrink": {func() (llm.Message, error) { return says(strings.Repeat("word ", 6000)), nil }, "not clearly smaller"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &crowd{next: reads(9), summary: c.summary}
			b := crowded(m, window, nil)
			if err := b.run(t.Context(), "read"); err != nil {
				t.Fatal(err)
			}
			if m.asked != 1 || !strings.Contains(b.notices(), c.says) || b.journal.View != (journaltest.View{}) {
				t.Errorf("%d attempts in one turn, %+v, and it was said: %s", m.asked, b.journal.View, b.notices())
			}
			if n := len(m.last().Messages); n != 19 {
				t.Errorf("the last request has %d messages", n)
			}
			if err := b.Compact(t.Context(), "", func(Event) {}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("asked for, it says %v", err)
			}
			b.same(t)
		})
	}
}

func TestAnInterruptedCompactionLeavesTheConversationAsItWas(t *testing.T) {
	m := &crowd{next: reads(6)}
	b := crowded(m, window, nil)
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m.summary = func() (llm.Message, error) { cancel(); return says("## Goal\nhalf"), nil }
	err := b.Compact(ctx, "", func(Event) {})
	if !errors.Is(err, context.Canceled) || b.journal.View != (journaltest.View{}) || b.shown.view != (View{}) {
		t.Errorf("%v, %+v", err, b.journal.View)
	}
	b.same(t)
	m.summary = func() (llm.Message, error) { return says("## Goal\nall"), nil }
	var ended bool
	if err := b.Compact(t.Context(), "the tests", func(e Event) { _, ended = e.(Ended) }); err != nil || !ended {
		t.Errorf("%v, ended is %v", err, ended)
	}
	b.same(t)
}

func TestWhatCannotBeRecordedIsNotShown(t *testing.T) {
	m := &crowd{next: reads(6)}
	b := crowded(m, window, nil)
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	lost := errors.New("the session is lost")
	b.journal.Fail = func(transition, _ string) error {
		if transition == "compact" || transition == "clear" {
			return lost
		}
		return nil
	}
	if err := b.Compact(t.Context(), "", func(Event) {}); !errors.Is(err, lost) {
		t.Error(err)
	}
	if err := b.clear(compaction.LastStep(b.messages), 1, func(Event) {}); !errors.Is(err, lost) {
		t.Error(err)
	}
	b.same(t)
}

func TestTheRequestThatIsTooLongIsMadeAgainOnceThereIsRoom(t *testing.T) {
	for _, context := range []int{0, 10 * window, -1} { // not known, wrong, and not known with results of no weight
		m := &crowd{next: reads(20), limit: window}
		if context < 0 {
			context, m.next = 0, func(n int) llm.Message {
				msg := reads(20)(n)
				msg.Parts = append([]llm.Part{{Kind: llm.Text, Text: strings.Repeat("thinking aloud ", 400)}}, msg.Parts...)
				return msg
			}
		}
		b := crowded(m, context, nil)
		if err := b.run(t.Context(), "read"); err != nil {
			t.Fatal(err)
		}
		if m.refused == 0 || m.refused > 5 || m.asked == 0 || strings.Contains(b.notices(), "could not") {
			t.Errorf("%d requests were refused, %d summaries: %s", m.refused, m.asked, b.notices())
		}
		for _, r := range m.requests {
			strict(t, r.Messages)
		}
		b.whole(t)
		strict(t, b.resumed().shown.messages)
	}
}

// TestALimitThatTheProviderNamesIsReckonedWith: until another model is asked.
func TestALimitThatTheProviderNamesIsReckonedWith(t *testing.T) {
	c := &crowd{next: reads(12), limit: 12000, named: llm.Limit{Tokens: 14400}}
	b := crowded(c, 100_000, nil)
	if err := b.run(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got := b.Context(); got.Window != 12000 || got.Named != 14400 || got.Reserve != 2400 {
		t.Errorf("reckoned with %+v", got)
	}
	if c.refused != 1 || strings.Count(b.notices(), "14k tokens by its word") != 1 {
		t.Errorf("refused %d times: %s", c.refused, b.notices())
	}
	// What is known to be less stays, and so does what another model is known for.
	c = &crowd{next: reads(12), limit: 9000, named: llm.Limit{Tokens: 400_000, Input: true}}
	b = crowded(c, 100_000, nil)
	if err := b.run(t.Context(), "go"); err != nil || b.Context().Named != 0 {
		t.Errorf("%v, %+v", err, b.Context())
	}
	b.Use(Choice{Model: &crowd{next: func(int) llm.Message { return says("done") }}, Info: llm.Info{ID: "another", Context: 60_000}})
	if err := b.run(t.Context(), "go"); err != nil || b.Context().Window != 50_000 {
		t.Errorf("%v, %+v", err, b.Context())
	}
}

// TestACompactionThatFailsAgainIsNotToldAgain: until something changes.
func TestACompactionThatFailsAgainIsNotToldAgain(t *testing.T) {
	c := &crowd{next: reads(2)}
	fail := true
	c.summary = func() (llm.Message, error) {
		if fail {
			return says(""), nil
		}
		return says("## Goal\nread"), nil
	}
	b := crowded(c, window, nil)
	turns := func(n int) int {
		b.events = nil
		for range n {
			_ = b.run(t.Context(), strings.Repeat("word ", 300))
		}
		return strings.Count(b.notices(), "could not be compacted")
	}
	if n := turns(8); n != 1 || c.asked < 2 {
		t.Errorf("said %d times, of %d", n, c.asked)
	}
	fail = false
	if n := turns(8); n != 0 {
		t.Errorf("said %d times when it worked", n)
	}
	fail = true
	if n := turns(8); n != 1 {
		t.Errorf("said %d times when it failed again", n)
	}
}

func TestAConversationThatCannotFitEndsWithAClearError(t *testing.T) {
	m := &crowd{next: reads(20), limit: 40}
	b := crowded(m, 0, nil)
	err := b.run(t.Context(), strings.Repeat("long ", 1000))
	if !tooLong(err) || !strings.Contains(err.Error(), "begin a new session") {
		t.Errorf("it ends with %v", err)
	}
	if m.refused > 4 {
		t.Errorf("%d attempts", m.refused)
	}
	b = crowded(m, 0, func(c *Config) { c.Compaction.Auto = false })
	if err := b.run(t.Context(), "read"); !tooLong(err) || !strings.Contains(err.Error(), "/compact") {
		t.Errorf("with nothing done by itself it ends with %v", err)
	}
}

func TestAResultThatIsLargerThanTheWindowIsCutBeforeItIsSent(t *testing.T) {
	m := &crowd{next: reads(3), limit: window}
	b := crowded(m, window, func(c *Config) {
		c.Tools = []tools.Tool{tool(readSpec, ok(strings.Repeat("x", 50000)))}
	})
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	if m.refused > 0 || len(b.journal.Records["c0"].Outcome.Text) != 50000 {
		t.Errorf("%d requests were refused, and %d bytes are recorded", m.refused, len(b.journal.Records["c0"].Outcome.Text))
	}
	if got := m.requests[1].Messages[2].Parts[0].Text; !strings.Contains(got, `retrieve_tool_result with tool_call_id "c0" reads the rest back`) {
		t.Errorf("the result is %d bytes and ends %q", len(got), got[len(got)-200:])
	}
	b.same(t)
}

func TestThePersonIsWarnedOnceAndReadsHowFullItIs(t *testing.T) {
	m := &crowd{next: reads(7)}
	b := crowded(m, window, func(c *Config) { c.Compaction.Compact, c.Compaction.Clear = 100, 100 })
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.notices(), "% full"); n != 1 {
		t.Errorf("it was said %d times: %s", n, b.notices())
	}
	c := b.Context()
	if c.Percent() < 70 || c.Window != 12000 || c.Reserve != 2400 || !c.Counted || c.Used != c.System+c.Tools+c.Summary+c.Messages+c.Results {
		t.Errorf("%+v", c)
	}
	var last Measured
	for _, e := range b.events {
		if m, ok := e.(Measured); ok {
			last = m
		}
	}
	if last != (Measured{c.Used, c.Window}) {
		t.Errorf("the last event is %+v, not %+v", last, c)
	}
}

func TestASmallerModelIsAskedForTheSummaryInARequestThatFitsIt(t *testing.T) {
	small := &crowd{limit: 3000, summary: func() (llm.Message, error) { return says("## Goal\nsmall"), nil }}
	m := &crowd{next: reads(14), summary: func() (llm.Message, error) { return llm.Message{}, errors.New("not me") }}
	b := crowded(m, window, func(c *Config) { c.Compaction.Model, c.Compaction.Info = small, llm.Info{Context: 3000} })
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	if small.asked == 0 || small.refused > 0 || m.asked > 0 || !strings.Contains(b.shown.messages[0].Text(), "small") {
		t.Errorf("asked %d, refused %d: %s", small.asked, small.refused, b.notices())
	}
}

func TestTheFactsAreThoseOfTheRecord(t *testing.T) {
	m := &crowd{next: reads(6)}
	b := crowded(m, window, func(c *Config) {
		c.Compaction.Uncertain = func() ([]tools.Record, error) {
			return []tools.Record{{Call: tools.Call{ID: "c77", Tool: "shell"}, Summary: "deploy"}}, nil
		}
		c.Compaction.WorkState = func() (string, error) { return "<work_state>ship it</work_state>", nil }
		c.Compaction.Running = func() []string { return []string{"job_1: npm start"} }
	})
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	if err := b.Compact(t.Context(), "", func(Event) {}); err != nil {
		t.Fatal(err)
	}
	text := b.shown.messages[0].Text()
	for _, want := range []string{"call c77: shell deploy", "<work_state>ship it</work_state>", "job_1: npm start", "- read"} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary lacks %q:\n%s", want, text)
		}
	}
	b.same(t)
}

func TestTheModelMayAskForASummary(t *testing.T) {
	var b *bench
	ask := tool(tools.Spec{Name: "summarize_context", Effect: tools.ReadOnly}, func(context.Context) tools.Outcome {
		b.Summarize()
		return tools.Outcome{Kind: tools.OK, Text: "soon"}
	})
	m := &crowd{next: func(n int) llm.Message {
		switch {
		case n == 8:
			return calls("summarize_context")
		case n == 9:
			return calls("summarize_context")
		case n > 9:
			return says("done")
		}
		return calls("read")
	}}
	b = crowded(m, 0, func(c *Config) { c.Tools = append(c.Tools, ask) })
	if err := b.run(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	if m.asked == 0 || !strings.Contains(m.requests[9].Messages[0].Text(), "read everything") {
		t.Errorf("%d summaries: %s", m.asked, b.notices())
	}
	ms := m.requests[10].Messages
	if got := ms[len(ms)-1].Text(); m.asked == 1 && !strings.Contains(got, "was not summarized") {
		t.Errorf("the second time the model reads %q", got)
	}
	strict(t, ms)
}

func TestASecondSummaryStandsOnTheFirst(t *testing.T) {
	m := &crowd{next: reads(6)}
	b := crowded(m, window, nil)
	n := 0
	m.summary = func() (llm.Message, error) { n++; return says(fmt.Sprint("summary ", n)), nil }
	for i := range 4 {
		if err := b.run(t.Context(), fmt.Sprint("request number ", i)); err != nil {
			t.Fatal(err)
		}
		if err := b.Compact(t.Context(), "", func(Event) {}); err != nil && !errors.Is(err, errNothing) {
			t.Fatal(err)
		}
		b.same(t)
	}
	text := b.shown.messages[0].Text()
	for i := range 3 {
		if !strings.Contains(text, fmt.Sprint("request number ", i)) {
			t.Errorf("request %d is lost: %s", i, text)
		}
	}
	if err := b.Compact(t.Context(), "", func(Event) {}); !errors.Is(err, errNothing) {
		t.Errorf("compacted twice in a row: %v", err)
	}
	var shown []string
	if err := b.Replay(func(e Event) {
		if p, ok := e.(Prompted); ok {
			shown = append(shown, p.Text)
		}
		if p, ok := e.(Noticed); ok {
			shown = append(shown, p.Text)
		}
	}); err != nil || len(shown) != 5 || !strings.Contains(strings.Join(shown, "\n"), "a summary in the place of all above") {
		t.Errorf("replayed %q, %v", shown, err)
	}
}

// Whatever the transition at which a process dies, the next one shows a strict
// provider a valid conversation.
func TestADeathAtAnyTransitionLeavesAValidView(t *testing.T) {
	run := func(stop int) (*bench, int) {
		m := &crowd{next: reads(14)}
		b := crowded(m, window, nil)
		n, dead := 0, errors.New("dead")
		b.journal.Fail = func(string, string) error {
			if n++; n > stop {
				return dead
			}
			return nil
		}
		_ = b.run(t.Context(), "read")
		_ = b.run(t.Context(), "read")
		return b, n
	}
	all, n := run(1 << 30)
	if all.journal.View.Summary == "" || all.journal.View.Cleared == 0 && n < 50 {
		t.Fatalf("the script does not compact: %+v", all.journal.View)
	}
	for stop := range n {
		b, _ := run(stop)
		next := b.resumed()
		strict(t, next.shown.messages)
		m := &crowd{next: reads(0), summary: b.conf.Model.(*crowd).summary}
		next.conf.Model = m
		b.journal.Fail = nil
		for id, r := range maps.All(b.journal.Records) {
			if r.State != tools.Settled {
				r.State, b.journal.Records[id] = tools.Settled, r
			}
		}
		if err := next.Prompt(t.Context(), "go on", func(Event) {}); err != nil {
			t.Fatalf("after %d transitions: %v", stop, err)
		}
		strict(t, m.last().Messages)
	}
}
