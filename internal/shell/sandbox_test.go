//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestASandboxThatCannotBeHadIsAnError(t *testing.T) {
	dir := t.TempDir()
	able := Ability{Backend: Landlock, ABI: 1, Writes: true}
	for name, c := range map[string]struct {
		ability Ability
		wish    Confinement
		want    string // "" for no error
	}{
		"nothing works":          {Ability{Why: []string{"namespaces: no", "no Landlock"}}, Confinement{Mode: ReadOnly, Workspace: dir}, "namespaces: no; no Landlock"},
		"not tried":              {Ability{}, Confinement{Mode: WorkspaceWrite, Workspace: dir}, "not tried"},
		"off":                    {Ability{}, Confinement{Workspace: "not looked at"}, ""},
		"the network stays":      {able, Confinement{Mode: WorkspaceWrite, Workspace: dir}, "network"},
		"the network may stay":   {able, Confinement{Mode: WorkspaceWrite, Workspace: dir, Network: true}, ""},
		"writes are not refused": {Ability{Backend: Landlock}, Confinement{Mode: ReadOnly, Workspace: dir}, "writing"},
		"a relative path":        {able, Confinement{Mode: ReadOnly, Network: true, Workspace: dir, Hidden: []string{"x"}}, "absolute"},
		"no workspace":           {able, Confinement{Mode: ReadOnly, Network: true, Workspace: dir + "/no"}, "no such file"},
	} {
		got, err := c.ability.Confine(c.wish)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
		if (got == nil) != (c.want != "" || c.wish.Mode == Off) {
			t.Errorf("%s: %v", name, got)
		}
	}
	c := testCmd(t, "touch x")
	c.Confine = &Confinement{Mode: ReadOnly, Workspace: c.Dir}
	if res := Run(t.Context(), c); res.Started || res.Err == nil || exists(c.Dir+"/x") {
		t.Errorf("it ran without the sandbox that was asked for: %+v", res)
	}
}

