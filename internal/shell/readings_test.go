package shell

import (
	"slices"
	"strings"
	"testing"
)

// What forbids a command forbids it by whatever name and behind whatever word.
func TestReadingsNameWhatMayRun(t *testing.T) {
	for line, want := range map[string]string{
		"/usr/bin/curl x": "curl x", "./bin/curl -s x": "curl -s x", "mywrap curl x": "curl x", "mywrap --flag v curl x": "curl x", "./run.sh /usr/bin/curl x": "curl x",
		"git -C sub push": "git push", "git -c a=b add -A": "git add -A", "git --no-pager push origin": "git push origin", "/usr/bin/git push": "git push", "grm x": "rm x", "cat <<E; curl x": "curl x", "(curl x; echo 'y": "curl x",
	} {
		if got := Analyze(line, place()).Readings(line); !slices.Contains(got, want) {
			t.Errorf("%q reads %q, not %q", line, got, want)
		}
	}
	for _, line := range []string{"echo curl x", "grep curl f", "which curl", "git commit -m 'curl x'", "apt install curl wget", "man curl", "npm install curl", "docker build curl", "ls curl"} {
		if got := Analyze(line, place()).Readings(line); slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "curl") }) {
			t.Errorf("%q reads %q", line, got)
		}
	}
}

func TestAnUnknownProgramMayStartWhatItIsGiven(t *testing.T) {
	for _, line := range []string{"mywrap rm -rf x", "mywrap -v sudo id", "rtk python3 -c x", "./wrap /bin/rm -rf x", "runner --env a shutdown now"} {
		a := Analyze(line, place())
		if tier, _ := a.Tier(); a.Denied != nil || tier != StaticHigh || a.Key != "" || !slices.ContainsFunc(a.Manual, func(x Touch) bool { return x.What == "may run" }) {
			t.Errorf("%q: denied %v, manual %v, key %q", line, a.Denied, a.Manual, a.Key)
		}
	}
	for _, line := range []string{"mytool rm x", "mytool check x", "mytool init", "mytool python s.py", "mytool curl x"} {
		if a := Analyze(line, place()); len(a.Manual) > 0 {
			t.Errorf("%q: %v", line, a.Manual)
		}
	}
}
