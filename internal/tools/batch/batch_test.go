package batch

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/toolstest"
)

func TestTheToolKeepsItsPromises(t *testing.T) {
	toolstest.Run(t, toolstest.Case{
		New:  func(string) tools.Tool { return New() },
		Args: `{"tool_calls": [{"tool": "read", "intent": "look", "filePath": "a.txt"}]}`,
	})
}

func propose1(t *testing.T, calls string) (*tools.Proposal, error) {
	t.Helper()
	return New().Propose(t.Context(), tools.Call{ID: "c", Tool: toolName, Args: json.RawMessage(`{"tool_calls": ` + calls + `}`)})
}

func TestCallsThatCannotBeMadeAreRefusedBeforeAny(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat(`{"tool":"read","intent":"x"},`, 11), ",")
	for calls, want := range map[string]string{
		`[]`:                             "1 to 10 calls, not 0",
		`[` + many + `]`:                 "1 to 10 calls, not 11",
		`["read"]`:                       "tool_calls[0]: it must be an object",
		`[{"intent":"x"}]`:               "tool must be a text",
		`[{"tool":"read"}]`:              "intent must be a text",
		`[{"tool":"read","intent":" "}]`: "intent must be a text that is not blank",
		`[{"tool":1,"intent":"x"}]`:      "tool must be a text",
		`[{"tool":"execute","intent":"x","tool_calls":[]}]`:                                                                   "cannot be one of its own calls",
		`[{"tool":"read","intent":"x","bind":"a b"}]`:                                                                         "bind must be a letter",
		`[{"tool":"read","intent":"x","bind":"a"},{"tool":"read","intent":"x","bind":"a"}]`:                                   `bind "a" stands twice`,
		`[{"tool":"read","intent":"x","filePath":{"$ref":"a.output"}}]`:                                                       `"a.output" uses a result that no call before it binds`,
		`[{"tool":"read","intent":"x","bind":"a","filePath":{"$ref":"a.output"}}]`:                                            "no call before it binds",
		`[{"tool":"read","intent":"x","filePath":{"$ref":"a"}}]`:                                                              "is no reference",
		`[{"tool":"read","intent":"x","filePath":{"$ref":"a.output.x"}}]`:                                                     "is no reference",
		`[{"tool":"read","intent":"x","filePath":{"$ref":"a.metadata.files[*]"}}]`:                                            "$each goes with",
		`[{"tool":"read","intent":"x","filePath":{"$each":"a.output"}}]`:                                                      "$each goes with",
		`[{"tool":"read","intent":"x","filePath":{"$ref":"a.output","b":1}}]`:                                                 "$ref stands alone",
		`[{"tool":"read","intent":"x","filePath":{"$ref":1}}]`:                                                                "with a text",
		`[{"tool":"mv","intent":"x","source":{"$each":"a.metadata.files[*]"},"destination":{"$each":"b.metadata.files[*]"}}]`: "one list only",
		`[{"tool":"read","intent":"x","filePath":"a","filePath":"b"}]`:                                                        "given twice",
	} {
		if _, err := propose1(t, calls); tools.OutcomeOf(err).Block != tools.InvalidArguments || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", calls, err, want)
		}
	}
}

// play carries a batch out with outcomes by the arguments of the call, and
// returns the calls in the rounds in which they were made.
func play(t *testing.T, p *tools.Proposal, outcomes map[string]tools.Outcome) (rounds []string, o tools.Outcome) {
	t.Helper()
	var ended []tools.Record
	for {
		calls := p.Batch.Next(ended)
		if len(calls) == 0 {
			return rounds, p.Batch.Outcome(ended, false)
		}
		var made []string
		for i, c := range calls {
			line := c.Tool + string(c.Args)
			made = append(made, line)
			out, ok := outcomes[line]
			if !ok {
				out = tools.Outcome{Kind: tools.OK, Text: "did " + line}
			}
			ended = append(ended, tools.Record{Call: tools.Call{ID: fmt.Sprintf("c_sub%d", len(ended)+i+1), Tool: c.Tool, Args: c.Args}, Outcome: out})
		}
		rounds = append(rounds, strings.Join(made, " "))
	}
}

