package shell

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// names lists the commands of a line as "name arg arg".
func names(a Analysis) []string {
	var out []string
	for _, c := range a.Commands() {
		out = append(out, strings.Join(c.Words, " "))
	}
	return out
}

func TestEveryCommandOfALineIsListed(t *testing.T) {
	for line, want := range map[string][]string{
		"a b; c && d || e | f & g":         {"a b", "c", "d", "e", "f", "g"},
		"sudo -u x env A=1 rm f":           {"rm f"},
		"timeout -k 1 5 nice -n 3 a b":     {"a b"},
		"bash -lc 'a; b c'":                {"bash -lc a; b c", "a", "b c"},
		"sh -c \"sh -c 'a b'\"":            {"sh -c sh -c 'a b'", "sh -c a b", "a b"},
		"eval a b":                         {"eval a b", "a b"},
		"a $(b \"$(c)\") `d`":              {"c", "b \"$(c)\"", "d", "a $(b \"$(c)\") `d`"},
		"diff <(a) <(b)":                   {"a", "b", "diff <(a) <(b)"},
		"f() { a; }; f":                    {"a", "f"},
		"if a; then b; elif c; then d; fi": {"a", "b", "c", "d"},
		"for x in $(a); do b; done":        {"a", "b"},
		"while a; do b; done < f":          {"a", "b"},
		"case $(a) in x) b ;; esac":        {"a", "b"},
		"{ a; (b); }":                      {"a", "b"},
		"x=$(a) y=1 b":                     {"a", "b"},
		"find . -name x -exec a {} ';'":    {"find . -name x -exec a {} ;", "a {}"},
		"ls | xargs -n 1 a -b":             {"ls", "xargs -n 1 a -b", "a -b (input)"},
		"cat <<EOF\n$(a)\nEOF":             {"a", "cat"},
		"cat <<'EOF' | sh\na b\nEOF":       {"cat", "sh", "a b"},
		"trap 'a b' EXIT; c":               {"trap a b EXIT", "c", "a b"},
		"ssh h a b":                        {"ssh h a b", "a b"},
		"\"g\"it st\\atus $'\\x61'":        {"git status a"},
		"coproc a":                         {"a"},
		"time a b":                         {"a b"},
		"! a":                              {"a"},
		"a{1,2} b":                         {"a1 a2 b"},
		"d=x; a $d/y":                      {"a x/y"},
		"X='a b'; $X c":                    {"a b c"},
		"X='a b'; \"$X\" c":                {"a b c"},
		"a \\\n b":                         {"a b"},
		"flock l -c 'a b'":                 {"flock l -c a b", "a b"},
		"":                                 nil, "# x": nil, "x=1": nil, "  \n ": nil,
	} {
		a := Analyze(line, place())
		if got := names(a); !a.Parsed || !reflect.DeepEqual(got, want) {
			t.Errorf("%q runs %q, want %q (%s)", line, got, want, a.ParseError)
		}
	}
}

func TestACommandSaysHowItIsRun(t *testing.T) {
	a := Analyze("A=1 sudo -u x /usr/bin/git log 'a b' > f 2>&1", place())
	c := a.Commands()[0]
	if c.Name != "git" || c.Path != "/usr/bin/git" || !reflect.DeepEqual(c.Via, []string{"sudo"}) || !reflect.DeepEqual(c.Assigns, []string{"A=1"}) ||
		!reflect.DeepEqual(c.Redirects, []Redirect{{">", "f"}, {"2>&", "1"}}) || !strings.HasPrefix(c.Source, "A=1 sudo") || c.Dynamic {
		t.Errorf("%+v", c)
	}
	if c = Analyze("bash -c 'env a'", place()).Commands()[1]; !reflect.DeepEqual(c.Via, []string{"bash -c", "env"}) {
		t.Errorf("via %v", c.Via)
	}
}

func TestWhatIsNotKnownIsDynamic(t *testing.T) {
	for _, line := range []string{
		"$X", "echo $X", "echo ${X:-a}", "echo $(ls)", "echo `ls`", "cat <(ls)", "echo $((1+1))", "ls > $X", "eval $X", "bash -c \"$X\"", "ls | sh", "sh", "l[s]", "ls\x00", "ls \x1b[0m", "ls\r", "ls\u00a0x", "ls \u200bx", "ls \u202ex", "ls\xff",
		"echo 'x", "(", "if", "x=([$(a)]=1)", "((a))", "let a=1", "for ((i=0;i<3;i++)); do ls; done", "[[ $a == b ]]", "!(a) b", "echo !(a)", "alias a=b", "source f", "xargs ls", "find . -exec ls {} +", "read x; ls $x", "ls {1..99999}",
		"enable -f x.so ls", "printf -v 'a[$(b)]' c", "declare -n x=y", "f() { ls $1; }", "ls \u3000x", "env -S 'a $B'", "git -c \"a=$X\" log",
	} {
		a := Analyze(line, place())
		if !a.Dynamic || a.DynamicWhy == "" {
			t.Errorf("%q is not dynamic", line)
		}
		if tier, _ := a.Tier(); tier != StaticHigh || a.Mild || a.Key != "" {
			t.Errorf("%q: %v %v %q", line, tier, a.Mild, a.Key)
		}
	}
}

