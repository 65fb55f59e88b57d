package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/tools"
)

// guard is how long a new card takes no answer, so that a key that was typed
// before it appeared cannot be one.
const guard = 300 * time.Millisecond

// An answered card says which row was chosen, and what was typed for it.
type answered struct {
	row  row
	text string
}

// A row is one answer that a card offers.
type row struct {
	letter        string // the key, beside its number
	label, detail string
	short         string // the label where there is no room, "" for the label
	verb          approval.Verb
	id            string // of an option
	asks          string // what a line of text is asked for with, "" for none
	optional      bool   // which may be empty
	unseen        bool   // it may be chosen before everything was in sight
}

// A card asks the person something: it shows, in full, what will happen, and
// rows to answer with.
type card struct {
	th       *theme
	badge    string // approve, choose
	title    string
	warn     bool // high risk: nothing is chosen beforehand
	manual   bool // only a person may allow it: they have been at the end of what it shows
	waiting  int
	sections []tools.Section
	info     [][2]string // name and text
	rows     []row
	answer   func(answered)
	give     func(approval.Answer) // of an approval
	cancel   func()                // takes the card away; nil when it has to be answered
	follow   func()                // sees before each frame whether what it is about is still there; nil when it is

	appeared time.Time // when what it asks came into sight; zero before
	question int       // which of its questions it asks
	choice   int       // the chosen row, -1 for none
	scroll   int
	line     *buffer   // the line being typed for the chosen row
	opened   time.Time // when it was
	held     heldKey
	note     string

	original  string // what can be rewritten of the call
	draft     string // what the person made of it last, which cannot run
	rewrite   func(text string) (approval.Answer, error)
	elsewhere func(text string) // has it edited by a program; nil when there is none
	keep      func(text string) // remembers what they made of it
	keys      *keyLine          // nil when a key cannot be edited
	key0      string            // the key that is offered

	bodyW int // the width that body was made for
	laid  diffLayout
	// layout is how diffs are laid out, for all cards of the screen, and keymap what
	// its keys are.
	layout *diffLayout
	keymap keymap
	body   body
	docs   []*diffDoc // of the sections that are diffs
	full   bool       // what it is about takes all of the screen
	page   int        // rows of it that were shown last
	must   int        // rows of it that have to be seen before it can be allowed or trusted
	seen   int        // rows of it that were seen
	end    int        // the furthest it can be scrolled
}

// newCard returns the card of an approval request.
func newCard(th *theme, r approval.Request, dir string, answer func(approval.Answer)) *card {
	p := r.Proposal
	c := &card{th: th, badge: "approve", choice: -1, waiting: r.Waiting, sections: p.Preview, layout: new(diffLayout), keymap: newKeymap(nil)}
	if len(p.Preview) == 0 {
		c.sections = []tools.Section{{Kind: tools.Text, Body: firstOf(string(p.Call.Args), p.Summary)}}
	}
	c.title = verbatimLine(p.Spec.Name)
	if r.Agent != "" {
		c.title = verbatimLine(r.Agent) + " " + th.glyph.sub + " " + c.title
	}
	if p.Spec.Effect != tools.UserMediated {
		c.explain(r, dir)
	}
	if len(p.Options) > 0 {
		poll := newPoll(p.Options, answer)
		c.badge = "choose"
		c.answer = func(a answered) { poll.take(c, a) }
		poll.show(c)
		return c
	}
	c.give = answer
	c.approve(r)
	c.answer = func(a answered) { answer(answerOf(a)) }
	return c
}

// explain says how risky it is, where it would happen and why it asks.
func (c *card) explain(r approval.Request, dir string) {
	p, risk := r.Proposal, riskOf(r)
	c.manual = p.Manual != ""
	c.warn = risk != tools.Low && risk != tools.ReadOnlyRisk || p.Manual != ""
	word := risk.String()
	if risk == tools.Unknown {
		word = "unknown risk"
	}
	c.title += c.th.glyph.dot + word
	if !repeats(p.Preview, p.Summary) {
		c.info = append(c.info, [2]string{"what", revealedLine(p.Summary)})
	}
	// A tool that lays the facts out in a table has said where it runs, and what
	// only a person may allow, there.
	tabled := slices.ContainsFunc(p.Preview, func(s tools.Section) bool { return s.Kind == tools.Table })
	why := r.Why
	switch {
	case tabled && why == p.Manual && why != "" && lists(p.Preview, p.Manual):
		why = "only a person may allow this"
	case !tabled && dir != "":
		c.info = append(c.info, [2]string{"where", verbatimLine(dir)})
	}
	if t := touches(p); t != "" {
		c.info = append(c.info, [2]string{"touches", revealed(t)})
	}
	if why != "" {
		if r.By != "" {
			why += " (step: " + string(r.By) + ")"
		}
		c.info = append(c.info, [2]string{"why", verbatim(why)})
	}
	if r.Note != "" {
		c.info = append(c.info, [2]string{"edit", verbatim(r.Note)})
	}
}

