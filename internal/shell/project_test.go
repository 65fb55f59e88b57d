package shell

import (
	"slices"
	"strings"
	"testing"
)

// What files of the project say is not known by the name of what reads them, so
// that no verdict may call it read-only.
func TestWhatRunsCodeOfTheProjectIsNeverReadOnly(t *testing.T) {
	for line, want := range map[string]Static{
		"make": StaticLow, "make -n": StaticLow, "make test": StaticLow, "gmake -j 4 all": StaticLow, "just": StaticLow, "rake -T": StaticLow, "ninja": StaticLow, "cmake --build build": StaticLow,
		"gradle build": StaticLow, "mvn -q test": StaticLow, "npm test": StaticLow, "npm run lint": StaticLow, "npm --silent run lint": StaticLow, "npm --loglevel error run lint": StaticLow,
		"yarn build": StaticLow, "yarn run x": StaticLow, "pnpm lint": StaticLow, "cargo build": StaticLow, "cargo +nightly t": StaticLow, "cargo --locked check": StaticLow,
		"go generate ./...": StaticLow, "go test ./...": StaticLow, "go run .": StaticLow, "pytest -q": StaticLow, "jest": StaticLow, "eslint .": StaticLow, "tsc": StaticLow,
		"python -m pytest": StaticLow, "python3 -m mypy .": StaticLow, "bun test": StaticLow, "node --test": StaticLow, "bundle exec rspec": StaticLow, "dotnet build": StaticLow, "pre-commit run": StaticLow,
		"ls && make": StaticLow, "time make": StaticLow, "nice make test": StaticLow, "cd sub && npm test": StaticLow, "git status; make": StaticLow, "make | head": StaticLow, "/usr/bin/make": StaticLow,

		"make --version": StaticReadOnly, "npm --version": StaticReadOnly, "npm ls": StaticReadOnly, "npm --help": StaticReadOnly, "yarn why x": StaticReadOnly, "cargo tree": StaticReadOnly, "cargo metadata": StaticReadOnly,
		"go list ./...": StaticReadOnly, "go vet ./...": StaticReadOnly, "go version": StaticReadOnly, "grep -rn make .": StaticReadOnly, "cat Makefile": StaticReadOnly, "git log --grep make": StaticReadOnly, "poetry show": StaticReadOnly,
	} {
		a := Analyze(line, place())
		if tier, why := a.Tier(); tier != want {
			t.Errorf("%q is at least %v (%s), want %v", line, tier, why, want)
		}
		if want == StaticLow && a.Mild {
			t.Errorf("%q is certain to only read", line)
		}
	}
}

// Each program of the table is held up, alone or with its first subcommand, and
// none is in two rows.
func TestEveryProgramOfTheProjectIsHeldUp(t *testing.T) {
	var seen []string
	for _, row := range projectRows {
		for _, p := range strings.Fields(row.programs) {
			if slices.Contains(seen, p) {
				t.Errorf("%s is in two rows", p)
			}
			seen = append(seen, p)
			line := p
			if row.subs != "" {
				line += " " + strings.Fields(row.subs)[0]
			}
			if tier, why := Analyze(line, place()).Tier(); tier == StaticReadOnly || why == "" {
				t.Errorf("%q is at least %v (%s)", line, tier, why)
			}
		}
	}
}
