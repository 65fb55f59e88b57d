package shell

import (
	"strings"
	"sync"
)

// A trait is something that is known about a program by its name alone.
type trait uint16

const (
	// readerTrait: it only reads what it is given, whatever its options, apart
	// from those that dangers lists.
	readerTrait trait = 1 << iota
	// closedTrait: it takes paths without opening what is there.
	closedTrait
	// treeTrait: it reads everything below a directory.
	treeTrait
	// patternTrait: its first operand is not a file.
	patternTrait
	// codeTrait: its arguments are programs of their own.
	codeTrait
	// shellTrait: it is an interpreter of scripts that are read here.
	shellTrait
	// languageTrait: it is an interpreter whose programs zuno cannot read. The
	// names stand without a version.
	languageTrait
	// dangerTrait, networkTrait, farTrait and ruleTrait: dangerIndex,
	// networkIndex, farIndex and the denylist have rows for it.
	dangerTrait
	networkTrait
	farTrait
	ruleTrait
	// valuedTrait: valuedIndex has a row for it.
	valuedTrait
)

// programsWith lists the programs that have a trait.
var programsWith = []struct {
	has   trait
	names string
}{
	{
		readerTrait, "ls cat wc head tail pwd echo printf true false : basename dirname realpath readlink stat file " +
			"cut tr nl uniq comm diff cmp md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum b2sum sum du df tree which type " +
			"test [ seq date uname whoami id nproc arch uptime grep egrep fgrep rg sort jq find fd fdfind xxd od hexdump " +
			"strings column fold expand unexpand paste join tac rev base64 base32 cal groups tty logname factor numfmt shuf sleep",
	},
	{
		closedTrait, "echo printf test [ ls stat true false : cd pushd pwd which type command basename " +
			"dirname realpath readlink export declare typeset local readonly alias unset read exit return sleep pgrep kill " +
			"for case seq id hash eval trap find gfind tree du df chmod mkdir rmdir touch cal man exa eza",
	},
	{treeTrait, "tar gtar bsdtar zip 7z cpio cp rsync scp grep egrep rg ag ack restic borg"},
	{patternTrait, "grep egrep fgrep rg ag ack sed gsed awk gawk mawk nawk jq yq perl"},
	{codeTrait, "awk gawk mawk nawk sed gsed vim vi nvim emacs jq yq sqlite3 psql mysql make expect gdb"},
	{shellTrait, "sh bash zsh dash ksh fish ash mksh rbash yash pwsh powershell"},
	{
		languageTrait, "python pypy ruby perl node nodejs deno bun php lua luajit Rscript osascript tclsh " +
			"expect ghci irb ipython tsx ts-node julia groovy jshell guile racket sqlite ed ex " +
			"scala raku clojure clj bb clisp sbcl octave nu xonsh elvish ocaml runghc runhaskell R elixir iex erl duckdb dc m4",
	},
}

var traitIndex = sync.OnceValue(func() map[string]trait {
	out := map[string]trait{}
	for _, row := range programsWith {
		for _, name := range strings.Fields(row.names) {
			out[name] |= row.has
		}
	}
	mark(out, dangerTrait, dangerIndex())
	mark(out, networkTrait, networkIndex())
	mark(out, farTrait, farIndex())
	mark(out, ruleTrait, denylist().by)
	mark(out, valuedTrait, valuedIndex())
	return out
})

func mark[T any](out map[string]trait, has trait, index map[string]T) {
	for name := range index {
		out[name] |= has
	}
}

// traitsOf looks a program up. An unknown one has no traits.
func traitsOf(name string) trait {
	known := traitIndex()
	t := known[name]
	if name == "" {
		return t
	}
	if last := name[len(name)-1]; last <= '9' && (last >= '0' || last == '.') {
		t |= known[strings.TrimRight(name, "0123456789.")] & languageTrait
	}
	return t
}

func (t trait) has(some trait) bool { return t&some != 0 }

func reader(name string) bool     { return traitsOf(name).has(readerTrait) }
func isShell(name string) bool    { return traitsOf(name).has(shellTrait) }
func isLanguage(name string) bool { return traitsOf(name).has(languageTrait) }
