package shell

import (
	"os"
	"path/filepath"
	"slices"
)

// Usual returns a confinement to a workspace, with the places that ordinary
// builds and tests need and those that keep credentials, as far as the
// environment of the commands names them (HOME, TMPDIR, XDG_CACHE_HOME, GOPATH
// and the like). zuno's own folders are for the caller to add.
func Usual(mode Mode, workspace string, env []string) Confinement {
	h := homes{env: env}
	c := Confinement{Mode: mode, Workspace: workspace, Writable: h.writable(), Hidden: h.hidden()}
	for _, name := range []string{".zuno", "zuno.json", "zuno.jsonc"} {
		c.Protected = append(c.Protected, filepath.Join(workspace, name))
	}
	c.Protected = append(c.Protected, h.sourced()...)
	return c
}

// homes finds folders by an environment.
type homes struct{ env []string }

func (h homes) get(name string) string { return Lookup{Env: h.env}.get(name) }

// at returns the folder that the variable name has, or usual in the home
// folder; "" when there is none.
func (h homes) at(name, usual string) string {
	if v := h.get(name); name != "" && filepath.IsAbs(v) {
		return filepath.Clean(v)
	}
	home := h.get("HOME")
	if !filepath.IsAbs(home) || usual == "" {
		return ""
	}
	return filepath.Join(home, usual)
}

// places is a table of names below a folder.
type places struct {
	variable, usual string
	names           []string // none for the folder itself
}

func (h homes) list(table []places) []string {
	var all []string
	for _, p := range table {
		dir := h.at(p.variable, p.usual)
		if dir == "" || dir == "/" || dir == filepath.Clean(h.get("HOME")) && len(p.names) == 0 {
			continue
		}
		if len(p.names) == 0 {
			all = append(all, dir)
		}
		for _, n := range p.names {
			all = append(all, filepath.Join(dir, n))
		}
	}
	return all
}

// writable lists the temporary folders and the caches of tool chains: what
// they write when a project is built. What they install for other projects or
// run by itself, such as the programs in ~/go/bin or Gradle's init scripts, is
// not in it.
func (h homes) writable() []string {
	all := []string{"/tmp", "/var/tmp"}
	if gopath := filepath.SplitList(h.get("GOPATH")); len(gopath) > 0 && filepath.IsAbs(gopath[0]) {
		all = append(all, filepath.Join(gopath[0], "pkg"))
	}
	return append(all, h.list([]places{
		{"TMPDIR", "", nil},
		{"GOTMPDIR", "", nil},
		{"XDG_CACHE_HOME", ".cache", nil},
		{"GOCACHE", "", nil},
		{"GOMODCACHE", "", nil},
		{"GOLANGCI_LINT_CACHE", "", nil},
		{"", "go", []string{"pkg"}},
		{"CARGO_HOME", ".cargo", []string{"registry", "git", ".package-cache", ".package-cache-mutate", ".global-cache"}},
		{"CARGO_TARGET_DIR", "", nil},
		{"SCCACHE_DIR", "", nil},
		{"CCACHE_DIR", ".ccache", nil},
		{"npm_config_cache", ".npm", nil},
		{"YARN_CACHE_FOLDER", "", nil},
		{"YARN_GLOBAL_FOLDER", ".yarn/berry", nil},
		{"PNPM_HOME", ".local/share/pnpm", []string{"store"}},
		{"", ".pnpm-store", nil},
		{"", ".bun/install/cache", nil},
		{"DENO_DIR", "", nil},
		{"", ".node-gyp", nil},
		{"PIP_CACHE_DIR", "", nil},
		{"UV_CACHE_DIR", "", nil},
		{"POETRY_CACHE_DIR", "", nil},
		{"GRADLE_USER_HOME", ".gradle", []string{"caches", "daemon", "native", "notifications", "workers", "wrapper", ".tmp", "kotlin-profile"}},
		{"", ".kotlin", nil},
		{"", ".konan", []string{"cache"}},
		{"", ".m2", []string{"repository", "wrapper"}},
		{"", ".ivy2", []string{"cache", "local"}},
		{"", ".sbt", []string{"boot"}},
		{"COURSIER_CACHE", "", nil},
		{"NUGET_PACKAGES", ".nuget/packages", nil},
		{"", ".local/share/NuGet", nil},
		{"PUB_CACHE", ".pub-cache", []string{"hosted", "git", "hosted-hashes", "_temp"}},
		{"HEX_HOME", ".hex", []string{"packages", "cache.ets"}},
		{"COMPOSER_CACHE_DIR", ".composer/cache", nil},
		{"", ".bundle/cache", nil},
		{"", ".cabal", []string{"packages", "store", "logs"}},
		{"STACK_ROOT", ".stack", []string{"pantry", "snapshots", "setup-exe-cache"}},
		{"", ".julia", []string{"compiled", "logs", "scratchspaces"}},
		{"", ".conan2", []string{"p", "t"}},
	})...)
}

