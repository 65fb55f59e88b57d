package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/zuno-dev/zuno/internal/tools"
)

// maxNamed is how many problems, and how many addresses, are named.
const maxNamed = 8

// maxNested is how deep pages in pages are looked at.
const maxNested = 4

// Findings are what keeps a page from standing alone.
type findings struct {
	problems  []string
	more      int      // problems beyond those named
	addresses []string // of other machines, in scripts
}

func (f *findings) problem(line int, format string, a ...any) {
	if len(f.problems) == maxNamed {
		f.more++
		return
	}
	f.problems = append(f.problems, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, a...))
}

// refusal names the problems.
func (f *findings) refusal() string {
	s := "the page must stand alone, and does not:\n- " + strings.Join(f.problems, "\n- ")
	if f.more > 0 {
		s += fmt.Sprintf("\n- and %d more", f.more)
	}
	return s + "\nPut scripts and styles into the page, and pictures and fonts as data: addresses. Nothing was written."
}

// inspect reads a page as a browser does, token by token. It finds what the page
// says openly; what a script could still put together when it runs is for the
// policy in the page.
func inspect(page string, interactive bool) *findings {
	f := &findings{}
	f.page(page, interactive, 1, 0)
	return f
}

func (f *findings) page(page string, interactive bool, line, depth int) {
	if depth > maxNested {
		f.problem(line, "pages stand in each other more than %d deep", maxNested)
		return
	}
	z := html.NewTokenizer(strings.NewReader(page))
	in := "" // the element whose raw text comes next
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return // its end: there is no other error in a string
		}
		at := line
		line += strings.Count(string(z.Raw()), "\n")
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			in = t.Data
			f.element(t, interactive, at, depth)
		case html.TextToken:
			text := string(z.Raw())
			switch in {
			case "style":
				f.style(text, at)
			case "script":
				f.script(text)
			case "noscript", "noembed", "noframes":
				f.page(text, interactive, at, depth+1)
			}
			in = ""
		default:
			in = ""
		}
	}
}

// loading are the attributes whose address a browser fetches by itself, whatever
// the element; href is one of some elements only.
var loading = [...]string{"src", "srcset", "imagesrcset", "poster", "data", "background", "manifest", "lowsrc", "dynsrc", "archive", "code", "codebase", "longdesc"}

// hrefLoads are the elements of which a browser fetches the href.
var hrefLoads = [...]string{"image", "use", "feimage", "pattern", "lineargradient", "radialgradient", "mpath", "textpath", "script", "filter", "cursor"}

// linked are the relations that only say something.
var linked = [...]string{"canonical", "author", "license", "help", "bookmark", "me", "shortlink"}

func (f *findings) element(t html.Token, interactive bool, line, depth int) {
	if t.Data == "script" && !interactive {
		f.problem(line, "a script, and the mode is static: leave it out, or say interactive")
	}
	if t.Data == "base" && value(t, "href") != "" {
		f.problem(line, "<base href> has every address lead elsewhere")
	}
	for _, a := range t.Attr {
		key := strings.TrimPrefix(strings.ToLower(a.Key), "xlink:")
		outside := !inPage(a.Val)
		switch {
		case key == "style":
			f.style(a.Val, line)
		case key == "srcdoc":
			f.page(a.Val, interactive, line, depth+1)
		case strings.HasPrefix(key, "on") && !interactive:
			f.problem(line, "%s=… on <%s> is a script, and the mode is static", key, t.Data)
		case strings.HasPrefix(key, "on"):
			f.script(a.Val)
		case scripted(a.Val) && slices.Contains([]string{"href", "action", "formaction", "src", "data"}, key):
			f.problem(line, "the %s of <%s> is a script: put it into a script element", key, t.Data)
		case key == "srcset" || key == "imagesrcset":
			if external := candidates(a.Val); external != "" {
				f.loads(t, key, external, line)
			}
		case !outside:
		case slices.Contains(loading[:], key) && !(key == "data" && t.Data != "object"), key == "href" && slices.Contains(hrefLoads[:], t.Data):
			f.loads(t, key, a.Val, line)
		case key == "href" && t.Data == "link" && !says(value(t, "rel")):
			f.loads(t, key, a.Val, line)
		case key == "action" || key == "formaction":
			f.problem(line, "<%s %s> sends what is typed to %s", t.Data, key, quoted(a.Val))
		case key == "ping":
			f.problem(line, "<%s ping> tells %s of a click", t.Data, quoted(a.Val))
		case key == "content" && strings.EqualFold(value(t, "http-equiv"), "refresh") && strings.Contains(strings.ToLower(a.Val), "url"):
			f.problem(line, "<meta http-equiv=refresh> leads to another page")
		case slices.Contains([]string{"fill", "stroke", "filter", "mask", "clip-path", "cursor"}, key):
			f.style(a.Val, line)
		}
	}
}

