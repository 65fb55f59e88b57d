package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of the analysis. A line beyond them is not trusted less carefully: it
// becomes dynamic, and its raw text is still checked against the denylist.
const (
	maxParse   = 1 << 20 // bytes of one script
	maxOpeners = 20_000  // things that may nest in one script
	maxDepth   = 48      // scripts inside scripts, wrappers around wrappers
	extraBytes = 4 << 20 // bytes of all nested scripts together
	maxWork    = 1 << 18 // words of all commands together
)

// A Command is one simple command that a line would run.
type Command struct {
	// Name is the program without its directory, "" when it is not known. Path
	// is the program as given when it names a directory.
	Name, Path string
	// Words are the program and its arguments, quotes resolved. A word that is
	// not known stands as it was written.
	Words []string
	// Assigns are the variables set for this command only, as NAME=value.
	Assigns []string
	// Redirects are the files that its input and output are tied to.
	Redirects []Redirect
	// Via names what runs it: wrappers, interpreters and find, outermost first.
	Via []string
	// Source is the text of the command as written.
	Source string
	// Dynamic says that some word is only known when the line runs.
	Dynamic bool
}

// A Redirect is one redirection: the operator and its target, which is as
// written when it is not known.
type Redirect struct{ Op, Target string }

// An Analysis is everything that is known about a line before it runs. The
// zero value knows nothing and so allows nothing.
type Analysis struct {
	// Commands are the simple commands at any depth, in the order of the text.
	Commands []Command
	// Parsed says that the line is a well-formed script; ParseError says why not.
	Parsed     bool
	ParseError string
	// Dynamic says that what would run is not fully known; DynamicWhy says why.
	Dynamic    bool
	DynamicWhy string
	// Hits are the denylist rows that the line matches, the gravest first, and
	// Denied the first of them or nil.
	Hits   []Hit
	Denied *Hit
	// Manual lists what cannot be undone or is asked by name. A line with any
	// is asked about whatever the tier, unless the policy is yolo.
	Manual []Touch
	// Key is what "always allow" would remember; when it is "", KeyWhyNot says
	// why nothing honest can be.
	Key, KeyWhyNot string
	// Network says that a program of the line may talk to another machine.
	Network bool
	// Writes says that the line may change files.
	Writes bool
	// Outside lists paths outside the workspace and the temporary directory.
	Outside []string
	// Mild says that every command is known to only read what is in the
	// workspace, so that no model needs to be asked.
	Mild bool

	floor    Static
	floorWhy string
}

// A Touch is one thing that a person should be asked about by name.
type Touch struct {
	What   string // the act, such as "overwrites"
	Target string // what it is done to
	Why    string // why it is asked about
}

// String is the touch in one line.
func (t Touch) String() string {
	return strings.TrimSpace(t.What+" "+t.Target) + ": " + t.Why
}

// A Static is the mildest risk that a classifier's verdict may lower a line to.
type Static int

// The floors. High is the zero value: what was not looked at is high.
const (
	StaticHigh Static = iota
	StaticLow
	StaticReadOnly
)

// String returns the word of the tier.
func (t Static) String() string {
	return [...]string{"high-risk", "low-risk", "read-only"}[min(max(int(t), 0), 2)]
}

// Tier returns the mildest tier a classifier may give to the line and, when
// that is not read-only, what holds it up.
func (a Analysis) Tier() (Static, string) { return a.floor, a.floorWhy }

