package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/zuno-dev/zuno/internal/config"
)

// Every command that the documentation shows exists, with every flag.
func TestShownCommandsExist(t *testing.T) {
	seen := 0
	for _, page := range []string{"../../README.md", "../../docs/guide.md", "../../SECURITY.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md", "../../docs/performance.md"} {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range shownLines(string(b)) {
			for _, words := range zunoCalls(line) {
				seen++
				if problem := badCall(words); problem != "" {
					t.Errorf("%s shows %q: %s", page, line, problem)
				}
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d commands were found: is the pattern right?", seen)
	}
	for _, line := range []string{"zuno modles", "zuno sessions --al", "zuno config explian x", "zuno run --model", "a | zuno rum"} {
		for _, words := range zunoCalls(line) {
			if badCall(words) == "" && line != "zuno run --model" {
				t.Errorf("%q is taken for right", line)
			}
		}
	}
}

// Every configuration that the documentation shows is one.
func TestShownConfigurationIsUnderstood(t *testing.T) {
	file, seen := filepath.Join(t.TempDir(), "zuno.jsonc"), 0
	for _, page := range []string{"../../README.md", "../../docs/guide.md", "../../docs/config.md", "../../SECURITY.md"} {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range shownConfigurations(string(b)) {
			seen++
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			home := t.TempDir()
			c, _, err := config.Load(config.Input{Home: home, Dir: home, File: file})
			if err == nil {
				_, err = permissionRules(t.Context(), c, toolsOf(t))
			}
			if err != nil {
				t.Errorf("%s shows\n%s\n%v", page, text, err)
			}
		}
	}
	if seen < 25 {
		t.Errorf("only %d configurations were found: is the pattern right?", seen)
	}
}

// shownConfigurations returns the JSON of code blocks, and what stands in
// backquotes; of a block with an object a line, each of them.
func shownConfigurations(text string) []string {
	var list []string
	for _, m := range regexp.MustCompile("(?s)```jsonc?\n(.*?)```").FindAllStringSubmatch(text, -1) {
		lines := strings.Split(strings.TrimSpace(m[1]), "\n")
		if !slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "{\"") }) {
			list = append(list, lines...)
		} else {
			list = append(list, m[1])
		}
	}
	for _, m := range regexp.MustCompile("`(\\{\"[^`\n]*\\})`").FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "…") && !strings.Contains(m[1], `"$ref"`) {
			list = append(list, m[1])
		}
	}
	return list
}

// shownLines returns the lines of code blocks, and what stands in backquotes.
func shownLines(text string) []string {
	var lines []string
	fenced := false
	for _, l := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(l, "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(l, "    "):
			lines = append(lines, strings.TrimSpace(l))
		default:
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(l, -1) {
				lines = append(lines, m[1])
			}
		}
	}
	return slices.DeleteFunc(lines, func(l string) bool { return !strings.Contains(l, "zuno ") && l != "zuno" })
}

// zunoCalls returns the words of each call of zuno in a command line, without
// the brackets of what may be left out.
func zunoCalls(line string) [][]string {
	line = strings.NewReplacer("[", "", "]", "", "…", "").Replace(line)
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil // it is no command line
	}
	var calls [][]string
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == "zuno" {
			var words []string
			for _, w := range c.Args[1:] {
				words = append(words, w.Lit()) // "" for what is quoted
			}
			calls = append(calls, words)
		}
		return true
	})
	return calls
}

func badCall(words []string) string {
	root := newRoot(io.Discard)
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.InitDefaultCompletionCmd(words...)
	if len(words) > 0 && regexp.MustCompile(`^[a-z]+$`).MatchString(words[0]) {
		if sub, _, err := root.Find(words[:1]); err != nil || sub == root {
			return "there is no such command"
		}
	}
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	for i, w := range rest {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		switch {
		case w == "--":
			return ""
		case strings.HasPrefix(w, "--") && name != "help" && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil:
			return "there is no flag --" + name
		case len(w) == 2 && w[0] == '-' && w != "-h" && cmd.Flags().ShorthandLookup(name) == nil:
			return "there is no flag -" + name
		case i == 0 && cmd != root && cmd.HasSubCommands() && regexp.MustCompile(`^[a-z]+$`).MatchString(w):
			return "there is no such subcommand"
		}
	}
	return ""
}
