package agent

import "strings"

// InitName is the name of the command whose prompt [Init] is.
const InitName = "init"

// Init is the prompt of /init, with what the person said behind it: it has the model write the project's
// instructions, or improve those that are there. What the model does about it
// is decided like every call.
func Init(words string) string {
	text := strings.TrimSpace(initPrompt)
	if words = strings.TrimSpace(words); words != "" {
		text += "\n\nBesides: " + words
	}
	return text
}

const initPrompt = `
Write AGENTS.md at the root of this workspace, or improve the one that is there. Coding agents read it at the start of every session, so each line has to be worth its place.

First look: the README, the files that build and test it, the configuration of the CI, how the code is laid out, a few of its tests, and what is kept here for other tools (CLAUDE.md, .cursor/rules, .github/copilot-instructions.md, CONTRIBUTING.md). Where it is cheap and changes nothing, run a command before you write it down.

Then say, in at most 60 lines:
- the exact commands that build, run, format, lint and test it, and the one that runs a single test
- what the parts are for and which may use which, as far as the names of the files do not say so
- the conventions that somebody new would get wrong, each with a file that shows it
- what must not be edited by hand or run, and why

Leave out what every developer knows, lists of files, and advice that would be true of any project. Claim nothing that you did not see here; what you could not find out, leave out. No secrets, no names of people.

If there is an AGENTS.md already, keep what is true and correct what is not, rather than writing it anew; the other tools' files stay as they are. Close with what you wrote or changed and what you were not sure of.
`
