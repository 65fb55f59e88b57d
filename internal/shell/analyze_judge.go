package shell

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// judge applies every rule to one call.
func (s *scan) judge(c *call) {
	if c.fetches() {
		s.wrote(c)
		if s.ands > 0 {
			s.chainFetch = c
		}
	}
	if c.fetch != nil && c.fetch.name == "curl" {
		s.hit("remote.curl-pipe", c.fetch.shown()+" | "+c.shown())
	} else if c.fetch != nil {
		s.hit("remote.wget-pipe", c.fetch.shown()+" | "+c.shown())
	}
	s.unpacked(c)
	c.opens = !c.traits.has(closedTrait) || c.name == "find" && c.acts()
	c.reads = s.reads(c)
	s.searchesHere(c)
	s.keeps(c)
	s.check(c)
	s.arguments(c)
	if s.network(c) {
		s.out.Network = true
	}
	s.effects(c)
	if len(s.env.dirs) > 0 && !c.reads && !oneOf(c.name, "cd", "pushd", "popd", "git") {
		for _, d := range s.env.dirs {
			if what := s.reserved(d); what != "" {
				s.touch("runs "+c.label()+" in", d, "the directory holds "+what)
			}
		}
	}
	if s.relookup {
		s.raise("what names mean was changed")
	}
	if strings.ContainsFunc(c.name, func(r rune) bool { return r > unicode.MaxASCII }) {
		s.raise("the name of the program has letters that look like others")
		s.strange("the name of the program has letters that look like others")
	}
	s.byPath(c)
	s.project(c)
	s.says(c)
}

// byPath judges a program that is named by its path. Its name says nothing of
// what is in it, so that it is never known to only read; one that goes by the
// name of a program that only reads would fool whoever judges by it.
func (s *scan) byPath(c *call) {
	if c.dyn != "" || strings.IndexByte(c.written, '/') < 0 {
		return
	}
	dir, _ := path.Split(c.written)
	switch {
	case strings.HasPrefix(path.Clean(dir), "/proc") || strings.HasPrefix(path.Clean(dir), "/dev"):
		s.dynamic("a program that a process has open, such as the shell itself")
		s.opaque = true
	case oneOf(path.Clean(dir), programDirs()...):
	case c.traits.has(readerTrait), oneOf(c.name, "git", "sed", "gsed", "less", "more", "bat", "zcat"):
		s.raise(c.written, " goes by the name of ", c.name, " and may do anything")
	default:
		s.atLeastLow("what ", c.written, " does is not known by its name")
		s.runsFile(c, c.written)
	}
}

// programDirs are where the system and its package managers keep programs.
func programDirs() []string {
	return []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/local/bin", "/snap/bin"}
}

// arguments looks at every path that a call is given.
func (s *scan) arguments(c *call) {
	skip := -1
	if c.traits.has(patternTrait) && !c.has("ef", "regexp", "file", "expression") {
		for i := range c.args {
			if !c.args[i].flag() {
				skip = i
				break
			}
		}
	}
	if c.name == "git" {
		if g := gitParts(c); len(g.dirs) > 0 {
			was := s.env.dirs
			s.env.dirs = s.worksIn(g)
			defer func() { s.env.dirs = was }()
		}
	}
	code := c.traits.has(codeTrait | languageTrait)
	var room [4]string
	dull, known := false, false
	for i := range c.args {
		w := &c.args[i]
		if code {
			if p := mentions(w.text); p != "" {
				s.protected(c, p, keyFile("/x/"+p))
			}
		}
		if !known && s.stats > maxStats {
			dull, known = s.dull(), true
		}
		if dull && w.dull(c) {
			if c.readsNamed() {
				s.use(Use{})
			}
			continue
		}
		if i == skip || i > 0 && c.args[i-1].flag() && w.known() && (c.args[i-1].is("-e", "--regexp", "-name", "-iname", "-path", "-m", "--message", "--grep") || c.traits.has(patternTrait) && endsInPattern(c.letters(c.args[i-1].text))) {
			continue
		}
		for _, cand := range s.candidates(room[:0], w.text) {
			s.argument(c, w, cand)
		}
		// A revision and a file in it, as git writes it.
		if _, file, is := strings.Cut(w.text, ":"); is && c.name == "git" && c.opens && file != "" && w.known() {
			if envFile(file) {
				s.touch("uses", w.text, "it keeps secrets")
			}
			s.inHistory(c, file)
		}
	}
}

