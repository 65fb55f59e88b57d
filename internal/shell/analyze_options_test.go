package shell

import "testing"

// What stands behind a short option that takes a value is its value: no option
// hides in it, and none is seen where none is.
func TestTheValueOfAShortOptionIsNoOption(t *testing.T) {
	testClasses(t, map[string]string{
		"<mild": `
			rg -g'!*.zip' x
			rg -e'foo z' .
			rg -tzig foo
			sort -t'o' f
			sort -k2,2 -to f
			fd -egox
			fd -tx
			fd -Exx foo
			date -Iseconds
			git log -S'O o x' --oneline
			git grep -e'OO' f
			xxd -g 1 f
			xxd -groupsize 1 f
			diff -xl a b
			sed -ne '/x/p' f`,
		"<low-risk": `
			git commit -m"Fix the parser"
			git commit -am"Fix For Sure, no -n"
			git tag -am"release d f" v1
			git checkout -bfeature/Fix
			git switch -cfeature/Cf
			yq -ojson . f`,
		"<high-risk": `
			ruby -Itest test/x_test.rb
			ruby -rbundler/setup x.rb
			php -dmemory_limit=-1 artisan test
			python3 -Wonce x.py
			python3 -Xtracemalloc x.py
			perl -MData::Dumper x.pl
			perl -Ilocal/lib x.pl`,
		"high-risk": `
			rg -nz x
			sort -uo f g
			sort -t, -of g
			fd -HX touch
			date -us x
			git grep -iO./p x
			git commit -nm x
			git commit -anm x
			git commit -aF /x
			git difftool -yx ./p
			xxd -r f
			xxd -revert f
			sed -Ei s/a/b/ f
			sed -nI p f
			yq -rio . f
			diff -ul a b`,
		"asked": `
			git tag -fm x y
			git branch -rd x
			git clean -fde x
			git checkout -qfb x
			git switch -qfc x`,
		"blocked": `
			git push -qf
			git push -fo x
			ruby -Ilib -e x
			ruby -ne x
			php -dx=y -r x
			php -B x
			php -R x
			php -E x
			php --run x
			python3 -Ic x
			python3 -W ignore -c x
			python3 -Wignore -c x
			perl -Mstrict -le x
			perl -pie s/a/b/ f
			node -pe x`,
	})
}

// Programs with a language of their own are judged by it.
func TestWhatAProgramOfSedOrAwkDoesIsRead(t *testing.T) {
	testClasses(t, map[string]string{
		"<mild": `
			sed 's/a/b/;s/c/d/' f
			sed -n '5p;10p' f
			sed -n '1,80p;80q' f
			sed '/^#/d;/^$/d' f
			sed 'y/abc/def/' f
			sed -n '/^func /,/^}/{p;}' f
			sed ':a;N;$!ba;s/\n/ /g' f
			sed -n '\,x,p' f
			sed 's/[^/]*$//' f
			sed 's/[[:space:]]*$//' f
			sed 's/[\/]/x/' f
			sed 's/[]/]/x/' f
			sed --expression=5q -e 's|a|b|gI' f
			sed -n '$=' f`,
		"<read-only": `
			awk 'NR>1 {print $2}' f
			awk -F'|' '{print $2}' f
			awk '$3 > 5' f
			awk '/a|b/ {print $2}' f
			awk -v n=3 'NR>=n && NR<=20 {n++} END {print n}' f
			awk -F: '{print $1}' f
			awk -- '{s+=$1} END {print s}' f`,
		"high-risk": `
			sed 's/a/b/;e id' f
			sed 's/;/x/;e id' f
			sed '5p;w o' f
			sed -n '/a;p;/w o' f
			sed 's/a/b/gw o' f
			sed 'sxaxbxe' f
			sed '\wxwe id' f
			sed 's/[/]/x/;e id/' f
			sed 's/[]/]x/y/;e id/' f
			sed 'y/[/]/;e id' f
			sed 'a text' f
			sed 'r /dev/stdin' f
			sed -n -e p -e '1e id' f
			sed ':a w;e id' f
			sed 'b;1e id' f
			sed "p;# x" -f s f
			sed -fs f
			sed --fi s f
			awk '{print > "o"}' f
			awk '{print "a;b" > "o"}' f
			awk '{printf "%s", $1 | "sh"}' f
			awk 'NR>1 {print $2 >> "o"}' f
			awk 'BEGIN{"id"|getline x}' f
			awk '@load "x"' f
			awk 'BEGIN{f="sys" "tem";@f("id")}' f
			awk 'BEGIN{system("id")}' f
			awk -f p f
			awk -fp f
			awk -E p f
			gawk -oout 'BEGIN{}'
			gawk --pretty-print=out 'BEGIN{}'
			gawk -pout 'BEGIN{}'
			gawk -dout 'BEGIN{}'
			gawk --dump-variables=out 'BEGIN{}'
			gawk -D 'BEGIN{}'
			gawk -lfork 'BEGIN{}'
			mawk -Wexec p
			mawk -W exec p`,
	})
}

func FuzzPlainSed(f *testing.F) {
	for _, x := range []string{"p", "s/a/b/g", "/x/{p;q}", "y/a/b/", ":a;N;$!ba", "s/[/]/x/;e id", `\,x,p`, "1!G;h;$!d", "s,a\\,b,c,", "#n", "5q3;e"} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if !plainSed(script) {
			return
		}
		if plainSed(script+"\ne id") || plainSed(script+"\nw o") {
			t.Errorf("%q hides what follows it", script)
		}
	})
}
