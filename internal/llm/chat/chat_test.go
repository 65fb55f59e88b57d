package chat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/llmtest"
)

// decode returns what the chunks, one a line, amount to.
func decode(t *testing.T, lines string) (llm.Message, error) {
	t.Helper()
	e := llm.Endpoint{Provider: "test", Model: "model"}
	d := newDecoder(&e, nil)
	for line := range strings.Lines(lines) {
		if _, err := d.event(llm.Event{Data: []byte(strings.TrimSpace(line))}); err != nil {
			d.end()
			return d.draft.Message(&e, nil, err), err
		}
	}
	d.end()
	return d.draft.Message(&e, nil, nil), nil
}

func outline(m llm.Message) string {
	var parts []string
	for _, p := range m.Parts {
		switch {
		case p.Kind == llm.CallPart && p.Call.Broken != "":
			parts = append(parts, "broken "+p.Call.Name)
		case p.Kind == llm.CallPart && strings.HasPrefix(p.Call.ID, llm.SyntheticID):
			parts = append(parts, p.Call.Name+string(p.Call.Args))
		case p.Kind == llm.CallPart:
			parts = append(parts, p.Call.ID+":"+p.Call.Name+string(p.Call.Args))
		default:
			parts = append(parts, string(p.Kind)+" "+p.Text)
		}
	}
	return strings.Join(parts, " | ")
}

func pieces(list string) string {
	return `{"choices":[{"delta":{"tool_calls":[` + list + `]}}]}` + "\n"
}

