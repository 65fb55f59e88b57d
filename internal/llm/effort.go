package llm

// ReasoningRoom is what a wire adds to a request's own limit of output when
// the request asks for no reasoning and the model cannot do without: a small
// limit would be used up before the first word. In tokens.
const ReasoningRoom = 4096

// ReasoningBudget returns the tokens of reasoning for an effort where a
// provider counts them, 0 for off and for efforts it does not know.
func ReasoningBudget(effort string) int {
	switch effort {
	case "low":
		return 2048
	case "medium":
		return 8192
	case "high":
		return 24576
	}
	return 0
}
