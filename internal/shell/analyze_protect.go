package shell

import (
	"path"
	"slices"
	"strings"
)

// Tables of places that are special whatever the workspace is. They compare
// lower-cased, because some file systems do not tell the difference.
var (
	accountFiles = []string{
		"/etc/passwd", "/etc/shadow", "/etc/sudoers", "/etc/gshadow", "/etc/master.passwd",
		"/etc/passwd-", "/etc/shadow-", "/etc/gshadow-",
	}
	keyFiles = []string{
		".ssh/id_rsa", ".ssh/id_ed25519", ".ssh/id_ecdsa", ".ssh/id_dsa", ".ssh/id_ed25519_sk", ".ssh/id_ecdsa_sk",
		".ssh/authorized_keys", ".ssh/known_hosts", ".aws/credentials", ".gnupg/private-keys-v1.d",
		".config/zuno/credentials.json", ".config/zuno/mcp-logins.json",
	}
	keyDirs        = []string{".ssh", ".gnupg", ".aws"}
	credentialDirs = []string{
		".ssh", ".gnupg", ".aws", ".kube", ".docker", ".config/gh", ".netrc", ".password-store",
		".local/share/keyrings", "library/keychains",
	}
	systemDirs = []string{
		"/", "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin", "/srv", "/sys",
		"/usr", "/var", "/applications", "/system", "/library", "/users", "/home",
	}
	systemTrees = []string{
		"/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr", "/var/lib",
		"/system", "/library",
	}
	homeDirs = []string{"appdata", "appdata/local", "appdata/roaming", ".config", ".claude", ".local", ".local/share", "documents", "desktop"}
)

// accountFile reports the system's account and password files.
func accountFile(p string) bool {
	if len(p) < len("/etc/") || !strings.EqualFold(p[:len("/etc/")], "/etc/") {
		return false
	}
	p = strings.ToLower(p)
	return oneOf(p, accountFiles...) || strings.HasPrefix(p, "/etc/sudoers.d/")
}

// keyFile reports private keys and the files beside them, in any home.
func keyFile(p string) bool {
	if !strings.Contains(p, "/.") {
		return false
	}
	p = strings.ToLower(p)
	for _, k := range keyFiles {
		if strings.HasSuffix(p, "/"+k) || strings.Contains(p, "/"+k+"/") {
			return true
		}
	}
	return false
}

func keyDir(p string) bool {
	return strings.IndexByte(p, '.') >= 0 && oneOf(strings.ToLower(path.Base(p)), keyDirs...)
}

// protectedGlob reports whether an absolute pattern may match a protected
// file, and which.
func (s *scan) protectedGlob(pattern string) string {
	for _, p := range accountFiles {
		if ok, _ := path.Match(pattern, p); ok {
			return p
		}
	}
	for _, home := range []string{s.at.Home, "/root"} {
		for _, k := range keyFiles {
			full := home + "/" + k
			if ok, _ := path.Match(pattern, full); ok && home != "" {
				return full
			}
		}
	}
	return ""
}

// mentions finds a protected file named inside program text.
func mentions(text string) string {
	if strings.IndexByte(text, '/') < 0 {
		return ""
	}
	low := strings.ToLower(text)
	for _, list := range [][]string{accountFiles[:3], keyFiles} {
		for _, p := range list {
			for at := 0; ; {
				i := strings.Index(low[at:], p)
				if i < 0 {
					break
				}
				at += i + len(p)
				if at == len(low) || !pathByte(low[at]) {
					return p
				}
			}
		}
	}
	return ""
}

func pathByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("._-~", c) >= 0
}

// catastrophic reports a path whose loss breaks the system or the account.
// What is inside the workspace or the temporary directory never is.
func (s *scan) catastrophic(t target) bool {
	return s.fatal(t, t.lexical) || s.fatal(t, t.real)
}

func (s *scan) fatal(t target, p string) bool {
	low := strings.ToLower(p)
	home := s.at.Home
	switch {
	case oneOf(low, systemDirs...), home != "" && p == path.Clean(home), s.at.spell != nil && windowsDir.MatchString(low):
		return true
	case s.inWorkspace(t):
		return false
	case s.inHome(p):
		return s.fatalInHome(p)
	case s.inTemp(t):
		return false
	case s.at.Workspace != "" && below(path.Clean(s.at.Workspace), p):
		return true // the workspace's own parents
	}
	return s.systemTree(p)
}

// systemTree reports what is, or is in, a directory that belongs to the system.
// The workspace and the temporary directory do not.
func (s *scan) systemTree(p string) bool {
	if t := (target{lexical: p, real: p}); s.inWorkspace(t) || s.inTemp(t) {
		return false
	}
	low := strings.ToLower(p)
	return slices.ContainsFunc(systemTrees, func(d string) bool { return below(low, d) }) || s.at.spell != nil && windowsTree.MatchString(low)
}

// inCredentials reports what is in a directory of keys or tokens of the home.
func (s *scan) inCredentials(t target) bool {
	return slices.ContainsFunc([]string{t.lexical, t.real}, func(p string) bool {
		return s.inHome(p) && s.credential(p)
	})
}

func (s *scan) credential(p string) bool {
	rel := strings.ToLower(strings.TrimPrefix(p, path.Clean(s.at.Home)+"/"))
	return slices.ContainsFunc(credentialDirs, func(d string) bool { return below(rel, d) })
}

func (s *scan) inHome(p string) bool { return s.at.Home != "" && strictlyBelow(p, s.at.Home) }

