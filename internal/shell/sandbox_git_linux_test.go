package shell

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestConfinedToALinkedWorktree(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		y.git()
		y.outside("git worktree add -q ../tree")
		main := y.work
		y.work = y.home + "/tree"
		y.env = append(y.env, "MAIN="+main)
		if res := y.bash("echo y >y && git add y && git commit -qm two && git log --oneline | wc -l | grep -q 2"); res.Exit != 0 {
			t.Errorf("no commit: %s%s", res.Stdout.Head, res.Stderr.Head)
		}
		for _, line := range []string{
			`echo x >"$MAIN/.git/hooks/pre-commit"`, `echo x >>"$MAIN/.git/config"`, `echo "gitdir: $OUT" >.git`, `mv .git g`,
			`echo x >"$MAIN/.git/worktrees/tree/commondir"`, `mv "$MAIN/.git/worktrees/tree" "$MAIN/.git/t"`,
		} {
			if res := y.bash(line); res.Exit == 0 && a.Protects {
				t.Errorf("%s was not refused", line)
			} else if !a.Protects && res.Exit == 0 && len(res.Touched) == 0 {
				t.Errorf("%s was not noticed", line)
			}
			if !a.Protects {
				break // it has been changed by now
			}
		}
		if res := y.bash(`echo x >"$MAIN/new"`); res.Exit == 0 {
			t.Error("a file of the main worktree was made")
		}
	})
}

func TestConfinedToASubmodule(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		y.git()
		y.outside("git clone -q . ../origin && git -c protocol.file.allow=always submodule add -q ../origin lib/sub && git commit -qm sub")
		if res := y.bash("echo x >.git/modules/lib/sub/hooks/pre-commit"); res.Exit == 0 && a.Protects {
			t.Error("a hook of a submodule was made")
		}
		if res := y.bash("cd lib/sub && echo y >y && git add y && git -c user.name=n -c user.email=e@example.com commit -qm two"); res.Exit != 0 {
			t.Errorf("no commit in the submodule: %s", res.Stderr.Head)
		}
		y.work += "/lib/sub"
		if res := y.bash("echo y >>y && git add y && git -c user.name=n -c user.email=e@example.com commit -qm three"); res.Exit != 0 {
			t.Errorf("no commit when the submodule is the workspace: %s", res.Stderr.Head)
		}
	})
}

func TestConfinedWorkspacesCannotNameAPlaceToWriteTo(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		try := func(what string) {
			t.Helper()
			if res := y.bash(`echo x >"$OUT/new"`); res.Exit == 0 {
				t.Errorf("%s made a folder outside writable", what)
			}
		}
		y.write(y.out+"/HEAD", "x")
		y.write(y.work+"/.git", "gitdir: "+y.out+"\n")
		try("a .git file")
		y.write(y.out+"/config", "[core]\n\tworktree = /elsewhere\n")
		try("a .git file of a submodule")
		if err := os.Remove(y.work + "/.git"); err != nil {
			t.Fatal(err)
		}
		y.env = append(y.env, "GOCACHE="+y.home+"/.cache/go-build")
		if err := os.Symlink(y.out, y.home+"/.cache/go-build"); err != nil {
			t.Fatal(err)
		}
		try("a link in a cache")
	})
}

func TestConfinedChangesOfWhatWasMissingAreNoticed(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		y.git()
		if err := os.RemoveAll(y.work + "/.zuno"); err != nil {
			t.Fatal(err)
		}
		res := y.bash("mkdir .zuno && echo '{}' >.zuno/zuno.json && echo ../out >.git/commondir && echo x >ordinary")
		if want := []string{y.work + "/.git/commondir", y.work + "/.zuno"}; !slices.Equal(res.Touched, want) {
			t.Errorf("touched %q, want %q", res.Touched, want)
		}
		os.Remove(y.work + "/.git/commondir")
		if res := y.bash("echo x >ordinary && git status"); len(res.Touched) != 0 {
			t.Errorf("touched %q", res.Touched)
		}
		if err := os.RemoveAll(y.work + "/.git/hooks"); err != nil {
			t.Fatal(err)
		}
		res = y.bash("mkdir -p .git/hooks && echo x >.git/hooks/pre-commit")
		if a.Protects == (res.Exit == 0) || !a.Protects && !slices.Contains(res.Touched, y.work+"/.git/hooks") {
			t.Errorf("hooks: %s, touched %q", res.Status(), res.Touched)
		}
	})
}

func TestConfinedToAFolderThatIsHiddenOrProtected(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		y.work = y.home
		if res := y.bash("echo x >new && ! cat .ssh/id_ed25519"); res.Exit != 0 && a.Protects {
			t.Errorf("the home as workspace: %s", res.Stderr.Head)
		}
		y.work = y.home + "/.ssh"
		if res := y.bash("cat id_ed25519 && echo x >new"); res.Exit != 0 {
			t.Errorf("a folder that is usually hidden: %s", res.Stderr.Head)
		}
		y.edit = func(c *Confinement) { c.Protected = append(c.Protected, y.home+"/.ssh") }
		if res := y.bash("cat id_ed25519 && echo x >new2"); res.Exit == 0 && a.Protects {
			t.Error("a protected folder was written to")
		}
	})
}

func TestWhatStoppedACommandIsSaid(t *testing.T) {
	t.Parallel()
	everyBackend(t, func(t *testing.T, a Ability) {
		y := newYard(t, a)
		y.git()
		if err := os.Chmod(y.work+"/x", 0o400); err != nil {
			t.Fatal(err)
		}
		for line, want := range map[string]string{
			`echo x >"$OUT/new"`:                         y.out + "/new is not in them",
			"touch ../out/new":                           y.out + "/new is not in them",
			"echo x 2>&1 >>~/.bashrc":                    y.home + "/.bashrc is not in them",
			"cat ~/.netrc":                               "the sandbox hides " + y.home + "/.netrc",
			"exec 3<>/dev/tcp/192.0.2.1/80":              "there is no network",
			"exec 3<>/dev/tcp/zuno.example.com/80":       "there is no network",
			"git config a.b c":                           y.work + "/.git/config is protected",
			"git config a.b":                             "",
			"echo x >.git/hooks/pre-commit":              y.work + "/.git/hooks/pre-commit is protected",
			"false":                                      "",
			"ls /no/such/file":                           "",
			"echo 'Permission denied'; exit 1":           "",
			"echo Read-only file system":                 "",
			"mkdir no && chmod 0 no && ./no":             "",
			"cat /no/such; exec 3<>/dev/tcp/127.0.0.1/1": "",
		} {
			protects := strings.Contains(want, "protected") && !a.Protects
			refused := strings.Contains(line, "127.0.0.1") && !a.Loopback
			if res := y.bash(line); !strings.Contains(res.Stopped, want) && !protects || want == "" && res.Stopped != "" && !refused {
				t.Errorf("%s: %q, want %q: %s%s", line, res.Stopped, want, res.Stdout.Head, res.Stderr.Head)
			}
		}
	})
}
