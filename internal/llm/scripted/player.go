package scripted

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/llm"
)

// A Query is what the choice of an answer depends on.
type Query struct {
	// News is the text said after the last assistant message.
	News string
	// Opening is the first text of the conversation.
	Opening string
	// Tools says that the request offers tools.
	Tools bool
	// LastID is the largest number that ends an id in the request, so that a
	// session which is continued on a new player gets no id twice.
	LastID int
	// Blind skips the expectations.
	Blind bool
}

// Classifies reports whether the request is the command classifier's. The tag
// of a command that a person ran looks alike and is not meant.
func (q Query) Classifies() bool {
	return !q.Tools && strings.Contains(q.News, "<command>") && !strings.Contains(q.News, "<operator_command")
}

// An Answer is one step made ready to be sent: counted, filled in, and cut or
// emptied where its fault says so.
type Answer struct {
	// Number is the first of the numbers that the answer's ids use.
	Number   int
	Think    string
	Redacted bool
	Text     string
	Calls    []Call
	Stop     llm.Stop
	Usage    llm.Usage
	Chunk    int
	Delay    time.Duration
	// Fault is what remains to go wrong on the wire; nil for nothing. Its After
	// is set where it has a cut.
	Fault *Fault
}

// CallID returns the id of the i-th call, numbered after prefix if the script
// gives it none.
func (a *Answer) CallID(prefix string, i int) string {
	if id := a.Calls[i].ID; id != "" {
		return id
	}
	return fmt.Sprintf("%s_%d", prefix, a.Number+i)
}

// A Player hands out the steps of a scenario in order. It is safe for
// concurrent use.
type Player struct {
	scenario *Scenario

	mu         sync.Mutex // guards what follows
	tracks     []track    // the scenario's own steps, then those of its tasks
	last       int        // the last number used in an id
	classified int
	found      map[string]string // by the named groups of expectations
}

// A track is how far a list of steps was played.
type track struct {
	name    string
	steps   []Step
	at      int  // the step in turn
	used    int  // how often it was used
	faults  int  // how often its fault was shown
	checked bool // its expectations held, for this use
}

// NewPlayer returns a player at the first step of s, which must not change.
func NewPlayer(s *Scenario) *Player {
	p := &Player{scenario: s, found: map[string]string{}, tracks: []track{{name: "steps", steps: s.Steps}}}
	for i, t := range s.Tasks {
		p.tracks = append(p.tracks, track{name: fmt.Sprintf("tasks[%d].steps", i), steps: t.Steps})
	}
	return p
}

// track returns the one that a conversation plays.
func (p *Player) track(opening string) *track {
	for i, t := range p.scenario.Tasks {
		if strings.Contains(opening, t.Opening) {
			return &p.tracks[i+1]
		}
	}
	return &p.tracks[0]
}

// Done reports whether all steps were used.
func (p *Player) Done() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(p.tracks, func(t track) bool { return t.at < len(t.steps) })
}

// Classified returns how many requests the classifier answered.
func (p *Player) Classified() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.classified
}

// Next returns the answer to the next request. The error says which
// expectation of which step does not hold, or that the script is over.
func (p *Player) Next(q Query) (Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = max(p.last, q.LastID)
	if q.Classifies() {
		p.classified++
		return p.number(p.scenario.Classifier.answer(command(q.News))), nil
	}
	t := p.track(q.Opening)
	if t.at >= len(t.steps) {
		return Answer{}, fmt.Errorf("script is over: all %d %s are used, and the newest input is %q", len(t.steps), t.name, clip(q.News))
	}
	step := &t.steps[t.at]
	n := t.used + 1
	if !t.checked && !q.Blind {
		if err := step.expects(q.News, n); err != nil {
			return Answer{}, fmt.Errorf("%s[%d]: %w", t.name, t.at, err)
		}
	}
	if !t.checked {
		p.find(step, q.News)
	}
	t.checked = true
	a := step.answer(n)
	p.fillIn(&a)
	if f := step.Fault; f != nil && t.faults <= f.Again {
		t.faults++
		a.spoil(*f)
		if f.lost() {
			return p.number(a), nil
		}
	}
	t.checked = false
	if t.used++; t.used >= step.Repeat {
		t.at, t.used, t.faults = t.at+1, 0, 0
	}
	return p.number(a), nil
}