// A scan is one analysis under way.
type scan struct {
	at     Place
	out    *Analysis
	env    env
	src    string // the script that is being walked
	calls  []*call
	funcs  map[string]bool
	roots  map[string]string
	facts  map[string]fact // what lstat was told
	hits   map[string]Hit
	judged map[string]*judged // by source

	depth, parsed, stats int
	work, loops, inFunc  int
	via                  []string
	stdin                input
	ands                 int             // how many && lists are being walked
	chainFetch           *call           // a download earlier in the && list
	pipeFetch            *call           // a download earlier in the pipeline
	fetched              map[string]bool // files that a download wrote
	traps                []string
	volatile             map[string]bool // variables that may change at any time
	cdFuncs              bool            // a function changes the directory
	remember             int             // how many judgements may be remembered
	opaque               bool            // something runs that was not seen
	splits               bool            // IFS was changed: fields are not known
	relookup             bool            // names may no longer mean what they say
	odd                  string          // why no key and no mild verdict is honest
	high, low            string          // why the floor is raised

	callBlock block[call]
	wordBlock block[word]
	strings   block[string]
}

// Analyze works out what a line would run at a place. It only reads the file
// system. Every line gets an answer: what cannot be understood is not Parsed
// or is Dynamic, and still checked against the denylist.
func Analyze(line string, at Place) Analysis { return analyze(line, at, maxJudged) }

// analyze remembers that many judgements, see [scan.again].
func analyze(line string, at Place, remember int) Analysis {
	out := Analysis{}
	s := &scan{
		remember: remember,
		at:       at.complete(), out: &out, funcs: map[string]bool{}, roots: map[string]string{}, facts: map[string]fact{}, judged: map[string]*judged{},
		hits: map[string]Hit{}, fetched: map[string]bool{}, volatile: map[string]bool{},
	}
	s.env = s.start()
	if why := unusual(line); why != "" {
		s.dynamic(why)
		s.opaque = true
	}
	file, err := s.parse(line)
	switch {
	case err != nil:
		out.ParseError = err.Error()
		s.dynamic("it is not a script that can be read: " + out.ParseError)
		s.opaque = true
	default:
		out.Parsed = true
		s.src = line
		s.stmts(file.Stmts)
		s.runTraps(file)
	}
	if s.opaque {
		s.raw(line)
	}
	s.finish(line, file)
	return out
}

func (s *scan) start() env {
	e := env{vars: &variables{known: map[string]word{}}}
	if s.at.Home != "" {
		e.vars.known["HOME"] = word{text: s.at.Home, expanded: true}
	}
	e.vars.known["TMPDIR"] = word{text: s.at.Temp, expanded: true, temp: true}
	if s.at.Dir != "" {
		e.dirs = []string{s.at.Dir}
	}
	return e
}

var errTooDeep = errors.New("too long or too deeply nested to be checked")

// parse reads a script, refusing what could exhaust the stack.
func (s *scan) parse(text string) (*syntax.File, error) {
	s.parsed += len(text)
	if len(text) > maxParse || s.parsed > maxParse+extraBytes || openers(text) > maxOpeners {
		return nil, errTooDeep
	}
	// The lexer skips a carriage return before a newline, which no shell does.
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, fmt.Errorf("parse: %s", strings.TrimPrefix(err.Error(), "1:"))
	}
	return file, nil
}

// openers counts what may open a nested construct, wherever it stands.
func openers(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '`', '!', '?':
			n++
		case 'i', 'w', 'u', 'f', 'c', 's', 't':
			if i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' {
				continue
			}
			rest := text[i:min(i+9, len(text))]
			for _, k := range []string{"if", "while", "until", "for", "case", "select", "function", "time"} {
				if strings.HasPrefix(rest, k) {
					n++
				}
			}
		}
	}
	return n
}

// unusual names the first character that a person could not see on a card or
// that shells read differently from each other.
func unusual(line string) string {
	if !utf8.ValidString(line) {
		return "bytes that are not UTF-8"
	}
	for _, r := range line {
		switch {
		case r == '\t' || r == '\n' || r >= ' ' && r < 0x7f:
		case r == 0:
			return "a NUL byte"
		case r < ' ' || r == 0x7f || unicode.Is(unicode.Cc, r):
			return fmt.Sprintf("a control character (U+%04X)", r)
		case unicode.IsSpace(r) || unicode.Is(unicode.Z, r):
			return fmt.Sprintf("a space that is not a space (U+%04X)", r)
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0:
			return fmt.Sprintf("an invisible character (U+%04X)", r)
		}
	}
	return ""
}