func TestTheSandboxIsNamedInAFewWords(t *testing.T) {
	for want, c := range map[string]*Confinement{
		"no sandbox":                               {},
		"sandbox read-only, no network":            {Mode: ReadOnly},
		"sandbox workspace-write, network allowed": {Mode: WorkspaceWrite, Network: true},
		"sandbox workspace-write, no network":      {Mode: WorkspaceWrite},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, a := range map[string]Ability{
		"no sandbox: a; b":                    {Why: []string{"a", "b"}},
		"namespaces and Landlock (version 7)": {Backend: Namespaces, ABI: 7},
		"namespaces":                          {Backend: Namespaces},
		"Landlock (version 3) only":           {Backend: Landlock, ABI: 3},
	} {
		if got := a.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if l := (Ability{Backend: Namespaces, ABI: 7, Writes: true, Protects: true, Hides: true, Network: true, Loopback: true, Signals: true}).Limits(); len(l) != 0 {
		t.Errorf("%q", l)
	}
	for _, m := range []Mode{Off, ReadOnly, WorkspaceWrite} {
		if got, err := ParseMode(m.String()); got != m || err != nil {
			t.Errorf("%s: %v, %v", m, got, err)
		}
	}
	if _, err := ParseMode("on"); err == nil {
		t.Error("on is a mode")
	}
}

func TestUsualPlacesComeFromTheEnvironment(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(home+"/.cache/gitstatus", 0o700); err != nil {
		t.Fatal(err)
	}
	c := Usual(WorkspaceWrite, "/w", []string{"HOME=" + home, "GOCACHE=/build", "GOPATH=/a:/b", "CARGO_HOME=relative", "TMPDIR=/", "GNUPGHOME=/keys"})
	for list, want := range map[*[]string][]string{
		&c.Writable:  {"/tmp", "/build", "/a/pkg", home + "/go/pkg", home + "/.cache", home + "/.cargo/registry", home + "/.m2/repository"},
		&c.Hidden:    {"/keys", home + "/.ssh", home + "/.config/gh", home + "/.netrc", home + "/.local/share/keyrings"},
		&c.Protected: {"/w/.zuno", "/w/zuno.json", "/w/zuno.jsonc", home + "/.cache/gitstatus"},
	} {
		for _, w := range want {
			if !slices.Contains(*list, w) {
				t.Errorf("%s is not in %q", w, *list)
			}
		}
	}
	for _, w := range c.Writable {
		if w != "/tmp" && inside(w, home) {
			t.Errorf("%s is writable", w)
		}
	}
	for _, list := range [][]string{Usual(ReadOnly, "/w", nil).Writable, Usual(ReadOnly, "/w", nil).Hidden} {
		for _, p := range list {
			if !filepath.IsAbs(p) {
				t.Errorf("without a home: %q", p)
			}
		}
	}
}

func TestPlacesInsideOthersAreNotResolved(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"a/b", "c", "ab"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"a/out": "c", "l": "a/b", "m": "c"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(names ...string) (all []string) {
		for _, n := range names {
			all = append(all, filepath.Join(dir, n))
		}
		return all
	}
	for _, c := range []struct{ list, want []string }{
		{at("a/out", "a"), at("a")},
		{at("a/b", "a", "ab", "missing"), at("a", "ab")},
		{at("l", "a"), at("a")},
		{at("m"), at("c")},
	} {
		if got := outermost(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.list, got, c.want)
		}
	}
	for _, c := range []struct {
		dir, path string
		want      bool
	}{{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false}, {"/", "/a", true}, {"/a/b", "/a", false}} {
		if inside(c.dir, c.path) != c.want {
			t.Errorf("%s in %s is %v", c.path, c.dir, !c.want)
		}
	}
}

// what programs print when the sandbox refused something, and what it is.
func TestTracesOfARefusalAreRecognized(t *testing.T) {
	b := &box{
		Confinement: &Confinement{Mode: WorkspaceWrite, Workspace: "/w", ability: Ability{Backend: Namespaces, Signals: true}},
		dir:         "/w",
		plan:        plan{writable: []string{"/tmp", "/w"}, fixed: []string{"/w/.git/config", "/w/.git/hooks"}, pinned: []string{"/w/.git"}, hidden: []string{"/h/.ssh"}},
	}
	const elsewhere = "the sandbox lets commands write in"
	for out, want := range map[string]string{
		"touch: cannot touch '/etc/x': Read-only file system":                                  elsewhere,
		"open /opt/x: read-only file system":                                                   "/opt/x is not in them",
		"OSError: [Errno 30] Read-only file system: '/home/u/x'":                               "/home/u/x is not in them",
		"Error: EROFS: read-only file system, open '/h/.npmrc'":                                "/h/.npmrc is not in them",
		"bash: line 1: .git/hooks/pre-commit: Read-only file system":                           "/w/.git/hooks/pre-commit is protected",
		"error: could not write config file .git/config: Device or resource busy":              "/w/.git/config is protected",
		"mv: cannot move '.git' to 'x': Device or resource busy":                               "/w/.git is protected",
		"umount: /mnt: target is busy. Device or resource busy":                                "",
		"cat: /h/.ssh/id: Permission denied":                                                   "hides /h/.ssh/id",
		"cat: /root/x: Permission denied":                                                      "",
		"curl: (6) Could not resolve host: example.com":                                        "no network",
		"fatal: unable to access 'https://x/': Could not resolve host: x":                      "no network",
		"ping: example.com: Temporary failure in name resolution":                              "no network",
		"npm error code EAI_AGAIN\nnpm error request failed":                                   "no network",
		"dial tcp: lookup proxy.golang.org: no such host":                                      "no network",
		"connect: Network is unreachable":                                                      "no network",
		"socket.gaierror: [Errno -2] Name or service not known":                                "no network",
		"ln: failed to create hard link 'x' => '/tmp/y': Invalid cross-device link":            "cannot be linked",
		`sudo: The "no new privileges" flag is set, which prevents sudo from running as root.`: "rights of another user",
		"bash: line 1: kill: (1) - Operation not permitted":                                    "cannot be signalled",
		"chown: changing ownership of 'x': Operation not permitted":                            "",
		"FAIL: 3 tests failed":                                                                 "",
		"undefined: x":                                                                         "",
		"":                                                                                     "",
	} {
		for _, res := range []Result{{Exit: 1, Stderr: Output{Head: []byte(out)}}, {Exit: 1, Stdout: Output{Head: []byte(out + "\n\n")}}} {
			if got := b.stopped(&res); (want == "") != (got == "") || !strings.Contains(got, want) {
				t.Errorf("%q: %q, want %q", out, got, want)
			}
		}
	}
	b.Network = true
	if got := b.stopped(&Result{Exit: 6, Stderr: Output{Head: []byte("curl: (6) Could not resolve host: x")}}); got != "" {
		t.Errorf("with the network: %q", got)
	}
}

func FuzzStopped(f *testing.F) {
	f.Add("touch: cannot touch '/etc/x': Read-only file system\n")
	b := &box{Confinement: &Confinement{Mode: WorkspaceWrite, Workspace: "/w"}, dir: "/w"}
	f.Fuzz(func(t *testing.T, out string) {
		if got := b.stopped(&Result{Exit: 1, Stderr: Output{Head: []byte(out)}}); strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("%q", got)
		}
	})
}
