package shell

import "path"

// hiddenRepository returns a directory whose files git would take for a bare
// repository when it works where the call says, or "". Such a directory comes
// along with a clone as any other does, and the settings in it name programs
// that git runs even when it is only asked for the status. One that stands
// behind a .git is the person's own.
func (s *scan) hiddenRepository(g gitCall) string {
	for _, d := range s.worksIn(g) {
		if at := s.bareAbove(s.look(d).real); at != "" {
			return at
		}
	}
	return ""
}

// worksIn returns the directories in which git may work, none where that is not
// known.
func (s *scan) worksIn(g gitCall) []string {
	was := s.env.dirs
	defer func() { s.env.dirs = was }()
	for _, d := range g.dirs { // each goes on from the one before
		ts, ok := s.targets(d)
		if !ok {
			return nil
		}
		s.env.dirs = nil
		for i := range ts {
			s.env.dirs = append(s.env.dirs, ts[i].lexical)
		}
	}
	return s.env.dirs
}

// bareAbove looks for a repository from a directory upwards, as git does, as
// far as the workspace goes.
func (s *scan) bareAbove(dir string) string {
	root := s.rootOf(s.at.Workspace)
	for ; ; dir = path.Dir(dir) {
		if s.stats > maxStats {
			return dir // nothing is asked any more
		}
		s.stats += 5
		at := func(name string) fact { return s.lstat(path.Join(dir, name)) }
		switch git := at(".git"); {
		case git.there && !git.dir, at(".git/HEAD").there:
			return ""
		case at("HEAD").there && (at("objects").there || at("commondir").there):
			return dir
		case dir == root || !below(dir, root) || dir == "/":
			return ""
		}
	}
}
