package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hole stands for an unknown part inside a word's text. An argument can never
// contain NUL, so it cannot be confused with something that was written.
const hole = "\x00"

// A word is one argument as the program would receive it, as far as that can
// be known without running anything.
type word struct {
	text string // quotes and escapes resolved; hole marks unknown parts
	src  string // as written
	dyn  string // why the text is not known; "" when it is
	glob bool   // has an unquoted * ? or [
	home bool   // began with an unquoted ~
	temp bool   // begins with a directory that this script made with mktemp
	// expanded says that the text came from a variable or from braces, so that
	// what is written is not what is passed.
	expanded bool
	calls    []*call // what its substitutions run
}

func lit(text string) word             { return word{text: text, src: text} }
func unknown(src, why string) word     { return word{text: hole, src: src, dyn: why} }
func (w word) plain() bool             { return w.dyn == "" && !w.glob && !w.expanded && !w.temp }
func (w word) known() bool             { return w.dyn == "" }
func (w word) flag() bool              { return len(w.text) > 1 && w.text[0] == '-' }
func (w word) is(texts ...string) bool { return w.dyn == "" && oneOf(w.text, texts...) }

func oneOf(s string, list ...string) bool {
	for _, x := range list {
		if s == x {
			return true
		}
	}
	return false
}

// texts returns the text of every word, and the source of unknown ones.
func texts(ws []word) []string {
	return appendTexts(make([]string, 0, len(ws)), ws)
}

func appendTexts(out []string, ws []word) []string {
	for i := range ws {
		if ws[i].dyn != "" {
			out = append(out, ws[i].src)
		} else {
			out = append(out, ws[i].text)
		}
	}
	return out
}

// base returns the program name of a command word.
func base(text string) string {
	if strings.Contains(text, "/") {
		return path.Base(text)
	}
	return text
}

// expand appends the arguments that a parsed word becomes: braces expanded,
// known variables substituted and split.
func (s *scan) expand(out []word, w *syntax.Word) []word {
	src := s.source(w)
	if text, ok := verbatim(w); ok { // the common case, without braces or variables
		return append(out, word{text: text, src: src})
	}
	if !hasBrace(w) {
		return append(out, s.fields(w, src)...)
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(split) || !hasBraceExp(split) {
		return append(out, s.fields(w, src)...)
	}
	alts, ok := braces(split.Parts, maxBraces)
	if !ok {
		s.findSubsts(w)
		return append(out, unknown(src, "a brace expansion too large to list"))
	}
	for _, parts := range alts {
		for _, f := range s.fields(&syntax.Word{Parts: parts}, src) {
			f.expanded = true
			out = append(out, f)
		}
	}
	return out
}

// verbatim returns the text of a word that is one piece, quoted or not, in
// which nothing is to be resolved.
func verbatim(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value, !special(p.Value)
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	case *syntax.DblQuoted:
		if l, ok := oneLit(p.Parts); ok && !p.Dollar {
			return l, strings.IndexByte(l, '\\') < 0
		}
	}
	return "", false
}

// special reports an unquoted literal that a shell may read as more than its
// characters: an escape, a brace, a pattern or a home directory.
func special(v string) bool {
	for i := range len(v) {
		switch v[i] {
		case '\\', '{', '*', '?', '[', '~':
			return true
		}
	}
	return false
}

func oneLit(parts []syntax.WordPart) (string, bool) {
	if len(parts) != 1 {
		return "", false
	}
	l, ok := parts[0].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return l.Value, true
}

// A builder collects the fields of one word.
type builder struct {
	s       *scan
	cur     word
	text    []byte // of cur
	any     bool   // the current field exists, even when empty
	out     []word
	single  bool // no field splitting: assignments, here-documents, redirections
	heredoc bool // a double quote is an ordinary character
}

func (b *builder) add(text string) { b.text = append(b.text, text...); b.any = true }

func (b *builder) unknown(why string) {
	b.add(hole)
	if b.cur.dyn == "" {
		b.cur.dyn = why
	}
}

func (b *builder) split() {
	if b.any {
		b.out = append(b.out, b.done())
	}
	b.cur, b.text, b.any = word{src: b.cur.src, expanded: true}, nil, false
}

func (b *builder) done() word {
	if b.cur.text = string(b.text); b.cur.text == "[" {
		b.cur.glob = false // the program, or a pattern that matches only itself
	}
	return b.cur
}

func (s *scan) fields(w *syntax.Word, src string) []word {
	b := &builder{s: s, cur: word{src: src}}
	b.parts(w.Parts, false)
	b.split()
	return b.out
}

// single evaluates a word that is not split into fields.
func (s *scan) single(w *syntax.Word) word {
	if w == nil {
		return word{}
	}
	if text, ok := verbatim(w); ok {
		return word{text: text, src: s.source(w)}
	}
	b := &builder{s: s, cur: word{src: s.source(w)}, single: true}
	b.parts(w.Parts, false)
	return b.done()
}