func (s *scan) fatalInHome(p string) bool {
	if s.at.Workspace != "" && below(path.Clean(s.at.Workspace), p) {
		return true
	}
	rel := strings.ToLower(strings.TrimPrefix(p, path.Clean(s.at.Home)+"/"))
	return oneOf(rel, homeDirs...) || s.credential(p)
}

// catastrophicGlob reports a pattern that takes everything in a place whose
// loss is catastrophic.
func (s *scan) catastrophicGlob(w word) bool {
	dir, file := path.Split(w.text)
	if strings.ContainsAny(dir, "*?[") {
		return s.catastrophicGlob(word{text: strings.TrimSuffix(dir, "/")})
	}
	if !strings.ContainsAny(file, "*?[") {
		return false
	}
	if dir == "" {
		dir = "."
	}
	ts, ok := s.paths(nil, dir)
	if !ok {
		return false
	}
	for _, t := range ts {
		if s.inWorkspace(t) || s.inTemp(t) || t.real == s.rootOf(s.at.Temp) {
			continue
		}
		if s.catastrophic(t) {
			return true
		}
	}
	return false
}

// envFile reports files that keep secrets for programs: .env and its kin, but
// not the samples that repositories carry.
func envFile(p string) bool {
	if strings.IndexByte(p, '.') < 0 {
		return false
	}
	name := strings.ToLower(path.Base(p))
	if name != ".env" && !strings.HasPrefix(name, ".env.") {
		return name == ".envrc"
	}
	return !oneOf(path.Ext(name), ".example", ".sample", ".template", ".dist")
}

// secret reports what is, or is in, a place of credentials.
func (s *scan) secret(p string) bool {
	return slices.ContainsFunc(s.at.Secrets, func(d string) bool { return below(p, d) })
}

// processSecret reports the files that show another process's memory, arguments,
// environment or open files: all that /proc has of one but for its numbers, and
// the memory of the machine.
func processSecret(p string) bool {
	if oneOf(p, "/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/proc/keys", "/proc/kmsg", "/proc/cmdline") {
		return true
	}
	rest, is := strings.CutPrefix(p, "/proc/")
	if !is {
		return false
	}
	process, rest, _ := strings.Cut(rest, "/")
	own := process == "self" || process == "thread-self"
	switch what, _, _ := strings.Cut(rest, "/"); {
	case rest == "", !own && strings.Trim(process, "0123456789*?[]!-^"+hole) != "":
		return oneOf(path.Base(p), "environ", "mem", "cmdline", "maps", "auxv")
	case own && what == "fd": // the command's own
		return false
	case oneOf(what, "net", "ns", "attr", "fdinfo"):
		return false
	}
	return !oneOf(path.Base(rest), "status", "stat", "statm", "comm", "limits", "cgroup", "cpuset", "mounts", "mountinfo", "mountstats", "loginuid", "sessionid", "io", "oom_score", "oom_score_adj", "oom_adj", "sched", "schedstat", "wchan", "exe", "personality",
		"children", "timerslack_ns", "uid_map", "gid_map", "setgroups", "coredump_filter", "clear_refs", "autogroup", "latency", "timers", "task")
}

// reserved names the files that decide what zuno, git, an editor or a shell
// will run later. Changing one is asked by name, whatever the tier; "" is an
// ordinary file.
func (s *scan) reserved(p string) string {
	for _, d := range s.at.Own {
		if below(p, path.Clean(d)) || below(p, s.rootOf(d)) {
			return "zuno's own files"
		}
	}
	for _, root := range []string{s.at.Workspace, s.rootOf(s.at.Workspace)} {
		if root != "" && strictlyBelow(p, root) { // where the workspace itself lies is no concern
			p = p[len(path.Clean(root)):]
			break
		}
	}
	if name := path.Base(p); !strings.Contains(p, "/.") && name[0] != '.' && !oneOf(strings.ToLower(path.Ext(name)), ".md", ".json", ".jsonc", ".fish") {
		return ""
	}
	low := "/" + strings.TrimPrefix(strings.ToLower(p), "/")
	for _, d := range []struct{ dir, what string }{
		{"/.git", "git's own files"},
		{"/.zuno", "zuno's configuration"},
		{"/.husky", "git hooks"},
		{"/.githooks", "git hooks"},
		{"/.config/zuno", "zuno's configuration"},
		{"/.local/share/zuno", "zuno's own record"},
		{"/.agents", "agent instructions"},
		{"/.claude", "what another agent obeys"},
		{"/.codex", "what another agent obeys"},
		{"/.gemini", "what another agent obeys"},
		{"/.cursor", "what another agent obeys"},
		{"/.opencode", "what another agent obeys"},
	} {
		if strings.HasSuffix(low, d.dir) || strings.Contains(low, d.dir+"/") {
			return d.what
		}
	}
	switch name := path.Base(low); {
	case oneOf(name, "zuno.json", "zuno.jsonc"):
		return "zuno's configuration"
	case oneOf(name, "agents.md", "agents.local.md", "claude.md", "claude.local.md", "gemini.md", "skill.md"):
		return "agent instructions"
	case name == ".mcp.json":
		return "the list of MCP servers"
	case name == ".envrc", strings.HasSuffix(low, "/.vscode/settings.json"), strings.HasSuffix(low, "/.vscode/tasks.json"),
		strings.HasSuffix(low, "/.devcontainer/devcontainer.json"), oneOf(name, ".npmrc", ".yarnrc", ".yarnrc.yml", ".pre-commit-config.yaml"):
		return "settings that run programs"
	case name == ".gitmodules", name == ".gitconfig":
		return "git's configuration"
	case oneOf(name, ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile", ".bash_logout", "config.fish"):
		return "a shell's start-up file"
	}
	return ""
}
