#!/bin/sh
# Runs every fuzz target for $1 each.
set -eu
cd "$(dirname "$0")/.."
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
	grep -oE '^func Fuzz[A-Za-z0-9]+' "$file" | sed 's/^func //' | while read -r target; do
		echo "$target ($file)"
		go test "$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$1"
	done
done
