package search

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPatternsMatchPaths(t *testing.T) {
	for _, c := range []struct {
		glob    string
		yes, no []string
	}{
		{"*.go", []string{"a.go", "x/y/a.go", ".go"}, []string{"a.go.txt", "a.gox", "a.go/b"}},
		{"src/*.go", []string{"src/a.go"}, []string{"x/src/a.go", "src/x/a.go", "a.go"}},
		{"**/*.go", []string{"a.go", "x/y/a.go"}, []string{"a.txt"}},
		{"src/**/*.ts", []string{"src/a.ts", "src/x/y/a.ts"}, []string{"a.ts", "src.ts", "x/src/a.ts"}},
		{"src/**", []string{"src/a", "src/x/y"}, []string{"src", "xsrc/a"}},
		{"**", []string{"a", "x/y"}, nil},
		{"a?c", []string{"abc", "x/aéc"}, []string{"ac", "a/c"}},
		{"*.{ts,tsx}", []string{"a.ts", "x/a.tsx"}, []string{"a.t", "a.ts,tsx"}},
		{"{a,b{c,d}}", []string{"a", "bc", "bd"}, []string{"b", "bcd"}},
		{"[a-c]1", []string{"a1", "x/c1"}, []string{"d1", "-1"}},
		{"[!a-c]1", []string{"d1", "é1"}, []string{"a1", "/1"}},
		{"[]]x", []string{"]x"}, []string{"x"}},
		{"[^]]x", []string{"ax"}, []string{"]x"}},
		{`\*x`, []string{"*x"}, []string{"ax"}},
		{"a,b", []string{"a,b"}, []string{"a"}},
		{"a}b", []string{"a}b"}, nil},
		{"(a|b)+$.^", []string{"(a|b)+$.^"}, []string{"a"}},
		{"größe*", []string{"größe", "x/größer"}, []string{"gr"}},
		{"a\nb", []string{"a\nb"}, nil},
		{"*b", []string{"a\nb", "\xffb"}, nil},
		{"/root/*.md", []string{"x.md"}, []string{"root/x.md", "y/x.md"}},
		{"/other/*.md", []string{"other/x.md"}, []string{"x.md"}},
	} {
		p, err := compile(c.glob, "/root")
		if err != nil {
			t.Errorf("%s: %v", c.glob, err)
			continue
		}
		for _, name := range c.yes {
			if !p.match(name) {
				t.Errorf("%s does not match %q", c.glob, name)
			}
		}
		for _, name := range c.no {
			if p.match(name) {
				t.Errorf("%s matches %q", c.glob, name)
			}
		}
	}
}

func TestOnlyAPatternForNamesIsLeftToRipgrep(t *testing.T) {
	for glob, want := range map[string]string{
		"*.go": "*.go", "**/*.go": "*.go", "a": "a", "**/a": "a", "/a": "", "src/*.go": "", "**": "", "src/": "", "**/x/*.go": "", "/root/*.go": "",
	} {
		p, err := compile(glob, "/root")
		if err != nil || p.name != want {
			t.Errorf("%s: %q, %v", glob, p.name, err)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("src/**/*.{a,b}", "src/x/y.a")
	f.Add(`[!a-c]\*?`, "d*x")
	f.Fuzz(func(t *testing.T, glob, name string) {
		p, err := compile(glob, "/root")
		if err == nil {
			p.match(name)
		}
		if strings.ContainsAny(glob, "/{},[!") || strings.Contains(glob, "**") || strings.Contains(name, "/") {
			return
		}
		want, bad := path.Match(glob, name) // the oracle, for what both know
		if err != nil && bad == nil && glob != "" && len(glob) <= maxGlob && !strings.Contains(glob, "\x00") && utf8.ValidString(glob) {
			t.Fatalf("%q: %v", glob, err)
		}
		if err == nil && bad == nil && p.match(name) != want {
			t.Fatalf("%q with %q: %v", glob, name, !want)
		}
	})
}
