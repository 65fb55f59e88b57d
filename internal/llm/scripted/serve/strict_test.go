package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// A change turns a valid request into another one. Want is a part of the
// violation; "" means that the request is valid as well.
type change struct{ name, old, new, want string }

func TestEveryWireRefusesWhatItsProviderRefuses(t *testing.T) {
	for wire, changes := range map[string][]change{
		"messages": messagesChanges(), "responses": responsesChanges(), "chat": chatChanges(), "gemini": geminiChanges(),
	} {
		c := clientOf(t, wire)
		for _, ch := range append(changes, change{"nothing", "hello", "hello", ""}) {
			t.Run(wire+" "+ch.name, func(t *testing.T) {
				if !strings.Contains(c.base, ch.old) {
					t.Fatalf("%s is not in the request", ch.old)
				}
				s := New(text("fine"))
				w := c.ask(s, strings.Replace(c.base, ch.old, ch.new, 1))
				if ch.want == "" {
					if w.Code != http.StatusOK || len(s.Violations()) > 0 {
						t.Fatalf("refused: %d %q", w.Code, s.Violations())
					}
					return
				}
				if w.Code != http.StatusBadRequest || len(s.Violations()) != 1 || !strings.Contains(s.Violations()[0], ch.want) {
					t.Fatalf("got %d %q, want %q", w.Code, s.Violations(), ch.want)
				}
				if got := at(parse([]string{w.Body.String()})[0], "error", "message"); !strings.HasSuffix(s.Violations()[0], got.(string)) {
					t.Errorf("the answer says %q", got)
				}
				if s.Done() {
					t.Error("the step was used")
				}
			})
		}
	}
}

