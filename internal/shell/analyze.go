package shell

import (
	"path"
	"slices"
	"strings"

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

// An Analysis is everything that is known about a line before it runs. The
// zero value knows nothing and so allows nothing.
type Analysis struct {
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
	// Uses are the files that the line reads or writes, as far as that is known.
	// Root is the workspace as the paths in it have it.
	Uses []Use
	Root string
	// Mild says that every command is known to only read what is in the
	// workspace, so that no model needs to be asked.
	Mild bool

	floor    Static
	floorWhy string
	calls    []*call // what [Analysis.Commands] lists, and the hidden ones
	asked    *asked  // what the file system was asked
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
	links  map[string]link // what readlink was told
	dulls  map[string]bool // by directory
	hits   map[string]Hit
	judged map[string]*judged // by source

	depth, parsed, stats int
	work, loops, inFunc  int
	via                  []string
	stdin                input
	ands                 int               // how many && lists are being walked
	chainFetch           *call             // a download earlier in the && list
	pipeFetch            *call             // a download earlier in the pipeline
	fetched              map[string]bool   // files that a download wrote
	decoded              map[string]bool   // files that hold what was decoded
	scripts              map[string]string // what the line itself wrote to files
	traps                []string
	volatile             map[string]bool // variables that may change at any time
	cdFuncs              bool            // a function changes the directory
	piped                bool            // in a pipeline, and not at its beginning
	remember             int             // how many judgements may be remembered
	opaque               bool            // something runs that was not seen
	splits               bool            // IFS was changed: fields are not known
	used                 map[Use]bool    // what is in Uses
	relookup             bool            // names may no longer mean what they say
	odd                  string          // why no key and no mild verdict is honest
	high, low            string          // why the floor is raised

	callBlock block[call]
	wordBlock block[word]
}

// Analyze works out what a line would run at a place. It only reads the file
// system. Every line gets an answer: what cannot be understood is not Parsed
// or is Dynamic, and still checked against the denylist.
func Analyze(line string, at Place) Analysis {
	if at.Earlier.stands(line, at) {
		return *at.Earlier.asked.found
	}
	return analyze(line, at, maxJudged)
}

// analyze remembers that many judgements, see [scan.again].
func analyze(line string, at Place, remember int) Analysis {
	at.Earlier = Analysis{}
	at = at.complete()
	odd := unusual(line)
	s := newScan(at, remember, odd)
	list, err := s.line(line)
	if err != nil {
		s = newScan(at, remember, odd) // what was walked until it went wrong counts for nothing
		s.out.ParseError = err.Error()
		s.dynamic("it is not a script that can be read: " + s.out.ParseError)
		s.opaque = true
	} else {
		s.runTraps(line)
	}
	if s.opaque {
		s.raw(line)
		s.use(Use{})
		s.use(Use{Write: true})
	}
	s.finish(line, list)
	return *s.out
}

// newScan starts an analysis; odd says what is unusual about the line, or is "".
func newScan(at Place, remember int, odd string) *scan {
	s := &scan{
		remember: remember,
		at:       at, out: &Analysis{}, funcs: map[string]bool{}, roots: map[string]string{}, facts: map[string]fact{}, links: map[string]link{}, dulls: map[string]bool{}, judged: map[string]*judged{},
		hits: map[string]Hit{}, fetched: map[string]bool{}, decoded: map[string]bool{}, volatile: map[string]bool{},
	}
	s.env = s.start()
	if odd != "" {
		s.dynamic(odd)
		s.opaque = true
	}
	return s
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
func (s *scan) finish(line string, list []*syntax.Stmt) {
	out := s.out
	if d := s.look(s.at.Dir); s.at.Dir != "" && !s.inWorkspace(d) {
		s.out.Outside = append(s.out.Outside, d.lexical)
		s.strange("it would run outside the workspace")
	}
	out.Root = path.Clean(s.at.Workspace)
	out.calls, out.asked = s.calls, &asked{line: line, at: s.at, facts: s.facts, links: s.links, found: out}
	s.settleHits()
	s.verdict()
	s.keyFor(line, list)
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
	case !slices.ContainsFunc(s.calls, func(c *call) bool { return !c.hidden }):
		out.floor, out.floorWhy = StaticLow, "it runs no command"
	default:
		out.floor = StaticReadOnly
	}
	if out.floor != StaticReadOnly || s.odd != "" || len(out.Outside) > 0 {
		return
	}
	var last *call
	for _, c := range s.calls {
		if c != last && !c.hidden && !s.mild(c) {
			return
		}
		last = c
	}
	out.Mild = true
}
