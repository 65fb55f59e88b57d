#!/bin/sh
# Checks that need no run of the program: formatting, vet, staticcheck, dead
# code and the import directions. The tools are pinned in tools/go.mod, apart
# from zuno's own module graph.
set -eu
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
bin=$PWD/.tools/lint
mkdir -p "$bin"
if [ ! -x "$bin/deadcode" ] || [ tools/go.mod -nt "$bin/deadcode" ]; then
	(cd tools && GOBIN=$bin go install mvdan.cc/gofumpt honnef.co/go/tools/cmd/staticcheck golang.org/x/tools/cmd/deadcode)
	touch "$bin/deadcode"
fi
failed=0
check() {
	if [ -n "$2" ]; then
		printf '%s:\n%s\n' "$1" "$2" >&2
		failed=1
	fi
}
check gofumpt "$("$bin/gofumpt" -l $(git ls-files -co --exclude-standard '*.go'))"
go vet ./... || failed=1
"$bin/staticcheck" ./... || failed=1
check deadcode "$("$bin/deadcode" -test ./... 2>&1)"
go test -run 'TestArchitecture' . || failed=1
exit $failed
