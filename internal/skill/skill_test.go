//go:build unix

package skill

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tree writes files below a new folder and returns it.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const good = "---\nname: commit\ndescription: Write a commit message. Use when committing.\n---\n# How\n\nShort.\n"

func TestFrontMatterIsReadOrSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, name, about, hint, people, problem string }{
		{good, "commit", "Write a commit message. Use when committing.", "", "", ""},
		{"\ufeff---\r\nname: x\r\ndescription: >\r\n  a\r\n  b\r\nargument-hint: '[FILE]'\r\n---\r\nbody", "x", "a b", "[FILE]", "", ""},
		{"---\nname: x\ndescription: d\ndisable-model-invocation: yes\nunknown: {a: [1]}\n---\n", "x", "d", "", "people", ""},
		{"---\nname: x\ndescription: d\nuser-invocable: off\n---\n", "x", "d", "", "model", ""},
		{"---\ndescription: d\n---\n", "dir", "d", "", "", ""},
		{"---\nname: x\n---\n", "", "", "", "", "no description"},
		{"no front matter", "", "", "", "", "no description"},
		{"", "", "", "", "", "no description"},
		{"---\nname: x\ndescription: Use when: asked, or it's said [x\n---\n", "x", "Use when: asked, or it's said [x", "", "", ""},
		{"---\r\nname: x\r\ndescription: a: b\r\nargument-hint: [FILE] [--all]\r\nuser-invocable: no\r\n---\r\n", "x", "a: b", "[FILE] [--all]", "model", ""},
		{"---\nname: x\ndescription: d\nlicense: a: b\n---\n", "", "", "", "", "not valid YAML"},
		{"---\nname: x\ndescription: a: b\nmetadata:\n  description: c: d\n---\n", "", "", "", "", "not valid YAML"},
		{"---\nname: x\ndescription: d\n", "", "", "", "", "no closing ---"},
		{"---\nname: ../x\ndescription: d\n---\n", "", "", "", "", "no name of a skill"},
		{"---\nname: a--b\ndescription: d\n---\n", "", "", "", "", "no name of a skill"},
		{"---\nname: X\ndescription: d\n---\n", "", "", "", "", "no name of a skill"},
		{"---\n- a\n- b\n---\n", "", "", "", "", "not valid YAML"},
		{"---\n" + strings.Repeat("a: b\n", 9000) + "---\n", "", "", "", "", "more than"},
		{"---\nname: \x00\n---\n", "", "", "", "", "not plain text"},
		{"---\nname: x\ndescription: [d]\n---\n", "", "", "", "", "no description"},
		{"---\nname: x\ndescription: d\nlicense: &a [*a]\n---\n", "", "", "", "", "not valid YAML"},
	} {
		dir := tree(t, map[string]string{"dir/SKILL.md": c.text})
		list, notices := Find([]Place{{Dir: dir, Label: "here"}})
		if c.problem != "" {
			if len(list) > 0 || len(notices) != 1 || !strings.Contains(notices[0], c.problem) || strings.Contains(notices[0], "\n") {
				t.Errorf("%q: %v, notices %q, want one with %q", c.text, list, notices, c.problem)
			}
			continue
		}
		if len(list) != 1 || len(notices) > 0 {
			t.Errorf("%q: %d skills, notices %q", c.text, len(list), notices)
			continue
		}
		s := list[0]
		if s.Name != c.name || s.Description != c.about || s.Hint != c.hint || s.ForPeople != (c.people == "people") || s.ForModel != (c.people == "model") || s.Text != c.text {
			t.Errorf("%q: %+v", c.text, s)
		}
	}
}

func TestSkillsAreFoundOnceInTheOrderOfTheirPlaces(t *testing.T) {
	other := strings.Replace(good, "Short.", "Long.", 1)
	root := tree(t, map[string]string{
		"a/commit/SKILL.md": good, "a/z/SKILL.md": strings.Replace(good, "name: commit", "name: z", 1), "a/none/x.md": "x", "a/file": "x",
		"a/.hidden/SKILL.md": good, "b/commit/SKILL.md": other, "c/commit/SKILL.md": good,
	})
	if err := os.Symlink(filepath.Join(root, "a"), filepath.Join(root, "d")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "e", "pipe"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "e", "pipe", "SKILL.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	var places []Place
	for _, n := range []string{"a", "b", "c", "d", "e", "gone"} {
		places = append(places, Place{Dir: filepath.Join(root, n), Label: n})
	}
	list, notices := Find(places)
	var got []string
	for _, s := range list {
		got = append(got, s.Source+"/"+s.Name)
	}
	if strings.Join(got, " ") != "a/commit a/z b/commit" {
		t.Errorf("found %q", got)
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "not a regular file") {
		t.Errorf("notices %q", notices)
	}
}

func TestNothingIsReadOutsideOfAProjectOrASkill(t *testing.T) {
	secret := tree(t, map[string]string{"key": "secret", "s/SKILL.md": good, "s/x.md": "outside"})
	root := tree(t, map[string]string{"skills/in/SKILL.md": good, "skills/in/refs/a.md": "inside", "skills/in/.hidden": "x", "other.md": "other"})
	for link, to := range map[string]string{
		"skills/out": filepath.Join(secret, "s"), "skills/in/key": filepath.Join(secret, "key"), "skills/in/up": "../../other.md", "skills/in/refs/b.md": "a.md",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, place := range []Place{{Dir: filepath.Join(root, "skills"), Label: "p", Root: root}, {Dir: filepath.Join(root, "skills"), Label: "p"}} {
		list, notices := Find([]Place{place})
		if place.Root != "" && (len(notices) != 1 || !strings.Contains(notices[0], "out/SKILL.md")) {
			t.Errorf("a link out of the project: %q", notices)
		}
		if len(list) == 0 || list[0].Dir != filepath.Join(root, "skills", "in") {
			t.Fatalf("found %+v", list)
		}
		s := list[0]
		for path, want := range map[string]string{"refs/a.md": "inside", "refs/b.md": "inside", "SKILL.md": good} {
			if text, err := s.Resource(path); err != nil || text != want {
				t.Errorf("%s: %q, %v", path, text, err)
			}
		}
		for _, path := range []string{"key", "up", "../../other.md", "/etc/hosts", "refs/../../../other.md", ".", "", "./SKILL.md", "refs", "nosuch", "a\x00b"} {
			if text, err := s.Resource(path); err == nil {
				t.Errorf("%q was read: %q", path, text)
			}
		}
		if names, more := s.Resources(); strings.Join(names, " ") != "key refs/a.md refs/b.md up" || more {
			t.Errorf("resources %q", names)
		}
	}
}

func TestASectionEndsWhereTheNextBegins(t *testing.T) {
	s := Skill{Body: "# One\na\n## Two\nb\n### Deep\nc\n## Three\nd"}
	for title, want := range map[string]string{"two": "## Two\nb\n### Deep\nc", "Three": "## Three\nd", "Four": "", "#": ""} {
		if got, ok := s.Section(title); got != want || ok != (want != "") {
			t.Errorf("%s: %q", title, got)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{good, "---\n---\n", "---\na: &x [*x, *x]\n---", "---\n!!binary x: {?}\n---\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fm, body, err := split(text)
		if err == nil && len(body) > len(text) {
			t.Errorf("the body is longer than the file")
		}
		_, _ = fm.flag("a")
		if strings.Contains(fm.text("a"), "\n") {
			t.Error("not one line")
		}
	})
}
