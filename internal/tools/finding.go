package tools

// A Finding says what became of a call whose outcome was uncertain, once
// somebody found out.
type Finding string

// The findings. None is the zero value.
const (
	NotFound     Finding = ""
	Happened     Finding = "happened"
	DidNotHappen Finding = "did-not-happen"
	InPart       Finding = "in-part"
)

// Findings are the words that may be given.
func Findings() []Finding { return []Finding{Happened, DidNotHappen, InPart} }

// ByProbe and ByModel are who may have found out, besides the person.
const (
	ByProbe Source = "probe"
	ByModel Source = "model"
)