// sourced lists what is inside a cache folder although programs of the person
// run it: start-up files of shells, mostly.
func (h homes) sourced() []string {
	cache := h.at("XDG_CACHE_HOME", ".cache")
	if cache == "" {
		return nil
	}
	var all []string
	for _, pattern := range []string{"p10k-*", "gitstatus", "*zsh*", "zinit", "starship", "fish", "*.bash", "pre-commit"} {
		found, _ := filepath.Glob(filepath.Join(cache, pattern))
		all = append(all, found...)
	}
	slices.Sort(all)
	return all
}

// hidden lists the places of credentials: keys, tokens, password stores and
// the profiles of browsers.
func (h homes) hidden() []string {
	return h.list([]places{
		{"", ".ssh", nil},
		{"GNUPGHOME", ".gnupg", nil},
		{"", ".aws", nil},
		{"AWS_SHARED_CREDENTIALS_FILE", "", nil},
		{"AZURE_CONFIG_DIR", ".azure", nil},
		{"CLOUDSDK_CONFIG", "", nil},
		{"GOOGLE_APPLICATION_CREDENTIALS", "", nil},
		{"KUBECONFIG", "", nil},
		{"", ".kube", nil},
		{"DOCKER_CONFIG", ".docker", []string{"config.json"}},
		{"NETRC", ".netrc", nil},
		{"", ".git-credentials", nil},
		{"", ".pypirc", nil},
		{"", ".pgpass", nil},
		{"", ".my.cnf", nil},
		{"", ".vault-token", nil},
		{"", ".terraform.d/credentials.tfrc.json", nil},
		{"", ".gem/credentials", nil},
		{"CARGO_HOME", ".cargo", []string{"credentials", "credentials.toml"}},
		{"PASSWORD_STORE_DIR", ".password-store", nil},
		{"XDG_CONFIG_HOME", ".config", []string{
			"gh", "hub", "glab-cli", "git/credentials", "gcloud", "op", "rclone", "sops", "age", "doctl", "heroku", "containers/auth.json",
			"google-chrome", "chromium", "BraveSoftware", "microsoft-edge", "Bitwarden", "Signal",
		}},
		{"XDG_DATA_HOME", ".local/share", []string{"keyrings", "kwalletd", "opencode/auth.json"}},
		{"", ".mozilla", nil},
		{"", ".thunderbird", nil},
		{"", ".claude/.credentials.json", nil},
		{"CODEX_HOME", ".codex", []string{"auth.json"}},
	})
}

// Secrets lists the places, absolute, in which programs keep credentials, as
// far as an environment names them. The sandbox hides them but for those that
// programs need for an ordinary build.
func Secrets(env []string) []string {
	h := homes{env: env}
	return append(h.hidden(), h.list([]places{
		{"NPM_CONFIG_USERCONFIG", ".npmrc", nil},
		{"", ".m2/settings.xml", nil},
	})...)
}

// addRuntime adds what programs outside offer to every program of the user:
// their sockets, by which they could be made to act in its stead, and the
// folder where most of those are. What keep is in stays.
func (p *plan) addRuntime(env []string, keep ...string) {
	keep = append(keep, p.writable...)
	dir := homes{env}.get("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(dir) || filepath.Clean(dir) == "/" {
		dir = runtimeDir()
	}
	for _, d := range []string{dir, "/dev/shm"} {
		real, err := filepath.EvalSymlinks(d)
		if err != nil || p.rootOf(real) != "" || slices.ContainsFunc(keep, func(k string) bool { return inside(real, k) }) {
			continue
		}
		if fi, err := os.Stat(real); err == nil && fi.IsDir() {
			p.private = append(p.private, real)
		}
	}
	for _, s := range foreignSockets(env) {
		if !inAny(p.private, s) && !inAny(p.hidden, s) {
			p.sockets = append(p.sockets, s)
		}
	}
}