func (s *scan) dynamic(why string) {
	if !s.out.Dynamic {
		s.out.Dynamic, s.out.DynamicWhy = true, why
	}
}

// raise records why the floor is high, and lift why it is at least low.
// The reason is put together only where it is the first.
func (s *scan) raise(why ...string) {
	if s.high == "" {
		s.high = strings.Join(why, "")
	}
}

func (s *scan) atLeastLow(why ...string) {
	if s.low == "" {
		s.low = strings.Join(why, "")
	}
}

// strange records a reason against a key and a mild verdict.
func (s *scan) strange(why ...string) {
	if s.odd == "" {
		s.odd = strings.Join(why, "")
	}
}

func (s *scan) touch(what, target, why string) {
	t := Touch{What: what, Target: target, Why: why}
	if len(s.out.Manual) < 32 && !slices.Contains(s.out.Manual, t) {
		s.out.Manual = append(s.out.Manual, t)
	}
}

// outside notes a path that is neither in the workspace nor temporary.
func (s *scan) outside(t target) {
	if s.inWorkspace(t) || s.inTemp(t) || harmlessDevice(t.lexical) || t.real == s.rootOf(s.at.Temp) {
		return
	}
	p := t.lexical
	if t.real != t.lexical && below(t.lexical, s.at.Workspace) {
		p = t.real
	}
	if len(s.out.Outside) < 32 && !slices.Contains(s.out.Outside, p) {
		s.out.Outside = append(s.out.Outside, p)
	}
}

// source is the text of a node as written.
func (s *scan) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(s.src) || from > to {
		return ""
	}
	return s.src[from:to]
}

// finish derives the verdicts from what the walk found.
func (s *scan) finish(line string, file *syntax.File) {
	out := s.out
	if d := s.look(s.at.Dir); s.at.Dir != "" && !s.inWorkspace(d) {
		s.out.Outside = append(s.out.Outside, d.lexical)
		s.strange("it would run outside the workspace")
	}
	shown := 0
	for _, c := range s.calls {
		if !c.hidden {
			shown++
		}
	}
	if shown > 0 {
		out.Commands = make([]Command, 0, shown)
	}
	for _, c := range s.calls {
		if !c.hidden {
			out.Commands = append(out.Commands, c.command())
		}
	}
	s.settleHits()
	s.verdict()
	s.keyFor(line, file)
}

func (s *scan) verdict() {
	out := s.out
	switch {
	case !out.Parsed:
		out.floor, out.floorWhy = StaticHigh, "it cannot be parsed"
	case out.Denied != nil:
		out.floor, out.floorWhy = StaticHigh, out.Denied.Reason
	case out.Dynamic:
		out.floor, out.floorWhy = StaticHigh, out.DynamicWhy
	case len(out.Manual) > 0:
		out.floor, out.floorWhy = StaticHigh, out.Manual[0].String()
	case out.Network:
		out.floor, out.floorWhy = StaticHigh, "it may talk to another machine"
	case s.high != "":
		out.floor, out.floorWhy = StaticHigh, s.high
	case out.Writes:
		out.floor, out.floorWhy = StaticLow, "it writes files"
	case s.low != "":
		out.floor, out.floorWhy = StaticLow, s.low
	case len(out.Commands) == 0:
		out.floor, out.floorWhy = StaticLow, "it runs no command"
	default:
		out.floor = StaticReadOnly
	}
	if out.floor != StaticReadOnly || s.odd != "" || len(out.Outside) > 0 {
		return
	}
	for _, c := range s.calls {
		if !c.hidden && !s.mild(c) {
			return
		}
	}
	out.Mild = true
}