func TestAProgramByItsPathIsNotTheOneOfThatName(t *testing.T) {
	for line, want := range map[string]Static{
		"./git status": StaticHigh, "sub/git status": StaticHigh, "/tmp/x/git status": StaticHigh, "\"./ls\"": StaticHigh, "~/bin/cat f": StaticHigh, "env ./git status": StaticHigh,
		"/usr/bin/../../tmp/git status": StaticHigh, "true && ./grep x": StaticHigh, "/home/u/work/rg x": StaticHigh,
		"./cleanup": StaticLow, "./gradlew test": StaticLow, "node_modules/.bin/tsc --noEmit": StaticLow, "/opt/tool/bin/tool": StaticLow,
		"/usr/bin/git status": StaticReadOnly, "/bin/ls": StaticReadOnly, "git status": StaticReadOnly, "mytool": StaticReadOnly,
	} {
		a := Analyze(line, place())
		if tier, why := a.Tier(); tier != want || a.Mild && strings.Contains(line, "/") {
			t.Errorf("%q is at least %v (%s), want %v; mild %v", line, tier, why, want, a.Mild)
		}
	}
}

func TestZunosOwnFilesAreAskedAboutWhereverTheyAre(t *testing.T) {
	at := place()
	at.Own = []string{"/home/u/z/config", "/home/u/z/data/"}
	for line, want := range map[string]bool{
		"cp x ~/z/config/x.json": true, "echo x > ~/z/config/new": true, "echo x >> /home/u/z/config/zuno.json": true, "touch ~/z/data/f": true, "rmdir ~/z/data": true, "cd ~/z/config && sometool zuno.txt": true,
		"mv ~/z/data ~/y": true, "ln -s x ../z/config/y": true, "cat ~/z/config/zuno.txt": false, "sometool ~/z/cache/f": false, "sometool ~/z/configs": false,
	} {
		asked := false
		for _, m := range Analyze(line, at).Manual {
			asked = asked || strings.Contains(m.Why, "zuno's own files")
		}
		if asked != want {
			t.Errorf("%q: asked about %v, want %v: %v", line, asked, want, Analyze(line, at).Manual)
		}
	}
}

func TestNetworkIsSeenThroughWrappers(t *testing.T) {
	for _, line := range []string{"curl x", "env curl x", "timeout 5 ping x", "bash -c 'git fetch'", "echo $(dig x)", "git -C sub pull", "npm ci", "go get x", "find . -exec curl x ';'", "ssh h ls", "exec 3<>/dev/tcp/1.2.3.4/5"} {
		if !Analyze(line, place()).Network {
			t.Errorf("%q does not talk to the network", line)
		}
	}
	for _, line := range []string{"git status", "npm run x", "echo curl x", "grep ping f", "go build ./..."} {
		if Analyze(line, place()).Network {
			t.Errorf("%q talks to the network", line)
		}
	}
}