func TestLaterCallsUseWhatEarlierOnesReturned(t *testing.T) {
	p, err := propose1(t, `[
		{"tool": "glob", "intent": "find", "bind": "found", "pattern": "*.go"},
		{"tool": "grep", "intent": "look", "pattern": "x"},
		{"tool": "read", "intent": "read them", "bind": "texts", "filePath": {"$each": "found.metadata.files[*]"}, "limit": 1e2},
		{"tool": "write", "intent": "note", "filePath": {"$ref": "found.metadata.files[1]"}, "content": {"$ref": "texts.output"}},
		{"tool": "mcp_x_y", "intent": "list", "deep": [{"all": {"$ref": "found.metadata.files"}}]}]`)
	if err != nil {
		t.Fatal(err)
	}
	if p.Summary != "5 calls: glob, grep, read, write, mcp_x_y" || !strings.Contains(p.Preview[2].Title, "[3] read: read them → texts") || !strings.Contains(p.Preview[2].Body, `"$each": "found.metadata.files[*]"`) {
		t.Errorf("%q %+v", p.Summary, p.Preview)
	}
	rounds, o := play(t, p, map[string]tools.Outcome{
		`glob{"pattern":"*.go"}`: {Kind: tools.OK, Text: "secret list", Files: []string{"a<b.go", "c.go"}},
	})
	want := []string{
		`glob{"pattern":"*.go"} grep{"pattern":"x"}`,
		`read{"filePath":"a<b.go","limit":1e2} read{"filePath":"c.go","limit":1e2}`,
		`write{"filePath":"c.go","content":"did read{\"filePath\":\"a<b.go\",\"limit\":1e2}\ndid read{\"filePath\":\"c.go\",\"limit\":1e2}"} mcp_x_y{"deep":[{"all":["a<b.go","c.go"]}]}`,
	}
	if strings.Join(rounds, "\n") != strings.Join(want, "\n") {
		t.Errorf("made\n%s\nwant\n%s", strings.Join(rounds, "\n"), strings.Join(want, "\n"))
	}
	for _, says := range []string{"--- [1] glob ---\n(bound to found and left out here: 11 bytes)", "--- [2] grep ---\ndid grep", "--- [3.2] read ---\n(bound to texts", "\n6 ok"} {
		if !strings.Contains(o.Text, says) {
			t.Errorf("the result lacks %q:\n%s", says, o.Text)
		}
	}
	if o.Kind != tools.OK || strings.Contains(o.Text, "secret list") {
		t.Errorf("%v\n%s", o.Kind, o.Text)
	}
}

func TestWhatHasNoInputIsNotMade(t *testing.T) {
	const calls = `[
		{"tool": "glob", "intent": "find", "bind": "a"},
		{"tool": "read", "intent": "x", "bind": "b", "filePath": {"$ref": "a.metadata.files[2]"}},
		{"tool": "read", "intent": "x", "filePath": {"$ref": "b.output"}},
		{"tool": "read", "intent": "x", "filePath": {"$each": "a.metadata.files[*]"}},
		{"tool": "shell", "intent": "x", "command": "ls"}]`
	for _, c := range []struct {
		name  string
		found tools.Outcome
		made  string
		says  []string
	}{
		{
			"denied",
			tools.Outcome{Kind: tools.Blocked, Block: tools.Denied, Text: "no"},
			`shell{"command":"ls"}`,
			[]string{"[blocked: denied; nothing happened] no", "--- [2] read ---\n[not made: [1], whose result it uses, ended as blocked; nothing happened]", "[3] read ---\n[not made: [2], whose result it uses, was not made", "1 ok, 1 blocked, 3 not made"},
		},
		{"uncertain", tools.Outcome{Kind: tools.Uncertain, Text: "lost"}, `shell{"command":"ls"}`, []string{"UNCERTAIN: the call c_sub1 may have happened.", "1 ok, 1 uncertain, 3 not made"}},
		{"empty", tools.Outcome{Kind: tools.OK, Text: "none"}, `shell{"command":"ls"}`, []string{"a has 0 files, and a.metadata.files[2] is asked for", "there is nothing in the list", "2 ok, 3 not made"}},
		{
			"too many",
			tools.Outcome{Kind: tools.OK, Files: strings.Fields("1 2 3 4 5 6 7 8")},
			`read{"filePath":"3"} read{"filePath":"did read{\"filePath\":\"3\"}"}`,
			[]string{"it would come to 11 calls in all, and 10 are allowed"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := propose1(t, calls)
			if err != nil {
				t.Fatal(err)
			}
			rounds, o := play(t, p, map[string]tools.Outcome{`glob{}`: c.found})
			if got := strings.Join(rounds[1:], " "); !strings.HasPrefix(got, c.made) {
				t.Errorf("made %q, want %q", rounds, c.made)
			}
			for _, says := range c.says {
				if !strings.Contains(o.Text, says) {
					t.Errorf("the result lacks %q:\n%s", says, o.Text)
				}
			}
		})
	}
}

