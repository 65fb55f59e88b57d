package shell

import "strings"

// awkReads reports an awk that neither writes a file nor runs a program.
func awkReads(c *call) bool {
	program := -1
	for i := 0; i < len(c.args); i++ {
		a := &c.args[i]
		switch {
		case a.is("-F", "-v", "--field-separator", "--assign"):
			i++ // its value is data
		case !a.flag():
			program = i
		case !strings.HasPrefix(a.text, "-F") && !strings.HasPrefix(a.text, "-v") && !a.is("--", "--posix", "--re-interval", "--csv", "-n", "-P", "-b", "-S", "--sandbox", "--version", "-V"):
			return false // a file with a program, a file to write, a debugger
		}
		if program >= 0 {
			break
		}
	}
	if program < 0 || c.args[program].dyn != "" {
		return program < 0
	}
	return plainAwk(c.args[program].text)
}

// plainAwk accepts a program of awk. A > or | writes or runs something only
// behind print, getline or printf; before the first of them one compares, and
// the other stands in a pattern.
func plainAwk(program string) bool {
	if strings.Contains(program, "system") || strings.Contains(program, "getline") || strings.Contains(program, "@") || strings.Contains(program, "\\\n") {
		return false
	}
	i := strings.Index(program, "print")
	return i < 0 || !strings.ContainsAny(program[i:], "|>")
}
