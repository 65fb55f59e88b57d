package scripted

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
)

func next(t *testing.T, p *Player, news string) Answer {
	t.Helper()
	a, err := p.Next(Query{News: news, Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestStepsAreTakenInOrderAndTheEndIsAnError(t *testing.T) {
	p := NewPlayer(&Scenario{Steps: []Step{
		{Text: "f{{n}}", Repeat: 2, Calls: []Call{{Name: "read", Args: `{"path":"f{{n}}"}`}, {Name: "b"}}},
		{Text: "end"},
	}})
	var got []string
	for range 3 {
		a := next(t, p, "")
		got = append(got, a.Text)
		for i, c := range a.Calls {
			got = append(got, a.CallID("call", i)+" "+string(c.Args))
		}
	}
	want := `f1|call_1 {"path":"f1"}|call_2 {}|f2|call_3 {"path":"f2"}|call_4 {}|end`
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if !p.Done() {
		t.Error("not done")
	}
	if _, err := p.Next(Query{News: "more"}); err == nil || err.Error() != `script is over: all 2 steps are used, and the newest input is "more"` {
		t.Errorf("got %v", err)
	}
}

func TestWhatAnExpectationFindsCanBeSaid(t *testing.T) {
	p := NewPlayer(&Scenario{Steps: []Step{
		{Text: "{{job}} is not known yet"},
		{Expect: []string{`re:as (?P<job>job_\w+)`, "plain"}, Text: "it is {{job}}"},
		{Calls: []Call{{Name: "stop", Args: `{"id":"{{job}}"}`}}},
	}})
	var got []string
	for _, news := range []string{"", "plain: as job_7x.", "no job_8 here"} {
		a := next(t, p, news)
		got = append(got, a.Text)
		for _, c := range a.Calls {
			got = append(got, string(c.Args))
		}
	}
	if s := strings.Join(got, "|"); s != `{{job}} is not known yet|it is job_7x||{"id":"job_7x"}` {
		t.Error(s)
	}
}

func TestIDsGoOnAfterThoseInTheRequest(t *testing.T) {
	p := NewPlayer(&Scenario{Steps: []Step{{Calls: []Call{{Name: "a"}, {ID: "mine", Name: "b"}}}}})
	a, err := p.Next(Query{Tools: true, LastID: 41})
	if err != nil || a.CallID("call", 0) != "call_42" || a.CallID("call", 1) != "mine" {
		t.Errorf("got %+v, %v", a, err)
	}
	for id, want := range map[string]int{"call_7": 7, "toolu_0012": 12, "fc_x": 0, "": 0, "_": 0, "a_-3": 0, "9": 9} {
		if got := IDNumber(id); got != want {
			t.Errorf("IDNumber(%q) = %d, want %d", id, got, want)
		}
	}
}

func TestExpectationsAreCheckedAndTheStepStays(t *testing.T) {
	s := &Scenario{Steps: []Step{{Expect: []string{"file {{n}}", "re:^ok$"}, ExpectNot: []string{"denied"}, Text: "x"}}}
	for _, c := range []struct{ news, want string }{
		{"ok", `steps[0]: the newest input lacks "file 1": "ok"`},
		{"file 1 ok", `steps[0]: the newest input lacks "re:^ok$": "file 1 ok"`},
		{"file 1 denied", `lacks "re:^ok$"`},
	} {
		p := NewPlayer(s)
		if _, err := p.Next(Query{News: c.news}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.news, err, c.want)
		}
		if p.Done() {
			t.Errorf("%q: the step is gone", c.news)
		}
	}
	s.Steps[0].Expect = nil
	p := NewPlayer(s)
	if _, err := p.Next(Query{News: "denied"}); err == nil || !strings.Contains(err.Error(), "must not hold") {
		t.Errorf("got %v", err)
	}
	if _, err := p.Next(Query{News: "denied", Blind: true}); err != nil {
		t.Error(err)
	}
}

func TestALostAnswerIsSentAgainWholeWithoutASecondCheck(t *testing.T) {
	for _, f := range []Fault{{Status: 500}, {Error: "quota"}, {Cut: "close"}, {Cut: "length"}, {Quirks: []string{"empty"}}, {Quirks: []string{"blank"}}} {
		f.Again = 1
		p := NewPlayer(&Scenario{Steps: []Step{{Expect: []string{"go"}, Text: "a long answer of some words", Fault: &f}, {Text: "next"}}})
		for i := range 2 {
			if a := next(t, p, "go"); a.Fault == nil && a.Text == "a long answer of some words" {
				t.Errorf("%+v: request %d got the whole answer", f, i)
			}
		}
		if a := next(t, p, "something else"); a.Fault != nil || a.Text != "a long answer of some words" {
			t.Errorf("%+v: the third request got %+v", f, a)
		}
		if a := next(t, p, ""); a.Text != "next" {
			t.Errorf("%+v: then came %+v", f, a)
		}
	}
}

func TestAnOddAnswerIsUsedUp(t *testing.T) {
	p := NewPlayer(&Scenario{Steps: []Step{{Text: "a", Repeat: 3, Fault: &Fault{Quirks: []string{"crlf"}, Again: 1}}}})
	for i, want := range []bool{true, true, false} {
		if a := next(t, p, ""); a.Fault.Has("crlf") != want {
			t.Errorf("request %d: got %+v", i, a.Fault)
		}
	}
	if !p.Done() {
		t.Error("not done")
	}
}

func TestAnAnswerIsCutAtTheOutputLimit(t *testing.T) {
	for after, want := range map[int]string{
		0:  "|",
		1:  "thin|",
		2:  "think|",
		3:  "think|text",
		4:  `think|text a:{"p"`,
		5:  `think|text a:{"p":1}`,
		6:  `think|text a:{"p":1} b:{"q"`,
		99: `think|text a:{"p":1} b:{"q":22222}`,
	} {
		step := Step{
			Think: "think", Text: "text", Chunk: 4, Fault: &Fault{Cut: "length", After: &after},
			Calls: []Call{{Name: "a", Args: `{"p":1}`}, {Name: "b", Args: `{"q":22222}`}},
		}
		a := next(t, NewPlayer(&Scenario{Steps: []Step{step}}), "")
		got := a.Think + "|" + a.Text
		for _, c := range a.Calls {
			got += " " + c.Name + ":" + string(c.Args)
		}
		if got != want || a.Stop != llm.StopLength || a.Fault != nil {
			t.Errorf("after %d: got %q (%s), want %q", after, got, a.Stop, want)
		}
	}
}

func TestACutFallsInTheMiddleOfTheLastThing(t *testing.T) {
	for _, c := range []struct {
		step Step
		want string
	}{
		{Step{Text: "0123456789"}, "01234|"},
		{Step{Text: strings.Repeat("0123456789", 10)}, strings.Repeat("0123456789", 10)[:48] + "|"},
		{Step{Text: "hello", Calls: []Call{{Name: "a", Args: `{"p":"0123"}`}}}, `hello|{"p":"`},
		{Step{Text: "x"}, "|"},
		{Step{Fault: &Fault{}}, "|"},
	} {
		c.step.Fault = &Fault{Cut: "length"}
		a := next(t, NewPlayer(&Scenario{Steps: []Step{c.step}}), "")
		got := a.Text + "|"
		for _, call := range a.Calls {
			got += string(call.Args)
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.step, got, c.want)
		}
	}
}

func TestTheClassifierAnswersWithoutUsingSteps(t *testing.T) {
	p := NewPlayer(&Scenario{Steps: []Step{{Text: "a"}}, Classifier: Classifier{Rules: []Rule{
		{Contains: "git log", Reply: "read-only"}, {Contains: "cat <x", Reply: "low-risk"}, {Contains: "odd", Fault: &Fault{Cut: "stall"}},
	}}})
	for news, want := range map[string]string{
		"<command>git log -1</command>":                               "read-only",
		"<command>rm x</command><conversation>git log</conversation>": "high-risk",
		`<command>cat \u003cx</command>`:                              "low-risk",
		"<command>cat &lt;x":                                          "low-risk",
	} {
		a, err := p.Next(Query{News: news})
		if err != nil || a.Text != want {
			t.Errorf("%s: got %q, %v, want %q", news, a.Text, err, want)
		}
	}
	if a, _ := p.Next(Query{News: "<command>odd</command>"}); a.Fault == nil || a.Fault.Cut != "stall" {
		t.Errorf("got %+v", a)
	}
	if p.Done() || p.Classified() != 5 {
		t.Errorf("classified %d, done %t", p.Classified(), p.Done())
	}
	for _, q := range []Query{
		{News: "<command>a</command>", Tools: true},
		{News: "<operator_command><command>a</command></operator_command>"},
		{News: "a"},
	} {
		if q.Classifies() {
			t.Errorf("%+v is taken for the classifier's", q)
		}
	}
}

func TestAPlayerServesEachStepToOneOfManyCallers(t *testing.T) {
	p := NewPlayer(&Scenario{Steps: []Step{{Text: "{{n}}", Calls: []Call{{Name: "a"}}, Repeat: 100}}})
	var mu sync.Mutex
	seen := map[string]int{}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			a, err := p.Next(Query{Tools: true})
			mu.Lock()
			defer mu.Unlock()
			seen[fmt.Sprint(a.Text, err)]++
			seen[a.CallID("call", 0)]++
		})
	}
	wg.Wait()
	if len(seen) != 200 {
		t.Errorf("%d different answers and ids, want 200", len(seen))
	}
}