// TestPiecesOfCallsFindTheirCall is C085, and C084 for the forms of arguments.
func TestPiecesOfCallsFindTheirCall(t *testing.T) {
	stop := `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`
	both := `A:read{"path":"a"} | B:read{"path":"b"}`
	for name, c := range map[string]struct{ stream, want string }{
		"one index, two IDs": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}`) +
				pieces(`{"index":0,"id":"B","function":{"name":"read","arguments":"{\"path\":\"b\"}"}}`), both,
		},
		"one index, two IDs, in pieces": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":""}}`) + pieces(`{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}`) +
				pieces(`{"index":0,"id":"B","function":{"name":"read","arguments":""}}`) + pieces(`{"index":0,"function":{"arguments":"{\"path\":\"b\"}"}}`), both,
		},
		"no index": {
			pieces(`{"id":"A","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}`) + pieces(`{"id":"B","function":{"name":"read","arguments":"{\"path\":\"b\"}"}}`), both,
		},
		"no index and no ID, in pieces": {
			pieces(`{"function":{"name":"read","arguments":"{\"path\""}}`) + pieces(`{"function":{"arguments":":\"a\"}"}}`) + pieces(`{"function":{"name":"grep","arguments":"{}"}}`),
			`read{"path":"a"} | grep{}`,
		},
		"all in one chunk": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\":\"a\"}"}},{"index":1,"id":"B","function":{"name":"read","arguments":"{\"path\":\"b\"}"}}`), both,
		},
		"all in one chunk with one index": {
			pieces(`{"index":0,"function":{"name":"read","arguments":"{\"path\":\"a\"}"}},{"index":0,"function":{"name":"read","arguments":"{\"path\":\"b\"}"}}`), `read{"path":"a"} | read{"path":"b"}`,
		},
		"the ID in every piece": {
			pieces(`{"id":"A","function":{"name":"read","arguments":"{\"path\""}}`) + pieces(`{"id":"B","function":{"name":"read","arguments":"{\"path\""}}`) +
				pieces(`{"id":"A","function":{"arguments":":\"a\"}"}}`) + pieces(`{"id":"B","function":{"arguments":":\"b\"}"}}`), both,
		},
		"a new ID in every piece": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\""}}`) + pieces(`{"index":0,"id":"X","function":{"arguments":":\"a\"}"}}`), `A:read{"path":"a"}`,
		},
		"the name in every piece": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\""}}`) + pieces(`{"index":0,"function":{"name":"read","arguments":":\"a\"}"}}`), `A:read{"path":"a"}`,
		},
		"pieces of two calls mixed": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\":"}},{"index":1,"id":"B","function":{"name":"read","arguments":"{\"path\":"}}`) +
				pieces(`{"index":1,"function":{"arguments":"\"b\"}"}}`) + pieces(`{"index":0,"function":{"arguments":"\"a\"}"}}`), both,
		},
		"one ID for all": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}`) + pieces(`{"index":1,"id":"A","function":{"name":"grep","arguments":""}}`) +
				pieces(`{"index":1,"function":{"arguments":"{\"path\":\"b\"}"}}`), `A:read{"path":"a"} | grep{"path":"b"}`,
		},
		"whole again at the end": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\":"}}`) + pieces(`{"index":0,"function":{"arguments":"\"a\"}"}}`) +
				pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}`), `A:read{"path":"a"}`,
		},
		"an empty object before them": {
			pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":"{}"}}`) + pieces(`{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}`), `A:read{"path":"a"}`,
		},
		"arguments as an object": {pieces(`{"index":0,"id":"A","function":{"name":"read","arguments":{"path":"a"}}}`), `A:read{"path":"a"}`},
		"no arguments":           {pieces(`{"index":0,"id":"A","function":{"name":"get"}}`), `A:get{}`},
		"null arguments":         {pieces(`{"index":0,"id":"A","function":{"name":"get","arguments":null}}`), `A:get{}`},
		"white space":            {pieces(`{"index":0,"id":"A","function":{"name":"get","arguments":" "}}`), `A:get{}`},
		"encoded twice":          {pieces(`{"index":0,"id":"A","function":{"name":"get","arguments":"\"{}\""}}`), `A:get"{}"`},
		"arguments without call": {pieces(`{"function":{"arguments":"{}"}}`), `broken `},
		"an odd index":           {pieces(`{"index":"0","id":"A","function":{"name":"get","arguments":"{}"}}`), `A:get{}`},
		"calls after text": {
			`{"choices":[{"delta":{"content":"hi"}}]}` + "\n" + pieces(`{"index":0,"id":"A","function":{"name":"get","arguments":"{}"}}`), `text hi | A:get{}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := decode(t, c.stream+stop)
			if err != nil {
				t.Fatal(err)
			}
			if got := outline(m); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if m.Stop != llm.StopCalls {
				t.Errorf("stop %s", m.Stop)
			}
		})
	}
}

func TestReasoningIsReadUnderEveryName(t *testing.T) {
	for _, delta := range []string{
		`{"reasoning_content":"hm"}`, `{"reasoning":"hm"}`, `{"reasoning":"hm","reasoning_content":"hm"}`, `{"reasoning_content":null,"reasoning":"hm"}`,
		`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}`, `{"content":[{"type":"thinking","thinking":"hm"}]}`,
	} {
		m, err := decode(t, `{"choices":[{"delta":`+delta+`}]}`+"\n"+`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`)
		if err != nil || outline(m) != "thinking hm | text ok" {
			t.Errorf("%s: %s, %v", delta, outline(m), err)
		}
	}
}

func TestFinishReasonsOfServersAreRead(t *testing.T) {
	for reason, want := range map[string]llm.Stop{
		"stop": llm.StopEnd, "STOP": llm.StopEnd, "eos_token": llm.StopEnd, "length": llm.StopLength, "max_tokens": llm.StopLength,
		"model_length": llm.StopFull, "content_filter": llm.StopRefusal, "sensitive": llm.StopRefusal, "tool_calls": llm.StopEnd,
	} {
		m, err := decode(t, `{"choices":[{"delta":{"content":"x"},"finish_reason":"`+reason+`"}]}`)
		if err != nil || m.Stop != want {
			t.Errorf("%s: %s, %v", reason, m.Stop, err)
		}
	}
}

func TestErrorsAfterAGoodStartAreErrors(t *testing.T) {
	for stream, kind := range map[string]llm.ErrorKind{
		`{"error":{"message":"busy","code":503}}`:                                                    llm.Overloaded,
		`{"error":"busy"}`:                                                                           llm.Overloaded,
		`{"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`:                             llm.Overloaded,
		`{"choices":[{"error":{"message":"x","code":"insufficient_quota"}}]}`:                        llm.Quota,
		`{"error":{"message":"too many","type":"rate_limit_error"}}`:                                 llm.RateLimit,
		`{"error":{"message":"bad","type":"invalid_request_error"}}`:                                 llm.Rejected,
		`{"error":{"message":"This model's maximum context length is 8192 tokens"},"type":1}`:        llm.TooLong,
		`{"choices":[{"delta":{"content":"half"},"finish_reason":"insufficient_system_resource"}]}`:  llm.Overloaded,
		`{"choices":[{"delta":{"content":"half"},"finish_reason":"network_error"}]}`:                 llm.Overloaded,
		`{"choices":[{"delta":{"content":"half"},"finish_reason":"abort"}]}`:                         llm.Overloaded,
		`{"object":"error","message":"the model crashed","type":"InternalServerError","code":50001}`: llm.Overloaded,
		`{"error":{"message":"no","type":"BadRequestError","code":400}}`:                             llm.Rejected,
		`{"choices":[{"del`: llm.Incomplete,
	} {
		_, err := decode(t, stream)
		e, ok := err.(*llm.Error)
		if !ok || e.Kind != kind {
			t.Errorf("%s: %v", stream, err)
		}
	}
}

