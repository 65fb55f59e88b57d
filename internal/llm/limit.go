package llm

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// A Limit is what a provider says a model takes, in tokens; the zero value is that
// it did not say.
type Limit struct {
	Tokens int
	// Input says that the answer does not count.
	Input bool
}

// Window returns how many tokens a request may have within l, zero when l does
// not say.
func (l Limit) Window(i Info) int {
	if l.Input {
		return l.Tokens
	}
	i.Context = l.Tokens
	return i.Window()
}

// limits find a limit in the words of an error. Each is tied to what the number
// is: the same sentences name the size of the request and that of the answer.
func limits() []struct {
	form  string
	input bool
} {
	const n = `\(?~?([0-9][0-9,._]*)`
	return []struct {
		form  string
		input bool
	}{
		{`exceed context limit: [0-9,]+ \+ [0-9,]+ > ` + n, false},
		{`prompt is too long: [0-9,]+ tokens > ` + n, false},
		{`(?:max(?:imum)?|model'?s?|available) context (?:length|window|size)(?: of the model)? (?:is |of |= ?|: ?)?(?:only )?` + n, false},
		{n + ` (?:max(?:imum)? context length|tokens? context window)`, false},
		{`context (?:length|window|size)(?: is| of) (?:only )?` + n, false},
		{`max_model_len(?:gth)?(?: is| of|=|:)? ?` + n, false},
		{`maximum model length(?: is| of)? ` + n, false},
		{`model token limit: ` + n, false},
		{`maximum number of tokens allowed ` + n, true},
		{`maximum prompt length is ` + n, true},
		{`maximum allowed input length of ` + n, true},
		{`configured limit of ` + n, true},
		{`prompt token count of [0-9,]+ exceeds the limit of ` + n, true},
		{`only supports up to ` + n, true},
		{`range of input length should be \[[0-9]+, ?` + n, true},
		{`resulting in a maximum input length of ` + n, true},
	}
}

// The least and the most that a context can be, in tokens.
const (
	leastContext = 512
	mostContext  = 1 << 30
)

// limitIn finds the limit that an error names in words.
func limitIn(message string) Limit {
	message = strings.ToLower(message)
	for _, l := range limits() {
		m := regexp.MustCompile(l.form).FindStringSubmatch(message)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(strings.NewReplacer(",", "", ".", "", "_", "").Replace(m[1]))
		if err == nil && n >= leastContext && n <= mostContext {
			return Limit{n, l.input}
		}
	}
	return Limit{}
}

// named returns the limit that llama.cpp gives as a field.
func named(obj map[string]json.RawMessage) Limit {
	n, err := strconv.Atoi(words(obj["n_ctx"]))
	if err != nil || n < leastContext || n > mostContext {
		return Limit{}
	}
	return Limit{Tokens: n}
}
