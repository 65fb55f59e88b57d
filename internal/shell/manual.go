package shell

import (
	"path"
	"strings"
)

// effects finds what a call changes: files it removes or overwrites, and what
// it does to others. What cannot be undone becomes a [Touch].
func (s *scan) effects(c *call) {
	if r := s.risky(c); r != "" {
		s.raise(r)
		s.strange(r)
	}
	if what := farReaching(c); what != "" {
		s.touch("runs", clip(c.shown(), 120), what)
	}
	if what := showsSecret(c); what != "" {
		s.touch("runs", clip(c.shown(), 120), what)
	}
	if s.env.remote && !c.reads {
		s.touch("runs", clip(c.shown(), 120), "it runs on another machine or in a container")
		return
	}
	switch c.name {
	case "git":
		s.git(c)
	case "rm", "unlink", "shred", "srm", "rmdir":
		s.removes(c, c.destroyed())
	case "find":
		s.findWrites(c)
	case "mv", "cp", "install", "ln", "ditto":
		s.copies(c)
	case "tee":
		for _, w := range c.operands() {
			s.written("writes to", w, c.has("a", "append"))
		}
		if len(c.operands()) > 0 {
			s.raise("tee writes files")
		}
	case "dd":
		for _, w := range c.destroyed() {
			s.written("writes to", w, false)
		}
		s.raise("dd copies raw data")
	case "sed", "gsed", "perl", "awk", "gawk", "mawk", "nawk":
		s.rewrites(c)
	case "sort", "shuf", "tree", "yq":
		if w, ok := c.value("o", "output"); ok && c.name != "yq" {
			s.written("writes to", w, false)
		}
	case "uniq", "xxd":
		if ops := c.twoFiles(); len(ops) > 1 {
			s.written("writes to", ops[1], false)
			s.raise(c.name, " writes its second file")
		}
	case "curl", "wget":
		s.downloads(c)
	case "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "as", "rustc", "javac", "ffmpeg", "convert", "magick", "pandoc", "latexmk", "pdflatex", "wkhtmltopdf", "mongodump":
		s.out.Writes = true
	case "go", "npm", "pnpm", "yarn", "docker", "podman", "nerdctl":
		ops := c.operands()
		s.out.Writes = s.out.Writes || len(ops) > 0 && (c.name == "go" && ops[0].is("fmt", "fix") || ops[0].is("cp") || len(ops) > 1 && ops[0].is("pkg") && ops[1].is("set", "delete", "fix"))
	case "rsync", "scp":
		s.syncs(c)
	case "touch", "mkdir", "chmod", "chown", "chgrp", "patch", "tar", "unzip", "gzip", "gunzip", "xz", "bzip2", "zstd", "zip", "split", "csplit", "mkfifo", "mknod", "truncate", "mktemp", "7z", "ar", "cpio":
		s.changes(c)
	}
}

// twoFiles lists the files of a program that reads the first and writes the
// second.
func (c *call) twoFiles() []word {
	if c.name == "xxd" { // which goes by the beginning of its long options too
		return c.operands("-c", "-cols", "-g", "-groupsize", "-l", "-len", "-o", "-offset", "-s", "-seek", "-n", "-name", "-R")
	}
	return c.operands("-f", "-s", "-w", "--skip-fields", "--skip-chars", "--check-chars")
}

// removes judges the removal of the named files.
func (s *scan) removes(c *call, ops []word) {
	s.out.Writes = true
	for _, w := range ops {
		if w.temp && !strings.Contains(w.text, "..") {
			continue
		}
		ts, ok := s.targets(w)
		switch {
		case w.glob:
			s.use(Use{Write: true})
			s.touch("removes", w.src, "which files they are, is only known when it runs")
			continue
		case !ok && s.env.temp && w.known() && !strings.HasPrefix(w.text, "/") && !strings.Contains(w.text, ".."):
			continue
		case !ok:
			s.use(Use{Write: true})
			s.touch("removes", w.src, "what it is, is only known when it runs")
			continue
		}
		for _, t := range ts {
			s.wroteTo(&t)
			if t.exists {
				s.touch("removes", w.text, "it cannot be brought back")
			} else if !s.inWorkspace(t) && !s.inTemp(t) {
				s.touch("removes", w.text, "it is outside the workspace")
			}
			s.outside(t)
		}
	}
}