func messagesChanges() []change {
	calls := `{"type":"tool_use","id":"toolu_1","name":"read","input":{"path":"a"}}`
	results := `{"type":"tool_result","tool_use_id":"toolu_1","content":"alpha"},`
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}`
	return []change{
		{"no model", `"model":"m1",`, ``, "model: must be a string"},
		{"no max_tokens", `"max_tokens":100,`, ``, "max_tokens: field required"},
		{"zero max_tokens", `"max_tokens":100`, `"max_tokens":0`, "max_tokens: must be an integer of at least 1"},
		{"no stream", `"stream":true,`, ``, "stream: must be true"},
		{"unknown field", `"stream":true,`, `"stream":true,"stop":[],`, "stop: is not a field"},
		{"unknown field of a block", `{"type":"text","text":"go on"}`, `{"type":"text","text":"go on","id":1}`, "messages[2].content[2].id: is not a field"},
		{"temperature over 1", `0.5`, `1.5`, "temperature: must be a number from 0 to 1"},
		{"thinking from the middle of a turn", `"temperature":0.5`, `"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2048`, "messages[1].content[0].type: expected thinking or redacted_thinking, but found text"},
		{"adaptive thinking", `"temperature":0.5`, `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}`, ""},
		{"budget over max_tokens", `"temperature":0.5`, `"thinking":{"type":"enabled","budget_tokens":1024}`, "thinking.budget_tokens: must be given and less"},
		{"small budget", `"temperature":0.5`, `"thinking":{"type":"enabled","budget_tokens":10}`, "at least 1024"},
		{"temperature with thinking", `"stream":true,`, `"stream":true,"thinking":{"type":"adaptive"},`, "temperature: may only be set to 1"},
		{"unknown effort", `"temperature":0.5`, `"output_config":{"effort":"huge"}`, "output_config.effort: must be one of"},
		{"blank system text", `"be good"`, `" "`, "system[0].text: text must contain"},
		{"system as a string", `[{"type":"text","text":"be good","cache_control":{"type":"ephemeral"}}]`, `"be good"`, ""},
		{"five cache marks", `"content":"hello"`, `"content":[` + strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"x","cache_control":{"type":"ephemeral"}},`, 4), ",") + `]`, "maximum of 4 blocks"},
		{"four cache marks", `"content":"hello"`, `"content":[` + strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}},`, 3), ",") + `]`, ""},
		{"bad tool name", `"name":"read","description"`, `"name":"re.ad","description"`, "tools[0].name:"},
		{"long tool name", `"name":"read","description"`, `"name":"` + strings.Repeat("a", 65) + `","description"`, "tools[0].name:"},
		{"tool twice", `"name":"plan_get","input_schema"`, `"name":"read","input_schema"`, "tools[1].name: tool names must be unique"},
		{"schema of a string", `"input_schema":{"type":"object"}`, `"input_schema":{"type":"string"}`, "tools[1].input_schema: must be a schema"},
		{"no schema", `,"input_schema":{"type":"object"}`, ``, "tools[1].input_schema: must be a schema"},
		{"anyOf at the top", `"input_schema":{"type":"object"}`, `"input_schema":{"type":"object","anyOf":[]}`, "tools[1].input_schema.anyOf: is not supported"},
		{"property name", `{"path":{"type":"string"}}`, `{"the path":{"type":"string"}}`, "property keys should match"},
		{"tool_choice none", `"stream":true,`, `"stream":true,"tool_choice":{"type":"none"},`, ""},
		{"tool_choice of no tool", `"stream":true,`, `"stream":true,"tool_choice":{"type":"tool","name":"x"},`, "tool_choice.name"},
		{"no messages", `"messages":[`, `"messages":[],"container":[`, "messages: at least one message"},
		{"assistant first", `{"role":"user","content":"hello"},`, ``, "messages[0]: first message must use the user role"},
		{"system role", `{"role":"user","content":"hello"}`, `{"role":"system","content":"hello"}`, "messages[0].role: must be one of"},
		{"blank text", `"content":"hello"`, `"content":"\n"`, "messages[0].content: text must contain"},
		{"null text", `"content":"hello"`, `"content":null`, "messages[0].content: all messages must have non-empty"},
		{"empty content", `"content":"hello"`, `"content":[]`, "messages[0].content: all messages must have non-empty"},
		{"empty text block", `"text":"I look."`, `"text":""`, "messages[1].content[0].text: text must contain"},
		{"bad call id", `"id":"toolu_1"`, `"id":"toolu.1"`, "messages[1].content[1].id:"},
		{"call without id", `"id":"toolu_1",`, ``, "messages[1].content[1].id: must be a non-empty"},
		{"same call id", `"id":"toolu_2"`, `"id":"toolu_1"`, `the id "toolu_1" is used twice`},
		{"input as a string", `"input":{"path":"a"}`, `"input":"{}"`, "messages[1].content[1].input: must be an object"},
		{"bad name of a call", `"name":"read","input"`, `"name":"re ad","input"`, "messages[1].content[1].name:"},
		{"missing result", results, ``, "calls were found without a tool_result immediately after: toolu_1"},
		{"second result", results, results + results, "a second tool_result"},
		{"result of nothing", `"tool_use_id":"toolu_2"`, `"tool_use_id":"toolu_9"`, `a tool_result for "toolu_9"`},
		{"text before the results", results, `{"type":"text","text":"x"},` + results, "tool_result blocks must come first"},
		{"results in two messages", `"content":"alpha"},`, `"content":"alpha"}]},{"role":"user","content":[`, "without a tool_result immediately after: toolu_2"},
		{"blank result", `"content":"alpha"`, `"content":""`, "messages[2].content[0].content: text must contain"},
		{"no result content", `,"content":"alpha"`, ``, "messages[2].content[0].content: must not be empty"},
		{"image in a result", `"content":"alpha"`, `"content":[` + image + `]`, ""},
		{"image in an error", `[{"type":"text","text":"beta"}]`, `[` + image + `]`, "if is_error is true"},
		{"image of a wrong type", `{"type":"text","text":"go on"}`, strings.Replace(image, "png", "bmp", 1), "media_type: must be one of"},
		{"image without data", `{"type":"text","text":"go on"}`, strings.Replace(image, "aGk=", "", 1), "data: must be base64"},
		{"consecutive user messages", `{"role":"user","content":"hello"}`, `{"role":"user","content":"hello"},{"role":"user","content":"again"}`, ""},
		{"consecutive assistant messages", `{"type":"text","text":"I look."},`, `{"type":"text","text":"I look."}]},{"role":"assistant","content":[`, ""},
		{"assistant last", `{"type":"text","text":"go on"}]}`, `{"type":"text","text":"go on"}]},{"role":"assistant","content":"x"}`, "must end with a user message"},
		{"call last", `{"type":"text","text":"go on"}]}`, `{"type":"text","text":"go on"}]},{"role":"assistant","content":[` + strings.Replace(calls, "toolu_1", "toolu_3", 1) + `]}`, "without a tool_result immediately after: toolu_3"},
		{"unsigned thinking", `{"type":"text","text":"I look."}`, `{"type":"thinking","thinking":"x","signature":""}`, "invalid signature"},
		{"unknown block", `{"type":"text","text":"go on"}`, `{"type":"input_text","text":"go on"}`, "messages[2].content[2].type: must be one of"},
	}
}