func TestChunksNeverSplitACharacter(t *testing.T) {
	var got []string
	for s := range Chunks("aé日\xff🙂b", 2) {
		got = append(got, s)
	}
	if fmt.Sprintf("%q", got) != `["aé" "日\xff" "🙂b"]` {
		t.Errorf("got %q", got)
	}
}

func TestTasksArePlayedBesideTheSteps(t *testing.T) {
	s, err := Parse([]byte(`{"steps": [{"text": "a"}, {"text": "b"}], "tasks": [{"opening": "find", "steps": [{"text": "x"}, {"text": "y", "expect": ["go on"]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p := NewPlayer(s)
	for i, q := range []struct{ opening, news, want string }{
		{"hello", "hello", "a"}, {"please find it", "please find it", "x"}, {"hello", "more", "b"}, {"please find it", "go on", "y"},
	} {
		if p.Done() {
			t.Errorf("done before step %d", i)
		}
		a, err := p.Next(Query{Opening: q.opening, News: q.news})
		if err != nil || a.Text != q.want {
			t.Errorf("%s: %q %v", q.opening, a.Text, err)
		}
	}
	if _, err := p.Next(Query{Opening: "find", News: "more"}); err == nil || !strings.Contains(err.Error(), "tasks[0].steps") || !p.Done() {
		t.Errorf("%v, done %v", err, p.Done())
	}
	if _, err := Parse([]byte(`{"tasks": [{"steps": []}]}`)); err == nil || !strings.Contains(err.Error(), "tasks[0]: opening is missing") {
		t.Error(err)
	}
}
