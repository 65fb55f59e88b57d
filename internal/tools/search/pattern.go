package search

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxGlob bounds the length of a glob: what a match costs grows with it.
const maxGlob = 512

// A pattern matches paths relative to the directory of a search. ripgrep is
// not given it as --glob, because such a glob overrides the ignore files.
type pattern struct {
	re *regexp.Regexp
	// name is a glob for the last component that matches the same files, "" when
	// there is none.
	name string
}

// compile reads a glob: * and ? stop at a slash, ** does not, and there are
// [a-z], [!a-z], {a,b} and \ for a literal character. Without a slash the
// pattern is for the name of a file in any directory, else for its path below
// dir; it may begin with dir itself.
func compile(glob, dir string) (pattern, error) {
	switch {
	case glob == "":
		return pattern{}, errors.New("it is empty")
	case len(glob) > maxGlob:
		return pattern{}, errors.New("it is too long")
	case strings.ContainsRune(glob, 0):
		return pattern{}, errors.New("it contains a NUL byte")
	case !utf8.ValidString(glob):
		return pattern{}, errors.New("it is not valid UTF-8")
	}
	rel, below := strings.CutPrefix(glob, strings.TrimSuffix(dir, "/")+"/")
	if !below {
		rel = strings.TrimPrefix(glob, "./")
	}
	anchored := below || strings.Contains(strings.TrimSuffix(rel, "/"), "/")
	rel = strings.TrimPrefix(rel, "/")
	if strings.HasSuffix(rel, "/") {
		rel, anchored = rel+"**", true
	}
	for _, part := range strings.Split(rel, "/") {
		if part == ".." {
			return pattern{}, errors.New("it must not contain ..; name the directory with path")
		}
	}
	p := pattern{}
	if name := strings.TrimPrefix(rel, "**/"); !strings.Contains(name, "/") && !strings.Contains(name, "**") && (!anchored || name != rel) {
		p.name = name
	}
	t := translator{in: rel}
	body, err := t.run()
	if err != nil {
		return pattern{}, err
	}
	if !anchored {
		body = "(?:.*/)?" + body
	}
	p.re, err = regexp.Compile(`(?s)\A(?:` + body + `)\z`)
	return p, err
}

func (p pattern) match(rel string) bool { return p.re.MatchString(rel) }

// A translator turns a glob into a regular expression.
type translator struct {
	in    string
	at    int
	depth int // open braces
	out   strings.Builder
}

func (t *translator) run() (string, error) {
	for t.at < len(t.in) {
		c := t.in[t.at]
		t.at++
		switch c {
		case '*':
			t.star()
		case '?':
			t.out.WriteString("[^/]")
		case '[':
			if err := t.class(); err != nil {
				return "", err
			}
		case '{':
			t.depth++
			t.out.WriteString("(?:")
		case '}':
			if t.depth == 0 {
				t.out.WriteString(`\}`)
				break
			}
			t.depth--
			t.out.WriteByte(')')
		case ',':
			if t.depth > 0 {
				c = '|'
			}
			t.out.WriteByte(c)
		case '\\':
			if t.at == len(t.in) {
				return "", errors.New(`it ends in a lone \`)
			}
			t.literal(t.in[t.at])
			t.at++
		default:
			t.literal(c)
		}
	}
	if t.depth > 0 {
		return "", errors.New("a { is not closed")
	}
	return t.out.String(), nil
}

// literal writes one byte. The bytes of a longer character go through one by
// one: only ASCII has a meaning in an expression.
func (t *translator) literal(c byte) {
	if c < 0x80 {
		t.out.WriteString(regexp.QuoteMeta(string(c)))
		return
	}
	t.out.WriteByte(c)
}

// star translates * and **. Between slashes ** is any number of directories.
func (t *translator) star() {
	if t.at == len(t.in) || t.in[t.at] != '*' {
		t.out.WriteString("[^/]*")
		return
	}
	first := t.at == 1 || t.in[t.at-2] == '/'
	for t.at < len(t.in) && t.in[t.at] == '*' {
		t.at++
	}
	if first && t.at < len(t.in) && t.in[t.at] == '/' {
		t.at++
		t.out.WriteString("(?:.*/)?")
		return
	}
	t.out.WriteString(".*")
}

// class translates [...], which never matches a slash.
func (t *translator) class() error {
	end := t.at
	if end < len(t.in) && (t.in[end] == '!' || t.in[end] == '^') {
		end++
	}
	if end < len(t.in) && t.in[end] == ']' {
		end++ // the first one stands for itself
	}
	for end < len(t.in) && t.in[end] != ']' {
		end++
	}
	if end >= len(t.in) {
		return errors.New("a [ is not closed")
	}
	body := t.in[t.at:end]
	t.at = end + 1
	not := body[0] == '!' || body[0] == '^'
	if not {
		body = body[1:]
	}
	body = strings.NewReplacer("/", "", `\`, `\\`, "[", `\[`, "]", `\]`, "^", `\^`, "&", `\&`, "~", `\~`).Replace(body)
	switch {
	case not:
		t.out.WriteString("[^/" + body + "]")
	case body == "":
		return errors.New("a [ ] has nothing in it that can be part of a name")
	default:
		t.out.WriteString("[" + body + "]")
	}
	return nil
}