func responsesChanges() []change {
	call := `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{\"path\":\"a\"}"},`
	output := `{"type":"function_call_output","call_id":"call_1","output":"alpha"},`
	strict := `"strict":true,"parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`
	loose := `"strict":false,"parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`
	return []change{
		{"no model", `"model":"m1",`, ``, "model: must be a string"},
		{"no stream", `"stream":true,`, ``, "stream: must be true"},
		{"chat's field", `"stream":true,`, `"stream":true,"max_tokens":3,`, "max_tokens: is not a field"},
		{"small max_output_tokens", `"max_output_tokens":100`, `"max_output_tokens":5`, "at least 16"},
		{"temperature with reasoning", `"stream":true,`, `"stream":true,"temperature":0,"reasoning":{"effort":"low"},`, "temperature: unsupported parameter"},
		{"temperature without reasoning", `"stream":true,`, `"stream":true,"temperature":0,"reasoning":{"effort":"none"},`, ""},
		{"nested function", `{"type":"function","name":"plan_get",`, `{"type":"function","function":{"name":"plan_get"},`, "tools[1].function: is not a field"},
		{"bad tool name", `"name":"read","description"`, `"name":"re/ad","description"`, "tools[0].name:"},
		{"tool twice", `"name":"plan_get","parameters"`, `"name":"read","parameters"`, "tools[1].name: tool names must be unique"},
		{"no properties", `{"type":"object","properties":{}}`, `{"type":"object"}`, "tools[1].parameters: object schema missing properties"},
		{"array without items", `{"type":"string"}`, `{"type":"array"}`, "tools[0].parameters.properties.path: array schema missing items"},
		{"strict", loose, strict, ""},
		{"strict and open", loose, strings.Replace(strict, `,"additionalProperties":false`, ``, 1), "additionalProperties must be false"},
		{"strict and optional", loose, strings.Replace(strict, `"required":["path"]`, `"required":[]`, 1), `lacks "path"`},
		{"tool_choice", `"stream":true,`, `"stream":true,"tool_choice":"none",`, ""},
		{"unknown tool_choice", `"stream":true,`, `"stream":true,"tool_choice":"never",`, "tool_choice: must be one of"},
		{"no input", `"input":[`, `"input":[],"metadata":[`, "input: must be a string or a list"},
		{"input as a string", `"input":[`, `"input":"hello","metadata":[`, ""},
		{"blank input text", `"text":"hello"`, `"text":" "`, "input[0].content[0].text: text must contain"},
		{"null content", `"content":"go on"`, `"content":null`, "input[6].content: must be a string or a list"},
		{"user's output_text", `"type":"input_text","text":"hello"`, `"type":"output_text","text":"hello"`, "input[0].content[0].type: must be one of input_text"},
		{"assistant's input_text", `"type":"output_text"`, `"type":"input_text"`, "input[1].content[0].type: must be one of output_text"},
		{"message id", `"id":"msg_1"`, `"id":"x_1"`, `input[1].id: "x_1" is not an ID that begins with "msg_"`},
		{"call id as item id", `"id":"fc_1"`, `"id":"call_1"`, `begins with "fc_"`},
		{"unknown role", `"role":"user","content":"go on"`, `"role":"tool","content":"go on"`, "input[6].role: must be one of"},
		{"unknown item", `"type":"message"`, `"type":"text"`, "input[1].type: must be one of"},
		{"arguments as an object", `"arguments":"{}"`, `"arguments":{}`, "input[3].arguments: must be a string"},
		{"broken arguments", `"arguments":"{}"`, `"arguments":"{"`, "input[3].arguments: must hold a JSON object"},
		{"null arguments", `"arguments":"{}"`, `"arguments":"null"`, "input[3].arguments: must hold a JSON object"},
		{"bad name of a call", `"name":"plan_get","arguments"`, `"name":"","arguments"`, "input[3].name:"},
		{"long call id", `"call_id":"call_2","name"`, `"call_id":"` + strings.Repeat("c", 65) + `","name"`, "input[3].call_id: string too long"},
		{"same call id", `"call_id":"call_2","name"`, `"call_id":"call_1","name"`, "is used twice"},
		{"missing output", output, ``, "calls were found without a function_call_output immediately after: call_1"},
		{"second output", output, output + output, "a second function_call_output"},
		{"output without call", call, ``, `a function_call_output for "call_1"`},
		{"blank output", `"output":"alpha"`, `"output":""`, "input[4].output: text must contain"},
		{"no output text", `,"output":"alpha"`, ``, "input[4].output: must be a string or a list"},
		{"user between call and output", output, `{"role":"user","content":"x"},` + output, "immediately after: call_1, call_2"},
		{"call between outputs", output, output + `{"type":"function_call","call_id":"call_3","name":"read","arguments":"{}"},`, "immediately after: call_2"},
		{"system message", `{"role":"user","content":"go on"}`, `{"role":"developer","content":"go on"}`, ""},
		{"reasoning without content", call, `{"type":"reasoning","id":"rs_1","summary":[]},` + call, "not persisted when store is set to false"},
		{"foreign reasoning", call, `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},` + call, "could not be verified"},
		{"reasoning without summary", call, `{"type":"reasoning","id":"rs_1","encrypted_content":"x"},` + call, "summary: must be an array"},
		{"own reasoning", call, `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"` + sign("reasoning", "m1", "rs_1") + `"},` + call, ""},
		{"reasoning before user text", `{"role":"user","content":"go on"}`, `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"` + sign("reasoning", "m1", "rs_1") + `"},{"role":"user","content":"go on"}`, "without its required following item"},
		{"image", `{"type":"input_text","text":"hello"}`, `{"type":"input_text","text":"hello"},{"type":"input_image","image_url":"data:image/png;base64,aGk="}`, ""},
		{"image of nothing", `{"type":"input_text","text":"hello"}`, `{"type":"input_image","image_url":"data:image/png;base64,"}`, "must be base64"},
		{"image without address", `{"type":"input_text","text":"hello"}`, `{"type":"input_image","image_url":"a.png"}`, "must be a URL"},
	}
}

