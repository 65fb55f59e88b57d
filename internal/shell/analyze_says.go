package shell

import (
	"strings"
	"sync"
)

// writers are programs that change the files they are given, or make others,
// whatever their options.
const writers = "black isort rustfmt stylua swiftformat ormolu fourmolu dos2unix unix2dos mac2unix sponge rename prename mmv detox vidir uudecode unshar unrar unar jar pax ar jpegoptim optipng pngcrush strip objcopy patchelf install_name_tool codesign upx savelog logrotate " +
	"fdupes rdfind hardlink stringer mockgen protoc wire swag sqlc buf tidy xmlstarlet docker-credential-store passwd keytool ssh-keygen"

// changing are words by which a program is told to change something. Where one
// stands among the first words or options of a program that is not known to
// only read, no verdict may say that it does.
var changing = struct{ words, options string }{
	"add apply approve attach cancel clean clear clone commit configure connect copy cp create deactivate activate decrypt delete del deploy destroy detach disable download drop edit enable erase eval exec execute fix flush fmt format freeze generate gen global import init insert " +
		"install invoke kill link load lock login logout merge migrate mkdir modify move mv new patch pause prune publish pull purge push put reboot rebuild reconcile refresh register reindex release reload remove rename replace reset resize restart restore resume revert revoke rm rmi " +
		"rollback rotate run save scale schedule send set setup shutdown sign start stop submit suspend swap sync tag terminate truncate trust uninstall unlink unlock unmount unset untag update upgrade upload use vacuum wipe write",
	"fix fix-only fix-dry-run write in-place inplace output out out-file outfile out-dir outdir output-dir output-file save update delete remove apply install uninstall overwrite set clear reset autocorrect auto-correct autocorrect-all reformat destination dest init purge prune",
}

var changingIndex = sync.OnceValue(func() (index struct{ writers, words, options map[string]bool }) {
	set := func(text string) map[string]bool {
		out := map[string]bool{}
		for _, w := range strings.Fields(text) {
			out[w] = true
		}
		return out
	}
	index.writers, index.words, index.options = set(writers), set(changing.words), set(changing.options)
	return index
})

// says holds the floor up for what changes files by its nature, and for what is
// told to change something in so many words.
func (s *scan) says(c *call) {
	if c.name == "" || c.name == "git" || c.builtin || c.shadow || c.traits.has(readerTrait|closedTrait|patternTrait) {
		return
	}
	index := changingIndex()
	if index.writers[c.name] {
		s.out.Writes = true
	}
	operands := 0
	for i := range c.args {
		w := &c.args[i]
		if w.text == "--" {
			return
		}
		if !w.flag() {
			if operands == 0 && w.is("doc", "list", "ls", "show", "info", "help", "search", "status", "view", "version", "inspect", "describe", "why", "explain", "tree", "logs", "log", "get", "config") && !(w.is("config", "get") && len(c.args) > 2) {
				return
			}
			verb, _, more := strings.Cut(w.text, "-")
			if operands++; operands <= 3 && w.known() && (index.words[w.text] || more && index.words[verb] && plainName(w.text)) {
				s.atLeastLow(c.label(), " ", w.text, " says that it changes something")
				return
			}
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(w.text, "-"), "=")
		if index.options[name] || strings.HasSuffix(name, "_out") || oneOf(name, "i", "w", "o", "a", "A") && (c.nextIsFile(i) && len(name) == 1 && name != "a" && name != "A" || oneOf(c.name, "shfmt", "clang-format", "autopep8", "yapf", "rubocop")) {
			s.atLeastLow(c.label(), " ", w.text, " says that it changes something")
			return
		}
	}
}

// nextIsFile reports a word after an option that looks like the name of a file.
func (c *call) nextIsFile(i int) bool {
	return i+1 < len(c.args) && !c.args[i+1].flag() && strings.ContainsAny(c.args[i+1].text, "./")
}