// TestThoughtsInTheAnswerAreTakenOut is for servers that leave a model's marks in.
func TestThoughtsInTheAnswerAreTakenOut(t *testing.T) {
	for text, want := range map[string]string{
		"<think>hm</think>\n\nok":          "thinking hm | text ok",
		"\n<think>\nhm\n</think>ok":        "thinking \nhm\n | text ok",
		"<think></think>ok":                "text ok",
		"<think>hm":                        "thinking hm",
		"<think>a < b </thin k></think>ok": "thinking a < b </thin k> | text ok",
		"<thin air":                        "text <thin air",
		"<":                                "text <",
		"ok <think>hm</think>":             "text ok <think>hm</think>",
		" ok":                              "text  ok",
	} {
		for _, size := range []int{1, 3, len(text)} {
			var stream string
			for chunk := range slices.Chunk([]byte(text), size) {
				stream += `{"choices":[{"delta":{"content":` + string(llm.JSON(string(chunk))) + `}}]}` + "\n"
			}
			m, err := decode(t, stream+`{"choices":[{"delta":{},"finish_reason":"STOP"}]}`)
			if err != nil || outline(m) != want || m.Stop != llm.StopEnd {
				t.Errorf("%q in pieces of %d: %q, %v", text, size, outline(m), err)
			}
		}
	}
}

func TestUsageIsNormal(t *testing.T) {
	for usage, want := range map[string]llm.Usage{
		`{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":5}}`: {Input: 40, CacheRead: 60, Output: 20, Reasoning: 5},
		`{"prompt_tokens":100,"completion_tokens":20,"total_tokens":125,"completion_tokens_details":{"reasoning_tokens":5}}`:                                              {Input: 100, Output: 25, Reasoning: 5},
		`{"prompt_tokens":100,"completion_tokens":20,"prompt_cache_hit_tokens":70,"prompt_cache_miss_tokens":30}`:                                                         {Input: 30, CacheRead: 70, Output: 20},

		// As servers write them, and what cannot be a count.
		`{"prompt_tokens":100.0,"completion_tokens":"5"}`:   {Input: 100, Output: 5},
		`{"prompt_tokens":-100,"completion_tokens":-5}`:     {},
		`{"prompt_tokens":10,"prompt_tokens_details":null}`: {Input: 10},
	} {
		m, err := decode(t, `{"choices":[],"usage":`+usage+`}`)
		if err != nil || m.Usage != want {
			t.Errorf("%s became %+v, %v", usage, m.Usage, err)
		}
	}
}

// fields returns the request as JSON fields.
func fields(t *testing.T, e llm.Endpoint, req llm.Request) map[string]json.RawMessage {
	t.Helper()
	if req.Messages == nil {
		req.Messages = []*llm.Message{llm.UserText("x")}
	}
	var out map[string]json.RawMessage
	body := New(e).(*model).body(req).Bytes()
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return out
}

func TestSettingsAreSentAsTheServerTakesThem(t *testing.T) {
	zero := 0.0
	tools := []llm.ToolSpec{{Name: "read"}}
	for name, c := range map[string]struct {
		base  string
		think bool
		req   llm.Request
		want  map[string]string
	}{
		"nothing asked":        {"http://localhost/v1", true, llm.Request{}, map[string]string{"max_tokens": "", "temperature": "", "reasoning_effort": "", "tool_choice": "", "tools": ""}},
		"a limit":              {"http://localhost/v1", false, llm.Request{MaxTokens: 9}, map[string]string{"max_tokens": "9", "max_completion_tokens": ""}},
		"OpenAI's limit":       {"", false, llm.Request{MaxTokens: 9, CacheKey: "k"}, map[string]string{"max_tokens": "", "max_completion_tokens": "9", "prompt_cache_key": `"k"`}},
		"no key elsewhere":     {"http://localhost/v1", false, llm.Request{CacheKey: "k"}, map[string]string{"prompt_cache_key": ""}},
		"effort":               {"http://localhost/v1", true, llm.Request{Effort: "high", Temperature: &zero}, map[string]string{"reasoning_effort": `"high"`, "temperature": "0"}},
		"effort off":           {"http://localhost/v1", true, llm.Request{Effort: "off"}, map[string]string{"reasoning_effort": `"none"`}},
		"effort, no reasoning": {"http://localhost/v1", false, llm.Request{Effort: "high"}, map[string]string{"reasoning_effort": ""}},
		"OpenAI reasoning":     {"", true, llm.Request{Effort: "high", Temperature: &zero}, map[string]string{"temperature": ""}},
		"no tools this turn":   {"http://localhost/v1", false, llm.Request{NoTools: true, Tools: tools}, map[string]string{"tool_choice": `"none"`}},
		"no tools at all":      {"http://localhost/v1", false, llm.Request{NoTools: true}, map[string]string{"tool_choice": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			got := fields(t, llm.Endpoint{Model: "m", BaseURL: c.base, Info: llm.Info{Reasoning: c.think}}, c.req)
			for k, want := range c.want {
				if string(got[k]) != want {
					t.Errorf("%s is %s, want %q", k, got[k], want)
				}
			}
		})
	}
}

