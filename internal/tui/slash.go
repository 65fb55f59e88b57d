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

func slashCommands() []slashCommand {
	return []slashCommand{
		{name: "agents", arg: "NAME", help: "list the agents and jobs, be another agent, or stop JOB", aliases: []string{"agent"}, run: (*screen).agents},
		{name: "compact", arg: "[FOCUS]", help: "put a summary in the place of the older part of the conversation; FOCUS, if any, is kept above all", aliases: []string{"summarize"}, run: (*screen).compact},
		{name: "context", help: "show what takes how much of the model's context", run: (*screen).context},
		{name: "config", help: "show which configuration is in force", run: printed("config")},
		{name: "copy", arg: "WHAT", help: "copy the last answer to the terminal's clipboard; or code, or result", run: (*screen).copyCommand},
		{name: "doctor", help: "say what works here and what does not", run: printed("doctor")},
		{name: "effort", arg: "LEVEL", help: "change how hard the model thinks", aliases: []string{"thinking"}, run: (*screen).effort},
		{name: "expand", help: "print the whole result of the last call; again, of the one before", run: (*screen).expand},
		{name: "goal", arg: "TEXT", help: "show the goal, or set it; clear drops it", run: work("goal")},
		{name: "help", help: "show the keys and commands", aliases: []string{"keys"}, run: (*screen).help},
		{name: "jobs", arg: "stop ID", help: "show what runs in the background and what it said, or end one", aliases: []string{"bashes"}, run: (*screen).jobsCommand},
		{name: "memory", arg: "forget N", help: "show what sessions are told, or forget an entry", aliases: []string{"memories"}, run: (*screen).memory},
		{name: "cost", help: "show what was spent on what", aliases: []string{"usage"}, run: (*screen).costs},
		{name: "export", arg: "FILE", help: "write the session to a file", run: (*screen).exportSession},
		{name: "fork", help: "go on in a copy of the session", run: (*screen).forkSession},
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
		{name: "resume", arg: "WORDS", help: "go to another session of this directory", aliases: []string{"sessions", "continue"}, run: (*screen).resumeSession},
		{name: "rewind", help: "go back to before a prompt: the files, the conversation or both", aliases: []string{"undo", "checkpoint"}, run: (*screen).rewind, unavailable: (*screen).noRewind},
		{name: "uncertain", help: "say what became of calls whose outcome is not known", run: (*screen).uncertain},
		{name: "quit", help: "leave", aliases: []string{"exit"}, run: (*screen).quitNow},
		{name: "tools", help: "show the tools that the model has", run: printed("tools")},
		{name: "todo", help: "show the todo list", aliases: []string{"todos"}, run: work("todo")},
	}
}

// slash finds the command that text calls for. Text that begins with a path is
// not one.
func slash(text string) (c slashCommand, arg string, is bool, problem string) {
	name, arg, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(name, "/") || strings.Contains(text, "\n") {
		return c, "", false, ""
	}
	name = name[1:]
	for _, c := range slashCommands() {
		if c.name == name || slices.Contains(c.aliases, name) {
			return c, strings.TrimSpace(arg), true, ""
		}
	}
	if strings.Contains(name, "/") || name == "" || exists("/"+name) {
		return c, "", false, ""
	}
	return c, "", true, fmt.Sprintf("there is no command /%s%s", verbatimLine(name), near(name))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// near lists the commands that begin alike, else all.
func near(name string) string {
	var like, all []string
	for _, c := range slashCommands() {
		all = append(all, "/"+c.name)
		if c.name[:1] == name[:1] {
			like = append(like, "/"+c.name)
		}
	}
	if len(like) > 0 {
		return "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return "; there are " + strings.Join(all, " ")
}

// complete completes the name of a command, as far as it is the only one.
func complete(text string) (string, bool) {
	if !strings.HasPrefix(text, "/") || strings.Contains(text, " ") {
		return "", false
	}
	found := ""
	for _, c := range slashCommands() {
		if strings.HasPrefix("/"+c.name, text) {
			if found != "" {
				return "", false
			}
			found = "/" + c.name
			if c.arg != "" {
				found += " "
			}
		}
	}
	return found, found != ""
}

func (s *screen) help(string) string {
	s.print(s.script.put(blockNote, keySheet(s.th, s.keys.table, s.script.w, false)))
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
