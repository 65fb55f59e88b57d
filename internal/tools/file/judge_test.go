package file

import (
	"strings"
	"testing"
)

func TestNamesThatWindowsReadsInAnotherWayAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		`a.go`: "", `src/a.go`: "", `src\a.go`: "", `.`: "", `..\x`: "", `C:\w\a`: "", `c:/w/a`: "", `~/a`: "", `~\a`: "",
		`.gitignore`: "", `console`: "", `com`: "", `com10`: "", `null.txt`: "", `a~1.txt`: "", "é.txt": "", `a b.txt`: "", `C:\`: "",
		`.git/config::$DATA`: "stream", `zuno.json:x`: "stream", `C:\w\a:b`: "stream", `ab:c`: "stream",
		`.git./config`: "dots or blanks", `.git /config`: "dots or blanks", `zuno.json.`: "dots or blanks", "zuno.json ": "dots or blanks", `...`: "dots or blanks", `a\. .\b`: "dots or blanks",
		`NUL`: "device", `con.txt`: "device", `x/aux`: "device", `COM1`: "device", `lpt9.log`: "device", "com¹": "device", `nul .txt`: "device", `CONIN$`: "device", `CLOCK$`: "device",
		`\\?\C:\w\.git\config`: "devices", `\\.\PhysicalDrive0`: "devices", `//?/C:/w`: "devices", `//./C:/w`: "devices", `\??\C:\w`: "devices",
		`\\localhost\C$\w\.git\config`: "network", `//server/share/a`: "network",
		`/etc/passwd`: "which drive", `\w\a`: "which drive", `/c/w/a`: "which drive",
		`C:a`: "current folder", `c:`: "current folder",
		"a?b": "such a name", "a*": "such a name", "a\x01b": "such a name", `a"b`: "such a name", "a|b": "such a name", "a<b": "such a name",
	} {
		err := judgeWindows(name, "C:")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

func TestOnAShareOnlyThatShareIsNamed(t *testing.T) {
	for name, ok := range map[string]bool{
		`\\srv\sh\a`: true, `//SRV/Sh/a`: true, `\\srv\sh`: true, `a`: true, `\\srv\sh\a.`: false, `\\srv\sh\nul`: false,
		`\\srv\share\a`: false, `\\other\sh\a`: false, `\\srv\sh2`: false, `\\srv`: false,
	} {
		if err := judgeWindows(name, `\\srv\sh`); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func FuzzJudgedNamesHaveOneReading(f *testing.F) {
	for _, s := range []string{`a`, `C:\a`, `a:b`, `a.`, `nul`, `\\?\a`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if judgeWindows(name, "C:") != nil {
			return
		}
		rest := strings.ReplaceAll(name, "/", `\`)
		if len(rest) > 2 && rest[1] == ':' {
			rest = rest[3:]
		}
		for part := range strings.SplitSeq(rest, `\`) {
			if strings.Contains(part, ":") || part != "." && part != ".." && strings.TrimRight(part, ". ") != part {
				t.Errorf("%q passes", name)
			}
		}
	})
}