func (s *scan) findWrites(c *call) {
	if c.deletes() {
		for _, r := range c.roots() {
			s.touch("removes", "what find finds in "+r.src, "it cannot be brought back")
		}
		s.out.Writes = true
	}
	for i, a := range c.args {
		if a.is("-fprint", "-fprintf", "-fprint0", "-fls") && i+1 < len(c.args) {
			s.written("writes to", c.args[i+1], false)
		}
	}
}

// copies judges the destination of mv, cp, install and ln.
func (s *scan) copies(c *call) {
	s.out.Writes = true
	valued := []string{"-t", "--target-directory", "-S", "--suffix", "-m", "-o", "-g", "--mode", "--owner", "--group"}
	if c.name != "install" {
		valued = valued[:4]
	}
	ops := c.operands(valued...)
	keeps := c.has("n", "no-clobber") && c.name != "ln" || c.name == "ln" && !c.has("f", "force")
	if c.name == "mv" {
		s.moved(ops)
	}
	dest, into := c.value("t", "target-directory")
	if c.name == "install" && c.has("d", "directory") {
		s.changes(c)
		return
	}
	if !into {
		if len(ops) < 2 {
			return
		}
		dest, ops = ops[len(ops)-1], ops[:len(ops)-1]
	}
	ts, ok := s.targets(dest)
	if !ok || dest.glob {
		s.written("writes to", dest, keeps)
		return
	}
	whole := c.has("T", "no-target-directory")
	for _, t := range ts {
		if harmlessDevice(t.lexical) && c.name != "cp" {
			s.hit("destroy.redirect", "replaces "+dest.src) // the others write to it
			continue
		}
		if !t.dir || !t.exists || whole {
			s.writtenTo("writes to", dest, t, keeps)
			continue
		}
		s.entered(dest, t)
		for _, src := range ops {
			if src.dyn != "" || src.glob {
				if !keeps {
					s.touch("may overwrite", dest.text+"/"+path.Base(src.src), "which files they are, is only known when it runs")
				}
				continue
			}
			w := lit(dest.text + "/" + path.Base(src.text))
			s.written("writes to", w, keeps)
		}
	}
}

// entered judges a directory in which something appears, whatever its name.
func (s *scan) entered(w word, t target) {
	switch r := s.reserved(t.real); {
	case s.systemTree(t.lexical) || s.systemTree(t.real) || s.inCredentials(t):
		s.hit("destroy.redirect", "writes to "+w.src)
	case r != "":
		s.touch("writes to", w.text, "it is "+r)
	case !s.inWorkspace(t) && !s.inTemp(t):
		s.outside(t)
		s.touch("writes to", w.text, "it is outside the workspace")
	}
}

// moved judges what mv takes away from outside the workspace.
func (s *scan) moved(ops []word) {
	for _, w := range ops[:max(0, len(ops)-1)] {
		ts, _ := s.targets(w)
		for _, t := range ts {
			s.wroteTo(&t)
			if r := s.reserved(t.lexical); r != "" {
				s.touch("moves", w.text, "it is "+r)
			} else if !s.inWorkspace(t) && !s.inTemp(t) {
				s.touch("moves", w.text, "it is outside the workspace")
			}
		}
	}
}

// rewrites judges programs that edit files in place or write from a script.
func (s *scan) rewrites(c *call) {
	inPlace := c.has("iI", "in-place")
	if strings.HasSuffix(c.name, "awk") {
		inPlace = false
		for _, a := range c.args {
			inPlace = inPlace || a.is("inplace", "-iinplace")
		}
	}
	if !inPlace {
		return
	}
	s.raise(c.name, " edits files in place")
	ops := c.operands("-e", "-f", "--expression", "--file", "-l", "-E")
	if !c.has("ef", "expression", "file") && len(ops) > 0 {
		ops = ops[1:]
	}
	for _, w := range ops {
		s.written("writes to", w, false)
	}
}

