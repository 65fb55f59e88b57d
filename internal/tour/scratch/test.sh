#!/bin/sh
# Tests of slug. Run them with: sh test.sh
cd "$(dirname "$0")" && . ./slug.sh
failed=0
check() {
	got=$(slug "$1")
	if [ "$got" = "$2" ]; then
		echo "ok    $1"
	else
		echo "FAIL  $1: got $got, want $2"
		failed=1
	fi
}
check "Hello World" "hello-world"
check "Hello,  World" "hello-world"
check "Go 1.26 -- what is new" "go-1-26-what-is-new"
exit $failed
