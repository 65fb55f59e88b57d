package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestTheBashOfGitIsFoundAndNeverThatOfWSL(t *testing.T) {
	env := map[string]string{
		"PROGRAMFILES": `C:\Program Files`, "PROGRAMW6432": `C:\Program Files`, "LOCALAPPDATA": `C:\Users\me\AppData\Local`, "SYSTEMROOT": `D:\Win`,
		"PATH": `D:\Win\System32;C:\Windows\System32;c:\windows\sysnative;C:\Users\me\AppData\Local\Microsoft\WindowsApps;E:\Git\cmd;"F:\msys64\usr\bin";.;;relative`,
	}
	got := bashesOnWindows(func(n string) string { return env[n] }, []string{`G:\My Git\`, ""})
	want := []string{
		`G:\My Git\bin\bash.exe`, `C:\Program Files\Git\bin\bash.exe`, `C:\Program Files\Git\bin\bash.exe`,
		`C:\Users\me\AppData\Local\Programs\Git\bin\bash.exe`, `E:\Git\bin\bash.exe`, `E:\Git\cmd\bash.exe`, `F:\msys64\usr\bin\bash.exe`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if !strings.Contains(installBash, "winget install Git.Git") {
		t.Errorf("%q does not say how to get one", installBash)
	}
	for p, want := range map[string]bool{
		`C:\Windows\System32\bash.exe`: true, `c:/windows/system32/BASH.EXE`: true, `D:\Win\Sysnative\bash.exe`: true, `C:\x\..\Windows\bash.exe`: true,
		`C:\Users\me\AppData\Local\Microsoft\WindowsApps\bash.exe`: true, `C:\WindowsGit\bin\bash.exe`: false, `C:\Program Files\Git\bin\bash.exe`: false,
	} {
		if startsWSL(p, `D:\Win`) != want {
			t.Errorf("%s: %v", p, !want)
		}
	}
}