// endsInPattern reports a group of short options whose last one takes a pattern
// or a script, which is the next word.
func endsInPattern(text string) bool {
	return len(text) > 2 && text[1] != '-' && text[len(text)-1] == 'e'
}

// inHistory looks at a file as it is in a revision: its name starts at the root
// of the repository, which may be any directory from the current one upwards.
func (s *scan) inHistory(c *call, file string) {
	for _, d := range append([]string{s.rootOf(s.at.Workspace)}, s.env.dirs...) {
		t := s.look(d + "/" + file)
		s.readFrom(c, &t)
	}
}

// argument looks at one path.
func (s *scan) argument(c *call, w *word, cand string) {
	if len(cand) > 4096 || strings.IndexByte(cand, ':') >= 0 && strings.Contains(cand, "://") {
		return
	}
	if strings.Contains(cand, hole) {
		s.partly(c, w, cand)
		return
	}
	if w.glob {
		s.pattern(c, cand)
	}
	if c.remote {
		if p := path.Clean(cand); c.opens && (accountFile(p) || keyFile("/"+strings.TrimPrefix(p, "~/"))) {
			s.protected(c, cand, !accountFile(p))
		}
		return
	}
	var room [1]target
	ts, ok := s.paths(room[:0], cand)
	if !ok {
		if c.readsNamed() {
			s.use(Use{})
		}
		return
	}
	for i := range ts {
		s.path(c, cand, &ts[i])
	}
}

// partly looks at a path of which a part is not known.
func (s *scan) partly(c *call, w *word, cand string) {
	if processSecret(cand) {
		s.touch("reads", w.src, "it shows what another process holds")
	}
	if c.opens && keyFile(cand) { // whoever's home it is in
		s.protected(c, w.src, true)
	}
	if c.readsNamed() && !w.temp {
		s.use(Use{})
	}
}

func (s *scan) path(c *call, cand string, t *target) {
	s.readFrom(c, t)
	both := [...]string{t.lexical, t.real}
	names := both[:]
	if t.real == t.lexical {
		names = both[:1]
	}
	if c.opens {
		for _, p := range names {
			switch {
			case accountFile(p):
				s.protected(c, cand, false)
			case keyFile(p) || keyDir(p) && !s.inWorkspace(*t):
				s.protected(c, cand, true)
			}
		}
		if c.traits.has(treeTrait) && (t.real == "/proc" || oneOf(t.real, "/", "/etc", "/root", "/home", "/var", "/Users") || t.real == s.rootOf(s.at.Home) && s.at.Home != "") {
			s.touch("reads all of", cand, "accounts, keys or secrets are in it")
		}
		if slices.ContainsFunc(names, envFile) || slices.ContainsFunc(names, s.secret) {
			s.touch("uses", cand, "it keeps secrets")
		}
		if slices.ContainsFunc(names, processSecret) {
			s.touch("reads", cand, "it shows what another process holds")
		}
	}
	if strings.IndexByte(cand, '/') >= 0 || strings.IndexByte(cand, '~') >= 0 || cand == ".." || t.lexical != t.real || s.at.spell != nil && strings.IndexByte(cand, '\\') >= 0 {
		s.outside(*t)
	}
	if c.reads || oneOf(c.name, "git", "echo", "printf", "cd", "test", "[") {
		return
	}
	for _, p := range names {
		if what := s.reserved(p); what != "" {
			s.touch("may change", cand, "it is "+what)
			break
		}
	}
}

// pattern looks at what a glob may match.
func (s *scan) pattern(c *call, cand string) {
	if !c.opens {
		return
	}
	abs := cand
	if s.at.spell != nil {
		abs, _ = s.at.spell(cand) // what cannot be told is asked about anyway
	}
	switch {
	case strings.HasPrefix(abs, "/"):
	case len(s.env.dirs) == 1:
		abs = path.Join(s.env.dirs[0], abs)
	}
	s.readsPattern(c, abs)
	if p := s.protectedGlob(path.Clean(abs)); p != "" {
		s.protected(c, cand, keyFile(p))
	}
	file := path.Base(cand)
	if file[0] == '.' || file[0] == '[' {
		for _, name := range []string{".env", ".env.local", ".env.production", ".envrc"} {
			if ok, _ := path.Match(file, name); ok {
				s.touch("uses", cand, "it may match "+name+", which keeps secrets")
				break
			}
		}
	}
	if strings.HasPrefix(abs, "/proc/") && processSecret(cand) {
		s.touch("reads", cand, "it shows what other processes hold")
	}
}