func (p *Player) number(a Answer) Answer {
	a.Number = p.last + 1
	p.last += max(1, len(a.Calls))
	return a
}

func (s *Step) expects(news string, n int) error {
	for i, list := range [][]string{s.Expect, s.ExpectNot} {
		for _, e := range list {
			e = expand(e, n)
			ok, err := matches(e, news)
			switch {
			case err != nil:
				return err
			case i == 0 && !ok:
				return fmt.Errorf("the newest input lacks %q: %q", e, clip(news))
			case i == 1 && ok:
				return fmt.Errorf("the newest input must not hold %q: %q", e, clip(news))
			}
		}
	}
	return nil
}

// find keeps what the named groups of a step's expectations match.
func (p *Player) find(s *Step, news string) {
	for _, e := range s.Expect {
		pattern, ok := strings.CutPrefix(e, "re:")
		re, err := regexp.Compile(pattern)
		if !ok || err != nil {
			continue
		}
		m := re.FindStringSubmatch(news)
		for i, name := range re.SubexpNames() {
			if m != nil && name != "" {
				p.found[name] = m[i]
			}
		}
	}
}

// fillIn puts what was found in the place of its names.
func (p *Player) fillIn(a *Answer) {
	for name, text := range p.found {
		name = "{{" + name + "}}"
		a.Text = strings.ReplaceAll(a.Text, name, text)
		for i, c := range a.Calls {
			a.Calls[i].Args = Args(strings.ReplaceAll(string(c.Args), name, text))
		}
	}
}

func (s *Step) answer(n int) Answer {
	a := Answer{
		Think: expand(s.Think, n), Redacted: s.Redacted, Text: expand(s.Text, n),
		Stop: s.Stop, Usage: s.Usage, Chunk: s.Chunk, Delay: time.Duration(s.Delay),
	}
	for _, c := range s.Calls {
		args := expand(string(c.Args), n)
		if args == "" {
			args = "{}"
		}
		a.Calls = append(a.Calls, Call{ID: expand(c.ID, n), Name: expand(c.Name, n), Args: Args(args)})
	}
	if a.Usage == (llm.Usage{}) {
		a.Usage = llm.Usage{Input: 100, Output: 20}
	}
	if a.Chunk == 0 {
		a.Chunk = DefaultChunk
	}
	if a.Stop == "" {
		a.Stop = llm.StopEnd
		if len(a.Calls) > 0 {
			a.Stop = llm.StopCalls
		}
	}
	return a
}

func (c *Classifier) answer(command string) Answer {
	a := Answer{Text: c.Default, Stop: llm.StopEnd, Usage: llm.Usage{Input: 40, Output: 2}, Chunk: DefaultChunk}
	if a.Text == "" {
		a.Text = "high-risk"
	}
	for _, r := range c.Rules {
		if strings.Contains(command, r.Contains) {
			a.Text, a.Delay = r.Reply, time.Duration(r.Delay)
			if r.Fault != nil {
				a.spoil(*r.Fault)
			}
			break
		}
	}
	return a
}

// command returns what stands in the command tag, with its escapes undone.
func command(news string) string {
	_, rest, _ := strings.Cut(news, "<command>")
	in, _, _ := strings.Cut(rest, "</command>")
	return strings.NewReplacer(`\u003c`, "<", "&lt;", "<").Replace(in)
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	const most = 600
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Chunks yields s in pieces of n runes.
func Chunks(s string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			i := 0
			for range n {
				_, size := utf8.DecodeRuneInString(s[i:])
				if i += size; i >= len(s) {
					break
				}
			}
			if !yield(s[:i]) {
				return
			}
			s = s[i:]
		}
	}
}

func chunks(s string, n int) int { return (utf8.RuneCountInString(s) + n - 1) / n }
