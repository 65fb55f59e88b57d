package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

func TestTheVersionTellsTheCommitOnce(t *testing.T) {
	built := []debug.BuildSetting{{Key: "vcs.revision", Value: "10f8af096da74fde94827e40d4595fa5becf3bc9"}, {Key: "vcs.modified", Value: "false"}}
	for version, want := range map[string]string{
		"0.1.0":                              "0.1.0 (commit 10f8af096da7)",
		"v0.1.0-3-g10f8af0":                  "v0.1.0-3-g10f8af0",
		"10f8af0-dirty":                      "10f8af0-dirty",
		"v0.0.0-20261130054630-10f8af096da7": "v0.0.0-20261130054630-10f8af096da7",
		"dev":                                "dev (commit 10f8af096da7)",
	} {
		if got := withCommit(version, built); got != want {
			t.Errorf("%s: %s", version, got)
		}
	}
	built[1].Value = "true"
	if got := withCommit("0.1.0", built); got != "0.1.0 (commit 10f8af096da7, with changes)" {
		t.Error(got)
	}
	if got := withCommit("0.1.0", nil); got != "0.1.0" {
		t.Error(got)
	}
}

// A release holds what its pages link to.
func TestAReleaseHoldsWhatItsPagesLinkTo(t *testing.T) {
	conf, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, m := range regexp.MustCompile(`src: "?([^",}\n]+)`).FindAllStringSubmatch(string(conf), -1) {
		files, err := filepath.Glob(filepath.Join("../..", m[1]))
		if err != nil || len(files) == 0 && !strings.HasPrefix(m[1], "dist-docs/") {
			t.Errorf("%s: nothing is there (%v)", m[1], err)
		}
		for _, f := range files {
			held[filepath.Clean(f)] = true
			held[filepath.Dir(f)] = true
		}
	}
	links := 0
	for f := range held {
		if filepath.Ext(f) != ".md" {
			continue
		}
		page, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#: ]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(page), -1) {
			links++
			if to := filepath.Join(filepath.Dir(f), m[1]); !held[to] {
				t.Errorf("%s links to %s, which no release holds", f, m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("there are only %d links: this test looks in vain", links)
	}
}