func chatChanges() []change {
	result := `{"role":"tool","tool_call_id":"call_1","content":"alpha"},`
	return []change{
		{"no model", `"model":"m1",`, ``, "model: must be a string"},
		{"no stream", `"stream":true,`, ``, "stream: must be true"},
		{"both limits", `"max_tokens":100`, `"max_tokens":100,"max_completion_tokens":100`, "at the same time"},
		{"some server's field", `"stream":true,`, `"stream":true,"reasoning":{"effort":"low"},`, ""},
		{"bad tool name", `"name":"read","parameters"`, `"name":"re ad","parameters"`, "tools[0].function.name:"},
		{"tool twice", `"name":"plan_get"}`, `"name":"read"}`, "tool names must be unique"},
		{"schema of a string", `{"type":"object","properties"`, `{"type":"string","properties"`, "tools[0].function.parameters: must be a schema"},
		{"tool_choice none", `"stream":true,`, `"stream":true,"tool_choice":"none",`, ""},
		{"no messages", `"messages":[`, `"messages":[],"x":[`, "messages: an empty list"},
		{"late system message", `{"role":"user","content":"hello"}`, `{"role":"user","content":"hello"},{"role":"system","content":"x"}`, "messages[2]: the system message must be at the beginning"},
		{"developer message", `"role":"system"`, `"role":"developer"`, ""},
		{"unknown role", `"role":"system"`, `"role":"function"`, "messages[0].role: must be one of"},
		{"null user content", `"content":"hello"`, `"content":null`, "messages[1].content: must be a string or a list of parts"},
		{"blank user content", `"content":"hello"`, `"content":"  "`, "messages[1].content: text must contain"},
		{"empty content beside calls", `"content":null`, `"content":""`, "messages[2].content: text must contain"},
		{"no content beside calls", `"content":null,`, ``, ""},
		{"text beside calls", `"content":null`, `"content":"I look."`, ""},
		{"assistant without anything", `"content":null,"tool_calls":[`, `"content":null,"x":[`, "messages[2].content: must be a string"},
		{"empty tool_calls", `"content":null,"tool_calls":[`, `"content":"x","tool_calls":[],"x":[`, "messages[2].tool_calls: an empty list"},
		{"call without type", `"id":"call_1","type":"function",`, `"id":"call_1",`, "tool_calls[0].type: must be one of function"},
		{"call without id", `"id":"call_1",`, ``, "tool_calls[0].id: must be a non-empty"},
		{"long call id", `"id":"call_1"`, `"id":"` + strings.Repeat("c", 41) + `"`, "string too long"},
		{"same call id", `"id":"call_2"`, `"id":"call_1"`, "is used twice"},
		{"arguments as an object", `"arguments":"{}"`, `"arguments":{}`, "arguments: must be a string"},
		{"empty arguments", `"arguments":"{}"`, `"arguments":""`, "arguments: must hold a JSON object"},
		{"array arguments", `"arguments":"{}"`, `"arguments":"[]"`, "arguments: must hold a JSON object"},
		{"missing result", result, ``, "without a tool message immediately after: call_1"},
		{"second result", result, result + result, "a second tool message"},
		{"user among results", result, result + `{"role":"user","content":"x"},`, "immediately after: call_2"},
		{"result of nothing", `"tool_call_id":"call_2"`, `"tool_call_id":"call_9"`, `a tool message for "call_9"`},
		{
			"results in another order", result + `{"role":"tool","tool_call_id":"call_2","content":[{"type":"text","text":"beta"}]}`,
			`{"role":"tool","tool_call_id":"call_2","content":"beta"},` + strings.TrimSuffix(result, ","), "",
		},
		{"null result", `"content":"alpha"`, `"content":null`, "messages[3].content: must be a string"},
		{"blank result", `"content":"alpha"`, `"content":"\t"`, "messages[3].content: text must contain"},
		{"image in a result", `"content":"alpha"`, `"content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]`, "messages[3].content[0].type: must be one of text"},
		{"image", `{"type":"text","text":"go on"}`, `{"type":"text","text":"go on"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}`, ""},
	}
}