func TestTheResultsShareTheirRoom(t *testing.T) {
	p, err := propose1(t, `[{"tool":"a","intent":"x"},{"tool":"b","intent":"x"}]`)
	if err != nil {
		t.Fatal(err)
	}
	big := tools.Outcome{Kind: tools.OK, Text: strings.Repeat("é long line\n", 9000)}
	_, o := play(t, p, map[string]tools.Outcome{"a{}": big, "b{}": big})
	if len(o.Text) > maxOutput || len(o.Text) < maxOutput/3 || !o.Truncated || !strings.Contains(o.Text, "[2] b") {
		t.Errorf("%d bytes, truncated %v", len(o.Text), o.Truncated)
	}
}

func TestAStoppedBatchSaysWhatWasNotMade(t *testing.T) {
	p, err := propose1(t, `[{"tool":"a","intent":"x","bind":"q"},{"tool":"b","intent":"x","of":{"$ref":"q.output"}}]`)
	if err != nil {
		t.Fatal(err)
	}
	p.Batch.Next(nil)
	o := p.Batch.Outcome([]tools.Record{{Outcome: tools.Outcome{Kind: tools.Cancelled, Text: "stopped"}}}, true)
	if o.Kind != tools.Cancelled || !o.Started || !strings.Contains(o.Text, "[not made: the turn ended before; nothing happened]\n1 cancelled, 1 not made") {
		t.Errorf("%v %s", o.Kind, o.Text)
	}
}

// FuzzSteps holds that no arguments panic, and that calls never exceed the bound
// and never have a reference left in them.
func FuzzSteps(f *testing.F) {
	f.Add(`[{"tool":"a","intent":"x","bind":"q"},{"tool":"b","intent":"x","of":{"$each":"q.metadata.files[*]"}}]`)
	f.Add(`[{"tool":"a","intent":"x","bind":"q"},{"tool":"b","intent":"x","of":[{"$ref":"q.metadata.files[3]"},{"":{}}]}]`)
	f.Fuzz(func(t *testing.T, calls string) {
		p, err := New().Propose(t.Context(), tools.Call{ID: "c", Tool: toolName, Args: json.RawMessage(`{"tool_calls": ` + calls + `}`)})
		if err != nil {
			return
		}
		var ended []tools.Record
		for {
			list := p.Batch.Next(ended)
			if len(list) == 0 {
				break
			}
			for _, c := range list {
				if !json.Valid(c.Args) {
					t.Fatalf("%q is no JSON", c.Args)
				}
				if refs, err := references(c.Args); err == nil && len(refs) > 0 {
					t.Fatalf("%q has references", c.Args)
				}
				ended = append(ended, tools.Record{Call: c, Outcome: tools.Outcome{Kind: tools.OK, Text: "x", Files: []string{"1", "2", "3"}}})
			}
		}
		if len(ended) > maxCalls {
			t.Fatalf("%d calls", len(ended))
		}
		p.Batch.Outcome(ended, false)
	})
}
