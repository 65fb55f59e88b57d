package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/approval"
)

// A slashCommand is one row of the table of / commands. Run returns what to
// tell the person when it could not be done; the draft is then kept.
type slashCommand struct {
	name, arg, help string
	aliases         []string
	run             func(s *screen, arg string) (problem string)
	// unavailable says why it cannot be run now, "" when it can; nil means that it
	// always can.
	unavailable func(s *screen) string
}

// also names what else the command is called, "" for nothing.
func (c slashCommand) also() string {
	if len(c.aliases) == 0 {
		return ""
	}
	return " (also /" + strings.Join(c.aliases, ", /") + ")"
}

func slashCommands() []slashCommand {
	return []slashCommand{
		{name: "agents", arg: "NAME", help: "list the agents and jobs, be another agent, or stop JOB", aliases: []string{"agent"}, run: (*screen).agents},
		{name: "compact", arg: "[FOCUS]", help: "put a summary in the place of the older part of the conversation; FOCUS, if any, is kept above all", aliases: []string{"summarize"}, run: (*screen).compact},
		{name: "context", help: "show what takes how much of the model's context", run: (*screen).context},
		{name: "config", help: "show which configuration is in force", run: printed("config")},
		{name: "copy", arg: "WHAT", help: "copy the last answer to the terminal's clipboard; or code, or result", run: (*screen).copyCommand},
		{name: "diff", help: "show what the files have that the last commit has not", run: (*screen).difference},
		{name: "doctor", help: "say what works here and what does not", run: printed("doctor")},
		{name: "effort", arg: "LEVEL", help: "change how hard the model thinks", aliases: []string{"thinking"}, run: (*screen).effort},
		{name: "expand", help: "print the whole result of the last call; again, of the one before", run: (*screen).expand},
		{name: "goal", arg: "TEXT", help: "show the goal, or set it; clear drops it", run: work("goal")},
		{name: "help", help: "show the keys and commands", aliases: []string{"keys"}, run: (*screen).help},
		{name: "hooks", help: "list the hooks that are in force, where they are from and how they came out last", run: printed("hooks"), unavailable: (*screen).noHooks},
		{name: "init", arg: "[WORDS]", help: "have the model write AGENTS.md, or improve it; WORDS, if any, go along", run: (*screen).initProject, unavailable: (*screen).noInit},
		{name: "jobs", arg: "stop ID", help: "show what runs in the background and what it said, or end one", aliases: []string{"bashes"}, run: (*screen).jobsCommand},
		{name: "memory", arg: "forget N", help: "show what sessions are told, or forget an entry", aliases: []string{"memories"}, run: (*screen).memory},
		{name: "cost", help: "show what was spent on what", aliases: []string{"usage", "stats"}, run: (*screen).costs},
		{name: "export", arg: "FILE", help: "write the session to a file", run: (*screen).exportSession},
		{name: "fork", help: "go on in a copy of the session", aliases: []string{"branch"}, run: (*screen).forkSession},
		{name: "mcp", help: "list the MCP servers, where they are from and whether they are connected", run: printed("mcp")},
		{name: "new", help: "begin another session", aliases: []string{"clear"}, run: (*screen).newSession},
		{name: "model", arg: "NAME", help: "change the model, from the next request on", aliases: []string{"models"}, run: (*screen).model},
		{name: "permissions", help: "show what runs without asking", aliases: []string{"approvals", "allowed-tools"}, run: (*screen).permissions},
		{name: "plan", help: "show the plan", run: work("plan")},
		{name: "policy", arg: "NAME", help: "set the approval policy; yolo only here", aliases: []string{"mode"}, run: (*screen).policyNamed},
		{name: "queue", help: "show the messages that wait; raise, edit or remove one", run: (*screen).listQueue, unavailable: (*screen).noQueue},
		{name: "theme", arg: "NAME", help: "change the colours, for this run", run: (*screen).theme},
		{name: "transcript", help: "read the whole session, with every result", run: (*screen).transcript},
		{name: "trust", help: "show what this folder brings along, and what of it acts", run: (*screen).trust},
		{name: "rename", arg: "TITLE", help: "give the session a title", run: (*screen).renameSession},
		{name: "resume", arg: "WORDS", help: "go to another session of this folder", aliases: []string{"sessions", "continue"}, run: (*screen).resumeSession},
		{name: "rewind", help: "go back to before a prompt: the files, the conversation or both", aliases: []string{"undo", "redo", "checkpoint"}, run: (*screen).rewind, unavailable: (*screen).noRewind},
		{name: "skills", help: "list the skills; /skill:NAME sends one along", run: (*screen).skills},
		{name: "uncertain", help: "say what became of calls whose outcome is not known", run: (*screen).uncertain},
		{name: "quit", help: "leave", aliases: []string{"exit"}, run: (*screen).quitNow},
		{name: "tools", help: "show the tools that the model has", run: printed("tools")},
		{name: "todo", help: "show the todo list", aliases: []string{"todos"}, run: work("todo")},
	}
}