func geminiChanges() []change {
	response := `{"functionResponse":{"name":"read","response":{"output":"alpha"}}},`
	parameters := `"parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`
	return []change{
		{"stream in the body", `"contents":`, `"stream":true,"contents":`, "stream: is not a field"},
		{"unknown config", `"temperature":0.5`, `"temperatur":0.5`, "generationConfig.temperatur: is not a field"},
		{"both kinds of thinking", `"includeThoughts":true`, `"thinkingBudget":100,"thinkingLevel":"low"`, "cannot be set together"},
		{"blank system text", `"be good"`, `""`, "systemInstruction.parts[0].text: text must contain"},
		{"bad tool name", `"name":"read","description"`, `"name":"re ad","description"`, "functionDeclarations[0].name:"},
		{"digit first", `"name":"read","description"`, `"name":"2read","description"`, "must start with a letter"},
		{"tool twice", `{"name":"plan_get"}]`, `{"name":"read"}]`, "tool names must be unique"},
		{"additionalProperties", `"required":["path"]`, `"required":["path"],"additionalProperties":false`, "parameters.additionalProperties: is not a field"},
		{"$schema", `"required":["path"]`, `"$schema":"x"`, "parameters.$schema: is not a field"},
		{"two types", `{"type":"string"}`, `{"type":["string","null"]}`, "path.type: must be one type"},
		{"array without items", `{"type":"string"}`, `{"type":"array"}`, "path.items: missing field"},
		{"enum of numbers", `{"type":"string"}`, `{"type":"integer","enum":[1]}`, "path.enum[0]: must be a string"},
		{"required of nothing", `"required":["path"]`, `"required":["x"]`, "parameters.required[0]: property is not defined"},
		{"upper case types", `{"type":"object","properties":{"path":{"type":"string"}}`, `{"type":"OBJECT","properties":{"path":{"type":"STRING"}}`, ""},
		{"full JSON schema", parameters, `"parametersJsonSchema":{"type":"object","properties":{},"additionalProperties":false}`, ""},
		{"both schemas", parameters, parameters + `,"parametersJsonSchema":{"type":"object"}`, "exclude each other"},
		{"schema of a string", parameters, `"parametersJsonSchema":{"type":"string"}`, "schema should be of type object"},
		{"calling mode", `"contents":`, `"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},"contents":`, ""},
		{"unknown mode", `"contents":`, `"toolConfig":{"functionCallingConfig":{"mode":"none"}},"contents":`, "mode: must be one of"},
		{"no contents", `"contents":[`, `"contents":[],"labels":[`, "contents: contents is not specified"},
		{"assistant role", `"role":"model"`, `"role":"assistant"`, "contents[1].role: must be one of user, model"},
		{"model first", `{"role":"user","parts":[{"text":"hello"}]},`, ``, "contents[0]: a model turn must come immediately after"},
		{"no parts", `"parts":[{"text":"hello"}]`, `"parts":[]`, "contents[0].parts: must include at least one"},
		{"empty text", `"text":"hello"`, `"text":""`, "contents[0].parts[0].text: text must contain"},
		{"unknown part", `{"text":"go on"}`, `{"text":"go on","type":"text"}`, "contents[2].parts[2].type: is not a field"},
		{"arguments as a string", `"args":{"path":"a"}`, `"args":"{}"`, "functionCall.args: must be an object"},
		{"missing response", response, ``, "number of function response parts (1) is equal to the number of function call parts (2)"},
		{"second response", response, response + response, "parts (3) is equal"},
		{"responses in another order", `{"name":"read","response"`, `{"name":"plan_get","response"`, `functionResponse.name: the function call was to "read"`},
		{"response with an id", `{"name":"read","response"`, `{"id":"x","name":"read","response"`, `functionResponse.id: the function call had the id ""`},
		{"response as a string", `"response":{"output":"alpha"}`, `"response":"alpha"`, "functionResponse.response: must be an object"},
		{"blank response", `"output":"alpha"`, `"output":""`, "response.output: text must contain"},
		{"call turn after a model turn", `{"text":"I look."},`, `{"text":"I look."}]},{"role":"model","parts":[`, "contents[2]: a model turn must come immediately after"},
		{"two user turns", `{"role":"user","parts":[{"text":"hello"}]}`, `{"role":"user","parts":[{"text":"hello"}]},{"role":"user","parts":[{"text":"x"}]}`, ""},
		{"model last", `{"text":"go on"}]}]`, `{"text":"go on"}]},{"role":"model","parts":[{"text":"x"}]}]`, "ends with a user turn"},
		{"foreign signature", `{"functionCall":{"name":"read"`, `{"thoughtSignature":"x","functionCall":{"name":"read"`, "corrupted thought signature"},
		{"image", `{"text":"go on"}`, `{"text":"go on"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}`, ""},
		{"image of a wrong type", `{"text":"go on"}`, `{"inlineData":{"mimeType":"text/plain","data":"aGk="}}`, "mimeType: must be one of"},
	}
}