func TestMktempIsFollowedByDataNotByName(t *testing.T) {
	for _, line := range []string{
		"tmp=/home/x; rm -rf \"$tmp\"", "rm -rf \"$tmp\"", "tmp=$(mktemp -d); tmp=$HOME; rm -rf \"$tmp\"", "tmp=$(mktemp -d); read tmp; rm -rf \"$tmp\"", "tmp=$(mktemp -d)/../..; rm -rf \"$tmp\"", "tmp=$(mktemp -d); rm -rf \"$tmp/../x\"",
		"false && HOME=$(mktemp -d); rm -rf \"$HOME\"", "mktemp() { echo /; }; tmp=$(mktemp -d); rm -rf \"$tmp\"", "tmp=$(echo mktemp); rm -rf \"$tmp\"", "tmp=$(mktemp -d; echo /); rm -rf \"$tmp\"", "tmp=$(./mktemp); rm -rf \"$tmp\"",
		"tmp=$(mktemp -u); rm -rf \"$tmp\"", "tmp=$(mktemp -d); f() { tmp=/; }; f; rm -rf \"$tmp\"", "tmp=$(mktemp -d); printf -v tmp /; rm -rf \"$tmp\"", "tmp=$(mktemp -d); for tmp in /; do rm -rf \"$tmp\"; done", "tmp=$(mktemp -d); eval tmp=/; rm -rf \"$tmp\"",
		"tmp=$(mktemp -d); . ./x; rm -rf \"$tmp\"", "tmp=$(mktemp -d); rm -rf \"$tmp\" src", "TMPDIR=/; rm -rf $TMPDIR/x", "tmp=$(mktemp -d); unset tmp; rm -rf \"$tmp\"/*", "tmp=$(mktemp -d); trap 'rm -rf \"$tmp\"' EXIT; tmp=/", "tmp=$(mktemp -d); : ${tmp:=/}; tmp+=/..; rm -rf $tmp",
		"PATH=.; tmp=$(mktemp -d); rm -rf \"$tmp\"", "tmp=x$(mktemp -d); rm -rf \"$tmp\"", "while :; do rm -rf \"$tmp\"; tmp=$(mktemp -d); done", "tmp=$(mktemp -d); while read tmp; do rm -rf \"$tmp\"; done", "if x; then tmp=$(mktemp -d); fi; rm -rf \"$tmp\"",
	} {
		if Analyze(line, place()).Denied == nil {
			t.Errorf("%q passes", line)
		}
	}
}

// Hostile lines must be answered, soon, and without exhausting the stack.
func TestHostileLinesAreAnswered(t *testing.T) {
	rep := strings.Repeat
	for name, line := range map[string]string{
		"parens": rep("(", 20_000), "subst": rep("$(", 20_000), "quoted subst": rep("\"$(", 10_000), "backquotes": rep("`", 20_000), "braces": rep("{ ", 20_000), "params": rep("${a:-", 10_000),
		"closed parens": rep("(", 1_000) + "a" + rep(")", 1_000), "ands": rep("a && ", 40_000) + "a", "pipes": rep("a | ", 40_000) + "sh", "ors": rep("a || ", 40_000) + "a", "evals": rep("eval ", 20_000) + "rm -rf x",
		"envs": rep("env ", 20_000) + "rm -rf x", "sudos": rep("sudo ", 20_000), "ifs": rep("if ", 20_000), "elifs": "if a; then b; " + rep("elif a; then b; ", 8_000) + "fi", "brace sets": rep("{a,b}", 40), "nested sets": rep("{a,", 2_000) + rep("}", 2_000),
		"shells": nestShell(12, "rm -rf x"), "words": rep("a ", 100_000), "rms": "$X " + rep("rm ", 60_000), "nul": rep("\x00", 20_000), "quotes": rep("'\"", 10_000), "heredocs": rep("cat <<E\n$(a)\nE\n", 4_000), "arith": "((" + rep("a=", 40_000) + "1))",
		"tests": "[[ " + rep("! ", 20_000) + "a ]]", "assigns": rep("a=$a$a ", 10_000) + "; " + rep("b$a ", 10), "doubling": "a=aaaaaaaaaa;" + rep("a=$a$a;", 60) + "echo $a", "traps": rep("trap 'trap x EXIT' EXIT;", 1_000), "finds": "find " + rep("-exec a ; ", 10_000),
		"functions": rep("f() { ", 1_000) + "a; " + rep("};", 1_000), "aliases": rep("alias a='alias b=c';", 1_000), "dots": "cat " + rep("../", 20_000), "paths": "cat " + rep("/a", 20_000), "paths apart": "cat " + rep("/a/b/c ", 20_000), "long": rep("x", 3<<20), "colons": "x " + rep("/:", 20_000),
	} {
		a := Analyze(line, place())
		if strings.Contains(line, "rm -rf x") && a.Denied == nil {
			t.Errorf("%s hides rm", name)
		}
	}
}

// An option without its value, and letters that grow when they are made small.
func TestOptionsOfSSHThatAreNotWholeAreAnswered(t *testing.T) {
	for line, inner := range map[string]string{
		"ssh -o": "", "scp x -o": "", "sftp -o": "", "ssh -o ProxyCommand": "", "ssh -oproxycommand=" + strings.Repeat("Ⱥ", 40) + " h": strings.Repeat("Ⱥ", 40),
		"ssh -o 'ProxyCommand nc x' h": "nc x", "ssh -oLocalCommand=nc h": "nc",
	} {
		got := ""
		for _, c := range Analyze(line, place()).Commands()[1:] {
			got = strings.Join(c.Words, " ")
		}
		if got != inner {
			t.Errorf("%q runs %q, want %q", line, got, inner)
		}
	}
}

