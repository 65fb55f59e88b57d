package shell

import (
	"strings"
	"sync"
)

// A projectRow lists programs that do what files of the project say, whatever
// their name promises: a target, a script, a test, a plug-in that a
// configuration names. No verdict may call a line with one read-only.
type projectRow struct {
	programs string
	// subs are the subcommands that do; "" stands for whatever the program is told.
	subs string
	// reads are those that do not, where subs is "".
	reads string
}

var projectRows = []projectRow{
	{programs: "make gmake bmake just task rake ninja samu cmake ctest meson scons waf tup mage mk invoke inv fab doit earthly dagger gulp grunt jake nx turbo lerna rush moon pants buck buck2 please"},
	{programs: "gradle gradlew mvn mvnw mvnd ant sbt lein bazel bazelisk boot ktlint"},
	{programs: "npm", subs: "run run-script rum urn test t tst start stop restart exec x explore install i add ci clean-install install-test it rebuild rb pack publish version link ln update up dedupe prune uninstall init create"},
	{programs: "pnpm yarn", reads: "list ls ll why info view outdated licenses config root bin --version --help help"},
	{programs: "corepack lage wireit npm-run-all run-s run-p concurrently husky lint-staged lefthook pre-commit overcommit"},
	{programs: "cargo", subs: "build b run r test t bench check c clippy doc d rustc rustdoc install fix package publish xtask make nextest llvm-cov miri expand watch tarpaulin"},
	{programs: "go", subs: "run test generate build install tool get"},
	{programs: "rspec cucumber minitest guard cap jekyll rails bundle bundler foreman overmind", reads: "list show info outdated config --version --help help"},
	{programs: "pytest py.test tox nox hatch nose2 behave coverage mypy pylint flake8 sphinx-build mkdocs scrapy django-admin alembic celery gunicorn uvicorn flask poetry pipenv pdm rye conda mamba", reads: "show list info env check search --version --help help"},
	{programs: "jest vitest mocha ava tap karma jasmine cypress playwright wdio tsc tsx ts-node webpack vite rollup esbuild parcel swc babel next nuxt astro remix gatsby ng vue-cli-service storybook eslint prettier stylelint nodemon pm2 prisma sequelize knex typeorm"},
	{programs: "dotnet", subs: "build run test msbuild publish pack restore clean watch exec tool script"},
	{programs: "swift", subs: "build run test package"},
	{programs: "zig", subs: "build run test"},
	{programs: "mix rebar3 stack cabal dune esy flutter dart pub sbcl erl elixir iex gleam crystal shards nimble nim dub alr fpm", reads: "list --version --help help"},
	{programs: "composer", reads: "show info outdated licenses validate status depends why --version --help help"},
	{programs: "phpunit pest phpstan psalm drush wp artisan symfony"},
	{programs: "nix nix-build nix-shell devbox devenv mise rtx direnv vagrant ansible-playbook pulumi skaffold tilt"},
	{programs: "msbuild xbuild nmake jom xcodebuild fastlane pod carthage tuist R Rscript octave"},
}

// projectIndex is projectRows by program.
var projectIndex = sync.OnceValue(func() map[string]projectRow {
	out := map[string]projectRow{}
	for _, row := range projectRows {
		for _, p := range strings.Fields(row.programs) {
			out[p] = row
		}
	}
	return out
})

// project holds the floor up for what runs code of the project.
func (s *scan) project(c *call) {
	if c.runsProject() {
		s.atLeastLow(c.label(), " runs what files of the project say")
	}
}

func (c *call) runsProject() bool {
	if len(c.args) == 1 && c.args[0].is("--version", "-V", "--help", "-h") {
		return false
	}
	if isLanguage(c.name) { // a module may be one of the project
		return c.tool()
	}
	row, known := projectIndex()[c.name]
	switch {
	case !known:
		return false
	case row.subs == "":
		return len(c.args) == 0 || !oneOf(c.args[0].text, strings.Fields(row.reads)...)
	}
	// An option may stand in front with a value that is not known to be one, so
	// that the subcommand may be any of the words.
	for i := range c.args {
		if !c.args[i].known() || oneOf(c.args[i].text, strings.Fields(row.subs)...) {
			return true
		}
	}
	return false
}
