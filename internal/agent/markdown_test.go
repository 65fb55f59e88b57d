package agent

import (
	"reflect"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/config"
)

func TestAnAgentIsReadFromMarkdown(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       config.Agent
	}{
		{"---\n---\n", "file", config.Agent{}},
		{
			"---\ndescription: Reads, and reports\nmode: subagent\ntools: [read, grep]\n---\n\nLook.\n\n---\nmore\n", "file",
			config.Agent{Description: "Reads, and reports", Mode: "subagent", Tools: []string{"read", "grep"}, Prompt: "Look.\n\n---\nmore"},
		},
		{
			"\ufeff---\r\nname: other\r\ntools: read, \"glob\"\r\nsteps: 7\r\nhidden: true\r\n---\r\nLook.\r\n", "other",
			config.Agent{Tools: []string{"read", "glob"}, Steps: 7, Hidden: true, Prompt: "Look."},
		},
		{
			"---\n# a comment\ntools:\n  - read\n  - 'grep'\n\ndelegates: []\nmodel: 'a/b:c'\nreasoning: low\npolicy: strict\n---\n", "file",
			config.Agent{Tools: []string{"read", "grep"}, Delegates: []string{}, Model: "a/b:c", Reasoning: "low", Policy: "strict"},
		},
		{"---\ntools:\n---\n", "file", config.Agent{Tools: []string{}}},
	} {
		name, a, err := Markdown("file", c.text)
		if err != nil || name != c.name || !reflect.DeepEqual(a, c.want) {
			t.Errorf("%q: %s %+v %v", c.text, name, a, err)
		}
	}
}

func TestWhatIsNoAgentSaysWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                                         "does not begin with",
		"Look.":                                    "does not begin with",
		"---\nmode: primary\n":                     "do not end",
		"---\nmode\n---\n":                         "line 2: it is no field",
		"---\nmode: all\nmode: all\n---\n":         "line 3: mode is given twice",
		"---\n  mode: all\n---\n":                  "line 2: it is no field",
		"---\nmode: all\n- x\n---\n":               "line 3: it is no field",
		"---\nmode: boss\n---\n":                   "mode must be one of",
		"---\npermissions: deny\n---\n":            `unknown key "permissions"`,
		"---\ntemperature: 1\n---\n":               "no temperature is sent",
		"---\nprompt: x\n---\n":                    "below the fields",
		"---\nname: [a]\n---\n":                    "name must be one word",
		"---\nname: a b\n---\n":                    `"a b"`,
		"---\nsteps: many\n---\n":                  "steps must be a whole number",
		"---\ntools: [no tool]\n---\n":             "tools",
		"---\ndescription: \xff\n---\n":            "UTF-8",
		"---\ntools: read\n- grep\npolicy: x\n---": "line 3",
	} {
		if _, _, err := Markdown("file", text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("---\nname: a\ntools:\n  - read\n---\nLook.")
	f.Add("---\ntools: [read")
	f.Fuzz(func(t *testing.T, text string) {
		name, a, err := Markdown("file", text)
		if err != nil {
			return
		}
		p, err := Find(&config.Config{Agents: map[string]config.Agent{name: a}}, name)
		if err != nil && !a.Disable || err == nil && (p.Name != name || strings.Contains(a.Prompt, "\x00")) {
			t.Errorf("%q: %+v %v", name, p, err)
		}
	})
}

func TestWhoMayDelegateToWhom(t *testing.T) {
	sub, both, primary := Profile{Name: "s", Mode: "subagent"}, Profile{Name: "b", Mode: "all"}, Profile{Name: "p", Mode: "primary"}
	for _, c := range []struct {
		who  Profile
		to   Profile
		want bool
	}{
		{Profile{}, sub, true},
		{Profile{}, both, true},
		{Profile{}, primary, false},
		{Profile{Delegates: []string{}}, sub, false},
		{Profile{Delegates: []string{"s", "p"}}, sub, true},
		{Profile{Delegates: []string{"s", "p"}}, both, false},
		{Profile{Delegates: []string{"s", "p"}}, primary, false},
	} {
		if got := c.who.MayDelegateTo(c.to); got != c.want {
			t.Errorf("%+v to %s: %v", c.who.Delegates, c.to.Name, got)
		}
	}
	list := All(&config.Config{Agents: map[string]config.Agent{"explore": {Disable: true}, "plan": {Tools: []string{"shell"}}}})
	if len(list) != 2 || list[1].Name != "plan" || !list[1].ReadOnly || list[1].Tools[0] != "shell" {
		t.Errorf("%+v", list)
	}
}