func TestServersThatDemandReasoningGetItBack(t *testing.T) {
	turn := &llm.Message{Role: llm.Assistant, Model: "p/m", Parts: []llm.Part{
		{Kind: llm.Thinking, Text: "hm"},
		{Kind: llm.CallPart, Call: &llm.Call{ID: "A", Name: "read", Args: json.RawMessage(`{}`), Opaque: json.RawMessage(`{"google":{"thought_signature":"s"}}`)}},
	}}
	for base, want := range map[string]string{
		"https://api.deepseek.com/v1": `,{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"A","type":"function","function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}`,
		"http://localhost/v1":         `,{"role":"assistant","tool_calls":[{"id":"A","type":"function","function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}`,
	} {
		m := New(llm.Endpoint{Provider: "p", Model: "m", BaseURL: base}).(*model)
		if got := string(m.encode(turn).main); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", base, got, want)
		}
		m = New(llm.Endpoint{Provider: "p", Model: "other", BaseURL: base}).(*model)
		if got := string(m.encode(turn).main); strings.Contains(got, "hm") || strings.Contains(got, "signature") {
			t.Errorf("another model was sent %s", got)
		}
	}
}

func TestAKeyIsSentOnlyWhenThereIsOne(t *testing.T) {
	for key, want := range map[string]bool{"": false, "k": true} {
		h := llmtest.Headers(t, New, key)
		if got := h.Get("Authorization") == "Bearer k"; got != want || h.Get("X-Extra") != "1" {
			t.Errorf("key %q: headers %v", key, h)
		}
	}
}

// TestMistralTakesWhatOthersBegan is a conversation that another provider began,
// and that the person broke into.
func TestMistralTakesWhatOthersBegan(t *testing.T) {
	call := func(id string) llm.Part {
		return llm.Part{Kind: llm.CallPart, Call: &llm.Call{ID: id, Name: "read", Args: json.RawMessage(`{}`)}}
	}
	ms := []*llm.Message{
		llm.UserText("one"),
		{Role: llm.Assistant, Model: "anthropic/m", Parts: []llm.Part{call("toolu_01AbCdEfGhIjKl"), call("abcDEF123")}},
		{Role: llm.Tool, Parts: []llm.Part{{Kind: llm.Result, For: "toolu_01AbCdEfGhIjKl", Text: "x"}, {Kind: llm.Result, For: "abcDEF123", Text: "y"}}},
		llm.UserText("two"),
	}
	outline := func(base string) string {
		var list []struct {
			Role      string
			ToolCalls []struct{ ID string } `json:"tool_calls"`
			For       string                `json:"tool_call_id"`
		}
		if err := json.Unmarshal(fields(t, llm.Endpoint{Model: "m", BaseURL: base}, llm.Request{Messages: ms})["messages"], &list); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range list {
			s := m.Role
			for _, c := range m.ToolCalls {
				s += " " + c.ID
			}
			out = append(out, strings.TrimSpace(s+" "+m.For))
		}
		return strings.Join(out, ", ")
	}
	short := llm.ShortID("toolu_01AbCdEfGhIjKl", 9)
	if len(short) != 9 || strings.ContainsAny(short, "-_") {
		t.Errorf("the ID is %q", short)
	}
	want := "user, assistant " + short + " abcDEF123, tool " + short + ", tool abcDEF123, assistant, user"
	if got := outline("https://api.mistral.ai/v1"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := outline("http://localhost/v1"); got != "user, assistant toolu_01AbCdEfGhIjKl abcDEF123, tool toolu_01AbCdEfGhIjKl, tool abcDEF123, user" {
		t.Errorf("another server is sent %s", got)
	}
}