// lists reports whether a preview has every one of the reasons why only a person
// may allow the call; a hook's is not among those that its tool knew of.
func lists(sections []tools.Section, manual string) bool {
	for why := range strings.SplitSeq(manual, "; ") {
		if !repeats(sections, why) {
			return false
		}
	}
	return true
}

// touches names what the call would change or reach, other than what its
// preview names already.
func touches(p *tools.Proposal) string {
	var names []string
	if p.Command == "" {
		names = append(names, p.Subjects...)
	}
	for _, t := range p.Touches {
		names = append(names, t.Name)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" || repeats(p.Preview, n) })
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "\n")
}

// riskOf is the declared risk, and the classifier's verdict where none was
// declared.
func riskOf(r approval.Request) tools.Risk {
	if r.Proposal.Spec.Risk == tools.Unknown {
		return r.Verdict
	}
	return r.Proposal.Spec.Risk
}

// repeats reports whether the preview says already what the summary says.
func repeats(sections []tools.Section, summary string) bool {
	for _, s := range sections {
		if strings.Contains(s.Title, summary) || strings.Contains(s.Body, summary) {
			return true
		}
	}
	return summary == ""
}

func (c *card) approve(r approval.Request) {
	c.rows = []row{{letter: "y", label: "Run once", short: "once", verb: approval.Once}}
	if c.key0 = r.Key; r.Key != "" {
		c.rows = append(c.rows, row{letter: "a", label: "Always allow " + keyText(r.Key), short: "always", detail: "remembered", verb: approval.AlwaysCommand})
	}
	if r.Tool {
		c.rows = append(c.rows, row{letter: "t", label: "Always allow " + verbatimLine(r.Proposal.Spec.Name) + " this session", short: "session", verb: approval.AlwaysTool})
	}
	c.edits(r)
	c.rows = append(c.rows, row{letter: "n", label: "Don't run", short: "no", detail: "and say why", verb: approval.Deny, unseen: true, asks: "why not?", optional: true})
	if !c.warn {
		c.choice = 0
	}
}

// keyText names what a key covers: a program with its subcommand and whatever
// follows, one exact command, or one definition of a tool of a server.
func keyText(key string) string {
	if whole, ok := strings.CutPrefix(key, "= "); ok {
		return "exactly `" + revealedLine(whole) + "`"
	}
	if f := strings.Fields(key); len(f) == 4 && f[0] == "mcp:" {
		return "`" + verbatimLine(f[1]+" · "+f[2]) + "` as it is defined now"
	}
	return "`" + revealedLine(key) + "` …"
}

func answerOf(a answered) approval.Answer {
	return approval.Answer{Verb: a.row.verb, Reason: a.text}
}

// A heldKey is an answer that waits to see whether more keys follow at once:
// then it was text, not an answer.
type heldKey struct {
	row   int
	at    time.Time
	enter bool      // Enter came with it, as a program answers
	until time.Time // keys before this belong to text that is ignored
	text  bool      // such text came
}

// due returns when the card has to be looked at again, zero for never.
func (c *card) due(now time.Time) time.Time {
	if !c.held.at.IsZero() {
		return c.held.at.Add(burstEnd)
	}
	if end := c.appeared.Add(guard); !c.appeared.IsZero() && now.Before(end) {
		return end
	}
	return time.Time{}
}

// early reports whether a key that was read at now may have been meant for what
// was there before the card.
func (c *card) early(now time.Time) bool {
	return c.appeared.IsZero() || now.Sub(c.appeared) < guard
}

// tick gives the answer that was held long enough when nothing was read up to
// read; the line that it may open is seen from now on.
func (c *card) tick(read, now time.Time) {
	if !c.held.at.IsZero() && read.Sub(c.held.at) >= burstEnd {
		c.held.at = time.Time{}
		c.take(c.held.row, now)
	}
}

