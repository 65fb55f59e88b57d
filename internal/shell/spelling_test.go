package shell

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOnePathHasOneSpellingOnWindows(t *testing.T) {
	for text, want := range map[string]string{
		`C:\Work\A.go`: "/c/work/a.go", "c:/work/a.go": "/c/work/a.go", "/c/Work/a.go": "/c/work/a.go", "/cygdrive/c/work": "/c/work", "/proc/cygdrive/c/work": "/c/work",
		`\\?\C:\Work`: "/c/work", `//./c:/work`: "/c/work", `\\?\UNC\srv\sh\x`: "/unc/srv/sh/x", `\\srv\Sh\x`: "/unc/srv/sh/x", "//srv/sh/x": "/unc/srv/sh/x",
		".GIT/config": ".git/config", `.git\config`: ".git/config", ".git./config": ".git/config", ".git /config ": ".git/config", ".git/config::$DATA": ".git/config",
		".git::$INDEX_ALLOCATION/config": ".git/config", "a:b": "!current folder", "ab:c": "ab", "/dev/null": "/dev/null", "a/../b": "a/../b", "//": "//", "/": "/",
		"C:x": "!current folder", "c:": "!current folder", "nul": "!device", "x/CON.txt": "!device", "com1": "!device", `\\.\PhysicalDrive0`: "!device",
		"GIT~1/config": "!short name", "zuno~1.jso": "!short name", "./...": "./.", `\\localhost\c$\x`: "!by the network", "//127.0.0.1/C$/x": "!by the network",
		"~/x": "~/x", "fix: it": "fix",
	} {
		p, why := onWindows(text)
		if reason, refused := strings.CutPrefix(want, "!"); refused {
			if !strings.Contains(why, reason) {
				t.Errorf("%q: %q, %q, want it refused: %s", text, p, why, reason)
			}
		} else if p != want || why != "" {
			t.Errorf("%q: %q, %q, want %q", text, p, why, want)
		}
	}
}

func windowsPlace(files ...string) Place {
	tree := fstest.MapFS{}
	for _, f := range files {
		tree[f] = &fstest.MapFile{Mode: 0o644}
	}
	return Place{
		Dir: `C:\Work\Shop`, Workspace: `C:\Work\Shop`, Home: `C:\Users\Me`, Temp: `C:\Users\Me\AppData\Local\Temp`, Own: []string{`D:\Zuno\data`},
		Lstat:    func(p string) (fs.FileInfo, error) { return tree.Stat(strings.ReplaceAll(p, `\`, "/")) },
		Readlink: noLink, spell: onWindows,
	}
}

func TestNoSpellingOfAPathIsAWayAroundOnWindows(t *testing.T) {
	at := windowsPlace("c:/work/shop/a.go", "c:/users/me/.ssh/id_rsa")
	for line, want := range map[string]string{
		`rm -rf C:/`: "rm.", `rm -r /c`: "denied", `rm -r 'C:\Windows\System32'`: "denied", `rm -r "c:/program files/x"`: "denied", `RM -rf x`: "rm.recursive-force", `rm.exe -rf x`: "rm.recursive-force",
		`'C:\Program Files\Git\usr\bin\RM.EXE' -rf x`: "rm.recursive-force", `rm -r ~`: "denied", `rm -r c:/users/ME`: "denied", `rm -r //?/C:/Users/Me`: "denied", `rm -r /cygdrive/c/work`: "denied",
		`cat C:/users/me/.SSH/id_rsa`: "read.keys", `cat 'C:\Users\Me\.ssh\id_rsa'`: "read.keys", `cat 'C:\Users\Me\.ssh\id_rsa::$DATA'`: "read.keys", `cat /c/Users/me/.ssh/id_*`: "read.keys", `cat C:/Users/me/.ssh/id_*`: "read.keys",
		`cmd /c 'del x'`: "inline.windows", `CMD.exe //c del`: "inline.windows",
	} {
		a := Analyze(line, at)
		if a.Denied == nil || want != "denied" && !slices.ContainsFunc(a.Hits, func(h Hit) bool { return strings.HasPrefix(h.Rule, want) }) {
			t.Errorf("%s: %v, want %s", line, a.Hits, want)
		}
	}
	for line, want := range map[string]string{
		`tee .GIT/config`: "git's own files", `tee '.git\config'`: "git's own files", `tee .git./config`: "git's own files", `tee '.git/config::$DATA'`: "git's own files", `tee D:/ZUNO/DATA/zuno.db`: "zuno's own files",
		`tee 'ZUNO.JSON '`: "zuno's configuration", `tee zuno.json:x`: "zuno's configuration", `tee AGENTS.md.`: "agent instructions",
	} {
		a := Analyze(line, at)
		if !slices.ContainsFunc(a.Manual, func(m Touch) bool { return strings.Contains(m.Why, want) }) {
			t.Errorf("%s: %v, want %s", line, a.Manual, want)
		}
	}
	for _, line := range []string{`cat ../x`, `cat '..\x'`, `cat D:/x`, `cat /d/x`, `cat //srv/sh/x`, `cat '\x'`, `cat /etc/hosts`} {
		if a := Analyze(line, at); len(a.Outside) == 0 {
			t.Errorf("%s names nothing outside", line)
		}
	}
	for _, line := range []string{`tee GIT~1/config`, `cat C:x`, `tee nul`, `cat '\\localhost\C$\x'`} {
		if a := Analyze(line, at); !a.Dynamic || a.Key != "" {
			t.Errorf("%s: %v %q", line, a.Dynamic, a.Key)
		}
	}
	for _, line := range []string{`cat a.go`, `cat C:/Work/shop/A.go`, `cat 'C:\work\Shop\a.go'`, `cat /c/work/shop/a.go`, `go test ./...`, `git status`, `git commit -m 'fix: it.'`} {
		if a := Analyze(line, at); len(a.Outside) > 0 || a.Denied != nil || a.Dynamic {
			t.Errorf("%s: outside %v, %v, %v", line, a.Outside, a.Hits, a.DynamicWhy)
		}
	}
}