// downloads judges the files that curl and wget write.
func (s *scan) downloads(c *call) {
	letter, long := "o", "output"
	if c.name == "wget" {
		letter, long = "O", "output-document"
	}
	if w, ok := c.value(letter, long); ok && !w.is("-") {
		s.written("writes to", w, false)
		return
	}
	if c.name == "wget" || c.has("OJ", "remote-name", "remote-header-name", "remote-name-all") {
		s.out.Writes = true
		for _, w := range c.operands() {
			url, _, _ := strings.Cut(w.text, "?")
			if name := path.Base(url); w.known() && strings.Contains(url, "/") {
				s.written("writes to", lit(name), false)
			}
		}
	}
}

func (s *scan) syncs(c *call) {
	s.out.Writes = true
	ops := c.operands("-e", "--rsh", "-P", "-i", "-o", "-F", "-S")
	if c.name == "rsync" && c.has("", "delete", "delete-after", "delete-before", "delete-excluded", "remove-source-files") {
		s.touch("removes", "what rsync does not find", "it cannot be brought back")
	}
	if len(ops) < 2 {
		return
	}
	dest := ops[len(ops)-1]
	if strings.Contains(dest.text, ":") {
		s.touch("sends to", dest.text, "it copies to another machine")
		return
	}
	s.written("writes to", dest, false)
}

// changes judges programs whose operands they create or change.
func (s *scan) changes(c *call) {
	first := firstText(c.args)
	if c.name == "tar" && tarLists(first) || c.name == "unzip" && len(first) > 1 && strings.IndexByte("lvtpZz", first[1]) >= 0 {
		return
	}
	s.out.Writes = true
	if oneOf(c.name, "tar", "unzip", "7z", "cpio", "patch") {
		if c.name != "tar" || !tarCreates(first) {
			s.raise(c.name, " may write over any file")
		}
		if w, ok := c.value("C", "directory"); ok && c.name == "tar" {
			s.written("extracts to", w, false)
		} else if w, ok := c.value("d"); ok && c.name == "unzip" {
			s.written("extracts to", w, false)
		}
		if c.name == "tar" && len(c.args) > 0 && tarCreates(c.args[0].text) {
			if w, ok := c.tarFile(); ok {
				s.written("writes to", w, false)
			}
		}
		return
	}
	ops := c.operands("-m", "--mode", "-t", "-d", "-r", "--reference", "-p", "--suffix", "-b", "-l", "-n", "-a", "-C")
	if oneOf(c.name, "chmod", "chown", "chgrp") && len(ops) > 0 {
		ops = ops[1:]
	}
	for _, w := range ops {
		if w.dyn != "" {
			continue
		}
		ts, _ := s.targets(w)
		for _, t := range ts {
			s.wroteTo(&t)
			if r := s.reserved(t.lexical); r != "" {
				s.touch("changes", w.text, "it is "+r)
			} else if !s.inWorkspace(t) && !s.inTemp(t) && !harmlessDevice(t.lexical) {
				s.outside(t)
				s.touch("changes", w.text, "it is outside the workspace")
			}
		}
	}
}

func firstText(words []word) string {
	if len(words) == 0 {
		return ""
	}
	return words[0].text
}

func tarCreates(opts string) bool {
	return strings.HasPrefix(opts, "--create") || !strings.HasPrefix(opts, "--") && strings.ContainsAny(opts, "cru")
}

func tarLists(opts string) bool {
	return opts == "--list" || !strings.HasPrefix(opts, "--") && strings.Contains(opts, "t") && !strings.ContainsAny(opts, "cxruA")
}

// tarFile is the archive that tar is told to use.
func (c *call) tarFile() (word, bool) {
	if w, ok := c.value("f", "file"); ok {
		return w, true
	}
	if first := c.args[0].text; !strings.HasPrefix(first, "-") && strings.Contains(first, "f") && len(c.args) > 1 {
		return c.args[1], true // the old style without a dash
	}
	return word{}, false
}
