package shell

import (
	"slices"
	"strings"
)

// windowsScript reports a cmd or a PowerShell that is given a script as an
// argument. Of what these can read nothing is known here.
func (c *call) windowsScript() bool {
	name := strings.TrimSuffix(strings.ToLower(c.name), ".exe")
	if name == "cmd" {
		return slices.ContainsFunc(c.args, func(w word) bool {
			low := strings.TrimLeft(strings.ToLower(w.text), "/")
			return strings.HasPrefix(w.text, "/") && (strings.HasPrefix(low, "c") || strings.HasPrefix(low, "k") || strings.HasPrefix(low, "r")) || w.dyn != ""
		})
	}
	for i := 0; i < len(c.args); i++ {
		switch low := strings.TrimLeft(strings.ToLower(c.args[i].text), "-/"); {
		case c.args[i].dyn != "":
			return true
		case low == strings.ToLower(c.args[i].text): // no option
			return name == "powershell" // the other one takes it for a file
		case strings.HasPrefix(low, "f"), strings.HasPrefix(low, "ver") && name == "pwsh":
			return false
		case strings.HasPrefix(low, "ex"), low == "ep", strings.HasPrefix(low, "w"), strings.HasPrefix(low, "v"), strings.HasPrefix(low, "in"), strings.HasPrefix(low, "o"):
			i++ // an option with a value
		case strings.HasPrefix(low, "c"), strings.HasPrefix(low, "e"):
			return true
		}
	}
	return false
}
