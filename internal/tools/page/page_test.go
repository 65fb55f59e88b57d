package page

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func filesIn(t *testing.T, root string) *file.Tools {
	t.Helper()
	ws, err := file.NewWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	return file.New(ws)
}

func TestTheToolKeepsItsPromises(t *testing.T) {
	toolstest.Run(t, toolstest.Case{
		New:  func(root string) tools.Tool { return New(Config{Put: filesIn(t, root).Put}) },
		Args: `{"html": "<h1>Sales</h1>", "title": "Sales of May", "mode": "static"}`,
		Mutate: func(root string) {
			if err := os.WriteFile(filepath.Join(root, "sales-of-may.html"), []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	})
}

// A desk is the tool on a workspace, with a browser that only notes.
type desk struct {
	t      *testing.T
	root   string
	files  *file.Tools
	tool   tools.Tool
	opened []string
	fails  error
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, root: t.TempDir()}
	d.files = filesIn(t, d.root)
	d.tool = New(Config{
		Put:     d.files.Put,
		Browser: func() ([]string, error) { return []string{"/bin/browse"}, d.fails },
		Open: func(_ context.Context, argv []string) error {
			d.opened = append(d.opened, strings.Join(argv, " "))
			return nil
		},
	})
	return d
}

func (d *desk) propose(page, title, mode string) (*tools.Proposal, error) {
	raw, err := json.Marshal(map[string]string{"html": page, "title": title, "mode": mode})
	if err != nil {
		d.t.Fatal(err)
	}
	return d.tool.Propose(d.t.Context(), tools.Call{ID: "c", Tool: Name, Args: raw})
}

func (d *desk) run(p *tools.Proposal, choice string) tools.Outcome {
	return p.Execute(d.t.Context(), tools.Decision{Allowed: true, By: tools.ByPerson, Choice: choice}, nil)
}

func TestAPageIsWrittenAsItIsShownAndOpenedOnlyByItsCard(t *testing.T) {
	d := newDesk(t)
	p, err := d.propose("<h1>Hi</h1>", "Hello, World!", "static")
	if err != nil {
		t.Fatal(err)
	}
	if p.Spec.Risk != tools.Low || p.Summary != "new hello-world.html +6 −0" || !strings.Contains(p.Preview[0].Body, "+<h1>Hi</h1>") {
		t.Errorf("%v %q %+v", p.Spec.Risk, p.Summary, p.Preview)
	}
	o := d.run(p, "")
	got, err := os.ReadFile(filepath.Join(d.root, "hello-world.html"))
	if err != nil || o.Kind != tools.OK || len(o.Changes) != 1 || !strings.Contains(o.Text, "nothing has opened it yet: file:///") {
		t.Fatalf("%v %v %+v", err, o.Kind, o)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(got), "\n"), "\n") {
		if !strings.Contains(p.Preview[0].Body, "+"+line+"\n") && !strings.HasSuffix(p.Preview[0].Body, "+"+line) {
			t.Errorf("%q is in the file and was not shown", line)
		}
	}
	if len(d.opened) > 0 || o.Again == nil || len(o.Again.Options) != 1 {
		t.Fatalf("opened %q, offers %+v", d.opened, o.Again)
	}
	if refused := d.run(o.Again, ""); refused.Kind != tools.Blocked || len(d.opened) > 0 {
		t.Errorf("it opens without a choice: %v %q", refused.Kind, d.opened)
	}
	if o := d.run(o.Again, "open"); o.Kind != tools.OK || len(d.opened) != 1 || !strings.HasSuffix(d.opened[0], "/hello-world.html") {
		t.Errorf("%v %s %q", o.Kind, o.Text, d.opened)
	}
	// What is not the page that was written any more is not opened.
	if err := os.WriteFile(filepath.Join(d.root, "hello-world.html"), []byte("<script>evil()</script>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := d.run(o.Again, "open"); o.Block != tools.Stale || len(d.opened) != 1 {
		t.Errorf("%v %s %q", o.Kind, o.Text, d.opened)
	}
	if _, err := d.propose("<h1>Ho</h1>", "hello world", "static"); tools.OutcomeOf(err).Block != tools.Stale {
		t.Errorf("a page that somebody else changed is replaced: %v", err)
	}
}

func TestAPageThatThereWasIsShownAsADifferenceAndAskedAboutLikeAFile(t *testing.T) {
	d := newDesk(t)
	p, err := d.propose("<p>one</p>\n<p>same</p>", "P", "static")
	if err != nil {
		t.Fatal(err)
	}
	d.run(p, "")
	p, err = d.propose("<p>two</p>\n<p>same</p>", "P", "static")
	if err != nil {
		t.Fatal(err)
	}
	if p.Spec.Risk != tools.High || p.Summary != "p.html +1 −1" {
		t.Errorf("%v %q", p.Spec.Risk, p.Summary)
	}
	d.run(p, "")
	p, err = d.propose("<p>two</p>\n<p>same</p>", "P", "static") // nothing to write
	if err != nil {
		t.Fatal(err)
	}
	if o := d.run(p, ""); o.Kind != tools.OK || len(o.Changes) != 0 || o.Again == nil {
		t.Errorf("%v %s", o.Kind, o.Text)
	}
}

func TestWhereNothingCanBeOpenedTheResultSaysSo(t *testing.T) {
	d := newDesk(t)
	d.fails = errors.New("there is no display here to open it on")
	p, err := d.propose("<p>x</p>", "X", "static")
	if err != nil {
		t.Fatal(err)
	}
	if o := d.run(p, ""); o.Again != nil || !strings.Contains(o.Text, "It was not opened (there is no display") {
		t.Errorf("%+v", o)
	}
	d.tool = New(Config{Put: d.files.Put})
	if p, err = d.propose("<p>y</p>", "Y", "static"); err != nil {
		t.Fatal(err)
	}
	if o := d.run(p, ""); o.Again != nil || !strings.Contains(o.Text, "nobody is here to agree to that") {
		t.Errorf("%+v", o)
	}
}

func TestArgumentsThatCannotBeAPage(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct{ page, title, want string }{
		{"<p>", " ", "one line of 1 to 120"},
		{"<p>", strings.Repeat("x", 121), "one line of 1 to 120"},
		{"<p>", "a\nb", "one line"},
		{"<p>", "!?", "no letter or digit"},
		{" \n", "T", "html is blank"},
		{"a\x00b", "T", "NUL"},
		{strings.Repeat("x", maxPage+1), "T", "at most 1048576"},
	} {
		if _, err := d.propose(c.page, c.title, "static"); tools.OutcomeOf(err).Block != tools.InvalidArguments || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q %.20q: %v, want %q", c.page, c.title, err, c.want)
		}
	}
	for args, want := range map[string]string{
		`{"html":"x","title":"T","mode":"live"}`:                        "mode must be one of static, interactive",
		`{"html":"x","title":"T","mode":"static","width":199}`:          "width must be 200 to 2000, not 199",
		`{"html":"x","title":"T","mode":"static","height":2001}`:        "height must be 200 to 2000, not 2001",
		`{"html":"x","title":"T","mode":"static","path":"/etc/passwd"}`: "path is not an argument",
	} {
		if _, err := d.tool.Propose(t.Context(), tools.Call{ID: "c", Tool: Name, Args: json.RawMessage(args)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	for title, want := range map[string]string{
		"Sales": "sales.html", "../../etc/passwd": "etc-passwd.html", ".zuno": "zuno.html", "  a  b  ": "a-b.html",
		"Größe & Œuvre": "größe-œuvre.html", "...": "", "\u202e\u200b": "", strings.Repeat("ab ", 60): strings.TrimSuffix(strings.Repeat("ab-", 30), "-") + ".html",
	} {
		if got := fileName(title); got != want {
			t.Errorf("%q is named %q, want %q", title, got, want)
		}
	}
}

func TestWhatIsNotInThePageIsRefused(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"<p>\n<script src=https://cdn.example/x.js></script>", `line 2: <script src> loads "https://cdn.example/x.js"`},
		{`<script src="local.js"></script>`, `<script src> loads "local.js"`},
		{`<link rel=stylesheet href="//fonts.example/css">`, `<link href> loads "//fonts.example/css"`},
		{`<link rel="icon" href="/favicon.ico">`, `<link href> loads`},
		{`<img src="a.png">`, `<img src> loads "a.png"`},
		{`<img srcset="data:image/png;base64,AA 1x, https://x.example/b.png 2x">`, `loads "https://x.example/b.png"`},
		{`<style>body { background: URL( 'https://x.example/a.png' ) }</style>`, `a style loads "https://x.example/a.png"`},
		{`<style>@import "a.css";</style>`, "@import"},
		{`<p style="background:url(//x.example/p)">`, `a style loads "//x.example/p"`},
		{`<iframe src=https://x.example></iframe>`, "<iframe src>"},
		{`<iframe srcdoc="<img src=a.png>"></iframe>`, "<img src>"},
		{`<noscript><img src=a.png></noscript>`, "<img src>"},
		{`<object data=a.swf></object>`, "<object data>"},
		{`<video poster=a.png></video>`, "<video poster>"},
		{`<svg><image xlink:href="https://x.example/a.svg"/></svg>`, "<image href> loads"},
		{`<svg><use href="other.svg#a"/></svg>`, "<use href>"},
		{`<svg><rect fill="url(https://x.example/g#a)"/></svg>`, "a style loads"},
		{`<base href="https://x.example/">`, "<base href>"},
		{`<meta http-equiv=Refresh content="0; url=https://x.example">`, "leads to another page"},
		{`<form action="https://x.example/take">`, "sends what is typed to"},
		{`<a href="#" ping="https://x.example">`, "tells"},
		{`<a href="java` + "\t" + `script:go()">`, "is a script"},
		{strings.Repeat(`<img src=a.png>`, 11), "and 3 more"},
	} {
		f := inspect(c.page, true)
		if len(f.problems) == 0 || !strings.Contains(f.refusal(), c.want) {
			t.Errorf("%s: %q, want %q", c.page, f.problems, c.want)
		}
	}
	for _, c := range []string{`<script>1</script>`, `<p onclick="go()">`, `<svg><script>1</script></svg>`} {
		if f := inspect(c, false); len(f.problems) == 0 {
			t.Errorf("%s is static", c)
		}
	}
}

func TestWhatIsInThePageIsFine(t *testing.T) {
	page := `<!doctype html><html lang=en><head><title>T</title><link rel=canonical href="https://example.com/x"><style>a{background:url(data:image/png;base64,AA);filter:url(#f)}</style></head>
<body><a href="https://example.com">more</a><img src="data:image/gif;base64,R0" srcset="data:image/png;base64,AA,BB 2x"><svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg><iframe srcdoc="<p>in</p>"></iframe>
<form><input name=q></form><script>const ns = "http://www.w3.org/2000/svg"; fetch("https://api.example/v1")</script></body></html>`
	f := inspect(page, true)
	if len(f.problems) > 0 || strings.Join(f.addresses, " ") != "https://api.example/v1" {
		t.Errorf("%q %q", f.problems, f.addresses)
	}
}

func TestThePolicyComesBeforeAllElse(t *testing.T) {
	w := webApp{title: `A <b> & "c"`, width: 320, height: 240, interactive: true}
	for _, c := range []struct{ page, want string }{
		{"<p>x</p>", "<!DOCTYPE html>\n<meta charset=\"utf-8\">\nPOLICY\n<meta name=\"viewport\" content=\"width=320, height=240\">\n<title>A &lt;b&gt; &amp; &#34;c&#34;</title>\n<p>x</p>\n"},
		{"<!doctype html>\n<html><head>\n<title>T</title></head><body>x</body></html>", "<!doctype html>\n<html><head>\n<meta charset=\"utf-8\">\nPOLICY\n<meta name=\"viewport\" content=\"width=320, height=240\">\n<title>T</title></head><body>x</body></html>\n"},
		{"<script>a</script><head><meta name=Viewport content=x></head>", "<!DOCTYPE html>\n<meta charset=\"utf-8\">\nPOLICY\n<title>A &lt;b&gt; &amp; &#34;c&#34;</title>\n<script>a</script><head><meta name=Viewport content=x></head>\n"},
		{"<!-- <head> --><script>a</script>", "<!DOCTYPE html>\n<meta charset=\"utf-8\">\nPOLICY\n<meta name=\"viewport\" content=\"width=320, height=240\">\n<title>A &lt;b&gt; &amp; &#34;c&#34;</title>\n<!-- <head> --><script>a</script>\n"},
	} {
		got := strings.Replace(complete(c.page, w), `<meta http-equiv="Content-Security-Policy" content="`+policy(true)+`">`, "POLICY", 1)
		if got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.page, got, c.want)
		}
	}
	if strings.Contains(policy(false), "script-src") {
		t.Error("a static page runs scripts")
	}
}

// FuzzPage holds complete to its word with the real parser: the policy is the
// first thing in the head after the encoding, whatever the page.
func FuzzPage(f *testing.F) {
	for _, s := range []string{"<p>x", "<!doctype html><html><head><title>a", "<!--><script>", "<head/><script>", "x<html><head>", "<svg><style><img src=a>", "<html\x00><head ", "<html a=\">\"><head x='", "<!doctype html public x><html><head a=b>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, page string) {
		inspect(page, true)
		inspect(page, false)
		text := complete(page, webApp{title: "T", width: 300, height: 300})
		if !strings.Contains(text, strings.TrimSpace(page)) && !strings.Contains(text, `http-equiv="Content-Security-Policy"`) {
			t.Fatalf("%q lost its text", page)
		}
		doc, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var first []string
		var walk func(*html.Node)
		walk = func(n *html.Node) {
			if n.Type == html.ElementNode && n.Data != "html" && n.Data != "head" && len(first) < 2 {
				first = append(first, n.Data)
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
		}
		walk(doc)
		if len(first) < 2 || first[0] != "meta" || first[1] != "meta" {
			t.Fatalf("%q begins with %q", text, first)
		}
	})
}
