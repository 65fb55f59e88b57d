package file

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestAPersonPicksAFileAndNobodyElse(t *testing.T) {
	b := newBench(t)
	for _, n := range []string{"a.csv", "B.CSV", "c.txt", "d/e.csv", ".hidden/f.csv", "node_modules/g.csv"} {
		b.put(n, "x")
	}
	p := b.proposed("ask_file_picker", args{"message": "Which table?", "extensions": []string{".csv"}, "include_directories": true})
	var labels []string
	for _, o := range p.Options {
		labels = append(labels, o.Label)
	}
	if want := []string{"B.CSV", "a.csv", "d/", "d/e.csv", "Type a path"}; !slices.Equal(labels, want) {
		t.Errorf("rows %q, want %q", labels, want)
	}
	if p.Spec.Effect != tools.UserMediated || !p.Spec.LongRunning {
		t.Errorf("%+v", p.Spec)
	}
	for choice, want := range map[string]string{
		"1":                  "The user picked: a.csv",
		"typed:c.txt":        "The user picked: c.txt",
		"typed: d":           "The user picked: d\nIt is a folder.",
		"typed:no.txt":       "The user picked: no.txt\nNothing is there.",
		"typed:/etc/passwd":  "The user picked: /etc/passwd\nIt lies outside the workspace: reading it asks.",
		"typed: ":            "The user typed no path: none is picked.",
		"typed:a\x00b":       `The user typed "a\x00b", which is no path: none is picked.`,
		"typed:new\x1bx.txt": `The user picked: new\x1bx.txt` + "\nNothing is there.",
	} {
		if out := p.Execute(t.Context(), tools.Decision{Allowed: true, Choice: choice}, nil); out.Kind != tools.OK || out.Text != want {
			t.Errorf("%q: %v %q", choice, out.Kind, out.Text)
		}
	}
	for _, choice := range []string{"", "9", "-1", "typed", "1:x"} {
		if out := p.Execute(t.Context(), tools.Decision{Allowed: true, Choice: choice}, nil); out.Kind != tools.Blocked {
			t.Errorf("%q: %v %q", choice, out.Kind, out.Text)
		}
	}
}

func TestAPickerSuggestsAFewFilesOfTheWorkspace(t *testing.T) {
	b := newBench(t)
	for i := range mostRows + 5 {
		b.put(fmt.Sprintf("f%02d", i), "x")
	}
	p := b.proposed("ask_file_picker", args{"message": "Which?"})
	if n := len(p.Options); n != mostRows+1 || !strings.Contains(p.Options[n-1].Detail, "more files") {
		t.Errorf("%d rows, the last is %+v", n, p.Options[n-1])
	}
	for _, a := range []args{{"message": " "}, {"message": "x", "base_path": ".."}, {"message": "x", "base_path": "f01"}, {"message": strings.Repeat("x", 501)}} {
		if _, err := b.propose("ask_file_picker", a); tools.OutcomeOf(err).Block != tools.InvalidArguments {
			t.Errorf("%v: %v", a, err)
		}
	}
}

func TestThePickerKeepsThePromises(t *testing.T) {
	toolstest.Run(t, toolstest.Case{
		Args:  `{"message":"Which?","base_path":".","extensions":["txt"],"include_directories":false}`,
		Setup: func(root string) { put(t, filepath.Join(root, "a.txt"), "x") },
		New:   func(root string) tools.Tool { return benchAt(t, root).tools["ask_file_picker"] },
	})
}

func TestAPictureIsReadUnderTheRulesOfReading(t *testing.T) {
	b := newBench(t)
	b.put("a.gif", "GIF89a and more, much more")
	b.put("a.txt", "text")
	p, err := b.all.Picture("a.gif")
	if err != nil || p.Manual != "" || p.Name != "a.gif" {
		t.Fatalf("%+v, %v", p, err)
	}
	if i, err := p.Load(); err != nil || i.MIME != "image/gif" || string(i.Data) != "GIF89a and more, much more" {
		t.Errorf("%s %q, %v", i.MIME, i.Data, err)
	}
	for name, want := range map[string]string{"a.txt": "no image", "no.png": "does not exist", ".": "a directory"} {
		p, err := b.all.Picture(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p, err := b.all.Picture("/etc/passwd"); err != nil || p.Manual == "" {
		t.Errorf("what lies outside does not ask: %v", err)
	}
}