func TestToolFieldsWithoutToolsAreRefused(t *testing.T) {
	for _, c := range []struct{ wire, body, want string }{
		{"messages", `{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"x"}],"tool_choice":{"type":"auto"}}`, "only be specified while providing tools"},
		{"chat", `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tools":[]}`, "tools: an empty list"},
		{"chat", `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tool_choice":"auto"}`, "only allowed when tools"},
		{"chat", `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"parallel_tool_calls":true}`, "only allowed when tools"},
		{"gemini", `{"contents":[{"role":"user","parts":[{"text":"x"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`, "without function_declarations"},
	} {
		s := New(text("x"))
		if w := clientOf(t, c.wire).ask(s, c.body); w.Code != 400 || len(s.Violations()) != 1 || !strings.Contains(s.Violations()[0], c.want) {
			t.Errorf("%s: got %d %q, want %q", c.wire, w.Code, s.Violations(), c.want)
		}
	}
}

func TestEveryWireWantsItsKeyAndJSON(t *testing.T) {
	for _, c := range clients() {
		for _, x := range []struct {
			name string
			edit func(r *http.Request)
			body string
			want string // "" for no violation
			code int
		}{
			{
				"no key", func(r *http.Request) {
					r.Header.Del("X-Api-Key")
					r.Header.Del("Authorization")
					r.Header.Del("X-Goog-Api-Key")
				}, c.base,
				map[string]string{"messages": "x-api-key", "responses": "Bearer", "gemini": "key="}[c.wire], map[string]int{"chat": 200, "gemini": 400}[c.wire],
			},
			{"form type", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, c.base, "Content-Type must be application/json", 400},
			{"charset", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") }, c.base, "", 200},
			{"invalid UTF-8", nil, strings.Replace(c.base, "hello", "\xff", 1), "not valid UTF-8", 400},
			{"lone surrogate", nil, strings.Replace(c.base, "hello", `\ud83d`, 1), "half of a surrogate pair", 400},
			{"reversed surrogates", nil, strings.Replace(c.base, "hello", `\ude00\ud83d`, 1), "half of a surrogate pair", 400},
			{"surrogate pair", nil, strings.Replace(c.base, "hello", `a\\u\ud83d\ude00\\ud83d\u00e9`, 1), "", 200},
			{"no JSON", nil, `{`, "not valid JSON", 400},
			{"trailing data", nil, c.base + `{}`, "data after the JSON", 400},
			{"no object", nil, `[]`, "must be a JSON object", 400},
		} {
			s := New(text("x"))
			r := c.request(x.body)
			if x.edit != nil {
				x.edit(r)
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			code := x.code
			if code == 0 {
				code = 401
			}
			v := strings.Join(s.Violations(), "\n")
			if w.Code != code || !strings.Contains(v, x.want) || (v == "") != (x.want == "") {
				t.Errorf("%s, %s: got %d %q, want %d %q", c.wire, x.name, w.Code, v, code, x.want)
			}
		}
	}
	for _, x := range []struct{ wire, header, value, want string }{
		{"messages", "Anthropic-Version", "", "anthropic-version: header is required"},
		{"chat", "Authorization", "k", "must be Bearer"},
		{"responses", "Authorization", "Bearer ", "Bearer header"},
	} {
		s := New(text("x"))
		c := clientOf(t, x.wire)
		r := c.request(c.base)
		r.Header.Set(x.header, x.value)
		s.ServeHTTP(httptest.NewRecorder(), r)
		if v := strings.Join(s.Violations(), "\n"); !strings.Contains(v, x.want) {
			t.Errorf("%s %s: got %q, want %q", x.wire, x.header, v, x.want)
		}
	}
	s := New(text("x"))
	c := clientOf(t, "gemini")
	c.path = strings.TrimSuffix(c.path, "?alt=sse") + "?key=k"
	if w := c.ask(s, c.base); w.Code != 400 || !strings.Contains(s.Violations()[0], "alt: must be sse") {
		t.Errorf("got %d %q", w.Code, s.Violations())
	}
}

func TestAWrongKeyOrModelIsAnsweredAsTheProviderDoesAndIsNoViolation(t *testing.T) {
	for wire, want := range map[string]struct {
		key, model int
		path       []any
		keyText    string
		modelText  string
	}{
		"messages":  {401, 404, []any{"error", "type"}, "authentication_error", "not_found_error"},
		"responses": {401, 404, []any{"error", "code"}, "invalid_api_key", "model_not_found"},
		"chat":      {401, 404, []any{"error", "code"}, "invalid_api_key", "model_not_found"},
		"gemini":    {400, 404, []any{"error", "status"}, "INVALID_ARGUMENT", "NOT_FOUND"},
	} {
		c := clientOf(t, wire)
		for _, x := range []struct {
			s    *scripted.Scenario
			code int
			text string
		}{
			{&scripted.Scenario{Key: "other", Steps: text("x").Steps}, want.key, want.keyText},
			{&scripted.Scenario{Key: "k", Model: "m2", Steps: text("x").Steps}, want.model, want.modelText},
			{&scripted.Scenario{Key: "k", Model: "m1", Steps: text("x").Steps}, 200, ""},
		} {
			s := New(x.s)
			w := c.ask(s, c.base)
			if w.Code != x.code || len(s.Violations()) > 0 {
				t.Errorf("%s: got %d %q, want %d", wire, w.Code, s.Violations(), x.code)
			}
			if x.text != "" && at(parse([]string{w.Body.String()})[0], want.path...) != x.text {
				t.Errorf("%s: got %s, want %s", wire, w.Body, x.text)
			}
		}
	}
}

func FuzzNoRequestMakesTheServerFail(f *testing.F) {
	for i, c := range clients() {
		f.Add(i, c.base)
	}
	f.Fuzz(func(t *testing.T, i int, body string) {
		if i < 0 || i >= len(clients()) {
			return
		}
		s := New(text("x"))
		w := clients()[i].ask(s, body)
		if ok := w.Code == http.StatusOK; ok != (len(s.Violations()) == 0) || !ok && w.Code != http.StatusBadRequest {
			t.Errorf("got %d with violations %q", w.Code, s.Violations())
		}
	})
}