// key handles a key that is not a global one.
func (c *card) key(name, text string, cmd command, now time.Time) {
	if c.line != nil {
		c.typed(text, cmd, now)
		return
	}
	if text != "" && (!c.held.at.IsZero() || c.held.text && now.Before(c.held.until)) {
		c.ignore(now)
		return
	}
	if c.scrolls(cmd) {
		c.moved(text, now)
		return
	}
	if c.full {
		c.note = c.keymap.key(cmdFull, inCard) + ": back to the card, to answer"
		return
	}
	at := c.rowOf(name, cmd)
	switch {
	case !c.held.at.IsZero() && cmd == cmdSubmit && !c.held.enter:
		// A row and Enter: that is how a program answers, if nothing follows.
		c.held.at, c.held.enter = now, true
	case !c.held.at.IsZero() || now.Before(c.held.until):
		c.ignore(now)
	case c.early(now) && at < 0 && cmd != cmdSubmit && text == "":
		// Not a key that answers: terminals send what looks like one at the start.
	case c.early(now):
		c.note = "too early: this card has only just appeared"
	case at >= 0:
		c.held = heldKey{row: at, at: now}
	case cmd == cmdSubmit:
		c.note = "choose a row first: its number, or " + c.keymap.hint(c.th, cmdDown, inCard)
		c.held.until = now.Add(burstGap)
	case text != "":
		c.held.until = now.Add(burstGap)
	}
}

// stray notes a key that is not the card's: an answer that came with it at once
// was text.
func (c *card) stray(now time.Time) {
	if !c.held.at.IsZero() {
		c.ignore(now)
	}
}

// ignore notes that keys were text, and so is what follows at once.
func (c *card) ignore(now time.Time) {
	c.held = heldKey{until: now.Add(burstEnd), text: true}
	c.note = "that was text, not an answer: ignored"
}

// moved notes that a key moved something instead of answering: an answer that
// came with it at once was text, and so is one that follows at once.
func (c *card) moved(text string, now time.Time) {
	if c.stray(now); text != "" && c.held.until.Before(now) {
		c.held.until = now.Add(burstGap)
	}
}

// rowOf returns the row that a key answers with, -1 for none.
func (c *card) rowOf(name string, cmd command) int {
	if cmd == cmdSubmit {
		return c.choice
	}
	for i, r := range c.rows {
		if r.letter != "" && (name == r.letter || cmd == cmdNone && strings.ToLower(name) == r.letter) || i < 9 && name == fmt.Sprint(i+1) {
			return i
		}
	}
	return -1
}

// take answers with row i, or begins the line of text that it asks for.
func (c *card) take(i int, now time.Time) {
	c.choice, c.note = i, ""
	if !c.rows[i].unseen && c.seen < c.must {
		c.note = "not all of it was shown yet: " + c.keysOf(cmdDown, cmdBottom)
		return
	}
	switch r := c.rows[i]; {
	case r.verb == approval.Edit:
		c.beginEdit(now)
		return
	case r.verb == approval.AlwaysCommand && c.keys != nil:
		c.open(c.key0, now)
		return
	case r.asks != "":
		c.open("", now)
		return
	}
	c.answer(answered{row: c.rows[i]})
}

func (c *card) typed(text string, cmd command, now time.Time) {
	c.note = ""
	verb := c.rows[c.choice].verb
	if c.keys != nil {
		defer c.keys.update(c)
	}
	switch {
	case cmd == cmdSubmit && verb != approval.Deny && now.Sub(c.opened) < guard:
		c.note = "too early: this line has only just been opened"
	case cmd == cmdSubmit && verb == approval.Edit:
		c.edited(c.line.text(), nil)
	case cmd == cmdSubmit && verb == approval.AlwaysCommand:
		c.keys.submit(c)
	case cmd == cmdSubmit:
		c.answer(answered{c.rows[c.choice], strings.TrimSpace(c.line.text())})
	case edit(c.line, cmd):
	case text != "":
		c.line.insert(strings.ReplaceAll(normalise(text), "\n", " "))
	}
}

// back leaves the line of text, or else the card; false when there is nothing
// to go back to.
func (c *card) back() bool {
	switch {
	case c.line != nil:
		c.line = nil
	case c.full:
		c.full = false
	case c.cancel != nil:
		c.cancel()
	default:
		return false
	}
	return true
}

func (c *card) scrolls(cmd command) bool {
	switch cmd {
	case cmdUp:
		if c.choice > 0 && !c.full {
			c.choice--
		} else {
			c.scroll = max(0, c.scroll-1)
		}
	case cmdDown:
		if c.scroll < c.end {
			c.scroll++
		} else if !c.full {
			c.choice = min(c.choice+1, len(c.rows)-1)
		}
	case cmdNextRow:
		if c.full {
			return false
		}
		c.choice = (c.choice + 1) % len(c.rows)
	default:
		return c.reads(cmd)
	}
	c.note = ""
	return true
}
