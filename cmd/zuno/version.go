package main

import (
	"runtime/debug"
	"strings"
)

// version is set by the Makefile and by a release.
var version string

// versionText is the version alone, as others are told it.
func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// versionLine is the version with the commit that was built, where it is known
// and the version does not say it already.
func versionLine() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versionText()
	}
	return withCommit(versionText(), info.Settings)
}

// commitDigits are as many as git shows of a large repository.
const commitDigits = 12

func withCommit(version string, built []debug.BuildSetting) string {
	commit, changed := "", ""
	for _, s := range built {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(commitDigits, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	if commit == "" || strings.Contains(version, commit[:min(7, len(commit))]) {
		return version
	}
	return version + " (commit " + commit + changed + ")"
}
