package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// all is a question with every kind of field that the protocol knows.
const all = `{"type":"object","required":["name"],"properties":{
 "name":{"title":"String","type":"string","description":"Your full, legal name","minLength":2},
 "check":{"title":"Boolean","type":"boolean","description":"Agree to the terms"},
 "firstLine":{"title":"String with default","type":"string","default":"It was a dark and stormy night."},
 "email":{"type":"string","format":"email"}, "homepage":{"type":"string","format":"uri"}, "birthdate":{"type":"string","format":"date"},
 "integer":{"type":"integer","minimum":1,"maximum":100,"default":42}, "number":{"type":"number","minimum":0,"maximum":1000,"default":3.14},
 "friend":{"type":"string","enum":["Monica","Rachel"],"default":"Monica"},
 "instruments":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["Guitar","Piano","Drums"]},"default":["Guitar"]},
 "hero":{"type":"string","oneOf":[{"const":"hero-1","title":"Superman"},{"const":"hero-2","title":"Wonder Woman"}]},
 "fish":{"type":"array","items":{"anyOf":[{"const":"fish-1","title":"Tuna"},{"const":"fish-2","title":"Salmon"}]}},
 "pet":{"type":"string","enum":["pet-1","pet-2"],"enumNames":["Cats","Dogs"]}}}`