func nestShell(n int, inner string) string {
	for range n {
		inner = "sh -c '" + strings.ReplaceAll(inner, "'", `'\''`) + "'"
		if len(inner) > 1<<18 {
			break
		}
	}
	return inner
}

func FuzzAnalyze(f *testing.F) {
	for _, r := range Denylist() {
		for _, x := range append(r.Examples, r.Passes...) {
			f.Add(x)
		}
	}
	for _, x := range []string{"git status", "a{1..3}b", "find . -exec x {} +", "env -S 'a b' c", "x=(1 2)", "cat <<E\nE", "xargs -I{} a {}", "tar xf", "rm -rf \"$tmp\"", "cd x && rm y", "ssh -p", "bash -o", "git -C", "docker run -v", "sed s/a", "timeout", "curl -o", "$'\\x", "{a,b"} {
		f.Add(x)
	}
	for _, x := range hiddenCommands {
		f.Add(x)
	}
	at := place()
	f.Fuzz(func(t *testing.T, line string) {
		a := Analyze(line, at)
		tier, why := a.Tier()
		switch {
		case tier != StaticReadOnly && why == "":
			t.Error("a raised floor without a reason")
		case a.Key == "" && a.KeyWhyNot == "":
			t.Error("no key and no reason")
		case a.Mild && (tier != StaticReadOnly || a.Dynamic || a.Denied != nil || len(a.Manual) > 0 || a.Network || a.Writes || len(a.Outside) > 0):
			t.Errorf("mild and not: %+v", a)
		case a.Key != "" && (!a.Parsed || a.Dynamic || a.Denied != nil || len(a.Manual) > 0):
			t.Errorf("a key for %q: %+v", line, a)
		case a.Key != "" && !a.CoveredBy(a.Key):
			t.Errorf("%q does not cover its own line %q", a.Key, line)
		}
		if a.Key != "" {
			if k, err := CheckKey(a.Key, at); k != a.Key || err != nil {
				t.Errorf("the key %q of %q cannot be stored: %q %v", a.Key, line, k, err)
			}
		}
	})
}

func BenchmarkOrdinaryLine(b *testing.B) {
	at := Place{Dir: b.TempDir(), Home: "/home/u"}
	for b.Loop() {
		Analyze(`cd sub && go test ./... 2>&1 | tail -20; git log --oneline -5 -- internal/shell`, at)
	}
}

func BenchmarkShortLine(b *testing.B) {
	at := place()
	for b.Loop() {
		Analyze("git status --short", at)
	}
}

// BenchmarkMegabyte analyses lines of a megabyte in the shapes that models and
// generators make of them.
func BenchmarkMegabyte(b *testing.B) {
	fill := func(unit string) string { return strings.Repeat(unit, (1<<20-16)/len(unit)) }
	distinct := strings.Builder{}
	for i := 0; distinct.Len() < 1<<20-128; i++ {
		fmt.Fprintf(&distinct, "echo a%d; cat file%d.txt | grep x%d && ls -l dir%d\n", i, i, i, i)
	}
	paths := strings.Builder{}
	paths.WriteString("ls")
	for i := 0; paths.Len() < 1<<20-64; i++ {
		fmt.Fprintf(&paths, " d/%x", i)
	}
	at := place()
	for _, shape := range []struct{ name, line string }{
		{"commands", fill("echo some words here\n")},
		{"lists", fill("echo aaaa; cat file.txt | grep x && ls -l dir\n")},
		{"distinct", distinct.String()},
		{"heredoc", "cat > new.txt <<'EOF'\n" + fill("an ordinary line of text, with words\n")[32:] + "EOF\n"},
		{"pipeline", "a" + fill(" | grep abc")},
		{"substitutions", fill("echo $(echo $(echo $(ls)))\n")},
		{"quoted", "echo '" + fill("x y ") + "'"},
		{"word", "echo " + fill("x")},
		{"arguments", "ls" + fill(" a/b.c")},
		{"paths", paths.String()},
		{"unclosed", fill("echo some words here\n") + "'"},
	} {
		run := func(name string, f func()) {
			b.Run(shape.name+name, func(b *testing.B) {
				b.SetBytes(int64(len(shape.line)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("", func() { Analyze(shape.line, at) })
		run("/parser", func() { _, _ = parse(shape.line) }) // the library alone
		again := at
		again.Earlier = Analyze(shape.line, at)
		run("/again", func() { Analyze(shape.line, again) }) // before it runs
	}
}
