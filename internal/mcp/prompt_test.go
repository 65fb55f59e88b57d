package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func commands(list []Prompt) string {
	var all []string
	for _, p := range list {
		all = append(all, p.Command)
	}
	return strings.Join(all, " ")
}

func TestPromptsAreListedAndGot(t *testing.T) {
	p := newProgram()
	addPrompt(p)
	c := client(t, p, nil)
	known(t, c)
	all := c.Prompts(nil)
	if len(all) != 1 || all[0].Server != "x" || all[0].Name != "review" || all[0].Usage() != "[file]" || all[0].Command != "x:review" {
		t.Fatalf("prompts: %+v", all)
	}
	r, err := c.Prompt(context.Background(), all[0], map[string]string{"file": "a.go"})
	if err != nil || r.Text != "Look at a.go" {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := c.Prompt(context.Background(), Prompt{Server: "x", Name: "nothing"}, nil); err == nil {
		t.Error("a prompt that is not there")
	}
}

func TestTheCommandsOfPromptsAreNobodyElses(t *testing.T) {
	offers := func(names ...string) *Listing {
		l := &Listing{}
		for _, n := range names {
			l.prompt(&sdk.Prompt{Name: n})
		}
		return l
	}
	c := New(Config{Servers: []Server{{Name: "a.b"}, {Name: "a_b"}, {Name: "skill"}, {Name: "own"}}})
	defer c.Close()
	c.links[0].list, c.links[1].list = offers("x"), offers("x", "x", " ", "é y", "__y", "../../etc\x1b[2J")
	c.links[2].list, c.links[3].list = offers("x"), offers("taken", "free", strings.Repeat("n", 300))
	got := strings.Fields(commands(c.Prompts(func(command string) bool { return command == "own:taken" })))
	want := []string{
		"a_b_" + sum("a.b")[:8] + ":x", "a_b:x", "a_b:__y_" + sum("a_b", "é y")[:8], "a_b:__y", "a_b:______etc__2J",
		"skill_" + sum("skill")[:8] + ":x", "own:taken_" + sum("own", "taken")[:8], "own:free", "own:" + strings.Repeat("n", 64),
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	for _, name := range []string{"a_b", "skill"} {
		if s, _ := c.Named(name); name == "skill" && s != "" || name == "a_b" && s != "a_b" {
			t.Errorf("%s is %q", name, s)
		}
	}
}

func TestWhatIsTypedBehindAPromptBecomesItsArguments(t *testing.T) {
	p := Prompt{Command: "x:p", Arguments: []Argument{{"file", "which one", true}, {"depth", "", false}}}
	for text, want := range map[string]string{
		"a.go":                      "file=a.go",
		" a.go 3 \n more ":          "depth=3 more file=a.go",
		"depth=3 a.go":              "depth=3 file=a.go",
		`file="a b.go" depth='x y'`: "depth=x y file=a b.go",
		`don't "stop`:               `depth="stop file=don't`,
		"x=1":                       "file=x=1",
		"":                          "error: it needs file (which one): type /x:p file [depth]",
		"depth=2":                   "error: it needs file (which one): type /x:p file [depth]",
		`""`:                        "error: it needs file (which one): type /x:p file [depth]",
		"file=a file=b":             "error: file is given twice",
		"file=a depth=b c":          "error: it takes no \"c\": type /x:p file [depth]",
	} {
		args, err := p.Parse(text)
		got := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(args), "map["), "]")
		got = strings.ReplaceAll(got, "file:", "file=")
		got = strings.ReplaceAll(got, "depth:", "depth=")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
		}
	}
	if _, err := (Prompt{Command: "x:p"}).Parse("what"); err == nil || !strings.Contains(err.Error(), "/x:p takes nothing") {
		t.Errorf("a prompt without arguments: %v", err)
	}
	if m := p.Missing("file=a dep"); len(m) != 1 || m[0].Name != "depth" {
		t.Errorf("missing: %v", m)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a b=c \"d e\"")
	f.Add("b='")
	f.Fuzz(func(t *testing.T, text string) {
		p := Prompt{Arguments: []Argument{{"a", "", true}, {"b", "", false}, {"b=", "", false}, {"", "", false}}}
		args, err := p.Parse(text)
		if err == nil && strings.TrimSpace(args["a"]) == "" {
			t.Errorf("%q: without what it needs: %v", text, args)
		}
		for name := range args {
			if !slices.ContainsFunc(p.Arguments, func(a Argument) bool { return a.Name == name }) {
				t.Errorf("%q: %q", text, args)
			}
		}
	})
}

func TestAReplyIsTheServersWords(t *testing.T) {
	png := []byte("\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0d\x49\x44\x41\x54\x78\xda\x63\x64\xf8\xcf\x50\x0f\x00\x03\x86\x01\x80\x5a\x34\x7d\x6b\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82")
	r := replyOf([]*sdk.PromptMessage{
		nil,
		{Role: "user"},
		{Role: "user", Content: &sdk.TextContent{Text: "Look\x1b[2J at it."}},
		{Role: "assistant", Content: &sdk.TextContent{Text: "I did."}},
		{Role: "user", Content: &sdk.ImageContent{MIMEType: "image/png", Data: png}},
		{Role: "user", Content: &sdk.AudioContent{MIMEType: "audio/wav", Data: png}},
		{Role: "user", Content: &sdk.ResourceLink{URI: "file:///etc/shadow", Name: "s"}},
		{Role: "user", Content: &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "note://1", Text: "body"}}},
		{Role: "user", Content: &sdk.TextContent{Text: strings.Repeat("x", maxReply)}},
	})
	want := "[user:]\nLook\\x1b[2J at it.\n[assistant:]\nI did.\n[user:]\n[a picture, image/png]\n[user:]\n[sound, audio/wav, 70 bytes: left out]\n" +
		"[user:]\n[a link to file:///etc/shadow (s): not fetched]\n[user:]\n[note://1]\nbody\n[user:]\nxxx"
	if !strings.HasPrefix(r.Text, want) || len(r.Images) != 1 || !r.Cut || len(r.Text) > maxReply+100 || !strings.Contains(r.Text, "more bytes are left out") {
		t.Errorf("%d pictures, cut %v, %d bytes: %.400s", len(r.Images), r.Cut, len(r.Text), r.Text)
	}
}

func TestPromptsComeAndGoAndServersSuggestValues(t *testing.T) {
	p := newProgram()
	var asked *sdk.CompleteParams
	p.server = sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Prompts: &sdk.PromptCapabilities{ListChanged: true}, Completions: &sdk.CompletionCapabilities{}}, CompletionHandler: func(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			asked = r.Params
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{"main.go", "mend.go"}}}, nil
		},
	})
	c := client(t, p, nil)
	if got := c.Complete(context.Background(), Prompt{Server: "x", Name: "review"}, "file", "m", nil); got != nil || p.count() != 0 {
		t.Errorf("a server was started for a suggestion: %v", got)
	}
	known(t, c)
	addPrompt(p)
	for range 500 { // until the server has said so
		c.Tools(context.Background())
		if len(c.Prompts(nil)) == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	all := c.Prompts(nil)
	if commands(all) != "x:review" {
		t.Fatalf("prompts: %+v", all)
	}
	got := c.Complete(context.Background(), all[0], "file", "m", map[string]string{"depth": "1"})
	if strings.Join(got, " ") != "main.go mend.go" || asked.Ref.Name != "review" || asked.Argument.Value != "m" || asked.Context.Arguments["depth"] != "1" {
		t.Errorf("suggested %v for %+v", got, asked)
	}
}
