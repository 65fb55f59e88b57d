package shell

import "testing"

func TestACommandMayNotLetAnAgentLooseUnasked(t *testing.T) {
	for line, asks := range map[string]bool{
		"zuno run --approval-policy yolo 'do it'": true,
		"zuno rules add 'git push'":               true,
		"/usr/local/bin/zuno rules remove x":      true,
		"env A=b zuno run x":                      true,
		"zuno trust --yes":                        true,
		"zuno -C . trust --yes":                   true,
		"codex exec 'do it'":                      true,
		"claude -p 'do it'":                       true,
		"zuno rules list":                         false,
		"zuno config schema":                      false,
	} {
		if got := len(Analyze(line, Place{Dir: "/w", Workspace: "/w"}).Manual) > 0; got != asks {
			t.Errorf("%s: asks %v, want %v", line, got, asks)
		}
	}
}