// A Command is a / command that is not the screen's own: what is typed is sent
// as a prompt, and the session knows what it stands for.
type Command struct {
	// Name is what stands behind the /; none of the screen's own hides it.
	Name string
	// Arg is what it takes, and Help what it is for, each one line.
	Arg, Help string
	// Check says why it cannot be sent with what was typed behind it, "" when it
	// can; Missing lists the arguments that have no value by name there yet. Both
	// answer at once. Values suggests what the argument of a name can be whose value
	// was begun; it may take a while and is called from goroutines of the UI's. Nil
	// means that there is no such thing.
	Check   func(arg string) (problem string)
	Missing func(arg string) []Argument
	Values  func(arg, name, begun string) []string
}

// An Argument is what a Command takes by name, as in name=value.
type Argument struct {
	Name, Help string
	Required   bool
}

// noHooks says why hooks cannot be listed, "" when they can.
func (s *screen) noHooks() string {
	if s.ready != nil && s.ready.Pages == nil {
		return "this session has no hooks"
	}
	return ""
}

// noInit says why the project's instructions cannot be written, "" when they
// can.
func (s *screen) noInit() string {
	switch {
	case s.ready == nil:
		return "the session is still starting"
	case s.ready.Init == nil:
		return "this session writes no AGENTS.md"
	}
	return s.ready.Init()
}

// initProject sends the command as a prompt, which the session knows the text
// of: a turn like every other, and one of its own.
func (s *screen) initProject(words string) string {
	s.give(prompt{text: strings.TrimSpace("/init " + words)}, true, s.now())
	return ""
}

// IsCommand reports whether name is a command of the screen's own.
func IsCommand(name string) bool {
	return slices.ContainsFunc(slashCommands(), func(c slashCommand) bool { return c.name == name || slices.Contains(c.aliases, name) })
}

// commands are those of the session; none before it is there.
func (s *screen) commands() []Command {
	if s.ready == nil {
		return nil
	}
	if s.ready.More == nil {
		return s.ready.Commands
	}
	return append(slices.Clip(s.ready.Commands), s.ready.More()...)
}

// called returns the command of the session's own that text calls for, and what
// is behind it.
func (s *screen) called(text string) (c Command, arg string, is bool) {
	if !strings.HasPrefix(text, "/") {
		return c, "", false
	}
	end := strings.IndexAny(text, " \t\n")
	if end < 0 {
		end = len(text)
	}
	for _, c := range s.commands() {
		if c.Name == text[1:end] {
			return c, text[end:], true
		}
	}
	return c, "", false
}

// slash finds the command that text calls for. Text that begins with a path is
// not one, and neither is what calls for one of the session's.
func slash(text string, more []Command) (c slashCommand, arg string, is bool, problem string) {
	first, _, lines := strings.Cut(text, "\n")
	name, arg, _ := strings.Cut(first, " ")
	if !strings.HasPrefix(name, "/") || name == "/" {
		return c, "", false, ""
	}
	name = name[1:]
	if lines || slices.ContainsFunc(more, func(c Command) bool { return c.Name == name }) {
		return c, "", false, ""
	}
	for _, c := range slashCommands() {
		if c.name == name || slices.Contains(c.aliases, name) {
			return c, strings.TrimSpace(arg), true, ""
		}
	}
	if strings.Contains(name, "/") || name == "" || exists("/"+name) {
		return c, "", false, ""
	}
	return c, "", true, fmt.Sprintf("there is no command /%s%s", verbatimLine(name), near(name, more))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// near lists the commands that begin alike, else all.
func near(name string, more []Command) string {
	var like, all []string
	for _, c := range typed(more) {
		all = append(all, c)
		if c[1:2] == name[:1] {
			like = append(like, c)
		}
	}
	if len(like) > 0 {
		return "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return "; there are " + strings.Join(all, " ")
}

// typed lists all commands as they are typed.
func typed(more []Command) []string {
	var all []string
	for _, c := range slashCommands() {
		all = append(all, "/"+c.name)
	}
	for _, c := range more {
		all = append(all, "/"+plainLine(c.Name))
	}
	return all
}

// complete completes the name of a command, as far as it is the only one.
func complete(text string, more []Command) (string, bool) {
	if !strings.HasPrefix(text, "/") || strings.Contains(text, " ") {
		return "", false
	}
	found := ""
	for _, c := range slashCommands() {
		more = append(slices.Clip(more), Command{Name: c.name, Arg: c.arg})
	}
	for _, c := range more {
		if strings.HasPrefix("/"+c.Name, text) {
			if found != "" {
				return "", false
			}
			found = "/" + c.Name
			if c.Arg != "" {
				found += " "
			}
		}
	}
	return found, found != ""
}

func (s *screen) help(string) string {
	s.paged("/help", keySheet(s.th, s.keys.table, s.script.w, false, s.composer.vim.on, s.commands()))
	return ""
}

func (s *screen) policyNamed(name string) string {
	if name == "" {
		return "which policy? " + policyList()
	}
	p, err := approval.ParsePolicy(name)
	if err != nil {
		return err.Error()
	}
	s.setPolicy(p)
	return ""
}

func policyList() string {
	var names []string
	for p := approval.Strict; p <= approval.Yolo; p++ {
		names = append(names, p.String())
	}
	return strings.Join(names, ", ")
}

func (s *screen) quitNow(string) string {
	s.quitting = true
	return ""
}
