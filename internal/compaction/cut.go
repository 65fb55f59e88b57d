package compaction

import "github.com/zuno-dev/zuno/internal/llm"

// Cut returns the index in ms at which what stays verbatim begins, or from when
// nothing after it can be left out: the last tail turns where they take no more
// than budget tokens, else as many of the latest steps as do. The latest step
// stays whatever it takes.
//
// A cut never stands between a call and its results.
func Cut(ms []*llm.Message, from, tail, budget int) int {
	if at := Old(ms, from, tail); Sizes(ms[at:]) <= budget {
		return at
	}
	at, size := len(ms), 0
	for i := len(ms) - 1; i > from; i-- {
		size += Size(ms[i])
		if ms[i].Role == llm.Tool {
			continue
		}
		if size > budget && at < len(ms) {
			break
		}
		at = i
	}
	if at == len(ms) {
		return from
	}
	return at
}

// Old returns the index in ms at which the last tail turns begin: what stands
// before it, and not before from, is old. It is from when there are fewer.
func Old(ms []*llm.Message, from, tail int) int {
	turns := starts(ms, from)
	if tail < 1 || len(turns) < tail {
		return from
	}
	return turns[len(turns)-tail]
}

// LastStep returns the index in ms of the newest message of the model whose
// calls were answered, len(ms) when there is none.
func LastStep(ms []*llm.Message) int {
	for i := len(ms) - 1; i > 0; i-- {
		if ms[i].Role == llm.Tool {
			return i - 1
		}
	}
	return len(ms)
}

// starts returns where turns begin in ms, not before from.
func starts(ms []*llm.Message, from int) []int {
	var at []int
	for i := from; i < len(ms); i++ {
		if promptIn(ms[i]) != "" {
			at = append(at, i)
		}
	}
	return at
}

// promptIn returns what the person said in m, "" when it is something else: an
// answer, results, or what the model is told of a call that nobody requested.
func promptIn(m *llm.Message) string {
	if m.Role != llm.User || len(m.Parts) == 0 {
		return ""
	}
	if last := m.Parts[len(m.Parts)-1]; last.Kind == llm.Text && last.For == "" {
		return last.Text
	}
	return ""
}