// pick chooses rows, each given as a part of its group's name and its label, with
// what is typed behind an equals sign.
func pick(p *tools.Proposal, labels ...string) string {
	var lines []string
	for _, label := range labels {
		group, label, _ := strings.Cut(label, "/")
		label, text, typed := strings.Cut(label, "=")
		for _, o := range p.Options {
			if strings.Contains(o.Group, group) && o.Label == label && o.Write == typed {
				lines = append(lines, tools.Choose(o, text))
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

func TestAnswersToAServersQuestion(t *testing.T) {
	with := func(rows ...string) []string {
		for _, g := range []string{"Boolean", "String with default", "· email", "homepage", "birthdate", "integer", "number", "friend", "instruments", "hero", "fish", "pet"} {
			rows = append(rows, g+"/Leave it out")
		}
		return rows
	}
	for _, c := range []struct {
		rounds [][]string // of rows that are chosen
		want   string     // what the server gets
		says   string     // what the last round says is wrong
	}{
		{[][]string{with("legal name/Type an answer=Jo")}, `accept {"name":"Jo"}`, ""},
		{
			[][]string{{"legal name/Type an answer=Jo", "Boolean/No", "String with default/It was a dark and stormy night.", "· email/Type an answer=a@b.example", "homepage/Type an answer=https://x.example", "birthdate/Type an answer=2001-02-28", "integer/42", "number/Type an answer=2.50", "friend/Rachel", "instruments/Piano", "instruments/Drums", "hero/Wonder Woman", "fish/Tuna", "pet/Dogs"}},
			`accept {"birthdate":"2001-02-28","check":false,"email":"a@b.example","firstLine":"It was a dark and stormy night.","fish":["fish-1"],"friend":"Rachel","hero":"hero-2","homepage":"https://x.example","instruments":["Piano","Drums"],"integer":42,"name":"Jo","number":2.5,"pet":"pet-2"}`, "",
		},
		{[][]string{with("legal name/Type an answer=J"), {"legal name/Type an answer=Jo"}}, `accept {"name":"Jo"}`, `not "J": it is to be text, at least 2 characters`},
		{[][]string{{"legal name/Type an answer=Jo", "integer/Type an answer=many"}, {"integer/Type an answer=7"}}, `accept {"integer":7,"name":"Jo"}`, `not "many": it is to be a whole number, 1 to 100`},
		{[][]string{{"legal name/Type an answer=Jo", "integer/Type an answer=101"}, {"integer/Leave it out"}}, `accept {"name":"Jo"}`, `not "101"`},
		{[][]string{{"legal name/Type an answer=Jo", "number/Type an answer=NaN"}, {"number/3.14"}}, `accept {"name":"Jo","number":3.14}`, `not "NaN"`},
		{[][]string{{"legal name/Type an answer=Jo", "· email/Type an answer=Jo <a@b.example>"}, nil}, "decline", "an e-mail address"},
		{[][]string{{"legal name/Type an answer=Jo", "birthdate/Type an answer=31.1.2006"}, nil}, "decline", "a date such as 2006-01-31"},
		{[][]string{{"legal name/Type an answer=Jo", "homepage/Type an answer=example"}, nil}, "decline", "https://example.com"},
		{[][]string{{"legal name/Type an answer=Jo", "instruments/Piano", "instruments/Drums", "instruments/Guitar"}, {"instruments/Guitar"}}, `accept {"instruments":["Guitar"],"name":"Jo"}`, "choose 1 to 2"},
		{[][]string{{"friend/Monica"}, {"legal name/Type an answer=Jo"}}, `accept {"friend":"Monica","name":"Jo"}`, "it is needed"},
		{[][]string{nil}, "decline", ""},
	} {
		round, last := 0, ""
		cl := client(t, newProgram(), func(conf *Config) {
			conf.Ask = func(_ context.Context, q *tools.Proposal) (tools.Decision, error) {
				last = q.Options[0].Group
				round++
				if round > len(c.rounds) || c.rounds[round-1] == nil {
					return tools.Decision{}, nil
				}
				choice := pick(q, c.rounds[round-1]...)
				if !tools.Offered(q.Options, choice) {
					t.Errorf("%q is not on offer", choice)
				}
				return tools.Decision{Allowed: true, Choice: choice}, nil
			}
		})
		res, err := cl.links[0].elicit(t.Context(), &sdk.ElicitRequest{Params: &sdk.ElicitParams{Message: "Who are you?", RequestedSchema: decoded(t, all)}})
		if err != nil {
			t.Fatal(err)
		}
		got := res.Action
		if got == "accept" {
			b, err := json.Marshal(res.Content)
			if err != nil {
				t.Fatal(err)
			}
			got += " " + string(b)
		}
		if got != c.want || !strings.Contains(last, c.says) || round != len(c.rounds) {
			t.Errorf("%q: %s after %d rounds, the last of which says %q; want %s and %q", c.rounds, got, round, last, c.want, c.says)
		}
	}
}

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAQuestionThatCannotBeAsked(t *testing.T) {
	var rows, props []string
	for i := range maxRows + 1 {
		rows = append(rows, fmt.Sprintf("%q", fmt.Sprint("v", i)))
		props = append(props, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	for _, bad := range []string{
		`{"properties":{"o":{"type":"object"}}}`, `{"properties":{"a":{"type":"array"}}}`, `{"properties":{"a":3}}`,
		`{"properties":{"a":{"type":"string","enum":[` + strings.Join(rows, ",") + `]}}}`, `{"properties":{` + strings.Join(props, ",") + `}}`,
	} {
		if _, err := fieldsOf(decoded(t, bad)); err == nil {
			t.Errorf("%.80s can be asked", bad)
		}
	}
	fields, err := fieldsOf(decoded(t, `{"properties":{"a":{"title":"Same","type":"string","default":7},"b":{"title":"Same","enum":["x"]}}}`))
	if err != nil || len(fields) != 2 || fields[0].title == fields[1].title || fields[1].kind != "string" {
		t.Errorf("%+v, %v", fields, err)
	}
}

// A question belongs to the calls during which it was asked: when they are over
// it is withdrawn, although the server goes on waiting for the answer.
func TestAQuestionEndsWithItsCall(t *testing.T) {
	asked, withdrawn := make(chan struct{}), make(chan struct{})
	p := newProgram()
	answers := make(chan string, 1)
	p.server.AddTool(&sdk.Tool{Name: "ask", InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		got, err := r.Session.Elicit(context.Background(), &sdk.ElicitParams{Message: "Still there?"}) // not told that the call is over
		if err != nil {
			return nil, err
		}
		answers <- got.Action
		return &sdk.CallToolResult{}, nil
	})
	c := client(t, p, func(conf *Config) {
		conf.Ask = func(ctx context.Context, _ *tools.Proposal) (tools.Decision, error) {
			close(asked)
			<-ctx.Done()
			close(withdrawn)
			return tools.Decision{}, ctx.Err()
		}
	})
	list := known(t, c)
	prop, err := list[0].Propose(t.Context(), tools.Call{ID: "c", Tool: "mcp_x_ask", Args: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	prop.Execute(ctx, tools.Decision{Allowed: true, By: tools.ByPerson}, nil)
	select {
	case <-withdrawn:
	case <-time.After(60 * time.Second):
		t.Fatal("the question was not withdrawn")
	}
	if got := <-answers; got != "cancel" {
		t.Errorf("the server was told %q", got)
	}
}
