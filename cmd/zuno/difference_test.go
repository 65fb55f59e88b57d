package main

import (
	"slices"
	"strings"
	"testing"
)

func TestADiffSaysWhatItDoesNotShow(t *testing.T) {
	if got := showDiff(diff{}); got.Text != "" || !strings.Contains(got.Told, "nothing differs") || len(got.Notes) > 0 {
		t.Errorf("%+v", got)
	}
	var many []string
	for range maxDiffNames + 3 {
		many = append(many, "x")
	}
	got := showDiff(diff{
		files: []fileDiff{{name: "a", text: "diff a\n", add: 2, del: 1}, {name: "b.png", binary: true}}, cut: true, untracked: many,
	})
	if got.Text != "diff a\n" || got.Told != "compared with the last commit: 2 files, +2 -1" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"binary, and different: b.png", "there is more: only the first 16.0 MiB were looked at", "not tracked by git: x", "and 3 more that git does not track"} {
		if !slices.Contains(got.Notes, want) {
			t.Errorf("%q is missing in %q", want, got.Notes)
		}
	}
}