func (f *findings) loads(t html.Token, key, address string, line int) {
	f.problem(line, "<%s %s> loads %s", t.Data, key, quoted(address))
}

// says reports whether a relation of a link only says something.
func says(rel string) bool {
	words := strings.Fields(strings.ToLower(rel))
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(linked[:], w) })
}

func value(t html.Token, key string) string {
	for _, a := range t.Attr {
		if strings.EqualFold(a.Key, key) {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// inPage reports whether nothing has to be fetched for an address.
func inPage(address string) bool {
	a := strings.ToLower(bare(address))
	return a == "" || a == "about:blank" || strings.HasPrefix(a, "#") || strings.HasPrefix(a, "data:") || strings.HasPrefix(a, "blob:")
}

func scripted(address string) bool {
	return strings.HasPrefix(strings.ToLower(bare(address)), "javascript:")
}

// bare is an address without what browsers pass over in it.
func bare(address string) string {
	return strings.TrimSpace(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address))
}

// candidates returns the first address of a srcset that has to be fetched, ""
// when there is none. An address goes on to the next blank, so that the comma in
// one of data: parts nothing.
func candidates(set string) string {
	for _, field := range strings.Fields(set) {
		field = strings.Trim(field, ",")
		if field == "" || descriptor().MatchString(field) || inPage(field) {
			continue
		}
		return field
	}
	return ""
}

func descriptor() *regexp.Regexp { return regexp.MustCompile(`^[0-9.]+[wxh]$`) }

// style finds what a style sheet loads.
func (f *findings) style(css string, line int) {
	if m := imported().FindString(css); m != "" {
		f.problem(line, "a style has @import: put what it loads into the page")
	}
	for _, m := range urls().FindAllStringSubmatch(css, -1) {
		if address := strings.Trim(strings.TrimSpace(m[1]), `"'`); !inPage(address) {
			f.problem(line, "a style loads %s", quoted(address))
		}
	}
}

func imported() *regexp.Regexp { return regexp.MustCompile(`(?i)@import\b`) }

func urls() *regexp.Regexp {
	return regexp.MustCompile(`(?i)url\(\s*("[^"]*"|'[^']*'|[^)]*)`)
}

// script notes the addresses of other machines that a script names.
func (f *findings) script(text string) {
	for _, a := range addresses().FindAllString(text, -1) {
		if strings.Contains(a, "//www.w3.org/") { // the names of XML's vocabularies, which nobody fetches
			continue
		}
		if len(f.addresses) < maxNamed && !slices.Contains(f.addresses, a) {
			f.addresses = append(f.addresses, a)
		}
	}
}

func addresses() *regexp.Regexp {
	return regexp.MustCompile("(?i)\\b(?:https?|wss?)://[^\\s\"'`<>()\\\\]+")
}

func quoted(s string) string { return fmt.Sprintf("%q", tools.Clip(tools.CleanLine(s), 80)) }