func (b *builder) parts(parts []syntax.WordPart, quoted bool) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.literal(p.Value, quoted, i == 0 && !quoted)
		case *syntax.SglQuoted:
			if p.Dollar {
				text, _, _ := strings.Cut(ansiC(p.Value), hole) // bash stops at a NUL
				b.add(text)
				b.cur.expanded = true // a POSIX shell reads it differently
			} else {
				b.add(p.Value)
			}
		case *syntax.DblQuoted:
			b.any = true
			b.parts(p.Parts, true)
			if p.Dollar {
				b.cur.expanded = true
			}
		case *syntax.ParamExp:
			b.param(p, quoted)
		case *syntax.CmdSubst:
			b.subst(p)
		case *syntax.ProcSubst:
			b.cur.calls = append(b.cur.calls, b.s.nested(p.Stmts)...)
			b.unknown("a process substitution")
			b.s.dynamic("a process substitution")
		case *syntax.ArithmExp:
			b.s.findSubsts(p)
			b.unknown("an arithmetic expansion")
		case *syntax.ExtGlob:
			b.add(p.Op.String() + p.Pattern.Value + ")")
			b.cur.glob = true
			b.unknown("an extended glob")
		default:
			b.unknown("an expansion")
		}
	}
}

// literal adds text with its backslashes resolved.
func (b *builder) literal(v string, quoted, first bool) {
	if first && strings.HasPrefix(v, "~") {
		v = b.tilde(v)
	}
	if !quoted && strings.ContainsAny(v, "*?[") {
		b.cur.glob = b.cur.glob || hasGlob(v)
	}
	if strings.IndexByte(v, '\\') < 0 {
		b.add(v)
		return
	}
	var out strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] != '\\' || i+1 >= len(v) {
			out.WriteByte(v[i])
			continue
		}
		next := v[i+1]
		if quoted && (!strings.ContainsRune("$`\"\\\n", rune(next)) || b.heredoc && next == '"') {
			out.WriteByte('\\')
			continue
		}
		if next != '\n' {
			out.WriteByte(next)
		}
		i++
	}
	b.add(out.String())
}

// tilde resolves a leading ~ and returns the rest of the literal.
func (b *builder) tilde(v string) string {
	name, _, _ := strings.Cut(v, "/")
	rest := v[len(name):]
	b.cur.home, b.cur.expanded = true, true
	switch home := b.s.env.get("HOME"); {
	case name == "~" && home.known():
		b.add(home.text)
	case name == "~root":
		b.add("/root")
	default:
		b.unknown("a home directory that is not known")
	}
	return rest
}

func (b *builder) param(p *syntax.ParamExp, quoted bool) {
	b.cur.expanded = true
	if !simpleParam(p) {
		b.s.findSubsts(p)
		b.unknown("a parameter expansion")
		return
	}
	if p.Param.Value == "?" {
		b.add("0") // some number that no program reads as anything else
		return
	}
	v := b.s.env.get(p.Param.Value)
	if v.dyn != "" && !v.temp || len(b.text) > maxText || !quoted && !b.single && b.s.splits && !v.temp {
		b.unknown("$" + p.Param.Value + " is not known here")
		return
	}
	if v.temp && len(b.text) == 0 && len(b.out) == 0 {
		b.cur.temp = true
	}
	if v.dyn != "" {
		b.cur.dyn = v.dyn
	}
	if quoted || b.single {
		b.add(v.text)
		return
	}
	b.cur.glob = b.cur.glob || strings.ContainsAny(v.text, "*?[")
	for i, f := range strings.FieldsFunc(v.text, isBlank) {
		if i > 0 || isBlank(rune(v.text[0])) {
			b.split()
		}
		b.add(f)
	}
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func simpleParam(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.NestedParam == nil &&
		p.Index == nil && len(p.Modifiers) == 0 && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil &&
		p.Split == syntax.OptUnset && p.GlobSubst == syntax.OptUnset && p.RcExpand == syntax.OptUnset
}

func (b *builder) subst(p *syntax.CmdSubst) {
	calls := b.s.nested(p.Stmts)
	b.cur.calls = append(b.cur.calls, calls...)
	b.s.dynamic("a command substitution")
	if len(b.text) == 0 && b.s.makesTemp(p, calls) {
		b.cur.temp = true
		b.cur.expanded = true
	}
	b.unknown("a command substitution")
}

// makesTemp reports whether a substitution is exactly one plain mktemp that
// creates what it names.
func (s *scan) makesTemp(p *syntax.CmdSubst, calls []*call) bool {
	if len(p.Stmts) != 1 || len(calls) != 1 || s.funcs["mktemp"] || s.relookup {
		return false
	}
	c := calls[0]
	if c.name != "mktemp" || c.written != "mktemp" || len(c.via) > len(s.via) {
		return false
	}
	for _, a := range c.args {
		if !a.known() || a.is("-u", "--dry-run") || (a.flag() && !strings.HasPrefix(a.text, "--") && strings.Contains(a.text, "u")) {
			return false
		}
	}
	_, isCall := p.Stmts[0].Cmd.(*syntax.CallExpr)
	return isCall
}