// protected raises the row that says what a call does with a protected file.
func (s *scan) protected(c *call, p string, key bool) {
	id := "read.system-accounts"
	switch {
	case oneOf(c.name, "scp", "rsync", "sftp", "curl", "wget", "nc", "ncat", "ftp", "rclone", "aws", "gsutil", "http"):
		id = "transfer.protected"
	case c.name == "tee" && strings.HasSuffix(p, "authorized_keys"):
		id = "backdoor.authorized-keys-tee"
	case key:
		id = "read.keys"
	case oneOf(c.name, "cp", "install", "mv", "ln", "dd", "ditto"):
		id = "copy.system-accounts"
	}
	s.hit(id, c.shown())
}

// judgeRedirect looks at one redirection to or from a file.
func (s *scan) judgeRedirect(d redirect) {
	if d.dup {
		return
	}
	if d.to.dyn != "" {
		s.dynamic("which file it is redirected to is not known")
	}
	if d.op == "<" || d.op == "<&" {
		s.judgeInput(d)
		return
	}
	to := d.to.text
	if strings.HasPrefix(to, "/dev/tcp/") || strings.HasPrefix(to, "/dev/udp/") {
		s.out.Network = true
		s.touch("connects to", to, "it sends to another machine")
		return
	}
	if d.to.known() && harmlessDevice(to) {
		return
	}
	s.out.Writes = true
	s.written("writes to", d.to, d.op == ">>" || d.op == "&>>")
}

func (s *scan) judgeInput(d redirect) {
	if strings.HasPrefix(d.to.text, "/dev/tcp/") || strings.HasPrefix(d.to.text, "/dev/udp/") {
		s.out.Network = true
		s.touch("connects to", d.to.text, "it reads from another machine")
	}
	in := &call{s: s, written: "< " + d.to.src, opens: true, reads: true, remote: s.env.remote}
	s.argument(in, &d.to, d.to.text)
	if d.to.dyn != "" {
		if processSecret(d.to.text) {
			s.touch("reads", d.to.src, "it shows what another process holds")
		}
	}
}

// written judges a file that is about to be written. appends keeps what is
// already in it.
func (s *scan) written(what string, w word, appends bool) {
	s.out.Writes = true
	if w.temp && !strings.Contains(w.text, "..") {
		return
	}
	if w.dyn != "" || w.glob {
		s.use(Use{Write: true})
		s.touch(what, w.src, "which file it is, is only known when it runs")
		return
	}
	ts, ok := s.targets(w)
	if !ok && s.env.temp && !strings.HasPrefix(w.text, "/") && !strings.Contains(w.text, "..") {
		return
	}
	if !ok {
		if s.env.remote {
			s.touch(what, w.text, "it is a file on another machine or in a container")
			return
		}
		s.use(Use{Write: true})
		s.touch(what, w.text, "the directory is only known when it runs")
		return
	}
	for _, t := range ts {
		s.writtenTo(what, w, t, appends)
	}
}

func (s *scan) writtenTo(what string, w word, t target, appends bool) {
	s.wroteTo(&t)
	switch p := t.lexical; {
	case harmlessDevice(p):
		return
	case strings.HasSuffix(strings.ToLower(p), "/.ssh/authorized_keys"), strings.HasSuffix(strings.ToLower(t.real), "/.ssh/authorized_keys"):
		s.hit("backdoor.authorized-keys", what+" "+w.src)
		return
	case s.catastrophic(t):
		s.hit("destroy.redirect", what+" "+w.src)
		return
	}
	for _, p := range []string{t.lexical, t.real} {
		if r := s.reserved(p); r != "" {
			s.touch(what, w.text, "it is "+r)
			return
		}
	}
	switch {
	case envFile(t.lexical) || envFile(t.real) || s.secret(t.lexical) || s.secret(t.real):
		s.touch(what, w.text, "it keeps secrets")
	case !s.inWorkspace(t) && !s.inTemp(t):
		s.outside(t)
		s.touch(what, w.text, "it is outside the workspace")
	case t.exists && !t.dir && !appends:
		s.touch("overwrites", w.text, "what is in it now is lost")
	}
}
